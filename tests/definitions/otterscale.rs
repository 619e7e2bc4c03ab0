//! The definitions of OtterScale's kinds are those of its CRDs, field by field, but for what a table says.
//!
//! The CRDs are not part of the project: the test reads their schemas from the folder in `SAILPLANE_CRDS`, or from
//! `../shared/crds`. Without this folder it prints what it skipped, and fails in CI.

use inference::KINDS;
use serde_json::{Value, json};
use toolbox::kind::Kind;

use crate::originals::{self, Generator};

const GROUP: &str = "model.otterscale.io/v1alpha1";

/// Keywords that differ everywhere below `spec`, each with the reason.
const DIFFERENCES: &[(&str, &str)] = &[
    ("maximum", "2147483647 is the largest value of an int32, and nothing could read a larger one"),
    ("anyOf", "`x-kubernetes-int-or-string` says the same"),
    ("description", "descriptions are ours"),
];

/// What only ours have: fields that are optional and have no default, so that objects without them stay as they are.
const ADDITIONS: &[(&str, &str)] = &[
    ("spec.model.delivery", "weights as an image volume"),
    ("spec.engine.probes", "pods are ready once the model is loaded"),
    ("spec.engine.sharedMemory", "processes of several devices share memory"),
    ("spec.decode.externalScaler", "a scaler of another kind decides"),
    ("spec.decode.strategy", "pods are replaced in place"),
    ("spec.decode.disruptionBudget", "nodes are drained with care"),
    ("spec.decode.args", "roles differ"),
    ("spec.decode.env", "roles differ"),
    ("spec.prefill.externalScaler", "a scaler of another kind decides"),
    ("spec.prefill.strategy", "pods are replaced in place"),
    ("spec.prefill.disruptionBudget", "nodes are drained with care"),
    ("spec.prefill.args", "roles differ"),
    ("spec.prefill.env", "roles differ"),
    ("spec.routingProxy.certSecretRef", "the certificate comes from a Secret"),
    ("spec.routingProxy x-kubernetes-validations", "which is mounted in `certPath`"),
    ("status.access", "how clients call the service"),
    ("status.contentHash", "what came to its end is not imported again"),
    ("status.phase enum", "there are no other phases, and only the function writes them"),
];

/// Name, path and priority of a column. All are texts.
type ShownColumn = (&'static str, &'static str, i64);

/// The columns of the operator but for `Ready` and `Age`, which Crossplane shows.
const COLUMNS: &[(&str, &[ShownColumn])] = &[
    (
        "ModelService",
        &[
            ("Phase", ".status.phase", 0),
            ("Model", ".spec.model.name", 0),
            ("Decode", ".status.decodeReady", 1),
            ("Prefill", ".status.prefillReady", 1),
        ],
    ),
    (
        "ModelArtifact",
        &[
            ("Phase", ".status.phase", 0),
            ("Registry", ".spec.target.registry", 0),
            ("Repository", ".spec.target.repository", 0),
            ("Digest", ".status.digest", 1),
        ],
    ),
];

#[test]
fn definitions_are_those_of_the_operator() {
    for (kind, theirs) in schemas() {
        let ours = (kind.published.schema)();
        let mut found = Vec::new();
        for part in ["spec", "status"] {
            let (mut theirs, ours) = (theirs["properties"][part].clone(), &ours["properties"][part]);
            if part == "status" {
                // Crossplane adds the conditions.
                theirs["properties"].as_object_mut().expect("fields").remove("conditions").expect("conditions");
            }
            compare(&theirs, ours, part, &mut found);
        }
        assert_eq!(ours["required"], theirs["required"], "{}", kind.kind);
        assert!(found.is_empty(), "{}:\n{}", kind.kind, found.join("\n"));
    }
}

/// Names, category and columns are those of the operator.
#[test]
fn what_people_see_is_what_the_operator_shows() {
    for (kind, columns) in COLUMNS {
        let row = KINDS.rows.iter().find(|row| (row.api_version, row.kind) == (GROUP, *kind)).expect("a row");
        let definition = toolbox::definition::definition(row);
        let spec = &definition["spec"];
        let plural = format!("{}s", kind.to_lowercase());
        assert_eq!(spec["names"], json!({"kind": kind, "plural": plural, "categories": ["otterscale"]}));
        assert_eq!((&spec["group"], &spec["scope"]), (&json!("model.otterscale.io"), &json!("Namespaced")));
        let shown = spec["versions"][0]["additionalPrinterColumns"].as_array().expect("columns");
        let shown: Vec<_> = shown
            .iter()
            .map(|it| {
                assert_eq!(it["type"], "string", "{it}");
                let text = |key: &str| it[key].as_str().expect("a text");
                (text("name"), text("jsonPath"), it["priority"].as_i64().unwrap_or_default())
            })
            .collect();
        assert_eq!(shown, *columns, "{kind}");
    }
}

