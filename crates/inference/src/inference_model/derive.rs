//! Derives every value of the Deployment, of its Service, and of the status.

use budget::model::Reservation;
use serde_json::{Map, Value, json};
use toolbox::data;
use toolbox::rule::{Rule, Table, constant, rule};

use super::amounts::Amounts;
use super::options::InferenceModelOptions;
use super::spec::ModelSpec;
use crate::served::Served;

/// The inputs of the rules.
#[derive(Clone, Debug, PartialEq)]
pub struct ModelInputs {
    /// The model.
    pub model: Served<ModelSpec>,
    /// The platform's options.
    pub options: InferenceModelOptions,
    /// What is decided.
    pub decided: Decided,
    /// What its container gets.
    pub amounts: Amounts,
    /// What the status says.
    pub observed: ObservedModel,
    /// The objects that there are.
    pub objects: ModelObjects,
}

/// The objects of a model.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ModelObjects {
    /// Whether there is a Deployment.
    pub deployment: bool,
    /// Whether there is a Service.
    pub service: bool,
    /// Whether the Deployment is observed, and has a ready pod or should have none.
    pub is_up: bool,
}

/// What is decided about a model.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Decided {
    /// The pods that there should be.
    pub replicas: i64,
    /// The memory that counts, as it is written.
    pub memory: String,
    /// The labels of nodes where its pods run.
    pub node_selector: Map<String, Value>,
    /// The stamp of the last request.
    pub stamp: Option<String>,
    /// The mark of its reservation.
    pub mark: Option<String>,
    /// The name of its Service.
    pub service: String,
    /// The memory that is reserved for it.
    pub reserved: Option<ReservedMemory>,
}

/// The memory that is reserved for a model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReservedMemory {
    /// The pool.
    pub pool: String,
    /// How firmly.
    pub reservation: Reservation,
    /// When it was claimed.
    pub claimed_at: Option<String>,
    /// The pool that it is about to move to.
    pub claimed_pool: Option<String>,
    /// The pool that it moved away from.
    pub leaving_pool: Option<String>,
}

/// What the status of a model says.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ObservedModel {
    /// Whether a pod is ready.
    pub ready: bool,
    /// The pods that there are.
    pub replicas: i64,
    /// The most memory that was seen.
    pub peak: Option<String>,
    /// The same in percent of what is declared.
    pub percent: Option<i128>,
    /// What would be enough.
    pub recommendation: Option<String>,
    /// When the peak last changed.
    pub last_observation: Option<String>,
}

/// The value of the label for a name by which clients ask: other characters are dashes, and it is cut.
pub fn label(model_name: &str) -> String {
    let is_fine = |character: char| character.is_ascii_alphanumeric() || matches!(character, '-' | '_' | '.');
    let plain: String = model_name.chars().map(|it| if is_fine(it) { it } else { '-' }).take(63).collect();
    plain.trim_matches(|end: char| !end.is_ascii_alphanumeric()).to_owned()
}

const NAME: &[&str] = &["metadata.name"];
const NAMESPACE: &[&str] = &["metadata.namespace"];
const MODEL: &[&str] = &["spec.modelName"];
const PORT: &[&str] = &["input.inferenceModel.containerPort"];
const GPUS: &[&str] =
    &["spec.resources.requests.gpu", "spec.resources.limits.gpu", "input.inferenceModel.gpuResourceName"];
const STARTUP: &[&str] = &["input.inferenceModel.startupProbe", "input.inferenceModel.containerPort"];

/// Labels of Deployment, pods and Service.
#[rustfmt::skip]
pub const LABELS: &[Rule<ModelInputs>] = &[
    rule("[app.kubernetes.io/name]", "name of the model", NAME, |i| Some(json!(i.model.name))),
    constant("[app.kubernetes.io/component]", "always", data!("inference-server")),
    rule("[inference.eh-ops.io/model]", "the name by which clients ask for it, as far as a label can have it", MODEL, |i| Some(json!(label(&i.model.spec.model_name)))),
    constant("[inference.eh-ops.io/managed]", "always", data!("true")),
];

/// The label by which pods are selected.
#[rustfmt::skip]
pub const SELECTOR: &[Rule<ModelInputs>] = &[
    rule("[app.kubernetes.io/name]", "name of the model: a selector never changes", NAME, |i| Some(json!(i.model.name))),
];

