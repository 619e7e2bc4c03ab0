//! Verdicts that depend on other objects, which the replicas watch.

use std::time::Duration;

use anyhow::{Result, bail, ensure};
use serde_json::{Value, json};
use tests::real::processes::eventually;

use crate::objects::{self, named, served, sound, with, within};
use crate::site::{NAMESPACE, Site};

pub(crate) const SOON: Duration = Duration::from_secs(10);
const AFTER_AN_OUTAGE: Duration = Duration::from_secs(90);

pub(crate) fn all(site: &mut Site) -> Result<()> {
    provider_configurations(site)?;
    hosts(site)?;
    same_objects(site)?;
    services(site)?;
    platform(site)?;
    models(site)?;
    without_rights(site)
}

/// Waits until the replicas have seen the provider configuration, also those whose watches were cut off: they begin again after
/// waits that double.
pub(crate) fn seen(site: &Site, config: &str) -> Result<()> {
    let object = with(named("probe"), "/spec/providerConfigName", config.into());
    accepted_within(AFTER_AN_OUTAGE, site, NAMESPACE, &object).map(drop)
}

fn provider_configurations(site: &Site) -> Result<()> {
    let object = with(sound(), "/spec/providerConfigName", json!("gpu-clutser"));
    refused(site, NAMESPACE, &object, "spec.providerConfigName: no ClusterProviderConfig `gpu-clutser`; known are ")?;
    site.kubectl.apply(&objects::provider_config("gpu-clutser"))?;
    accepted(site, NAMESPACE, &object)?;
    site.kubectl.run(&["delete", "clusterproviderconfigs.kubernetes.m.crossplane.io", "gpu-clutser"])?;
    refused(site, NAMESPACE, &object, "no ClusterProviderConfig `gpu-clutser`")?;

    // A namespaced one can be used in its namespace only.
    let mut own = objects::provider_config("own");
    own["kind"] = json!("ProviderConfig");
    site.kubectl.apply(&within(NAMESPACE, own))?;
    let object = with(
        with(sound(), "/spec/providerConfigName", json!("own")),
        "/spec/providerConfigKind",
        json!("ProviderConfig"),
    );
    accepted(site, NAMESPACE, &object)?;
    refused(
        site,
        "team-b",
        &object,
        "no ProviderConfig `own` in namespace `team-b`; there is none yet: create it first",
    )
}

fn hosts(site: &Site) -> Result<()> {
    let host = |name: &str| with(named(name), "/spec/ingressHost", json!("chat.example.org"));
    site.kubectl.apply(&within("team-b", host("first")))?;
    let taken =
        "spec.ingressHost: host `chat.example.org` is that of LLMInference `team-b/first` on the same cluster already";
    refused(site, NAMESPACE, &host("second"), taken)?;
    // An object may keep its own host.
    site.kubectl.apply(&within("team-b", with(host("first"), "/spec/gpu", json!(2))))?;
    let elsewhere = with(host("second"), "/spec/providerConfigName", json!("other"));
    warned(site, &elsewhere, "host `chat.example.org` is also that of")?;
    site.kubectl.run(&["delete", "-n", "team-b", "llminference", "first"])?;
    accepted(site, NAMESPACE, &host("second")).map(drop)
}

fn same_objects(site: &Site) -> Result<()> {
    site.kubectl.apply(&within("team-b", with(named("shared"), "/spec/targetNamespace", json!(NAMESPACE))))?;
    refused(
        site,
        NAMESPACE,
        &named("shared"),
        "metadata.name: LLMInference `team-b/shared` composes `team-a/shared` on ClusterProviderConfig `gpu-cluster` already",
    )?;
    site.kubectl.run(&["delete", "-n", "team-b", "llminference", "shared"])?;
    accepted(site, NAMESPACE, &named("shared")).map(drop)
}

