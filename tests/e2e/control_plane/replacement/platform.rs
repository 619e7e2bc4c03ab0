//! The platform side while one takes the other's place: the two clusters of the models, one in a cloud, and the gateway of the
//! control plane, each with all that it leads to.

use std::thread::sleep;
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, ensure};
use contract::catalog::ApiResource;
use inference::modelplane::resources::{INFERENCE_CLUSTERS, INFERENCE_GATEWAYS, MODEL_REPLICAS};
use serde_json::{Value, json};
use tests::files::workspace;
use tests::real::processes::{eventually, progress};
use tests::real::watching::Which;
use tests::skipped::skip;
use toolbox::resources::{GATEWAY_CLASSES, GATEWAYS, RELEASES};

use super::objects::replica_name;
use crate::clusters::managed::is_ready;
use crate::clusters::schemas::Schemas;
use crate::composites::{self, Versions, condition, unchanged, version};
use crate::gpu_clusters::{GATEWAY, GpuClusters, NAMESPACE};
use crate::inference_clusters::cascade::{self, Objects};
use crate::inference_clusters::existence;
use crate::inference_clusters::packages;
use crate::inference_clusters::sources::{Source, provided, source};
use crate::inference_clusters::stand_in::FleetStandIn;
use crate::inference_clusters::teardown::went_in_order;
use crate::models::{LIMIT, Models};
use crate::plane::Plane;
use crate::resources::DEFINITIONS;

/// The clusters of the first day, as `examples/modelplane/clusters.yaml` has them, and one in a cloud that Modelplane makes.
const IN_A_CLOUD_FIRST: Source = source("gke-one", "clusters", "l4-single", "Cluster").with_pods();
const OWN_FIRST: Source = source("byo", "clusters", "h100-existing", "").with_pods();
const IN_A_CLOUD: Source = source("gke-eu", "cluster-gke", "gke-l4-1x-g2", "Cluster");
const SOURCES: &[Source] =
    &[source("gpu-east", "", "", ""), source("gpu-west", "", "", ""), IN_A_CLOUD_FIRST, OWN_FIRST, IN_A_CLOUD];
/// The names of those of the first day.
const FIRST: [&str; 2] = [IN_A_CLOUD_FIRST.name, OWN_FIRST.name];
/// For so long nothing is written.
const QUIET: Duration = Duration::from_secs(8);
/// The commands that delete the gateway.
const DELETED: &str = "docs/fleet-clusters.md#delete-the-platform";
/// The Release of the gateway of the control plane.
const TRAEFIK: &str = "default InferenceGateway/traefik";

/// Usages that one of both alone composes (`docs/differences.md`): those of v0.3.1 are the wrong way round.
const OF_ONE: &[&str] = &[
    "default InferenceGateway/usage-gateway-by-traefik",
    "default InferenceGateway/usage-gateway-class-by-traefik",
    "default InferenceGateway/usage-traefik-by-gateway",
    "default InferenceGateway/usage-traefik-by-gateway-class",
];

/// What is composed and composes: its revision of the Composition is part of its spec, so that changes.
const COMPOSITES: &[&str] = &["InferenceCluster/gke-cluster", "InferenceCluster/serving-stack"];

/// The clusters and the gateway.
pub(super) struct PlatformSide<'a> {
    plane: &'a Plane,
    clusters: &'a GpuClusters,
    stand_in: FleetStandIn,
}

impl<'a> PlatformSide<'a> {
    /// Installs the providers, and starts who plays their clouds. `None` without the schemas of their kinds.
    pub(super) fn start(plane: &'a Plane, clusters: &'a GpuClusters) -> Result<Option<Self>> {
        let Some(schemas) = Schemas::open()? else {
            skip(SOURCES.len() + 1, "clusters and a gateway", "the folder with schemas (`SAILPLANE_CRDS`)");
            plane.shown.leave_out(DELETED);
            return Ok(None);
        };
        packages::install(plane, &schemas)?;
        plane.administrator.apply_all(&provided()?)?;
        let stand_in = FleetStandIn::start(plane, schemas, SOURCES)?;
        for cluster in clusters.all() {
            stand_in.clusters.adopt(cluster.name, &cluster.kubectl);
        }
        Ok(Some(Self { plane, clusters, stand_in }))
    }

