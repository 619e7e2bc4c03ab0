//! Sailplane takes models over from the first release of the Inference Budget Controller, with the commands in
//! `docs/from-inference-budget-controller.md`. They are there under the controller's own definition, with Deployments as it leaves
//! them. Nothing is deleted, made anew or started again.

use anyhow::{Context as _, Result, anyhow, ensure};
use contract::compose::ComposeRequest;
use inference::inference_model::resources::{DEPLOYMENTS, INFERENCE_MODELS};
use serde_json::{Value, json};
use tests::files::workspace;
use tests::golden::documents;
use tests::real::access::named;
use tests::real::processes::{progress, run_with_input};
use tests::real::watching::Which;

use super::namespaces::{LAST_REQUEST, now, options, reason};
use crate::composites::{Versions, kept, version};
use crate::names::{SOON, TAG};
use crate::packages::package;
use crate::plane::Plane;
use crate::resources::{COMPOSITIONS, CONFIGURATIONS, DEFINITIONS, PODS, REPLICA_SETS};
use crate::subjects::INFERENCE_MODEL;

const NAMESPACE: &str = "models-moved";
/// The namespace of the controller's Deployment, which has the same name. It is its field manager too.
const CONTROLLER: &str = "inference-budget-controller";
const FINALIZER: &str = "inference.eh-ops.io/finalizer";
/// A finalizer of somebody else.
const OTHER_FINALIZER: &str = "example.org/kept";

/// The models: one runs and was asked for, one runs and never was, and one sleeps.
const STAMPED: &str = "stamped";
const UNSTAMPED: &str = "unstamped";
const ASLEEP: &str = "asleep";
const ALL: [&str; 3] = [STAMPED, UNSTAMPED, ASLEEP];

/// The Configuration of the API, and the one that depends on those of all APIs.
const OURS: &str = "sailplane-inference-model";
const OF_ALL: &str = "sailplane";

const DOCUMENT: &str = "docs/from-inference-budget-controller.md";
/// The names that are replaced in the commands.
const NAMES: &[(&str, &str)] = &[
    ("OPERATOR -n NAMESPACE", "inference-budget-controller -n inference-budget-controller"),
    ("NAME -n TEAM", "stamped -n models-moved"),
];

/// Afterwards Sailplane is installed as before, also after a failure.
pub(crate) fn moved(plane: &Plane) -> Result<()> {
    plane.shown.shell().find("jq");
    let outcome = take_over(plane);
    outcome.and(ours_again(plane))
}

fn take_over(plane: &Plane) -> Result<()> {
    let administrator = &plane.administrator;
    theirs_alone(plane)?;
    let stamp = now();
    leave_behind(plane, &stamp)?;
    let before = everything(plane)?;
    progress(&format!("models moved: the controller has left {:?}", before.keys()));

    plane.shown.run_with(&format!("{DOCUMENT}#before-you-start"), NAMES)?;
    let section = format!("{DOCUMENT}#move");
    let next = || plane.shown.next_with(&section, NAMES);
    next()?; // the controller stops
    next()?; // its definition stays
    next()?; // nothing is composed yet
    next()?; // ours is installed
    next()?; // it is healthy
    next()?; // the finalizer is removed
    plane.copy_composition(INFERENCE_MODEL, NAMESPACE, |step| {
        // Less than what runs.
        step["input"] = options(&json!({"pools": {"default": "10Gi"}}));
    })?;
    for name in ALL {
        let args = [&*named(&INFERENCE_MODELS), name, "-n", NAMESPACE];
        administrator.patch(&args, &json!({"spec": {"crossplane": {"compositionRef": {"name": NAMESPACE}}}}))?;
    }
    kept(&before, &everything(plane)?).context("before anything is composed")?;
    for (name, model) in administrator.list(models())? {
        let finalizers = model["metadata"]["finalizers"].to_string();
        ensure!(!finalizers.contains(FINALIZER) && finalizers.contains(OTHER_FINALIZER), "{name} has {finalizers}");
    }
    plane.shown.run_with(&section, NAMES)?; // one is let go
    is(plane, STAMPED, "Deployed", "Confirmed")?;
    administrator.run(&["annotate", &named(&INFERENCE_MODELS), "-n", NAMESPACE, "--all", "crossplane.io/paused-"])?;
    is(plane, UNSTAMPED, "Deployed", "Confirmed")?;
    is(plane, ASLEEP, "ScaledToZero", "")?;
    let over = administrator.only(models().named(STAMPED))?;
    ensure!(reason(&over, "HandedOver") == "Complete", "{}", over["status"]);
    let all = everything(plane)?;
    kept(&before, &all).context("after the move")?;
    let new: Vec<_> = all.keys().filter(|name| !before.contains_key(*name)).collect();
    ensure!(new.is_empty(), "these are new: {new:?}");
    for (name, wanted) in [(STAMPED, Some(&stamp)), (UNSTAMPED, None)] {
        administrator.until_it("it goes on from its stamp", deployments().named(name), SOON, |deployment| {
            let found = deployment["metadata"]["annotations"][LAST_REQUEST].as_str().context("no stamp")?;
            ensure!(wanted.is_none_or(|wanted| wanted == found) && found >= stamp.as_str(), "{name}: {found}");
            Ok(())
        })?;
    }
    progress("models moved: every object is the one that the controller left");
    it_goes(plane)
}

