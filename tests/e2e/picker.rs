//! The endpoint picker of the inference extension, with what a service composes for it: configuration, arguments, variables, and
//! the rights of its ServiceAccount.
//!
//! It is one of prefill and decode together: only llm-d's build has the plugins of the other configuration.

use std::fs;
use std::io::{Read as _, Write as _};
use std::net::TcpStream;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

use anyhow::{Context as _, Result, bail, ensure};
use contract::catalog::{ApiResource, Scope};
use contract::compose::ComposeRequest;
use inference::otterscale::resources::INFERENCE_POOLS;
use module::compose;
use serde_json::{Value, json};
use tests::real::cluster::Cluster;
use tests::real::kubectl::Kubectl;
use tests::real::others;
use tests::real::processes::{Process, eventually, free_port, logs, progress};
use tests::real::tools::Tools;
use tonic::transport::Endpoint;
use tonic_health::pb::HealthCheckRequest;
use tonic_health::pb::health_check_response::ServingStatus;
use tonic_health::pb::health_client::HealthClient;

const NAMESPACE: &str = "models";
const POD: &str = "picker-0";
/// The kinds of the inference extension, which the picker watches.
const KINDS: &[ApiResource] = &[
    INFERENCE_POOLS,
    experimental("InferenceObjective", "inferenceobjectives"),
    experimental("InferenceModelRewrite", "inferencemodelrewrites"),
];
/// What a cluster without nodes takes of what a service composes.
const APPLIED: &[&str] = &[
    "ServiceAccount",
    "ConfigMap",
    "Role",
    "RoleBinding",
    "ClusterRole",
    "ClusterRoleBinding",
    "InferencePool",
    "Service",
];

const fn experimental(kind: &'static str, plural: &'static str) -> ApiResource {
    let api_version = "inference.networking.x-k8s.io/v1alpha2";
    ApiResource { api_version, kind, plural, scope: Scope::Namespaced }
}

#[test]
#[ignore = "it needs the real endpoint picker: `make e2e-picker`"]
fn picker() -> Result<()> {
    let dir = Path::new(env!("CARGO_TARGET_TMPDIR")).join("picker");
    if dir.exists() {
        fs::remove_dir_all(&dir)?;
    }
    fs::create_dir_all(&dir)?;
    let tools = Tools::find()?;
    let cluster = Cluster::start(&tools, &dir, &[])?;
    let run = || {
        cluster.kubectl.apply_all(&others::definitions(KINDS)?)?;
        cluster.kubectl.run(&["wait", "--for=condition=Established", "crds", "--all", "--timeout=60s"])?;
        cluster.kubectl.run(&["create", "namespace", NAMESPACE])?;
        // Alone, and with its metrics for those who may read them.
        serves(&tools, &cluster.kubectl, &dir, "alone", &json!({}), &json!({}), &[(false, 401), (true, 200)])?;
        // As one of several, which elect a leader.
        let several = json!({"replicas": 2, "failureMode": "FailClose"});
        let open = json!({"metricsEndpointAuth": false});
        serves(&tools, &cluster.kubectl, &dir, "several", &several, &open, &[(false, 200)])
    };
    run().inspect_err(|_| progress(&logs(&dir).unwrap_or_default()))
}

