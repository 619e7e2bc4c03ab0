//! Bounds that are known to be missed. A row is deleted when its bound is met again.

/// A bound that is missed: why, and since when this is known.
pub(crate) struct Known {
    /// The name of the measurement.
    pub(crate) name: &'static str,
    pub(crate) since: &'static str,
    pub(crate) reason: &'static str,
}

const fn row(name: &'static str, since: &'static str, reason: &'static str) -> Known {
    Known { name, since, reason }
}

#[rustfmt::skip]
pub(crate) const KNOWN: &[Known] = &[
    row("compose LLMInference, component / native", "2026-11-22", "the checks for the deadline, in each function and loop, take about a quarter of the time in the component"),
    row("RunFunction throughput / canned response", "2026-11-22", "every object becomes JSON text on its way into the component, and protobuf's Struct on its way out"),
    row("check 1,000 manifests / kubeconform, processes", "2026-11-23", "objects of our kinds are also judged beside one another, which one call does on one processor"),
    row("resident memory, idle", "2026-11-23", "the component of nine kinds is compiled to 7.9 MB, which are copied when a process starts"),
    row("the worst documents, 1 MB", "2026-11-23", "a preview of thousands of composites composes and explains each of them"),
    row("  memory of the worst documents, 1 MB", "2026-11-23", "249.7 MB in one run: a preview keeps all that thousands of composites compose until it is printed"),
    row("the worst component, 1 MB", "2026-11-23", "the time of a compilation depends on the code; the host ends it after 120 s of a processor"),
    row("  memory of the worst component, 1 MB", "2026-11-23", "the memory of a compilation depends on the code; the host ends it at 1 GB"),
];

/// The row of a measurement, when its bound is known to be missed.
pub(crate) fn known(name: &str) -> Option<&'static Known> {
    KNOWN.iter().find(|row| row.name == name)
}
