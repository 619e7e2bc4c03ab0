//! Weights are imported once. What has come to its end is not done again, whatever happens to the Job and to references of
//! Crossplane; what the spec no longer wants is replaced while it is under way.

use anyhow::{Context as _, Result, ensure};
use contract::catalog::ApiResource;
use inference::otterscale::resources::{JOBS, PERSISTENT_VOLUME_CLAIMS};
use serde_json::{Value, json};
use tests::real::processes::progress;
use tests::real::watching::Which;

use crate::composites::Composite;
use crate::gpu_clusters::{DIGEST, ENDED, LONG_MESSAGE, REFUSED, SLOW};
use crate::names::SOON;
use crate::plane::Plane;
use crate::resources::{COMPOSITIONS, PODS};
use crate::subjects::MODEL_ARTIFACT;

const NAMESPACE: &str = "import";
/// A Composition with the same content.
const OTHER: &str = "import-other";

pub(crate) fn import(plane: &Plane) -> Result<()> {
    plane.namespace(NAMESPACE)?;
    let apply = |name| Composite::apply(&plane.kubectl, MODEL_ARTIFACT, NAMESPACE, name, &json!({}));
    let (done, refused, slow) = (apply("opt")?, apply(REFUSED)?, apply(SLOW)?);
    is_imported(plane, &done)?;
    refused.until("its message is cut", |artifact| {
        let said = condition(artifact)?;
        let message = said["message"].as_str().unwrap_or_default();
        ensure!(artifact["status"]["phase"] == "Failed" && said["reason"] == "JobFailed", "{said}");
        ensure!(message.len() == 1024 && message.ends_with("..."), "{message}");
        ensure!(LONG_MESSAGE.starts_with(message.trim_end_matches('.')), "{message}");
        Ok(())
    })?;
    progress("import: one is done, one has failed");
    is_replaced(plane, &slow)?;
    let model = json!({"source": {"huggingFace": {"model": format!("acme/{SLOW}")}}});
    the_newest_pod_counts(plane, &Composite::apply(&plane.kubectl, MODEL_ARTIFACT, NAMESPACE, "several", &model)?)?;
    [done, refused].iter().try_for_each(|artifact| stays_done(plane, artifact))?;
    progress("import: nothing is imported again");
    plane.kubectl.run(&["delete", "--wait=false", "--all", &MODEL_ARTIFACT.name(), "-n", NAMESPACE])?;
    [&JOBS, &PERSISTENT_VOLUME_CLAIMS, PODS].into_iter().try_for_each(|resource| gone(plane, resource))
}

/// The digest is what the pod has said, and the volume is gone.
fn is_imported(plane: &Plane, artifact: &Composite<'_>) -> Result<()> {
    artifact.ready()?;
    artifact.until("it has its digest", |artifact| {
        let status = &artifact["status"];
        ensure!(status["phase"] == "Succeeded" && status["digest"] == DIGEST, "{status}");
        Ok(())
    })?;
    let claim = format!("{}-workspace", artifact.name());
    let claims = Which::all(&PERSISTENT_VOLUME_CLAIMS).within(NAMESPACE).named(&claim);
    plane.administrator.gone(claims, SOON)
}

/// A Job has several pods when one was lost. The one that ended last says the digest.
fn the_newest_pod_counts(plane: &Plane, artifact: &Composite<'_>) -> Result<()> {
    const NAME: &str = "several-again";
    let newest = format!("sha256:{}", "0b".repeat(32));
    let job = artifact.until("it runs", running)?;
    let container = json!({"name": "import", "image": "registry.local/kit:v1"});
    plane.administrator.apply(&json!({
        "apiVersion": "v1", "kind": "Pod",
        "metadata": {"name": NAME, "namespace": NAMESPACE, "labels": {"batch.kubernetes.io/job-name": job}},
        "spec": {"containers": [container], "restartPolicy": "Never"},
    }))?;
    // The Job's own pod ends at the beginning of the year.
    let ended = json!({"exitCode": 0, "message": newest, "finishedAt": "2026-02-01T00:00:00Z"});
    let status = json!({"containerStatuses": [{
        "name": "import", "image": "registry.local/kit:v1", "imageID": "", "ready": false, "restartCount": 0,
        "state": {"terminated": ended},
    }]});
    let pod = Which::all(PODS).within(NAMESPACE).named(NAME);
    plane.administrator.watching()?.patch_status(pod, &status)?;
    let own = format!("job-name={job}");
    plane.administrator.run(&["annotate", "pods", "-l", &own, "-n", NAMESPACE, &format!("{ENDED}=true")])?;
    artifact.until("it has the digest of the newest pod", |artifact| {
        let status = &artifact["status"];
        ensure!(status["phase"] == "Succeeded" && status["digest"] == *newest, "{status}");
        Ok(())
    })?;
    progress("import: of several pods the newest one counts");
    plane.administrator.run(&["delete", "pod", NAME, "-n", NAMESPACE, "--wait=false"]).map(drop)
}

