//! The known objects of one kind, with its indexes.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Bound;
use std::sync::Arc;

use kube::core::ApiResource;
use serde_json::Value;

use super::object::ReadObject;
use crate::wit::catalog::Index;
use crate::wit::types::{MatchBy, ObservedObject, Selector};

/// Namespace and name of an object.
pub(super) type Key = (String, String);

/// The value of an object in an index, part by part. An index shares it with the object.
type IndexedValue = Arc<[String]>;

/// The objects of a kind.
#[derive(Debug)]
pub(super) struct Objects {
    by_key: BTreeMap<Arc<Key>, Entry>,
    indexes: Vec<Indexed>,
}

/// An object as JSON, with its labels.
#[derive(Clone, Debug)]
pub(super) struct Entry {
    labels: Box<[(String, String)]>,
    text: Arc<str>,
    /// Its values in the indexes, in their order. Empty where it is not in the index.
    values: Vec<IndexedValue>,
}

/// An index, and the objects in it.
#[derive(Debug)]
struct Indexed {
    index: Index,
    /// The keys of the objects with a value, sorted: mostly one, for which a set would take much more memory.
    found: BTreeMap<IndexedValue, Vec<Arc<Key>>>,
}

impl Objects {
    /// No objects, with these indexes.
    pub(super) fn new(indexes: &[Index]) -> Self {
        let indexed = |index: &Index| Indexed { index: index.clone(), found: BTreeMap::new() };
        Self { by_key: BTreeMap::new(), indexes: indexes.iter().map(indexed).collect() }
    }

    pub(super) fn len(&self) -> usize {
        self.by_key.len()
    }

    /// Adds or replaces an object. The text of an equal object in `known` is shared, so that two lists of the same
    /// objects take little more memory than one.
    pub(super) fn insert(&mut self, resource: &ApiResource, object: ReadObject, known: Option<&Self>) {
        let key = Arc::new(key(&object));
        self.remove(&key);
        let mut entry = self.entry(resource, object);
        if let Some(same) = known.and_then(|known| known.by_key.get(&key)).filter(|same| same.text == entry.text) {
            entry.text = Arc::clone(&same.text);
        }
        for (indexed, value) in self.indexes.iter_mut().zip(&entry.values) {
            if !value.is_empty() {
                let keys = indexed.found.entry(Arc::clone(value)).or_default();
                let Err(at) = keys.binary_search(&key) else { continue };
                keys.reserve_exact(usize::from(keys.is_empty()));
                keys.insert(at, Arc::clone(&key));
            }
        }
        self.by_key.insert(key, entry);
    }

    /// Removes an object, if it is known.
    pub(super) fn remove(&mut self, key: &Key) {
        let Some(entry) = self.by_key.remove(key) else { return };
        for (indexed, value) in self.indexes.iter_mut().zip(&entry.values) {
            let Some(keys) = indexed.found.get_mut(value) else { continue };
            if let Ok(at) = keys.binary_search_by(|it| (**it).cmp(key)) {
                keys.remove(at);
            }
            if keys.is_empty() {
                indexed.found.remove(value);
            }
        }
    }

    /// The objects that `selector` selects, sorted by namespace and name. `None` when the kind has no such index.
    pub(super) fn select(&self, selector: &Selector) -> Option<Vec<ObservedObject>> {
        let limit = selector.limit.and_then(|limit| usize::try_from(limit).ok()).unwrap_or(usize::MAX);
        let namespace = selector.namespace.as_deref();
        Some(match &selector.match_by {
            MatchBy::Name(name) => {
                let here = namespace.unwrap_or_default();
                if namespace.is_some() || !self.have_namespaces() {
                    observed(self.by_key.get(&(here.to_owned(), name.clone())).into_iter(), limit)
                } else {
                    let named = self.by_key.iter().filter(|(key, _)| key.1 == *name);
                    observed(named.map(|(_, entry)| entry), limit)
                }
            }
            MatchBy::Labels(wanted) => {
                let has = |entry: &&Entry| wanted.iter().all(|wanted| entry.labels.contains(wanted));
                observed(self.within(namespace).filter(has), limit)
            }
            MatchBy::Values(wanted) => {
                let indexed = self.indexes.iter().find(|indexed| indexed.index.name == wanted.index)?;
                let keys: BTreeSet<_> =
                    wanted.values.iter().flat_map(|value| indexed.keys(value, namespace).take(limit)).collect();
                observed(keys.into_iter().filter_map(|key| self.by_key.get(key)), limit)
            }
        })
    }

