//! Derives every value of what the gateway is made of, and of its status: a row for each object.

use serde_json::{Value, json};
use toolbox::builders::{helm, managed, usage};
use toolbox::data;
use toolbox::data::Data;
use toolbox::observed::ReadyWhen;
use toolbox::resources::{
    CLUSTER_USAGES, CRDS, GATEWAY_CLASSES, GATEWAYS, HELM_CONFIGS, NAMESPACES, RELEASE, RELEASES, USAGES,
};
use toolbox::rows::{Each, Gate, Named, ObjectRow, Part};
use toolbox::rule::{Rule, Table, constant, rule};

use super::spec::{GatewaySpec, MetalLb, Traefik};
use crate::modelplane::labels::{CONTROL_PLANE_GATEWAY, RELEASE as LABEL, SYSTEM_NAMESPACE};
use crate::modelplane::options::GatewayApi;
use crate::modelplane::platform::gates;
use crate::modelplane::resources::{ADDRESS_POOLS, L2_ADVERTISEMENTS, kind};
use crate::modelplane::subject::Subject;
use crate::vendored::GATEWAY_API;

/// The inputs of the rules.
#[derive(Clone, Debug, PartialEq)]
pub struct GatewayInputs {
    /// The gateway.
    pub gateway: Subject<GatewaySpec>,
    /// The settings of Traefik.
    pub traefik: Traefik,
    /// What was observed.
    pub seen: SeenGateway,
}

/// What was observed of a gateway.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SeenGateway {
    /// Whether the provider configuration is.
    pub has_config: bool,
    /// Which definitions are.
    pub definitions: Vec<String>,
    /// Whether all definitions are established.
    pub is_established: bool,
    /// Whether the Release of MetalLB is.
    pub has_metallb: bool,
    /// Whether MetalLB is ready.
    pub is_metallb_ready: bool,
    /// Whether the pool of addresses is.
    pub has_pool: bool,
    /// Whether the Release of Traefik is.
    pub has_traefik: bool,
    /// Whether Traefik is ready.
    pub is_traefik_ready: bool,
    /// Whether the Gateway is.
    pub has_gateway: bool,
    /// The address of the Gateway. `None` until it has one.
    pub address: Option<String>,
    /// The external names of the Releases, where they have the short one.
    pub short_names: Vec<(&'static str, Option<String>)>,
    /// Usages of an earlier version that are there, by key: what they are about.
    pub wrong: Vec<(String, Value)>,
}

/// What a part of a gateway is.
pub type GatewayPart = Part<GatewayInputs>;
type GatewayRow = ObjectRow<GatewayInputs>;

impl Named for GatewayInputs {
    fn name(&self) -> &str {
        &self.gateway.name
    }
}

impl GatewayInputs {
    /// Whether the gateway composes the definitions of Gateway API.
    pub fn composes_definitions(&self) -> bool {
        self.gateway.options.modelplane.gateway_api == GatewayApi::Composed
    }

    /// The definitions that are composed. Those that exist stay.
    fn definitions(&self) -> Vec<String> {
        if self.composes_definitions() {
            return GATEWAY_API.names.iter().map(|&name| name.to_owned()).collect();
        }
        self.seen.definitions.clone()
    }

    /// The addresses for MetalLB, where it is installed.
    fn addresses(&self) -> Option<&str> {
        let wanted = self.traefik.load_balancer.as_deref() == Some("MetalLB");
        let MetalLb { address_pool } = self.traefik.metallb.as_ref().filter(|_| wanted)?;
        Some(address_pool.as_str()).filter(|pool| !pool.is_empty())
    }

    fn has_metallb(&self) -> bool {
        self.addresses().is_some()
    }

    /// Whether Traefik exists, or shall exist.
    pub fn wants_traefik(&self) -> bool {
        self.seen.has_traefik || self.seen.has_config && self.seen.is_established
    }

    fn short_name(&self, release: &str) -> Option<Value> {
        let known = self.seen.short_names.iter().find(|(key, _)| *key == release)?;
        known.1.clone().map(Value::from)
    }
}

