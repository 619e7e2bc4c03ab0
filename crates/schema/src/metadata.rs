//! Decoding and validation of `metadata`, of custom resources and of objects embedded in them (apimachinery
//! `pkg/api/validation/objectmeta.go`, `pkg/apis/meta/v1`).

use serde_json::{Map, Value};

use crate::error::{self, FieldError, Kind};
use crate::path::Place;

mod decode;
mod names;

pub(crate) use decode::{decode, decodes};
pub(crate) use names::dns_1035_label;

/// The scope of a kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scope {
    /// Objects are in a namespace. An object without `metadata.namespace` gets the namespace of the request.
    Namespaced,
    /// Objects are not in a namespace, and must not have `metadata.namespace`.
    Cluster,
}

/// The errors in the metadata of a new object. Its name must be a DNS subdomain (RFC 1123).
pub fn validate(metadata: &Value, scope: Scope) -> Vec<FieldError> {
    let empty = Map::new();
    let meta = Meta { fields: metadata.as_object().unwrap_or(&empty), at: &Place::ROOT.field("metadata") };
    let mut errors = meta.name(|name, prefix| {
        names::dns_subdomain(&if prefix { masked(name) } else { name.to_owned() }, names::Unit::Characters)
    });
    errors.extend(meta.missing_name());
    errors.extend(meta.namespace(scope));
    errors.extend(meta.rest());
    errors
}

/// The errors in the metadata of an update of `old`. The name is not validated like that of a new object. Without namespace
/// or uid, the object keeps those of `old`.
pub fn validate_update(metadata: &Value, old: &Value, scope: Scope) -> Vec<FieldError> {
    let empty = Map::new();
    let at = Place::ROOT.field("metadata");
    let meta = Meta { fields: metadata.as_object().unwrap_or(&empty), at: &at };
    let mut errors = meta.name(path_name);
    errors.extend(meta.missing_name());
    errors.extend(meta.namespace(scope));
    errors.extend(meta.rest());
    for name in ["name", "namespace", "uid"] {
        let (new, old) = (meta.text(name), old[name].as_str().unwrap_or_default());
        if new != old && !(new.is_empty() && name != "name") {
            errors.push(meta.invalid(name, new, "field is immutable".to_owned()));
        }
    }
    errors
}

/// The errors in the metadata of an embedded object. Its name must only be valid as a segment of a path.
pub(crate) fn validate_embedded(metadata: &Value, at: &Place<'_>) -> Vec<FieldError> {
    let empty = Map::new();
    let meta = Meta { fields: metadata.as_object().unwrap_or(&empty), at };
    let mut errors = meta.name(path_name);
    errors.extend(meta.namespace(Scope::Namespaced));
    errors.extend(meta.rest());
    errors
}

/// The warnings of the API server: finalizers without a domain (`pkg/registry/customresource/validator.go`).
pub(crate) fn warnings(metadata: &Value, old: Option<&Value>) -> Vec<String> {
    let finalizers = |of: &Value| {
        let mut finalizers = std::collections::BTreeSet::new();
        let names = of["finalizers"].as_array().into_iter().flatten();
        finalizers.extend(names.filter_map(|name| name.as_str().map(str::to_owned)));
        finalizers
    };
    let known = old.map(finalizers).unwrap_or_default();
    let mut warnings = Vec::new();
    for name in finalizers(metadata).difference(&known) {
        let mut warn = |says: &str| warnings.push(format!("metadata.finalizers: {}: {says}", crate::go::quote(name)));
        names::qualified_name(name).iter().for_each(|says| warn(says));
        if !name.contains('/') && !["orphan", "foregroundDeletion", "kubernetes"].contains(&name.as_str()) {
            let path = if name.contains('.') { " including a path (/)" } else { "" };
            warn(&format!(
                "prefer a domain-qualified finalizer name{path} to avoid accidental conflicts with other finalizer writers"
            ));
        }
    }
    warnings
}

struct Meta<'a> {
    fields: &'a Map<String, Value>,
    at: &'a Place<'a>,
}

