//! The rules of the values, as tables.

use serde_json::{Value, json};
use toolbox::observed::Observed;
use toolbox::path;
use toolbox::rule::{Rule, Table, rule};

use crate::modelplane::destination::Destination;
use crate::modelplane::labels;

/// Composition resource name of the Service.
pub const SERVICE_KEY: &str = "service";
/// Composition resource name of the EndpointSlice.
pub const SLICE_KEY: &str = "endpointslice";

/// Everything that the rules read.
#[derive(Debug)]
pub struct EndpointInputs<'a> {
    /// The namespace of the endpoint.
    pub namespace: &'a str,
    /// Its URL.
    pub url: String,
    /// Where the URL leads. `None` when nothing can be made of it.
    pub destination: Option<Destination>,
    /// The observed Service and EndpointSlice.
    pub observed: Observed<'a>,
}

impl<'a> EndpointInputs<'a> {
    /// The name of the Service. `None` until it is observed.
    pub fn service(&self) -> Option<&'a str> {
        let name = path::get(self.observed.get(SERVICE_KEY)?, "metadata.name")?.as_str()?;
        Some(name).filter(|name| !name.is_empty())
    }

    /// The name of the Service, when it leads where the URL leads.
    pub fn backend(&self) -> Option<&'a str> {
        self.service().filter(|_| self.destination.is_some() && self.observed.has(SLICE_KEY))
    }

    fn namespace(&self) -> Option<Value> {
        Some(json!(self.namespace)).filter(|_| !self.namespace.is_empty())
    }

    #[rustfmt::skip]
    pub(super) const SERVICE: &'a [Rule<Self>] = &[
        rule("metadata.namespace", "the endpoint's own", &["metadata.namespace"], |it| it.namespace()),
        rule("spec.ports", "the port of the URL, or else 443 for `https` and 80 for all others", &["spec.url"], |it| {
            Some(json!([{"port": it.destination.as_ref()?.port, "protocol": "TCP"}]))
        }),
    ];

    #[rustfmt::skip]
    pub(super) const SLICE: &'a [Rule<Self>] = &[
        rule("metadata.namespace", "the endpoint's own", &["metadata.namespace"], |it| it.namespace()),
        rule("metadata.labels[kubernetes.io/service-name]", "the Service, whose name the cluster makes", &[], |it| Some(json!(it.service()?))),
        rule("addressType", "what the host of the URL is", &["spec.url"], |it| {
            Some(json!(it.destination.as_ref()?.address_type().as_str()))
        }),
        rule("ports", "the port of the Service, which has no name", &["spec.url"], |it| {
            Some(json!([{"name": "", "port": it.destination.as_ref()?.port, "protocol": "TCP"}]))
        }),
        rule("endpoints", "the host of the URL, which is said to be ready: gateways leave out what is not", &["spec.url"], |it| {
            Some(json!([{"addresses": [it.destination.as_ref()?.host], "conditions": {"ready": true}}]))
        }),
    ];

    #[rustfmt::skip]
    pub(super) const STATUS: &'a [Rule<Self>] = &[
        rule("routing.backendName", "the Service, once it leads to the host of the URL", &["spec.url"], |it| Some(json!(it.backend()?))),
    ];
}

/// The rules of a Service that is held: what was composed, as it is observed.
#[rustfmt::skip]
pub(super) const HELD_SERVICE: &[Rule<Value>] = &[
    rule("metadata.namespace", "held as observed", &[], |it| it["metadata"].get("namespace").cloned()),
    rule("spec.ports", "held as observed, because nothing can be made of the URL", &["spec.url"], |it| {
        let ports = it["spec"]["ports"].as_array()?;
        Some(ports.iter().map(|it| json!({"port": it["port"], "protocol": it["protocol"]})).collect())
    }),
];

/// The rules of an EndpointSlice that is held.
#[rustfmt::skip]
pub(super) const HELD_SLICE: &[Rule<Value>] = &[
    rule("metadata.namespace", "held as observed", &[], |it| it["metadata"].get("namespace").cloned()),
    rule("metadata.labels[kubernetes.io/service-name]", "held as observed", &[], |it| {
        it["metadata"]["labels"].get(labels::SERVICE_NAME).cloned()
    }),
    rule("addressType", "held as observed", &[], |it| it.get("addressType").cloned()),
    rule("ports", "held as observed", &[], |it| it.get("ports").cloned()),
    rule("endpoints", "held as observed, because nothing can be made of the URL, or because the Service is not there", &["spec.url"], |it| {
        it.get("endpoints").cloned()
    }),
];

/// All tables, for documentation.
pub fn tables() -> Vec<Table> {
    vec![
        Table::of("Service", EndpointInputs::SERVICE),
        Table::of("Service that is held", HELD_SERVICE),
        Table::of("EndpointSlice", EndpointInputs::SLICE),
        Table::of("EndpointSlice that is held", HELD_SLICE),
        Table::of("status", EndpointInputs::STATUS),
    ]
}
