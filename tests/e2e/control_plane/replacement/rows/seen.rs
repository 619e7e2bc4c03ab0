//! What a pass observes.

use std::collections::BTreeMap;

use serde_json::Value;

/// Observed objects, by their keys.
#[derive(Default)]
pub(crate) struct SeenObjects(BTreeMap<String, Value>);

impl FromIterator<(String, Value)> for SeenObjects {
    fn from_iter<T: IntoIterator<Item = (String, Value)>>(objects: T) -> Self {
        Self(objects.into_iter().collect())
    }
}

impl SeenObjects {
    pub(crate) fn get(&self, key: &str) -> Option<&Value> {
        self.0.get(key)
    }

    pub(crate) fn has(&self, key: &str) -> bool {
        self.0.contains_key(key)
    }

    /// Whether there is an object of a key. A `*` at its end stands for any ending.
    pub(crate) fn matches(&self, key: &str) -> bool {
        key.strip_suffix('*').map_or_else(|| self.has(key), |start| self.0.keys().any(|it| it.starts_with(start)))
    }

    /// Whether an object has a condition that is true.
    pub(crate) fn condition(&self, key: &str, condition: &str) -> bool {
        let found = self.get(key).and_then(|it| it["status"]["conditions"].as_array());
        found.is_some_and(|all| all.iter().any(|it| it["type"] == condition && it["status"] == "True"))
    }

    /// The name of what a provider has made, outside the control plane.
    pub(crate) fn external_name(&self, key: &str) -> Option<&str> {
        let name = self.get(key)?["metadata"]["annotations"]["crossplane.io/external-name"].as_str()?;
        (!name.is_empty()).then_some(name)
    }
}
