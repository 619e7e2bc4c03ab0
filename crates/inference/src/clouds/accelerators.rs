//! Accelerators: how much memory they have, and what Google calls them.

/// An accelerator. One that exists with several sizes of memory has a row for each.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GpuModel {
    /// Its name, e.g. `A100`.
    pub name: &'static str,
    /// Its memory in GB, as its maker and clouds name it. It has at least so many times 10⁹ bytes: some mean GiB.
    pub gigabytes: u64,
    /// Its memory in MiB, as the driver reports it and nodes publish it. Some report more while errors are not corrected.
    pub published: u32,
    /// Its name in Google's API. `None` when Google has none.
    pub google: Option<&'static str>,
}

/// The month of which the last row is the largest card: no other that NVIDIA sold by then has more memory. Its successor, announced
/// for the second half of 2026, has as much (`spheron.network/blog/nvidia-rubin-r100-guide`, read on 2026-11-23).
pub const AS_OF: &str = "February 2026";

#[rustfmt::skip]
#[expect(missing_docs, reason = "they are names of products")]
mod rows {
    use super::GpuModel;

    // 16384 MiB while errors are not corrected (`github.com/canonical/microk8s/issues/448`).
    pub const T4: GpuModel = GpuModel { name: "T4", gigabytes: 16, published: 15_360, google: Some("nvidia-tesla-t4") };
    // While errors are not corrected, as Azure has it (`Standard_NV36ads_A10_v5`).
    pub const A10: GpuModel = GpuModel { name: "A10", gigabytes: 24, published: 24_564, google: None };
    pub const A10G: GpuModel = GpuModel { name: "A10G", gigabytes: 24, published: 23_028, google: None };
    pub const L4: GpuModel = GpuModel { name: "L4", gigabytes: 24, published: 23_034, google: Some("nvidia-l4") };
    pub const A100_40: GpuModel = GpuModel { name: "A100", gigabytes: 40, published: 40_960, google: Some("nvidia-tesla-a100") };
    // Published memory: also `src/aiconfigurator/systems/l40s.yaml` of `github.com/ai-dynamo/aiconfigurator`, by NVIDIA.
    pub const L40S: GpuModel = GpuModel { name: "L40S", gigabytes: 48, published: 46_068, google: None };
    pub const A100_80: GpuModel = GpuModel { name: "A100", gigabytes: 80, published: 81_920, google: Some("nvidia-a100-80gb") };
    pub const H100: GpuModel = GpuModel { name: "H100", gigabytes: 80, published: 81_559, google: Some("nvidia-h100-80gb") };
    // NVIDIA H100 NVL.
    pub const H100_94: GpuModel = GpuModel { name: "H100", gigabytes: 94, published: 95_830, google: None };
    pub const H200: GpuModel = GpuModel { name: "H200", gigabytes: 141, published: 143_771, google: Some("nvidia-h200-141gb") };
    // 1440 GB for eight: `docs.nvidia.com/dgx/dgxb200-user-guide/introduction-to-dgxb200.html`.
    pub const B200: GpuModel = GpuModel { name: "B200", gigabytes: 180, published: 183_359, google: Some("nvidia-b200") };
    pub const B300: GpuModel = GpuModel { name: "B300", gigabytes: 288, published: 275_040, google: None };
}
pub use rows::*;

/// Data centre accelerators, sorted by memory. All was read on 2026-11-23:
///
/// - Sizes, but that of B200: what EC2 (in MiB) and Azure (in GB) say of the machine types that have them, where those of
///   [`MACHINES`](super::machines::MACHINES) are from. That of B300 is calculated from its published memory.
/// - Published memory of B200 and B300: what EC2 says of its machine types. That of the others: what `nvidia-smi` prints, by what
///   public repositories show of its output, found by searching them for the numbers. No single document has them all.
/// - Names in Google's API: L4, A100 and H100 from `modules/compute/gke-node-pool/gpu_definition.tf` of
///   `github.com/GoogleCloudPlatform/cluster-toolkit` (19416ae5), T4 from `gpu-operator/google-gke.rst` of
///   `github.com/NVIDIA/cloud-native-docs` (30502584), B200 from `github.com/dstackai/dstack/pull/3100`, and H200 from copies of
///   Google's page about machine types with GPUs.
pub const ACCELERATORS: &[GpuModel] = &[T4, A10, A10G, L4, A100_40, L40S, A100_80, H100, H100_94, H200, B200, B300];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_largest_is_the_last() {
        assert!(ACCELERATORS.is_sorted_by_key(|it| it.gigabytes));
        assert!(ACCELERATORS.iter().all(|it| it.published <= B300.published));
    }

    /// A unit is easily mistaken: GB are GiB for some, and correction of errors takes some.
    #[test]
    fn published_memory_is_what_its_name_says_or_a_little_more() {
        for it in ACCELERATORS {
            let share = u64::from(it.published) * 1_048_576 * 100 / (it.gigabytes * 1_000_000_000);
            assert!((100..=107).contains(&share), "{} with {} GB: {share} %", it.name, it.gigabytes);
        }
    }
}
