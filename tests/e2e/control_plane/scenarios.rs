//! What must hold on a real control plane.

use std::collections::BTreeMap;
use std::process::Command;
use std::thread;
use std::time::Duration;

use anyhow::{Context as _, Result, ensure};
use serde_json::json;
use tests::files::workspace;
use tests::real::processes::{self, eventually, progress};

use crate::composites::{Composite, kept, unchanged};
use crate::documents;
use crate::names::{OUR_COMPOSITION, PROVIDER_CONFIG, SOON, fixture};
use crate::plane::Plane;
use crate::succession::succession;

/// A quiet minute, and something more: by its default `ttl`, the function is called again after one minute.
const QUIET: Duration = Duration::from_secs(70);

type Scenario = (&'static str, fn(&Plane) -> Result<()>);

/// Runs every scenario and returns the failures of all of them.
///
/// What stands in a row runs at the same time. The function is restarted while nothing has to be quiet.
pub(crate) fn run(plane: &Plane) -> Result<()> {
    const ROWS: &[&[Scenario]] = &[
        &[("documents", documents::run)],
        &[("lifecycle", lifecycle), ("hand-over", hand_over), ("restart", restart)],
        &[("quiet", quiet), ("chainsaw", chainsaw)],
        &[("succession", succession)],
    ];
    let mut failures = Vec::new();
    for row in ROWS {
        thread::scope(|scope| {
            let running: Vec<_> = row.iter().map(|scenario| scope.spawn(|| run_one(plane, *scenario))).collect();
            for thread in running {
                failures.extend(thread.join().unwrap_or(Some("a scenario panicked".to_owned())));
            }
        });
    }
    ensure!(failures.is_empty(), "{}", failures.join("\n"));
    plane.shown.finish()
}

/// Runs one scenario, says at once how it ended, and returns why it failed.
fn run_one(plane: &Plane, (name, scenario): Scenario) -> Option<String> {
    let failure = scenario(plane).err().map(|error| format!("{name} failed: {error:#}"));
    progress(failure.as_deref().unwrap_or(&format!("{name} passed")));
    failure
}

/// A composite comes, changes and goes, and its targets with it.
fn lifecycle(plane: &Plane) -> Result<()> {
    const NAMESPACE: &str = "lifecycle";
    plane.namespace(NAMESPACE)?;
    let llm = Composite::apply(&plane.kubectl, NAMESPACE, "my-llm", &json!({}))?;
    eventually("both Objects appear", SOON, || {
        let objects = llm.objects()?;
        let keys: Vec<_> = objects.keys().collect();
        ensure!(keys == ["ingress", "vllm-runtime"], "there are {keys:?}");
        for object in objects.values() {
            let owner = &object["metadata"]["ownerReferences"][0];
            ensure!(owner["kind"] == "LLMInference" && owner["controller"] == true, "it is owned by {owner}");
            let config = json!({"kind": "ClusterProviderConfig", "name": PROVIDER_CONFIG});
            ensure!(object["spec"]["providerConfigRef"] == config, "it acts through {}", object["spec"]);
        }
        Ok(())
    })?;
    progress("lifecycle: the Objects are there");
    llm.ready()?;
    progress("lifecycle: the composite is ready");
    let resources =
        |gpu: u64| json!({"cpu": (2 * gpu).to_string(), "memory": format!("{}Gi", 8 * gpu), "gpu": gpu.to_string()});
    llm.runtime_has("/spec/deploymentConfig/resources", &resources(1))?;
    let ingress = llm.target("ingresses")?;
    ensure!(ingress["spec"]["rules"][0]["host"] == "my-llm.127.0.0.1.nip.io", "{}", ingress["spec"]);
    llm.serves_at("http://my-llm.127.0.0.1.nip.io/v1")?;
    let before = llm.versions()?;

    llm.edit(&json!({"gpu": 2, "model": "Qwen/Qwen2.5-7B-Instruct"}))?;
    llm.runtime_has("/spec/deploymentConfig/resources", &resources(2))?;
    llm.runtime_has("/spec/vllmConfig/tensorParallelSize", &json!(2))?;
    llm.runtime_has("/spec/model/modelURL", &json!("Qwen/Qwen2.5-7B-Instruct"))?;
    llm.edit(&json!({"ingressHost": "other.127.0.0.1.nip.io"}))?;
    eventually("the Ingress has the other host", SOON, || {
        let ingress = llm.target("ingresses")?;
        ensure!(ingress["spec"]["rules"][0]["host"] == "other.127.0.0.1.nip.io", "{}", ingress["spec"]);
        Ok(())
    })?;
    kept(&before, &llm.versions()?).context("an edit changes objects in place")?;
    progress("lifecycle: edits arrived, in place");

    llm.edit(&json!({"ingressHost": null}))?;
    plane.kubectl.gone(&["ingresses", "-n", NAMESPACE], SOON)?;
    eventually("the Ingress's Object is gone", SOON, || {
        let objects = llm.objects()?;
        ensure!(objects.keys().eq(["vllm-runtime"]), "there are {:?}", objects.keys());
        Ok(())
    })?;
    llm.serves_at("http://my-llm.lifecycle.svc/v1")?;
    llm.ready()?;
    let runtime_alone = before.into_iter().filter(|(name, _)| name.starts_with("VLLMRuntime/")).collect();
    kept(&runtime_alone, &llm.versions()?).context("only the Ingress goes")?;
    progress("lifecycle: without a host there is no Ingress");

    llm.delete()?;
    llm.gone()
}

/// The function dies and comes back while composites are created and edited.
fn restart(plane: &Plane) -> Result<()> {
    const NAMESPACE: &str = "restart";
    plane.namespace(NAMESPACE)?;
    let steady = Composite::apply(&plane.kubectl, NAMESPACE, "steady", &json!({}))?;
    steady.ready()?;
    let before = steady.versions()?;

    plane.function().take()?.kill();
    progress("restart: the function is dead");
    steady.edit(&json!({"gpu": 4}))?;
    let newcomer = Composite::apply(&plane.kubectl, NAMESPACE, "newcomer", &json!({}))?;
    // Long enough for Crossplane to have tried, and to have had no answer.
    thread::sleep(Duration::from_secs(5));
    kept(&before, &steady.versions()?).context("while the function is dead")?;
    ensure!(newcomer.objects()?.is_empty(), "something else composes");
    plane.function().restart()?;
    progress("restart: the function is back");
    newcomer.ready()?;
    steady.runtime_has("/spec/deploymentConfig/resources/gpu", &json!("4"))?;
    steady.ready()?;
    kept(&before, &steady.versions()?).context("after the function came back")?;

    let names = ["burst-1", "burst-2", "burst-3", "burst-4", "burst-5"];
    let burst = names.map(|name| Composite::apply(&plane.kubectl, NAMESPACE, name, &json!({})));
    let ended = plane.function().take()?;
    ended.terminate().context("the function ends gracefully under load")?;
    plane.function().restart()?;
    progress("restart: the function was ended gracefully among five new composites, and is back");
    for composite in burst {
        composite?.ready()?;
    }
    kept(&before, &steady.versions()?).context("after the second restart")
}

/// A settled composite is left alone: over a minute nobody writes to it, to its Objects or to their targets, although
/// Crossplane asks the function again and the provider keeps polling.
fn quiet(plane: &Plane) -> Result<()> {
    const NAMESPACE: &str = "quiet";
    plane.namespace(NAMESPACE)?;
    let llm =
        Composite::apply(&plane.kubectl, NAMESPACE, "still", &json!({"gpu": 8, "model": "moonshotai/Kimi-K2.5"}))?;
    llm.ready()?;
    let before = llm.settled()?;
    ensure!(before.len() == 5, "a composite, two Objects and two targets, but there are {:?}", before.keys());
    let calls = plane.function().calls()?;
    progress("quiet: the minute begins");
    thread::sleep(QUIET);
    unchanged(&before, &llm.versions()?)?;
    ensure!(plane.function().calls()? > calls, "the function was not even called");
    Ok(())
}

/// The Chainsaw suites that the project ships pass here too.
fn chainsaw(plane: &Plane) -> Result<()> {
    let printed = processes::run(
        Command::new(plane.tools.path("chainsaw"))
            // It finds its configuration there by itself.
            .current_dir(workspace().join("tests/chainsaw"))
            .env("KUBECONFIG", plane.kubectl.kubeconfig())
            .args(["test", "--no-color"]),
    )?;
    let passed = printed.lines().find_map(|line| line.strip_prefix("- Passed  tests ")).context("no summary")?;
    ensure!(passed.parse::<u32>()? > 0, "there are no suites");
    progress(&format!("chainsaw: {passed} suites"));
    Ok(())
}

/// Live composites of dot-inference 0.1.6 become ours, with nothing deleted and nothing made anew, whichever way the
/// platform switches: for all at once in the Composition they have, or one by one to another.
fn hand_over(plane: &Plane) -> Result<()> {
    const NAMESPACE: &str = "hand-over";
    const COMPOSITION: &str = "dot-inference";
    let kubectl = &plane.kubectl;
    plane.namespace(NAMESPACE)?;
    kubectl.apply_path(&fixture("dot-inference.yaml"))?;
    let theirs = json!({"crossplane": {"compositionRef": {"name": COMPOSITION}}});
    let stays = Composite::apply(kubectl, NAMESPACE, "stays", &theirs)?;
    let moves = Composite::apply(kubectl, NAMESPACE, "moves", &theirs)?;
    let mut before = BTreeMap::new();
    for llm in [&stays, &moves] {
        llm.ready()?;
        composed_through_provider_config(llm)?;
        before.extend(llm.versions()?);
    }
    progress("hand-over: two composites of dot-inference are ready");

    let options = json!({
        "apiVersion": "sailplane.fn.crossplane.io/v1alpha1",
        "kind": "Options",
        "llmInference": {"providerConfigKind": "ProviderConfig"},
    });
    let ours = json!({"step": "compose-resources", "functionRef": {"name": plane.function_name}, "input": options});
    moves.edit(&json!({
        "providerConfigKind": "ProviderConfig",
        "crossplane": {"compositionRef": {"name": OUR_COMPOSITION}, "compositionRevisionRef": null},
    }))?;
    moves.runtime_has("/spec/deploymentConfig/shmSize", &json!("2Gi"))?;
    progress("hand-over: one has moved to our Composition");
    kubectl.patch(&["compositions", COMPOSITION], &json!({"spec": {"pipeline": [ours]}}))?;
    stays.runtime_has("/spec/deploymentConfig/shmSize", &json!("2Gi"))?;
    progress("hand-over: the other's Composition calls our function");

    let mut after = BTreeMap::new();
    for llm in [&stays, &moves] {
        after.extend(llm.settled()?);
        llm.ready()?;
        composed_through_provider_config(llm)?;
    }
    kept(&before, &after)?;
    ensure!(before.keys().eq(after.keys()), "there were {:?}, there are {:?}", before.keys(), after.keys());

    // A composite that names no Composition is given any that fits, and the suites' composites name none.
    for llm in [&stays, &moves] {
        llm.delete()?;
    }
    stays.gone()?;
    kubectl.run(&["delete", "compositions", COMPOSITION]).map(drop)
}

/// Fails unless both Objects have the keys of dot-inference 0.1.6 and act through the ProviderConfig of their namespace.
fn composed_through_provider_config(llm: &Composite) -> Result<()> {
    let objects = llm.objects()?;
    ensure!(objects.keys().eq(["ingress", "vllm_runtime"]), "there are {:?}", objects.keys());
    for object in objects.values() {
        let config = &object["spec"]["providerConfigRef"];
        ensure!(*config == json!({"kind": "ProviderConfig", "name": PROVIDER_CONFIG}), "it acts through {config}");
    }
    Ok(())
}
