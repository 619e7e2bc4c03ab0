//! Derives every value. Objects, the output of `explain` and the documentation are all made from the tables in this file.
//!
//! Sizes follow crossplane-inference PRD 1 (2026-02-18): 2 CPU and 8Gi for one GPU, and 16 CPU and 64Gi for eight. Where
//! the PRD leaves a value open, a comment beside the rule says so.

use serde_json::{Value, json};

use super::options::{LlmInferenceOptions, ReadinessPolicy, VllmOperator};
use super::profile::Profile;
use super::spec::Spec;
use toolbox::data;
use toolbox::duration::Duration;
use toolbox::names;
use toolbox::rule::{Rule, Table, constant, rule};

/// The inputs of the rules.
#[derive(Clone, Debug, PartialEq)]
pub struct Inputs {
    /// Name of the composite, and of all objects on the target cluster.
    pub name: String,
    /// Namespace of the composite.
    pub namespace: String,
    /// The `spec` of the composite.
    pub spec: Spec,
    /// The platform's options for this kind.
    pub options: LlmInferenceOptions,
    /// How long the caller may keep a response when everything is ready.
    pub ttl: Duration,
    /// How long the caller may keep a response while something is not ready yet.
    pub ttl_waiting: Duration,
    /// The observed `status.modelStatus` of the VLLMRuntime.
    pub model_status: Option<String>,
}

impl Inputs {
    /// The number of GPUs. There is one replica, which has all of them.
    pub fn gpus(&self) -> u64 {
        self.spec.gpu.into()
    }

    /// The host name of the Ingress. `None` when there is no Ingress. An empty host name counts as none.
    pub fn host(&self) -> Option<&str> {
        self.spec.ingress_host.as_deref().filter(|host| !host.is_empty())
    }

    /// Namespace on the target cluster. An empty one in the spec counts as none.
    pub fn target_namespace(&self) -> &str {
        self.spec.target_namespace.as_deref().filter(|namespace| !namespace.is_empty()).unwrap_or(&self.namespace)
    }

    /// The profile of the model.
    pub fn profile(&self) -> &'static Profile {
        Profile::of(&self.spec.model)
    }

    fn token_shape(&self, shape: VllmOperator, value: &str) -> Option<Value> {
        (self.profile().gated && self.options.vllm_operator == shape).then(|| value.into())
    }

    fn sharded(&self, value: Value) -> Option<Value> {
        (self.spec.gpu > 1).then_some(value)
    }

    fn serving(&self, value: &str) -> Option<Value> {
        (self.options.readiness == ReadinessPolicy::Serving).then(|| value.into())
    }
}

/// The number of GPUs in the largest supported node.
pub const GPUS_PER_NODE: u64 = 8;

/// A CEL expression: the model is ready. The operator sets no conditions, only this field.
const SERVING: &str = "has(object.status) && has(object.status.modelStatus) && object.status.modelStatus == 'Ready'";

const GPU: &str = "spec.gpu";
const MODEL: &str = "spec.model";
const NAME: &str = "metadata.name";
const TARGET_NAMESPACE: &[&str] = &["spec.targetNamespace", "metadata.namespace"];
const TOKEN_NAME: &[&str] = &[MODEL, "input.llmInference.tokenSecret.name", "input.llmInference.vllmOperator"];
const TOKEN_KEY: &[&str] = &[MODEL, "input.llmInference.tokenSecret.key", "input.llmInference.vllmOperator"];

