//! A Cluster, with all that it controls.

use std::collections::BTreeMap;
use std::time::Duration;

use anyhow::{Context as _, Result, anyhow, ensure};
use contract::catalog::ApiResource;
use contract::compose::{ComposeRequest, DesiredResource};
use contract::types::ObservedObject;
use serde_json::{Value, json};
use tests::real::access::named;
use tests::real::processes::eventually;
use tests::real::watching::Which;

use super::connection::NAMESPACE;
use super::managed::is_ready;
use super::stand_in::StandIn;
use crate::composites::condition;
use crate::plane::Plane;
use crate::resources::COMPOSITIONS;

/// The time limit for everything: provider-kubernetes tries less and less often what has failed.
pub(super) const LIMIT: Duration = Duration::from_secs(900);

/// A Cluster. There is one of a name, in whichever group.
pub(super) struct LivingCluster<'a> {
    pub(super) plane: &'a Plane,
    pub(super) stand_in: &'a StandIn,
    /// Its kind: there is one in each of two groups.
    pub(super) kind: &'static ApiResource,
    pub(super) name: &'static str,
    /// The uids of what it had when it was last settled, by composition resource name.
    pub(super) before: BTreeMap<String, Value>,
}

impl LivingCluster<'_> {
    /// Creates it in a cloud, with these parameters.
    pub(super) fn apply(&self, provider: &str, parameters: &Value) -> Result<()> {
        self.plane.kubectl.apply(&json!({
            "apiVersion": self.kind.api_version,
            "kind": self.kind.kind,
            "metadata": {"name": self.name, "namespace": NAMESPACE},
            "spec": {
                "crossplane": {"compositionSelector": {"matchLabels": {"provider": provider}}},
                "parameters": parameters,
            },
        }))
    }

    /// Merges into the parameters.
    pub(super) fn edit(&self, parameters: &Value) -> Result<()> {
        self.patch(&json!({"spec": {"parameters": parameters}}))
    }

    /// Merges into it.
    pub(super) fn patch(&self, patch: &Value) -> Result<()> {
        self.plane.kubectl.patch(&[&named(self.kind), "-n", NAMESPACE, self.name], patch)
    }

    /// Asks it to go, without waiting.
    pub(super) fn delete(&self) -> Result<()> {
        self.plane.kubectl.run(&["delete", "--wait=false", &named(self.kind), "-n", NAMESPACE, self.name]).map(drop)
    }

    /// Waits until it has exactly what it should have, as it should be, and is ready. What there was before is the same.
    pub(super) fn settles(&mut self) -> Result<()> {
        let before = &self.before;
        let now = eventually("it settles", LIMIT, || {
            let stored = self.stored()?;
            let (composite, found) = (self.seen()?, self.found()?);
            ensure!(composite["metadata"]["generation"] == stored["metadata"]["generation"], "the world is late");
            let ready = condition(&composite, "Ready");
            ensure!(ready["status"] == "True", "Ready is {ready}; {}", not_ready(&found));
            let expected = self.expected(&found)?;
            let surplus: Vec<_> = found.keys().filter(|key| !expected.contains_key(*key)).collect();
            let missing: Vec<_> = expected.keys().filter(|key| !found.contains_key(*key)).collect();
            ensure!(surplus.is_empty() && missing.is_empty(), "surplus: {surplus:?}, missing: {missing:?}");
            for (key, desired) in &expected {
                let object = &found[key];
                ensure!(has(object, &desired.object), "{key} is {object}, and should have {}", desired.object);
                let synced = condition(object, "Synced");
                ensure!(synced.is_null() || synced["status"] == "True", "{key}: {synced}");
            }
            Ok(found)
        })?;
        for (key, uid) in before {
            let same = now.get(key).is_none_or(|object| object["metadata"]["uid"] == *uid);
            ensure!(same, "{key} was made anew");
        }
        self.before = uids(&now);
        Ok(())
    }

    /// What it should have, by what the function says of it as it is, with the options of its Composition.
    pub(super) fn expected(&self, found: &BTreeMap<String, Value>) -> Result<BTreeMap<String, DesiredResource>> {
        let stored = self.stored()?;
        let composition = stored["spec"]["crossplane"]["compositionRef"]["name"].as_str().context("no Composition")?;
        let composition = self.plane.kubectl.only(Which::all(COMPOSITIONS).named(composition))?;
        let observed = found.iter().map(|(key, object)| (key.clone(), ObservedObject::from(object.clone())));
        let request = ComposeRequest {
            composite: Some(stored.into()),
            observed: observed.collect(),
            input: Some(composition["spec"]["pipeline"][0]["input"].clone()),
            ..ComposeRequest::default()
        };
        Ok(module::compose(&request).map_err(|fault| anyhow!("{fault:?}"))?.resources)
    }

    /// Waits until `decide` accepts it.
    pub(super) fn says(&self, what: &str, decide: impl FnMut(&Value) -> Result<()>) -> Result<()> {
        let which = Which::all(self.kind).within(NAMESPACE).named(self.name);
        self.plane.kubectl.until_it(what, which, LIMIT, decide)
    }

    /// As the API server has it now.
    pub(super) fn stored(&self) -> Result<Value> {
        self.plane.kubectl.only(Which::all(self.kind).within(NAMESPACE).named(self.name))
    }

    /// As it was seen.
    pub(super) fn seen(&self) -> Result<Value> {
        self.stand_in.world.object(self.kind, self.name).context("it was not seen yet")
    }

    /// What it controls, by composition resource name.
    pub(super) fn found(&self) -> Result<BTreeMap<String, Value>> {
        Ok(self.stand_in.world.composed_by(&self.seen()?))
    }

    /// Waits until nothing was written for this time, neither to it nor to what it controls. provider-kubernetes polls every
    /// ten seconds.
    pub(super) fn is_quiet(&self, quiet: Duration) -> Result<()> {
        let versions = || -> Result<BTreeMap<String, Value>> {
            let composite = self.seen()?;
            let mut all = self.found()?;
            all.insert("the composite".to_owned(), composite);
            Ok(all.into_iter().map(|(key, object)| (key, object["metadata"]["resourceVersion"].clone())).collect())
        };
        eventually("nothing is written", LIMIT, || {
            let before = versions()?;
            std::thread::sleep(quiet);
            let after = versions()?;
            let written: Vec<_> = before.keys().filter(|key| before.get(*key) != after.get(*key)).collect();
            ensure!(written.is_empty() && before.len() == after.len(), "written: {written:?}");
            Ok(())
        })
    }
}

/// The uids of objects.
pub(super) fn uids(of: &BTreeMap<String, Value>) -> BTreeMap<String, Value> {
    of.iter().map(|(key, object)| (key.clone(), object["metadata"]["uid"].clone())).collect()
}

/// What is not ready, and why.
fn not_ready(found: &BTreeMap<String, Value>) -> String {
    let conditions = |object: &Value| format!("{}, {}", condition(object, "Synced"), condition(object, "Ready"));
    let waiting = found.iter().filter(|(_, object)| !is_ready(object) && object["status"].is_object());
    waiting.map(|(key, object)| format!("\n{key}: {}", conditions(object))).collect()
}

/// Whether `value` has all of `wanted`. Lists must be as long.
fn has(value: &Value, wanted: &Value) -> bool {
    match (value, wanted) {
        (Value::Object(value), Value::Object(wanted)) => {
            wanted.iter().all(|(key, wanted)| value.get(key).is_some_and(|value| has(value, wanted)))
        }
        (Value::Array(value), Value::Array(wanted)) => {
            value.len() == wanted.len() && value.iter().zip(wanted).all(|(value, wanted)| has(value, wanted))
        }
        _ => value == wanted,
    }
}
