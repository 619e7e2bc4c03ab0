//! What a cache becomes, in rows.

use std::collections::BTreeMap;

use contract::compose::{ComposeRequest, ComposeResponse};
use contract::types::{Fault, ObservedObject, Readiness, Severity};
use serde_json::{Value, json};

const TOKEN: &str = "aGZfdG9rZW4=";

/// Composes, with the reasons of values where the request asks for them.
fn compose(request: &ComposeRequest) -> Result<ComposeResponse, Fault> {
    let (response, reasons) = super::compose(request)?;
    Ok(ComposeResponse { derivations: reasons.derivations(), ..response })
}

/// A request, in the words of its rows.
#[derive(Clone, Copy)]
struct Row<'t> {
    /// The clusters that the lookup finds: `name`, `name!` without a storage class, `name?` without a provider configuration.
    /// `None` is not asked yet.
    clusters: Option<&'t [&'t str]>,
    /// What is observed: `pvc-east Bound`, `hydrate-east Complete`, `auth-east -`.
    observed: &'t [&'t str],
    /// The phases in the status of the composite, as `east Ready`.
    before: &'t [&'t str],
    /// The Secret: `None` when the cache names none, else the answer to its lookup.
    secret: Option<Secret>,
    repo: &'t str,
}

/// The answer to the lookup of the Secret.
#[derive(Clone, Copy)]
enum Secret {
    Unasked,
    Absent,
    WithoutKey,
    Empty,
    There,
}

const ROW: Row<'_> =
    Row { clusters: Some(&["east"]), observed: &[], before: &[], secret: None, repo: "Qwen/Qwen3-32B" };

fn request(row: Row<'_>) -> ComposeRequest {
    let mut source = json!({"repo": row.repo, "sizeGiB": 80});
    if row.secret.is_some() {
        source["authSecret"] = json!({"name": "hf"});
    }
    let spec = json!({"source": "HuggingFace", "huggingFace": source});
    let phases = row.before.iter().filter_map(|text| text.split_once(' '));
    let phases: Vec<_> = phases.map(|(name, phase)| json!({"name": name, "phase": phase})).collect();
    let composite = json!({
        "metadata": {"name": "weights", "namespace": "ml"}, "spec": spec, "status": {"clusters": phases},
    });
    let mut lookups: BTreeMap<String, Vec<ObservedObject>> = BTreeMap::new();
    let clusters = row.clusters.map(|clusters| clusters.iter().map(|text| cluster(text).into()).collect());
    lookups.extend(clusters.map(|found| ("clusters".to_owned(), found)));
    let secret = |data: Value| Some(vec![json!({"data": data}).into()]);
    let secret = match row.secret {
        None | Some(Secret::Unasked) => None,
        Some(Secret::Absent) => Some(Vec::new()),
        Some(Secret::WithoutKey) => secret(json!({"token": TOKEN})),
        Some(Secret::Empty) => secret(json!({"HF_TOKEN": ""})),
        Some(Secret::There) => secret(json!({"HF_TOKEN": TOKEN})),
    };
    lookups.extend(secret.map(|found| ("auth-secret".to_owned(), found)));
    let observed = row.observed.iter().filter_map(|text| text.split_once(' '));
    let observed = observed.map(|(key, state)| (key.to_owned(), object(state).into())).collect();
    ComposeRequest { composite: Some(composite.into()), observed, lookups, ..ComposeRequest::default() }
}

fn cluster(text: &str) -> Value {
    let name = text.trim_end_matches(['!', '?']);
    let mut status =
        json!({"providerConfigRef": {"name": format!("{name}-config")}, "cache": {"storageClassName": "shared-rwx"}});
    match text.strip_prefix(name) {
        Some("!") => status["cache"] = json!({}),
        Some("?") => status["providerConfigRef"] = json!(null),
        _ => {}
    }
    json!({"metadata": {"name": name}, "status": status})
}

/// An observed Object. It is ready when the remote object is.
fn object(state: &str) -> Value {
    let ready =
        json!([{"type": "Ready", "status": if ["Bound", "Complete"].contains(&state) { "True" } else { "False" }}]);
    let remote = match state {
        "Bound" | "Waiting" => json!({"phase": state}),
        state => json!({"conditions": [{"type": state, "status": "True"}]}),
    };
    json!({
        "apiVersion": "kubernetes.m.crossplane.io/v1alpha1",
        "kind": "Object",
        "metadata": {"name": "weights-1a2b3", "uid": "1"},
        "spec": {"forProvider": {"manifest": {"kind": "Old", "data": {"HF_TOKEN": TOKEN}}}},
        "status": {"conditions": ready, "atProvider": {"manifest": {"kind": "Old", "status": remote}}},
    })
}