/// Annotations of the Deployment. Those of its pods would restart them.
#[rustfmt::skip]
pub const ANNOTATIONS: &[Rule<ModelInputs>] = &[
    rule("[inference.eh-ops.io/memory]", "the memory that it declares", &["spec.memory"], |i| Some(json!(i.decided.memory))),
    rule("[inference.eh-ops.io/last-request-time]", "the newest request that is known; the first admission is one", &["metadata.annotations[inference.eh-ops.io/last-request-time]"], |i| i.decided.stamp.clone().map(Value::from)),
    rule("[inference.eh-ops.io/claimed-at]", "its memory is reserved: when it was claimed, and whether that is confirmed", &["status.claimedAt"], |i| i.decided.mark.clone().map(Value::from)),
    rule("[inference.eh-ops.io/model]", "the name by which clients ask for it, where the label has another one", MODEL, |i| Some(&i.model.spec.model_name).filter(|name| label(name) != **name).map(|name| json!(name))),
];

/// The Deployment.
#[rustfmt::skip]
pub const DEPLOYMENT: &[Rule<ModelInputs>] = &[
    rule("metadata.name", "name of the model", NAME, |i| Some(json!(i.model.name))),
    rule("metadata.namespace", "that of the model", NAMESPACE, |i| Some(json!(i.model.namespace))),
    rule("spec.replicas", "the pods of an active model with memory, otherwise 0", &["spec.maxReplicas", "spec.cooldownPeriod", "spec.memory", "spec.dependencies"], |i| Some(json!(i.decided.replicas))),
    rule("spec.template.spec.nodeSelector", "the nodes; those of before, while there is no memory on others", &["spec.nodeSelector"], |i| Some(&i.decided.node_selector).filter(|labels| !labels.is_empty()).map(|labels| Value::Object(labels.clone()))),
    rule("spec.template.spec.tolerations", "nodes with GPUs are tainted", GPUS, |i| i.amounts.has_gpus.then(|| json!([{"key": i.options.gpu_resource_name, "operator": "Exists", "effect": "NoSchedule"}]))),
];

/// Its container.
#[rustfmt::skip]
pub const CONTAINER: &[Rule<ModelInputs>] = &[
    constant("name", "always", data!("inference")),
    rule("image", "the image", &["spec.containerImage"], |i| Some(json!(i.model.spec.container_image))),
    constant("imagePullPolicy", "always", data!("IfNotPresent")),
    rule("ports", "where it answers", PORT, |i| Some(json!([{"name": "http", "containerPort": i.options.container_port, "protocol": "TCP"}]))),
    rule("env[]", "the name by which clients ask for it", MODEL, |i| Some(json!({"name": "MODEL_NAME", "value": i.model.spec.model_name}))),
    rule("env[]", "where requests go", &["spec.backendUrl"], |i| Some(json!({"name": "BACKEND_URL", "value": i.model.spec.backend_url}))),
    rule("env[]", "where it answers", PORT, |i| Some(json!({"name": "PORT", "value": i.options.container_port.to_string()}))),
    rule("startupProbe", "it has time to load the model", STARTUP, |i| i.options.startup_probe.then(|| i.probe(json!({"initialDelaySeconds": 1, "periodSeconds": 10, "timeoutSeconds": 5, "failureThreshold": 180})))),
    rule("readinessProbe", "it answers", STARTUP, |i| Some(i.probe(json!({"initialDelaySeconds": i.delay(30), "periodSeconds": 10, "timeoutSeconds": 5, "successThreshold": 1, "failureThreshold": 3})))),
    rule("livenessProbe", "it answers still", STARTUP, |i| Some(i.probe(json!({"initialDelaySeconds": i.delay(60), "periodSeconds": 30, "timeoutSeconds": 5, "failureThreshold": 3})))),
    rule("resources.requests.cpu", "its processors", &["spec.resources.requests.cpu"], |i| i.amounts.requests.cpu.clone().map(Value::from)),
    rule("resources.requests.memory", "its memory; that of the model where it is not stated", &["spec.resources.requests.memory", "spec.memory"], |i| i.amounts.requests.memory.clone().map(Value::from)),
    rule("resources.limits.cpu", "its most processors", &["spec.resources.limits.cpu"], |i| i.amounts.limits.cpu.clone().map(Value::from)),
    rule("resources.limits.memory", "its most memory; that of the model where it is not stated", &["spec.resources.limits.memory", "spec.memory"], |i| i.amounts.limits.memory.clone().map(Value::from)),
];

/// Its GPUs, at the name of their resource in requests.
#[rustfmt::skip]
pub const REQUESTED_GPUS: &[Rule<ModelInputs>] = &[
    rule("", "its GPUs; as many as their limit where they are not stated", GPUS, |i| i.amounts.requests.gpu.clone().map(Value::from)),
];

