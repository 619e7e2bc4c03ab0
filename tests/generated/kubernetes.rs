//! Objects as the types of Kubernetes 1.35 have them.

use k8s_openapi::api::admissionregistration::v1::{
    MutatingWebhookConfiguration, ValidatingAdmissionPolicy, ValidatingAdmissionPolicyBinding,
    ValidatingWebhookConfiguration,
};
use k8s_openapi::api::apps::v1::Deployment;
use k8s_openapi::api::core::v1::{Service, ServiceAccount};
use k8s_openapi::api::networking::v1::NetworkPolicy;
use k8s_openapi::api::policy::v1::PodDisruptionBudget;
use k8s_openapi::api::rbac::v1::{ClusterRole, ClusterRoleBinding, Role, RoleBinding};
use k8s_openapi::serde::{Serialize, de::DeserializeOwned};
use serde_json::Value;

/// Whether an object reads as its kind, and says nothing that its kind does not know.
pub(crate) fn check(object: &Value) -> Result<(), String> {
    match object["kind"].as_str().unwrap_or_default() {
        "ClusterRole" => survives::<ClusterRole>(object),
        "ClusterRoleBinding" => survives::<ClusterRoleBinding>(object),
        "Deployment" => survives::<Deployment>(object),
        "MutatingWebhookConfiguration" => survives::<MutatingWebhookConfiguration>(object),
        "NetworkPolicy" => survives::<NetworkPolicy>(object),
        "PodDisruptionBudget" => survives::<PodDisruptionBudget>(object),
        "Role" => survives::<Role>(object),
        "RoleBinding" => survives::<RoleBinding>(object),
        "Service" => survives::<Service>(object),
        "ServiceAccount" => survives::<ServiceAccount>(object),
        "ValidatingAdmissionPolicy" => survives::<ValidatingAdmissionPolicy>(object),
        "ValidatingAdmissionPolicyBinding" => survives::<ValidatingAdmissionPolicyBinding>(object),
        "ValidatingWebhookConfiguration" => survives::<ValidatingWebhookConfiguration>(object),
        other => Err(format!("no type for `{other}`")),
    }
}

fn survives<T: DeserializeOwned + Serialize>(object: &Value) -> Result<(), String> {
    let read: T = serde_json::from_value(object.clone()).map_err(|error| error.to_string())?;
    let written = serde_json::to_value(&read).map_err(|error| error.to_string())?;
    if &written == object { Ok(()) } else { Err(format!("{object} reads as {written}")) }
}