/// Services whose endpoint pickers, or cluster-scoped grants, would have one name; and artifacts that have not pushed their image yet.
fn services(site: &Site) -> Result<()> {
    // With a namespace whose name begins as that of another one.
    site.kubectl.apply(&json!({"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": "team"}}))?;
    let rows = [
        ("a.b", NAMESPACE, "a-b", "metadata.name: ModelService `a.b` has an endpoint picker `a-b-epp` already"),
        (
            "x",
            "team",
            "a-x",
            "metadata.name: ModelService `team-a/x` has a cluster-scoped grant `team-a-x-epp` already",
        ),
    ];
    for (first, namespace, second, want) in rows {
        site.kubectl.apply(&within(NAMESPACE, served(first, &json!({}))))?;
        refused(site, namespace, &served(second, &json!({})), want)?;
        site.kubectl.run(&["delete", "-n", NAMESPACE, "modelservices.model.otterscale.io", first])?;
        accepted(site, namespace, &served(second, &json!({})))?;
    }
    let artifact = json!({
        "apiVersion": "model.otterscale.io/v1alpha1", "kind": "ModelArtifact", "metadata": {"name": "a"},
        "spec": {
            "source": {"huggingFace": {"model": "a/b"}}, "target": {"registry": "reg.example", "repository": "a", "tag": "v1"},
            "storage": {"size": "5Gi"},
        },
    });
    site.kubectl.apply(&within(NAMESPACE, artifact))?;
    let awaits = "the image comes from ModelArtifact `team-a/a`, which has not pushed it yet";
    warned(site, &served("a", &json!({})), awaits)?;
    site.kubectl.run(&["delete", "-n", NAMESPACE, "modelartifacts.model.otterscale.io", "a"]).map(drop)
}

/// Classes, clusters and gateways of Modelplane that others need, or that exist already.
fn platform(site: &Site) -> Result<()> {
    let of = |kind: &str, name: &str, spec: Value| json!({"apiVersion": "modelplane.ai/v1alpha1", "kind": kind, "metadata": {"name": name}, "spec": spec});
    let class = |provisioning: Value| {
        let device = json!({"name": "gpu", "driver": "gpu.nvidia.com", "deviceClassName": "gpu.nvidia.com"});
        of("InferenceClass", "own", json!({"provisioning": provisioning, "devices": [device]}))
    };
    let pool = |class: &str| json!({"name": "a", "className": class, "zones": ["us-east-1a"]});
    let cluster = |name: &str, pool: Value| {
        of(
            "InferenceCluster",
            name,
            json!({"cluster": {"source": "EKS", "eks": {"region": "us-east-1"}}, "nodePools": [pool]}),
        )
    };
    let eks = json!({"provider": "EKS", "eks": {"instanceType": "g6.xlarge", "accelerator": {"type": "nvidia-l4", "count": 1}}});
    let gke = json!({"provider": "GKE", "gke": {"machineType": "g2-standard-8", "accelerator": {"type": "nvidia-l4", "count": 1}}});
    let lacks = "InferenceClass `own` does not exist: the cluster waits for it";
    warned(site, &cluster("gpu-east", pool("own")), lacks)?;
    site.kubectl.apply(&class(gke.clone()))?;
    refused(
        site,
        NAMESPACE,
        &cluster("gpu-east", pool("own")),
        "InferenceClass `own` has no block `provisioning.eks`",
    )?;
    site.kubectl.apply(&class(eks))?;
    let elsewhere = with(cluster("gpu-east", pool("own")), "/spec/nodePools/0/zones", json!(["us-east-1f"]));
    refused(site, NAMESPACE, &elsewhere, "pool `a` is in zone `us-east-1f`, which has no subnet")?;
    accepted(site, NAMESPACE, &cluster("gpu-east", pool("own")))?;
    site.kubectl.apply(&cluster("gpu-east", pool("own")))?;

    // The class is needed now, with its block.
    let path = "/apis/modelplane.ai/v1alpha1/inferenceclasses/own?dryRun=All";
    answered(site, "DELETE", path, None, "pools of InferenceCluster `gpu-east` have this class")?;
    let mut edited = class(gke);
    edited["metadata"]["resourceVersion"] =
        site.kubectl.get(&["inferenceclasses.modelplane.ai", "own"])?["metadata"]["resourceVersion"].clone();
    answered(site, "PUT", path, Some(&edited), "InferenceCluster `gpu-east` has pools of the class")?;

    // What is on a cluster keeps it.
    let engines = json!([{"name": "main", "members": [{"role": "Standalone", "nodePoolName": "a", "deviceRequests": [{"name": "gpu", "count": 1, "deviceClassName": "gpu.nvidia.com"}], "template": {
        "spec": {"containers": [{"name": "engine", "image": "vllm/vllm-openai"}]}}}]}]);
    let mut replica = of("ModelReplica", "qwen-1", json!({"clusterName": "gpu-east", "engines": engines}));
    replica["metadata"]["labels"] = json!({"modelplane.ai/cluster": "gpu-east"});
    site.kubectl.apply(&within(NAMESPACE, replica))?;
    let path = "/apis/modelplane.ai/v1alpha1/inferenceclusters/gpu-east?dryRun=All";
    answered(site, "DELETE", path, None, "the cluster has ModelReplica `team-a/qwen-1`")?;
    site.kubectl.run(&["delete", "-n", NAMESPACE, "modelreplicas.modelplane.ai", "qwen-1"])?;

    // A control plane has one gateway.
    let gateway =
        |name: &str| of("InferenceGateway", name, json!({"backend": "Traefik", "traefik": {"version": "40.2.0"}}));
    site.kubectl.apply(&gateway("default"))?;
    refused(site, NAMESPACE, &gateway("other"), "there is InferenceGateway `default` already")?;
    for (kind, name) in
        [("inferencegateways", "default"), ("inferenceclusters", "gpu-east"), ("inferenceclasses", "own")]
    {
        eventually("what nothing needs is deleted", SOON, || {
            site.kubectl.run(&["delete", "--ignore-not-found", &format!("{kind}.modelplane.ai"), name]).map(drop)
        })?;
    }
    Ok(())
}

