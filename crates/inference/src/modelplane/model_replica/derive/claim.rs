//! The devices that pods claim.

use serde_json::{Value, json};
use toolbox::rule::{Element, Rule, rule};

use crate::modelplane::engines::{DeviceRequest, DeviceSelector};

/// A request for devices of a member.
#[derive(Clone, Copy, Debug)]
pub struct ClaimedDevices<'a> {
    request: &'a DeviceRequest,
    indexes: [usize; 3],
}

impl Element for ClaimedDevices<'_> {
    const WORD: &'static str = "request";

    fn name(&self) -> &str {
        &self.request.name
    }

    fn indexes(&self) -> &[usize] {
        &self.indexes
    }
}

impl<'a> ClaimedDevices<'a> {
    /// A request in the ResourceClaimTemplate.
    #[rustfmt::skip]
    pub const REQUEST: &'a [Rule<Self>] = &[
        rule("name", "name of the request", &["spec.engines[].members[].deviceRequests[].name"], |it| Some(json!(it.request.name))),
        rule("exactly.deviceClassName", "the class of the pool's devices", &["spec.engines[].members[].deviceRequests[].deviceClassName"], |it| Some(json!(it.request.device_class_name))),
        rule("exactly.count", "the devices of each pod", &["spec.engines[].members[].deviceRequests[].count"], |it| Some(json!(it.request.count))),
        rule("exactly.selectors", "the selectors of the deployment", &["spec.engines[].members[].deviceRequests[].selectors"], |it| it.selectors()),
    ];

    /// A request of the member with these indexes.
    pub(in super::super) fn new([engine, member]: [usize; 2], index: usize, request: &'a DeviceRequest) -> Self {
        Self { request, indexes: [engine, member, index] }
    }

    fn selectors(&self) -> Option<Value> {
        let expression = |selector: &DeviceSelector| Some(json!({"cel": {"expression": selector.cel.as_ref()?}}));
        let selectors: Vec<_> = self.request.selectors.iter().flatten().filter_map(expression).collect();
        (!selectors.is_empty()).then(|| selectors.into())
    }
}
