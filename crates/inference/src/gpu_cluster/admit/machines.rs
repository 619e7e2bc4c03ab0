//! Judges machine types of nodes with GPUs: whether the cloud has them, the quota that they take, and what it cannot change.

use contract::types::{Code, Problem};

use super::super::inputs::ClusterInputs;
use super::super::spec::GpuPool;
use crate::clouds::Cloud;
use crate::clouds::machines::Machine;

/// A machine type of another cloud. One that no table has may be new.
pub(super) fn refused(inputs: &ClusterInputs) -> Option<Problem> {
    let name = inputs.gpu()?.machine_type.as_deref()?;
    if Machine::named(inputs.provider, name).is_some() {
        return None;
    }
    let other = Cloud::ALL.into_iter().find(|cloud| Machine::named(*cloud, name).is_some())?;
    let message = format!("`{name}` is a machine type on {}, not on {}", other.service(), inputs.provider.service());
    Some(Problem::new("spec.parameters.gpu.machineType", Code::NotSupported, message))
}

/// The quota that the nodes take.
pub(super) fn quota(inputs: &ClusterInputs) -> Option<Problem> {
    let pool = inputs.gpu()?;
    let machine = Machine::named(inputs.provider, &inputs.gpu_machine(pool)?.name)?;
    // On Google Cloud numbers of nodes are for each zone.
    let (zones, each) = match (inputs.provider, inputs.gpu_zones(pool).len()) {
        (Cloud::Google, 0) => (1, " for each zone"),
        (Cloud::Google, zones) => (zones, ""),
        _ => (1, ""),
    };
    let nodes = u32::try_from(zones).unwrap_or(u32::MAX).saturating_mul(pool.max_node_count);
    let takes = u32::from(machine.takes()).saturating_mul(nodes);
    let words =
        format!("its nodes take up to {takes} of the quota `{}` in {}{each}", machine.quota.name, inputs.region());
    Some(Problem::new("spec.parameters.gpu.maxNodeCount", Code::Invalid, words))
}

/// What a cloud changes only by making nodes anew: the fields, each with whether it changed.
pub(super) fn replaced(before: &ClusterInputs, after: &ClusterInputs) -> Vec<(&'static str, bool)> {
    let (Some(old), Some(new)) = (before.gpu(), after.gpu()) else { return Vec::new() };
    let anew = before.gpu_machine(old) != after.gpu_machine(new);
    let field = |changed: fn(&GpuPool, &GpuPool) -> bool| anew && changed(old, new);
    vec![
        ("spec.parameters.gpu.machineType", field(|old, new| old.machine_type != new.machine_type)),
        ("spec.parameters.gpu.accelerator", field(|old, new| old.accelerator != new.accelerator)),
        ("spec.parameters.gpu.nodeSize", field(|old, new| old.node_size != new.node_size)),
        ("spec.parameters.gpu.capacity", old.capacity != new.capacity),
    ]
}