/// The objects, in the order of areas.
pub const ROWS: &[&[GatewayRow]] = &[DEFINITIONS, METALLB, TRAEFIK, WRONG];

/// What people call the areas.
pub const AREA_NAMES: [&str; 4] = ["definitions", "MetalLB", "Traefik", "order of deletion"];

/// The area of Usages: an index in [`AREA_NAMES`].
const DELETION: usize = 3;

/// The area of a composed resource.
pub fn area(_: &Value, key: &str, object: &Value) -> Option<usize> {
    let is_usage = [USAGES, CLUSTER_USAGES].iter().any(|usage| object["kind"] == usage.kind);
    if is_usage { Some(DELETION) } else { gates::area(ROWS, key) }
}

/// The start of the composition resource names of definitions.
pub const DEFINITION_KEY: &str = "gateway-api-crd-";

#[rustfmt::skip]
const DEFINITIONS: &[GatewayRow] = &[
    GatewayRow { tables: &[("", CONFIG)], ready: ReadyWhen::Desired, ..GatewayRow::unnamed(&HELM_CONFIGS, "provider-config-helm") },
    GatewayRow { each: Each::Found(GatewayInputs::definitions), tables: &[("", DEFINITION)], ready: ReadyWhen::Holds("Established"), ..GatewayRow::unnamed(&CRDS, "gateway-api-crd-{e}") },
];

#[rustfmt::skip]
const METALLB: &[GatewayRow] = &[
    GatewayRow { exists: GatewayInputs::has_metallb, tables: &[("", METALLB_NAMESPACE)], ready: ReadyWhen::Desired, ..GatewayRow::unnamed(&NAMESPACES, "namespace-metallb") },
    GatewayRow { exists: GatewayInputs::has_metallb, gate: Gate::Until("the provider configuration", |i| i.seen.has_config), tables: &[("", INSTALLED), ("", METALLB_CHART)], ..GatewayRow::unnamed(&RELEASES, "metallb") },
    GatewayRow { exists: GatewayInputs::has_metallb, gate: Gate::Until("the provider configuration", |i| i.seen.has_config || i.seen.has_metallb), ..config_by("metallb") },
    GatewayRow { exists: GatewayInputs::has_metallb, gate: Gate::Until("MetalLB to be ready", |i| i.seen.is_metallb_ready), tables: &[("", IN_METALLB), ("", POOL)], ready: ReadyWhen::Desired, ..GatewayRow::unnamed(&ADDRESS_POOLS, "metallb-pool") },
    GatewayRow { exists: GatewayInputs::has_metallb, gate: Gate::Until("MetalLB to be ready", |i| i.seen.is_metallb_ready || i.seen.has_pool), tables: &[("", IN_METALLB), ("", ADVERTISEMENT)], ready: ReadyWhen::Desired, ..GatewayRow::unnamed(&L2_ADVERTISEMENTS, "metallb-l2") },
];

#[rustfmt::skip]
const TRAEFIK: &[GatewayRow] = &[
    GatewayRow { gate: Gate::Until("the definitions of the Gateway API to be established", GatewayInputs::wants_traefik), tables: &[("", INSTALLED), ("", TRAEFIK_CHART), (helm::VALUES, TRAEFIK_VALUES)], ..GatewayRow::unnamed(&RELEASES, "traefik") },
    GatewayRow { gate: Gate::Until("the definitions of the Gateway API to be established", GatewayInputs::wants_traefik), ..config_by("traefik") },
    GatewayRow { gate: Gate::Until("Traefik to be ready", |i| i.seen.is_traefik_ready), tables: &[("", CLASS)], ready: ReadyWhen::Holds("Accepted"), ..GatewayRow::unnamed(&GATEWAY_CLASSES, "gateway-class") },
    GatewayRow { gate: Gate::Until("Traefik to be ready", |i| i.seen.is_traefik_ready), tables: &[("", GATEWAY)], ready: ReadyWhen::Holds("Accepted"), ..GatewayRow::unnamed(&GATEWAYS, "gateway") },
    GatewayRow { gate: Gate::Until("the definitions of the Gateway API to be established", GatewayInputs::wants_traefik), tables: &[("", IN_SYSTEM), ("", TRAEFIK_BY_CLASS), ("", REPLAYED)], ready: ReadyWhen::Desired, ..GatewayRow::unnamed(&USAGES, "usage-traefik-by-gateway-class") },
    GatewayRow { gate: Gate::Until("the definitions of the Gateway API to be established", GatewayInputs::wants_traefik), tables: &[("", IN_SYSTEM), ("", TRAEFIK_BY_GATEWAY), ("", REPLAYED)], ready: ReadyWhen::Desired, ..GatewayRow::unnamed(&USAGES, "usage-traefik-by-gateway") },
];

