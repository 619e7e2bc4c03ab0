//! Indexes: what objects of a kind are found by, beside their names and labels.

use contract::catalog::Index;
use serde_json::Value;

/// Whether `object` has one of `wanted` in the index. A wanted value may leave out the last parts, and is not empty.
pub fn has_one_of(index: &Index, object: &Value, wanted: &[Vec<String>]) -> bool {
    let found = value(index, object);
    !found.is_empty() && wanted.iter().any(|wanted| !wanted.is_empty() && starts_with(&found, wanted))
}

/// The value of `object` in the index. Empty when the object is not in it.
pub fn value<'o>(index: &Index, object: &'o Value) -> Vec<&'o str> {
    let text = |field: &&str| object.pointer(field).and_then(Value::as_str).filter(|text| !text.is_empty());
    let parts: Vec<_> = index.parts.iter().map(|fields| fields.iter().find_map(text).unwrap_or_default()).collect();
    if parts.first().is_some_and(|first| !first.is_empty()) { parts } else { Vec::new() }
}

fn starts_with(found: &[&str], wanted: &[String]) -> bool {
    wanted.len() <= found.len() && wanted.iter().zip(found).all(|(wanted, found)| wanted == found)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    const CLUSTERS: Index =
        Index { name: "cluster", parts: &[&["/spec/cluster"], &["/spec/namespace", "/metadata/namespace"]] };

    #[test]
    fn objects_are_found_by_their_values() {
        let check = |object: Value, wanted: &[&[&str]], found: bool| {
            let values: Vec<Vec<String>> =
                wanted.iter().map(|parts| parts.iter().map(|&part| part.to_owned()).collect()).collect();
            assert_eq!(has_one_of(&CLUSTERS, &object, &values), found, "{wanted:?} in {object}");
        };
        let on = |cluster: Value, namespace: Value| json!({"metadata": {"namespace": "a"}, "spec": {"cluster": cluster, "namespace": namespace}});
        check(on("eu".into(), "b".into()), &[&["eu", "b"]], true);
        check(on("eu".into(), "b".into()), &[&["eu", "a"]], false);
        check(on("eu".into(), "b".into()), &[&["eu"]], true);
        check(on("eu".into(), "b".into()), &[&["us"], &["eu"]], true);
        // The next field counts where one is empty, absent or no text.
        for nothing in [json!(""), json!(null), json!(1), json!({})] {
            check(on("eu".into(), nothing), &[&["eu", "a"]], true);
        }
        check(json!({"spec": {"cluster": "eu"}}), &[&["eu", ""]], true);
        // Without its first part, an object is not in the index.
        for nothing in [json!(""), json!(null), json!([])] {
            check(on(nothing, "b".into()), &[&["", "b"], &[""]], false);
        }
        check(on("eu".into(), "b".into()), &[&["eu", "b", ""], &[]], false);
        check(on("eu".into(), "b".into()), &[], false);
    }
}
