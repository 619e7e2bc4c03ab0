//! Crossplane's engine is lost and comes back. What was edited, finished and created without it is as if it had been there.

use anyhow::{Context as _, Result, ensure};
use inference::otterscale::resources::JOBS;
use serde_json::{Value, json};
use tests::real::processes::progress;
use tests::real::watching::Which;

use crate::composites::{Composite, kept};
use crate::names::SOON;
use crate::plane::Plane;
use crate::subjects::{LLM_INFERENCE, MODEL_ARTIFACT, MODEL_SERVICE};

const NAMESPACE: &str = "lost-engine";
/// The Composition of services, which need no kinds of monitors and of the mesh.
const SERVING: &str = "serving-lost-engine";

pub(crate) fn lost_engine(plane: &Plane) -> Result<()> {
    plane.namespace(NAMESPACE)?;
    plane.copy_composition(MODEL_SERVICE, SERVING, |step| {
        step["input"] = json!({
            "apiVersion": "sailplane.fn.crossplane.io/v1alpha1", "kind": "Options",
            "modelService": {"provider": "none", "monitoring": {"enabled": false}},
        });
    })?;
    let ours = json!({"crossplane": {"compositionRef": {"name": SERVING}}});
    // An engineer may not read roles, and may not edit Jobs.
    let apply = |subject, name, spec: &Value| Composite::apply(&plane.administrator, subject, NAMESPACE, name, spec);
    let inference = apply(LLM_INFERENCE, "inference", &json!({}))?;
    let service = apply(MODEL_SERVICE, "service", &ours)?;
    let artifact = apply(MODEL_ARTIFACT, "artifact", &json!({}))?;
    [&inference, &service, &artifact].into_iter().try_for_each(Composite::ready)?;
    let standing = || Ok::<_, anyhow::Error>((inference.versions()?, service.versions()?));
    let before = standing()?;
    let same = |when: &'static str| {
        let now = standing()?;
        kept(&before.0, &now.0).and_then(|()| kept(&before.1, &now.1)).context(when)
    };
    let jobs = Which::all(&JOBS).within(NAMESPACE);
    let newcomer = plane.without_engine(|| {
        inference.edit(&json!({"gpu": 4}))?;
        service.edit(&json!({"decode": {"replicas": 2}}))?;
        // As when its time has passed.
        plane.administrator.run(&["delete", "jobs", "--all", "-n", NAMESPACE])?;
        plane.administrator.gone(jobs, SOON)?;
        let newcomer = apply(MODEL_SERVICE, "newcomer", &ours)?;
        same("without the engine")?;
        Ok(newcomer)
    })?;
    progress("lost engine: it is back");
    newcomer.ready()?;
    inference.target_has("vllmruntimes", "/spec/deploymentConfig/resources/gpu", &json!("4"))?;
    service.status_has("/decodeReplicas", &json!(2))?;
    [&inference, &service].into_iter().try_for_each(Composite::ready)?;
    same("after the engine came back")?;
    artifact.until("it says that its Job is gone", |artifact| {
        let status = &artifact["status"];
        let conditions = status["conditions"].as_array().into_iter().flatten();
        let said = conditions.filter(|it| it["type"] == "ArtifactReady").any(|it| it["reason"] == "Completed");
        ensure!(said && status["phase"] == "Succeeded" && status["digest"].is_string(), "{status}");
        Ok(())
    })?;
    let again = plane.administrator.list(jobs)?;
    ensure!(again.is_empty(), "it is imported again: {:?}", again.keys());
    Ok(())
}