    fn have_namespaces(&self) -> bool {
        self.by_key.last_key_value().is_some_and(|(key, _)| !key.0.is_empty())
    }

    /// The objects in a namespace, or all of them.
    fn within(&self, namespace: Option<&str>) -> impl Iterator<Item = &Entry> {
        let first = (namespace.unwrap_or_default().to_owned(), String::new());
        let from = self.by_key.range(first..);
        let here = move |(key, _): &(&Arc<Key>, &Entry)| namespace.is_none_or(|namespace| namespace == key.0);
        from.take_while(here).map(|(_, entry)| entry)
    }

    fn entry(&self, resource: &ApiResource, mut object: ReadObject) -> Entry {
        // Objects in lists may lack these.
        for (field, value) in [("apiVersion", &resource.api_version), ("kind", &resource.kind)] {
            object.fields.entry(field).or_insert_with(|| value.as_str().into());
        }
        let whole = Value::Object(object.fields);
        Entry {
            labels: object.metadata.labels.unwrap_or_default().into_iter().collect(),
            values: self.indexes.iter().map(|indexed| value(&indexed.index, &whole)).collect(),
            text: whole.to_string().into(),
        }
    }
}

impl Indexed {
    /// The objects with a value that begins with `wanted`, in one namespace or in all.
    fn keys<'a>(&'a self, wanted: &'a [String], namespace: Option<&'a str>) -> impl Iterator<Item = &'a Key> {
        let from = (Bound::Included(wanted), Bound::Unbounded);
        let values = self.found.range::<[String], _>(from).take_while(|(value, _)| value.starts_with(wanted));
        let before = move |key: &Arc<Key>| namespace.is_some_and(|namespace| *key.0 < *namespace);
        let here = move |key: &&Key| namespace.is_none_or(|namespace| namespace == key.0);
        values.filter(|_| !wanted.is_empty()).flat_map(move |(_, keys)| {
            let from = keys.get(keys.partition_point(before)..).unwrap_or_default();
            from.iter().map(|key| &**key).take_while(here)
        })
    }
}

/// Namespace and name of an object.
pub(super) fn key(object: &ReadObject) -> Key {
    let part = |text: &Option<String>| text.clone().unwrap_or_default();
    (part(&object.metadata.namespace), part(&object.metadata.name))
}

fn observed<'a>(entries: impl Iterator<Item = &'a Entry>, limit: usize) -> Vec<ObservedObject> {
    let object = |entry: &Entry| ObservedObject { object: entry.text.to_string(), connection_details: Vec::new() };
    entries.take(limit).map(object).collect()
}

