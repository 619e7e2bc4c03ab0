//! Plays the providers of the clouds and provider-helm, through the API server only: what `--settled` takes for granted of an object
//! is what they report of it here.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result};
use contract::catalog::{ApiResource, Scope};
use futures_util::StreamExt as _;
use futures_util::stream::select_all;
use inference::modelplane::resources::{INFERENCE_GATEWAYS, INFRASTRUCTURE, NEBIUS_CLUSTERS};
use serde_json::{Value, json};
use tests::real::access::named;
use tests::real::processes::progress;
use tokio::runtime::Runtime;
use tokio::task::block_in_place;
use toolbox::ready;
use toolbox::resources::{OBJECTS, RELEASES};

use super::packages;
use super::sources::{HERE, Source};
use super::targets::Targets;
use crate::clusters::connection::Connection;
use crate::clusters::google;
use crate::clusters::managed;
use crate::clusters::new_clusters::NewClusters;
use crate::clusters::schemas::Schemas;
use crate::clusters::world::World;
use crate::gpu_clusters::NAMESPACE;
use crate::plane::Plane;

const SECRETS: &ApiResource =
    &ApiResource { api_version: "v1", kind: "Secret", plural: "secrets", scope: Scope::Namespaced };
/// Crossplane's providers leave an object with this annotation alone.
const PAUSED: &str = "crossplane.io/paused";
/// How often it looks.
const TICK: Duration = Duration::from_millis(250);
/// How long a cloud takes for anything.
const TAKES: Duration = Duration::from_millis(300);

/// The running stand-in. It ends when it is dropped.
pub(crate) struct FleetStandIn {
    /// The new clusters.
    pub(crate) clusters: Arc<NewClusters>,
    /// What there is, and what has gone.
    pub(crate) world: Arc<World>,
    /// When it was started.
    pub(super) started: Instant,
    lost: Arc<Mutex<BTreeSet<String>>>,
    held: Arc<Mutex<BTreeSet<String>>>,
    last: Arc<Mutex<BTreeMap<String, BTreeSet<String>>>>,
    over: Arc<AtomicBool>,
    threads: Vec<JoinHandle<()>>,
    _runtime: Runtime,
}

impl FleetStandIn {
    /// Starts it, for these clusters and for the gateway of the control plane.
    pub(crate) fn start(plane: &Plane, schemas: Schemas, sources: &'static [Source]) -> Result<Self> {
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build()?;
        let google_key = google::serve(&runtime)?;
        let connection = runtime.block_on(Connection::to(NAMESPACE, plane.administrator.kubeconfig()))?;
        let with_pods = sources.iter().filter(|source| source.has_pods).map(|source| source.name).collect();
        let clusters = NewClusters::with_pods(plane.etcd(), plane.folder("fleet-clusters")?, with_pods);
        clusters.adopt(HERE, &plane.administrator);
        let (held, lost, last) = (Arc::default(), Arc::default(), Arc::default());
        let over = Arc::new(AtomicBool::new(false));
        let world: Arc<World> = Arc::default();
        let targets = Targets { schemas, clusters: Arc::clone(&clusters) };
        let targets = Arc::new(targets);
        let mut player = FleetPlayer {
            sources,
            connection,
            google_key,
            targets: Arc::clone(&targets),
            world: Arc::clone(&world),
            clusters: Arc::clone(&clusters),
            held: Arc::clone(&held),
            lost: Arc::clone(&lost),
            last: Arc::clone(&last),
            since: BTreeMap::new(),
            troubles: BTreeSet::new(),
        };
        let (handle, end) = (runtime.handle().clone(), Arc::clone(&over));
        let player = thread::spawn(move || handle.block_on(player.play(&end)));
        let end = Arc::clone(&over);
        let names = sources.iter().map(|source| source.name);
        let on_targets = thread::spawn(move || targets.play(names, &end));
        let (threads, started) = (vec![player, on_targets], Instant::now());
        Ok(Self { clusters, world, started, lost, held, last, over, threads, _runtime: runtime })
    }

    /// From now on the cloud does not finish objects of this kind, or with this composition resource name, for a cluster.
    pub(super) fn hold(&self, what: &str, cluster: &str) {
        lock(&self.held).insert(held(what, cluster));
    }

    /// The cloud finishes them.
    pub(super) fn relent(&self, what: &str, cluster: &str) {
        lock(&self.held).remove(&held(what, cluster));
    }

    /// From now on nothing of a cluster is ready.
    pub(super) fn lose(&self, cluster: &str) {
        lock(&self.lost).insert(cluster.to_owned());
    }

    /// It is ready again.
    pub(super) fn find(&self, cluster: &str) {
        lock(&self.lost).remove(cluster);
    }

    /// The storage classes of a cluster at the moment when its API server ended.
    pub(super) fn last_seen(&self, cluster: &str) -> Option<BTreeSet<String>> {
        lock(&self.last).get(cluster).cloned()
    }
}