/// InferenceModels beside others of their namespace.
fn models(site: &Site) -> Result<()> {
    let model = |name: &str, called: &str, dependencies: &[&str]| {
        let spec = json!({
            "modelName": called, "memory": "1Gi", "backendUrl": "http://other.models.svc:9090", "dependencies": dependencies,
            "containerImage": "registry.example.org/serve:v1",
        });
        json!({
            "apiVersion": "inference.eh-ops.io/v1alpha1", "kind": "InferenceModel", "metadata": {"name": name}, "spec": spec,
        })
    };
    let (front, back) = (model("front", "chat", &["embeddings"]), model("back", "embeddings", &[]));
    warned(
        site,
        &front,
        "no model of namespace `team-a` has the name `embeddings`, so the model waits until there is one",
    )?;
    site.kubectl.apply(&within(NAMESPACE, front.clone()))?;
    let circle = "the models need one another, so none of them could start";
    refused(site, NAMESPACE, &model("back", "embeddings", &["chat"]), circle)?;
    warned(site, &model("twin", "chat", &[]), "model `front` has this name too")?;
    site.kubectl.apply(&within(NAMESPACE, back))?;
    let path = format!("/apis/inference.eh-ops.io/v1alpha1/namespaces/{NAMESPACE}/inferencemodels/back?dryRun=All");
    warned_by(site, "DELETE", &path, None, "depends on it, and cannot start without it")?;
    site.kubectl.run(&["delete", "-n", NAMESPACE, "inferencemodels.inference.eh-ops.io", "front", "back"]).map(drop)
}

