//! A composite is created, edited and deleted, and its targets follow.

use anyhow::{Context as _, Result, ensure};
use serde_json::json;
use tests::real::processes::progress;

use crate::composites::{Composite, kept};
use crate::names::PROVIDER_CONFIG;
use crate::plane::Plane;
use crate::subjects::LLM_INFERENCE;

const NAMESPACE: &str = "lifecycle";

pub(crate) fn lifecycle(plane: &Plane) -> Result<()> {
    plane.namespace(NAMESPACE)?;
    let llm = Composite::apply(&plane.kubectl, LLM_INFERENCE, NAMESPACE, "my-llm", &json!({}))?;
    for object in llm.composed(&["ingress", "vllm-runtime"])?.values() {
        let owner = &object["metadata"]["ownerReferences"][0];
        ensure!(owner["kind"] == "LLMInference" && owner["controller"] == true, "it is owned by {owner}");
        let config = json!({"kind": "ClusterProviderConfig", "name": PROVIDER_CONFIG});
        ensure!(object["spec"]["providerConfigRef"] == config, "it acts through {}", object["spec"]);
    }
    progress("lifecycle: the Objects are there");
    llm.ready()?;
    progress("lifecycle: the composite is ready");
    let resources =
        |gpu: u64| json!({"cpu": (2 * gpu).to_string(), "memory": format!("{}Gi", 8 * gpu), "gpu": gpu.to_string()});
    llm.target_has("vllmruntimes", "/spec/deploymentConfig/resources", &resources(1))?;
    llm.target_has("ingresses", "/spec/rules/0/host", &json!("my-llm.127.0.0.1.nip.io"))?;
    llm.status_has("/endpoint", &json!("http://my-llm.127.0.0.1.nip.io/v1"))?;
    let before = llm.versions()?;

    llm.edit(&json!({"gpu": 2, "model": "Qwen/Qwen2.5-7B-Instruct"}))?;
    llm.target_has("vllmruntimes", "/spec/deploymentConfig/resources", &resources(2))?;
    llm.target_has("vllmruntimes", "/spec/vllmConfig/tensorParallelSize", &json!(2))?;
    llm.target_has("vllmruntimes", "/spec/model/modelURL", &json!("Qwen/Qwen2.5-7B-Instruct"))?;
    llm.edit(&json!({"ingressHost": "other.127.0.0.1.nip.io"}))?;
    llm.target_has("ingresses", "/spec/rules/0/host", &json!("other.127.0.0.1.nip.io"))?;
    kept(&before, &llm.versions()?).context("an edit changes objects in place")?;
    progress("lifecycle: edits arrived, in place");

    llm.edit(&json!({"ingressHost": null}))?;
    llm.targets_gone(&["ingresses"])?;
    llm.composed(&["vllm-runtime"])?;
    llm.status_has("/endpoint", &json!("http://my-llm.lifecycle.svc/v1"))?;
    llm.ready()?;
    let runtime_alone = before.into_iter().filter(|(name, _)| name.starts_with("VLLMRuntime/")).collect();
    kept(&runtime_alone, &llm.versions()?).context("only the Ingress goes")?;
    progress("lifecycle: without a host there is no Ingress");

    llm.delete()?;
    llm.gone()
}