/// Composes a service, runs its picker, and waits until the probe of its Deployment is answered as in a pod that is ready. Its
/// metrics have these statuses, without its token and with it.
fn serves(
    tools: &Tools,
    kubectl: &Kubectl,
    dir: &Path,
    name: &str,
    picker: &Value,
    options: &Value,
    metrics: &[(bool, u16)],
) -> Result<()> {
    let [port, health_port, metrics_port] = [free_port()?, free_port()?, free_port()?];
    let (mut picker, mut options) = (picker.clone(), options.clone());
    picker["port"] = port.into();
    options["clusterRBAC"] = "direct".into();
    // In a pod these two ports are always free.
    options["endpointPickerFlags"] =
        json!({"grpc-health-port": health_port.to_string(), "metrics-port": metrics_port.to_string()});
    let objects = composed(name, &picker, &options)?;
    let of = |kind: &str| objects.iter().find(|it| it["kind"] == kind).with_context(|| format!("no {kind}"));
    let applied = objects.iter().filter(|it| APPLIED.iter().any(|kind| it["kind"] == *kind)).cloned();
    kubectl.apply_all(&applied.collect::<Vec<_>>())?;

    let account = of("ServiceAccount")?["metadata"]["name"].as_str().context("a name")?;
    let identity = kubectl.of_service_account(NAMESPACE, account)?;
    let folder = dir.join(format!("{name}-config"));
    fs::create_dir_all(&folder)?;
    for (file, text) in of("ConfigMap")?["data"].as_object().context("data")? {
        fs::write(folder.join(file), text.as_str().context("a text")?)?;
    }
    let deployment = objects
        .iter()
        .find(|it| it["kind"] == "Deployment" && it["metadata"]["name"] == account)
        .context("a Deployment of the picker")?;
    let container = &deployment["spec"]["template"]["spec"]["containers"][0];
    let mut command = Command::new(tools.path("endpoint-picker"));
    for argument in container["args"].as_array().context("arguments")? {
        let argument = argument.as_str().context("a text")?;
        command.arg(argument.replace("=/config/", &format!("={}/", folder.display())));
    }
    for variable in container["env"].as_array().context("variables")? {
        let value = match variable["valueFrom"]["fieldRef"]["fieldPath"].as_str() {
            Some("metadata.namespace") => NAMESPACE,
            Some("metadata.name") => POD,
            _ => bail!("a variable of this value is not known here: {variable}"),
        };
        command.env(variable["name"].as_str().context("a name")?, value);
    }
    command.env("KUBECONFIG", identity.kubeconfig());
    let log = format!("picker-{name}");
    let mut running = Process::start(&log, &mut command, dir)?;
    let service = container["readinessProbe"]["grpc"]["service"].as_str().context("a probe")?;
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    eventually(&format!("{name}: the picker is ready"), Duration::from_secs(90), || {
        ensure!(!running.has_ended()?, "it has ended");
        let status = runtime.block_on(health(health_port, service))?;
        ensure!(status == ServingStatus::Serving, "{service}: {status:?}");
        Ok(())
    })?;
    let connect = || Ok(TcpStream::connect(("127.0.0.1", port))?);
    eventually(&format!("{name}: gateways can connect"), Duration::from_secs(30), connect)?;
    let token = kubectl.run(&["create", "token", account, "-n", NAMESPACE])?;
    for (with_token, expected) in metrics {
        let status = status_of_metrics(metrics_port, with_token.then_some(token.trim()))?;
        ensure!(status == *expected, "{name}: its metrics, with token {with_token}: {status}");
    }
    let said = fs::read_to_string(dir.join(format!("{log}.log")))?;
    let forbidden: Vec<_> = said.lines().filter(|line| line.contains("forbidden")).collect();
    ensure!(forbidden.is_empty(), "{name}: it may not do what it wants:\n{}", forbidden.join("\n"));
    progress(&format!("{name}: `{service}` is serving"));
    running.kill();
    Ok(())
}

/// What a service with this picker becomes.
fn composed(name: &str, picker: &Value, options: &Value) -> Result<Vec<Value>> {
    let service = json!({
        "apiVersion": "model.otterscale.io/v1alpha1", "kind": "ModelService",
        "metadata": {"name": name, "namespace": NAMESPACE, "uid": format!("{name}-uid"), "generation": 1},
        "spec": {
            "model": {"name": "Qwen/Qwen3-0.6B", "image": "registry.local/qwen3:v1"},
            "engine": {}, "accelerator": {"type": "cpu"}, "decode": {}, "inferencePool": {"endpointPicker": picker},
        },
    });
    let options =
        json!({"apiVersion": "sailplane.fn.crossplane.io/v1alpha1", "kind": "Options", "modelService": options});
    let request = ComposeRequest { composite: Some(service.into()), input: Some(options), ..ComposeRequest::default() };
    let response = compose(&request).map_err(|fault| anyhow::anyhow!("{fault:?}"))?;
    let placed = response.resources.into_values().map(|desired| {
        let mut object = desired.object;
        if !object["kind"].as_str().is_some_and(|kind| kind.starts_with("Cluster")) {
            object["metadata"]["namespace"] = NAMESPACE.into();
        }
        object
    });
    Ok(placed.collect())
}

/// What the picker says of itself, as a kubelet asks it.
async fn health(port: u16, service: &str) -> Result<ServingStatus> {
    let channel = Endpoint::from_shared(format!("http://127.0.0.1:{port}"))?.connect().await?;
    let request = HealthCheckRequest { service: service.to_owned() };
    Ok(HealthClient::new(channel).check(request).await?.into_inner().status())
}

fn status_of_metrics(port: u16, token: Option<&str>) -> Result<u16> {
    let mut stream = TcpStream::connect(("127.0.0.1", port))?;
    stream.set_read_timeout(Some(Duration::from_secs(30)))?;
    let authorization = token.map(|it| format!("Authorization: Bearer {it}\r\n")).unwrap_or_default();
    stream.write_all(format!("GET /metrics HTTP/1.0\r\nHost: picker\r\n{authorization}\r\n").as_bytes())?;
    let mut answer = String::new();
    stream.read_to_string(&mut answer)?;
    let status = answer.split(' ').nth(1).with_context(|| format!("no status: {answer}"))?;
    Ok(status.parse()?)
}
