//! The definitions of Modelplane's kinds are those of its release v0.3.1, but for descriptions and for what is listed here.
//!
//! The definitions of the release are not part of the project: the test reads them from the folder in `SAILPLANE_CRDS`, or
//! from `../shared/crds`. Without this folder the test prints what it skipped, and fails in CI.

#[path = "modelplane/objects.rs"]
mod objects;

use std::collections::BTreeSet;
use std::fs;

use inference::KINDS;
use native::files::schemas;
use native::golden::documents;
use native::skipped::skip;
use serde_json::{Map, Value};
use toolbox::definition;
use toolbox::kind::Kind;

/// A kind, the reason for differences, and their paths: under `spec` or `status` of the schema, or under the version.
type Differences = (&'static str, &'static str, &'static [&'static str]);

/// All differences.
const DIFFERENCES: &[Differences] = &[
    ("ModelDeployment", "with full answers, people see why replicas have no place", &["status.properties.refusals"]),
    (
        "InferenceCluster",
        "an earlier version of the API proposes it; pods go through the queues of the cluster",
        &["spec.properties.scheduler"],
    ),
    (
        "InferenceCluster",
        "an earlier version of the API has it; what others run on the cluster is not free",
        &["status.properties.capacity"],
    ),
    (
        "ModelDeployment",
        "with full answers, people see which pools have too few nodes for their pods, and whose these are",
        &["status.properties.overcommitted"],
    ),
    (
        "ModelDeployment",
        "without a selector, autoscalers refuse to scale",
        &["status.properties.selector", "version.subresources.scale.labelSelectorPath"],
    ),
    (
        "ModelDeployment",
        "earlier versions have these fields; what becomes of them is in `shapes/rows.rs`",
        &[
            "spec.properties.clusterSelector",
            "spec.properties.decode",
            "spec.properties.engine",
            "spec.properties.engines",
            "spec.properties.environmentSelector",
            "spec.properties.huggingFace",
            "spec.properties.instances",
            "spec.properties.modelCacheRef",
            "spec.properties.nodeSelector",
            "spec.properties.prefill",
            "spec.properties.serving",
            "spec.properties.source",
            "spec.properties.topology",
            "spec.properties.workers",
        ],
    ),
    (
        "ModelDeployment",
        "with fields of an earlier version there is no template; admission and composing ask for it otherwise",
        &["spec.required"],
    ),
    (
        "ModelDeployment",
        "an earlier version has `workers.resources`; it is a field of a member here",
        &[
            "spec.properties.template.properties.spec.properties.engines.items.properties.members.items.properties.resources",
        ],
    ),
    (
        "ModelReplica",
        "an earlier version has `workers.resources`; it is a field of a member here",
        &["spec.properties.engines.items.properties.members.items.properties.resources"],
    ),
    (
        "ModelReplica",
        "earlier names of `clusterName`; a rule asks for one of them",
        &[
            "spec.properties.inferenceClusterRef",
            "spec.properties.inferenceEnvironmentRef",
            "spec.required",
            "spec.x-kubernetes-validations",
        ],
    ),
    (
        "ModelEndpoint",
        "an earlier version of the API has it; it is kept as data",
        &["spec.properties.api", "spec.properties.auth"],
    ),
    (
        "InferenceClass",
        "earlier versions say in these fields which devices there are; a rule asks for one of them",
        &[
            "spec.properties.attributes",
            "spec.properties.capabilities",
            "spec.properties.capacity",
            "spec.properties.resources",
            "spec.required",
            "spec.x-kubernetes-validations",
        ],
    ),
    (
        "InferenceClass",
        "an earlier version has it; it is left out",
        &["spec.properties.provisioning.properties.gke.properties.networking"],
    ),
    (
        "InferenceCluster",
        "earlier names of `className` and `maxNodeCount`; a rule asks for a class by one of them",
        &[
            "spec.properties.nodePools.items.properties.class",
            "spec.properties.nodePools.items.properties.maxNodes",
            "spec.properties.nodePools.items.required",
            "spec.properties.nodePools.items.x-kubernetes-validations",
        ],
    ),
    ("InferenceCluster", "an earlier version has it", &["spec.properties.cluster.properties.gke.properties.project"]),
    ("GKECluster", "an earlier version has it", &["spec.properties.project"]),
    (
        "InferenceCluster",
        "with another source the cluster would be deleted for a new one",
        &["spec.properties.cluster.properties.source.x-kubernetes-validations"],
    ),
    (
        "ServingStack",
        "a cluster may ask for a scheduler, which is installed like the other charts",
        &["spec.properties.scheduler", "spec.properties.versions.properties.scheduler"],
    ),
    (
        "ServingStack",
        "an earlier version calls an identity of Google Cloud otherwise",
        &["spec.properties.secrets.items.properties.type.enum"],
    ),
    (
        "ServingStack",
        "an earlier version installs these; they are left out",
        &["spec.properties.versions.properties.keda", "spec.properties.versions.properties.kserve"],
    ),
    ("ServingStack", "the version of AI Gateway is a choice too", &["spec.properties.versions.properties.aiGateway"]),
    (
        "InferenceGateway",
        "an earlier version has another backend, called otherwise, with settings of its own",
        &[
            "spec.properties.backend.enum",
            "spec.properties.envoyGateway",
            "spec.properties.gateway",
            "spec.properties.type",
            "spec.required",
            "spec.x-kubernetes-validations",
        ],
    ),
];