impl Drop for FleetStandIn {
    fn drop(&mut self) {
        self.over.store(true, Ordering::Relaxed);
        self.threads.drain(..).for_each(|thread| drop(thread.join()));
    }
}

fn held(what: &str, cluster: &str) -> String {
    format!("{what} of {cluster}")
}

fn lock<T>(of: &Mutex<T>) -> MutexGuard<'_, T> {
    of.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The thread of the stand-in.
struct FleetPlayer {
    sources: &'static [Source],
    connection: Connection,
    google_key: String,
    targets: Arc<Targets>,
    world: Arc<World>,
    clusters: Arc<NewClusters>,
    held: Arc<Mutex<BTreeSet<String>>>,
    lost: Arc<Mutex<BTreeSet<String>>>,
    /// The storage classes of clusters that have ended.
    last: Arc<Mutex<BTreeMap<String, BTreeSet<String>>>>,
    /// When the cloud was asked for objects, or to delete them, by uid.
    since: BTreeMap<(String, bool), Instant>,
    /// What has gone wrong. Each is printed once.
    troubles: BTreeSet<String>,
}

impl FleetPlayer {
    async fn play(&mut self, over: &AtomicBool) {
        let watched = packages::composed().into_iter().filter(|kind| kind.scope == Scope::Namespaced);
        let mut changes = select_all(watched.map(|kind| {
            let changes = self.connection.watch(kind);
            changes.map(move |change| (kind, change)).boxed()
        }));
        let managed: Vec<_> = packages::brought().into_iter().filter(|kind| kind.kind != "ProviderConfig").collect();
        let mut tick = tokio::time::interval(TICK);
        tick.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
        while !over.load(Ordering::Relaxed) {
            tokio::select! {
                biased; // a look takes long, and is at what there is

                Some((kind, change)) = changes.next() => self.world.take(kind, change),
                _ = tick.tick() => self.look(&managed).await,
            }
        }
    }

