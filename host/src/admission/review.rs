//! Reads an AdmissionReview.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::Value;
use serde_json::value::{RawValue, to_raw_value};

use crate::foreign::visible;
use crate::wit::admit::{Deletion, Operation, PropagationPolicy, Update};
use crate::wit::types::KindRef;

/// The API version of AdmissionReviews. Kubernetes 1.22 and later have no other.
pub(super) const API_VERSION: &str = "admission.k8s.io/v1";
/// The kind of AdmissionReviews.
pub(super) const KIND: &str = "AdmissionReview";

/// The request in an AdmissionReview.
#[derive(Debug)]
pub(super) struct Review {
    /// The ID of the request. The answer has the same.
    pub(super) uid: String,
    /// The object's kind.
    pub(super) kind: KindRef,
    /// Empty for cluster-scoped objects.
    pub(super) namespace: String,
    /// The object's name, or its `generateName`.
    pub(super) name: String,
    /// The operation, as the API server calls it.
    pub(super) verb: String,
    /// The operation to judge. `None` when no module judges it.
    pub(super) operation: Option<Operation>,
    /// The object as it would be stored. Empty when there is none.
    pub(super) object: String,
}

impl Review {
    /// Reads an AdmissionReview.
    ///
    /// # Errors
    /// What is wrong with it, in one line.
    pub(super) fn read(bytes: &[u8]) -> Result<Self, String> {
        Self::parse(bytes).map_err(|what| visible(&what).into_owned())
    }

    fn parse(bytes: &[u8]) -> Result<Self, String> {
        let envelope: Envelope = serde_json::from_slice(bytes).map_err(|error| format!("not an {KIND}: {error}"))?;
        let Envelope { api_version, kind, .. } = &envelope;
        if api_version.is_empty() || kind.is_empty() {
            return Err(format!("not an {KIND}: it states no apiVersion or no kind"));
        }
        if (api_version.as_str(), kind.as_str()) != (API_VERSION, KIND) {
            return Err(format!("no `{api_version}` {kind} is understood; send an `{API_VERSION}` {KIND}"));
        }
        let request = envelope.request.ok_or_else(|| format!("request: missing; an {KIND} asks with one"))?;
        let request: Request = serde_json::from_str(request.get()).map_err(|error| format!("request: {error}"))?;
        if request.uid.is_empty() {
            return Err("request.uid: empty; the answer has to carry it".to_owned());
        }
        let whole = request.sub_resource.as_ref().is_none_or(String::is_empty);
        let operation = request.operation()?.filter(|_| whole);
        let operation = operation.filter(|operation| !is_removal_of_finalizers(operation));
        let named = request.object.or(request.old_object).and_then(|object| serde_json::from_str(object.get()).ok());
        let NamedObject { metadata } = named.unwrap_or_default();
        let names = [request.name.unwrap_or_default(), metadata.name, metadata.generate_name];
        Ok(Self {
            uid: request.uid,
            kind: request.kind.into(),
            namespace: request.namespace.unwrap_or_default(),
            name: names.into_iter().find(|name| !name.is_empty()).unwrap_or_default(),
            verb: request.operation,
            operation,
            object: request.object.map(seen).unwrap_or_default(),
        })
    }
}

/// The text of an object as modules get it: without `metadata.managedFields`, which are skipped without parsing them. A
/// text that is not an object stays as it is, and the module refuses it.
fn seen(object: &RawValue) -> String {
    without_managed_fields(object).unwrap_or_else(|| object.get().to_owned())
}

/// The object without its managed fields. `None` when it has none.
fn without_managed_fields(object: &RawValue) -> Option<String> {
    type Fields<'a> = BTreeMap<String, &'a RawValue>;
    let mut fields: Fields = serde_json::from_str(object.get()).ok()?;
    let mut metadata: Fields = serde_json::from_str(fields.get("metadata")?.get()).ok()?;
    metadata.remove("managedFields")?;
    let metadata = to_raw_value(&metadata).ok()?;
    fields.insert("metadata".to_owned(), &metadata);
    serde_json::to_string(&fields).ok()
}

/// Kind and group in the format of the API server's errors: `LLMInference.inference.devopstoolkit.ai`.
pub(super) fn qualified(kind: &KindRef) -> String {
    match kind.api_version.split_once('/') {
        Some((group, _version)) => format!("{}.{group}", kind.kind),
        None => kind.kind.clone(),
    }
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Envelope<'a> {
    #[serde(default)]
    api_version: String,
    #[serde(default)]
    kind: String,
    #[serde(borrow)]
    request: Option<&'a RawValue>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Request<'a> {
    uid: String,
    kind: Gvk,
    sub_resource: Option<String>,
    name: Option<String>,
    namespace: Option<String>,
    operation: String,
    #[serde(borrow)]
    object: Option<&'a RawValue>,
    #[serde(borrow)]
    old_object: Option<&'a RawValue>,
    #[serde(borrow)]
    options: Option<&'a RawValue>,
}

impl Request<'_> {
    /// The operation on an object. `None` for other operations.
    fn operation(&self) -> Result<Option<Operation>, String> {
        let text = |object: Option<&RawValue>, field: &str| match object {
            Some(object) if object.get().starts_with('{') => Ok(seen(object)),
            _ => Err(format!("request.{field}: no object; {} has one", self.operation)),
        };
        Ok(match self.operation.as_str() {
            "CONNECT" => None,
            "CREATE" => Some(Operation::Create(text(self.object, "object")?)),
            "UPDATE" => {
                let (old, new) = (text(self.old_object, "oldObject")?, text(self.object, "object")?);
                Some(Operation::Update(Update { old, new }))
            }
            "DELETE" => {
                let object = text(self.old_object, "oldObject")?;
                Some(Operation::Delete(Deletion { object, propagation: self.propagation() }))
            }
            other => return Err(format!("request.operation: no `{other}`; known are CREATE, UPDATE, DELETE, CONNECT")),
        })
    }

    /// What becomes of what the object owns, where the options of a deletion say it. Others than Kubernetes' own say nothing.
    fn propagation(&self) -> Option<PropagationPolicy> {
        let DeleteOptions { propagation_policy } = serde_json::from_str(self.options?.get()).ok()?;
        match propagation_policy?.as_str() {
            "Background" => Some(PropagationPolicy::Background),
            "Foreground" => Some(PropagationPolicy::Foreground),
            "Orphan" => Some(PropagationPolicy::Orphan),
            _ => None,
        }
    }
}

