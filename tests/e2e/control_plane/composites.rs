//! A composite on the control plane, its composed resources and its targets.

use std::collections::BTreeMap;
use std::time::Duration;

use anyhow::{Context as _, Result, bail, ensure};
use contract::catalog::Scope;
use serde_json::{Value, json};
use tests::real::kubectl::Kubectl;
use tests::real::watching::{Objects, Which};
use toolbox::resources::OBJECTS;

use crate::names::SOON;
use crate::resources::LATER;
use crate::subjects::Subject;

/// A composite. Its targets have the same name and namespace.
pub(crate) struct Composite<'a> {
    kubectl: &'a Kubectl,
    subject: &'static Subject,
    namespace: &'a str,
    name: &'a str,
}

/// The metadata of an object that shows writes, and whether it is still the same object.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Version {
    pub(crate) uid: String,
    pub(crate) generation: u64,
    pub(crate) resource_version: String,
    pub(crate) deleted: bool,
}

/// The versions of several objects, by `Kind/name`.
pub(crate) type Versions = BTreeMap<String, Version>;

impl<'a> Composite<'a> {
    /// Applies a composite that names the subject's Composition. `spec` is merged into the subject's spec.
    pub(crate) fn apply(
        kubectl: &'a Kubectl,
        subject: &'static Subject,
        namespace: &'a str,
        name: &'a str,
        spec: &Value,
    ) -> Result<Self> {
        let mut whole = (subject.spec)(name);
        whole["crossplane"] = json!({"compositionRef": {"name": subject.composition}});
        for (key, value) in spec.as_object().into_iter().flatten() {
            whole[key] = value.clone();
        }
        let composites = subject.composites();
        kubectl.apply(&json!({
            "apiVersion": composites.api_version,
            "kind": composites.kind,
            "metadata": {"name": name, "namespace": namespace},
            "spec": whole,
        }))?;
        Ok(Self { kubectl, subject, namespace, name })
    }

    /// Waits until Crossplane says that it is Ready.
    pub(crate) fn ready(&self) -> Result<()> {
        let composites = self.subject.composites();
        self.kubectl.condition("Ready", Which::all(&composites).within(self.namespace).named(self.name), SOON)
    }

    /// Waits until `decide` accepts the composite.
    pub(crate) fn until<T>(&self, what: &str, decide: impl FnMut(&Value) -> Result<T>) -> Result<T> {
        let composites = self.subject.composites();
        let which = Which::all(&composites).within(self.namespace).named(self.name);
        self.kubectl.until_it(&format!("{}: {what}", self.name), which, SOON, decide)
    }

    /// Merges `spec` into its spec.
    pub(crate) fn edit(&self, spec: &Value) -> Result<()> {
        let args = [&self.subject.name(), "-n", self.namespace, self.name];
        self.kubectl.patch(&args, &json!({ "spec": spec }))
    }

    /// Its name.
    pub(crate) fn name(&self) -> &str {
        self.name
    }

    /// Writes an annotation.
    pub(crate) fn annotate(&self, key: &str, value: &str) -> Result<()> {
        let args = [&self.subject.name(), "-n", self.namespace, self.name];
        self.kubectl.patch(&args, &json!({"metadata": {"annotations": {key: value}}}))
    }

    /// Deletes it, without waiting.
    pub(crate) fn delete(&self) -> Result<()> {
        let args = ["delete", "--wait=false", &self.subject.name(), "-n", self.namespace, self.name];
        self.kubectl.run(&args).map(drop)
    }

    /// Waits until its status has `value` at `pointer`.
    pub(crate) fn status_has(&self, pointer: &str, value: &Value) -> Result<()> {
        self.until(&format!("status{pointer} = {value}"), |composite| {
            let found = composite["status"].pointer(pointer);
            ensure!(found == Some(value), "its status is {}", composite["status"]);
            Ok(())
        })
    }

    /// Waits until its namespace has no composite, no composed resource and no target any more.
    pub(crate) fn gone(&self) -> Result<()> {
        /// An Object that is younger than 30 s takes up to a minute to disappear, because the provider waits for its
        /// next poll.
        const DELETION: Duration = Duration::from_secs(120);
        for resource in self.subject.brings() {
            self.kubectl.gone(Which::all(&resource).within(self.namespace), DELETION)?;
        }
        Ok(())
    }

    /// Waits until its targets are gone. provider-kubernetes deletes targets at once.
    pub(crate) fn targets_gone(&self, plurals: &[&str]) -> Result<()> {
        plurals.iter().try_for_each(|plural| self.kubectl.gone(self.targets(plural), SOON))
    }

