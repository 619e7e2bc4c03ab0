//! Machine types with GPUs.

use super::Cloud;
use super::accelerators::{A10, A10G, A100_40, A100_80, B200, GpuModel, H100, H100_94, H200, L4, L40S, T4};

/// A machine type with GPUs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Machine {
    /// The cloud that has it.
    pub cloud: Cloud,
    /// Its name there.
    pub name: &'static str,
    /// Its GPUs.
    pub accelerator: GpuModel,
    /// How many GPUs it has.
    pub gpus: u8,
    /// Its virtual CPUs.
    pub vcpus: u16,
    /// The quota that a node of it takes, in the cloud's words.
    pub quota: Quota,
}

/// A quota for on-demand machines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Quota {
    /// Its name, as the cloud asks for it.
    pub name: &'static str,
    /// What it counts.
    pub counts: Counts,
}

/// What a quota counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Counts {
    /// Virtual CPUs.
    Cpus,
    /// GPUs.
    Gpus,
}

impl Machine {
    /// How much of its quota a node takes.
    pub fn takes(&self) -> u16 {
        match self.quota.counts {
            Counts::Cpus => self.vcpus,
            Counts::Gpus => self.gpus.into(),
        }
    }

    /// The machine type with this name.
    pub fn named(cloud: Cloud, name: &str) -> Option<&'static Self> {
        MACHINES.iter().chain(OTHERS).find(|it| it.cloud == cloud && it.name == name)
    }

    /// The smallest machine type here of a cloud with accelerators of this name. The cloud may have smaller ones.
    pub fn with(cloud: Cloud, accelerator: &str) -> Option<&'static Self> {
        MACHINES.iter().find(|it| it.cloud == cloud && it.accelerator.name == accelerator)
    }

    /// The names of the accelerators that a cloud has, each once.
    pub fn accelerators(cloud: Cloud) -> Vec<&'static str> {
        let mut names: Vec<_> = MACHINES.iter().filter(|it| it.cloud == cloud).map(|it| it.accelerator.name).collect();
        names.dedup();
        names
    }
}

const fn cpus(name: &'static str) -> Quota {
    Quota { name, counts: Counts::Cpus }
}

const fn gpus(name: &'static str) -> Quota {
    Quota { name, counts: Counts::Gpus }
}

const G: Quota = cpus("Running On-Demand G and VT instances");
const P: Quota = cpus("Running On-Demand P instances");

const fn aws(name: &'static str, accelerator: GpuModel, gpus: u8, vcpus: u16, quota: Quota) -> Machine {
    Machine { cloud: Cloud::Aws, name, accelerator, gpus, vcpus, quota }
}

const fn azure(name: &'static str, accelerator: GpuModel, gpus: u8, vcpus: u16, quota: &'static str) -> Machine {
    Machine { cloud: Cloud::Azure, name, accelerator, gpus, vcpus, quota: cpus(quota) }
}

const fn google(name: &'static str, accelerator: GpuModel, count: u8, vcpus: u16, quota: &'static str) -> Machine {
    Machine { cloud: Cloud::Google, name, accelerator, gpus: count, vcpus, quota: gpus(quota) }
}