    async fn look(&mut self, managed: &[&'static ApiResource]) {
        for kind in managed {
            for object in self.world.of_kind(kind) {
                let outcome = self.manage(kind, &object).await;
                self.note(kind, &object, outcome);
            }
        }
        for object in self.world.of_kind(&OBJECTS) {
            if self.is_in_nebius(&object) {
                let outcome = self.in_nebius(&object).await;
                self.note(&OBJECTS, &object, outcome);
            }
        }
    }

    /// The next look tries again what has failed: mostly the object has changed meanwhile.
    fn note(&mut self, kind: &ApiResource, object: &Value, outcome: Result<()>) {
        let Err(error) = outcome else { return };
        let text = format!("{error:#}");
        if text.contains("the object has been modified") || text.contains("not found") {
            return;
        }
        let trouble = format!("platform: {} {}: {text}", named(kind), object["metadata"]["name"]);
        if self.troubles.insert(trouble.clone()) {
            progress(&trouble);
        }
    }

    /// Does the next thing that a provider does.
    async fn manage(&mut self, kind: &'static ApiResource, object: &Value) -> Result<()> {
        let deleted = !object["metadata"]["deletionTimestamp"].is_null();
        if !managed::has_finalizer(object) {
            return if deleted { Ok(()) } else { self.patch(kind, object, managed::with_finalizer(object)).await };
        }
        let cluster = self.cluster_of(object).unwrap_or_default();
        let is_held = self.is_held(kind, object, &cluster);
        let since = self.asked(object, deleted);
        if deleted {
            if is_held || since.elapsed() < TAKES {
                return self.say(kind, object, &[managed::deleting()], &json!({})).await;
            }
            if kind == &RELEASES && managed::may_delete(object) && !self.reaches(&cluster) {
                let said = [managed::unsynced("cannot connect to the cluster"), managed::deleting()];
                return self.say(kind, object, &said, &json!({})).await;
            }
            if self.is_control_plane(&cluster, kind) {
                let last = block_in_place(|| self.targets.storage_classes(&cluster))?;
                lock(&self.last).entry(cluster.clone()).or_insert(last);
                block_in_place(|| self.clusters.end(&cluster));
            }
            if let Some(secret) = connection_secret(object) {
                self.connection.delete(SECRETS, secret).await?;
            }
            return self.patch(kind, object, managed::without_finalizer(object)).await;
        }
        let up = ready::added(object);
        if managed::external_name(object).is_empty() && !is_held {
            let name = managed::external_name(&up).to_owned();
            return self.patch(kind, object, managed::with_external_name(&name)).await;
        }
        if lock(&self.lost).contains(&cluster) {
            return self.say(kind, object, &[managed::unavailable()], &json!({})).await;
        }
        let made = !is_held && since.elapsed() >= TAKES;
        let made = made && (!self.is_control_plane(&cluster, kind) || self.clusters.started(&cluster)?);
        if !made || (kind == &RELEASES || kind.kind == "ClusterAuth") && !self.reaches(&cluster) {
            return self.say(kind, object, &managed::creating(), &json!({})).await;
        }
        if !managed::is_ready(object) {
            if kind == &RELEASES {
                block_in_place(|| self.targets.deploy(&cluster, object))?;
            }
            if let Some(secret) = connection_secret(object) {
                self.write_secret(object, &cluster, secret).await?;
            }
        }
        self.say(kind, object, &managed::available(object), &up["status"]["atProvider"]).await
    }

    /// The Objects of a cluster in Nebius. provider-kubernetes is told to leave them alone.
    async fn in_nebius(&mut self, object: &Value) -> Result<()> {
        if object["metadata"]["annotations"][PAUSED] != "true" {
            return self.patch(&OBJECTS, object, json!({"metadata": {"annotations": {PAUSED: "true"}}})).await;
        }
        self.manage(&OBJECTS, object).await
    }

    fn is_in_nebius(&self, object: &Value) -> bool {
        let Some(cluster) = self.cluster_of(object) else { return false };
        self.world.object(&NEBIUS_CLUSTERS, &cluster).is_some()
    }

    /// The cluster that an object belongs to, by the names of what controls it.
    fn cluster_of(&self, object: &Value) -> Option<String> {
        let owners = object["metadata"]["ownerReferences"].as_array()?;
        let owner = owners.iter().find(|it| it["controller"] == true)?;
        if owner["kind"] == INFERENCE_GATEWAYS.kind {
            return Some(HERE.to_owned());
        }
        let owner = owner["name"].as_str().filter(|_| owner["apiVersion"] == INFRASTRUCTURE)?;
        self.sources
            .iter()
            .map(|it| it.name)
            .find(|name| owner == *name || owner.starts_with(&format!("{name}-")))
            .map(str::to_owned)
    }

    fn is_held(&self, kind: &ApiResource, object: &Value, cluster: &str) -> bool {
        let key = object["metadata"]["annotations"]["crossplane.io/composition-resource-name"].as_str();
        let all = lock(&self.held);
        key.into_iter().chain([kind.kind]).any(|what| all.contains(&held(what, cluster)))
    }

    /// Whether an object is the control plane of its cluster.
    fn is_control_plane(&self, cluster: &str, kind: &ApiResource) -> bool {
        let source = self.sources.iter().find(|source| source.name == cluster);
        source.is_some_and(|source| source.control_plane == kind.kind)
    }

    /// Whether the API server of a cluster runs. Who holds it last ends its connection, which takes a moment.
    fn reaches(&self, cluster: &str) -> bool {
        block_in_place(|| self.clusters.kubectl(cluster).is_some())
    }

    fn asked(&mut self, object: &Value, deleted: bool) -> Instant {
        let uid = object["metadata"]["uid"].as_str().unwrap_or_default().to_owned();
        *self.since.entry((uid, deleted)).or_insert_with(Instant::now)
    }

    /// Writes the Secret with the kubeconfig, or with the key of a service account. In Google Cloud the kubeconfig has no
    /// credentials.
    async fn write_secret(&self, object: &Value, cluster: &str, secret: &str) -> Result<()> {
        let group = object["apiVersion"].as_str().unwrap_or_default();
        let data = match object["kind"].as_str() {
            Some("ServiceAccountKey") => json!({"private_key": self.google_key}),
            _ => {
                let kubeconfig = block_in_place(|| self.clusters.kubeconfig(cluster, !group.contains("gcp")))?;
                json!({ "kubeconfig": kubeconfig })
            }
        };
        let secret = json!({
            "apiVersion": SECRETS.api_version,
            "kind": SECRETS.kind,
            "metadata": {"name": secret, "namespace": NAMESPACE, "ownerReferences": [managed::controller(object)]},
            "type": "connection.crossplane.io/v1alpha1",
            "stringData": data,
        });
        self.connection.create(SECRETS, secret).await
    }

    async fn patch(&mut self, kind: &'static ApiResource, seen: &Value, patch: Value) -> Result<()> {
        let mut patched = self.connection.patch(kind, seen, patch).await?;
        patched["apiVersion"] = kind.api_version.into();
        patched["kind"] = kind.kind.into();
        // The last finalizer takes the object along: the watch says that it is gone.
        let gone = !patched["metadata"]["deletionTimestamp"].is_null() && patched["metadata"]["finalizers"].is_null();
        if !gone {
            self.world.take(kind, crate::clusters::connection::Change::Is(patched));
        }
        Ok(())
    }

    /// Sets conditions, and what the provider says of the object, unless they are so already.
    async fn say(&mut self, kind: &'static ApiResource, object: &Value, said: &[Value], at: &Value) -> Result<()> {
        let Some(status) = managed::status(object, said, at.clone()) else { return Ok(()) };
        let patched = self.connection.patch_status(kind, object, &status).await.context("its status")?;
        self.world.take(kind, crate::clusters::connection::Change::Is(patched));
        Ok(())
    }
}

fn connection_secret(object: &Value) -> Option<&str> {
    object["spec"]["writeConnectionSecretToRef"]["name"].as_str()
}