/// Waits until an object is accepted with this warning.
fn warned(site: &Site, object: &Value, want: &str) -> Result<()> {
    warned_by(site, "POST", &objects::dry_run_of(object, NAMESPACE)?, Some(object), want)
}

/// Waits until a request is accepted with this warning.
pub(crate) fn warned_by(site: &Site, method: &str, path: &str, object: Option<&Value>, want: &str) -> Result<()> {
    let mut client = site.server.client()?;
    eventually(&format!("{method} {path} gets a warning"), SOON, || {
        let (status, answer, warnings) = client.send_with_warnings(method, path, object)?;
        ensure!((200..300).contains(&status), "{status} {answer}");
        ensure!(warnings.iter().any(|it| it.contains(want)), "{warnings:?}");
        Ok(())
    })
}

/// Waits until a request is refused with these words.
fn answered(site: &Site, method: &str, path: &str, object: Option<&Value>, want: &str) -> Result<()> {
    let mut client = site.server.client()?;
    eventually(&format!("{method} {path} is refused"), SOON, || {
        let (status, answer) = client.send(method, path, object)?;
        ensure!(!(200..300).contains(&status), "it is accepted");
        let message = answer["message"].as_str().unwrap_or_default();
        ensure!(message.contains(want), "it is refused with {message}\nand not {want}");
        Ok(())
    })
}

/// A replica without the right to read other objects accepts objects that depend on them, with a warning.
fn without_rights(site: &mut Site) -> Result<()> {
    const ACCOUNT: &str = "without-rights";
    site.kubectl.run(&["create", "serviceaccount", ACCOUNT, "-n", NAMESPACE])?;
    let identity = site.kubectl.of_service_account(NAMESPACE, ACCOUNT)?;
    let blind = tests::real::replica::Replica::start(&site.certificates, identity.kubeconfig(), &site.dir, &[])?;
    let unwatching = site.replica(&["--no-lookups"])?;
    let object = with(sound(), "/spec/providerConfigName", json!("nowhere"));
    let not_looked_up = |warnings: &[String]| warnings.iter().any(|it| it.contains("nowhere"));

    site.balancer.set(&[blind.port]);
    reconnected(site)?;
    let warnings = accepted(site, NAMESPACE, &object)?;
    ensure!(not_looked_up(&warnings), "{warnings:?}");

    site.balancer.set(&[unwatching.port]);
    blind.terminate()?;
    let warnings = accepted(site, NAMESPACE, &object)?;
    ensure!(!not_looked_up(&warnings), "{warnings:?}");

    site.balance();
    unwatching.terminate()?;
    refused(site, NAMESPACE, &object, "no ClusterProviderConfig `nowhere`")
}

/// Replaces the replicas, because the API server keeps open connections to the old ones.
fn reconnected(site: &mut Site) -> Result<()> {
    for replica in std::mem::take(&mut site.replicas) {
        replica.terminate()?;
    }
    for _ in 0..2 {
        let replica = site.replica(&[])?;
        site.replicas.push(replica);
    }
    Ok(())
}

/// Waits until the object is accepted, because a watch may report new objects later. Returns the warnings.
pub(crate) fn accepted(site: &Site, namespace: &str, object: &Value) -> Result<Vec<String>> {
    accepted_within(SOON, site, namespace, object)
}

fn accepted_within(limit: Duration, site: &Site, namespace: &str, object: &Value) -> Result<Vec<String>> {
    let (mut client, path) = (site.server.client()?, objects::dry_run_of(object, namespace)?);
    eventually("the object is accepted", limit, || match client.send_with_warnings("POST", &path, Some(object))? {
        (200..300, _, warnings) => Ok(warnings),
        (_, answer, _) => bail!("{}", answer["message"]),
    })
}

/// Waits until the object is refused with a message that contains `want`.
pub(crate) fn refused(site: &Site, namespace: &str, object: &Value, want: &str) -> Result<()> {
    answered(site, "POST", &objects::dry_run_of(object, namespace)?, Some(object), want)
}