/// Machine types by cloud and accelerator, the smallest first. Clouds have more. All was read on 2026-11-23, in the repositories named:
///
/// - AWS: what EC2's API says, as Karpenter lists it (`website/content/en/v1.8/reference/instance-types.md` of
///   `github.com/aws/karpenter-provider-aws`, bf1d62db).
/// - Azure: Azure's documents (`articles/virtual-machines/sizes/gpu-accelerated` of `github.com/MicrosoftDocs/azure-compute-docs`). Those
///   of ND H100 v5 and ND H200 v5 are of 2025-09-02, the others of 2024-07-31.
/// - Google: GPUs of G2, A2 and A3 High from where their [names](super::accelerators::ACCELERATORS) are from, those of A3 Ultra from
///   `github.com/GoogleCloudPlatform/cluster-toolkit/discussions/3478`. Those of A4, and virtual CPUs of A2, A3 and A4, are from the
///   catalogue of [zones](super::zones::OFFERS). Other names end with their number of virtual CPUs. N1 has the one T4 that
///   dot-kubernetes (2026-02-28) attaches.
///
/// Quotas:
///
/// - AWS and Azure: `docs/docs/guides/protips.md` of `github.com/dstackai/dstack` (039d29bc). On AWS it names T4, A10G, L4 and A100; that
///   the others count with those of their letter is not verified. Nor is the name for ND H200 v5, which is made from that of its family
///   in Azure's API, `standardNDISRH200V5Family`.
/// - Google: T4 and A100 from `catalogs/v5/gcp/accelerator_quota_mappping.csv` of the catalogue of zones (d15df276), L4 from the wiki of
///   `github.com/GoogleCloudPlatform/pubsec-declarative-toolkit`. Newer accelerators have none in the list of a region
///   (`github.com/dstackai/dstack/pull/3100`): copies of Google's documents name a quota with a dimension for each family.
#[rustfmt::skip]
pub const MACHINES: &[Machine] = &[
    aws("g4dn.xlarge", T4, 1, 4, G),
    aws("g4dn.12xlarge", T4, 4, 48, G),
    aws("g5.xlarge", A10G, 1, 4, G),
    aws("g5.2xlarge", A10G, 1, 8, G),
    aws("g5.12xlarge", A10G, 4, 48, G),
    aws("g5.48xlarge", A10G, 8, 192, G),
    aws("g6.xlarge", L4, 1, 4, G),
    aws("g6.2xlarge", L4, 1, 8, G),
    aws("g6.12xlarge", L4, 4, 48, G),
    aws("g6.48xlarge", L4, 8, 192, G),
    aws("g6e.xlarge", L40S, 1, 4, G),
    aws("g6e.12xlarge", L40S, 4, 48, G),
    aws("g6e.48xlarge", L40S, 8, 192, G),
    aws("p4d.24xlarge", A100_40, 8, 96, P),
    aws("p4de.24xlarge", A100_80, 8, 96, P),
    aws("p5.48xlarge", H100, 8, 192, P),
    aws("p5en.48xlarge", H200, 8, 192, P),
    aws("p6-b200.48xlarge", B200, 8, 192, P),

    azure("Standard_NC4as_T4_v3", T4, 1, 4, "Standard NCASv3_T4 Family vCPUs"),
    azure("Standard_NC8as_T4_v3", T4, 1, 8, "Standard NCASv3_T4 Family vCPUs"),
    azure("Standard_NC64as_T4_v3", T4, 4, 64, "Standard NCASv3_T4 Family vCPUs"),
    azure("Standard_NC24ads_A100_v4", A100_80, 1, 24, "Standard NCADS_A100_v4 Family vCPUs"),
    azure("Standard_ND96asr_v4", A100_40, 8, 96, "Standard NDASv4_A100 Family vCPUs"),
    azure("Standard_NC40ads_H100_v5", H100_94, 1, 40, "Standard NCadsH100v5 Family vCPUs"),
    azure("Standard_ND96isr_H100_v5", H100, 8, 96, "Standard NDSH100v5 Family vCPUs"),
    azure("Standard_ND96isr_H200_v5", H200, 8, 96, "Standard NDISRH200V5 Family vCPUs"),

    google("n1-standard-4", T4, 1, 4, "NVIDIA_T4_GPUS"),
    google("n1-standard-8", T4, 1, 8, "NVIDIA_T4_GPUS"),
    google("g2-standard-4", L4, 1, 4, "NVIDIA_L4_GPUS"),
    google("g2-standard-8", L4, 1, 8, "NVIDIA_L4_GPUS"),
    google("g2-standard-48", L4, 4, 48, "NVIDIA_L4_GPUS"),
    google("g2-standard-96", L4, 8, 96, "NVIDIA_L4_GPUS"),
    google("a2-highgpu-1g", A100_40, 1, 12, "NVIDIA_A100_GPUS"),
    google("a2-highgpu-4g", A100_40, 4, 48, "NVIDIA_A100_GPUS"),
    google("a2-highgpu-8g", A100_40, 8, 96, "NVIDIA_A100_GPUS"),
    google("a2-ultragpu-1g", A100_80, 1, 12, "NVIDIA_A100_80GB_GPUS"),
    google("a3-highgpu-8g", H100, 8, 208, "gpus_per_gpu_family (gpu_family:NVIDIA_H100)"),
    google("a3-ultragpu-8g", H200, 8, 224, "gpus_per_gpu_family (gpu_family:NVIDIA_H200)"),
    google("a4-highgpu-8g", B200, 8, 224, "gpus_per_gpu_family (gpu_family:NVIDIA_B200)"),
];

