//! Judges zones: whether the cloud has them where the cluster is, and whether they have the accelerator.

use contract::types::{Code, Problem};

use super::super::inputs::ClusterInputs;
use super::repeated::twice;
use crate::clouds::{Cloud, zones};

const ZONES: &str = "spec.parameters.zones";

/// Zones that the cloud refuses. Sources: names of zones begin with their region on
/// [AWS](https://docs.aws.amazon.com/global-infrastructure/latest/regions/aws-availability-zones.html) and
/// [Google Cloud](https://cloud.google.com/compute/docs/regions-zones), and are numbers on
/// [Azure](https://learn.microsoft.com/azure/reliability/availability-zones-overview). EKS takes
/// [subnets in two zones](https://docs.aws.amazon.com/eks/latest/userguide/network-reqs.html) at least.
pub(super) fn refused(inputs: &ClusterInputs) -> Vec<Problem> {
    let Some(written) = &inputs.parameters.zones else { return Vec::new() };
    let region = inputs.region();
    let is_there = |zone: &str| match inputs.provider {
        Cloud::Azure => !zone.is_empty() && zone.bytes().all(|byte| byte.is_ascii_digit()),
        Cloud::Aws | Cloud::Google => zone.strip_prefix(region).is_some_and(|rest| !rest.is_empty()),
    };
    let mut problems: Vec<_> = twice(ZONES, written.iter()).into_iter().collect();
    if let Some(zone) = written.iter().find(|zone| !is_there(zone)) {
        let message = match inputs.provider {
            Cloud::Azure => format!("`{zone}` is no zone: on AKS zones are numbers, such as `1`"),
            Cloud::Aws | Cloud::Google => {
                let example = zones::letters(inputs.provider).first().copied().unwrap_or_default();
                format!("`{zone}` is not in region `{region}`, whose zones are named like `{region}{example}`")
            }
        };
        problems.push(Problem::new("spec.parameters.zones", Code::Invalid, message));
    }
    if inputs.provider == Cloud::Aws && inputs.zones().len() == 1 {
        let message = "a control plane on EKS is in two zones at least; add another";
        problems.push(Problem::new("spec.parameters.zones", Code::Invalid, message));
    }
    problems
}

/// Zones that are not known to have the accelerator. Only of Google Cloud it is known which have one.
pub(super) fn advice(inputs: &ClusterInputs) -> Option<Problem> {
    let (model, _) = inputs.gpu_machine(inputs.gpu()?)?.known?;
    let words = match (zones::with_accelerator(inputs.region(), &model), &inputs.parameters.zones) {
        (Some(known), Some(_)) if !inputs.zones().iter().any(|zone| known.contains(&zone.as_ref())) => {
            format!("none of them is known to have the accelerator; {} have it", known.join(", "))
        }
        (None, None) if inputs.provider == Cloud::Google => format!(
            "which zones of {} have {} is not known, and nodes can start in those only; list them",
            inputs.region(),
            model.name,
        ),
        _ => return None,
    };
    Some(Problem::new("spec.parameters.zones", Code::Invalid, words))
}
