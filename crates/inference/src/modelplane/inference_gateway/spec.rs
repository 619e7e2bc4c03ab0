//! The fields of the kind.

#[cfg(feature = "generate")]
use schemars::JsonSchema;
use serde::Deserialize;

/// The gateway of the control plane.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[cfg_attr(feature = "generate", derive(JsonSchema))]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "generate", schemars(
    transform = toolbox::structural::rule("!has(self.backend) || self.backend != 'Traefik' || has(self.traefik)", "spec.traefik is required when spec.backend is Traefik."),
    transform = toolbox::structural::rule("has(self.backend) || has(self.type)", "spec.backend is required"),
))]
pub struct GatewaySpec {
    /// The software of the gateway. `EnvoyGateway` is that of an earlier version: Traefik does its work.
    #[cfg_attr(feature = "generate", schemars(extend("enum" = ["Traefik", "EnvoyGateway"])))]
    pub backend: Option<String>,
    /// Settings of Traefik.
    pub traefik: Option<Traefik>,
    /// Before it was called `backend`.
    #[serde(rename = "type")]
    #[cfg_attr(feature = "generate", schemars(extend("enum" = ["Envoy"])))]
    pub gateway_type: Option<String>,
    /// Settings of an earlier version.
    pub envoy_gateway: Option<EnvoyGateway>,
    /// Settings of an earlier version: they are left out.
    pub gateway: Option<EarlierGateway>,
}

/// Settings of an earlier version.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[cfg_attr(feature = "generate", derive(JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct EnvoyGateway {
    /// Version of its Helm chart: it is left out.
    pub version: Option<String>,
    /// The load balancer that is installed for the gateway.
    #[cfg_attr(feature = "generate", schemars(extend("enum" = ["MetalLB"])))]
    pub load_balancer: Option<String>,
    /// Settings of MetalLB.
    pub metallb: Option<MetalLb>,
}

/// Settings of an earlier version.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[cfg_attr(feature = "generate", derive(JsonSchema))]
pub struct EarlierGateway {
    /// The port of the gateway.
    pub port: Option<u16>,
}

/// Settings of Traefik.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[cfg_attr(feature = "generate", derive(JsonSchema))]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "generate", schemars(transform = toolbox::structural::rule(
    "!has(self.loadBalancer) || self.loadBalancer != 'MetalLB' || has(self.metallb)",
    "spec.traefik.metallb is required when spec.traefik.loadBalancer is MetalLB.",
)))]
pub struct Traefik {
    /// Version of its Helm chart, e.g. `40.2.0`.
    pub version: String,
    /// The load balancer that is installed for the gateway. Leave it out where the cloud has one.
    #[cfg_attr(feature = "generate", schemars(extend("enum" = ["MetalLB"])))]
    pub load_balancer: Option<String>,
    /// Settings of MetalLB.
    pub metallb: Option<MetalLb>,
}

/// Settings of MetalLB.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[cfg_attr(feature = "generate", derive(JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct MetalLb {
    /// The addresses that it gives, in the network of the cluster, e.g. `172.18.255.200-172.18.255.250`.
    pub address_pool: String,
}

/// The observed state of the gateway.
#[cfg(feature = "generate")]
#[derive(JsonSchema)]
#[expect(dead_code, reason = "only its schema is needed: rules give the values")]
pub(super) struct GatewayStatus {
    /// The address of the gateway, as clients reach it.
    address: Option<String>,
}
