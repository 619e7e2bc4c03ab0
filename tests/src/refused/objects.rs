//! What a row of refused objects has.

use serde_json::Value;

/// A JSON pointer (RFC 6901), and values that are invalid there.
pub(super) type InvalidField = (&'static str, Vec<Value>);

/// The invalid objects of a kind.
pub(super) struct InvalidObjects {
    pub(super) api_version: &'static str,
    pub(super) kind: &'static str,
    /// A valid `spec`.
    pub(super) spec: fn() -> Value,
    /// Fields of `spec`, also misspelled ones, with invalid values.
    pub(super) fields: fn() -> Vec<InvalidField>,
    /// Names that the kind refuses and Kubernetes does not.
    pub(super) names: &'static [&'static str],
    /// Specs with several mistakes, each with a description.
    pub(super) specs: fn() -> Vec<(&'static str, Value)>,
    /// Fields of `spec` with values that only admission refuses: neither the schema nor a policy can state why.
    pub(super) judged: fn() -> Vec<InvalidField>,
}
