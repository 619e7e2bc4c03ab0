//! A composite on the control plane, with all that exists because of it.

use std::collections::BTreeMap;
use std::time::Duration;

use anyhow::{Context as _, Result, ensure};
use serde_json::{Value, json};
use tests::real::kubectl::Kubectl;
use tests::real::processes::eventually;

use crate::names::{OUR_COMPOSITION, PROVIDER_CONFIG, SOON};

/// The kinds of which a composite brings objects into being, itself included.
const KINDS: &str = "llminferences,objects.kubernetes.m.crossplane.io,vllmruntimes,ingresses.networking.k8s.io";

/// An `LLMInference`. Its targets have its own name and namespace.
pub(crate) struct Composite<'a> {
    kubectl: &'a Kubectl,
    namespace: &'a str,
    name: &'a str,
}

/// What changes with every write to an object, and what must not.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Version {
    pub(crate) uid: String,
    pub(crate) generation: u64,
    pub(crate) resource_version: String,
    pub(crate) deleted: bool,
}

/// The version of each of a set of objects, by `Kind/name`.
pub(crate) type Versions = BTreeMap<String, Version>;

impl<'a> Composite<'a> {
    /// Applies a composite with one GPU and an ingress; `spec` is merged over that.
    pub(crate) fn apply(kubectl: &'a Kubectl, namespace: &'a str, name: &'a str, spec: &Value) -> Result<Self> {
        let mut whole = json!({
            "model": "Qwen/Qwen2.5-1.5B-Instruct",
            "gpu": 1,
            "ingressHost": format!("{name}.127.0.0.1.nip.io"),
            "providerConfigName": PROVIDER_CONFIG,
            "crossplane": {"compositionRef": {"name": OUR_COMPOSITION}},
        });
        for (key, value) in spec.as_object().into_iter().flatten() {
            whole[key] = value.clone();
        }
        kubectl.apply(&json!({
            "apiVersion": "inference.devopstoolkit.ai/v1alpha1",
            "kind": "LLMInference",
            "metadata": {"name": name, "namespace": namespace},
            "spec": whole,
        }))?;
        Ok(Self { kubectl, namespace, name })
    }

    /// Waits until Crossplane says that it is Ready.
    pub(crate) fn ready(&self) -> Result<()> {
        self.kubectl.condition("Ready", &["llminferences", "-n", self.namespace, self.name], SOON)
    }

    /// Merges `spec` into its spec.
    pub(crate) fn edit(&self, spec: &Value) -> Result<()> {
        self.kubectl.patch(&["llminferences", "-n", self.namespace, self.name], &json!({ "spec": spec }))
    }

    /// Deletes it, without waiting.
    pub(crate) fn delete(&self) -> Result<()> {
        self.kubectl.run(&["delete", "--wait=false", "llminferences", "-n", self.namespace, self.name]).map(drop)
    }

    /// Waits until its status names `endpoint`.
    pub(crate) fn serves_at(&self, endpoint: &str) -> Result<()> {
        eventually(&format!("{} serves at {endpoint}", self.name), SOON, || {
            let status = self.kubectl.get(&["llminferences", "-n", self.namespace, self.name])?["status"].take();
            ensure!(status["endpoint"] == endpoint, "its status is {status}");
            Ok(())
        })
    }

    /// Waits until nothing is left of it, nor of any other composite in its namespace.
    pub(crate) fn gone(&self) -> Result<()> {
        /// An Object younger than 30 s takes up to a minute to go: provider-kubernetes then waits for its next poll.
        const DELETION: Duration = Duration::from_secs(120);
        self.kubectl.gone(&[KINDS, "-n", self.namespace], DELETION)
    }

    /// Its target of `kind`, as provider-kubernetes has created it.
    pub(crate) fn target(&self, kind: &str) -> Result<Value> {
        self.kubectl.get(&[kind, "-n", self.namespace, self.name])
    }

    /// Waits until its runtime has `value` at `pointer`.
    pub(crate) fn runtime_has(&self, pointer: &str, value: &Value) -> Result<()> {
        eventually(&format!("the runtime of {} has {pointer} = {value}", self.name), SOON, || {
            let runtime = self.target("vllmruntimes")?;
            let found = runtime.pointer(pointer);
            ensure!(found == Some(value), "it has {found:?}");
            Ok(())
        })
    }

    /// The Objects composed for it, by composition resource name.
    pub(crate) fn objects(&self) -> Result<BTreeMap<String, Value>> {
        let selector = format!("crossplane.io/composite={}", self.name);
        let objects =
            self.kubectl.list(&["objects.kubernetes.m.crossplane.io", "-n", self.namespace, "-l", &selector])?;
        let named = objects.into_iter().map(|object| {
            let key = &object["metadata"]["annotations"]["crossplane.io/composition-resource-name"];
            Ok((key.as_str().context("an Object without a composition resource name")?.to_owned(), object))
        });
        named.collect()
    }

    /// The versions of the composite and of all that exists because of it.
    pub(crate) fn versions(&self) -> Result<Versions> {
        let everything = self.kubectl.list(&[KINDS, "-n", self.namespace])?;
        let ours = everything.iter().filter(|object| {
            object["metadata"]["name"] == self.name
                || object["metadata"]["labels"]["crossplane.io/composite"] == self.name
        });
        ours.map(version).collect()
    }

    /// Waits until the versions have stood still for as long as a function asks to be called again while it waits.
    pub(crate) fn settled(&self) -> Result<Versions> {
        let mut last = self.versions()?;
        eventually(&format!("{} settles", self.name), SOON, || {
            std::thread::sleep(Duration::from_secs(12));
            let now = self.versions()?;
            let before = std::mem::replace(&mut last, now);
            unchanged(&before, &last)?;
            Ok(last.clone())
        })
    }
}

/// Fails, and says where, when anything was written between two moments.
pub(crate) fn unchanged(before: &Versions, after: &Versions) -> Result<()> {
    let differs = |name: &&String| before.get(*name) != after.get(*name);
    let changes: Vec<_> = before.keys().chain(after.keys()).filter(differs).collect();
    ensure!(changes.is_empty(), "written: {changes:?}\nbefore: {before:#?}\nafter: {after:#?}");
    Ok(())
}

/// Fails, and says where, when anything of `before` was deleted, or made anew, by the time of `after`.
pub(crate) fn kept(before: &Versions, after: &Versions) -> Result<()> {
    for (name, version) in before {
        let now = after.get(name).with_context(|| format!("{name} has gone"))?;
        ensure!(now.uid == version.uid, "{name} was deleted and created again");
        ensure!(!now.deleted, "{name} is being deleted");
    }
    Ok(())
}

fn version(object: &Value) -> Result<(String, Version)> {
    let metadata = &object["metadata"];
    let text = |key: &str| metadata[key].as_str().map(str::to_owned).with_context(|| format!("no metadata.{key}"));
    let kind = object["kind"].as_str().context("no kind")?;
    let version = Version {
        uid: text("uid")?,
        generation: metadata["generation"].as_u64().context("no metadata.generation")?,
        resource_version: text("resourceVersion")?,
        deleted: metadata.get("deletionTimestamp").is_some(),
    };
    Ok((format!("{kind}/{}", text("name")?), version))
}
