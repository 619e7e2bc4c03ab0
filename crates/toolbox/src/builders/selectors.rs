//! Selectors: label selectors inside objects, and lookups.

use contract::types::{IndexedValues, KindRef, MatchBy, Selector};
use serde_json::{Map, Value, json};

use crate::entries::by_key;

/// A label selector, e.g. for the pods of a workload.
pub fn match_labels(labels: &[(&str, &str)]) -> Value {
    json!({"matchLabels": map(labels)})
}

/// A selector for references in managed resources: a resource of the same composite, with these labels if there are any.
pub fn same_composite(labels: &[(&str, &str)]) -> Value {
    match labels {
        [] => json!({"matchControllerRef": true}),
        labels => json!({"matchControllerRef": true, "matchLabels": map(labels)}),
    }
}

/// A lookup of the object with this name. `namespace` is `None` for cluster-scoped kinds.
pub fn lookup_of(kind: (&str, &str), namespace: Option<&str>, name: &str) -> Selector {
    lookup(kind, namespace, MatchBy::Name(name.to_owned()))
}

/// A lookup of all objects with these labels, in one namespace, or without a namespace in all.
pub fn lookup_all(kind: (&str, &str), namespace: Option<&str>, labels: &[(&str, &str)]) -> Selector {
    let labels = labels.iter().map(|&(key, value)| (key.to_owned(), value.to_owned()));
    lookup(kind, namespace, MatchBy::Labels(by_key(labels)))
}

/// A lookup of the objects that have one of these values in an index of the kind, in one namespace or in all.
pub fn lookup_by(kind: (&str, &str), namespace: Option<&str>, index: &str, values: Vec<Vec<String>>) -> Selector {
    lookup(kind, namespace, MatchBy::Values(IndexedValues { index: index.to_owned(), values }))
}

fn lookup((api_version, kind): (&str, &str), namespace: Option<&str>, match_by: MatchBy) -> Selector {
    let kind = KindRef { api_version: api_version.to_owned(), kind: kind.to_owned() };
    Selector { kind, match_by, namespace: namespace.map(str::to_owned), limit: None }
}

fn map(labels: &[(&str, &str)]) -> Map<String, Value> {
    labels.iter().map(|&(key, value)| (key.to_owned(), value.into())).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn selectors() {
        assert_eq!(match_labels(&[("app", "qwen")]), json!({"matchLabels": {"app": "qwen"}}));
        assert_eq!(same_composite(&[]), json!({"matchControllerRef": true}));
        let node = json!({"matchControllerRef": true, "matchLabels": {"role": "node", "zone": "a"}});
        assert_eq!(same_composite(&[("zone", "a"), ("role", "node")]), node);
    }

    #[test]
    fn lookups() {
        let one = lookup_of(("v1", "Secret"), Some("team-a"), "token");
        assert_eq!((one.match_by, one.namespace.as_deref()), (MatchBy::Name("token".to_owned()), Some("team-a")));
        let all = lookup_all(("v1", "Node"), None, &[("pool", "a")]);
        let labels = by_key([("pool".to_owned(), "a".to_owned())]);
        assert_eq!((all.kind.kind.as_str(), all.match_by, all.namespace), ("Node", MatchBy::Labels(labels), None));
        let values = vec![vec!["eu".to_owned()]];
        let found = lookup_by(("v1", "Node"), None, "cluster", values.clone());
        let by = IndexedValues { index: "cluster".to_owned(), values };
        assert_eq!((found.match_by, found.limit), (MatchBy::Values(by), None));
    }
}
