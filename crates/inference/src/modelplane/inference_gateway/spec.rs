//! The fields of the kind. Only its schema is generated from these types: nothing reads a gateway as a whole.

#![expect(dead_code, reason = "only the schemas of the types are used")]

use schemars::JsonSchema;
use toolbox::structural::rule;

/// The gateway of the control plane.
#[derive(JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(
    transform = rule("!has(self.backend) || self.backend != 'Traefik' || has(self.traefik)", "spec.traefik is required when spec.backend is Traefik."),
    transform = rule("has(self.backend) || has(self.type)", "spec.backend is required"),
)]
pub(super) struct GatewaySpec {
    /// The software of the gateway. `EnvoyGateway` is that of an earlier version: Traefik does its work.
    #[schemars(extend("enum" = ["Traefik", "EnvoyGateway"]))]
    backend: Option<String>,
    /// Settings of Traefik.
    traefik: Option<Traefik>,
    /// Before it was called `backend`.
    #[serde(rename = "type")]
    #[schemars(extend("enum" = ["Envoy"]))]
    gateway_type: Option<String>,
    /// Settings of an earlier version.
    envoy_gateway: Option<EnvoyGateway>,
    /// Settings of an earlier version: they are left out.
    gateway: Option<EarlierGateway>,
}

#[derive(JsonSchema)]
#[serde(rename_all = "camelCase")]
struct EnvoyGateway {
    /// Version of its Helm chart: it is left out.
    version: Option<String>,
    /// The load balancer that is installed for the gateway.
    #[schemars(extend("enum" = ["MetalLB"]))]
    load_balancer: Option<String>,
    /// Settings of MetalLB.
    metallb: Option<MetalLb>,
}

#[derive(JsonSchema)]
struct EarlierGateway {
    /// The port of the gateway.
    port: Option<u16>,
}

#[derive(JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(transform = rule(
    "!has(self.loadBalancer) || self.loadBalancer != 'MetalLB' || has(self.metallb)",
    "spec.traefik.metallb is required when spec.traefik.loadBalancer is MetalLB.",
))]
struct Traefik {
    /// Version of its Helm chart, e.g. `40.2.0`.
    version: String,
    /// The load balancer that is installed for the gateway. Leave it out where the cloud has one.
    #[schemars(extend("enum" = ["MetalLB"]))]
    load_balancer: Option<String>,
    /// Settings of MetalLB.
    metallb: Option<MetalLb>,
}

#[derive(JsonSchema)]
#[serde(rename_all = "camelCase")]
struct MetalLb {
    /// The addresses that it gives, in the network of the cluster, e.g. `172.18.255.200-172.18.255.250`.
    address_pool: String,
}

/// The observed state of the gateway.
#[derive(JsonSchema)]
pub(super) struct GatewayStatus {
    /// The address of the gateway, as clients reach it.
    address: Option<String>,
}