/// The desired resources, with `=` when they are held as observed, and with `+` when they are ready.
fn resources(response: &ComposeResponse) -> String {
    let shown = response.resources.iter().map(|(key, desired)| {
        let held = desired.object["spec"]["forProvider"]["manifest"]["kind"] == "Old";
        let ready = desired.readiness == Readiness::Ready;
        format!("{key}{}{}", if held { "=" } else { "" }, if ready { "+" } else { "" })
    });
    shown.collect::<Vec<_>>().join(" ")
}

/// Reasons of conditions, the summary, the phases and the readiness of the composite.
fn state(response: &ComposeResponse) -> String {
    let reasons = response.conditions.iter().map(|it| it.reason.clone());
    let status = response.composite.status.clone().unwrap_or_default();
    let clusters = status["clusters"].as_array().cloned().unwrap_or_default();
    let text = |value: &Value| value.as_str().unwrap_or("-").to_owned();
    let phases = clusters.iter().map(|it| format!("{}:{}", text(&it["name"]), text(&it["phase"])));
    let ready = match response.composite.readiness {
        Readiness::Ready => vec!["ready".to_owned()],
        Readiness::NotReady => vec!["not-ready".to_owned()],
        Readiness::Unspecified => Vec::new(),
    };
    reasons.chain([text(&status["summary"]["ready"])]).chain(phases).chain(ready).collect::<Vec<_>>().join(" ")
}

#[track_caller]
fn check(row: Row<'_>, want: &str, wanted_state: &str) {
    let response = compose(&request(row)).expect("a response");
    assert_eq!((resources(&response).as_str(), state(&response).as_str()), (want, wanted_state));
    assert_eq!(response.ttl, Some(60_000));
}

#[test]
fn downloads() {
    let row = |observed| Row { observed, ..ROW };
    check(row(&[]), "hydrate-east pvc-east", "Matched Hydrating 0/1 east:Pending");
    check(row(&["pvc-east Waiting"]), "hydrate-east pvc-east", "Matched Hydrating 0/1 east:Pending");
    check(row(&["pvc-east Bound"]), "hydrate-east pvc-east+", "Matched Hydrating 0/1 east:Hydrating");
    check(row(&["pvc-east Bound", "hydrate-east Complete"]), "pvc-east+", "Matched Staged 1/1 east:Ready ready");
    check(row(&["pvc-east Bound", "hydrate-east Failed"]), "hydrate-east pvc-east+", "Matched Failed 0/1 east:Failed");
    // The Job is gone.
    let later = Row { before: &["east Ready"], ..row(&["pvc-east Bound"]) };
    check(later, "pvc-east+", "Matched Staged 1/1 east:Ready ready");
    let two = |observed| Row { clusters: Some(&["west", "east"]), before: &["east Ready"], observed, ..ROW };
    check(
        two(&["pvc-east Bound", "pvc-west Bound"]),
        "hydrate-west pvc-east+ pvc-west+",
        "Matched Partial 1/2 west:Hydrating east:Ready",
    );
    check(
        two(&["pvc-east Bound", "pvc-west Bound", "hydrate-west Failed"]),
        "hydrate-west pvc-east+ pvc-west+",
        "Matched Failed 1/2 west:Failed east:Ready",
    );
}

#[test]
fn clusters() {
    let row = |clusters, observed| Row { clusters, observed, before: &["east Ready"], ..ROW };
    check(row(Some(&[]), &[]), "", "NoClusters NoClusters 0/0");
    check(row(Some(&["east!", "west?"]), &[]), "", "NoClusters NoClusters 0/0");
    check(row(Some(&["east!", "west"]), &[]), "hydrate-west pvc-west", "Matched Hydrating 0/1 west:Pending");
    check(row(None, &[]), "", "-");

    // A cluster that is selected no more gives its volume up.
    check(row(Some(&["west"]), &["pvc-east Bound"]), "hydrate-west pvc-west", "Matched Hydrating 0/1 west:Pending");
    // One that says nothing about its storage does not, and neither does any when none is found.
    let both: &[&str] = &["pvc-east Bound", "hydrate-east Complete", "auth-east -"];
    let held = "auth-east= hydrate-east=+ pvc-east=+";
    check(row(Some(&["east!"]), both), held, "Matched Staged 1/1 east:Ready ready");
    check(row(Some(&["east?"]), both), held, "Matched Staged 1/1 east:Ready ready");
    check(row(Some(&["east!"]), &["pvc-east Waiting"]), "pvc-east=", "Matched Hydrating 0/1 east:Pending");
    check(
        row(Some(&["west", "east!"]), both),
        "auth-east= hydrate-east=+ hydrate-west pvc-east=+ pvc-west",
        "Matched Partial 1/2 west:Pending east:Ready",
    );
    check(row(Some(&[]), both), held, "NoClusters NoClusters 1/1 east:Ready");
    check(row(None, both), held, "-");
}