/// The value of an object in an index. Empty when the object is not in it.
fn value(index: &Index, object: &Value) -> IndexedValue {
    let text = |field: &String| object.pointer(field).and_then(Value::as_str).filter(|text| !text.is_empty());
    let part = |fields: &Vec<String>| fields.iter().find_map(text).unwrap_or_default().to_owned();
    let parts: Vec<_> = index.parts.iter().map(part).collect();
    if parts.first().is_some_and(|first| !first.is_empty()) { parts.into() } else { Arc::default() }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::wit::types::{IndexedValues, KindRef};

    /// Objects by the cluster that they are on, and by their namespace there.
    fn some(objects: &[Value]) -> Objects {
        let parts = [vec!["/spec/cluster"], vec!["/spec/namespace", "/metadata/namespace"]];
        let parts = parts.map(|fields| fields.into_iter().map(str::to_owned).collect()).to_vec();
        let mut some = Objects::new(&[Index { name: "cluster".to_owned(), parts }]);
        for object in objects {
            some.insert(&resource(), read(object), None);
        }
        some
    }

    fn resource() -> ApiResource {
        let text = str::to_owned;
        let (group, version, api_version) = (text("example.org"), text("v1"), text("example.org/v1"));
        ApiResource { group, version, api_version, kind: text("Replica"), plural: text("replicas") }
    }

    fn read(object: &Value) -> ReadObject {
        serde_json::from_value(object.clone()).unwrap()
    }

    fn replica(namespace: &str, name: &str, spec: Value) -> Value {
        json!({"metadata": {"namespace": namespace, "name": name, "labels": {"of": name}}, "spec": spec})
    }

    fn select(objects: &Objects, match_by: MatchBy, namespace: Option<&str>, limit: Option<u32>) -> Option<String> {
        let kind = KindRef { api_version: "example.org/v1".to_owned(), kind: "Replica".to_owned() };
        let selector = Selector { kind, match_by, namespace: namespace.map(str::to_owned), limit };
        let names = objects.select(&selector)?.into_iter().map(|found| {
            let object: Value = serde_json::from_str(&found.object).unwrap();
            assert_eq!((&object["apiVersion"], &object["kind"]), (&json!("example.org/v1"), &json!("Replica")));
            format!(
                "{}/{}",
                object["metadata"]["namespace"].as_str().unwrap(),
                object["metadata"]["name"].as_str().unwrap()
            )
        });
        Some(names.collect::<Vec<_>>().join(" "))
    }

    fn values(index: &str, values: &[&[&str]]) -> MatchBy {
        let values = values.iter().map(|parts| parts.iter().map(|&part| part.to_owned()).collect()).collect();
        MatchBy::Values(IndexedValues { index: index.to_owned(), values })
    }

    #[test]
    fn selections() {
        let objects = some(&[
            replica("b", "one", json!({"cluster": "eu"})),
            replica("a", "two", json!({"cluster": "eu", "namespace": "x"})),
            replica("a", "one", json!({"cluster": "eu-west"})),
            replica("c", "one", json!({"cluster": "us", "namespace": ""})),
            replica("c", "two", json!({"cluster": ""})),
            replica("c", "three", json!({"cluster": 1})),
        ]);
        let check = |match_by: MatchBy, namespace: Option<&str>, limit: Option<u32>, expected: &str| {
            let told = format!("{match_by:?} {namespace:?} {limit:?}");
            assert_eq!(select(&objects, match_by, namespace, limit).as_deref(), Some(expected), "{told}");
        };
        let by = |wanted: &[&[&str]]| values("cluster", wanted);
        check(by(&[&["eu"]]), None, None, "a/two b/one");
        check(by(&[&["eu"]]), Some("b"), None, "b/one");
        check(by(&[&["eu"]]), Some("aa"), None, "");
        check(by(&[&["eu"]]), None, Some(1), "b/one"); // the first by its value
        check(by(&[&["eu", "x"]]), None, None, "a/two");
        check(by(&[&["eu", "x"], &["us"], &["nowhere"], &["us", "c"]]), None, None, "a/two c/one");
        check(by(&[&["us", "c", ""], &[], &[""]]), None, None, "");
        check(by(&[]), None, None, "");
        assert_eq!(select(&objects, values("zone", &[&["a"]]), None, None), None);

        let named = |name: &str| MatchBy::Name(name.to_owned());
        check(named("one"), Some("c"), None, "c/one");
        check(named("one"), Some("d"), None, "");
        check(named("one"), None, None, "a/one b/one c/one");
        check(named("one"), None, Some(2), "a/one b/one");
        let labelled = |of: &str| MatchBy::Labels(vec![("of".to_owned(), of.to_owned())]);
        check(labelled("two"), None, None, "a/two c/two");
        check(labelled("two"), Some("c"), None, "c/two");
        check(MatchBy::Labels(Vec::new()), None, Some(3), "a/one a/two b/one");
        check(MatchBy::Labels(Vec::new()), Some("c"), None, "c/one c/three c/two");
    }

    /// An index follows its objects.
    #[test]
    fn changes() {
        let mut objects = some(&[replica("a", "one", json!({"cluster": "eu"}))]);
        let on = |objects: &Objects, cluster: &str| select(objects, values("cluster", &[&[cluster]]), None, None);
        objects.insert(&resource(), read(&replica("a", "one", json!({"cluster": "us"}))), None);
        assert_eq!((on(&objects, "eu").as_deref(), on(&objects, "us").as_deref()), (Some(""), Some("a/one")));
        let relisted = {
            let mut listed = some(&[]);
            listed.insert(&resource(), read(&replica("a", "one", json!({"cluster": "us"}))), Some(&objects));
            listed.insert(&resource(), read(&replica("a", "two", json!({"cluster": "us"}))), Some(&objects));
            listed
        };
        let text = |objects: &Objects| Arc::as_ptr(&objects.by_key[&("a".to_owned(), "one".to_owned())].text);
        assert_eq!(text(&objects), text(&relisted), "equal texts are shared");
        objects.remove(&("a".to_owned(), "one".to_owned()));
        objects.remove(&("a".to_owned(), "one".to_owned()));
        assert_eq!((on(&objects, "us").as_deref(), objects.len()), (Some(""), 0));
        assert!(objects.indexes[0].found.is_empty());
        assert_eq!(on(&relisted, "us").as_deref(), Some("a/one a/two"));
    }
}
