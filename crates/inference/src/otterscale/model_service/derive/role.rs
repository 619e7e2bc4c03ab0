//! The pods of a role: prefill and decode have the same tables.

use serde_json::{Map, Value, json};
use toolbox::data;
use toolbox::rule::{Element, Rule, Table, constant, rule};

use super::inputs::ServingInputs;
use crate::otterscale::labels::{COMPONENT, NAME, OF_PLATFORM, VERSION, VERSION_CAUSES, managed_by, part_of};
use crate::otterscale::model_service::spec::{ModelDelivery, Parallelism, RoleSpec, RolloutStrategy, RoutingProxy};
use crate::otterscale::{quantities, shell};

/// A role of a service.
#[derive(Clone, Copy, Debug)]
pub struct ServedRole<'a> {
    /// The service.
    pub of: &'a ServingInputs,
    /// `decode` or `prefill`.
    pub name: &'static str,
    /// What the service says about it.
    pub spec: &'a RoleSpec,
}

impl Element for ServedRole<'_> {
    const WORD: &'static str = "role";

    fn name(&self) -> &str {
        self.name
    }
}

const OF_SERVICE: &[&str] = &["metadata.name"];
const PORT: &[&str] = &["spec.engine.port", "spec.routingProxy.targetPort"];
const SECRETS: &[&str] = &["spec.model.imagePullSecrets"];
const VARIABLES: &[&str] = &["spec.engine.env", "spec.{role}.env"];
const DELIVERY: &[&str] = &["spec.model.delivery", "spec.model.image"];
const UNPACKED: &[&str] = &["spec.model.delivery"];
const SHARED_MEMORY: &[&str] = &["spec.engine.sharedMemory", "spec.{role}.parallelism.tensor"];
const CERTIFICATE: &[&str] = &["spec.routingProxy.certSecretRef", "spec.routingProxy.certPath"];
const PROBES: &[&str] = &["spec.engine.probes", "spec.engine.port", "spec.routingProxy.targetPort"];
const TRACING: &[&str] = &["input.modelService.tracing"];
/// A variable of NIXL, with the port of its side channel.
pub const SIDE_CHANNEL: &str = "VLLM_NIXL_SIDE_CHANNEL_PORT";
/// Where `kit` works.
const KIT_HOME: &str = "/tmp/model-oci";
/// Where the credentials for registries are.
const DOCKER: &str = "/.docker";