#[test]
fn tokens() {
    let row = |secret, observed| Row { secret: Some(secret), observed, ..ROW };
    check(row(Secret::There, &[]), "auth-east hydrate-east pvc-east", "Matched Hydrating 0/1 east:Pending");
    for missing in [Secret::Absent, Secret::WithoutKey, Secret::Empty] {
        check(row(missing, &[]), "pvc-east", "Matched AuthSecretMissing 0/1 east:Pending");
        check(
            row(missing, &["pvc-east Bound", "hydrate-east Complete"]),
            "pvc-east+",
            "Matched Staged 1/1 east:Ready ready",
        );
        check(row(missing, &["hydrate-east Failed"]), "pvc-east", "Matched AuthSecretMissing 0/1 east:Failed");
        check(Row { clusters: Some(&[]), ..row(missing, &[]) }, "", "NoClusters NoClusters 0/0");
    }
    // When the weights are there, the token goes.
    check(
        row(Secret::There, &["pvc-east Bound", "hydrate-east Complete", "auth-east -"]),
        "pvc-east+",
        "Matched Staged 1/1 east:Ready ready",
    );
    let both: &[&str] = &["pvc-east Bound", "auth-east -"];
    check(row(Secret::Unasked, both), "auth-east= pvc-east=+", "-");
    check(row(Secret::Unasked, &[]), "", "-");
}

#[test]
fn sources_that_cannot_be() {
    let row = |observed| Row { repo: "--help", observed, ..ROW };
    check(row(&[]), "", "Matched InvalidSource 0/1 east:Pending not-ready");
    let there: &[&str] = &["pvc-east Bound", "hydrate-east Complete"];
    check(row(there), "hydrate-east=+ pvc-east=+", "Matched InvalidSource 1/1 east:Ready not-ready");
    check(Row { clusters: Some(&[]), ..row(&[]) }, "", "NoClusters NoClusters 0/0");
}

#[test]
fn events() {
    #[track_caller]
    fn check(row: Row<'_>, conditions: Value, want: &[(Severity, &str)]) {
        let mut request = request(row);
        let mut composite = request.composite().expect("a composite").clone();
        composite["status"]["conditions"] = conditions;
        request.composite = Some(composite.into());
        let response = compose(&request).expect("a response");
        let events: Vec<_> = response.results.iter().map(|it| (it.severity, it.message.as_str())).collect();
        assert_eq!(events, want);
    }
    use Severity::{Normal, Warning};
    let had =
        |condition_type: &str, reason: &str| json!([{"type": condition_type, "status": "False", "reason": reason}]);
    let staging = |on| format!("Staging Qwen/Qwen3-32B to {on}");
    check(ROW, json!([]), &[(Normal, &staging("1 clusters: east"))]);
    let two = Row { clusters: Some(&["west", "east", "north!"]), ..ROW };
    check(two, json!([]), &[(Normal, &staging("2 clusters: west, east"))]);
    check(Row { observed: &["pvc-east Waiting"], ..two }, json!([]), &[]);

    let missing = Row { secret: Some(Secret::Absent), observed: &["pvc-east Waiting"], ..ROW };
    let told = "authSecret ml/hf is missing or has no key 'HF_TOKEN'";
    check(missing, json!([]), &[(Warning, told)]);
    check(missing, had("ArtifactReady", "Hydrating"), &[(Warning, told)]);
    check(missing, had("ArtifactReady", "AuthSecretMissing"), &[]);
    check(Row { observed: &[], ..missing }, json!([]), &[(Warning, told), (Normal, &staging("1 clusters: east"))]);

    let staged = Row { observed: &["pvc-east Bound", "hydrate-east Complete"], ..ROW };
    check(staged, json!([]), &[(Normal, "Artifact staged on all 1 clusters")]);
    check(staged, had("Ready", "Creating"), &[(Normal, "Artifact staged on all 1 clusters")]);
    check(staged, json!([{"type": "Ready", "status": "True"}]), &[]);
    check(staged, json!([{"type": "ArtifactReady", "status": "True", "reason": "Staged"}]), &[]);

    let held = Row { clusters: Some(&["east!"]), observed: &["pvc-east Waiting"], ..ROW };
    let why = "Held as it is on east, whose status names no storage class for caches or no provider configuration";
    check(held, json!([]), &[(Warning, why)]);
    check(held, json!([{"type": "ClustersMatched", "status": "True", "reason": "Matched", "message": why}]), &[]);
    let nowhere = "Held as it is on east, because no cluster is selected any more";
    check(Row { clusters: Some(&[]), ..held }, json!([]), &[(Warning, nowhere)]);

    let refused = Row { repo: "-x", ..ROW };
    let why = "spec.huggingFace.repo: the repository starts with `-`, so the downloader would take it for an option";
    check(refused, json!([]), &[(Warning, why)]);
    check(
        refused,
        json!([{"type": "ArtifactReady", "status": "False", "reason": "InvalidSource", "message": why}]),
        &[],
    );
}