    /// The gateway and the clusters of the models are composed from now on, and those of the first day.
    pub(super) fn begins(&self) -> Result<()> {
        let administrator = &self.plane.administrator;
        administrator.apply_path(&workspace().join("examples/modelplane/classes.yaml"))?;
        self.clusters.hand_over()?;
        administrator.apply_path(&workspace().join(format!("examples/modelplane/{}.yaml", OWN_FIRST.example)))?;
        eventually("its API server runs", LIMIT, || {
            ensure!(self.stand_in.clusters.started(OWN_FIRST.name)?, "it is starting");
            Ok(())
        })?;
        administrator.apply(&json!({
            "apiVersion": "v1", "kind": "Secret",
            "metadata": {"name": "byo-kubeconfig", "namespace": NAMESPACE},
            "stringData": {"kubeconfig": self.stand_in.clusters.kubeconfig(OWN_FIRST.name, true)?},
        }))?;
        self.settled()?;
        let gateway = administrator.only(Which::all(&INFERENCE_GATEWAYS).named(GATEWAY))?;
        let found = self.found(&INFERENCE_GATEWAYS, GATEWAY)?;
        existence::have_waited(self.plane, &[GATEWAY, "modelplane-in-cluster"], &[&gateway], &found)
    }

    /// Waits until the clusters of the first day take models: replicas stay where they were placed, so each needs its place.
    pub(super) fn first_are_ready(&self) -> Result<()> {
        FIRST.iter().try_for_each(|name| {
            let which = Which::all(&INFERENCE_CLUSTERS).named(name);
            self.plane.kubectl.until_it("it takes models", which, LIMIT, |cluster| {
                let address = &cluster["status"]["gateway"]["address"];
                ensure!(is_ready(cluster) && address.is_string(), "it says {}", cluster["status"]["conditions"]);
                Ok(())
            })
        })
    }

    /// Those that come later take no models yet, or do.
    pub(super) fn are_reserved(&self, reserved: bool) -> Result<()> {
        let taints = if reserved { taint("NoSchedule") } else { json!([]) };
        self.clusters.all().iter().try_for_each(|cluster| self.clusters.taint(cluster, &taints))
    }

    /// A deployment has a replica on each cluster of the first day, and another place for one when its cluster is drained.
    pub(super) fn drains(&self, models: &Models<'_>, deployment: &str) -> Result<()> {
        let mut names = FIRST.map(|cluster| replica_name(deployment, cluster));
        names.sort_unstable();
        models.serves(deployment, &names.each_ref().map(String::as_str))?;
        progress("replacement: the first models are served, in a cloud too");

        let drained = json!({"spec": {"taints": taint("NoExecute")}});
        self.plane.administrator.patch(&[INFERENCE_CLUSTERS.plural, IN_A_CLOUD_FIRST.name], &drained)?;
        let selector = format!("modelplane.ai/deployment={deployment}");
        let replicas = Which::all(&MODEL_REPLICAS).within(models.namespace).labelled(&selector);
        self.plane.kubectl.until("the model is served elsewhere", replicas, LIMIT, |replicas| {
            let is_elsewhere = |it: &Value| is_ready(it) && it["spec"]["clusterName"] == OWN_FIRST.name;
            ensure!(replicas.len() == 2 && replicas.values().all(is_elsewhere), "there are {:?}", replicas.keys());
            Ok(())
        })
    }

    /// Deletes the clusters of the first day: all is gone that models had there.
    pub(super) fn shrinks(&self) -> Result<()> {
        self.deletes(&FIRST.map(|name| (&INFERENCE_CLUSTERS, name)))
    }

    /// There is a cluster in a cloud too.
    pub(super) fn grows(&self) -> Result<()> {
        self.plane.administrator.apply(&IN_A_CLOUD.manifest()?)?;
        self.settled()
    }

