//! A Configuration takes over the definition and Composition of another one, with the commands in `docs/install.md`.

use anyhow::{Context as _, Result, ensure};
use serde_json::{Value, json};
use tests::real::processes::progress;
use tests::real::watching::Which;

use crate::composites::{Composite, kept};
use crate::names::{SOON, TAG};
use crate::packages::package;
use crate::plane::Plane;
use crate::resources::{COMPOSITE_DEFINITIONS, CONFIG_MAPS, CONFIGURATION_REVISIONS};
use crate::subjects::LLM_INFERENCE;

const NAMESPACE: &str = "succession";
/// The Configuration that releases them.
const PREDECESSOR: &str = "sailplane-llm-inference";
/// The Configuration of LLMInference in another repository. To Crossplane this is another package.
const SUCCESSOR: &str = "sailplane/successor";

/// The section with the commands, and the names that are replaced in them.
const TAKE_OVER: &str = "docs/install.md#take-over-from-dot-inference";
const NAMES: &[(&str, &str)] = &[
    ("configuration/sailplane-llm-inference", "configuration/successor"),
    ("dot-inference", PREDECESSOR),
    ("NAME -n NAMESPACE", "heirloom -n succession"),
];

/// Afterwards the successor has replaced our Configuration, so only its deletion comes after this scenario.
pub(crate) fn succession(plane: &Plane) -> Result<()> {
    let kubectl = &plane.kubectl;
    plane.namespace(NAMESPACE)?;
    plane.publish_again("llm-inference", SUCCESSOR)?;
    // It would install its dependencies again.
    kubectl.run(&["delete", "configuration", "sailplane"])?;
    let llm = Composite::apply(kubectl, LLM_INFERENCE, NAMESPACE, "heirloom", &json!({}))?;
    llm.ready()?;
    let next = || plane.shown.next_with(TAKE_OVER, NAMES);
    next()?; // composites stay with their revision of the Composition
    // The definition must not be deleted, because every composite would be deleted with it.
    let definition = LLM_INFERENCE.name();
    let definition = Which::all(COMPOSITE_DEFINITIONS).named(&definition);
    let (uid, before) = (uid(&kubectl.only(definition)?), llm.versions()?);

    next()?; // the predecessor is told not to change its revisions
    next()?; // it does not
    next()?; // the predecessor releases its objects
    progress("succession: the predecessor has let go");
    kubectl.apply(&package("Configuration", "successor", SUCCESSOR, TAG))?;
    next()?; // waits for the successor
    kubectl.until_it("the successor controls the definition", definition, SOON, |definition| {
        let owners = definition["metadata"]["ownerReferences"].as_array().cloned().unwrap_or_default();
        let controller = owners.iter().find(|owner| owner["controller"] == true).map(|owner| owner["name"].clone());
        let successor = controller.as_ref().and_then(Value::as_str).is_some_and(|name| name.starts_with("successor-"));
        ensure!(successor, "it is controlled by {controller:?}");
        Ok(())
    })?;
    next()?; // shows who controls the definition
    leave_behind(plane)?;
    next()?; // deletes the predecessor
    let revisions = format!("pkg.crossplane.io/package={PREDECESSOR}");
    kubectl.gone(Which::all(CONFIGURATION_REVISIONS).labelled(&revisions), SOON)?;
    kubectl.gone(Which::all(CONFIG_MAPS).within(NAMESPACE).named(LEFT_BEHIND), SOON)?;

    ensure!(self::uid(&kubectl.only(definition)?) == uid, "the definition was made anew");
    kept(&before, &llm.versions()?)?;
    next()?; // the composite moves to the successor
    llm.edit(&json!({"gpu": 2}))?;
    llm.target_has("vllmruntimes", "/spec/deploymentConfig/resources/gpu", &json!("2"))?;
    kept(&before, &llm.versions()?)?;
    llm.delete()?;
    llm.targets_gone(&["ingresses", "vllmruntimes"])
}

/// An object that only a revision of the predecessor owns.
const LEFT_BEHIND: &str = "left-behind";

/// Creates it. When it is gone, garbage collection has processed everything that the revision owned.
fn leave_behind(plane: &Plane) -> Result<()> {
    let selector = format!("pkg.crossplane.io/package={PREDECESSOR}");
    let revisions = plane.kubectl.list(Which::all(CONFIGURATION_REVISIONS).labelled(&selector))?;
    let owner = revisions.values().next().context("the predecessor has no revision")?;
    let (name, uid) = (&owner["metadata"]["name"], uid(owner));
    let owner = json!({"apiVersion": owner["apiVersion"], "kind": owner["kind"], "name": name, "uid": uid});
    // The platform engineer has no right to create ConfigMaps.
    plane.administrator.apply(&json!({
        "apiVersion": "v1",
        "kind": "ConfigMap",
        "metadata": {"name": LEFT_BEHIND, "namespace": NAMESPACE, "ownerReferences": [owner]},
    }))
}

fn uid(object: &Value) -> Value {
    object["metadata"]["uid"].clone()
}
