//! Sailplane takes a service and an artifact over from OtterScale's model operator, with the commands in
//! `docs/from-otterscale.md`. Both are there under the operator's own definitions, with objects as the operator leaves them.
//! Nothing is deleted, made anew, or started again but the endpoint picker.

use std::collections::BTreeSet;

use anyhow::{Context as _, Result, anyhow, ensure};
use contract::catalog::{ApiResource, Scope};
use contract::compose::ComposeRequest;
use inference::otterscale::resources::{
    CLUSTER_ROLE_BINDINGS, CLUSTER_ROLES, DEPLOYMENTS, JOBS, MODEL_ARTIFACTS, MODEL_SERVICES,
};
use serde_json::{Value, json};
use tests::real::access::named;
use tests::real::processes::{eventually, progress, run_with_input};
use tests::real::watching::Which;
use toolbox::resources::OBJECTS;

use crate::composites::{Versions, kept, version};
use crate::names::{PROVIDER_CONFIG, SOON, TAG};
use crate::others;
use crate::packages::package;
use crate::plane::Plane;
use crate::resources::{COMPOSITIONS, CONFIGURATIONS, DEFINITIONS, LATER, PODS, REPLICA_SETS};
use crate::subjects::MODEL_SERVICE;

const NAMESPACE: &str = "take-over";
const SERVICE: &str = "llama";
const ARTIFACT: &str = "opt";
/// The field manager of the operator.
const MANAGER: &str = "model-operator";
/// The namespace of its Deployment, which has the same name.
const OPERATOR: &str = "otterscale";
/// The Composition with the options of this platform.
const COMPOSITION: &str = "take-over";
/// What runs in init containers, and the version in labels.
const SCRIPT: &str = "set -e\nkit unpack \"$OCI_MODEL_IMAGE\" --plain-http -o -d \"$MODEL_MOUNT_PATH\"\n";
const VERSION: &str = "v1.0.1";

/// The Configuration of the API, and the one that depends on those of all APIs.
const OURS: &str = "sailplane-otterscale";
const ALL: &str = "sailplane";

/// The section with the commands, and the names that are replaced in them.
const MOVE: &str = "docs/from-otterscale.md#move";
const NAMES: &[(&str, &str)] = &[
    ("OPERATOR -n NAMESPACE", "model-operator -n otterscale"),
    ("NAME-decode -n TEAM", "llama-decode -n take-over"),
    ("COMPOSITION", COMPOSITION),
    ("MANAGER", MANAGER),
];

/// Afterwards Sailplane is installed as before, also after a failure.
pub(crate) fn take_over(plane: &Plane) -> Result<()> {
    let outcome = moved(plane);
    let restored = ours_again(plane);
    outcome.and(restored)
}

fn moved(plane: &Plane) -> Result<()> {
    theirs_alone(plane)?;
    leave_behind(plane)?;
    let before = everything(plane)?;
    ensure!(before.contains_key(&format!("Secret/{SERVICE}-epp-sa-metrics-reader-secret")), "{:?}", before.keys());
    progress(&format!("take-over: the operator has left {} objects", before.len()));

    let next = || plane.shown.next_with(MOVE, NAMES);
    next()?; // the operator stops
    next()?; // its definitions stay
    next()?; // nothing is composed yet
    next()?; // ours is installed
    next()?; // it is healthy
    next()?; // shows who controls a definition
    let ours = Which::all(CONFIGURATIONS).named(OURS);
    plane.administrator.condition("Healthy", ours, SOON)?;
    plane.copy_composition(MODEL_SERVICE, COMPOSITION, |step| {
        step["input"] = json!({
            "apiVersion": "sailplane.fn.crossplane.io/v1alpha1", "kind": "Options",
            "modelService": {"version": VERSION, "unpackScript": SCRIPT, "providerConfigRef": {"name": PROVIDER_CONFIG}},
        });
    })?;
    kept(&before, &everything(plane)?).context("before anything is composed")?;
    plane.shown.run_with(MOVE, NAMES)?;

    let administrator = &plane.administrator;
    let service = Which::all(&MODEL_SERVICES).within(NAMESPACE).named(SERVICE);
    administrator.until_it("the service is ready, and handed over", service, SOON * 2, |service| {
        let says = |kind: &str| {
            let all = service["status"]["conditions"].as_array().into_iter().flatten();
            all.filter(|it| it["type"] == kind).any(|it| it["status"] == "True")
        };
        let all = ["Ready", "HandedOver", "MetricsGranted"].iter().all(|kind| says(kind));
        ensure!(all && service["status"]["phase"] == "Ready", "{}", service["status"]);
        Ok(())
    })?;
    let artifact = Which::all(&MODEL_ARTIFACTS).within(NAMESPACE).named(ARTIFACT);
    administrator.until_it("the artifact counts as done", artifact, SOON, |artifact| {
        let status = &artifact["status"];
        ensure!(status["phase"] == "Succeeded" && status["contentHash"].is_string(), "{status}");
        Ok(())
    })?;
    eventually("the pods are those that there should be", SOON, || nothing_new(&before, &everything(plane)?))?;
    ensure!(administrator.list(Which::all(&JOBS).within(NAMESPACE))?.is_empty(), "something is imported again");
    progress("take-over: every object is the one that the operator left");
    owns_nothing(plane)?;
    it_goes(plane)
}