/// Usages of Modelplane v0.3.1 that are the wrong way round. Crossplane keeps a composed Usage that is deleted until what it is `by` is
/// gone: here Traefik, which the right Usages keep until what these protect is gone. So one is first made to be `by` what does not exist,
/// and is not desired once it is; then its deletion ends at once. To take `by` away is no way: the controller of Usages owns the name in
/// it, which would stay. To name a Release is none either: a ClusterUsage cannot look for what is namespaced. Namespaces are
/// cluster-scoped, every API server has them, and Crossplane may read them for this kind.
#[rustfmt::skip]
const WRONG: &[GatewayRow] = &[
    GatewayRow { exists: |i| i.is_wrong("usage-gateway-class-by-traefik"), tables: &[("", LEAVING), ("", REPLAYED)], ready: ReadyWhen::Desired, ..GatewayRow::unnamed(&CLUSTER_USAGES, "usage-gateway-class-by-traefik") },
    GatewayRow { exists: |i| i.is_wrong("usage-gateway-by-traefik"), tables: &[("", IN_SYSTEM), ("", LEAVING), ("", REPLAYED)], ready: ReadyWhen::Desired, ..GatewayRow::unnamed(&USAGES, "usage-gateway-by-traefik") },
];

/// The namespace that a Usage which leaves is `by`. With a dot in it no namespace can have this name.
pub const NOBODY: &str = "no.namespace";

impl GatewayInputs {
    fn is_wrong(&self, key: &str) -> bool {
        self.seen.wrong.iter().any(|(wrong, _)| wrong == key)
    }

    fn wrong(&self, key: &str) -> Option<Value> {
        self.seen.wrong.iter().find(|(wrong, _)| wrong == key).map(|(_, of)| of.clone())
    }
}

/// The Usage of the provider configuration by a Release, whose key is the label that it has.
const fn config_by(release: &'static str) -> GatewayRow {
    let row = match release.as_bytes() {
        b"metallb" => GatewayRow::unnamed(&USAGES, "usage-pc-by-metallb"),
        _ => GatewayRow::unnamed(&USAGES, "usage-pc-by-traefik"),
    };
    GatewayRow { tables: &[("", IN_SYSTEM), ("", CONFIG_BY), ("", REPLAYED)], ready: ReadyWhen::Desired, ..row }
}

/// The name of the provider configuration of the control plane.
const HERE: &str = "modelplane-in-cluster";
/// The name of the GatewayClass.
const TRAEFIK_CLASS: &str = "traefik";
const METALLB_SYSTEM: &str = "metallb-system";
const TRAEFIK_SYSTEM: &str = "traefik-system";

#[rustfmt::skip]
const IN_SYSTEM: &[Rule<GatewayPart>] = &[
    constant("metadata.namespace", "always: that of the gateway", data!(SYSTEM_NAMESPACE)),
];

#[rustfmt::skip]
const REPLAYED: &[Rule<GatewayPart>] = &[
    constant(usage::REPLAY_DELETION, "always: what was refused is deleted as soon as it may be", data!(true)),
];

