//! Who installs the driver and the device plugin of GPUs, and how clouds mark nodes with GPUs.

use super::Cloud;

/// What a cloud does for GPUs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Drivers {
    /// The cloud.
    pub cloud: Cloud,
    /// The image of nodes that has the driver. `None` where the cloud installs it on its usual image.
    pub image: Option<&'static str>,
    /// Whether the cloud installs the device plugin. Where it does not, GPUs cannot be allocated without the GPU Operator.
    pub device_plugin: bool,
    /// Why the GPU Operator cannot install the driver. `None` where it can.
    pub not_by_operator: Option<&'static str>,
    /// How its API spells the effect of a taint that keeps pods away.
    pub no_schedule: &'static str,
}

/// Read on 2026-11-23, in the repositories named:
///
/// - AWS: the image has the driver and no device plugin, and the operator must not install a driver there
///   (`latest/ug/ml/ml-eks-optimized-ami.adoc` of `github.com/awsdocs/amazon-eks-user-guide`, 07d09a00). The operator installs drivers
///   on EKS where nodes have Ubuntu (`gpu-operator/amazon-eks.rst` of `github.com/NVIDIA/cloud-native-docs`, 0ef4f1f6).
/// - Azure: nodes have the driver, unless their pool says otherwise, and need the device plugin (`articles/aks/use-nvidia-gpu.md` of
///   `github.com/MicrosoftDocs/azure-aks-docs`, 04921f5f).
/// - Google: GKE installs both. On Container-Optimized OS only Google's installer brings a driver (`gpu-operator/google-gke.rst` of
///   `github.com/NVIDIA/cloud-native-docs`, 30502584).
///
/// The name of the image and the effects of taints are those of dot-kubernetes 2.0.21 (2026-02-28).
#[rustfmt::skip]
pub const DRIVERS: &[Drivers] = &[
    Drivers { cloud: Cloud::Aws, image: Some("AL2023_x86_64_NVIDIA"), device_plugin: false, not_by_operator: Some("NVIDIA has no driver container for Amazon Linux 2023"), no_schedule: "NO_SCHEDULE" },
    Drivers { cloud: Cloud::Azure, image: None, device_plugin: false, not_by_operator: None, no_schedule: "NoSchedule" },
    Drivers { cloud: Cloud::Google, image: None, device_plugin: true, not_by_operator: Some("NVIDIA has no driver container for Container-Optimized OS"), no_schedule: "NO_SCHEDULE" },
];

/// The taint of nodes with GPUs: key and value, as dot-kubernetes 2.0.21 has them. NVIDIA's device plugin tolerates this key
/// (`deployments/static/nvidia-device-plugin.yml` of `github.com/NVIDIA/k8s-device-plugin`, v0.17.1, read on 2026-11-23).
pub const GPU_TAINT: (&str, &str) = ("nvidia.com/gpu", "true");

/// The image of AWS for nodes without GPUs, as Modelplane v0.3.1 has it.
pub const PLAIN_IMAGE: &str = "AL2023_x86_64_STANDARD";

impl Drivers {
    /// What a cloud does. Every cloud has a row.
    pub fn of(cloud: Cloud) -> Option<&'static Self> {
        DRIVERS.iter().find(|it| it.cloud == cloud)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_cloud_has_a_row() {
        assert!(Cloud::ALL.iter().all(|cloud| Drivers::of(*cloud).is_some()));
    }
}