    /// Waits until all of it is ready, and nothing of it is written for a while.
    pub(super) fn settled(&self) -> Result<()> {
        let ready = || {
            in_order().try_for_each(|(resource, name)| {
                let all = self.plane.administrator.list(Which::all(resource).named(name))?;
                let unready = all.values().find(|it| !is_ready(it));
                ensure!(unready.is_none(), "{name} says {:?}", unready.map(|it| &it["status"]["conditions"]));
                Ok(())
            })
        };
        eventually("the platform side has settled", LIMIT, || {
            ready()?;
            let before = self.versions()?;
            sleep(QUIET);
            unchanged(&before, &self.versions()?)?;
            ready()
        })
    }

    /// While our function is dead, everything stays; once it is back, it is as before.
    pub(super) fn outlives_function(&self) -> Result<()> {
        let (before, function) = (self.versions()?, &self.plane.function);
        function.take()?.kill();
        for (resource, name) in in_order() {
            let nudge = ["annotate", "--overwrite", resource.plural, name, "tests.sailplane/function=dead"];
            self.plane.administrator.run(&nudge)?;
        }
        function.missed()?;
        sleep(QUIET);
        let meanwhile = kept(&before, &self.versions()?).context("without the function");
        function.restart()?;
        meanwhile?;
        self.settled()?;
        kept(&before, &self.versions()?).context("with the function again")?;
        progress("replacement: the function was dead, and is back");
        Ok(())
    }

    /// While a definition that the gateway needs is not established, everything stays.
    pub(super) fn outlives_definition(&self) -> Result<()> {
        let (before, kubectl) = (self.versions()?, &self.plane.administrator);
        let which = Which::all(DEFINITIONS).named("gateways.gateway.networking.k8s.io");
        let mut definition = kubectl.only(which)?;
        let was = condition(&definition, "Established");
        let all = definition["status"]["conditions"].as_array_mut().into_iter().flatten();
        all.filter(|it| it["type"] == "Established").for_each(|it| it["status"] = "False".into());
        kubectl.watching()?.patch_status(which, &definition["status"])?;
        // The API server establishes it again after some seconds.
        kubectl.until_it("the definition is established again", which, LIMIT, |definition| {
            let is = condition(definition, "Established");
            ensure!(is["status"] == "True" && is["lastTransitionTime"] != was["lastTransitionTime"], "it says {is}");
            Ok(())
        })?;
        self.settled()?;
        kept(&before, &self.versions()?).context("without an established definition")?;
        progress("replacement: a definition of the gateway was not established, and is again");
        Ok(())
    }

    /// The versions of all that the clusters and the gateway lead to.
    pub(super) fn versions(&self) -> Result<Versions> {
        let mut versions = Versions::new();
        for (key, object) in self.all(&in_order().collect::<Vec<_>>())? {
            let (_, version) = version(&object)?;
            versions.insert(key, version);
        }
        Ok(versions)
    }

    /// Deletes the clusters, and then the gateway: nothing is left of them, and Traefik goes last.
    pub(super) fn goes(&self) -> Result<()> {
        let (clusters, gateway): (Vec<_>, Vec<_>) =
            in_order().partition(|(resource, _)| *resource == &INFERENCE_CLUSTERS);
        self.deletes(&clusters)?;
        let (found, begin) = (self.all(&gateway)?, Instant::now());
        self.plane.shown.run(DELETED)?;
        self.gone(&gateway, &found)?;
        // What reaches the control plane itself stays until the charts there are gone.
        went_in_order(&self.stand_in.world, &found, begin, |of| of["kind"] == "ProviderConfig")
    }

    /// Deletes clusters once nothing holds them: a deletion that Usages hold is refused.
    fn deletes(&self, clusters: &[(&ApiResource, &str)]) -> Result<()> {
        eventually("nothing holds the clusters", LIMIT, || {
            for (resource, name) in clusters {
                let found = self.found(resource, name)?;
                let held = ["replicas", "caches"].map(|it| found.contains_key(&format!("InferenceCluster/usage-{it}")));
                ensure!(held == [false, false], "replicas and caches hold {name}: {held:?}");
                // A Usage that the cluster refers to no more goes a moment later, and takes the label along.
                let cluster = self.plane.administrator.list(Which::all(resource).named(name))?;
                let is_used = |it: &Value| it["metadata"]["labels"]["crossplane.io/in-use"] == "true";
                ensure!(!cluster.values().any(is_used), "{name} is in use");
            }
            Ok(())
        })?;
        let (found, begin) = (self.all(clusters)?, Instant::now());
        for (resource, name) in clusters {
            let delete =
                ["delete", "--wait=false", "--ignore-not-found", "--cascade=foreground", resource.plural, name];
            self.plane.administrator.run(&delete)?;
        }
        self.gone(clusters, &found)?;
        went_in_order(&self.stand_in.world, &found, begin, |_| true)
    }

