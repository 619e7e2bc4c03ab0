//! The definition of `Cluster` accepts what that of dot-kubernetes 2.0.21 accepts, but for what a table says.

use contract::types::{Code, Problem};
use inference::KINDS;
use serde_json::Value;

use crate::originals::{self, Generator};

/// What ours refuses and dot-kubernetes accepts: fields, each with what is wrong with a value, and the reason. docs/differences.md says
/// the same below its tables.
#[rustfmt::skip]
const NARROWER: &[(&str, Code, &str)] = &[
    ("spec.parameters.minNodeCount", Code::Invalid, "no cloud has fewer than 0 nodes, and nobody means more than 1000"),
    ("spec.parameters.gpu.minNodeCount", Code::Invalid, "the same"),
    ("spec.parameters.gpu.maxNodeCount", Code::Invalid, "no cloud has a pool with at most 0 nodes, and nobody means more than 1000"),
    ("spec.parameters.gpu", Code::Invalid, "at least more nodes than at most"),
    ("spec.parameters.namespaces[]", Code::Invalid, "no namespace can have such a name"),
    ("spec.parameters.apps.externalSecrets.googleCredentialsKey", Code::Invalid, "no Secret can have such a key"),
    ("spec.parameters.apps.externalSecrets.awsAccessKeyIDKey", Code::Invalid, "the same"),
    ("spec.parameters.apps.externalSecrets.awsSecretAccessKeyKey", Code::Invalid, "the same"),
    ("spec.parameters.apps.externalSecrets.secrets[].toSecret", Code::Invalid, "no Secret can have such a name"),
    ("spec.parameters.apps.externalSecrets.secrets[].toNamespace", Code::Invalid, "no namespace can have such a name"),
];

/// The objects of the table are refused: the counts, by their own fields.
const INTEGERS: &[i64] = &[1, 3, 8, 0, 1000, 12, -1, 2_147_483_648];

/// Most of them are names.
const TEXTS: &[&str] = &["a", "dev", "production", "b-1", "7c", "x", "1.33", "A", "a b", ""];

#[test]
fn objects_of_dot_kubernetes_are_accepted() {
    let kind = KINDS.rows.iter().find(|kind| kind.plural == "clusters" && kind.api == "gpu-cluster").expect("a kind");
    let Some(text) = originals::read("devopstoolkit.ai/clusters.yaml", "Cluster") else { return };
    let documents = native::golden::documents(&text).expect("YAML");
    let schema = &documents[0]["spec"]["versions"][0]["schema"]["openAPIV3Schema"];
    let generator = Generator { texts: TEXTS, integers: INTEGERS };
    let compared =
        originals::compare(kind, &schema["properties"]["spec"], &generator, 0x10c5, |_, found| is_known(found));
    println!("Cluster: {compared:?}");
    // Many are accepted by both, and every row is needed.
    assert!(compared.refused < originals::OBJECTS * 4 / 5, "{compared:?}");
}

/// Whether the table has the problem.
fn is_known(problem: &Problem) -> bool {
    let mut path = String::new();
    let mut inside = false;
    for c in problem.path.chars() {
        inside = inside && c != ']';
        if !inside {
            path.push(c);
        }
        inside = inside || c == '[';
    }
    NARROWER.iter().any(|(at, code, _)| *at == path && *code == problem.code)
}

/// What a table says of one field is not said of another.
#[test]
fn only_the_table_is_known() {
    let is_known = |path: &str, code| is_known(&Problem::new(path, code, "wrong"));
    assert!(is_known("spec.parameters.namespaces[3]", Code::Invalid));
    assert!(!is_known("spec.parameters.namespaces[3]", Code::TypeInvalid));
    assert!(!is_known("spec.parameters.zones[3]", Code::Invalid));
    assert!(is_known("spec.parameters.apps.externalSecrets.secrets[12].toSecret", Code::Invalid));
}

/// The largest objects that ours accepts, and the first ones that it refuses for their size: dot-kubernetes has no such bounds.
#[test]
fn bounds_of_lists_and_texts() {
    let kind = KINDS.rows.iter().find(|kind| kind.plural == "clusters" && kind.api == "gpu-cluster").expect("a kind");
    let refused = |pointer: &str, value: Value| {
        let mut object = serde_json::json!({
            "apiVersion": kind.api_version, "kind": kind.kind, "metadata": {"name": "a", "namespace": "b"},
            "spec": {"parameters": {
                "nodeSize": "small", "apps": {"argocd": {}, "externalSecrets": {"secrets": [
                    {"fromSecret": "a", "toSecret": "a", "toNamespace": "a"},
                ]}},
                "creds": {"name": "a", "namespace": "a", "keys": ["a"]},
            }},
        });
        let (parent, name) = pointer.rsplit_once('/').expect("a field");
        let parent = object.pointer_mut(&format!("/spec/parameters{parent}")).expect("an object");
        parent[name] = value;
        // Of the whole object it is said that rules were not checked.
        let mut problems = (kind.definition)().validate(&object).into_iter().filter(|problem| !problem.path.is_empty());
        let first = problems.next();
        assert_eq!(problems.next(), None, "{pointer}");
        first
    };
    let secret =
        |index: usize| serde_json::json!({"fromSecret": "a", "toSecret": format!("a-{index}"), "toNamespace": "a"});
    let list = |count: usize, of: &dyn Fn(usize) -> Value| (0..count).map(of).collect::<Value>();
    let name = |index: usize| Value::from(format!("a-{index}"));
    for (pointer, most, of) in [
        ("/namespaces", 200, &name as &dyn Fn(usize) -> Value),
        ("/creds/keys", 100, &name),
        ("/zones", 6, &name),
        ("/apps/externalSecrets/secrets", 500, &secret),
    ] {
        assert_eq!(refused(pointer, list(most, of)), None, "{pointer}");
        let problem = refused(pointer, list(most + 1, of)).unwrap_or_else(|| panic!("{pointer} has no bound"));
        assert_eq!((problem.code, problem.message.contains(&most.to_string())), (Code::TooMany, true), "{problem:?}");
    }
    for (pointer, most) in [
        ("/version", 63),
        ("/region", 40),
        ("/apps/argocd/host", 253),
        ("/apps/argocd/repoURL", 2048),
        ("/apps/argocd/destinationNamespace", 63),
        ("/apps/argocd/sourcePath", 1024),
        ("/apps/externalSecrets/googleCredentialsKey", 253),
        ("/apps/externalSecrets/awsAccessKeyIDKey", 253),
        ("/apps/externalSecrets/awsSecretAccessKeyKey", 253),
        ("/apps/externalSecrets/azureVaultUrl", 2048),
        ("/creds/name", 253),
        ("/creds/namespace", 63),
    ] {
        assert_eq!(refused(pointer, "a".repeat(most).into()), None, "{pointer}");
        let problem = refused(pointer, "a".repeat(most + 1).into()).unwrap_or_else(|| panic!("{pointer} has no bound"));
        assert_eq!((problem.code, problem.message.contains(&most.to_string())), (Code::TooLong, true), "{problem:?}");
    }
}
