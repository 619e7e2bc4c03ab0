//! Derives every value of the route and of the status.

use std::collections::BTreeSet;

use serde_json::{Value, json};
use toolbox::data;
use toolbox::rule::{Element, Rule, Table, constant, rule};

use super::spec::ModelServiceSpec;
use super::weights::weights;
use crate::modelplane::labels::{CONTROL_PLANE_GATEWAY, SYSTEM_NAMESPACE};
use crate::modelplane::subject::Subject;
use toolbox::held::HELD;

/// The inputs of the rules.
#[derive(Clone, Debug, PartialEq)]
pub struct ServiceInputs {
    /// The service.
    pub service: Subject<ModelServiceSpec>,
    /// The address of the gateway. Empty until it is known.
    pub gateway: String,
    /// The address of the service that its status has, while the gateway is not looked up. Empty otherwise.
    pub known_address: String,
    /// The endpoints of each entry, in the service's namespace. Each is in one entry only.
    pub groups: Vec<Vec<SelectedEndpoint>>,
    /// The selected endpoints in other namespaces, as `namespace/name`.
    pub elsewhere: BTreeSet<String>,
    /// Whether every lookup has an answer.
    pub resolved: bool,
}

/// An endpoint that an entry selects.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SelectedEndpoint {
    /// Where requests for it go. `None` until it is known.
    pub backend: Option<ServiceBackend>,
}

/// The backend of an endpoint.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ServiceBackend {
    /// The name of its Service.
    pub name: String,
    /// The port.
    pub port: u16,
    /// What the path of the service becomes. Empty when paths stay.
    pub rewrite_path: String,
}

/// A backend of the route, with its weight.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WeightedBackend<'a> {
    backend: &'a ServiceBackend,
    weight: u64,
    entry: usize,
}

impl ServiceInputs {
    /// The number of selected endpoints in the service's namespace.
    pub fn matched(&self) -> usize {
        self.groups.iter().map(Vec::len).sum()
    }

    /// The number of those whose backend is known.
    pub fn ready(&self) -> usize {
        self.groups.iter().flatten().filter(|endpoint| endpoint.backend.is_some()).count()
    }

    /// The backends of the route, in the order of entries.
    pub fn backends(&self) -> Vec<WeightedBackend<'_>> {
        let known = |group: &'_ [SelectedEndpoint]| group.iter().filter(|it| it.backend.is_some()).count();
        let entries = self.service.spec.endpoints.iter().zip(&self.groups);
        let sizes: Vec<_> = entries.map(|(entry, group)| (entry.weight, known(group))).collect();
        let mut backends = Vec::new();
        for (entry, (group, weights)) in self.groups.iter().zip(weights(&sizes)).enumerate() {
            let known = group.iter().filter_map(|endpoint| endpoint.backend.as_ref());
            backends.extend(known.zip(weights).map(|(backend, weight)| WeightedBackend { backend, weight, entry }));
        }
        backends
    }

    fn address(&self) -> Option<String> {
        let known = || Some(self.known_address.clone()).filter(|address| !address.is_empty());
        if self.gateway.is_empty() { known() } else { Some(format!("http://{}{}", self.gateway, self.path())) }
    }

    fn path(&self) -> String {
        format!("/{}/{}", self.service.namespace, self.service.name)
    }
}

const ADDRESS: &[&str] = &["metadata.namespace", "metadata.name"];

/// The HTTPRoute, but for its backends.
#[rustfmt::skip]
pub const ROUTE: &[Rule<ServiceInputs>] = &[
    rule("metadata.namespace", "the namespace of the service", &["metadata.namespace"], |i| Some(json!(i.service.namespace))),
    constant("spec.parentRefs[0].name", "always: the gateway of the control plane", data!(CONTROL_PLANE_GATEWAY)),
    constant("spec.parentRefs[0].namespace", "always: the gateway of the control plane", data!(SYSTEM_NAMESPACE)),
    constant("spec.rules[0].matches[0].path.type", "always: everything below the path of the service", data!("PathPrefix")),
    rule("spec.rules[0].matches[0].path.value", "namespace and name of the service", ADDRESS, |i| Some(json!(format!("{}/", i.path())))),
];

impl Element for WeightedBackend<'_> {
    const WORD: &'static str = "backend";

    fn name(&self) -> &str {
        &self.backend.name
    }

    fn indexes(&self) -> &[usize] {
        std::slice::from_ref(&self.entry)
    }
}

impl<'a> WeightedBackend<'a> {
    /// A backend of the HTTPRoute.
    #[rustfmt::skip]
    pub const BACKEND: &'a [Rule<Self>] = &[
        rule("name", "the Service of the endpoint, from its status", SELECTOR, |it| Some(json!(it.backend.name))),
        rule("port", "the port in the endpoint's URL, or that of its scheme", SELECTOR, |it| Some(json!(it.backend.port))),
        rule("weight", "its part of the entry's weight, relative to all backends", &["spec.endpoints[].weight"], |it| Some(json!(it.weight))),
        // On the backend and not on the rule, because endpoints differ.
        rule("filters[0].type", "the endpoint wants another path", SELECTOR, |it| it.rewriting(json!("URLRewrite"))),
        rule("filters[0].urlRewrite.path.type", "the endpoint wants another path", SELECTOR, |it| it.rewriting(json!("ReplacePrefixMatch"))),
        rule("filters[0].urlRewrite.path.replacePrefixMatch", "the `rewritePath` of the endpoint", SELECTOR, |it| it.rewriting(json!(it.backend.rewrite_path))),
    ];

    fn rewriting(&self, value: Value) -> Option<Value> {
        (!self.backend.rewrite_path.is_empty()).then_some(value)
    }
}

const SELECTOR: &[&str] = &["spec.endpoints[].selector.matchLabels"];

/// The status of the composite.
#[rustfmt::skip]
pub const STATUS: &[Rule<ServiceInputs>] = &[
    rule("address", "the gateway's address, then namespace and name of the service", ADDRESS, |i| i.address().map(Value::from)),
];

/// All tables, for documentation.
pub fn tables() -> Vec<Table> {
    vec![
        Table::of("HTTPRoute", ROUTE),
        Table::each("backend of the HTTPRoute", WeightedBackend::BACKEND),
        Table::of("HTTPRoute, while an answer is missing", HELD),
        Table::of("status", STATUS),
    ]
}
