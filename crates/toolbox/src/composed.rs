//! Desired resources: a key and a plan for each.

use std::collections::BTreeMap;

use contract::compose::DesiredResource;

use crate::entries::by_key;
use crate::observed::{Observed, ReadyWhen};
use crate::rule::Plan;

/// A resource that should exist.
#[derive(Clone, Debug, PartialEq)]
pub struct Composed {
    /// Its composition resource name.
    pub key: String,
    /// The object, and the rule behind each of its values.
    pub plan: Plan,
    /// When it is ready.
    pub ready: ReadyWhen,
}

impl Composed {
    /// A resource that is ready when its condition `Ready` is true.
    pub fn new(key: impl Into<String>, plan: Plan) -> Self {
        Self { key: key.into(), plan, ready: ReadyWhen::Holds("Ready") }
    }

    /// The same resource, ready at another time.
    #[must_use]
    pub fn ready(mut self, when: ReadyWhen) -> Self {
        self.ready = when;
        self
    }
}

/// The resources for a response, by key. Of two resources with the same key the later one is used.
pub fn desired(resources: Vec<Composed>, observed: &Observed<'_>) -> BTreeMap<String, DesiredResource> {
    let desired = |Composed { key, plan, ready }| {
        let readiness = observed.readiness(&key, ready);
        (key, DesiredResource { object: plan.into_object(), readiness })
    };
    by_key(resources.into_iter().map(desired))
}

#[cfg(test)]
mod tests {
    use contract::compose::ComposeRequest;
    use contract::types::Readiness;
    use serde_json::json;

    use super::*;
    use crate::data;
    use crate::reasons::Reasons;
    use crate::rule::constant;

    #[test]
    fn resources_of_a_response() {
        let plan = Plan::of(&[constant("spec.size", "always", data!(1))], &());
        let resources =
            vec![Composed::new("pool-a", plan.clone()), Composed::new("config", plan).ready(ReadyWhen::Desired)];
        let request = ComposeRequest { explain: true, ..ComposeRequest::default() };
        let reasons = Reasons::of(&request, &resources);
        let explained: Vec<_> = reasons.derivations().into_iter().map(|row| row.resource).collect();
        assert_eq!(explained, ["pool-a", "config"]);
        let resource = |readiness| DesiredResource { object: json!({"spec": {"size": 1}}), readiness };
        let want = [("config", resource(Readiness::Ready)), ("pool-a", resource(Readiness::Unspecified))];
        let want = want.into_iter().map(|(key, resource)| (key.to_owned(), resource)).collect();
        assert_eq!(desired(resources, &Observed::default()), want);
    }
}