/// Machine types with GPUs that no accelerator of a Cluster stands for. That of NV A10 v5 is from the same documents as the others of
/// Azure; the name of its quota is made from that of its family in Azure's API, `standardNVADSA10v5Family`, and is not verified.
pub const OTHERS: &[Machine] = &[azure("Standard_NV36ads_A10_v5", A10, 1, 36, "Standard NVADSA10v5 Family vCPUs")];

/// Says in the schema of a machine type which of a cloud are known here, and what they have. Any other can be written too.
#[cfg(feature = "generate")]
pub fn describe(cloud: Cloud) -> impl FnMut(&mut schemars::Schema) {
    move |schema| {
        let machines = MACHINES.iter().chain(OTHERS).filter(|it| it.cloud == cloud);
        let lines = machines.map(|it| format!("- `{}`: {} {}.\n", it.name, it.gpus, it.accelerator.name));
        let said = schema.get("description").and_then(serde_json::Value::as_str).unwrap_or_default();
        let text = format!("{said}\n\n{}", lines.collect::<String>().trim_end());
        schema.insert("description".to_owned(), text.into());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn machines_are_found() {
        let check = |cloud, accelerator: &str, want: Option<&str>| {
            assert_eq!(Machine::with(cloud, accelerator).map(|it| it.name), want, "{accelerator}");
        };
        check(Cloud::Aws, "A10G", Some("g5.xlarge"));
        check(Cloud::Azure, "A10G", None);
        check(Cloud::Google, "A100", Some("a2-highgpu-1g"));
        check(Cloud::Azure, "A100", Some("Standard_NC24ads_A100_v4"));
        assert_eq!(Machine::named(Cloud::Aws, "p5.48xlarge").map(Machine::takes), Some(192));
        assert_eq!(Machine::named(Cloud::Google, "a3-highgpu-8g").map(Machine::takes), Some(8));
        assert_eq!(Machine::named(Cloud::Google, "p5.48xlarge"), None);
        assert_eq!(Machine::named(Cloud::Azure, "Standard_NV36ads_A10_v5").map(|it| it.gpus), Some(1));
        // Of the two kinds of H100 on Azure, the one that machines with a single GPU have is larger.
        assert_eq!(Machine::with(Cloud::Azure, "H100").map(|it| it.accelerator.gigabytes), Some(94));
        assert_eq!(Machine::accelerators(Cloud::Azure), ["T4", "A100", "H100", "H200"]);
    }

    #[test]
    fn names_are_unique_and_google_has_a_name_for_each_accelerator() {
        for (at, machine) in MACHINES.iter().chain(OTHERS).enumerate() {
            let again = MACHINES
                .iter()
                .chain(OTHERS)
                .skip(at + 1)
                .any(|it| (it.cloud, it.name) == (machine.cloud, machine.name));
            assert!(!again, "{} is there twice", machine.name);
            assert!(machine.cloud != Cloud::Google || machine.accelerator.google.is_some(), "{}", machine.name);
        }
    }
}
