//! Applies and lists objects, and waits for changes with a watch instead of polling.

use std::collections::BTreeMap;
use std::fmt;
use std::path::Path;
use std::pin::pin;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use anyhow::{Context as _, Result, anyhow, bail};
use contract::catalog::ApiResource;
use futures_util::StreamExt as _;
use kube::api::{ListParams, Patch, PatchParams, PostParams};
use kube::config::{KubeConfigOptions, Kubeconfig};
use kube::core::{DynamicObject, GroupVersionKind};
use kube::discovery::{self, Scope};
use kube::runtime::watcher::{self, Event};
use kube::{Api, Client, Config};
use serde_json::{Value, json};
use tokio::runtime::Runtime;

/// Objects of one kind, by `NAMESPACE/NAME`, or by name when they have no namespace.
pub type Objects = BTreeMap<String, Value>;

/// A connection to an API server, with the rights of a kubeconfig.
pub struct Watching {
    client: Client,
    runtime: Runtime,
    /// What has been asked of the API server about kinds, by API version and kind.
    kinds: Mutex<BTreeMap<(String, String), (kube::core::ApiResource, Scope)>>,
}

/// A selection of objects: all of a kind, or fewer.
#[derive(Clone, Copy)]
pub struct Which<'a> {
    resource: &'a ApiResource,
    namespace: Option<&'a str>,
    name: Option<&'a str>,
    labels: Option<&'a str>,
}

impl<'a> Which<'a> {
    /// All objects of a kind.
    pub fn all(resource: &'a ApiResource) -> Self {
        Self { resource, namespace: None, name: None, labels: None }
    }

    /// Only those in a namespace.
    pub fn within(self, namespace: &'a str) -> Self {
        Self { namespace: Some(namespace), ..self }
    }

    /// Only those with a name.
    pub fn named(self, name: &'a str) -> Self {
        Self { name: Some(name), ..self }
    }

    /// Only those that a label selector selects.
    pub fn labelled(self, selector: &'a str) -> Self {
        Self { labels: Some(selector), ..self }
    }

    fn fields(&self) -> Option<String> {
        self.name.map(|name| format!("metadata.name={name}"))
    }

    fn watched(self) -> watcher::Config {
        watcher::Config {
            label_selector: self.labels.map(str::to_owned),
            field_selector: self.fields(),
            ..watcher::Config::default()
        }
    }
}

/// Like the arguments of kubectl.
impl fmt::Display for Which<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.resource.plural)?;
        let parts = [("-n ", self.namespace), ("", self.name), ("-l ", self.labels)];
        parts.into_iter().filter_map(|(flag, part)| part.map(|part| write!(f, " {flag}{part}"))).collect()
    }
}

impl Watching {
    /// Connects with a kubeconfig.
    ///
    /// # Errors
    /// When the file is no kubeconfig.
    pub fn connect(kubeconfig: &Path) -> Result<Self> {
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build()?;
        let client = runtime.block_on(async {
            let config = Kubeconfig::read_from(kubeconfig)?;
            let config = Config::from_custom_kubeconfig(config, &KubeConfigOptions::default()).await?;
            anyhow::Ok(Client::try_from(config)?)
        })?;
        Ok(Self { client, runtime, kinds: Mutex::default() })
    }

    /// The objects as they are now.
    ///
    /// # Errors
    /// When the API server does not list them.
    pub fn list(&self, which: Which<'_>) -> Result<Objects> {
        let params = ListParams {
            label_selector: which.labels.map(str::to_owned),
            field_selector: which.fields(),
            ..ListParams::default()
        };
        let found = self.runtime.block_on(self.api(which).list(&params))?;
        found.items.iter().map(|object| keyed(which.resource, object)).collect()
    }

    /// Waits until `decide` succeeds for the objects, and returns its result. It is called again when one of them
    /// changes.
    ///
    /// # Errors
    /// When it does not succeed within `limit`: its last error.
    pub fn until<T>(
        &self,
        what: &str,
        which: Which<'_>,
        limit: Duration,
        mut decide: impl FnMut(&Objects) -> Result<T>,
    ) -> Result<T> {
        let mut last = anyhow!("the API server did not answer");
        let watch = async {
            let mut events = pin!(watcher::watcher(self.api(which), which.watched()));
            let (mut objects, mut complete) = (Objects::new(), false);
            loop {
                match events.next().await {
                    Some(Ok(event)) => take(event, which.resource, &mut objects, &mut complete)?,
                    Some(Err(error)) => {
                        last = error.into();
                        tokio::time::sleep(RETRY).await;
                        continue;
                    }
                    None => bail!("a watch ended"),
                }
                if complete {
                    match decide(&objects) {
                        Ok(value) => return Ok(value),
                        Err(error) => last = error,
                    }
                }
            }
        };
        let outcome = self.runtime.block_on(async { tokio::time::timeout(limit, watch).await });
        outcome.unwrap_or_else(|_| Err(last)).with_context(|| format!("not within {} s: {what}", limit.as_secs()))
    }

    /// Shows `seen` the objects after each change, until `is_over`. A watch that is interrupted begins anew.
    pub fn follow(&self, which: Which<'_>, is_over: impl Fn() -> bool, mut seen: impl FnMut(&Objects)) {
        self.runtime.block_on(async {
            let mut events = pin!(watcher::watcher(self.api(which), which.watched()));
            let (mut objects, mut complete) = (Objects::new(), false);
            while !is_over() {
                match tokio::time::timeout(RETRY, events.next()).await {
                    Ok(Some(Ok(event))) => {
                        if take(event, which.resource, &mut objects, &mut complete).is_ok() && complete {
                            seen(&objects);
                        }
                    }
                    Ok(_) => tokio::time::sleep(RETRY).await,
                    Err(_) => {}
                }
            }
        });
    }

