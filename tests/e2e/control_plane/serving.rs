//! A model that is served in the cluster itself: what it becomes comes and goes with its spec and with the platform's
//! options, and what stays is the same object.

mod grant;

use std::collections::BTreeMap;

use anyhow::{Context as _, Result, ensure};
use serde_json::{Value, json};
use tests::real::processes::{eventually, progress};
use tests::real::watching::Which;

use crate::composites::{Composite, condition, controller, keyed};
use crate::gpu_clusters::STUCK;
use crate::names::{PROVIDER_CONFIG, SOON};
use crate::others;
use crate::plane::Plane;
use crate::resources::LATER;
use crate::subjects::MODEL_SERVICE;

const NAMESPACE: &str = "serving";
const NAME: &str = "qwen3-0.6b";
/// The Compositions with options.
const WRAPPED: &str = "serving-wrapped";
const BARE: &str = "serving-bare";
const GKE: &str = "serving-gke";

/// The composition resource names of what every service has.
const ALWAYS: &[&str] = &[
    "decode",
    "epp",
    "epp-config",
    "epp-role",
    "epp-role-binding",
    "epp-service",
    "epp-service-account",
    "inference-pool",
];
/// What most services have too.
const ROUTE: &str = "http-route";
const RULE: &str = "destination-rule";
const MONITOR: &str = "pod-monitor-decode";
const TOKEN: &str = "epp-metrics-token";
const GRANT: &[&str] = &["epp-cluster-role", "epp-cluster-role-binding"];
const PREFILL: &[&str] = &["prefill", "pod-monitor-prefill"];

/// Where the hash of the picker's configuration is, its arguments and its rights, the names of the gateway and of the host, and the
/// numbers of pods.
const HASH: (&str, &str) = ("epp", "/spec/template/metadata/annotations/checksum~1config");
const ARGUMENTS: (&str, &str) = ("epp", "/spec/template/spec/containers/0/args");
const RIGHTS: (&str, &str) = ("epp-role", "/rules");
const GATEWAY: (&str, &str) = ("http-route", "/spec/parentRefs/0/name");
const HOST: (&str, &str) = ("http-route", "/spec/hostnames/0");
const REPLICAS: (&str, &str) = ("decode", "/spec/replicas");
const PICKERS: (&str, &str) = ("epp", "/spec/replicas");

pub(crate) fn serving(plane: &Plane) -> Result<()> {
    plane.namespace(NAMESPACE)?;
    let composite = Composite::apply(&plane.kubectl, MODEL_SERVICE, NAMESPACE, NAME, &json!({}))?;
    let mut service = Service { plane, composite, lacks_kinds: true, rows: BTreeMap::new() };
    kinds_come_later(&mut service)?;
    the_spec_decides(&mut service)?;
    rollouts_get_stuck(&mut service)?;
    a_token_heals(&mut service)?;
    options_decide(&mut service)?;
    it_goes(&service)
}

/// Without the kinds of monitors and of the mesh everything else is there and ready. What has them comes without an edit.
fn kinds_come_later(service: &mut Service<'_>) -> Result<()> {
    service.is(&[ROUTE])?;
    service.says("KindsServed", "False")?;
    others::install(service.plane, LATER)?;
    service.lacks_kinds = false;
    service.is(&[ROUTE, RULE, MONITOR])?;
    service.says("KindsServed", "True")?;
    progress("serving: the minimal service has its 11 objects, three of them since their kinds are there");
    Ok(())
}

fn the_spec_decides(service: &mut Service<'_>) -> Result<()> {
    let hash = service.value(HASH)?;
    service.becomes(&json!({"prefill": {}}), &[ROUTE, RULE, MONITOR, PREFILL[0], PREFILL[1]])?;
    ensure!(service.value(HASH)? != hash, "with prefill the picker has the same configuration");
    service.becomes(&json!({"prefill": null}), &[ROUTE, RULE, MONITOR])?;
    ensure!(service.value(HASH)? == hash, "without prefill the picker has another configuration than before");
    progress("serving: prefill has come and gone");

    let gateway = service.value(GATEWAY)?;
    let route = json!({"gatewayRef": {"name": "models", "namespace": "infra"}, "hostnames": ["qwen.example.org"]});
    service.becomes(&json!({ "httpRoute": route }), &[ROUTE, RULE, MONITOR])?;
    ensure!(service.value(GATEWAY)? == "models" && service.value(HOST)? == "qwen.example.org", "it has another route");
    service.becomes(&json!({"httpRoute": null}), &[ROUTE, RULE, MONITOR])?;
    ensure!(
        service.value(GATEWAY)? == gateway && service.value(HOST)?.is_null(),
        "it does not have its route from before"
    );
    progress("serving: the route has been another one");

    for replicas in [0, 1] {
        let to = format!("--replicas={replicas}");
        service.plane.kubectl.run(&["scale", &MODEL_SERVICE.name(), NAME, "-n", NAMESPACE, &to])?;
        service.is(&[ROUTE, RULE, MONITOR])?;
        ensure!(service.value(REPLICAS)? == replicas, "it has another number of replicas than {replicas}");
    }
    service.becomes(&json!({"inferencePool": {"endpointPicker": {}}}), &[ROUTE, RULE, MONITOR, TOKEN])?;
    ensure!(service.value(PICKERS)? == 1 && !service.elects()?, "it has another number of pickers");
    let picker = json!({"replicas": 2});
    service.becomes(&json!({"inferencePool": {"endpointPicker": picker}}), &[ROUTE, RULE, MONITOR, TOKEN])?;
    ensure!(service.value(PICKERS)? == 2 && service.elects()?, "it has another number of pickers");
    let monitors = |enabled: bool| json!({"monitoring": {"podMonitor": {"enabled": enabled}}});
    service.becomes(&monitors(false), &[ROUTE, RULE, TOKEN])?;
    service.becomes(&monitors(true), &[ROUTE, RULE, MONITOR, TOKEN, "epp-service-monitor"])?;
    service.becomes(&json!({"inferencePool": null}), &[ROUTE, RULE, MONITOR])?;
    service.becomes(
        &json!({"inferencePool": {"endpointPicker": picker}, "monitoring": null}),
        &[ROUTE, RULE, MONITOR, TOKEN],
    )?;
    progress("serving: pool and monitors have come and gone");
    Ok(())
}