/// The options of a deletion.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct DeleteOptions {
    propagation_policy: Option<String>,
}

#[derive(Deserialize)]
struct Gvk {
    #[serde(default)]
    group: String,
    version: String,
    kind: String,
}

impl From<Gvk> for KindRef {
    fn from(Gvk { group, version, kind }: Gvk) -> Self {
        let api_version = if group.is_empty() { version } else { format!("{group}/{version}") };
        Self { api_version, kind }
    }
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct NamedObject {
    metadata: Metadata,
}

#[derive(Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
struct Metadata {
    name: String,
    generate_name: String,
}

/// Whether an object that is being deleted keeps its spec, as when it loses a finalizer. Nothing may prevent its
/// deletion, whatever is wrong with it.
fn is_removal_of_finalizers(operation: &Operation) -> bool {
    #[derive(Deserialize)]
    struct Object<'a> {
        metadata: Deletion,
        #[serde(borrow)]
        spec: Option<&'a RawValue>,
    }
    #[derive(Deserialize)]
    #[serde(rename_all = "camelCase")]
    struct Deletion {
        deletion_timestamp: Option<String>,
    }
    let Operation::Update(Update { old, new }) = operation else { return false };
    if !new.contains("deletionTimestamp") {
        return false;
    }
    match (serde_json::from_str::<Object<'_>>(old), serde_json::from_str::<Object<'_>>(new)) {
        (Ok(old), Ok(new)) => new.metadata.deletion_timestamp.is_some() && are_equal(old.spec, new.spec),
        _ => false,
    }
}

/// Whether two values are equal. An API server writes equal values alike, so this holds for values too that cannot be
/// read.
fn are_equal(one: Option<&RawValue>, other: Option<&RawValue>) -> bool {
    let [one, other] = [one, other].map(|value| value.map_or("null", RawValue::get));
    let read = |text| serde_json::from_str::<Value>(text).ok();
    one == other || read(one).is_some_and(|one| read(other) == Some(one))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_becomes_of_what_a_deleted_object_owns() {
        let check = |options: &str, expected: Option<PropagationPolicy>| {
            let text = format!(
                r#"{{"apiVersion": "{API_VERSION}", "kind": "{KIND}", "request": {{"uid": "1", "operation": "DELETE",
                    "kind": {{"group": "a.io", "version": "v1", "kind": "A"}}, "oldObject": {{}}{options}}}}}"#
            );
            let review = Review::read(text.as_bytes()).unwrap();
            let Some(Operation::Delete(deletion)) = review.operation else { panic!("{:?}", review.operation) };
            assert_eq!(deletion.propagation, expected, "{options}");
        };
        check("", None);
        check(r#", "options": null"#, None);
        check(r#", "options": {"kind": "DeleteOptions"}"#, None);
        check(r#", "options": {"propagationPolicy": null}"#, None);
        check(r#", "options": {"propagationPolicy": "Background"}"#, Some(PropagationPolicy::Background));
        check(r#", "options": {"propagationPolicy": "Foreground"}"#, Some(PropagationPolicy::Foreground));
        check(r#", "options": {"propagationPolicy": "Orphan"}"#, Some(PropagationPolicy::Orphan));
        check(r#", "options": {"propagationPolicy": "Sideways"}"#, None);
        check(r#", "options": [1]"#, None);
    }

    #[test]
    fn what_modules_see() {
        let check = |object: &str, expected: &str| {
            assert_eq!(seen(&RawValue::from_string(object.to_owned()).unwrap()), expected);
        };
        let deep = format!("{}{}", "[".repeat(5_000), "]".repeat(5_000));
        for managed in [r#"[{"fieldsV1": {"f:spec": {}}}]"#, "null", "[1e400]", r#"["\ud800"]"#, &deep] {
            check(
                &format!(r#"{{"spec": {{"gpu": 1.50}}, "metadata": {{"managedFields": {managed}, "name": "a"}}}}"#),
                r#"{"metadata":{"name":"a"},"spec":{"gpu": 1.50}}"#,
            );
        }
        for untouched in [r#"{"metadata": {"name": "a"}}"#, r#"{"metadata": 1}"#, "{}", r#"{"managedFields": [1]}"#] {
            check(untouched, untouched);
        }
    }
}
