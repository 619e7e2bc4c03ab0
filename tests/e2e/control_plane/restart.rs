//! A function dies and comes back while composites are created and edited. The scenario has its own function, so that
//! it does not disturb the others.

use anyhow::{Context as _, Result, ensure};
use serde_json::json;
use tests::real::processes::progress;

use crate::composites::{Composite, kept};
use crate::plane::Plane;
use crate::subjects::{LLM_INFERENCE, MODEL_SERVICE};

const NAMESPACE: &str = "restart";
/// The Function, and the Composition that calls it.
const FUNCTION: &str = "function-restart";
/// The Composition that calls it for services.
const SERVING: &str = "serving-restart";

pub(crate) fn restart(plane: &Plane) -> Result<()> {
    plane.namespace(NAMESPACE)?;
    let function = plane.start_function(FUNCTION)?;
    plane.install_function(FUNCTION, function.port)?;
    plane.copy_composition(LLM_INFERENCE, FUNCTION, |step| step["functionRef"]["name"] = FUNCTION.into())?;
    let apply = |name| {
        let ours = json!({"crossplane": {"compositionRef": {"name": FUNCTION}}});
        Composite::apply(&plane.kubectl, LLM_INFERENCE, NAMESPACE, name, &ours)
    };
    let steady = apply("steady")?;
    steady.ready()?;
    let before = steady.versions()?;
    plane.copy_composition(MODEL_SERVICE, SERVING, |step| {
        step["functionRef"]["name"] = FUNCTION.into();
        // Other scenarios install the kinds of monitors and of the mesh.
        step["input"] = json!({
            "apiVersion": "sailplane.fn.crossplane.io/v1alpha1", "kind": "Options",
            "modelService": {"provider": "none", "monitoring": {"enabled": false}},
        });
    })?;
    let ours = json!({"crossplane": {"compositionRef": {"name": SERVING}}});
    // An engineer may not read roles.
    let served = Composite::apply(&plane.administrator, MODEL_SERVICE, NAMESPACE, "served", &ours)?;
    served.ready()?;
    let served_before = served.versions()?;

    function.take()?.kill();
    progress("restart: the function is dead");
    steady.edit(&json!({"gpu": 4}))?;
    served.edit(&json!({"decode": {"replicas": 2}}))?;
    let newcomer = apply("newcomer")?;
    newcomer.until("Crossplane has chosen a revision of its Composition, and calls next", |composite| {
        let revision = &composite["spec"]["crossplane"]["compositionRevisionRef"];
        ensure!(revision.is_object(), "it has chosen {revision}");
        Ok(())
    })?;
    function.missed()?;
    kept(&before, &steady.versions()?).context("while the function is dead")?;
    kept(&served_before, &served.versions()?).context("while the function is dead")?;
    ensure!(newcomer.objects()?.is_empty(), "something else composes");
    function.restart()?;
    progress("restart: the function is back");
    newcomer.ready()?;
    steady.target_has("vllmruntimes", "/spec/deploymentConfig/resources/gpu", &json!("4"))?;
    steady.ready()?;
    kept(&before, &steady.versions()?).context("after the function came back")?;
    served.status_has("/decodeReplicas", &json!(2))?;
    served.ready()?;
    kept(&served_before, &served.versions()?).context("after the function came back")?;

    let burst = ["burst-1", "burst-2", "burst-3", "burst-4", "burst-5"].map(apply);
    let ended = function.take()?;
    ended.terminate().context("the function ends gracefully under load")?;
    function.restart()?;
    progress("restart: the function was ended gracefully among five new composites, and is back");
    for composite in burst {
        composite?.ready()?;
    }
    kept(&before, &steady.versions()?).context("after the second restart")
}
