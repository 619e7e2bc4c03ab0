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

/// Crossplane does not compose what is being deleted, so nothing but the explanation says what the kind says of it.
#[test]
fn what_is_being_deleted_is_explained() {
    const MODEL: &str = "
apiVersion: inference.eh-ops.io/v1alpha1
kind: InferenceModel
metadata: {name: qwen, namespace: ml, deletionTimestamp: '2026-01-31T12:00:00Z'}
spec: {modelName: qwen, memory: 60Gi, backendUrl: 'http://qwen:8080', containerImage: registry.example.org/qwen}
";
    let said = |explain: bool| {
        let request = PreviewRequest { explain, now: Some(1_769_860_800), ..PreviewRequest::about("qwen.yaml", MODEL) };
        let mut composite = preview(&request).composites.swap_remove(0);
        assert!(composite.resources.is_empty() && composite.derivations.is_empty());
        let results = std::mem::take(&mut composite.results);
        (composite, results.into_iter().map(|it| it.outcome.message).collect::<Vec<_>>())
    };
    let ((explained, of_kind), (rendered, nothing)) = (said(true), said(false));
    assert_eq!(of_kind, ["ModelReady would be False, Terminating: Model is being terminated"]);
    assert_eq!((explained, nothing), (rendered, Vec::new()));
}
