//! Machines whose names say what they have: presets of Nebius, and plans of Vultr. There are too many for a table, and new ones come.

use super::accelerators::ACCELERATORS;

/// The number of GPUs of a preset of Nebius: `8gpu-128vcpu-1600gb` has eight (`docs.nebius.com`, read on 2026-11-26).
pub fn gpus_of_preset(preset: &str) -> Option<u64> {
    preset.split('-').find_map(|part| part.strip_suffix("gpu")?.parse().ok())
}

/// The memory of each GPU of a platform of Nebius in MiB, as nodes publish it: `gpu-h100-sxm` has H100. Where an accelerator has several
/// sizes, the largest.
pub fn memory_of_platform(platform: &str) -> Option<u32> {
    let model = platform.strip_prefix("gpu-")?.split('-').next()?;
    let rows = ACCELERATORS.iter().filter(|it| it.name.eq_ignore_ascii_case(model));
    rows.map(|it| it.published).max()
}

/// The memory of all GPUs of a plan of Vultr together in GiB: `vcg-l40s-16c-180g-48vram` has 48.
pub fn memory_of_plan(plan: &str) -> Option<u64> {
    plan.rsplit('-').next()?.strip_suffix("vram")?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names() {
        assert_eq!(gpus_of_preset("8gpu-128vcpu-1600gb"), Some(8));
        assert_eq!(gpus_of_preset("1gpu-16vcpu-200gb"), Some(1));
        assert_eq!(gpus_of_preset("4vcpu-16gb"), None);
        assert_eq!(memory_of_platform("gpu-h100-sxm"), Some(95_830));
        assert_eq!(memory_of_platform("gpu-l40s-a"), Some(46_068));
        assert_eq!(memory_of_platform("cpu-d3"), None);
        assert_eq!(memory_of_platform("gpu-x1"), None);
        assert_eq!(memory_of_plan("vcg-l40s-16c-180g-48vram"), Some(48));
        assert_eq!(memory_of_plan("vc2-6c-16gb"), None);
    }
}