#[rustfmt::skip]
const CONFIG: &[Rule<GatewayPart>] = &[
    constant("metadata", "always: Releases of the gateway name it", data!({"name": HERE, "namespace": SYSTEM_NAMESPACE})),
    constant("spec.credentials.source", "always: the cluster of Crossplane, with the rights of provider-helm", data!("InjectedIdentity")),
];

/// One row, whatever the size of the definition.
#[rustfmt::skip]
const DEFINITION: &[Rule<GatewayPart>] = &[
    rule("", "the definition `{it}` of Gateway API, v1.5.1, standard channel", &["input.modelplane.gatewayApi"], |p| GATEWAY_API.definition(&p.element).cloned()),
];

#[rustfmt::skip]
const INSTALLED: &[Rule<GatewayPart>] = &[
    constant("metadata.namespace", "always: that of the gateway", data!(SYSTEM_NAMESPACE)),
    rule("metadata.labels", "what it installs: Usages find it by this", &[], |p| Some(json!({LABEL: p.key}))),
    rule(managed::EXTERNAL_NAME, "a short name of the Helm release, where Helm would refuse the name that Crossplane gives", &["metadata.name"], |p| p.of.short_name(&p.key)),
    constant(managed::PROVIDER_CONFIG, "always: the cluster of Crossplane", data!({"kind": "ProviderConfig", "name": HERE})),
];

const METALLB_VERSION: Data =
    data!({"name": "metallb", "repository": "https://metallb.github.io/metallb", "version": "0.14.9"});

#[rustfmt::skip]
const METALLB_CHART: &[Rule<GatewayPart>] = &[
    constant(helm::CHART, "always: the version of Modelplane v0.3.1", METALLB_VERSION),
    constant(helm::NAMESPACE, "always: MetalLB's own", data!(METALLB_SYSTEM)),
];

#[rustfmt::skip]
const METALLB_NAMESPACE: &[Rule<GatewayPart>] = &[
    constant("metadata.name", "always: MetalLB's own", data!(METALLB_SYSTEM)),
];

#[rustfmt::skip]
const IN_METALLB: &[Rule<GatewayPart>] = &[
    constant("metadata", "always: MetalLB looks in its own namespace", data!({"name": CONTROL_PLANE_GATEWAY, "namespace": METALLB_SYSTEM})),
];

#[rustfmt::skip]
const POOL: &[Rule<GatewayPart>] = &[
    rule("spec.addresses", "the addresses for MetalLB", &["spec.traefik.metallb.addressPool"], |p| p.of.addresses().map(|pool| json!([pool]))),
];

#[rustfmt::skip]
const ADVERTISEMENT: &[Rule<GatewayPart>] = &[
    constant("spec.ipAddressPools", "always: the pool of the gateway", data!([CONTROL_PLANE_GATEWAY])),
];

#[rustfmt::skip]
const TRAEFIK_CHART: &[Rule<GatewayPart>] = &[
    rule(helm::CHART, "the chart, in the version of the gateway", &["spec.traefik.version"], |p| Some(json!({"name": "traefik", "repository": "https://traefik.github.io/charts", "version": p.of.traefik.version}))),
    constant(helm::NAMESPACE, "always: Traefik's own", data!(TRAEFIK_SYSTEM)),
];

#[rustfmt::skip]
const TRAEFIK_VALUES: &[Rule<GatewayPart>] = &[
    constant("providers.kubernetesGateway", "always: routes are those of Gateway API; its address is that of the Service", data!({"enabled": true, "statusAddress": {"service": {"namespace": TRAEFIK_SYSTEM, "name": "traefik"}}})),
    constant("providers.kubernetesIngress", "always: nobody needs it here", data!({"enabled": false})),
    constant("service.nameOverride", "always: the address is found by it", data!("traefik")),
    constant("gateway", "always: the gateway is composed here", data!({"enabled": false})),
    constant("gatewayClass", "always: its class is composed here", data!({"enabled": false})),
];

#[rustfmt::skip]
const CLASS: &[Rule<GatewayPart>] = &[
    constant("metadata.name", "always", data!(TRAEFIK_CLASS)),
    constant("spec.controllerName", "always: Traefik", data!("traefik.io/gateway-controller")),
];