/// Its GPUs, at the name of their resource in limits.
#[rustfmt::skip]
pub const LIMITED_GPUS: &[Rule<ModelInputs>] = &[
    rule("", "its GPUs; as many as are requested where no limit is stated", GPUS, |i| i.amounts.limits.gpu.clone().map(Value::from)),
];

/// The Service.
#[rustfmt::skip]
pub const SERVICE: &[Rule<ModelInputs>] = &[
    rule("metadata.name", "name of the model, as far as a Service can have it", NAME, |i| Some(json!(i.decided.service))),
    rule("metadata.namespace", "that of the model", NAMESPACE, |i| Some(json!(i.model.namespace))),
    rule("spec.ports", "where the container answers", PORT, |i| Some(json!([{"name": "http", "port": i.options.container_port, "targetPort": i.options.container_port, "protocol": "TCP"}]))),
];

/// The status of the composite.
#[rustfmt::skip]
pub const STATUS: &[Rule<ModelInputs>] = &[
    rule("ready", "whether a pod is ready; of an external backend, an endpoint", &[], |i| Some(json!(i.observed.ready))),
    rule("replicas", "the pods that the Deployment reports", &[], |i| Some(json!(i.observed.replicas))),
    rule("declaredMemory", "the memory that it declares", &["spec.memory"], |i| Some(json!(i.model.spec.memory))),
    rule("observedPeakMemory", "the most memory that was seen", &["metadata.annotations[inference.eh-ops.io/observed-memory]"], |i| i.observed.peak.clone().map(Value::from)),
    rule("utilizationPercent", "the peak in percent of the declared memory", &["spec.memory"], |i| i.observed.percent.and_then(|it| i64::try_from(it).ok()).map(Value::from)),
    rule("recommendation", "the peak says that less would be enough", &["spec.memory", "input.inferenceModel.recommendBelowPercent"], |i| i.observed.recommendation.clone().map(Value::from)),
    rule("lastObservation", "when the peak last changed", &[], |i| i.observed.last_observation.clone().map(Value::from)),
    rule("reservedMemory", "the memory that is reserved for it", &["spec.memory"], |i| i.decided.reserved.as_ref().map(|_| json!(i.decided.memory))),
    rule("reservedPool", "the pool where it is reserved", &["spec.nodeSelector"], |i| i.reserved(|it| Some(&it.pool))),
    rule("reservation", "how firm the reservation is", &[], |i| i.decided.reserved.as_ref().map(|it| json!(it.reservation.as_str()))),
    rule("claimedAt", "when it was claimed", &[], |i| i.reserved(|it| it.claimed_at.as_ref())),
    rule("claimedPool", "the pool that it is about to move to", &["spec.nodeSelector"], |i| i.reserved(|it| it.claimed_pool.as_ref())),
    rule("leavingPool", "the pool that it moved away from, where it has pods", &["spec.nodeSelector"], |i| i.reserved(|it| it.leaving_pool.as_ref())),
];

/// All tables, for documentation.
pub fn tables() -> Vec<Table> {
    vec![
        Table::of("labels of Deployment, pods and Service", LABELS),
        Table::of("selector of Deployment and Service", SELECTOR),
        Table::of("Deployment", DEPLOYMENT),
        Table::of("Deployment: annotations", ANNOTATIONS),
        Table::of("Deployment: container `inference`", CONTAINER),
        Table::of("Deployment: GPUs in requests", REQUESTED_GPUS),
        Table::of("Deployment: GPUs in limits", LIMITED_GPUS),
        Table::of("Service", SERVICE),
        Table::of("status", STATUS),
    ]
}

impl ModelInputs {
    /// A probe with these settings.
    fn probe(&self, settings: Value) -> Value {
        let mut probe = settings;
        probe["httpGet"] = json!({"path": "/health", "port": self.options.container_port});
        probe
    }

    /// A delay of a probe: with a startup probe, there is none.
    fn delay(&self, seconds: i64) -> i64 {
        if self.options.startup_probe { 0 } else { seconds }
    }

    fn reserved(&self, text: fn(&ReservedMemory) -> Option<&String>) -> Option<Value> {
        self.decided.reserved.as_ref().and_then(text).map(|text| json!(text))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels() {
        let check = |name: &str, want: &str| assert_eq!(label(name), want);
        check("qwen3-32b", "qwen3-32b");
        check("Qwen/Qwen3:32B", "Qwen-Qwen3-32B");
        check("/models/a/", "models-a");
        check("模型", "");
        check(&"a".repeat(70), &"a".repeat(63));
        check(&format!("{}/b", "a".repeat(62)), &"a".repeat(62));
    }
}
