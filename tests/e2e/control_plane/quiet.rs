//! Nothing writes to a settled composite, its composed resources or their targets, although Crossplane calls the function again
//! and again, and the provider polls.

use std::time::Duration;

use anyhow::{Context as _, Result, ensure};
use serde_json::{Value, json};
use tests::real::processes::{eventually, progress};

use crate::composites::{Composite, Versions, unchanged};
use crate::plane::Plane;
use crate::subjects::{LLM_INFERENCE, MODEL_ARTIFACT, MODEL_SERVICE, Subject};

const NAMESPACE: &str = "quiet";
const NAME: &str = "still";
/// The number of calls that must not change anything: those of a minute. The provider polls as often as Crossplane calls.
const CALLS: usize = 6;
/// The time limit for waiting for calls, which come every ten seconds.
const LIMIT: Duration = Duration::from_secs(300);

/// Each with its fields beside those of the subject, and how many objects it is with all that it becomes.
fn rows() -> [(&'static Subject, &'static str, Value, usize); 3] {
    let llm = json!({"gpu": 8, "model": "moonshotai/Kimi-K2.5"});
    let divided = json!({"inferencePool": {"endpointPicker": {}}, "prefill": {}, "routingProxy": {}});
    // Two Objects and two targets; two Deployments, seven objects of the picker, pool and route; a Job.
    [(LLM_INFERENCE, NAME, llm, 5), (MODEL_SERVICE, "served", divided, 12), (MODEL_ARTIFACT, "imported", json!({}), 2)]
}

pub(crate) fn quiet(plane: &Plane) -> Result<()> {
    plane.namespace(NAMESPACE)?;
    let composites = rows().map(|(subject, name, mut spec, count)| {
        let composition = format!("{NAMESPACE}-{name}");
        plane.copy_composition(subject, &composition, |step| {
            // The default is one minute. Other scenarios install the kinds of monitors and of the mesh.
            step["input"] = json!({
                "apiVersion": "sailplane.fn.crossplane.io/v1alpha1", "kind": "Options", "ttl": "10s",
                "modelService": {"provider": "none", "monitoring": {"enabled": false}},
            });
        })?;
        spec["crossplane"] = json!({"compositionRef": {"name": composition}});
        // An engineer may not read Secrets.
        Ok((Composite::apply(&plane.administrator, subject, NAMESPACE, name, &spec)?, count))
    });
    let composites = composites.into_iter().collect::<Result<Vec<_>>>()?;
    composites.iter().try_for_each(|(composite, _)| composite.ready())?;
    let versions = || composites.iter().map(|(composite, _)| composite.versions()).collect::<Result<Vec<_>>>();
    let same =
        |before: &[Versions]| before.iter().zip(versions()?).try_for_each(|(before, after)| unchanged(before, &after));
    let before = eventually("a call changes nothing", LIMIT, || {
        let before = versions()?;
        // Everything that one call changes is written before the next call.
        calls(plane, &composites, 2)?;
        same(&before)?;
        Ok(before)
    })?;
    for ((composite, count), before) in composites.iter().zip(&before) {
        ensure!(before.len() == *count, "{}: {count} objects, but there are {:?}", composite.name(), before.keys());
    }
    progress("quiet: they have settled");
    calls(plane, &composites, CALLS).context("the function was not even called")?;
    same(&before)
}

/// Waits for further calls for each.
fn calls(plane: &Plane, composites: &[(Composite<'_>, usize)], more: usize) -> Result<()> {
    let wanted = composites.iter().map(|(composite, _)| {
        let name = composite.name();
        Ok((name, plane.function.calls(NAMESPACE, name)? + more))
    });
    let wanted = wanted.collect::<Result<Vec<_>>>()?;
    wanted.into_iter().try_for_each(|(name, times)| plane.function.called(NAMESPACE, name, times, LIMIT))
}