#[rustfmt::skip]
const GATEWAY: &[Rule<GatewayPart>] = &[
    constant("metadata", "always: ModelServices attach their routes to it", data!({"name": CONTROL_PLANE_GATEWAY, "namespace": SYSTEM_NAMESPACE})),
    constant("spec.gatewayClassName", "always: Traefik", data!(TRAEFIK_CLASS)),
    constant("spec.listeners", "always: the entry point `web` of Traefik, which its Service has at port 80; routes come from all namespaces", data!([{"name": "web", "protocol": "HTTP", "port": 8000, "allowedRoutes": {"namespaces": {"from": "All"}}}])),
];

#[rustfmt::skip]
const CONFIG_BY: &[Rule<GatewayPart>] = &[
    rule(usage::OF, "the provider configuration stays", &[], |_| Some(usage::named(kind(&HELM_CONFIGS), HERE))),
    rule(usage::BY, "while the Release exists", &[], |p| Some(usage::selected(RELEASE, &[(LABEL, p.key.trim_start_matches("usage-pc-by-"))]))),
];

#[rustfmt::skip]
const TRAEFIK_BY_CLASS: &[Rule<GatewayPart>] = &[
    rule(usage::OF, "Traefik stays", &[], |_| Some(usage::selected(RELEASE, &[(LABEL, "traefik")]))),
    rule(usage::BY, "while the class exists, whose finalizer it removes", &[], |_| Some(usage::named(kind(&GATEWAY_CLASSES), TRAEFIK_CLASS))),
];

#[rustfmt::skip]
const TRAEFIK_BY_GATEWAY: &[Rule<GatewayPart>] = &[
    rule(usage::OF, "Traefik stays", &[], |_| Some(usage::selected(RELEASE, &[(LABEL, "traefik")]))),
    rule(usage::BY, "while the gateway exists, whose finalizer it removes", &[], |_| Some(usage::named(kind(&GATEWAYS), CONTROL_PLANE_GATEWAY))),
];

#[rustfmt::skip]
const LEAVING: &[Rule<GatewayPart>] = &[
    rule(usage::OF, "as it is", &[], |p| p.of.wrong(&p.key)),
    rule(usage::BY, "a namespace that cannot exist: then its deletion waits for nothing", &[], |_| Some(usage::named(kind(&NAMESPACES), NOBODY))),
];

/// The status.
#[rustfmt::skip]
pub const STATUS: &[Rule<GatewayInputs>] = &[
    rule("address", "the first address that the gateway has", &[], |i| i.seen.address.clone().map(Value::from)),
];

/// All tables, for documentation.
#[rustfmt::skip]
pub fn tables() -> Vec<Table> {
    let parts: &[(&'static str, &[Rule<GatewayPart>])] = &[
        ("ProviderConfig", CONFIG),
        ("CustomResourceDefinition", DEFINITION),
        ("every Release", INSTALLED),
        ("Namespace of MetalLB", METALLB_NAMESPACE),
        ("Release of MetalLB", METALLB_CHART),
        ("objects of MetalLB", IN_METALLB),
        ("IPAddressPool", POOL),
        ("L2Advertisement", ADVERTISEMENT),
        ("Release of Traefik", TRAEFIK_CHART),
        ("values of Traefik", TRAEFIK_VALUES),
        ("GatewayClass", CLASS),
        ("Gateway", GATEWAY),
        ("every Usage in a namespace", IN_SYSTEM),
        ("every Usage", REPLAYED),
        ("Usage of the ProviderConfig", CONFIG_BY),
        ("Usage of Traefik by the class", TRAEFIK_BY_CLASS),
        ("Usage of Traefik by the gateway", TRAEFIK_BY_GATEWAY),
        ("a Usage of Modelplane v0.3.1 that leaves", LEAVING),
    ];
    let parts = parts.iter().map(|(subject, rules)| Table::of(subject, rules));
    parts.chain([Table::of("status", STATUS)]).collect()
}