impl<'a> ServedRole<'a> {
    /// Labels by which its pods are selected.
    #[rustfmt::skip]
    pub const SELECTOR: &'a [Rule<Self>] = &[
        rule(NAME, "the service", OF_SERVICE, |r| Some(json!(r.of.service.name))),
        rule(COMPONENT, "the component", &[], |r| Some(json!(format!("model-{}", r.name)))),
        part_of(),
        managed_by(),
    ];

    /// The label with the version.
    #[rustfmt::skip]
    pub const VERSION: &'a [Rule<Self>] = &[
        rule(VERSION, OF_PLATFORM, VERSION_CAUSES, |r| r.of.version()),
    ];

    /// Further labels of pods, and of their selectors.
    #[rustfmt::skip]
    pub const PODS: &'a [Rule<Self>] = &[
        constant("[llm-d.ai/inferenceServing]", "always: the pool selects them", data!("true")),
        rule("[llm-d.ai/model]", "the service", OF_SERVICE, |r| Some(json!(r.of.service.name))),
        rule("[llm-d.ai/role]", "the role, by which the endpoint picker tells pods apart", &[], |r| Some(json!(r.name))),
    ];

    /// The Deployment.
    #[rustfmt::skip]
    pub const DEPLOYMENT: &'a [Rule<Self>] = &[
        rule("metadata.name", "name of the service, with the role", OF_SERVICE, |r| Some(json!(format!("{}-{}", r.of.service.name, r.name)))),
        rule("metadata.namespace", "that of the service", &["metadata.namespace"], |r| Some(json!(r.of.service.namespace))),
        rule("spec.replicas", "the number of pods, unless a scaler of another kind decides", &["spec.{role}.replicas", "spec.{role}.externalScaler"], |r| (r.spec.external_scaler != Some(true)).then(|| json!(r.spec.replicas))),
        rule("spec.strategy", "how pods are replaced: in place needs no free devices", &["spec.{role}.strategy"], |r| r.spec.strategy.map(strategy)),
        rule("spec.template.metadata.annotations", "the annotations of the role", &["spec.{role}.annotations"], |r| some(r.spec.annotations.as_ref())),
        constant("spec.template.spec.automountServiceAccountToken", "always: model servers do not use the API server", data!(false)),
        constant("spec.template.spec.securityContext", "always", data!({"runAsNonRoot": true, "seccompProfile": {"type": "RuntimeDefault"}})),
        rule("spec.template.spec.imagePullSecrets", "the Secrets for registries, each once", SECRETS, |r| r.pull_secrets()),
        rule("spec.template.spec.nodeSelector", "the nodes of the role", &["spec.{role}.nodeSelector"], |r| some(r.spec.node_selector.as_ref())),
        rule("spec.template.spec.tolerations", "the tolerations of the role", &["spec.{role}.tolerations"], |r| listed(r.spec.tolerations.as_deref())),
        rule("spec.template.spec.volumes[]", "the weights: unpacked, or as an image", DELIVERY, |r| Some(r.weights())),
        rule("spec.template.spec.volumes[]", "where `kit` works, unless the weights are an image", UNPACKED, |r| r.is_unpacked().then(|| json!({"name": "model-tmp", "emptyDir": {}}))),
        rule("spec.template.spec.volumes[]", "the first of the Secrets, for the artifact that is unpacked", SECRETS, |r| r.pull_secret().map(docker_volume)),
        rule("spec.template.spec.volumes[]", "memory that processes share, when devices share layers", SHARED_MEMORY, |r| r.shared_memory().map(|size| json!({"name": "shared-memory", "emptyDir": {"medium": "Memory", "sizeLimit": quantities::text(size)}}))),
        rule("spec.template.spec.volumes[]", "the certificate of the proxy", CERTIFICATE, |r| r.proxy()?.certificate().map(|(secret, _)| json!({"name": "proxy-certificate", "secret": {"secretName": secret}}))),
    ];

    /// The model server.
    #[rustfmt::skip]
    pub const ENGINE: &'a [Rule<Self>] = &[
        constant("name", "always", data!("vllm")),
        rule("image", "the image, else the platform's", &["spec.engine.image", "input.modelService.images.engine"], |r| Some(or(r.of.service.spec.engine.image.as_deref(), &r.of.options.images.engine))),
        rule("imagePullPolicy", "when the image is pulled", &["spec.engine.imagePullPolicy"], |r| text(r.of.service.spec.engine.image_pull_policy.as_deref())),
        constant("command", "always", data!(["vllm", "serve"])),
        rule("args[]", "the folder with the weights", &["spec.model.mountPath"], |r| Some(json!(r.mount_path()))),
        rule("args[..]", "the port; behind a proxy its own", PORT, |r| Some(json!(["--port", r.engine_port().to_string()]))),
        rule("args[..]", "the name by which clients ask for the model", &["spec.model.name"], |r| Some(json!(["--served-model-name", r.of.service.spec.model.name]))),
        rule("args[..]", "several devices share each layer", &["spec.{role}.parallelism.tensor"], |r| divided("--tensor-parallel-size", r.parallelism().tensor)),
        rule("args[..]", "there are several copies", &["spec.{role}.parallelism.data"], |r| divided("--data-parallel-size", r.parallelism().data)),
        rule("args[..]", "there are several copies in each pod", &["spec.{role}.parallelism.dataLocal"], |r| divided("--data-parallel-size-local", r.parallelism().data_local)),
        rule("args[..]", "the arguments of the service, which win because they are last", &["spec.engine.args"], |r| r.of.service.spec.engine.args.as_ref().filter(|args| !args.is_empty()).map(|args| json!(args))),
        rule("args[..]", "the arguments of the role, which win over those of the service", &["spec.{role}.args"], |r| r.spec.args.as_ref().filter(|args| !args.is_empty()).map(|args| json!(args))),
        rule("env[]", "devices that share each layer, unless the service says otherwise", &["spec.{role}.parallelism.tensor", "spec.engine.env", "spec.{role}.env"], |r| r.variable("TP_SIZE", r.parallelism().tensor)),
        rule("env[]", "all copies, unless the service says otherwise", &["spec.{role}.parallelism.data", "spec.engine.env", "spec.{role}.env"], |r| r.variable("DP_SIZE", r.parallelism().data)),
        rule("env[]", "copies in each pod, unless the service says otherwise", &["spec.{role}.parallelism.dataLocal", "spec.engine.env", "spec.{role}.env"], |r| r.variable("DP_SIZE_LOCAL", r.parallelism().data_local)),
        rule("env[..]", "the variables of the service and of the role; of several with one name the last", VARIABLES, |r| listed(Some(&r.variables()))),
        rule("ports[]", "the port; behind a proxy its own", PORT, |r| Some(port("http", r.engine_port()))),
        rule("ports[]", "caches move between pods by it", VARIABLES, |r| r.side_channel().map(|number| port("nixl-side", number))),
        rule("volumeMounts[]", "the weights", &["spec.model.mountPath"], |r| Some(json!({"name": "model", "mountPath": r.mount_path(), "readOnly": true}))),
        rule("volumeMounts[]", "memory that processes share, when devices share layers", SHARED_MEMORY, |r| r.shared_memory().map(|_| json!({"name": "shared-memory", "mountPath": "/dev/shm"}))),
        rule("startupProbe", "loading a model may take half an hour", PROBES, |r| r.probed(json!({"failureThreshold": 180, "periodSeconds": 10}))),
        rule("readinessProbe", "the model is loaded", PROBES, |r| r.probed(json!({"failureThreshold": 3, "periodSeconds": 10}))),
        rule("livenessProbe", "the model server answers", PROBES, |r| r.probed(json!({"failureThreshold": 6, "periodSeconds": 10, "timeoutSeconds": 5}))),
        rule("resources", "those of the role", &["spec.{role}.resources"], |r| Some(r.spec.resources.as_ref().map_or_else(|| json!({}), quantities::of_container))),
        constant("securityContext", "always: it needs no rights", data!({"allowPrivilegeEscalation": false, "capabilities": {"drop": ["ALL"]}})),
    ];

    /// The number of devices, in requests and limits.
    #[rustfmt::skip]
    pub const DEVICES: &'a [Rule<Self>] = &[
        rule("", "devices that share each layer, for each copy in the pod", &["spec.accelerator.type", "spec.{role}.parallelism.tensor", "spec.{role}.parallelism.dataLocal"], |r| Some(json!(r.devices().to_string()))),
    ];

    /// The container that unpacks the weights.
    #[rustfmt::skip]
    pub const UNPACK: &'a [Rule<Self>] = &[
        constant("name", "always", data!("model-unpack")),
        rule("image", "the platform's", &["input.modelService.images.kit"], |r| Some(json!(r.of.options.images.kit))),
        constant("command", "always", data!(["/bin/sh", "-c"])),
        rule("args", "it pulls the artifact and unpacks it, with what the service says in variables", &["input.modelService.unpackScript", "input.modelService.plainHttp"], |r| Some(json!([r.script()]))),
        rule("env[]", "the artifact", &["spec.model.image"], |r| Some(variable("OCI_MODEL_IMAGE", &r.of.service.spec.model.image))),
        rule("env[]", "the folder with the weights", &["spec.model.mountPath"], |r| Some(variable("MODEL_MOUNT_PATH", r.mount_path()))),
        constant("env[]", "always: where `kit` works", data!({"name": "KITOPS_HOME", "value": KIT_HOME})),
        rule("env[]", "where the credentials are", SECRETS, |r| r.pull_secret().map(|_| variable("DOCKER_CONFIG", DOCKER))),
        constant("volumeMounts[]", "always: where `kit` works", data!({"name": "model-tmp", "mountPath": KIT_HOME})),
        rule("volumeMounts[]", "the weights", &["spec.model.mountPath"], |r| Some(json!({"name": "model", "mountPath": r.mount_path()}))),
        rule("volumeMounts[]", "the credentials", SECRETS, |r| r.pull_secret().map(|_| json!({"name": "docker-config", "mountPath": DOCKER, "readOnly": true}))),
        constant("securityContext", "always: it needs no rights", data!({"allowPrivilegeEscalation": false, "capabilities": {"drop": ["ALL"]}})),
    ];

    /// The PodDisruptionBudget.
    #[rustfmt::skip]
    pub const BUDGET: &'a [Rule<Self>] = &[
        rule("metadata.name", "name of the service, with the role", OF_SERVICE, |r| Some(json!(format!("{}-{}", r.of.service.name, r.name)))),
        rule("metadata.namespace", "that of the service", &["metadata.namespace"], |r| Some(json!(r.of.service.namespace))),
        rule("spec.maxUnavailable", "the most pods that may be missing", &["spec.{role}.disruptionBudget.maxUnavailable"], |r| r.spec.disruption_budget.map(|it| json!(it.max_unavailable))),
    ];

    /// The PodMonitor.
    #[rustfmt::skip]
    pub const MONITOR: &'a [Rule<Self>] = &[
        rule("metadata.name", "name of the service, with the role", OF_SERVICE, |r| Some(json!(format!("{}-{}", r.of.service.name, r.name)))),
        rule("metadata.namespace", "that of the service", &["metadata.namespace"], |r| Some(json!(r.of.service.namespace))),
        rule("spec.podMetricsEndpoints[0].port", "the port of the model server", &["spec.monitoring.podMonitor.portName"], |r| Some(or(r.of.pod_monitor().map(|it| it.port_name.as_str()), "http"))),
        rule("spec.podMetricsEndpoints[0].path", "the path of its metrics", &["spec.monitoring.podMonitor.path"], |r| Some(or(r.of.pod_monitor().map(|it| it.path.as_str()), "/metrics"))),
        rule("spec.podMetricsEndpoints[0].interval", "how often they are read", &["spec.monitoring.podMonitor.interval"], |r| Some(or(r.of.pod_monitor().map(|it| it.interval.as_str()), "30s"))),
        constant("spec.podMetricsEndpoints[0].relabelings", "always: the service is a label of its metrics", data!([{"action": "replace", "sourceLabels": ["__meta_kubernetes_pod_label_app_kubernetes_io_name"], "targetLabel": "model_service"}])),
    ];

    /// The port at which clients are answered.
    fn port(&self) -> i32 {
        self.of.service.spec.engine.port
    }

    /// The proxy in these pods.
    pub fn proxy(&self) -> Option<ProxyOf<'a>> {
        let proxy = self.of.service.spec.routing_proxy.as_ref().filter(|_| self.name == "decode")?;
        Some(ProxyOf { role: *self, proxy })
    }

    /// Whether the weights are unpacked before the model server starts.
    pub fn unpacks(&self) -> bool {
        self.is_unpacked() && !self.of.options.images.kit.is_empty() && !self.of.service.spec.model.image.is_empty()
    }

    /// Whether the weights are files that something unpacks.
    fn is_unpacked(&self) -> bool {
        self.of.service.spec.model.delivery != Some(ModelDelivery::ImageVolume)
    }

    /// The volume with the weights.
    fn weights(&self) -> Value {
        if self.is_unpacked() {
            return json!({"name": "model", "emptyDir": {}});
        }
        json!({"name": "model", "image": {"reference": self.of.service.spec.model.image}})
    }

    /// The size of the memory that processes of a pod share.
    fn shared_memory(&self) -> Option<&'a Value> {
        self.of.service.spec.engine.shared_memory.as_ref().filter(|_| self.parallelism().tensor > 1)
    }

    /// A probe of the model server with these settings.
    fn probed(&self, settings: Value) -> Option<Value> {
        let mut probe = settings;
        probe["httpGet"] = json!({"path": "/health", "port": self.engine_port()});
        (self.of.service.spec.engine.probes == Some(true)).then_some(probe)
    }

    /// The port of the model server.
    fn engine_port(&self) -> i32 {
        self.proxy().map_or(self.port(), |it| it.proxy.target_port)
    }

    fn mount_path(&self) -> &str {
        Some(self.of.service.spec.model.mount_path.as_str()).filter(|path| !path.is_empty()).unwrap_or("/models")
    }

    fn parallelism(&self) -> Parallelism {
        self.spec.parallelism.unwrap_or(Parallelism { tensor: 1, data: 1, data_local: 1 })
    }

    /// The number of devices of a pod.
    pub fn devices(&self) -> i64 {
        i64::from(self.parallelism().tensor) * i64::from(self.parallelism().data_local)
    }

    /// The Secret for the artifact that is unpacked.
    fn pull_secret(&self) -> Option<&'a Value> {
        self.of.service.spec.model.image_pull_secrets.as_ref().filter(|_| self.is_unpacked())?.first()
    }

    /// Server-side apply refuses a list with the same Secret twice.
    fn pull_secrets(&self) -> Option<Value> {
        let all = self.of.service.spec.model.image_pull_secrets.as_deref().unwrap_or_default();
        let first = |(index, secret): &(usize, &Value)| !all.iter().take(*index).any(|it| it["name"] == secret["name"]);
        let once: Vec<_> = all.iter().enumerate().filter(first).map(|(_, secret)| secret.clone()).collect();
        listed(Some(&once))
    }

    /// Server-side apply refuses a list with the same variable twice. In Kubernetes the last one wins.
    fn variables(&self) -> Vec<Value> {
        let all: Vec<_> = self.stated().collect();
        let last =
            |(index, variable): &(usize, &&Value)| !all.iter().skip(index + 1).any(|it| it["name"] == variable["name"]);
        all.iter().enumerate().filter(last).map(|(_, variable)| (*variable).clone()).collect()
    }

    /// The variables of the service, then those of the role.
    fn stated(&self) -> impl Iterator<Item = &'a Value> {
        self.of.service.spec.engine.env.iter().flatten().chain(self.spec.env.iter().flatten())
    }

    fn variable(&self, name: &str, size: i32) -> Option<Value> {
        let own = self.stated().any(|it| it["name"] == name);
        (!own).then(|| variable(name, &size.to_string()))
    }

    /// The port in the first variable of that name, if it is one and no other port is the same. One of the role wins.
    fn side_channel(&self) -> Option<i32> {
        let of_role = self.spec.env.iter().flatten().find(|it| it["name"] == SIDE_CHANNEL);
        let first = of_role.or_else(|| self.stated().find(|it| it["name"] == SIDE_CHANNEL))?;
        side_channel_port(first).filter(|number| *number != self.engine_port())
    }

    fn script(&self) -> &str {
        let ours = if self.of.options.plain_http { shell::UNPACK } else { shell::UNPACK_WITH_TLS };
        self.of.options.unpack_script.as_deref().unwrap_or(ours)
    }
}

