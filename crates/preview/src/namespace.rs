//! The namespace of objects that state none.

use contract::catalog::Scope;
use contract::types::{Code, Edit, Problem};
use serde_json::Value;
use toolbox::kind::Kind;

use super::fields::{set, text};

/// The namespace that kubectl takes when its context has none.
const DEFAULT: &str = "default";

/// Sets the namespace of a namespaced object that states none: `given`, or else [`DEFAULT`]. Returns a warning when the
/// namespace was not given.
pub(super) fn complete(object: &mut Value, kind: &Kind, given: Option<&str>) -> Option<Problem> {
    let is_missing = text(object, &["metadata", "namespace"]).is_empty() && object["metadata"].is_object();
    if kind.scope == Scope::Cluster
        || !is_missing
        || object["metadata"].get("namespace").is_some_and(|it| !it.is_string())
    {
        return None;
    }
    set(object, &["metadata", "namespace"], given.unwrap_or(DEFAULT).into());
    if given.is_some() {
        return None;
    }
    let message = format!("missing: kubectl takes the namespace of its context, and here it is `{DEFAULT}`");
    Some(Problem::new("metadata.namespace", Code::Required, message).with_fix(Edit::Replace(DEFAULT.into())))
}