/// The VLLMRuntime on the target cluster. The vLLM Production Stack operator creates a Deployment and a Service for it.
///
/// It has no labels, because the operator copies them to the selector of the Deployment, which is immutable.
#[rustfmt::skip]
pub const RUNTIME: &[Rule<Inputs>] = &[
    rule("metadata.name", "name of the composite", &[NAME], |i| Some(json!(i.name))),
    rule("metadata.namespace", "the target namespace, else the composite's own", TARGET_NAMESPACE, |i| Some(json!(i.target_namespace()))),
    // No released VLLMRuntime has a field for probes, and the delay of the operator fits one GPU only.
    rule("metadata.annotations[inference.devopstoolkit.ai/initial-delay-seconds]", "120 s, and 60 s more for every further GPU: larger models start longer", &[GPU], |i| Some(json!((120 + 60 * (i.gpus() - 1)).to_string()))),

    rule("spec.model.modelURL", "the model", &[MODEL], |i| Some(json!(i.spec.model))),
    constant("spec.model.dtype", "always: the model's own", data!("auto")),
    rule("spec.model.hfTokenSecret.name", "the platform's token secret, for a gated model", TOKEN_NAME, |i| i.token_shape(VllmOperator::December2025, &i.options.token_secret.name)),
    // Always set, although some CRDs have a default: without the default the operator uses an empty key.
    rule("spec.model.hfTokenName", "the key in the token secret, for a gated model", TOKEN_KEY, |i| i.token_shape(VllmOperator::December2025, &i.options.token_secret.key)),
    rule("spec.model.hfTokenSecret.hfTokenSecretName", "the platform's token secret, for a gated model", TOKEN_NAME, |i| i.token_shape(VllmOperator::February2026, &i.options.token_secret.name)),
    rule("spec.model.hfTokenSecret.hfTokenKeyName", "the key in the token secret, for a gated model", TOKEN_KEY, |i| i.token_shape(VllmOperator::February2026, &i.options.token_secret.key)),
    rule("spec.model.enableTool", "the model's profile", &[MODEL], |i| i.profile().enable_tool.then_some(Value::Bool(true))),
    rule("spec.model.toolCallParser", "the model's profile", &[MODEL], |i| i.profile().tool_call_parser.map(Value::from)),

    constant("spec.vllmConfig.gpuMemoryUtilization", "always: the rest is headroom", data!("0.9")),
    rule("spec.vllmConfig.tensorParallelSize", "one shard per GPU, when there are several", &[GPU], |i| i.sharded(json!(i.gpus()))),
    rule("spec.vllmConfig.env", "shards are processes, which CUDA wants spawned", &[GPU], |i| i.sharded(json!([{"name": "VLLM_WORKER_MULTIPROC_METHOD", "value": "spawn"}]))),
    rule("spec.vllmConfig.extraArgs", "the model's profile", &[MODEL], |i| Some(i.profile().extra_args).filter(|args| !args.is_empty()).map(|args| json!(args))),

    constant("spec.deploymentConfig.replicas", "always: one replica has all the GPUs", data!(1)),
    rule("spec.deploymentConfig.resources.cpu", "2 per GPU", &[GPU], |i| Some(json!((2 * i.gpus()).to_string()))),
    rule("spec.deploymentConfig.resources.memory", "8Gi per GPU", &[GPU], |i| Some(json!(format!("{}Gi", 8 * i.gpus())))),
    rule("spec.deploymentConfig.resources.gpu", "the GPUs", &[GPU], |i| Some(json!(i.gpus().to_string()))),
    // PRD 1 requires it, the factor is ours. Shards exchange data in shared memory, and the default of 64Mi is too small.
    rule("spec.deploymentConfig.shmSize", "2Gi of shared memory per GPU, part of the memory above", &[GPU], |i| Some(json!(format!("{}Gi", 2 * i.gpus())))),
    rule("spec.deploymentConfig.image.registry", "the platform's registry", &["input.llmInference.imageRegistry"], |i| Some(json!(i.options.image_registry))),
    // The operator starts /opt/venv/bin/vllm, which has another path in the official image. An upgrade is a change here.
    constant("spec.deploymentConfig.image.name", "always: the build whose paths the operator expects", data!("lmcache/vllm-openai:v0.3.13")),
    rule("spec.deploymentConfig.toleration", "the platform's tolerations", &["input.llmInference.tolerations"], |i| Some(&i.options.tolerations).filter(|list| !list.is_empty()).map(|list| json!(list))),
];