/// The definition of the controller is installed, and ours is not.
fn theirs_alone(plane: &Plane) -> Result<()> {
    let administrator = &plane.administrator;
    // It would install ours again.
    administrator.run(&["delete", "configuration", OF_ALL])?;
    administrator.run(&["delete", &named(&INFERENCE_MODELS), "-A", "--all"])?;
    administrator.run(&["delete", "configuration", OURS, "--cascade=foreground"])?;
    let definition = named(&INFERENCE_MODELS);
    administrator.gone(Which::all(DEFINITIONS).named(&definition), SOON * 2)?;
    // Composites that name no Composition get any.
    for (name, composition) in administrator.list(Which::all(COMPOSITIONS))? {
        if composition["spec"]["compositeTypeRef"]["apiVersion"] == INFERENCE_MODELS.api_version {
            administrator.run(&["delete", "composition", &name])?;
        }
    }
    administrator.apply(&their_definition()?)?;
    administrator.condition("Established", Which::all(DEFINITIONS).named(&definition), SOON)
}

/// The definition of the controller has the same fields as ours, and requires two in the status.
fn their_definition() -> Result<Value> {
    let file = workspace().join("package/inference-model/definition-inference-model.yaml");
    let ours = documents(&std::fs::read_to_string(file)?)?.into_iter().next().context("a definition")?;
    let mut schema = ours["spec"]["versions"][0]["schema"].clone();
    schema["openAPIV3Schema"]["properties"]["status"]["required"] = json!(["ready", "replicas"]);
    schema["openAPIV3Schema"]["properties"]["status"]["properties"]["conditions"] =
        json!({"type": "array", "items": {"type": "object", "x-kubernetes-preserve-unknown-fields": true}});
    let version = json!({
        "name": "v1alpha1", "served": true, "storage": true, "schema": schema, "subresources": {"status": {}},
    });
    Ok(json!({
        "apiVersion": DEFINITIONS.api_version, "kind": DEFINITIONS.kind, "metadata": {"name": named(&INFERENCE_MODELS)},
        "spec": {
            "group": INFERENCE_MODELS.group(), "scope": "Namespaced", "versions": [version],
            "names": {
                "plural": INFERENCE_MODELS.plural, "singular": "inferencemodel", "kind": INFERENCE_MODELS.kind,
                "listKind": "InferenceModelList",
            },
        },
    }))
}

/// The controller, and its models with their Deployments.
fn leave_behind(plane: &Plane, stamp: &str) -> Result<()> {
    let administrator = &plane.administrator;
    for namespace in [NAMESPACE, CONTROLLER] {
        administrator.run(&["create", "namespace", namespace])?;
    }
    let labels = json!({"app": CONTROLLER});
    let container = json!({"name": "manager", "image": "registry.local/controller:v1"});
    administrator.apply(&json!({
        "apiVersion": "apps/v1", "kind": "Deployment", "metadata": {"name": CONTROLLER, "namespace": CONTROLLER},
        "spec": {
            "selector": {"matchLabels": labels},
            "template": {"metadata": {"labels": labels}, "spec": {"containers": [container]}},
        },
    }))?;
    for name in ALL {
        administrator.apply(&json!({
            "apiVersion": INFERENCE_MODELS.api_version, "kind": INFERENCE_MODELS.kind,
            "metadata": {"name": name, "namespace": NAMESPACE, "finalizers": [FINALIZER, OTHER_FINALIZER]},
            "spec": {
                "modelName": name, "memory": "8Gi", "backendUrl": format!("http://{name}.models.svc:8080"),
                "containerImage": "registry.local/serve:v1",
            },
        }))?;
        let runs = name != ASLEEP;
        let model = administrator.only(models().named(name))?;
        let deployment = of_controller(&model, (name == STAMPED).then_some(stamp), runs)?;
        let manager = format!("--field-manager={CONTROLLER}");
        run_with_input(administrator.command().args(["create", &manager, "-f", "-"]), &deployment.to_string())?;
        let condition = |kind: &str| {
            let reason = if runs { "Deployed" } else { "ScaledToZero" };
            let status = if runs { "True" } else { "False" };
            json!({"type": kind, "status": status, "reason": reason, "message": "", "lastTransitionTime": stamp})
        };
        let status = json!({
            "ready": runs, "replicas": u8::from(runs), "declaredMemory": "8Gi",
            "conditions": [condition("Ready"), condition("Available")],
        });
        administrator.watching()?.patch_status(models().named(name), &status)?;
    }
    administrator.until("all pods are ready", deployments(), SOON, |deployments| {
        ensure!(deployments.len() == ALL.len(), "{:?}", deployments.keys());
        let ready = |it: &Value| it["status"]["readyReplicas"].as_u64().unwrap_or_default() == it["spec"]["replicas"];
        ensure!(deployments.values().all(ready), "not all");
        Ok(())
    })
}

