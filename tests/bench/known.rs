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
    row("compose ModelDeployment, component / native", "2026-11-23", "2.1, and 2.9 since the kinds are at level z for the bound of size: most of it is reading 2 MB of state, by code for size, with checks for the deadline in each loop (ARCHITECTURE.md, what a large fleet costs)"),
    row("RunFunction throughput / canned response", "2026-11-22", "the component is a third of a call: alone, it would leave 0.72 (ARCHITECTURE.md, what a call costs)"),
    row("compose a service of 17 objects, component / native", "2026-11-24", "2.0: as for LLMInference, with which it is level; both rise by a tenth with the kinds at level z, which the bound of size needs"),
    row("8 selectors over 500 devices, through the component", "2026-11-24", "14 to 20 ms: a third is 500 devices that cross and are read; regular expressions make their automata anew in each evaluation"),
    row("a new service of 17 objects / canned response", "2026-11-24", "0.58: the response of 17 objects is composed and written, the canned one is only sent"),
    row("a service of 17 objects / canned response", "2026-11-24", "0.64: as before, with what is observed read besides"),
    row("reviews of services / allowed at once", "2026-11-24", "0.27: \"allowed at once\" reads no object; an admission of LLMInference has 0.28"),
    row("reviews of clusters / allowed at once", "2026-11-26", "0.14 before validation by the schema, four fifths of the judging, became 1.7 times as fast natively; not measured since"),
    row("check 1,000 manifests / kubeconform, processes", "2026-11-23", "objects of our kinds are also judged beside one another, which one call does on one processor"),
    row("preview of the example fleet, once everything is up", "2026-11-28", "2.8 times the bound: 270 composites are composed in 9 rounds, and no part of that stands out in a profile"),
    row("component size", "2026-11-29", "4.95: as for its size when gzipped"),
    row("component size, gzipped", "2026-11-29", "1,728: InferenceModels take 121, for which no allowance is stated; the bound is the sum of those that are. All kinds are at level z"),
    row("a model beside 20 / canned response", "2026-11-29", "0.59, where LLMInference has 0.36 in the same run: 21 models are read, and the canned server reads nothing"),
    row("the worst documents, 1 MB", "2026-11-23", "a preview of thousands of composites composes and explains each of them"),
];

/// The row of a measurement, when its bound is known to be missed.
pub(crate) fn known(name: &str) -> Option<&'static Known> {
    KNOWN.iter().find(|row| row.name == name)
}
