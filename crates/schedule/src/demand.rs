use crate::taint::Toleration;

/// What a deployment wants.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Demand {
    /// The number of replicas.
    pub replicas: usize,
    /// The taints of clusters that it tolerates.
    pub tolerations: Vec<Toleration>,
    /// The engines of each replica.
    pub engines: Vec<Engine>,
}

/// An engine: a group of pods that serve together, perhaps several times.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Engine {
    /// Its name, unique in the deployment.
    pub name: String,
    /// How many copies of the group there are.
    pub copies: u64,
    /// The members of the group.
    pub members: Vec<Member>,
}

/// A member of an engine: pods that are alike.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Member {
    /// Its role in the group.
    pub role: Role,
    /// The pods in one copy. Each needs a node of its own.
    pub pods: u64,
    /// The devices that each pod needs.
    pub requests: Vec<Request>,
}

/// The role of a member.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Role {
    /// The only member.
    #[default]
    Standalone,
    /// The first pod of a gang.
    Leader,
    /// The other pods of a gang.
    Worker,
}

/// Devices of one kind that a pod needs. All of them come from one entry of a pool's devices.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Request {
    /// How many devices.
    pub count: u64,
    /// Which selectors they must suit: the index of their rows in [`Fit`](crate::Fit).
    pub selectors: usize,
}

impl Engine {
    /// The nodes that all copies of a member take, if it claims devices.
    pub(crate) fn nodes(&self, member: &Member) -> u64 {
        member.pods.saturating_mul(self.copies)
    }
}
