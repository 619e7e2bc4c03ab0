//! Plays the providers of the clouds and provider-helm, through the API server only. The new clusters are real API servers.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result};
use contract::catalog::{ApiResource, Scope};
use futures_util::StreamExt as _;
use futures_util::stream::select_all;
use inference::gpu_cluster::derive::kinds::{APPLICATIONS, COMPOSED, HELM_CONFIGS, RELEASES};
use inference::gpu_cluster::inputs::{CLUSTERS, RENAMED};
use serde_json::{Value, json};
use tests::real::access::named;
use tests::real::kubectl::Kubectl;
use tests::real::processes::progress;
use tokio::runtime::Runtime;
use toolbox::resources::OBJECTS;

use super::connection::{Change, Connection, NAMESPACE};
use super::google;
use super::managed;
use super::new_clusters::NewClusters;
use super::releases;
use super::rows::{Named, ROWS, Role, Row, field};
use super::schemas::Schemas;
use super::world::World;
use crate::plane::Plane;

/// That a Release uses a configuration, as provider-helm records it.
const CONFIG_USAGES: &ApiResource = &ApiResource {
    api_version: "helm.m.crossplane.io/v1beta1",
    kind: "ProviderConfigUsage",
    plural: "providerconfigusages",
    scope: Scope::Namespaced,
};
const SECRETS: &ApiResource =
    &ApiResource { api_version: "v1", kind: "Secret", plural: "secrets", scope: Scope::Namespaced };

/// Clusters in the group of dot-kubernetes 2.0.21.
pub(super) const RENAMED_CLUSTERS: &ApiResource = &ApiResource { api_version: RENAMED, ..CLUSTERS };

/// How often it looks.
const TICK: Duration = Duration::from_millis(250);

/// The running stand-in. It ends when it is dropped.
pub(super) struct StandIn {
    /// What there is.
    pub(super) world: Arc<World>,
    /// The new clusters.
    pub(super) clusters: Arc<NewClusters>,
    /// A key of a service account of Google Cloud.
    pub(super) google_key: String,
    orders: Arc<Orders>,
    over: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
    _runtime: Runtime,
}

/// What a test tells it, by `KIND/NAME` of objects.
#[derive(Default)]
struct Orders {
    held: Mutex<BTreeSet<String>>,
    refused: Mutex<BTreeMap<String, String>>,
}

impl StandIn {
    /// Starts it. It waits for kinds that are not served yet.
    pub(super) fn start(plane: &Plane, schemas: Schemas) -> Result<Self> {
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build()?;
        let google_key = google::serve(&runtime)?;
        let connection = runtime.block_on(Connection::to(NAMESPACE, plane.administrator.kubeconfig()))?;
        let clusters = NewClusters::new(plane.etcd(), plane.folder("new-clusters")?);
        let (world, orders, over) = (Arc::new(World::default()), Arc::default(), Arc::new(AtomicBool::new(false)));
        let mut player = Player {
            connection,
            schemas,
            world: Arc::clone(&world),
            clusters: Arc::clone(&clusters),
            orders: Arc::clone(&orders),
            memories: BTreeMap::new(),
            troubles: BTreeSet::new(),
        };
        let (handle, end) = (runtime.handle().clone(), Arc::clone(&over));
        let thread = Some(thread::spawn(move || handle.block_on(player.play(&end))));
        Ok(Self { world, clusters, google_key, orders, over, thread, _runtime: runtime })
    }

    /// From now on the cloud does not finish `KIND/NAME`, and what is installed on a cluster is not removed from there.
    pub(super) fn hold(&self, name: &str) {
        lock(&self.orders.held).insert(name.to_owned());
    }

    /// From now on the cloud refuses to make `KIND/NAME`.
    pub(super) fn refuse(&self, name: &str, why: &str) {
        lock(&self.orders.refused).insert(name.to_owned(), why.to_owned());
    }

    /// The cloud makes `KIND/NAME` again.
    pub(super) fn relent(&self, name: &str) {
        lock(&self.orders.held).remove(name);
        lock(&self.orders.refused).remove(name);
    }
}

impl Drop for StandIn {
    fn drop(&mut self) {
        self.over.store(true, Ordering::Relaxed);
        let _ = self.thread.take().map(JoinHandle::join);
    }
}

fn lock<T>(of: &Mutex<T>) -> MutexGuard<'_, T> {
    of.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The thread of the stand-in.