/// The port that a variable of NIXL states. `None` when it states none.
pub fn side_channel_port(variable: &Value) -> Option<i32> {
    let text = variable["value"].as_str()?;
    text.parse().ok().filter(|number| (1..=65_535).contains(number))
}

/// The proxy in the pods of a role.
#[derive(Clone, Copy, Debug)]
pub struct ProxyOf<'a> {
    role: ServedRole<'a>,
    proxy: &'a RoutingProxy,
}

impl Element for ProxyOf<'_> {
    const WORD: &'static str = "role";

    fn name(&self) -> &str {
        self.role.name
    }
}

impl<'a> ProxyOf<'a> {
    /// The proxy, which runs beside the model server and starts before it.
    #[rustfmt::skip]
    pub const PROXY: &'a [Rule<Self>] = &[
        constant("name", "always", data!("routing-proxy")),
        rule("image", "the image, else the platform's", &["spec.routingProxy.image", "input.modelService.images.routingProxy"], |p| Some(or(p.proxy.image.as_deref(), &p.role.of.options.images.routing_proxy))),
        rule("args[..]", "clients are answered here", &["spec.engine.port"], |p| Some(json!(["--port", p.role.port().to_string()]))),
        rule("args[..]", "the model server is here", &["spec.routingProxy.targetPort"], |p| Some(json!(["--vllm-port", p.proxy.target_port.to_string()]))),
        rule("args[..]", "how caches move", &["spec.routingProxy.connector"], |p| Some(json!(["--connector", or(Some(&p.proxy.connector), "nixlv2")]))),
        rule("args[..]", "the format of its log", &["spec.routingProxy.zapEncoder"], |p| flag("--zap-encoder", p.proxy.zap_encoder.as_deref())),
        rule("args[..]", "the level of its log", &["spec.routingProxy.zapLogLevel"], |p| flag("--zap-log-level", p.proxy.zap_log_level.as_deref())),
        rule("args[]", "whether it listens with TLS", &["spec.routingProxy.secureProxy"], |p| Some(json!(format!("--secure-proxy={}", p.proxy.secure_proxy.unwrap_or(false))))),
        rule("args[]", "whether prefill pods listen with TLS", &["spec.routingProxy.prefillerUseTLS"], |p| p.proxy.prefiller_use_tls.map(|on| json!(format!("--prefiller-use-tls={on}")))),
        rule("args[..]", "the folder of its certificate", &["spec.routingProxy.certPath"], |p| flag("--cert-path", p.proxy.cert_path.as_deref())),
        rule("env[]", "its name in traces", TRACING, |p| p.traced(|_| variable("OTEL_SERVICE_NAME", "llm-d-routing-sidecar"))),
        rule("env[]", "where traces are sent", TRACING, |p| p.traced(|p| variable("OTEL_EXPORTER_OTLP_ENDPOINT", &p.role.of.options.tracing.endpoint))),
        rule("env[]", "how traces are sent", TRACING, |p| p.traced(|_| variable("OTEL_TRACES_EXPORTER", "otlp"))),
        rule("env[]", "the sampler of traces", TRACING, |p| p.sampled("OTEL_TRACES_SAMPLER", &p.role.of.options.tracing.sampler)),
        rule("env[]", "the argument of the sampler", TRACING, |p| p.sampled("OTEL_TRACES_SAMPLER_ARG", &p.role.of.options.tracing.sampler_arg)),
        rule("ports", "clients are answered here", &["spec.engine.port"], |p| Some(json!([port("proxy", p.role.port())]))),
        rule("volumeMounts", "its certificate", CERTIFICATE, |p| p.certificate().map(|(_, folder)| json!([{"name": "proxy-certificate", "mountPath": folder, "readOnly": true}]))),
        constant("restartPolicy", "always: it runs as long as the pod", data!("Always")),
        constant("securityContext", "always: it needs no rights", data!({"allowPrivilegeEscalation": false, "capabilities": {"drop": ["ALL"]}})),
    ];

    /// The Secret with its certificate, and the folder.
    fn certificate(&self) -> Option<(&'a str, &'a str)> {
        let folder = self.proxy.cert_path.as_deref().filter(|folder| !folder.is_empty())?;
        Some((self.proxy.cert_secret_ref.as_ref()?.name.as_str(), folder))
    }

    fn traced(&self, value: fn(&Self) -> Value) -> Option<Value> {
        self.role.of.options.tracing.enabled.then(|| value(self))
    }

    fn sampled(&self, name: &str, value: &str) -> Option<Value> {
        (self.role.of.options.tracing.enabled && !value.is_empty()).then(|| variable(name, value))
    }
}

