//! The composite of a call, for messages and logs.

use std::fmt;

use protobuf_json::Struct;

use super::messages::RunFunctionRequest;
use crate::foreign::{cut, visible};
use crate::wit::types::KindRef;

/// The largest name in messages and logs, in bytes. Kubernetes has no longer one.
const MAX_NAME: usize = 253;

/// The composite of a call. What it does not state is empty.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Subject {
    pub(super) api_version: String,
    pub(super) kind: String,
    pub(super) namespace: String,
    pub(super) name: String,
}

impl Subject {
    pub(super) fn of(request: &RunFunctionRequest) -> Self {
        let composite = request.observed.as_ref().and_then(|state| state.composite.as_ref()?.resource.as_ref());
        let Some(object) = composite else { return Self::default() };
        Self {
            api_version: text(object, &["apiVersion"]),
            kind: text(object, &["kind"]),
            namespace: text(object, &["metadata", "namespace"]),
            name: text(object, &["metadata", "name"]),
        }
    }

    /// The kind of the step input. `None` when there is no input.
    pub(super) fn input(request: &RunFunctionRequest) -> Option<KindRef> {
        let input = request.input.as_ref()?;
        Some(KindRef { api_version: text(input, &["apiVersion"]), kind: text(input, &["kind"]) })
    }

    /// The composite's kind.
    pub(super) fn kind_ref(&self) -> KindRef {
        KindRef { api_version: self.api_version.clone(), kind: self.kind.clone() }
    }
}

impl fmt::Display for Subject {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names = [&self.kind, &self.namespace, &self.name];
        let [kind, namespace, name] = names.map(|text| cut(&visible(text), MAX_NAME).into_owned());
        match (kind.as_str(), namespace.as_str()) {
            ("", _) => f.write_str("the call"),
            (kind, "") => write!(f, "{kind} `{name}`"),
            (kind, namespace) => write!(f, "{kind} `{namespace}/{name}`"),
        }
    }
}

fn text(object: &Struct, path: &[&str]) -> String {
    object.text(path).unwrap_or_default()
}
