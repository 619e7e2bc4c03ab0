//! The gateway of the control plane.

use function_sdk_rust::response;
use serde_json::json;

use super::call::{Call, Composed};

const ROWS: &str = include_str!("../answers/inference-gateway.yaml");

impl Call {
    pub(super) fn inference_gateway(&mut self) -> Composed {
        let traefik = &self.composite["spec"]["traefik"];
        let addresses = traefik["metallb"]["addressPool"].as_str().unwrap_or_default();
        let metallb = traefik["loadBalancer"] == "MetalLB" && !addresses.is_empty();
        self.rows(ROWS, json!({ "metallb": metallb }))?;

        let (ready, gateway) = (self.ready("traefik"), self.observed("gateway"));
        self.condition("ControllerReady", ready, if ready { "ControllerHealthy" } else { "Installing" });
        if ready && gateway.is_none() {
            response::normal(&mut self.response, "Traefik ready, composing Gateway");
        }
        let address = gateway.map(|it| it["status"]["addresses"][0]["value"].clone()).filter(|it| !it.is_null());
        self.status(&address.map_or_else(|| json!({}), |address| json!({ "address": address })))
    }
}
