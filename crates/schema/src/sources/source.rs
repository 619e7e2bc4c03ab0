//! The schema of a kind as it is found, and what all sorts of definitions share.

use serde_json::Value;

use crate::metadata::Scope;
use crate::scale::Scale;

/// The schema of one version of one kind.
#[derive(Clone, Debug, PartialEq)]
pub struct Source {
    /// The API group; empty for the core group.
    pub group: String,
    /// Whether `group` is only the first label of the group, which is all that some file names have.
    pub is_first_label: bool,
    /// The version.
    pub version: String,
    /// The kind. From a file name it is known only in lower case.
    pub kind: String,
    /// The scope, if it is known.
    pub scope: Option<Scope>,
    /// Whether the kind has the subresource `status`.
    pub status: bool,
    /// The subresource `scale`, if the kind has it.
    pub scale: Option<Scale>,
    /// The OpenAPI v3 schema, for [`crate::Schema::read`].
    pub schema: Value,
}

impl Source {
    /// Whether this is the schema of objects with this API version and kind.
    pub fn describes(&self, api_version: &str, kind: &str) -> bool {
        let (group, version) = api_version.rsplit_once('/').unwrap_or(("", api_version));
        let group = if self.is_first_label { group.split('.').next().unwrap_or_default() } else { group };
        self.group == group && self.version == version && self.kind.eq_ignore_ascii_case(kind)
    }
}

/// The served versions of a definition, with their schemas.
pub(super) fn served(spec: &Value) -> impl Iterator<Item = &Value> {
    let versions = spec["versions"].as_array().into_iter().flatten();
    versions.filter(|version| version["served"] != false && version["schema"]["openAPIV3Schema"].is_object())
}

/// The text of a field; empty if it is not text.
pub(super) fn text(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}
