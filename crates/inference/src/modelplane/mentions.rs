//! Other objects in the messages of admission.

use contract::types::{Code, ObservedObject, Problem, Selector};
use serde_json::Value;
pub use toolbox::asked::ask;
use toolbox::builders::selectors::lookup_all;

/// The most objects that are looked at. A message names a few of them.
const KNOWN: u32 = 100;
/// The most objects that a message names.
const NAMED: usize = 3;

/// A lookup of objects that messages mention: all of a kind that have these labels.
pub fn mentioned(kind: (&str, &str), labels: &[(&str, &str)]) -> Selector {
    Selector { limit: Some(KNOWN), ..lookup_all(kind, None, labels) }
}

/// A warning.
pub fn advice(path: impl Into<String>, message: impl Into<String>) -> Problem {
    Problem::new(path, Code::Invalid, message)
}

/// The objects of which `counts` holds, as a message names them: `ModelReplica ml/llama-09209 and 2 more`. `None` when there
/// are none.
pub fn named<'a>(
    kind: &str,
    objects: impl IntoIterator<Item = &'a ObservedObject>,
    counts: impl Fn(&Value) -> bool,
) -> Option<String> {
    let objects = objects.into_iter().filter_map(|object| object.object().ok()).filter(|object| counts(object));
    let names: Vec<String> = objects.map(name).collect();
    let (shown, rest) = names.split_at_checked(NAMED).unwrap_or((&names, &[]));
    let more = match rest.len() {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    (!shown.is_empty()).then(|| format!("{kind} {}{more}", shown.join(", ")))
}

/// The name of an object, after its namespace if it has one.
fn name(object: &Value) -> String {
    let text = |field: &str| object["metadata"][field].as_str().unwrap_or_default();
    match (text("namespace"), text("name")) {
        ("", name) => format!("`{name}`"),
        (namespace, name) => format!("`{namespace}/{name}`"),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn names_in_messages() {
        #[track_caller]
        fn check(names: &[&str], want: Option<&str>) {
            let object = |name: &&str| json!({"metadata": {"name": name, "namespace": "ml"}}).into();
            let objects: Vec<ObservedObject> = names.iter().map(object).collect();
            let found = named("ModelReplica", &objects, |object| object["metadata"]["name"] != "other");
            assert_eq!(found.as_deref(), want);
        }
        check(&[], None);
        check(&["other"], None);
        check(&["a", "other"], Some("ModelReplica `ml/a`"));
        check(&["a", "b", "c"], Some("ModelReplica `ml/a`, `ml/b`, `ml/c`"));
        check(&["a", "b", "c", "d", "e"], Some("ModelReplica `ml/a`, `ml/b`, `ml/c` and 2 more"));
        let objects = [ObservedObject::from(json!({"metadata": {"name": "gpu-east"}}))];
        assert_eq!(named("InferenceCluster", &objects, |_| true).as_deref(), Some("InferenceCluster `gpu-east`"));
    }
}