/// Makes the control plane one of the operator: its definitions are installed, and ours are not.
fn theirs_alone(plane: &Plane) -> Result<()> {
    let administrator = &plane.administrator;
    // It would install ours again.
    administrator.run(&["delete", "configuration", ALL])?;
    let theirs = [MODEL_SERVICES, MODEL_ARTIFACTS];
    // A definition waits for its composites.
    for resource in &theirs {
        administrator.run(&["delete", &named(resource), "-A", "--all"])?;
    }
    administrator.run(&["delete", "configuration", OURS, "--cascade=foreground"])?;
    for resource in &theirs {
        administrator.gone(Which::all(DEFINITIONS).named(&named(resource)), SOON * 2)?;
    }
    // Composites that name no Composition get any.
    for (name, composition) in administrator.list(Which::all(COMPOSITIONS))? {
        let of = &composition["spec"]["compositeTypeRef"];
        if of["apiVersion"] == MODEL_SERVICES.api_version {
            administrator.run(&["delete", "composition", &name])?;
        }
    }
    // Those of the mesh and of monitors are there already, unless this scenario runs alone.
    others::install(plane, &[&theirs, LATER].concat())
}

/// The operator, a service with prefill and decode, and an artifact that was imported.
fn leave_behind(plane: &Plane) -> Result<()> {
    let administrator = &plane.administrator;
    for namespace in [NAMESPACE, OPERATOR] {
        administrator.run(&["create", "namespace", namespace])?;
    }
    let labels = json!({"app": MANAGER});
    let container = json!({"name": "manager", "image": "registry.local/operator:v1"});
    administrator.apply(&json!({
        "apiVersion": "apps/v1", "kind": "Deployment", "metadata": {"name": MANAGER, "namespace": OPERATOR},
        "spec": {
            "selector": {"matchLabels": labels},
            "template": {"metadata": {"labels": labels}, "spec": {"containers": [container]}},
        },
    }))?;
    let now = "2026-01-01T00:00:00Z";
    let ready = json!([{"type": "Ready", "status": "True", "reason": "AllReplicasReady", "message": "", "lastTransitionTime": now}]);
    let artifacts = Which::all(&MODEL_ARTIFACTS).within(NAMESPACE);
    administrator.apply(&json!({
        "apiVersion": MODEL_ARTIFACTS.api_version, "kind": MODEL_ARTIFACTS.kind,
        "metadata": {"name": ARTIFACT, "namespace": NAMESPACE},
        "spec": {
            "source": {"huggingFace": {"model": "facebook/opt-125m"}},
            "target": {"registry": "registry.local", "repository": "models/opt"}, "storage": {"size": "5Gi"},
        },
    }))?;
    let digest = format!("sha256:{}", "0a".repeat(32));
    let imported = json!({"phase": "Succeeded", "digest": digest, "reference": "registry.local/models/opt:latest", "conditions": ready});
    administrator.watching()?.patch_status(artifacts.named(ARTIFACT), &imported)?;

    administrator.apply(&json!({
        "apiVersion": MODEL_SERVICES.api_version, "kind": MODEL_SERVICES.kind,
        "metadata": {"name": SERVICE, "namespace": NAMESPACE, "finalizers": ["model.otterscale.io/epp-cluster-rbac"]},
        "spec": {
            "model": {"name": "meta-llama/Llama-3-70B-Instruct", "image": "registry.local/models/llama3:v1"},
            "engine": {"env": [{"name": "VLLM_NIXL_SIDE_CHANNEL_PORT", "value": "5600"}]},
            "accelerator": {"type": "amd"},
            "decode": {"replicas": 2, "annotations": {"example.org/team": "a"}},
            "prefill": {}, "routingProxy": {}, "inferencePool": {"endpointPicker": {"replicas": 2}},
            "monitoring": {"podMonitor": {"enabled": true}},
        },
    }))?;
    let services = Which::all(&MODEL_SERVICES).within(NAMESPACE).named(SERVICE);
    let service = administrator.only(services)?;
    let objects = of_operator(&service)?;
    ensure!(objects.len() == 17, "{} objects", objects.len());
    let list = json!({"apiVersion": "v1", "kind": "List", "items": objects});
    let manager = format!("--field-manager={MANAGER}");
    run_with_input(administrator.command().args(["create", &manager, "-f", "-"]), &list.to_string())?;
    let status = json!({"phase": "Ready", "decodeReady": 2, "decodeReplicas": 2, "prefillReady": 1, "prefillReplicas": 1, "conditions": ready});
    administrator.watching()?.patch_status(services, &status)?;
    let deployments = Which::all(&DEPLOYMENTS).within(NAMESPACE);
    administrator.until("all pods are ready", deployments, SOON, |deployments| {
        ensure!(deployments.len() == 3, "{:?}", deployments.keys());
        let ready = |it: &Value| it["status"]["readyReplicas"] == it["spec"]["replicas"];
        ensure!(deployments.values().all(ready), "not all");
        Ok(())
    })
}

