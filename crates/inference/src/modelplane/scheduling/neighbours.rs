//! Reads the clusters and replicas that lookups find: a thousand of each in one call, so everything is borrowed.
//!
//! One that is malformed must not stop every deployment. It is left out, and named. A replica of the deployment itself is
//! not left out but held, because nobody knows whether it still fits. So are those on a cluster that is malformed.

use std::borrow::Cow;
use std::collections::BTreeSet;

use contract::types::ObservedObject;
use quantity::order::sorted;
use serde::de::Error;
use serde::{Deserialize, Deserializer};
use serde_json::Value;
use toolbox::entries::set;
use toolbox::fields::{self, field};
use toolbox::path;

use super::keys;
use crate::modelplane::cluster::Cluster;
use crate::modelplane::engines::integer;
use crate::modelplane::lookups::{Source, raw};
use crate::modelplane::resources::{INFERENCE_CLUSTERS, MODEL_REPLICAS};
use crate::modelplane::selectors::DeviceLists;

/// The texts of all neighbours.
pub struct Sources<'a> {
    clusters: Vec<Text<'a>>,
    replicas: Vec<Text<'a>>,
    /// Replicas that are composed, by key.
    composed: Vec<(&'a str, Text<'a>)>,
}

/// An object and its text.
struct Text<'a> {
    object: &'a ObservedObject,
    source: Source<'a>,
}

/// The clusters that the deployment may use, and the replicas of all deployments.
pub struct Neighbours<'a> {
    /// The clusters, in the order of the lookup.
    pub clusters: Vec<FleetCluster<'a>>,
    /// The devices of their pools.
    pub devices: DeviceLists<'a>,
    /// The classes of pools, by their list of devices, where somebody asks for classes. Empty where nobody does.
    pub classes: Vec<String>,
    /// The replicas. Of other deployments only those that can be read.
    pub replicas: Vec<Neighbour<'a>>,
    /// What cannot be read.
    pub malformed: Vec<Malformed>,
}

/// A cluster, with the devices of its pools: numbers of lists.
pub struct FleetCluster<'a> {
    /// What is read of it.
    pub read: Cluster<'a>,
    /// For each of its pools a list of devices.
    pub devices: Vec<usize>,
}

/// A replica.
pub struct Neighbour<'a> {
    /// Its name.
    pub name: &'a str,
    /// Its namespace.
    pub namespace: &'a str,
    /// The cluster that it is on. Empty when it says none.
    pub cluster: &'a str,
    /// Its index on that cluster.
    pub index: i64,
    /// Whether a label gives the index.
    labelled: bool,
    /// Whether it is of the deployment itself.
    pub ours: bool,
    /// Whether somebody wants it to be placed anew.
    pub evicted: bool,
    /// Its engines. `None` when it cannot be judged: then it is held.
    pub engines: Option<Vec<NeighbourEngine<'a>>>,
    /// The object.
    pub object: &'a ObservedObject,
}

/// A neighbour that cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Malformed {
    /// Its kind.
    pub kind: &'static str,
    /// Its namespace, if it has one, and its name. Empty when nobody knows them.
    pub name: String,
}

/// An engine of a replica.
#[derive(Default, Deserialize)]
#[serde(default)]
pub struct NeighbourEngine<'a> {
    #[serde(borrow)]
    /// Its name.
    pub name: Cow<'a, str>,
    copies: Option<u64>,
    #[serde(borrow)]
    members: Option<Vec<NeighbourMember<'a>>>,
}

/// A member of an engine of a replica.
#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct NeighbourMember<'a> {
    /// Its role. `None` for the only member.
    pub role: Option<&'a str>,
    /// The pool that it is pinned to.
    pub node_pool_name: Option<&'a str>,
    #[serde(borrow, deserialize_with = "requests")]
    device_requests: &'a str,
    worker: Option<NeighbourWorker>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct NeighbourWorker {
    nodes: Option<u64>,
}

impl<'a> NeighbourEngine<'a> {
    /// The members.
    pub fn members(&self) -> &[NeighbourMember<'a>] {
        self.members.as_deref().unwrap_or_default()
    }

    /// The nodes that a member takes: those of all its pods, if they claim devices.
    pub fn nodes(&self, member: &NeighbourMember<'_>) -> u64 {
        if member.requests().is_empty() {
            return 0;
        }
        let worker = member.worker.as_ref().filter(|_| member.role == Some("Worker"));
        let pods = worker.and_then(|worker| worker.nodes).unwrap_or(1);
        pods.saturating_mul(self.copies.unwrap_or(1))
    }
}

impl<'a> NeighbourMember<'a> {
    /// The list of the devices that each pod requests, as JSON text. Empty when it requests none.
    pub fn requests(&self) -> &'a str {
        let inner = self.device_requests.strip_prefix('[').and_then(|rest| rest.strip_suffix(']'));
        if inner.is_none_or(|inner| inner.trim().is_empty()) { "" } else { self.device_requests }
    }
}