#[test]
fn tokens_are_in_their_object_alone() {
    let observed: &[&str] = &["auth-east -"];
    for (clusters, secret) in [(["east"], Secret::There), (["east!"], Secret::There), (["east"], Secret::Unasked)] {
        let row = Row { clusters: Some(&clusters), secret: Some(secret), observed, ..ROW };
        let response = compose(&request(row)).expect("a response");
        assert!(response.resources["auth-east"].object.to_string().contains(TOKEN));
        let explained = compose(&ComposeRequest { explain: true, ..request(row) }).expect("explanations").derivations;
        assert!(!explained.is_empty());
        for text in [format!("{explained:?}"), format!("{:?} {:?}", response.conditions, response.results)] {
            assert!(!text.contains(TOKEN), "{text}");
        }
    }
}

#[test]
fn the_whole_objects() {
    let row = Row { secret: Some(Secret::There), ..ROW };
    let response = compose(&request(row)).expect("a response");
    let labels = json!({"modelplane.ai/modelcache": "weights"});
    let around = |manifest: Value, more: Value| {
        let mut spec = json!({
            "providerConfigRef": {"kind": "ClusterProviderConfig", "name": "east-config"},
            "forProvider": {"manifest": manifest},
        });
        spec.as_object_mut().expect("an object").extend(more.as_object().cloned().unwrap_or_default());
        json!({"apiVersion": "kubernetes.m.crossplane.io/v1alpha1", "kind": "Object", "spec": spec})
    };
    let query = |query: &str| json!({"policy": "DeriveFromCelQuery", "celQuery": query});
    let volume = json!({
        "apiVersion": "v1",
        "kind": "PersistentVolumeClaim",
        "metadata": {"name": "modelcache-ml-weights-5f3f2", "namespace": "default", "labels": labels},
        "spec": {
            "accessModes": ["ReadWriteMany"],
            "storageClassName": "shared-rwx",
            "resources": {"requests": {"storage": "80Gi"}},
        },
    });
    let bound = json!({"readiness": query("object.status.phase == \"Bound\"")});
    assert_eq!(response.resources["pvc-east"].object, around(volume, bound));
    let secret = json!({
        "apiVersion": "v1",
        "kind": "Secret",
        "metadata": {"name": "modelcache-ml-weights-auth-f7f7c", "namespace": "default", "labels": labels},
        "data": {"HF_TOKEN": TOKEN},
    });
    assert_eq!(response.resources["auth-east"].object, around(secret, json!({})));
    let script = "set -e; if [ -f /mnt/artifact/.modelplane-hydrated ]; then echo 'already hydrated, skipping'; exit 0; fi; \
                  pip install --quiet huggingface_hub; hf download Qwen/Qwen3-32B --local-dir /mnt/artifact; \
                  touch /mnt/artifact/.modelplane-hydrated";
    let reference = json!({"name": "modelcache-ml-weights-auth-f7f7c", "key": "HF_TOKEN"});
    let job = json!({
        "apiVersion": "batch/v1",
        "kind": "Job",
        "metadata": {"name": "modelcache-ml-weights-hydrate-517f5", "namespace": "default", "labels": labels},
        "spec": {
            "backoffLimit": 3,
            "ttlSecondsAfterFinished": 180,
            "template": {
                "metadata": {"labels": labels},
                "spec": {
                    "restartPolicy": "OnFailure",
                    "containers": [{
                        "name": "hydrate",
                        "image": "python:3.11-slim",
                        "command": ["/bin/sh", "-c", script],
                        "env": [{"name": "HF_TOKEN", "valueFrom": {"secretKeyRef": reference}}],
                        "volumeMounts": [{"name": "artifact", "mountPath": "/mnt/artifact"}],
                    }],
                    "volumes": [{"name": "artifact", "persistentVolumeClaim": {"claimName": "modelcache-ml-weights-5f3f2"}}],
                },
            },
        },
    });
    let complete = query("object.status.conditions.exists(c, c.type == \"Complete\" && c.status == \"True\")");
    let policies = json!(["Observe", "Create", "Update", "LateInitialize"]);
    let job = around(job, json!({"readiness": complete, "managementPolicies": policies}));
    assert_eq!(response.resources["hydrate-east"].object, job);
}
