//! The ValidatingAdmissionPolicies, which the API server evaluates itself, with the same objects.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use anyhow::{Result, anyhow, ensure};
use contract::admit::{AdmitRequest, Operation};
use serde_json::{Value, json};
use tests::documents::Shown;
use tests::real::http::HttpClient;
use tests::real::processes::{eventually, progress};

use crate::judged::checked;
use crate::lookups::SOON;
use crate::objects::{self, dry_run, named, sound, with};
use crate::site::{NAMESPACE, Site};

/// The messages of the rules that the policies cover begin like this.
const COVERED: &[&str] = &[
    "metadata.name: no Service can be named",
    "metadata.name: the name ",
    "spec.engine.imagePullPolicy: no policy that Kubernetes knows",
    "spec.inferencePool.endpointPicker.port: the endpoint picker has port",
    "spec.monitoring.podMonitor.interval: no duration of Prometheus",
    "spec.monitoring.podMonitor.portName: the name is longer",
    "spec.source.huggingFace.tokenSecretRef.key: no key is called so",
    "spec.source.huggingFace.tokenSecretRef.name: no Secret is called so",
    "spec.storage.size: no volume has this size",
    "spec.storage.storageClassName: no storage class is called so",
];
const COVERED_WARNINGS: &[&str] = &[
    "no supported node has",
    "is not a power of two",
    "copies in each pod do not divide",
    "prefill pods never get work",
    "nothing is mounted there",
];

pub(crate) fn all(site: &mut Site, shown: &Shown) -> Result<()> {
    site.deregister()?;
    // Before there are policies, there may be pools that these refuse.
    let odd = cluster(json!([pool("odd", &["us-east-1a", "us-east-1a"])]));
    site.kubectl.apply(&odd)?;
    shown.run("docs/admission.md#policies-instead-of-webhooks")?;
    let mut client = site.server.client()?;
    eventually("the policies count", Duration::from_secs(60), || {
        let (status, answer) = client.send("POST", &dry_run(NAMESPACE), Some(&named("7b")))?;
        ensure!(status == 422, "{status} {answer}");
        let odd = with(sound(), "/spec/gpu", json!(3));
        let (_, _, warnings) = client.send_with_warnings("POST", &dry_run(NAMESPACE), Some(&odd))?;
        ensure!(!warnings.is_empty(), "no warning of 3 GPUs");
        Ok(())
    })?;

    let rows: Vec<(String, Value)> = objects::refused().into_iter().chain(warned()).collect();
    let verdicts = checked(&rows.iter().map(|(_, object)| object).collect::<Vec<_>>())?;
    let mut covered = 0;
    for ((what, object), ours) in rows.iter().zip(&verdicts) {
        // Each policy counts a moment after it is stored.
        covered += usize::from(eventually(what, SOON, || judged_alike(&mut client, object, ours))?);
    }
    progress(&format!("{} objects judged alike, {covered} of them by a policy", rows.len()));
    edits(site)
}

/// The API server judges an object as `check` does. Says whether a policy has judged it.
fn judged_alike(client: &mut HttpClient, object: &Value, ours: &BTreeSet<String>) -> Result<bool> {
    let path = objects::dry_run_of(object, NAMESPACE)?;
    let (status, answer, warnings) = client.send_with_warnings("POST", &path, Some(object))?;
    let refused = !(200..300).contains(&status);
    ensure!(refused != ours.is_empty(), "{status} {answer}, and `check` says {ours:#?}");
    if refused {
        // An object that the schema refuses is not seen by policies. For the others, each message is of a policy or a webhook.
        let wanted: BTreeSet<_> =
            ours.iter().filter(|line| COVERED.iter().any(|begin| line.starts_with(begin))).collect();
        let message = answer["message"].as_str().unwrap_or_default();
        // A policy reports only the first rule that is not met.
        let mut words = wanted.iter().filter_map(|line| Some(line.split_once(": ")?.1));
        let is_covered = wanted.len() == ours.len();
        ensure!(!is_covered || words.any(|words| message.contains(words)), "{message}, and not {wanted:#?}");
        return Ok(is_covered);
    }
    let ours = webhook_warnings(object)?;
    let covers = |line: &&String| COVERED_WARNINGS.iter().any(|words| line.contains(words));
    let ours: BTreeSet<_> = ours.iter().filter(covers).collect();
    let found = |line: &&&String| warnings.iter().any(|warning| warning.ends_with(line.as_str()));
    ensure!(ours.iter().all(|line| found(&line)), "{warnings:#?}, and not {ours:#?}");
    ensure!(ours.is_empty() == warnings.is_empty(), "{warnings:#?}, and not {ours:#?}");
    Ok(!ours.is_empty())
}

