//! Why values are as they are, which a preview says when it is asked.

use contract::preview::PreviewRequest;
use module::preview;

const COMPOSITE: &str = "
apiVersion: inference.devopstoolkit.ai/v1alpha1
kind: LLMInference
metadata: {name: qwen, namespace: default}
spec: {model: Qwen/Qwen2.5-1.5B-Instruct, gpu: 1, ingressHost: a.example.org, providerConfigName: gpu-cluster}
";

#[test]
fn values_are_explained_when_asked() {
    let explained = preview(&PreviewRequest::about("qwen.yaml", COMPOSITE));
    let other = preview(&PreviewRequest { explain: false, ..PreviewRequest::about("qwen.yaml", COMPOSITE) });
    let mut same = explained.clone();
    let derivations: usize = same.composites.iter_mut().map(|it| std::mem::take(&mut it.derivations).len()).sum();
    assert!(derivations > 10, "{derivations} values are explained");
    assert_eq!(other, same);
}