/// Its Job is deleted, as it is when its time has passed, and it gets another Composition, which raises its generation.
fn stays_done(plane: &Plane, artifact: &Composite<'_>) -> Result<()> {
    let labels = of(artifact.name());
    let jobs = Which::all(&JOBS).within(NAMESPACE).labelled(&labels);
    let before = artifact.until("its status", |artifact| Ok(artifact["status"].clone()))?;
    plane.administrator.run(&["delete", "jobs", "-l", &labels, "-n", NAMESPACE])?;
    artifact.until("it says that the Job is gone", |artifact| {
        let (status, said) = (&artifact["status"], condition(artifact)?);
        ensure!(said["reason"] == "Completed", "{said}");
        let kept = ["phase", "digest", "jobRef", "completionTime"].iter().all(|key| status[key] == before[key]);
        ensure!(kept, "it was {before}, it is {status}");
        Ok(())
    })?;
    if plane.kubectl.list(Which::all(COMPOSITIONS).named(OTHER))?.is_empty() {
        plane.copy_composition(MODEL_ARTIFACT, OTHER, |_| {})?;
    }
    let calls = plane.function.calls(NAMESPACE, artifact.name())?;
    artifact.edit(&json!({"crossplane": {"compositionRef": {"name": OTHER}, "compositionRevisionRef": null}}))?;
    plane.function.called(NAMESPACE, artifact.name(), calls + 1, SOON)?;
    artifact.until("it has the other Composition", |artifact| {
        let revision = artifact["spec"]["crossplane"]["compositionRevisionRef"]["name"].as_str();
        ensure!(revision.is_some_and(|it| it.starts_with(OTHER)), "{revision:?}");
        ensure!(artifact["status"]["observedGeneration"] == artifact["metadata"]["generation"], "it is not composed");
        ensure!(artifact["status"]["phase"] == before["phase"], "{}", artifact["status"]);
        Ok(())
    })?;
    let jobs = plane.administrator.list(jobs)?;
    ensure!(jobs.is_empty(), "there is another Job: {:?}", jobs.keys());
    Ok(())
}

/// While its Job runs, the spec gets another model: Job and volume are others then.
fn is_replaced(plane: &Plane, artifact: &Composite<'_>) -> Result<()> {
    let job = artifact.until("it runs", running)?;
    artifact.edit(&json!({"source": {"huggingFace": {"model": "acme/opt"}}}))?;
    is_imported(plane, artifact)?;
    let now = artifact.until("it names its Job", |it| Ok(it["status"]["jobRef"]["name"].clone()))?;
    ensure!(now != job, "it has the same Job");
    plane.administrator.gone(Which::all(&JOBS).within(NAMESPACE).named(&job), SOON)?;
    progress("import: one was replaced under way");
    let pods = format!("batch.kubernetes.io/job-name={job}");
    plane.administrator.gone(Which::all(PODS).within(NAMESPACE).labelled(&pods), SOON)
}

/// The name of its Job, while that runs.
fn running(artifact: &Value) -> Result<String> {
    ensure!(artifact["status"]["phase"] == "Running", "{}", artifact["status"]);
    artifact["status"]["jobRef"]["name"].as_str().map(str::to_owned).context("it names no Job")
}

fn gone(plane: &Plane, resource: &ApiResource) -> Result<()> {
    plane.administrator.gone(Which::all(resource).within(NAMESPACE), SOON)
}

fn of(name: &str) -> String {
    format!("crossplane.io/composite={name}")
}

/// What says whether the artifact is ready.
fn condition(artifact: &Value) -> Result<&Value> {
    let conditions = artifact["status"]["conditions"].as_array().context("it has no conditions")?;
    conditions.iter().find(|it| it["type"] == "ArtifactReady").context("it says nothing of the import")
}