/// The Ingress on the target cluster.
#[rustfmt::skip]
pub const INGRESS: &[Rule<Inputs>] = &[
    rule("metadata.name", "name of the composite", &[NAME], |i| Some(json!(i.name))),
    rule("metadata.namespace", "the target namespace, else the composite's own", TARGET_NAMESPACE, |i| Some(json!(i.target_namespace()))),
    rule("metadata.annotations", "the platform's annotations", &["input.llmInference.ingress.annotations"], |i| Some(&i.options.ingress.annotations).filter(|map| !map.is_empty()).map(|map| json!(map))),
    rule("spec.ingressClassName", "the platform's class", &["input.llmInference.ingress.className"], |i| i.options.ingress.class_name.clone().map(Value::from)),
    rule("spec.tls", "the platform's certificates", &["input.llmInference.ingress.tls"], |i| Some(&i.options.ingress.tls).filter(|list| !list.is_empty()).map(|list| json!(list))),
    rule("spec.rules[0].host", "the host", &["spec.ingressHost"], |i| i.host().map(Value::from)),
    constant("spec.rules[0].http.paths[0].path", "always: the whole API", data!("/")),
    constant("spec.rules[0].http.paths[0].pathType", "always: the whole API", data!("Prefix")),
    rule("spec.rules[0].http.paths[0].backend.service.name", "the operator names the Service as the VLLMRuntime", &[NAME], |i| Some(json!(i.name))),
    constant("spec.rules[0].http.paths[0].backend.service.port.number", "always: the operator's Service listens on 80", data!(80)),
];

/// The Objects that wrap them.
#[rustfmt::skip]
pub const OBJECT: &[Rule<Inputs>] = &[
    rule("spec.providerConfigRef.kind", "the kind of configuration, else the platform's", &["spec.providerConfigKind", "input.llmInference.providerConfigKind"], |i| Some(json!(i.spec.provider_config_kind.unwrap_or(i.options.provider_config_kind).as_str()))),
    rule("spec.providerConfigRef.name", "the configuration of the target cluster", &["spec.providerConfigName"], |i| Some(json!(i.spec.provider_config_name))),
];

/// Further fields of the Object with the VLLMRuntime.
#[rustfmt::skip]
pub const READINESS: &[Rule<Inputs>] = &[
    rule("spec.readiness.policy", "the platform counts an endpoint as ready when it serves", &["input.llmInference.readiness"], |i| i.serving("DeriveFromCelQuery")),
    rule("spec.readiness.celQuery", "the operator reports that the model is ready", &["input.llmInference.readiness"], |i| i.serving(SERVING)),
];

/// The defaults that admission writes into a composite, so that it stays the same when the platform's options change.
#[rustfmt::skip]
pub const DEFAULTS: &[Rule<Inputs>] = &[
    rule("spec.providerConfigKind", "the platform's kind of configuration", &["input.llmInference.providerConfigKind"], |i| Some(json!(i.options.provider_config_kind.as_str()))),
    rule("spec.targetNamespace", "the composite's own namespace", &["metadata.namespace"], |i| Some(json!(i.namespace))),
];

/// The status of the composite.
#[rustfmt::skip]
pub const STATUS: &[Rule<Inputs>] = &[
    rule("endpoint", "the host, over TLS when the platform has certificates; without a single host the Service", &["spec.ingressHost", "input.llmInference.ingress.tls", NAME, "spec.targetNamespace", "metadata.namespace"], |i| Some(json!(endpoint(i)))),
    rule("modelStatus", "what the operator says", &[], |i| i.model_status.clone().map(Value::from)),
];

/// All tables, for documentation.
pub fn tables() -> Vec<Table> {
    vec![
        Table::of("VLLMRuntime", RUNTIME),
        Table::of("Ingress", INGRESS),
        Table::of("Object", OBJECT),
        Table::of("Object of the VLLMRuntime", READINESS),
        Table::of("status", STATUS),
    ]
}