/// New pods do not become ready in time. While those of before serve on, the service is ready, and says so; where a pod goes
/// before another comes, it fails.
fn rollouts_get_stuck(service: &mut Service<'_>) -> Result<()> {
    let stuck = |image: Option<&str>, strategy: Option<&str>| json!({"engine": {"image": image}, "decode": {"strategy": strategy}});
    let deadline = |seconds: u32| {
        let args = ["deployment", &format!("{NAME}-decode"), "-n", NAMESPACE];
        service.plane.administrator.patch(&args, &json!({"spec": {"progressDeadlineSeconds": seconds}}))
    };
    // Nobody composes the field, so it stays.
    deadline(2)?;
    service.composite.edit(&stuck(Some(STUCK), None))?;
    service.composite.until("it says that its new pods do not become ready", |composite| {
        let found = ["Ready", "ServingReady", "RolledOut"].map(|it| status_of(composite, it));
        ensure!(found == ["True", "True", "False"], "{}", composite["status"]);
        let said = composite["status"].to_string().contains("ProgressDeadlineExceeded");
        ensure!(said && composite["status"]["phase"] == "Ready", "{}", composite["status"]);
        Ok(())
    })?;
    service.composite.edit(&stuck(Some(STUCK), Some("InPlace")))?;
    service.composite.until("it fails", |composite| {
        let found = ["Ready", "ServingReady", "RolledOut"].map(|it| status_of(composite, it));
        ensure!(composite["status"]["phase"] == "Failed" && found == ["False"; 3], "{}", composite["status"]);
        Ok(())
    })?;
    deadline(600)?;
    service.becomes(&stuck(None, None), &[ROUTE, RULE, MONITOR, TOKEN])?;
    service.says("RolledOut", "True")?;
    progress("serving: a rollout got stuck, one failed, and both are taken back");
    Ok(())
}

/// The controller of tokens deletes a Secret whose ServiceAccount does not exist, as when it is applied first. Both come back.
fn a_token_heals(service: &mut Service<'_>) -> Result<()> {
    let token = |service: &Service<'_>| -> Result<String> {
        let rows = service.found()?;
        let secret = rows.get(TOKEN).context("there is no Secret")?;
        let token = secret["data"]["token"].as_str().context("the Secret has no token")?;
        Ok(format!("{} {token}", secret["metadata"]["uid"]))
    };
    let before = eventually("there is a token", SOON, || token(service))?;
    let account = service.value(("epp-service-account", "/metadata/name"))?;
    let account = account.as_str().context("a name")?;
    service.plane.administrator.run(&["delete", "serviceaccount", account, "-n", NAMESPACE])?;
    eventually("there is a token of the new account", SOON * 2, || {
        let now = token(service)?;
        ensure!(now != before, "it is the one from before");
        Ok(())
    })?;
    for key in [TOKEN, "epp-service-account"] {
        service.rows.remove(key);
    }
    service.is(&[ROUTE, RULE, MONITOR, TOKEN])?;
    progress("serving: a token has healed");
    Ok(())
}