    /// Applies an object, or each of a List, as `kubectl apply --server-side --force-conflicts` does. A field that is null is left out.
    ///
    /// # Errors
    /// When the API server does not know the kind or a field, or refuses the object.
    pub fn apply(&self, object: &Value) -> Result<()> {
        if let (Some("List"), Some(items)) = (object["kind"].as_str(), object["items"].as_array()) {
            return items.iter().try_for_each(|item| self.apply(item));
        }
        let name = object.pointer("/metadata/name").and_then(Value::as_str).context("an object without a name")?;
        let (resource, scope) = self.kind(object)?;
        let namespace = object.pointer("/metadata/namespace").and_then(Value::as_str).unwrap_or("default");
        let api: Api<DynamicObject> = match scope {
            Scope::Namespaced => Api::namespaced_with(self.client.clone(), namespace, &resource),
            Scope::Cluster => Api::all_with(self.client.clone(), &resource),
        };
        let params = PatchParams::apply("kubectl").force().validation_strict();
        let mut object = without_nulls(object);
        if let Some(metadata) = object["metadata"].as_object_mut() {
            metadata.remove("managedFields");
        }
        let applied = self.runtime.block_on(api.patch(name, &params, &Patch::Apply(&object)));
        applied.map(drop).with_context(|| format!("cannot apply {} {name}", resource.kind))
    }

    /// What the API server says about the kind of an object. It is asked once.
    fn kind(&self, object: &Value) -> Result<(kube::core::ApiResource, Scope)> {
        let text = |field: &str| object[field].as_str().with_context(|| format!("an object without {field}"));
        let (api_version, kind) = (text("apiVersion")?, text("kind")?);
        let key = (api_version.to_owned(), kind.to_owned());
        let known = || self.kinds.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(found) = known().get(&key) {
            return Ok(found.clone());
        }
        let (group, version) = api_version.split_once('/').unwrap_or(("", api_version));
        let asked = GroupVersionKind::gvk(group, version, kind);
        let (resource, abilities) = self
            .runtime
            .block_on(discovery::pinned_kind(&self.client, &asked))
            .with_context(|| format!("no matches for kind {kind} of {api_version}"))?;
        known().insert(key, (resource.clone(), abilities.scope.clone()));
        Ok((resource, abilities.scope))
    }

    /// Creates an object, and returns the API server's answer.
    ///
    /// # Errors
    /// When the API server refuses it.
    pub fn create(&self, resource: &ApiResource, object: &Value) -> Result<Value> {
        let object: DynamicObject = serde_json::from_value(object.clone())?;
        let api = self.api(Which::all(resource));
        Ok(serde_json::to_value(self.runtime.block_on(api.create(&PostParams::default(), &object))?)?)
    }

    /// Merges `status` into the status of the named object.
    ///
    /// # Errors
    /// When the API server refuses it.
    pub fn patch_status(&self, which: Which<'_>, status: &Value) -> Result<()> {
        let name = which.name.context("an object without a name")?;
        let patch = Patch::Merge(json!({ "status": status }));
        let (api, params) = (self.api(which), PatchParams::default());
        Ok(self.runtime.block_on(api.patch_status(name, &params, &patch)).map(drop)?)
    }

    fn api(&self, which: Which<'_>) -> Api<DynamicObject> {
        let (group, version) = which.resource.api_version.split_once('/').unwrap_or(("", which.resource.api_version));
        let resource = kube::core::ApiResource {
            group: group.to_owned(),
            version: version.to_owned(),
            api_version: which.resource.api_version.to_owned(),
            kind: which.resource.kind.to_owned(),
            plural: which.resource.plural.to_owned(),
        };
        match which.namespace {
            Some(namespace) => Api::namespaced_with(self.client.clone(), namespace, &resource),
            None => Api::all_with(self.client.clone(), &resource),
        }
    }
}

/// The value without fields that are null.
fn without_nulls(value: &Value) -> Value {
    match value {
        Value::Object(fields) => {
            let fields = fields.iter().filter(|(_, field)| !field.is_null());
            Value::Object(fields.map(|(name, field)| (name.clone(), without_nulls(field))).collect())
        }
        Value::Array(items) => Value::Array(items.iter().map(without_nulls).collect()),
        other => other.clone(),
    }
}

/// The delay after a failed watch, for example when a kind is not served yet or a right is not granted yet.
const RETRY: Duration = Duration::from_millis(300);

/// Applies an event to `objects`. They are `complete` when the first list is complete.
fn take(event: Event<DynamicObject>, resource: &ApiResource, objects: &mut Objects, complete: &mut bool) -> Result<()> {
    match event {
        Event::Init => {
            objects.clear();
            *complete = false;
        }
        Event::InitDone => *complete = true,
        Event::InitApply(object) | Event::Apply(object) => objects.extend([keyed(resource, &object)?]),
        Event::Delete(object) => {
            objects.remove(&keyed(resource, &object)?.0);
        }
    }
    Ok(())
}

/// An object with its key. In lists the items have no kind, so it is added.
fn keyed(resource: &ApiResource, object: &DynamicObject) -> Result<(String, Value)> {
    let mut value = serde_json::to_value(object)?;
    value["apiVersion"] = resource.api_version.into();
    value["kind"] = resource.kind.into();
    let name = object.metadata.name.as_deref().context("an object without a name")?;
    let key = object.metadata.namespace.as_deref().map_or(name.to_owned(), |namespace| format!("{namespace}/{name}"));
    Ok((key, value))
}