/// The tables, for documentation.
pub fn tables() -> Vec<Table> {
    vec![
        Table::each("Deployment", ServedRole::DEPLOYMENT),
        Table::each(
            "labels of Deployment, PodDisruptionBudget, PodMonitor, pods and their selectors",
            ServedRole::SELECTOR,
        ),
        Table::each("labels of Deployment, PodDisruptionBudget, PodMonitor and pods", ServedRole::VERSION),
        Table::each("labels of pods and their selectors", ServedRole::PODS),
        Table::each("Deployment: container `vllm`", ServedRole::ENGINE),
        Table::each("Deployment: devices in requests and limits", ServedRole::DEVICES),
        Table::each("Deployment: init container `model-unpack`", ServedRole::UNPACK),
        Table::each("Deployment: init container `routing-proxy`", ProxyOf::PROXY),
        Table::each("PodDisruptionBudget", ServedRole::BUDGET),
        Table::each("PodMonitor", ServedRole::MONITOR),
    ]
}

/// A variable of a container.
pub(super) fn variable(name: &str, value: &str) -> Value {
    json!({"name": name, "value": value})
}

/// A port of a container.
pub(super) fn port(name: &str, number: i32) -> Value {
    json!({"name": name, "containerPort": number, "protocol": "TCP"})
}