/// The Composition is another one, with the options of another platform.
fn options_decide(service: &mut Service<'_>) -> Result<()> {
    let granted = json!({"name": PROVIDER_CONFIG});
    let wrapped = json!({ "providerConfigRef": granted });
    let bare = json!({"providerConfigRef": granted, "provider": "none", "defaultGateway": {"name": ""}});
    let gke = json!({"providerConfigRef": granted, "provider": "gke"});
    for (name, options) in [(WRAPPED, wrapped), (BARE, bare), (GKE, gke)] {
        service.plane.copy_composition(MODEL_SERVICE, name, |step| {
            step["input"] = json!({
                "apiVersion": "sailplane.fn.crossplane.io/v1alpha1",
                "kind": "Options",
                "modelService": options,
            });
        })?;
    }
    let with = |name: &str| json!({"crossplane": {"compositionRef": {"name": name}, "compositionRevisionRef": null}});
    service.becomes(&with(WRAPPED), &[ROUTE, RULE, MONITOR, TOKEN, GRANT[0], GRANT[1]])?;
    grant::is_what_it_says(service.plane, NAMESPACE)?;
    progress("serving: the picker may do what its roles say");
    service.becomes(&with(BARE), &[MONITOR, TOKEN, GRANT[0], GRANT[1]])?;
    service.becomes(&with(GKE), &[ROUTE, MONITOR, GRANT[0], GRANT[1]])?;
    service.becomes(&with(WRAPPED), &[ROUTE, RULE, MONITOR, TOKEN, GRANT[0], GRANT[1]])?;
    progress("serving: route, token and rule of the mesh have gone and come");
    Ok(())
}

/// With all that it had, on the cluster too.
fn it_goes(service: &Service<'_>) -> Result<()> {
    service.composite.delete()?;
    eventually("all of it is gone", SOON * 2, || {
        let left = service.found()?;
        ensure!(left.is_empty(), "left: {:?}", left.keys());
        Ok(())
    })?;
    grant::is_gone(service.plane, NAMESPACE)
}

/// The service, and what there was of it when it was last looked at.
struct Service<'a> {
    plane: &'a Plane,
    composite: Composite<'a>,
    /// Whether the cluster does not have all kinds yet.
    lacks_kinds: bool,
    rows: BTreeMap<String, Value>,
}

impl Service<'_> {
    /// Edits the spec, and waits until the service is ready with what every service has and `more`.
    fn becomes(&mut self, spec: &Value, more: &[&str]) -> Result<()> {
        self.composite.edit(spec)?;
        self.is(more).with_context(|| format!("after {spec}"))
    }

    /// Waits until the service is ready with what every service has and `more`, and nothing else. What was there before is
    /// the same object.
    fn is(&mut self, more: &[&str]) -> Result<()> {
        let mut keys = [ALWAYS, more].concat();
        keys.sort_unstable();
        eventually(&format!("it has {keys:?}"), SOON, || {
            let rows = self.found()?;
            ensure!(rows.keys().eq(&keys), "it has {:?}", rows.keys());
            Ok(())
        })?;
        self.composite.until("it is ready, as it is now", |composite| {
            let (status, generation) = (&composite["status"], &composite["metadata"]["generation"]);
            ensure!(status["observedGeneration"] == *generation, "generation {generation} has {status}");
            ensure!(["Ready", "ServingReady"].iter().all(|it| status_of(composite, it) == "True"), "it has {status}");
            Ok(())
        })?;
        let rows = self.found()?;
        ensure!(rows.keys().eq(&keys), "it has {:?}", rows.keys());
        for (key, before) in &self.rows {
            let same = rows.get(key).is_none_or(|now| now["metadata"]["uid"] == before["metadata"]["uid"]);
            ensure!(same, "{key} was made anew");
        }
        self.rows = rows;
        Ok(())
    }

    /// Waits until a condition has this status.
    fn says(&self, kind: &str, status: &str) -> Result<()> {
        self.composite.until(&format!("{kind} is {status}"), |composite| {
            let found = status_of(composite, kind);
            ensure!(found == status, "it is {found}");
            Ok(())
        })
    }

    /// A value in what there was when the service was last looked at.
    fn value(&self, (key, pointer): (&str, &str)) -> Result<Value> {
        let object = self.rows.get(key).with_context(|| format!("there is no {key}"))?;
        Ok(object.pointer(pointer).cloned().unwrap_or_default())
    }

    /// Whether its pickers elect one that leads: by an argument, and with the rights for it.
    fn elects(&self) -> Result<bool> {
        let has = |place, text: &str| Ok::<_, anyhow::Error>(self.value(place)?.to_string().contains(text));
        let elects = has(ARGUMENTS, "--ha-enable-leader-election")?;
        ensure!(has(RIGHTS, "leases")? == elects, "its rights are {}", self.value(RIGHTS)?);
        Ok(elects)
    }

    /// What there is of it, by composition resource name.
    fn found(&self) -> Result<BTreeMap<String, Value>> {
        let mut rows = BTreeMap::new();
        for resource in MODEL_SERVICE.composes() {
            if self.lacks_kinds && LATER.contains(resource) {
                continue;
            }
            let mut objects = self.plane.administrator.list(Which::all(resource).within(NAMESPACE))?;
            // Crossplane takes its label from what it deletes, so that says nothing about what is left.
            objects.retain(|_, object| controller(object).is_some_and(|it| it["kind"] == "ModelService"));
            rows.extend(keyed(&objects)?);
        }
        Ok(rows)
    }
}

/// The status of a condition.
fn status_of(composite: &Value, kind: &str) -> String {
    condition(composite, kind)["status"].as_str().unwrap_or("missing").to_owned()
}
