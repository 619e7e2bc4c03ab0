//! The plain manifests in `examples/plain/` are equal to composed objects, but for differences on purpose.

#![expect(clippy::expect_used, reason = "a test that cannot go on fails")]

use contract::compose::ComposeRequest;
use contract::types::ObservedObject;
use serde_json::{Value, json};
use tests::golden::documents;

#[test]
fn plain_manifests_are_what_is_composed() {
    check("qwen", |_| {});
    // By rule, one GPU has 8Gi; the model needs half of it.
    check("embedding", |runtime| runtime["spec"]["deploymentConfig"]["resources"]["memory"] = json!("4Gi"));
    // The plain manifest uses the operator's default for the Secret's key, and has no arguments for the model.
    check("kimi", |runtime| {
        for (section, fields) in
            [("model", &["hfTokenName", "enableTool", "toolCallParser"][..]), ("vllmConfig", &["extraArgs"])]
        {
            let section = runtime["spec"][section].as_object_mut().expect("a section");
            fields.iter().for_each(|field| assert!(section.remove(*field).is_some(), "{field} is composed"));
        }
    });
}

/// Compares `vllm-NAME.yaml` with the composed objects of `llm-NAME.yaml`, after `differ` has made this model's
/// differences.
fn check(name: &str, differ: impl FnOnce(&mut Value)) {
    let [mut composite] =
        <[Value; 1]>::try_from(read(&format!("llm-inference/llm-{name}.yaml"))).expect("one document");
    composite["metadata"]["name"] = format!("vllm-{name}").into();
    let request = ComposeRequest { composite: Some(ObservedObject::from(composite)), ..ComposeRequest::default() };
    let response = module::compose(&request).expect("the example is sound");
    let [mut runtime, mut ingress] = ["vllm-runtime", "ingress"]
        .map(|key| response.resources[key].object["spec"]["forProvider"]["manifest"].clone());

    // kubectl chooses the namespace.
    for manifest in [&mut runtime, &mut ingress] {
        let metadata = manifest["metadata"].as_object_mut().expect("metadata");
        metadata.retain(|field, _| field == "name");
    }
    let deployment = runtime["spec"]["deploymentConfig"].as_object_mut().expect("a section");
    assert!(deployment.remove("shmSize").is_some(), "shared memory is composed");
    differ(&mut runtime);

    assert_eq!(read(&format!("plain/vllm-{name}.yaml")), [runtime, ingress], "vllm-{name}.yaml");
}

/// The documents of an example.
fn read(file: &str) -> Vec<Value> {
    let path = tests::files::workspace().join("examples").join(file);
    let text = std::fs::read_to_string(&path).expect("the example exists");
    documents(&text).expect("it is YAML")
}