/// Reads a list as the JSON text that it is. Most readers only ask whether there is something in it.
fn requests<'de, D: Deserializer<'de>>(from: D) -> Result<&'de str, D::Error> {
    let text = raw(from)?;
    if text.is_empty() || text.starts_with('[') { Ok(text) } else { Err(D::Error::custom("no list")) }
}

/// A replica as it is read. A part of the wrong type makes it malformed.
#[derive(Default, Deserialize)]
#[serde(default)]
struct ReadReplica<'a> {
    #[serde(borrow, deserialize_with = "field")]
    metadata: ReadMetadata<'a>,
    #[serde(borrow)]
    spec: Option<ReadPlace<'a>>,
}

/// What is read of an object that is malformed.
#[derive(Default, Deserialize)]
#[serde(default)]
struct ReadNamed<'a> {
    #[serde(borrow, deserialize_with = "field")]
    metadata: ReadMetadata<'a>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct ReadMetadata<'a> {
    #[serde(deserialize_with = "field")]
    name: &'a str,
    #[serde(deserialize_with = "field")]
    namespace: &'a str,
    #[serde(borrow, deserialize_with = "field")]
    labels: ReadMarks<'a>,
    #[serde(borrow, deserialize_with = "field")]
    annotations: ReadMarks<'a>,
}

/// Labels and annotations of the API.
#[derive(Default, Deserialize)]
#[serde(default)]
struct ReadMarks<'a> {
    #[serde(rename = "modelplane.ai/deployment", deserialize_with = "field")]
    deployment: &'a str,
    #[serde(rename = "modelplane.ai/cluster", deserialize_with = "field")]
    cluster: &'a str,
    /// Before clusters were called clusters.
    #[serde(rename = "modelplane.ai/environment", deserialize_with = "field")]
    environment: &'a str,
    #[serde(rename = "modelplane.ai/replica-index", deserialize_with = "field")]
    index: &'a str,
    #[serde(rename = "modelplane.ai/evict", deserialize_with = "field")]
    evict: &'a str,
}

#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct ReadPlace<'a> {
    cluster_name: Option<&'a str>,
    /// Before it was called `clusterName`.
    #[serde(borrow)]
    inference_cluster_ref: Option<ReadMetadata<'a>>,
    /// Before it was called `inferenceClusterRef`.
    #[serde(borrow)]
    inference_environment_ref: Option<ReadMetadata<'a>>,
    #[serde(borrow)]
    engines: Option<Vec<NeighbourEngine<'a>>>,
}

impl<'a> Sources<'a> {
    /// The texts of the clusters and replicas that were found, and of the replicas among what is composed, by key.
    pub fn of(
        clusters: &'a [ObservedObject],
        replicas: &'a [ObservedObject],
        composed: &[(&'a str, &'a ObservedObject)],
    ) -> Self {
        let text = |object| Text { object, source: Source::of(object) };
        let composed = composed.iter().filter(|(key, _)| keys::is_of_replica(key));
        Self {
            clusters: clusters.iter().map(text).collect(),
            replicas: replicas.iter().map(text).collect(),
            composed: composed.map(|(key, object)| (*key, text(*object))).collect(),
        }
    }
}

impl<'a> Neighbours<'a> {
    /// Reads all of them, for a deployment.
    pub fn read(sources: &'a Sources<'a>, name: &str, namespace: &str) -> Self {
        let mut found = Self {
            clusters: Vec::new(),
            devices: DeviceLists::default(),
            classes: Vec::new(),
            replicas: Vec::new(),
            malformed: Vec::new(),
        };
        let mut held = BTreeSet::new();
        for text in &sources.clusters {
            match found.cluster(text) {
                Ok(cluster) => found.clusters.push(cluster),
                Err(name) => {
                    found.malformed.push(Malformed { kind: INFERENCE_CLUSTERS.kind, name: name.clone() });
                    held.insert(name);
                }
            }
        }
        found.replicas(sources, name, namespace);
        // A cluster without a name may be that of any replica.
        let known = if held.contains("") {
            set(found.clusters.iter().map(|cluster| cluster.read.name))
        } else {
            BTreeSet::new()
        };
        let unjudged = |cluster: &str| held.contains(cluster) || held.contains("") && !known.contains(cluster);
        for replica in found.replicas.iter_mut().filter(|replica| replica.ours && unjudged(replica.cluster)) {
            replica.engines = None;
        }
        found.malformed = sorted(found.malformed, Ord::cmp);
        found
    }