/// What the operator makes of a service. Its endpoint pickers have the same configuration in another text.
fn of_operator(service: &Value) -> Result<Vec<Value>> {
    let section = json!({"version": VERSION, "unpackScript": SCRIPT, "clusterRBAC": "direct"});
    let options =
        json!({"apiVersion": "sailplane.fn.crossplane.io/v1alpha1", "kind": "Options", "modelService": section});
    let request =
        ComposeRequest { composite: Some(service.clone().into()), input: Some(options), ..ComposeRequest::default() };
    let response = module::compose(&request).map_err(|fault| anyhow!("{fault:?}"))?;
    let owner = json!([{
        "apiVersion": service["apiVersion"], "kind": service["kind"], "name": service["metadata"]["name"],
        "uid": service["metadata"]["uid"], "controller": true, "blockOwnerDeletion": true,
    }]);
    let object = |(key, desired): (String, contract::compose::DesiredResource)| {
        let mut object = desired.object;
        if object["metadata"]["namespace"].is_string() {
            object["metadata"]["ownerReferences"] = owner.clone();
        }
        match key.as_str() {
            "epp" => {
                let annotations = &mut object["spec"]["template"]["metadata"]["annotations"];
                annotations["checksum/config"] = "0".repeat(64).into();
            }
            "epp-config" => {
                for text in object["data"].as_object_mut().into_iter().flat_map(|data| data.values_mut()) {
                    *text = format!("# of the operator\n{}", text.as_str().unwrap_or_default()).into();
                }
            }
            _ => {}
        }
        object
    };
    let mut objects: Vec<_> = response.resources.into_iter().map(object).collect();
    // A token whose ServiceAccount does not exist is deleted.
    objects.sort_by_key(|object| object["kind"] != "ServiceAccount");
    Ok(objects)
}