/// A text, or another one where there is none.
pub(super) fn or(text: Option<&str>, otherwise: &str) -> Value {
    text.filter(|text| !text.is_empty()).unwrap_or(otherwise).into()
}

fn strategy(strategy: RolloutStrategy) -> Value {
    match strategy {
        RolloutStrategy::RollingUpdate => json!({"type": "RollingUpdate"}),
        RolloutStrategy::InPlace => {
            json!({"type": "RollingUpdate", "rollingUpdate": {"maxSurge": 0, "maxUnavailable": 1}})
        }
    }
}

fn text(text: Option<&str>) -> Option<Value> {
    text.filter(|text| !text.is_empty()).map(Value::from)
}

fn flag(name: &str, value: Option<&str>) -> Option<Value> {
    value.filter(|value| !value.is_empty()).map(|value| json!([name, value]))
}

fn divided(name: &str, size: i32) -> Option<Value> {
    (size > 1).then(|| json!([name, size.to_string()]))
}

/// A map, unless it is empty.
fn some(map: Option<&Map<String, Value>>) -> Option<Value> {
    map.filter(|map| !map.is_empty()).map(|map| Value::Object(map.clone()))
}

/// A list, unless it is empty.
fn listed(list: Option<&[Value]>) -> Option<Value> {
    list.filter(|list| !list.is_empty()).map(|list| list.to_vec().into())
}

fn docker_volume(secret: &Value) -> Value {
    let items = json!([{"key": ".dockerconfigjson", "path": "config.json"}]);
    json!({"name": "docker-config", "secret": {"secretName": secret["name"], "items": items}})
}
