//! An object as it comes from an API server.

use std::borrow::Cow;
use std::fmt;
use std::marker::PhantomData;

use kube::Resource;
use kube::core::{ApiResource, DynamicResourceScope, ObjectMeta};
use serde::Deserialize;
use serde::de::{Deserializer, Error, IgnoredAny, MapAccess, Visitor};
use serde_json::{Map, Value};

/// An object without `metadata.managedFields`. Those are skipped without reading them: they may be nested more deeply
/// than the rest of an object, and a single object that cannot be read would end the watch of its kind.
#[derive(Clone, Debug)]
pub(super) struct ReadObject {
    /// What the client reads: name, namespace and resource version. Labels too.
    pub(super) metadata: ObjectMeta,
    /// The whole object.
    pub(super) fields: Map<String, Value>,
}

impl Resource for ReadObject {
    type DynamicType = ApiResource;
    type Scope = DynamicResourceScope;

    fn group(resource: &ApiResource) -> Cow<'_, str> {
        resource.group.as_str().into()
    }

    fn version(resource: &ApiResource) -> Cow<'_, str> {
        resource.version.as_str().into()
    }

    fn kind(resource: &ApiResource) -> Cow<'_, str> {
        resource.kind.as_str().into()
    }

    fn api_version(resource: &ApiResource) -> Cow<'_, str> {
        resource.api_version.as_str().into()
    }

    fn plural(resource: &ApiResource) -> Cow<'_, str> {
        resource.plural.as_str().into()
    }

    fn meta(&self) -> &ObjectMeta {
        &self.metadata
    }

    fn meta_mut(&mut self) -> &mut ObjectMeta {
        &mut self.metadata
    }
}

impl<'de> Deserialize<'de> for ReadObject {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let ObjectFields(fields, ..) = ObjectFields::<WholePart>::deserialize(from)?;
        let metadata = fields.get("metadata");
        let text = |key: &str| metadata?.get(key)?.as_str().map(str::to_owned);
        let labels = metadata.and_then(|metadata| metadata.get("labels")?.as_object());
        let labels = labels.map(|labels| {
            let label = |(key, value): (&String, &Value)| Some((key.clone(), value.as_str()?.to_owned()));
            labels.iter().filter_map(label).collect()
        });
        let metadata = ObjectMeta {
            name: text("name"),
            namespace: text("namespace"),
            resource_version: text("resourceVersion"),
            labels,
            ..ObjectMeta::default()
        };
        Ok(Self { metadata, fields })
    }
}

/// The fields of a part of an object.
struct ObjectFields<P>(Map<String, Value>, PhantomData<P>);

/// A part of an object.
trait ObjectPart {
    /// Reads a field. `None` leaves it out.
    fn read<'de, A: MapAccess<'de>>(key: &str, fields: &mut A) -> Result<Option<Value>, A::Error>;
}

/// The whole object.
struct WholePart;

impl ObjectPart for WholePart {
    fn read<'de, A: MapAccess<'de>>(key: &str, fields: &mut A) -> Result<Option<Value>, A::Error> {
        if key != "metadata" {
            return fields.next_value().map(Some);
        }
        let ObjectFields(metadata, ..) = fields.next_value::<ObjectFields<MetadataPart>>()?;
        Ok(Some(Value::Object(metadata)))
    }
}

/// Its metadata.
struct MetadataPart;

impl ObjectPart for MetadataPart {
    fn read<'de, A: MapAccess<'de>>(key: &str, fields: &mut A) -> Result<Option<Value>, A::Error> {
        match key {
            "managedFields" => fields.next_value::<IgnoredAny>().map(|_| None),
            _ => fields.next_value().map(Some),
        }
    }
}

impl<'de, P: ObjectPart> Deserialize<'de> for ObjectFields<P> {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        from.deserialize_map(ObjectFieldsVisitor(PhantomData))
    }
}

struct ObjectFieldsVisitor<P>(PhantomData<P>);

impl<'de, P: ObjectPart> Visitor<'de> for ObjectFieldsVisitor<P> {
    type Value = ObjectFields<P>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut fields: A) -> Result<ObjectFields<P>, A::Error> {
        let mut read = Map::new();
        while let Some(key) = fields.next_key::<String>()? {
            if let Some(value) = P::read(&key, &mut fields)? {
                read.insert(key, value);
            }
        }
        Ok(ObjectFields(read, PhantomData))
    }

    fn visit_unit<E: Error>(self) -> Result<ObjectFields<P>, E> {
        Ok(ObjectFields(Map::new(), PhantomData))
    }
}

#[cfg(test)]
mod tests {
    use kube::core::{ObjectList, WatchEvent};

    use super::*;

    /// An object is read, whatever its managed fields are.
    #[test]
    fn managed_fields_are_not_read() {
        let deep = format!("{}{}", "[".repeat(5_000), "]".repeat(5_000));
        for managed in [r#"[{"fieldsV1": {"f:spec": {}}}]"#, "null", "[1e400]", r#"["\ud800"]"#, &deep] {
            let object = format!(
                r#"{{"spec": {{"gpu": 1}}, "metadata": {{"managedFields": {managed}, "name": "a", "labels": {{"b": "c"}}}}}}"#
            );
            let check = |read: &ReadObject| {
                let fields = Value::Object(read.fields.clone()).to_string();
                assert_eq!(fields, r#"{"metadata":{"labels":{"b":"c"},"name":"a"},"spec":{"gpu":1}}"#);
                let label = read.metadata.labels.as_ref().and_then(|labels| labels.get("b"));
                assert_eq!((read.metadata.name.as_deref(), label.map(String::as_str)), (Some("a"), Some("c")));
            };
            check(&serde_json::from_str(&object).unwrap());
            let list = format!(r#"{{"kind": "List", "items": [{object}], "metadata": {{"resourceVersion": "1"}}}}"#);
            check(&serde_json::from_str::<ObjectList<ReadObject>>(&list).unwrap().items[0]);
            // An API server writes the type first.
            let event = format!(r#"{{"type": "ADDED", "object": {object}}}"#);
            let WatchEvent::Added(read) = serde_json::from_str::<WatchEvent<ReadObject>>(&event).unwrap() else {
                panic!("another event");
            };
            check(&read);
        }
        assert!(serde_json::from_str::<ReadObject>("[]").is_err());
    }
}