/// What there is of the service, with the sets of its pods.
fn everything(plane: &Plane) -> Result<Versions> {
    let mut versions = Versions::new();
    let composed = MODEL_SERVICE.composes().iter().filter(|it| **it != OBJECTS);
    for resource in composed.chain([&MODEL_SERVICES, &MODEL_ARTIFACTS, REPLICA_SETS, PODS]) {
        for object in plane.administrator.list(Which::all(resource).within(NAMESPACE))?.values() {
            versions.extend([version(object)?]);
        }
    }
    for resource in [CLUSTER_ROLES, CLUSTER_ROLE_BINDINGS] {
        let found = plane.administrator.list(Which::all(&resource).named(&grant()))?;
        versions.extend(found.values().map(version).collect::<Result<Vec<_>>>()?);
    }
    Ok(versions)
}

/// The name of both parts of the grant.
fn grant() -> String {
    format!("{NAMESPACE}-{SERVICE}-epp")
}

/// The same objects, and the same pods but for those of the endpoint picker, which has one more set of them.
fn nothing_new(before: &Versions, after: &Versions) -> Result<()> {
    let is_of_picker = |name: &str| name.starts_with(&format!("Pod/{SERVICE}-epp"));
    let rest = |all: &Versions| -> Versions {
        all.iter().filter(|(name, _)| !is_of_picker(name)).map(|(name, it)| (name.clone(), it.clone())).collect()
    };
    let (before, after) = (rest(before), rest(after));
    kept(&before, &after)?;
    let new: BTreeSet<_> = after.keys().filter(|name| !before.contains_key(*name)).collect();
    let of_picker = format!("ReplicaSet/{SERVICE}-epp-");
    ensure!(new.len() == 1 && new.iter().all(|name| name.starts_with(&of_picker)), "these are new: {new:?}");
    Ok(())
}

/// The operator owns no field any more, so what is removed from the service goes from its objects too.
fn owns_nothing(plane: &Plane) -> Result<()> {
    let administrator = &plane.administrator;
    for resource in MODEL_SERVICE.composes().iter().filter(|it| it.scope == Scope::Namespaced) {
        for (name, object) in administrator.list(Which::all(resource).within(NAMESPACE))? {
            let managers = object["metadata"]["managedFields"].as_array().cloned().unwrap_or_default();
            let theirs = managers.iter().any(|it| it["manager"] == MANAGER);
            ensure!(!theirs, "the operator has fields of {} {name}", resource.kind);
        }
    }
    let args = [&*named(&MODEL_SERVICES), SERVICE, "-n", NAMESPACE];
    plane.kubectl.patch(&args, &json!({"spec": {"decode": {"annotations": null}}}))?;
    let decode = format!("{SERVICE}-decode");
    let decode = Which::all(&DEPLOYMENTS).within(NAMESPACE).named(&decode);
    administrator.until_it("an annotation goes", decode, SOON, |deployment| {
        let left = &deployment["spec"]["template"]["metadata"]["annotations"];
        ensure!(left["example.org/team"].is_null(), "it has {left}");
        Ok(())
    })?;
    progress("take-over: the operator owns nothing");
    Ok(())
}

/// The service goes with all that it has, on the cluster too.
fn it_goes(plane: &Plane) -> Result<()> {
    for resource in [MODEL_SERVICES, MODEL_ARTIFACTS] {
        plane.administrator.run(&["delete", "--wait=false", "--all", &named(&resource), "-n", NAMESPACE])?;
        plane.administrator.gone(Which::all(&resource).within(NAMESPACE), SOON)?;
    }
    let gone = |resource: &ApiResource| plane.administrator.gone(Which::all(resource).named(&grant()), SOON * 2);
    [CLUSTER_ROLES, CLUSTER_ROLE_BINDINGS].iter().try_for_each(gone)
}

/// Makes the control plane what it was before, wherever the scenario has ended.
fn ours_again(plane: &Plane) -> Result<()> {
    let administrator = &plane.administrator;
    administrator.apply(&package("Configuration", OURS, "sailplane/otterscale", TAG))?;
    administrator.apply(&package("Configuration", ALL, "sailplane/sailplane", TAG))?;
    [OURS, ALL]
        .iter()
        .try_for_each(|name| administrator.condition("Healthy", Which::all(CONFIGURATIONS).named(name), SOON))
}
