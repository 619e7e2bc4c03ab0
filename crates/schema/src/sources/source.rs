//! A schema, and what all definitions that hold some have in common.

use serde_json::Value;

use crate::metadata::Scope;

/// The schema of one version of one kind.
#[derive(Clone, Debug, PartialEq)]
pub struct Source {
    /// The group; empty for the core group.
    pub group: String,
    /// The version.
    pub version: String,
    /// The kind; of file names only the letters are known, not their case.
    pub kind: String,
    /// Whether objects are in namespaces, where that is known.
    pub scope: Option<Scope>,
    /// Whether the kind has the subresource `status`.
    pub status: bool,
    /// The OpenAPI v3 schema, for [`crate::Schema::read`].
    pub schema: Value,
}

impl Source {
    /// Whether objects of this type are described.
    pub fn describes(&self, api_version: &str, kind: &str) -> bool {
        let (group, version) = api_version.rsplit_once('/').unwrap_or(("", api_version));
        self.group == group && self.version == version && self.kind.eq_ignore_ascii_case(kind)
    }
}

/// The versions of a definition that are served, with their schemas.
pub(super) fn served(spec: &Value) -> impl Iterator<Item = &Value> {
    let versions = spec["versions"].as_array().into_iter().flatten();
    versions.filter(|version| version["served"] != false && version["schema"]["openAPIV3Schema"].is_object())
}

/// The text of a field; empty for what is none.
pub(super) fn text(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}