/// The kinds, each with the schema of the operator's CRD.
fn schemas() -> Vec<(&'static Kind, Value)> {
    let read = |kind: &'static Kind| {
        let file = format!("model.otterscale.io/{}_v1alpha1.json", kind.kind.to_lowercase());
        let text = originals::read(&file, kind.kind)?;
        Some((kind, serde_json::from_str(&text).expect("a schema")))
    };
    KINDS.rows.iter().filter(|kind| kind.api_version == GROUP).filter_map(read).collect()
}

/// What the operator's CRDs accept is accepted, with the same defaults.
#[test]
fn objects_of_the_operator_are_accepted() {
    for (kind, theirs) in schemas() {
        // Sizes beyond those of 32-bit numbers are in the table of differences, and Crossplane makes the status.
        let generator = Generator { texts: &TEXTS, integers: &INTEGERS };
        let tried = originals::compare(kind, &theirs["properties"]["spec"], &generator, 0x5eed, |_, _| false);
        println!("{}: {} of {} objects are valid", kind.kind, originals::OBJECTS, tried.generated);
        // Many are valid, and some are not.
        assert!(
            (originals::OBJECTS + 1..originals::OBJECTS * 4).contains(&tried.generated),
            "{}: {tried:?}",
            kind.kind
        );
    }
}

/// Integers for fields without bounds.
const INTEGERS: [i64; 4] = [-1, 0, 8, 2_147_483_647];

/// Texts for fields of all patterns: the first ones fit most of them.
const TEXTS: [&str; 8] = ["a", "facebook/opt-125m", "v1.0", "30s", "/models", "", "-x", "a b"];

/// Adds what differs between two schemas, beyond the table.
fn compare(theirs: &Value, ours: &Value, at: &str, found: &mut Vec<String>) {
    let nothing = serde_json::Map::new();
    let (their, our) = (theirs.as_object().unwrap_or(&nothing), ours.as_object().unwrap_or(&nothing));
    let keywords: std::collections::BTreeSet<_> = their.keys().chain(our.keys()).collect();
    for keyword in keywords {
        let (their, our) = (&theirs[keyword], &ours[keyword]);
        match keyword.as_str() {
            "properties" => {
                let fields = |schema: &Value| schema.as_object().cloned().unwrap_or_default();
                let names: std::collections::BTreeSet<_> =
                    fields(their).keys().chain(fields(our).keys()).cloned().collect();
                for name in names {
                    let at = format!("{at}.{name}");
                    if !(their[&name].is_null() && is_added(&at)) {
                        compare(&their[&name], &our[&name], &at, found);
                    }
                }
            }
            "items" | "additionalProperties" => compare(their, our, &format!("{at}[]"), found),
            _ if sorted(their) == sorted(our) => {}
            _ if is_known(keyword, our) || their.is_null() && is_added(&format!("{at} {keyword}")) => {}
            _ => found.push(format!("{at}: {keyword} is {their}, and here {our}")),
        }
    }
}

/// Whether it is one of what only ours have.
fn is_added(at: &str) -> bool {
    ADDITIONS.iter().any(|(added, _)| *added == at)
}

/// Whether a difference is in the table.
fn is_known(keyword: &str, ours: &Value) -> bool {
    DIFFERENCES.iter().any(|(known, _)| *known == keyword) && (keyword != "maximum" || *ours == i32::MAX)
}

/// A value, as text; a list of names in any order is the same.
fn sorted(value: &Value) -> Vec<String> {
    let mut all: Vec<_> =
        value.as_array().map_or_else(|| vec![value.to_string()], |items| items.iter().map(Value::to_string).collect());
    all.sort();
    all
}

#[test]
fn differences_from_the_operator_are_found() {
    let check = |theirs: Value, ours: Value, want: &[&str]| {
        let mut found = Vec::new();
        compare(&theirs, &ours, "spec", &mut found);
        assert_eq!(found, want);
    };
    let field = |inner: Value| json!({"type": "object", "properties": {"a": inner}});
    let number = || json!({"type": "integer", "minimum": 1});
    check(field(number()), field(number()), &[]);
    check(field(number()), field(json!({"type": "integer", "minimum": 1, "maximum": i32::MAX})), &[]);
    check(field(number()), field(json!({"type": "integer"})), &["spec.a: minimum is 1, and here null"]);
    check(
        field(number()),
        json!({"type": "object"}),
        &["spec.a: minimum is 1, and here null", "spec.a: type is \"integer\", and here null"],
    );
}
