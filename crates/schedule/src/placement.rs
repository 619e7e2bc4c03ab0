/// The place of a replica.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Placement<'f> {
    /// The name of the cluster.
    pub cluster: &'f str,
    /// The index on that cluster.
    pub index: i64,
    /// The places of its engines: of a replica that stays in the order that it has, otherwise in that of the demand. Empty for
    /// a replica that is held.
    pub engines: Vec<EnginePlacement<'f>>,
    /// The name of the replica that stays. `None` for a new one.
    pub retained: Option<&'f str>,
}

/// The place of an engine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EnginePlacement<'f> {
    /// The engine: an index in [`Demand::engines`].
    pub engine: usize,
    /// The places of its members.
    pub members: Vec<MemberPlacement<'f>>,
}

/// The place of a member.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MemberPlacement<'f> {
    /// The name of the pool.
    pub pool: &'f str,
    /// For each request its devices: an index in the list of the pool.
    pub devices: Vec<usize>,
}
