//! Derives every value. Objects, the output of `explain` and the documentation are all made from the tables here.
//!
//! The tables follow the reference of the operator's releases through v1.0.1, an object at a time.

use serde_json::{Value, json};
use toolbox::rule::{Rule, Table, rule};

use self::inputs::ServingInputs;

pub mod access;
pub mod existence;
pub mod inputs;
pub mod picker;
pub mod plugins;
pub mod role;
pub mod routing;

/// The status of the composite.
#[rustfmt::skip]
pub const STATUS: &[Rule<ServingInputs>] = &[
    rule("observedGeneration", "the generation that was composed", &["metadata.generation"], |i| i.service.generation.map(Value::from)),
    rule("phase", "what the Deployments say", &[], |i| Some(json!(i.state().row.phase.as_str()))),
    rule("decodeReady", "what the Deployment `decode` says, unless it is 0", &[], |i| counted(i.decode.map(|it| it.ready))),
    rule("decodeReplicas", "what the Deployment `decode` wants, unless it is 0", &[], |i| counted(i.decode.map(|it| it.desired))),
    rule("prefillReady", "what the Deployment `prefill` says, unless it is 0", &[], |i| counted(i.prefill.map(|it| it.ready))),
    rule("prefillReplicas", "what the Deployment `prefill` wants, unless it is 0", &[], |i| counted(i.prefill.map(|it| it.desired))),
    rule("access.gateway", "the gateway of the route", routing::GATEWAY, |i| i.gateway().map(|(namespace, name)| json!(format!("{namespace}/{name}")))),
    rule("access.header", "the header that the route wants", &["metadata.name"], |i| i.gateway().map(|_| json!(format!("{}: {}", routing::HEADER, i.service.name)))),
    rule("access.hostnames", "the host names of the route", &["spec.httpRoute.hostnames"], |i| i.hostnames()),
];

fn counted(number: Option<i64>) -> Option<Value> {
    number.filter(|number| *number > 0).map(Value::from)
}

/// All tables, for documentation.
pub fn tables() -> Vec<Table> {
    let mut tables = role::tables();
    tables.extend(picker::tables());
    tables.extend(routing::tables());
    tables.extend(access::tables());
    tables.push(Table::of("status", STATUS));
    tables
}