    /// Reads a cluster.
    ///
    /// # Errors
    /// The name of a cluster that is malformed.
    fn cluster(&mut self, text: &'a Text<'a>) -> Result<FleetCluster<'a>, String> {
        let Some(read) = Cluster::read(&text.source) else {
            let named: ReadNamed<'_> = fields::read(text.object).unwrap_or_default();
            return Err(named.metadata.name.to_owned());
        };
        let devices: Option<Vec<_>> = read.pools.iter().map(|pool| self.devices.add(pool.devices)).collect();
        match devices {
            Some(devices) if is_sound(&read, text.object) => Ok(FleetCluster { read, devices }),
            _ => Err(read.name.to_owned()),
        }
    }

    /// Reads replicas: those that were looked up, and those that are composed. A lookup is a moment behind, which must not
    /// cost a replica.
    fn replicas(&mut self, sources: &'a Sources<'a>, deployment: &str, namespace: &str) {
        let mut composed: Vec<_> = sources.composed.iter().map(|(key, text)| (*key, Neighbour::read(text))).collect();
        for text in &sources.replicas {
            let (mut replica, of) = Neighbour::read(text);
            replica.ours = of == deployment && replica.namespace == namespace;
            let same = |(_, (other, _)): &(_, (Neighbour<'_>, _))| {
                replica.namespace == namespace && other.name == replica.name
            };
            if let Some((key, _)) = composed.iter().position(same).map(|place| composed.swap_remove(place)) {
                replica.composed_as(key);
            }
            self.add(replica);
        }
        for (key, (mut replica, _)) in composed {
            replica.composed_as(key);
            self.add(replica);
        }
    }

    fn add(&mut self, replica: Neighbour<'a>) {
        if replica.engines.is_none() {
            let name = [replica.namespace, replica.name].join("/");
            self.malformed.push(Malformed { kind: MODEL_REPLICAS.kind, name });
        }
        if replica.engines.is_some() || replica.ours && !replica.cluster.is_empty() {
            self.replicas.push(replica);
        }
    }
}

impl<'a> Neighbour<'a> {
    /// Reads a replica, and the name of its deployment.
    fn read(text: &'a Text<'a>) -> (Self, &'a str) {
        let read: Option<ReadReplica<'a>> = text.source.read();
        match read.filter(|read| !read.metadata.name.is_empty()) {
            Some(ReadReplica { metadata, spec }) => {
                let spec = spec.unwrap_or_default();
                let earlier = || Some(spec.inference_cluster_ref.or(spec.inference_environment_ref)?.name);
                let place =
                    (spec.cluster_name.or_else(earlier).unwrap_or_default(), Some(spec.engines.unwrap_or_default()));
                (Self::of(text.object, &metadata, place), metadata.labels.deployment)
            }
            None => {
                let ReadNamed { metadata } = fields::read(text.object).unwrap_or_default();
                let ReadMarks { cluster, environment, deployment, .. } = metadata.labels;
                let cluster = if cluster.is_empty() { environment } else { cluster };
                (Self::of(text.object, &metadata, (cluster, None)), deployment)
            }
        }
    }

    /// It is composed with this key, which says where it is if the object does not.
    fn composed_as(&mut self, key: &'a str) {
        self.ours = true;
        if let Some((cluster, index)) = keys::place(key) {
            if self.engines.is_none() {
                (self.cluster, self.index) = (cluster, index);
            } else if !self.labelled && self.cluster == cluster {
                self.index = index;
            }
        }
    }

    fn of(
        object: &'a ObservedObject,
        metadata: &ReadMetadata<'a>,
        (cluster, engines): (&'a str, Option<Vec<NeighbourEngine<'a>>>),
    ) -> Self {
        let index = integer(metadata.labels.index);
        Self {
            name: metadata.name,
            namespace: metadata.namespace,
            cluster,
            labelled: index.is_some(),
            index: index.unwrap_or_default(),
            ours: false,
            evicted: metadata.annotations.evict == "true",
            engines,
            object,
        }
    }
}

/// Whether a cluster is as its definition says, in all that placing depends on. What is read of it does not say whether a
/// field is absent or of the wrong type, so where it may be either the object is looked at.
fn is_sound(cluster: &Cluster<'_>, object: &ObservedObject) -> bool {
    let taints = cluster.taints.iter().all(|taint| ["NoSchedule", "NoExecute"].contains(&taint.effect));
    let named = cluster.pools.iter().all(|pool| !pool.name.is_empty());
    let unclear = cluster.pools.is_empty()
        || cluster.pools.iter().any(|pool| pool.nodes.is_none())
        || cluster.taints.is_empty() && cluster.has_taints;
    taints && named && (!unclear || object.object().is_ok_and(is_well_typed))
}

fn is_well_typed(object: &Value) -> bool {
    let objects = |at: &str| match path::get(object, at) {
        None | Some(Value::Null) => Some([].as_slice()),
        Some(Value::Array(items)) => Some(items.as_slice()).filter(|items| items.iter().all(Value::is_object)),
        Some(_) => None,
    };
    let counted = |pool: &Value| pool.get("nodes").is_none_or(|nodes| nodes.is_null() || nodes.is_i64());
    objects("spec.taints").is_some() && objects("status.gpuPools").is_some_and(|pools| pools.iter().all(counted))
}