/// Base URL of the API. A host with a wildcard is no single host, so the endpoint is then the Service.
fn endpoint(inputs: &Inputs) -> String {
    let scheme = if inputs.options.ingress.tls.is_empty() { "http" } else { "https" };
    match inputs.host().filter(|host| !names::is_wildcard(host)) {
        Some(host) => format!("{scheme}://{host}/v1"),
        None => format!("http://{}.{}.svc/v1", inputs.name, inputs.target_namespace()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use toolbox::rule::Plan;

    fn inputs(gpu: u16) -> Inputs {
        let spec = serde_json::from_value(json!({"model": "m", "gpu": gpu, "providerConfigName": "p"}));
        Inputs {
            name: "n".into(),
            namespace: "ns".into(),
            spec: spec.expect("a spec"),
            options: LlmInferenceOptions::default(),
            ttl: Duration::from_millis(0),
            ttl_waiting: Duration::from_millis(0),
            model_status: None,
        }
    }

    #[test]
    fn sizes() {
        let check = |gpu: u16, cpu: &str, memory: &str, shards: Option<u64>, shared: &str, delay: &str| {
            let runtime = Plan::of(RUNTIME, &inputs(gpu)).into_object();
            let deployment = &runtime["spec"]["deploymentConfig"];
            assert_eq!(deployment["resources"], json!({"cpu": cpu, "memory": memory, "gpu": gpu.to_string()}));
            assert_eq!(deployment["shmSize"], shared);
            let annotations = json!({"inference.devopstoolkit.ai/initial-delay-seconds": delay});
            assert_eq!(runtime["metadata"]["annotations"], annotations);
            let mut vllm = json!({"gpuMemoryUtilization": "0.9"});
            if let Some(shards) = shards {
                vllm["tensorParallelSize"] = json!(shards);
                vllm["env"] = json!([{"name": "VLLM_WORKER_MULTIPROC_METHOD", "value": "spawn"}]);
            }
            assert_eq!(runtime["spec"]["vllmConfig"], vllm);
        };
        //    GPUs  cpu    memory    shards       shared   delay
        check(1, "2", "8Gi", None, "2Gi", "120");
        check(2, "4", "16Gi", Some(2), "4Gi", "180");
        check(3, "6", "24Gi", Some(3), "6Gi", "240");
        check(4, "8", "32Gi", Some(4), "8Gi", "300");
        check(5, "10", "40Gi", Some(5), "10Gi", "360");
        check(6, "12", "48Gi", Some(6), "12Gi", "420");
        check(7, "14", "56Gi", Some(7), "14Gi", "480");
        check(8, "16", "64Gi", Some(8), "16Gi", "540");
        check(1024, "2048", "8192Gi", Some(1024), "2048Gi", "61500");
        check(u16::MAX, "131070", "524280Gi", Some(65_535), "131070Gi", "3932160");
    }

    #[test]
    fn endpoints() {
        let check = |host: Option<&str>, tls: bool, want: &str| {
            let mut inputs = inputs(1);
            inputs.spec.ingress_host = host.map(str::to_owned);
            if tls {
                inputs.options.ingress.tls =
                    serde_json::from_value(json!([{"secretName": "s"}])).expect("certificates");
            }
            assert_eq!(Plan::of(STATUS, &inputs).into_object(), json!({"endpoint": want}));
        };
        check(None, false, "http://n.ns.svc/v1");
        check(None, true, "http://n.ns.svc/v1");
        check(Some(""), false, "http://n.ns.svc/v1");
        check(Some("a.example.org"), false, "http://a.example.org/v1");
        check(Some("a.example.org"), true, "https://a.example.org/v1");
        check(Some("*.example.org"), true, "http://n.ns.svc/v1");
    }

    /// Every cause of a rule is a field that exists.
    #[test]
    fn causes_are_fields() {
        let schema = |definition: &Value| definition["spec"]["versions"][0]["schema"]["openAPIV3Schema"].clone();
        let (spec, options) =
            (schema(super::super::read::definition().document()), schema(crate::options::definition().document()));
        let find = |schema: &Value, path: &str| {
            path.split('.').try_fold(schema.clone(), |schema, name| schema["properties"].get(name).cloned()).is_some()
        };
        for rule in tables().iter().flat_map(|table| table.rules.iter()) {
            for cause in rule.causes {
                let known = match cause.strip_prefix("input.") {
                    Some(option) => find(&options, option),
                    None => ["metadata.name", "metadata.namespace"].contains(cause) || find(&spec, cause),
                };
                assert!(known, "{}: {cause}", rule.path);
            }
        }
    }
}
