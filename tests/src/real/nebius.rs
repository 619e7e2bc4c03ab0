//! Clusters in Nebius.

use anyhow::Result;
use contract::catalog::ApiResource;
use serde_json::json;
use toolbox::resources::{CLUSTER_KUBERNETES_CONFIGS, KUBERNETES_CONFIGS};

use super::access::named;
use super::kubectl::Kubectl;

/// Lets the configurations of provider-kubernetes name the identity of clusters in Nebius, as those of Upbound's 1.3 do.
///
/// # Errors
/// When the definitions are not there.
pub fn let_configs_name_it(kubectl: &Kubectl) -> Result<()> {
    const TYPES: &str =
        "/spec/versions/0/schema/openAPIV3Schema/properties/spec/properties/identity/properties/type/enum/-";
    let patch = json!([{"op": "add", "path": TYPES, "value": "NebiusServiceAccountCredentials"}]).to_string();
    [&KUBERNETES_CONFIGS, &CLUSTER_KUBERNETES_CONFIGS].iter().try_for_each(|kind: &&ApiResource| {
        kubectl.run(&["patch", "customresourcedefinitions", &named(kind), "--type=json", "-p", &patch]).map(drop)
    })
}