struct Player {
    connection: Connection,
    schemas: Schemas,
    world: Arc<World>,
    clusters: Arc<NewClusters>,
    orders: Arc<Orders>,
    /// What the clouds know of objects, by their uids.
    memories: BTreeMap<String, Memory>,
    /// What has gone wrong. Each is printed once.
    troubles: BTreeSet<String>,
}

/// What a cloud knows of an object.
struct Memory {
    /// When it was asked to make it, or to delete it.
    since: Instant,
    /// What it cannot change: values of [`Row::fixed`].
    fixed: Vec<Value>,
    going: bool,
}

impl Memory {
    fn new(fixed: Vec<Value>) -> Self {
        Self { since: Instant::now(), fixed, going: false }
    }
}

impl Player {
    async fn play(&mut self, over: &AtomicBool) {
        let watched = COMPOSED.iter().chain([&CLUSTERS, RENAMED_CLUSTERS, CONFIG_USAGES]);
        let mut changes = select_all(watched.map(|kind| {
            let changes = self.connection.watch(kind);
            changes.map(move |change| (kind, change)).boxed()
        }));
        let mut tick = tokio::time::interval(TICK);
        tick.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
        while !over.load(Ordering::Relaxed) {
            tokio::select! {
                biased; // a look takes long, and is at what there is

                Some((kind, change)) = changes.next() => self.world.take(kind, change),
                _ = tick.tick() => self.look().await,
            }
        }
    }

    async fn look(&mut self) {
        for row in ROWS {
            for object in self.world.of_kind(row.kind) {
                let outcome = self.manage(row, &object).await;
                self.note(row.kind, &object, outcome);
            }
        }
        for release in self.world.of_kind(&RELEASES) {
            let outcome = self.release(&release).await;
            self.note(&RELEASES, &release, outcome);
        }
        for config in self.world.of_kind(&HELM_CONFIGS) {
            let outcome = self.config(&config).await;
            self.note(&HELM_CONFIGS, &config, outcome);
        }
        for object in self.world.of_kind(&OBJECTS) {
            let outcome = self.release_application(&object).await;
            self.note(&OBJECTS, &object, outcome);
        }
    }

    /// Plays Argo CD on a new cluster: an Application that is deleted goes when what it applied has gone, which is nothing here.
    async fn release_application(&mut self, object: &Value) -> Result<()> {
        let manifest = &object["spec"]["forProvider"]["manifest"];
        if object["metadata"]["deletionTimestamp"].is_null() || manifest["kind"] != APPLICATIONS.kind {
            return Ok(());
        }
        if self.is_held(object) {
            return Ok(());
        }
        let uid = object["metadata"]["uid"].as_str().context("a uid")?.to_owned();
        let asked = self.memories.entry(uid).or_insert_with(|| Memory::new(Vec::new()));
        if asked.since.elapsed() < Duration::from_secs(1) {
            return Ok(());
        }
        asked.since = Instant::now();
        // Its own release may be gone here: it is left behind on the cluster.
        let cluster = object["spec"]["providerConfigRef"]["name"].as_str().unwrap_or_default();
        let Some(target) = self.clusters.kubectl(cluster) else { return Ok(()) };
        let text = |field: &str| manifest["metadata"][field].as_str().unwrap_or_default().to_owned();
        let name = ["applications", "-n", &text("namespace"), &text("name")];
        target.patch(&name, &json!({"metadata": {"finalizers": null}}))
    }

    /// Whether a test wants an object to stay as it is.
    fn is_held(&self, object: &Value) -> bool {
        let part = |value: &Value| value.as_str().unwrap_or_default().to_owned();
        let name = format!("{}/{}", part(&object["kind"]), part(&object["metadata"]["name"]));
        lock(&self.orders.held).contains(&name)
    }

    /// The next look tries again what has failed: mostly the object has changed meanwhile.
    fn note(&mut self, kind: &ApiResource, object: &Value, outcome: Result<()>) {
        let Err(error) = outcome else { return };
        let text = format!("{error:#}");
        if text.contains("the object has been modified") || text.contains("not found") {
            return;
        }
        let trouble = format!("clusters: {} {}: {text}", named(kind), object["metadata"]["name"]);
        if self.troubles.insert(trouble.clone()) {
            progress(&trouble);
        }
    }

