//! Observed composed resources. Their composition resource names (keys) may be computed at run time.

use std::collections::BTreeMap;

use contract::compose::ComposeRequest;
use contract::types::{Fault, Readiness};
use serde_json::Value;

use crate::conditions::holds;

/// Observed resources, by composition resource name.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Observed<'a>(BTreeMap<&'a str, &'a Value>);

/// When a composed resource is ready.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReadyWhen {
    /// It has a condition of this type with status `True`.
    Holds(&'static str),
    /// It is observed.
    Observed,
    /// It is desired. This is for objects that report no state.
    Desired,
    /// The kind has found out whether it is.
    Given(bool),
}

impl<'a> Observed<'a> {
    /// Reads the resources whose keys are `wanted`. The others are not parsed.
    ///
    /// # Errors
    /// A [`Fault`] when one of them is not JSON.
    pub fn of(request: &'a ComposeRequest, wanted: impl Fn(&str) -> bool) -> Result<Self, Fault> {
        let mut observed = BTreeMap::new();
        for key in request.observed.keys().map(String::as_str).filter(|key| wanted(key)) {
            if let Some(object) = request.observed(key)? {
                observed.insert(key, object);
            }
        }
        Ok(Self(observed))
    }

    /// The resource, or `None` when it is not observed.
    pub fn get(&self, key: &str) -> Option<&'a Value> {
        self.0.get(key).copied()
    }

    /// Whether the resource is observed.
    pub fn has(&self, key: &str) -> bool {
        self.0.contains_key(key)
    }

    /// Whether to desire a resource that is `wanted` only while something else exists. An observed resource stays desired
    /// when that no longer exists, because Crossplane deletes what is not desired.
    pub fn keeps(&self, key: &str, wanted: bool) -> bool {
        wanted || self.has(key)
    }

    /// The keys and resources, sorted by key.
    pub fn iter(&self) -> impl Iterator<Item = (&'a str, &'a Value)> {
        self.0.iter().map(|(key, object)| (*key, *object))
    }

    /// The readiness of a resource: ready, or unspecified.
    pub fn readiness(&self, key: &str, when: ReadyWhen) -> Readiness {
        let object = self.get(key);
        let ready = match when {
            ReadyWhen::Holds(condition_type) => object.is_some_and(|object| holds(object, condition_type)),
            ReadyWhen::Observed => object.is_some(),
            ReadyWhen::Desired => true,
            ReadyWhen::Given(ready) => ready,
        };
        if ready { Readiness::Ready } else { Readiness::Unspecified }
    }
}

#[cfg(test)]
mod tests {
    use contract::types::{ConnectionDetails, ObservedObject};
    use serde_json::json;

    use super::*;

    fn request() -> ComposeRequest {
        let object = |status: &str| json!({"status": {"conditions": [{"type": "Ready", "status": status}]}}).into();
        let broken = ObservedObject::from_text("{".to_owned(), ConnectionDetails::new());
        let observed = [("pool-a", object("True")), ("pool-b", object("False")), ("other", broken)];
        let observed = observed.into_iter().map(|(key, object)| (key.to_owned(), object)).collect();
        ComposeRequest { observed, ..ComposeRequest::default() }
    }

    #[test]
    fn only_what_is_wanted_is_read() {
        let request = request();
        let pools = Observed::of(&request, |key| key.starts_with("pool-")).expect("valid pools");
        assert_eq!(pools.iter().map(|(key, _)| key).collect::<Vec<_>>(), ["pool-a", "pool-b"]);
        assert!(pools.has("pool-a") && !pools.has("other"));
        assert!(pools.keeps("pool-a", false) && pools.keeps("pool-c", true) && !pools.keeps("pool-c", false));
        let fault = Observed::of(&request, |_| true).expect_err("one is not JSON");
        assert_eq!(fault.problems[0].path, "observed resource `other`");
    }

    #[test]
    fn readiness_by_key() {
        use Readiness::{Ready, Unspecified};

        let request = request();
        let pools = Observed::of(&request, |key| key.starts_with("pool-")).expect("valid pools");
        let check = |key: &str, when, want| assert_eq!(pools.readiness(key, when), want, "{key}, {when:?}");
        check("pool-a", ReadyWhen::Holds("Ready"), Ready);
        check("pool-a", ReadyWhen::Holds("Synced"), Unspecified);
        check("pool-b", ReadyWhen::Holds("Ready"), Unspecified);
        check("pool-b", ReadyWhen::Observed, Ready);
        check("pool-c", ReadyWhen::Observed, Unspecified);
        check("pool-c", ReadyWhen::Desired, Ready);
        check("pool-a", ReadyWhen::Given(true), Ready);
        check("pool-a", ReadyWhen::Given(false), Unspecified);
    }
}
