//! What serves models on a cluster.

use serde_json::{Value, json};

use super::call::{Call, Composed};

const ROWS: &str = include_str!("../answers/serving-stack.yaml");

impl Call {
    pub(super) fn serving_stack(&mut self) -> Composed {
        let spec = &self.composite["spec"];
        let secrets = spec["secrets"].as_array().cloned().unwrap_or_default();
        let (kubeconfigs, others): (Vec<_>, Vec<_>) = secrets.into_iter().partition(|it| it["type"] == "Kubeconfig");
        let mut identity = others.into_iter().next();
        if let Some(identity) = identity.as_mut().filter(|it| it["namespace"].is_null()) {
            identity["namespace"] = self.meta("namespace").into();
        }
        let listeners = spec["gateway"]["listeners"].as_array().filter(|it| !it.is_empty()).cloned();
        let listeners = listeners.unwrap_or_else(|| vec![json!({"name": "http", "protocol": "HTTP", "port": 80})]);
        self.rows(ROWS, json!({"kubeconfig": kubeconfigs.first(), "identity": identity, "listeners": listeners}))?;

        let address = |gateway: Value| {
            let found = &gateway["status"]["atProvider"]["manifest"]["status"]["addresses"][0]["value"];
            (!found.is_null()).then(|| json!({"gateway": {"address": found}}))
        };
        let status = self.observed("gateway").and_then(address).unwrap_or_else(|| json!({}));
        self.status(&status)
    }
}