/// The Deployment that the controller makes of a model. It stamps the template of pods.
fn of_controller(model: &Value, stamp: Option<&str>, runs: bool) -> Result<Value> {
    let request = ComposeRequest {
        composite: Some(model.clone().into()),
        now: Some(1_700_000_000_000),
        lookups: [("models".to_owned(), Vec::new())].into(),
        ..ComposeRequest::default()
    };
    let mut response = module::compose(&request).map_err(|fault| anyhow!("{fault:?}"))?;
    let mut deployment = response.resources.remove("deployment").context("no Deployment")?.object;
    let metadata = &model["metadata"];
    deployment["metadata"]["ownerReferences"] = json!([{
        "apiVersion": model["apiVersion"], "kind": model["kind"], "name": metadata["name"], "uid": metadata["uid"],
        "controller": true, "blockOwnerDeletion": true,
    }]);
    deployment["metadata"]["annotations"] = json!({"inference.eh-ops.io/memory": model["spec"]["memory"]});
    deployment["spec"]["replicas"] = u8::from(runs).into();
    if let Some(stamp) = stamp {
        deployment["spec"]["template"]["metadata"]["annotations"] = json!({ LAST_REQUEST: stamp });
    }
    Ok(deployment)
}

/// Waits until a model is like this, and its reservation too.
fn is(plane: &Plane, name: &str, wanted: &str, reservation: &str) -> Result<()> {
    let what = format!("{name} is {wanted}");
    plane.administrator.until_it(&what, models().named(name), SOON, |model| {
        let status = &model["status"];
        let found = (reason(model, "ModelReady"), status["reservation"].as_str().unwrap_or_default());
        ensure!((&*found.0, found.1) == (wanted, reservation), "{status}");
        Ok(())
    })
}

/// The models, their Deployments, and the sets of their pods.
fn everything(plane: &Plane) -> Result<Versions> {
    let mut versions = Versions::new();
    for resource in [&INFERENCE_MODELS, &DEPLOYMENTS, REPLICA_SETS, PODS] {
        for object in plane.administrator.list(Which::all(resource).within(NAMESPACE))?.values() {
            versions.extend([version(object)?]);
        }
    }
    Ok(versions)
}

/// The models go with all that they have, once the other finalizer is gone too.
fn it_goes(plane: &Plane) -> Result<()> {
    for name in ALL {
        let args = [&*named(&INFERENCE_MODELS), name, "-n", NAMESPACE];
        let model = plane.administrator.only(models().named(name))?;
        let mut finalizers = model["metadata"]["finalizers"].as_array().cloned().unwrap_or_default();
        finalizers.retain(|it| it != OTHER_FINALIZER);
        plane.administrator.patch(&args, &json!({"metadata": {"finalizers": finalizers}}))?;
    }
    plane.administrator.run(&["delete", "--wait=false", "--all", &named(&INFERENCE_MODELS), "-n", NAMESPACE])?;
    plane.administrator.gone(models(), SOON)?;
    plane.administrator.gone(deployments(), SOON)
}

/// Makes the control plane what it was before, wherever the scenario has ended.
fn ours_again(plane: &Plane) -> Result<()> {
    let administrator = &plane.administrator;
    for (name, repository) in [(OURS, "sailplane/inference-model"), (OF_ALL, "sailplane/sailplane")] {
        administrator.apply(&package("Configuration", name, repository, TAG))?;
        administrator.condition("Healthy", Which::all(CONFIGURATIONS).named(name), SOON)?;
    }
    Ok(())
}

fn models() -> Which<'static> {
    Which::all(&INFERENCE_MODELS).within(NAMESPACE)
}

fn deployments() -> Which<'static> {
    Which::all(&DEPLOYMENTS).within(NAMESPACE)
}