/// What is stored already is tolerated, and what is new beside it is not: by policies as by webhooks.
fn edits(site: &Site) -> Result<()> {
    let odd = || pool("odd", &["us-east-1a", "us-east-1a"]);
    let fewest = with(pool("a", &["us-east-1a"]), "/minNodeCount", json!(9));
    let first = with(pool("a", &["us-east-1a"]), "/nodeCount", json!(3));
    let rows = [
        (json!([with(odd(), "/nodeCount", json!(2))]), ""),
        (json!([odd(), pool("a", &["us-east-1a"])]), ""),
        (json!([odd(), pool("a", &["us-east-1b", "us-east-1b"])]), "names zone"),
        (json!([odd(), with(fewest, "/maxNodeCount", json!(2))]), "at most"),
        (json!([odd(), with(first, "/maxNodeCount", json!(2))]), "at most"),
        (json!([odd(), pool("system", &["us-east-1a"])]), "comes with the cluster"),
        (json!([with(odd(), "/fabric", json!({"type": "InfiniBand"}))]), "InfiniBand"),
    ];
    let stored = site.kubectl.get(&["inferenceclusters.modelplane.ai", "odd"])?;
    let path = "/apis/modelplane.ai/v1alpha1/inferenceclusters/odd?dryRun=All";
    let mut client = site.server.client()?;
    for (pools, words) in rows {
        let new = with(stored.clone(), "/spec/nodePools", pools);
        let operation = Operation::Update { old: stored.clone(), new: new.clone() };
        let verdict = module::admit(&AdmitRequest { operation, input: None, lookups: BTreeMap::new() });
        let denials = verdict.map_err(|fault| anyhow!("{fault:?}"))?.denials;
        let (status, answer) = client.send("PUT", path, Some(&new))?;
        let is_taken = (200..300).contains(&status);
        ensure!(is_taken == words.is_empty() && denials.is_empty() == is_taken, "{new}: {answer}, and {denials:?}");
        ensure!(denials.iter().all(|it| it.message.contains(words)), "{denials:?}");
    }
    site.kubectl.run(&["delete", "inferenceclusters.modelplane.ai", "odd"]).map(drop)
}

fn cluster(pools: Value) -> Value {
    json!({
        "apiVersion": "modelplane.ai/v1alpha1", "kind": "InferenceCluster", "metadata": {"name": "odd"},
        "spec": {"cluster": {"source": "EKS", "eks": {"region": "us-east-1"}}, "nodePools": pools},
    })
}

fn pool(name: &str, zones: &[&str]) -> Value {
    json!({"name": name, "className": "unknown", "zones": zones})
}

/// Objects that are accepted. Some get a warning.
fn warned() -> Vec<(String, Value)> {
    let gpus = (1..=33).chain([48, 64, 65, 128, 1000, 1024]);
    let rows = gpus.map(|gpus| (format!("{gpus} GPUs"), with(sound(), "/spec/gpu", json!(gpus))));
    let names = ["a", "qwen-2-5", "q7b"].map(|name| (format!("name {name}"), named(name)));
    let specs = [
        json!({"decode": {"parallelism": {"data": 4, "dataLocal": 3}}}),
        json!({"decode": {"parallelism": {"data": 4, "dataLocal": 2}}}),
        json!({"prefill": {}}),
        json!({"prefill": {"parallelism": {"data": 5, "dataLocal": 3}}, "routingProxy": {}}),
        json!({"routingProxy": {"certPath": "/certs"}}),
        json!({"routingProxy": {"certPath": "/certs", "certSecretRef": {"name": "a"}}}),
    ];
    let services = specs.into_iter().map(|spec| (format!("service {spec}"), objects::served("warned", &spec)));
    rows.chain(names).chain(services).collect()
}

/// The warnings of the webhooks.
fn webhook_warnings(object: &Value) -> Result<Vec<String>> {
    let operation = Operation::Create(objects::within(NAMESPACE, object.clone()));
    let request = AdmitRequest { operation, input: None, lookups: BTreeMap::new() };
    let verdict = module::admit(&request).map_err(|fault| anyhow!("{fault:?}"))?;
    Ok(verdict.warnings.into_iter().map(|warning| warning.message).collect())
}