    /// Does the next thing that a provider of a cloud does.
    async fn manage(&mut self, row: &Row, object: &Value) -> Result<()> {
        let metadata = &object["metadata"];
        if !metadata["deletionTimestamp"].is_null() {
            return self.unmake(row, object).await;
        }
        if !managed::has_finalizer(object) {
            return self.patch(row.kind, object, managed::with_finalizer(object)).await;
        }
        let name = metadata["name"].as_str().context("a name")?;
        if row.named == Named::Provider && managed::external_name(object).is_empty() {
            return self.patch(row.kind, object, managed::with_external_name(name)).await;
        }
        match managed::resolved(row, object, &self.world) {
            Err(why) => {
                let said = [managed::unsynced(&format!("cannot resolve references: {why}"))];
                return self.say(row.kind, object, &said, json!({})).await;
            }
            Ok(Some(patch)) => return self.patch(row.kind, object, patch).await,
            Ok(None) => {}
        }
        let uid = metadata["uid"].as_str().context("a uid")?;
        let fixed: Vec<_> = row.fixed.iter().map(|place| field(object, place).clone()).collect();
        let memory = self.memories.entry(uid.to_owned()).or_insert_with(|| Memory::new(fixed.clone()));
        let named = format!("{}/{name}", row.kind.kind);
        let refused = lock(&self.orders.refused).get(&named).cloned();
        if let Some(why) = refused {
            memory.since = Instant::now();
            return self.say(row.kind, object, &managed::refused(&why), json!({})).await;
        }
        if let Some(place) = memory.fixed.iter().zip(&fixed).position(|(before, now)| before != now) {
            let why = format!(
                "observe failed: cannot update: refuse to update the external resource because the following update \
                 requires replacing it: Cannot change the value of the argument {:?} from {} to {}",
                row.fixed[place], memory.fixed[place], fixed[place],
            );
            return self.say(row.kind, object, &[managed::unsynced(&why)], json!({})).await;
        }
        let made = memory.since.elapsed() >= row.takes && !lock(&self.orders.held).contains(&named);
        let made = made && (row.part != Role::ControlPlane || self.clusters.started(name)?);
        let made = made && (row.part != Role::Access || self.clusters.kubectl(name).is_some());
        if !made {
            return self.say(row.kind, object, &managed::creating(), json!({})).await;
        }
        if managed::external_name(object).is_empty() {
            let Named::Cloud(begin) = row.named else { return Ok(()) };
            let made_up = format!("{begin}{}", uid.get(..8).unwrap_or(uid));
            return self.patch(row.kind, object, managed::with_external_name(&made_up)).await;
        }
        let mut says = (row.says)(managed::external_name(object));
        if row.part != Role::Access {
            says["id"] = managed::external_name(object).into();
        }
        if !managed::is_ready(object)
            && let Some(secret) = object["spec"]["writeConnectionSecretToRef"]["name"].as_str()
        {
            self.write_kubeconfig(object, secret).await?;
        }
        self.say(row.kind, object, &managed::available(object), says).await
    }

    /// Writes the Secret with the kubeconfig. In Google Cloud that has no credentials.
    async fn write_kubeconfig(&self, object: &Value, secret: &str) -> Result<()> {
        let cluster = object["metadata"]["name"].as_str().context("a name")?;
        let group = object["apiVersion"].as_str().unwrap_or_default();
        let kubeconfig = self.clusters.kubeconfig(cluster, !group.contains("gcp"))?;
        let owner = managed::controller(object);
        let secret = json!({
            "apiVersion": SECRETS.api_version,
            "kind": SECRETS.kind,
            "metadata": {"name": secret, "namespace": NAMESPACE, "ownerReferences": [owner]},
            "type": "connection.crossplane.io/v1alpha1",
            "stringData": {"kubeconfig": kubeconfig},
        });
        self.connection.create(SECRETS, secret).await
    }

    /// Does the next thing that a provider does for an object that is deleted.
    async fn unmake(&mut self, row: &Row, object: &Value) -> Result<()> {
        if !managed::has_finalizer(object) {
            return Ok(());
        }
        let metadata = &object["metadata"];
        if !managed::may_delete(object) {
            return self.patch(row.kind, object, managed::without_finalizer(object)).await;
        }
        if let Some(holder) = managed::holder(row, object, &self.world) {
            let why = format!("delete failed: DependencyViolation: {holder} depends on it");
            let said = [managed::unsynced(&why), managed::deleting()];
            return self.say(row.kind, object, &said, json!({})).await;
        }
        let name = metadata["name"].as_str().context("a name")?;
        let uid = metadata["uid"].as_str().context("a uid")?;
        let memory = self.memories.entry(uid.to_owned()).or_insert_with(|| Memory::new(Vec::new()));
        if !memory.going {
            *memory = Memory { going: true, ..Memory::new(Vec::new()) };
        }
        if memory.since.elapsed() < row.takes {
            return self.say(row.kind, object, &[managed::deleting()], json!({})).await;
        }
        if row.part == Role::ControlPlane {
            self.clusters.end(name);
        }
        if let Some(secret) = object["spec"]["writeConnectionSecretToRef"]["name"].as_str() {
            self.connection.delete(SECRETS, secret).await?;
        }
        self.patch(row.kind, object, managed::without_finalizer(object)).await
    }

