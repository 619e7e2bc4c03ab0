use crate::demand::Role;
use crate::taint::Taint;

/// The clusters that a deployment may use, and the devices of their pools.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Fleet<'f> {
    /// The clusters, in any order. Of several with one name the last one counts for replicas that run.
    pub clusters: Vec<Cluster<'f>>,
    /// The lists of devices that pools have. Pools with equal devices share a list.
    pub devices: Vec<Vec<Device>>,
}

/// A cluster.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Cluster<'f> {
    /// Its name.
    pub name: &'f str,
    /// Whether its condition `Ready` is true.
    pub ready: bool,
    /// Whether its gateway has an address.
    pub gateway: bool,
    /// Its taints.
    pub taints: Vec<Taint>,
    /// Its node pools. The first that suits is used, so the order matters.
    pub pools: Vec<Pool<'f>>,
}

/// A node pool.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Pool<'f> {
    /// Its name, unique in the cluster.
    pub name: &'f str,
    /// The number of its nodes.
    pub nodes: u64,
    /// The devices of each node: an index in [`Fleet::devices`].
    pub devices: usize,
    /// How many devices of each entry are free on all nodes together, as the cluster itself has observed it; `None` where it
    /// says nothing. It lowers what is free for new replicas, and never raises it. Empty without such a snapshot.
    pub free: Vec<Option<u64>>,
}

/// An entry of a pool's devices.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Device {
    /// How many of these a node has.
    pub count: u64,
    /// Whether pods claim it (DRA). Synthetic devices are only described.
    pub claimed: bool,
}

/// A replica that exists, of any deployment.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Replica<'f> {
    /// Its name, unique among all replicas.
    pub name: &'f str,
    /// The cluster that it is on. Empty when it says none.
    pub cluster: &'f str,
    /// Its index on that cluster.
    pub index: i64,
    /// Whether it is of the deployment that is scheduled.
    pub ours: bool,
    /// Whether it stays whatever the deployment wants and the fleet has, because it cannot be judged. It may be surplus.
    pub held: bool,
    /// Its engines.
    pub engines: Vec<ReplicaEngine<'f>>,
}

/// An engine of a replica that exists.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ReplicaEngine<'f> {
    /// Its name.
    pub name: &'f str,
    /// Its members.
    pub members: Vec<ReplicaMember<'f>>,
}

/// A member of a replica that exists.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ReplicaMember<'f> {
    /// Its role.
    pub role: Role,
    /// The pool that it is pinned to. `None` when it says none.
    pub pool: Option<&'f str>,
    /// The nodes that its pods take if each takes one: 0 when they claim no devices.
    pub nodes: u64,
    /// What each of these pods claims. Empty when that is not known: such a pod takes its node also where devices are counted,
    /// and so does one that claims a device which the pool does not have.
    pub claims: Vec<Claim>,
}

/// Devices that a pod claims.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Claim {
    /// The entry in the list of the pool's devices.
    pub device: usize,
    /// How many.
    pub count: u64,
}

impl<'f> Fleet<'f> {
    /// The last cluster with this name.
    pub(crate) fn cluster(&self, name: &str) -> Option<&Cluster<'f>> {
        self.clusters.iter().rfind(|cluster| cluster.name == name)
    }
}

impl<'f> Cluster<'f> {
    pub(crate) fn pool(&self, name: &str) -> Option<&Pool<'f>> {
        self.pools.iter().find(|pool| pool.name == name)
    }
}