impl Meta<'_> {
    fn text(&self, name: &str) -> &str {
        self.fields.get(name).and_then(Value::as_str).unwrap_or_default()
    }

    fn invalid(&self, name: &str, value: &str, detail: String) -> FieldError {
        FieldError::at(&self.at.field(name), Kind::Invalid, Some(Value::from(value)), detail)
    }

    /// The errors in `name` and `generateName`.
    fn name(&self, valid: impl Fn(&str, bool) -> Vec<String>) -> Vec<FieldError> {
        let fields = [("generateName", true), ("name", false)].map(|(field, prefix)| (field, self.text(field), prefix));
        let given = fields.into_iter().filter(|(_, text, _)| !text.is_empty());
        let wrong = given.flat_map(|(field, text, prefix)| {
            valid(text, prefix).into_iter().map(move |message| self.invalid(field, text, message))
        });
        wrong.collect()
    }

    fn missing_name(&self) -> Option<FieldError> {
        let missing = self.text("name").is_empty() && self.text("generateName").is_empty();
        let detail = "name or generateName is required";
        missing.then(|| FieldError::at(&self.at.field("name"), Kind::Required, None, detail))
    }

    fn namespace(&self, scope: Scope) -> Vec<FieldError> {
        let namespace = self.text("namespace");
        match scope {
            _ if namespace.is_empty() => Vec::new(),
            Scope::Cluster => {
                let detail = "not allowed on this type";
                vec![FieldError::at(&self.at.field("namespace"), Kind::Forbidden, None, detail)]
            }
            Scope::Namespaced => {
                let messages = names::dns_label(namespace).into_iter();
                messages.map(|message| self.invalid("namespace", namespace, message)).collect()
            }
        }
    }

    /// The errors in all fields but name and namespace.
    fn rest(&self) -> Vec<FieldError> {
        let mut errors = Vec::new();
        if let Some(generation) = self.fields.get("generation").filter(|value| value.as_i64().is_some_and(|it| it < 0))
        {
            let detail = "must be greater than or equal to 0";
            let at = self.at.field("generation");
            errors.push(FieldError::at(&at, Kind::Invalid, Some(generation.clone()), detail));
        }
        errors.extend(self.labels());
        errors.extend(self.annotations());
        errors.extend(self.owners());
        errors.extend(self.finalizers());
        errors
    }

    fn texts(&self, name: &str) -> impl Iterator<Item = (&String, &str)> {
        let fields = self.fields.get(name).and_then(Value::as_object).into_iter().flatten();
        fields.map(|(key, value)| (key, value.as_str().unwrap_or_default()))
    }

    fn labels(&self) -> Vec<FieldError> {
        let mut errors = Vec::new();
        for (key, value) in self.texts("labels") {
            let wrong_key = names::qualified_name(key).into_iter().map(|message| self.invalid("labels", key, message));
            wrong_key.for_each(|error| error::add(&mut errors, error));
            let wrong = names::label_value(value).into_iter().map(|message| self.invalid("labels", value, message));
            wrong.for_each(|error| error::add(&mut errors, error));
        }
        errors
    }

    fn annotations(&self) -> Vec<FieldError> {
        const MOST_BYTES: usize = 256 * 1024;
        let mut errors = Vec::new();
        for (key, _) in self.texts("annotations") {
            let messages = names::qualified_name(&key.to_lowercase()).into_iter();
            messages.for_each(|message| error::add(&mut errors, self.invalid("annotations", key, message)));
        }
        let bytes: usize = self.texts("annotations").map(|(key, value)| key.len() + value.len()).sum();
        if bytes > MOST_BYTES {
            let detail = format!("may not be more than {MOST_BYTES} bytes");
            errors.push(FieldError::at(&self.at.field("annotations"), Kind::TooLong, None, detail));
        }
        errors
    }

    fn owners(&self) -> Vec<FieldError> {
        let at = self.at.field("ownerReferences");
        let owners = self.fields.get("ownerReferences").and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
        let mut errors = Vec::new();
        let mut controller: Option<String> = None;
        // The API server shows the whole list in each error about two controllers, here the first of them does.
        let mut shown = Some(Value::from(owners));
        for owner in owners {
            let text = |name: &str| owner[name].as_str().unwrap_or_default();
            let version = text("apiVersion").rsplit('/').next().unwrap_or_default();
            let version_detail = "version must not be empty";
            let rows = [
                ("apiVersion", version, version_detail),
                ("kind", text("kind"), EMPTY),
                ("name", text("name"), EMPTY),
                ("uid", text("uid"), EMPTY),
            ];
            for (name, _, detail) in rows.into_iter().filter(|(_, value, _)| value.is_empty()) {
                let value = Some(Value::from(text(name)));
                error::add(&mut errors, FieldError::at(&at.field(name), Kind::Invalid, value, detail));
            }
            if text("apiVersion") == "v1" && text("kind") == "Event" {
                let detail = "/v1, Kind=Event is disallowed from being an owner";
                error::add(&mut errors, FieldError::at(&at, Kind::Invalid, Some(owner.clone()), detail));
            }
            if owner["controller"] == true {
                let this = format!("{}/{}", text("kind"), text("name"));
                match &controller {
                    Some(first) => {
                        let detail = format!(
                            "Only one reference can have Controller set to true. Found \"true\" in references for {first} and {this}"
                        );
                        let error = FieldError::at(&at, Kind::Invalid, shown.take(), detail);
                        error::add(&mut errors, error);
                    }
                    None => controller = Some(this),
                }
            }
        }
        errors
    }

    fn finalizers(&self) -> Vec<FieldError> {
        let finalizers = self.fields.get("finalizers").and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
        let mut errors = Vec::new();
        for name in finalizers.iter().filter_map(Value::as_str) {
            let messages = names::qualified_name(name).into_iter();
            messages.for_each(|message| error::add(&mut errors, self.invalid("finalizers", name, message)));
        }
        let has = |name: &str| finalizers.iter().any(|finalizer| finalizer == name);
        if has("orphan") && has("foregroundDeletion") {
            let detail = "finalizer orphan and foregroundDeletion cannot be both set";
            let at = self.at.field("finalizers");
            errors.push(FieldError::at(&at, Kind::Invalid, Some(Value::from(finalizers)), detail));
        }
        errors
    }
}

const EMPTY: &str = "must not be empty";

/// The errors of a name that must be valid as a segment of a path.
fn path_name(text: &str, prefix: bool) -> Vec<String> {
    if prefix { names::path_segment_prefix(text) } else { names::path_segment(text) }
}

/// A prefix of a name, changed so that it is valid even with a dash at its end. As in the API server, the character before the
/// dash is not checked either.
fn masked(prefix: &str) -> String {
    match prefix.strip_suffix('-') {
        Some(rest) if !rest.is_empty() => {
            let kept = rest.char_indices().next_back().map_or("", |(last, _)| &rest[..last]);
            format!("{kept}a")
        }
        _ => prefix.to_owned(),
    }
}