    /// Does the next thing that provider-helm does for a Release. It is deployed while everything that leads to the cluster is
    /// there.
    async fn release(&mut self, release: &Value) -> Result<()> {
        let config = release["spec"]["providerConfigRef"]["name"].as_str().context("a configuration")?.to_owned();
        let deleted = !release["metadata"]["deletionTimestamp"].is_null();
        if !managed::has_finalizer(release) {
            if deleted {
                return Ok(());
            }
            self.connection.create(CONFIG_USAGES, releases::usage(CONFIG_USAGES, release)).await?;
            return self.patch(&RELEASES, release, managed::with_finalizer(release)).await;
        }
        let target = self.target(&config);
        if deleted {
            if self.is_held(release) {
                return self.say(&RELEASES, release, &[managed::deleting()], json!({})).await;
            }
            if managed::may_delete(release) && target.is_none() {
                let said = [managed::unsynced("cannot connect to the cluster"), managed::deleting()];
                return self.say(&RELEASES, release, &said, json!({})).await;
            }
            return self.patch(&RELEASES, release, managed::without_finalizer(release)).await;
        }
        let Some(target) = target else {
            let said = [managed::unsynced("connect failed: cannot reach the cluster"), managed::waiting()];
            return self.say(&RELEASES, release, &said, json!({})).await;
        };
        if !managed::is_ready(release) {
            releases::deploy(&self.schemas, &target, release)?;
        }
        let says = json!({"state": "deployed", "revision": 1});
        self.say(&RELEASES, release, &managed::available(release), says).await
    }

    /// The cluster that a configuration leads to, while its Secret is there and the cluster runs.
    fn target(&self, config: &str) -> Option<Kubectl> {
        let config = self.world.object(&HELM_CONFIGS, config)?;
        let secret = &config["spec"]["credentials"]["secretRef"]["name"];
        // The Secret is there as long as what writes it.
        let writes = |it: &Value| it["spec"]["writeConnectionSecretToRef"]["name"] == *secret;
        let mut writers = ROWS.iter().flat_map(|row| self.world.of_kind(row.kind)).filter(writes);
        writers
            .any(|writer| managed::is_ready(&writer))
            .then(|| self.clusters.kubectl(config["metadata"]["name"].as_str()?))?
    }

    /// A configuration is in use while a Release uses it, and does not go before.
    async fn config(&mut self, config: &Value) -> Result<()> {
        let name = &config["metadata"]["name"];
        let usages = self.world.of_kind(CONFIG_USAGES);
        let users = usages.iter().filter(|usage| usage["providerConfigRef"]["name"] == *name).count();
        let held = managed::has(config, releases::IN_USE);
        let deleted = !config["metadata"]["deletionTimestamp"].is_null();
        match (users > 0, held) {
            (true, false) if !deleted => {
                self.patch(&HELM_CONFIGS, config, managed::with(config, releases::IN_USE)).await
            }
            (false, true) if deleted => {
                self.patch(&HELM_CONFIGS, config, managed::without(config, releases::IN_USE)).await
            }
            _ => Ok(()),
        }
    }

    async fn patch(&mut self, kind: &'static ApiResource, seen: &Value, patch: Value) -> Result<()> {
        let mut patched = self.connection.patch(kind, seen, patch).await?;
        patched["apiVersion"] = kind.api_version.into();
        patched["kind"] = kind.kind.into();
        // The last finalizer takes the object along: the watch says that it is gone.
        let gone = !patched["metadata"]["deletionTimestamp"].is_null() && patched["metadata"]["finalizers"].is_null();
        if !gone {
            self.world.take(kind, Change::Is(patched));
        }
        Ok(())
    }

    /// Sets conditions, and what the provider says of the object, unless they are so already.
    async fn say(&mut self, kind: &'static ApiResource, object: &Value, said: &[Value], at: Value) -> Result<()> {
        let Some(status) = managed::status(object, said, at) else { return Ok(()) };
        let patched = self.connection.patch_status(kind, object, &status).await?;
        self.world.take(kind, Change::Is(patched));
        Ok(())
    }
}
