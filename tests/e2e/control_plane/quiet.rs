//! Nothing writes to a settled composite, its Objects or their targets, although Crossplane calls the function again
//! and again, and the provider polls.

use std::time::Duration;

use anyhow::{Context as _, Result, ensure};
use serde_json::json;
use tests::real::processes::{eventually, progress};

use crate::composites::{Composite, unchanged};
use crate::plane::Plane;
use crate::subjects::LLM_INFERENCE;

const NAMESPACE: &str = "quiet";
const NAME: &str = "still";
/// The number of calls that must not change anything. The provider polls as often as Crossplane calls.
const CALLS: usize = 3;
/// The time limit for waiting for calls, which come every ten seconds.
const LIMIT: Duration = Duration::from_secs(120);

pub(crate) fn quiet(plane: &Plane) -> Result<()> {
    plane.namespace(NAMESPACE)?;
    // The default is one minute.
    plane.copy_composition(LLM_INFERENCE, NAMESPACE, |step| {
        step["input"] = json!({"apiVersion": "sailplane.fn.crossplane.io/v1alpha1", "kind": "Options", "ttl": "10s"});
    })?;
    let spec = json!({
        "gpu": 8,
        "model": "moonshotai/Kimi-K2.5",
        "crossplane": {"compositionRef": {"name": NAMESPACE}},
    });
    let llm = Composite::apply(&plane.kubectl, LLM_INFERENCE, NAMESPACE, NAME, &spec)?;
    llm.ready()?;
    let before = eventually("a call changes nothing", LIMIT, || {
        let before = llm.versions()?;
        // Everything that one call changes is written before the next call.
        calls(plane, 2)?;
        unchanged(&before, &llm.versions()?)?;
        Ok(before)
    })?;
    ensure!(before.len() == 5, "a composite, two Objects and two targets, but there are {:?}", before.keys());
    progress("quiet: it has settled");
    calls(plane, CALLS).context("the function was not even called")?;
    unchanged(&before, &llm.versions()?)
}

/// Waits for further calls.
fn calls(plane: &Plane, more: usize) -> Result<()> {
    let calls = plane.function.calls(NAMESPACE, NAME)?;
    plane.function.called(NAMESPACE, NAME, calls + more, LIMIT)
}
