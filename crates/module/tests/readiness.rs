//! Resources that a preview shows as ready.

use contract::preview::{PreviewRequest, Role, Source};
use module::preview;

const COMPOSITE: &str = "
apiVersion: inference.devopstoolkit.ai/v1alpha1
kind: LLMInference
metadata: {name: qwen, namespace: default}
spec: {model: Qwen/Qwen2.5-1.5B-Instruct, gpu: 1, ingressHost: a.example.org, providerConfigName: gpu-cluster}
";

#[test]
fn resources_are_ready_when_they_are_observed_to_be() {
    let ready = |observed: &str| {
        let source = |role, text: &str| Source { name: String::new(), role, text: text.to_owned() };
        let sources = vec![source(Role::Subject, COMPOSITE), source(Role::Observed, observed)];
        let request = PreviewRequest { sources, ..PreviewRequest::default() };
        let response = preview(&request);
        let resources = response.composites.iter().flat_map(|composite| &composite.resources);
        resources.map(|it| format!("{}: {}", it.name, it.ready)).collect::<Vec<_>>()
    };
    let observed = |name: &str, status: &str| {
        format!(
            "
apiVersion: kubernetes.m.crossplane.io/v1alpha1
kind: Object
metadata:
  name: qwen-{name}
  namespace: default
  annotations: {{crossplane.io/composition-resource-name: {name}}}
status:
  conditions: [{{type: Ready, status: {status:?}}}]
"
        )
    };
    assert_eq!(ready(""), ["ingress: false", "vllm-runtime: false"]);
    assert_eq!(ready(&observed("ingress", "True")), ["ingress: true", "vllm-runtime: false"]);
    assert_eq!(ready(&observed("ingress", "False")), ["ingress: false", "vllm-runtime: false"]);
}