    /// Waits until its target of this kind has `value` at `pointer`.
    pub(crate) fn target_has(&self, plural: &str, pointer: &str, value: &Value) -> Result<()> {
        let what = format!("{plural} {} has {pointer} = {value}", self.name);
        self.kubectl.until_it(&what, self.targets(plural), SOON, |target| {
            let found = target.pointer(pointer);
            ensure!(found == Some(value), "it has {found:?}");
            Ok(())
        })
    }

    /// Its composed Objects, by composition resource name.
    pub(crate) fn objects(&self) -> Result<BTreeMap<String, Value>> {
        let selector = self.selector();
        keyed(&self.kubectl.list(Which::all(&OBJECTS).within(self.namespace).labelled(&selector))?)
    }

    /// Waits until its composed Objects have exactly these composition resource names.
    pub(crate) fn composed(&self, keys: &[&str]) -> Result<BTreeMap<String, Value>> {
        let selector = self.selector();
        let which = Which::all(&OBJECTS).within(self.namespace).labelled(&selector);
        self.kubectl.until(&format!("the Objects of {} are {keys:?}", self.name), which, SOON, |objects| {
            let objects = keyed(objects)?;
            ensure!(objects.keys().eq(keys), "there are {:?}", objects.keys());
            Ok(objects)
        })
    }

    /// The versions of the composite, its composed resources and its targets, but for those of kinds that come later, and for
    /// what has no namespace.
    pub(crate) fn versions(&self) -> Result<Versions> {
        let mut versions = Versions::new();
        for resource in self.subject.brings().filter(|it| it.scope == Scope::Namespaced && !LATER.contains(it)) {
            let objects = self.kubectl.list(Which::all(&resource).within(self.namespace))?;
            let ours = objects.values().filter(|object| {
                object["metadata"]["name"] == self.name
                    || object["metadata"]["labels"]["crossplane.io/composite"] == self.name
            });
            for object in ours {
                versions.extend([version(object)?]);
            }
        }
        Ok(versions)
    }

    fn selector(&self) -> String {
        format!("crossplane.io/composite={}", self.name)
    }

    fn targets(&self, plural: &str) -> Which<'_> {
        Which::all(self.subject.target(plural)).within(self.namespace).named(self.name)
    }
}

/// Fails when an object was written between `before` and `after`, and names it.
pub(crate) fn unchanged(before: &Versions, after: &Versions) -> Result<()> {
    let differs = |name: &&String| before.get(*name) != after.get(*name);
    let changes: Vec<_> = before.keys().chain(after.keys()).filter(differs).collect();
    ensure!(changes.is_empty(), "written: {changes:?}\nbefore: {before:#?}\nafter: {after:#?}");
    Ok(())
}

/// Fails when an object of `before` was deleted, or deleted and created again, until `after`, and names it.
pub(crate) fn kept(before: &Versions, after: &Versions) -> Result<()> {
    for (name, version) in before {
        let Some(now) = after.get(name) else { bail!("{name} has gone") };
        ensure!(now.uid == version.uid, "{name} was deleted and created again");
        ensure!(!now.deleted, "{name} is being deleted");
    }
    Ok(())
}

/// What controls an object.
pub(crate) fn controller(object: &Value) -> Option<&Value> {
    object["metadata"]["ownerReferences"].as_array()?.iter().find(|it| it["controller"] == true)
}

/// Objects by their composition resource names.
pub(crate) fn keyed(objects: &Objects) -> Result<BTreeMap<String, Value>> {
    let named = objects.values().map(|object| {
        let key = &object["metadata"]["annotations"]["crossplane.io/composition-resource-name"];
        Ok((key.as_str().context("an Object without a composition resource name")?.to_owned(), object.clone()))
    });
    named.collect()
}

/// The version of an object, with its key in [`Versions`].
pub(crate) fn version(object: &Value) -> Result<(String, Version)> {
    let metadata = &object["metadata"];
    let text = |key: &str| metadata[key].as_str().map(str::to_owned).with_context(|| format!("no metadata.{key}"));
    let kind = object["kind"].as_str().context("no kind")?;
    let version = Version {
        uid: text("uid")?,
        // Services have none.
        generation: metadata["generation"].as_u64().unwrap_or_default(),
        resource_version: text("resourceVersion")?,
        deleted: metadata.get("deletionTimestamp").is_some(),
    };
    Ok((format!("{kind}/{}", text("name")?), version))
}

/// A condition of an object. Null when it has none of this type.
pub(crate) fn condition(object: &Value, kind: &str) -> Value {
    let mut conditions = object["status"]["conditions"].as_array().into_iter().flatten();
    conditions.find(|it| it["type"] == kind).cloned().unwrap_or_default()
}