    fn gone(&self, composites: &[(&ApiResource, &str)], found: &Objects) -> Result<()> {
        let kubectl = &self.plane.administrator;
        for (resource, name) in composites {
            eventually(&format!("{name} is gone"), LIMIT, || {
                self.traefik_outlives(found)?;
                let left = self.found(resource, name)?;
                ensure!(kubectl.list(Which::all(resource).named(name))?.is_empty(), "left: {:?}", left.keys());
                Ok(())
            })?;
            progress(&format!("replacement: {name} is gone"));
        }
        let left = cascade::left(kubectl, found)?;
        ensure!(left.is_empty(), "left are {left:?}");
        Ok(())
    }

    /// All that composites lead to, by `COMPOSITE KIND/NAME`.
    fn all(&self, composites: &[(&ApiResource, &str)]) -> Result<Objects> {
        let mut all = Objects::new();
        for (resource, name) in composites {
            let of_one = self.found(resource, name)?;
            all.extend(of_one.into_iter().map(|(key, object)| (format!("{name} {key}"), object)));
        }
        Ok(all)
    }

    /// Uninstalls the providers, and installs the definitions of Gateway API again, which have gone with the gateway.
    pub(super) fn end(self) -> Result<()> {
        let plane = self.plane;
        drop(self);
        let left = packages::uninstall(plane);
        left.and(plane.install_definitions())
    }

    /// While there are a Gateway and its class, there is the Release of the software that takes their finalizers.
    fn traefik_outlives(&self, found: &Objects) -> Result<()> {
        let Some(release) = found.get(TRAEFIK).and_then(|it| it["metadata"]["name"].as_str()) else { return Ok(()) };
        let kubectl = &self.plane.administrator;
        if kubectl.list(Which::all(&RELEASES).within(NAMESPACE).named(release))?.is_empty() {
            // After their definitions nothing of their kind can be listed.
            for which in [Which::all(&GATEWAY_CLASSES).named("traefik"), Which::all(&GATEWAYS).within(NAMESPACE)] {
                let left = kubectl.list(which).unwrap_or_default();
                assert!(left.is_empty(), "Traefik has gone before {:?}", left.keys());
            }
        }
        Ok(())
    }

    fn found(&self, resource: &ApiResource, name: &str) -> Result<Objects> {
        cascade::found_of(&self.plane.administrator, Which::all(resource).named(name))
    }
}

/// The composites that last, in the order in which they go.
fn in_order() -> impl Iterator<Item = (&'static ApiResource, &'static str)> {
    let lasting = SOURCES.iter().filter(|source| !FIRST.contains(&source.name));
    let clusters = lasting.map(|source| (&INFERENCE_CLUSTERS, source.name));
    clusters.chain([(&INFERENCE_GATEWAYS, GATEWAY)])
}

fn taint(effect: &str) -> Value {
    json!([{"key": "tests", "value": "drained", "effect": effect}])
}

/// Every object is the same one and has the same spec, but for the Usages that one of both alone composes.
pub(super) fn kept(before: &Versions, after: &Versions) -> Result<()> {
    let lasting = |versions: &Versions| -> Versions {
        let lasting = versions.iter().filter(|(key, _)| !OF_ONE.contains(&key.as_str()));
        lasting.map(|(key, it)| (key.clone(), it.clone())).collect()
    };
    composites::kept(&lasting(before), &lasting(after))?;
    let changed = lasting(before).into_iter().filter(|(key, it)| after[key].generation != it.generation);
    let changed: Vec<_> = changed.map(|(key, _)| key).collect();
    let is_composite = |key: &String| COMPOSITES.iter().any(|name| key.ends_with(name));
    ensure!(changed.iter().all(is_composite), "changed are {changed:?}");
    Ok(())
}