/// The path of a difference in a definition.
fn in_definition(path: &str) -> String {
    match path.split_once('.') {
        Some(("version", rest)) => format!("spec.versions[0].{rest}"),
        _ => format!("spec.versions[0].schema.openAPIV3Schema.properties.{path}"),
    }
}

/// Keywords of schemas that say nothing about values.
const DESCRIPTIVE: &[&str] = &["description"];

/// The definition of a kind in the release.
fn released(row: &Kind) -> Value {
    let file = schemas().join("modelplane.ai").join(format!("{}.yaml", row.plural));
    let text = fs::read_to_string(&file).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
    documents(&text).expect("YAML").pop().expect("a definition")
}

#[test]
fn are_those_of_the_release() {
    let kinds: Vec<_> = KINDS.rows.iter().filter(|row| row.api == "modelplane").collect();
    if !schemas().is_dir() {
        return skip(kinds.len(), "definitions of Modelplane", "the folder with them (`SAILPLANE_CRDS`)");
    }
    let mut found = BTreeSet::new();
    for row in kinds {
        let released = released(row);
        let mut differences = Vec::new();
        compare("", &released, &definition::definition(row), &mut differences);
        found.extend(differences.into_iter().map(|(path, what)| (row.kind, path, what)));
    }
    let rows = DIFFERENCES.iter().flat_map(|(kind, _, paths)| paths.iter().map(|path| (*kind, in_definition(path))));
    let listed: BTreeSet<_> = rows.collect();
    let unlisted = found.iter().filter(|(kind, path, _)| !listed.contains(&(*kind, path.clone())));
    let unlisted: Vec<_> = unlisted.map(|(kind, path, what)| format!("{kind}: {path}: {what}")).collect();
    assert!(unlisted.is_empty(), "{} differences that are not listed:\n{}", unlisted.len(), unlisted.join("\n"));
    let gone: Vec<_> = listed.iter().filter(|row| !found.iter().any(|it| (it.0, &it.1) == (row.0, &row.1))).collect();
    assert!(gone.is_empty(), "no longer a difference: {gone:#?}");
}

/// Collects the differences of what the release has and what we have.
fn compare(at: &str, released: &Value, ours: &Value, differences: &mut Vec<(String, String)>) {
    match (released, ours) {
        (Value::Object(released), Value::Object(ours)) => {
            let keys: BTreeSet<&String> = meaningful(at, released).chain(meaningful(at, ours)).collect();
            for key in keys {
                let path = joined(at, key);
                match (released.get(key), ours.get(key)) {
                    (Some(released), Some(ours)) => compare(&path, released, ours, differences),
                    (Some(released), None) => differences.push((path, format!("missing, the release has {released}"))),
                    (None, Some(ours)) => differences.push((path, format!("added: {ours}"))),
                    (None, None) => {}
                }
            }
        }
        (Value::Array(released), Value::Array(ours)) if is_set(at) => {
            let texts = |list: &[Value]| list.iter().map(Value::to_string).collect::<BTreeSet<_>>();
            let (released, ours) = (texts(released), texts(ours));
            differences
                .extend(released.difference(&ours).map(|it| (at.to_owned(), format!("missing, the release has {it}"))));
            differences.extend(ours.difference(&released).map(|it| (at.to_owned(), format!("added: {it}"))));
        }
        (Value::Array(released), Value::Array(ours)) if released.len() == ours.len() => {
            for (index, (released, ours)) in released.iter().zip(ours).enumerate() {
                compare(&format!("{at}[{index}]"), released, ours, differences);
            }
        }
        (released, ours) if released == ours => {}
        (released, ours) => differences.push((at.to_owned(), format!("{ours}, the release has {released}"))),
    }
}

/// The fields of an object but for descriptions. A field of a schema may have the name of such a keyword.
fn meaningful<'a>(at: &str, object: &'a Map<String, Value>) -> impl Iterator<Item = &'a String> {
    let is_names = at.rsplit_once('.').map_or(at, |(_, name)| name) == "properties";
    object.keys().filter(move |key| is_names || !DESCRIPTIVE.contains(&key.as_str()))
}

/// Whether the order in a list has no meaning.
fn is_set(at: &str) -> bool {
    let name = at.rsplit_once('.').map_or(at, |(_, name)| name);
    ["required", "enum", "x-kubernetes-validations", "categories"].contains(&name)
}

fn joined(at: &str, key: &str) -> String {
    if at.is_empty() { key.to_owned() } else { format!("{at}.{key}") }
}

#[test]
fn differences_are_found() {
    let check = |released: &str, ours: &str, want: &[&str]| {
        let read = |text: &str| documents(text).expect("YAML").pop().expect("a document");
        let mut found = Vec::new();
        compare("", &read(released), &read(ours), &mut found);
        assert_eq!(found.into_iter().map(|(path, what)| format!("{path}: {what}")).collect::<Vec<_>>(), want);
    };
    let schema = "{properties: {a: {type: string, description: one}, description: {type: string}}, required: [a, b]}";
    check(schema, schema, &[]);
    check(schema, "{properties: {a: {type: string}, description: {type: string}}, required: [b, a]}", &[]);
    check(
        schema,
        "{properties: {a: {type: integer, minimum: 1}}, required: [a]}",
        &[
            "properties.a.minimum: added: 1",
            "properties.a.type: \"integer\", the release has \"string\"",
            "properties.description: missing, the release has {\"type\":\"string\"}",
            "required: missing, the release has \"b\"",
        ],
    );
    check("[{a: 1}, 2]", "[{a: 2}, 2]", &["[0].a: 2, the release has 1"]);
    check("[1]", "[1, 2]", &[": [1,2], the release has [1]"]);
}
