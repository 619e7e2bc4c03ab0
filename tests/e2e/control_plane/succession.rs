//! One Configuration takes over from another what both bring, as `docs/install.md` tells people to do it.

use std::time::Duration;

use anyhow::{Result, ensure};
use serde_json::json;
use tests::real::processes::{eventually, progress};

use crate::composites::{Composite, kept};
use crate::names::{SOON, SUCCESSOR, TAG};
use crate::packages::package;
use crate::plane::Plane;

/// The Configuration that lets go.
const PREDECESSOR: &str = "sailplane-llm-inference";
/// What must not be deleted on the way, since every composite would go with it.
const DEFINITION: &[&str] = &["xrds", "llminferences.inference.devopstoolkit.ai"];

/// The commands, and what they call by other names.
const TAKE_OVER: &str = "docs/install.md#take-over-from-dot-inference";
const NAMES: &[(&str, &str)] = &[
    ("configuration/sailplane-llm-inference", "configuration/successor"),
    ("dot-inference", PREDECESSOR),
    ("NAME -n NAMESPACE", "heirloom -n succession"),
];

/// Leaves the cluster with the successor in place of our Configuration, so nothing can come after it.
pub(crate) fn succession(plane: &Plane) -> Result<()> {
    const NAMESPACE: &str = "succession";
    let kubectl = &plane.kubectl;
    plane.namespace(NAMESPACE)?;
    // It would install again what it depends on.
    kubectl.run(&["delete", "configuration", "sailplane"])?;
    let llm = Composite::apply(kubectl, NAMESPACE, "heirloom", &json!({}))?;
    llm.ready()?;
    let next = || plane.shown.next_with(TAKE_OVER, NAMES);
    next()?; // composites stay with their revision of the Composition
    let (definition, before) = (kubectl.get(DEFINITION)?, llm.settled()?);

    next()?; // the predecessor keeps its revisions as they are
    next()?; // and lets go
    progress("succession: the predecessor has let go");
    kubectl.apply(&package("Configuration", "successor", SUCCESSOR, TAG))?;
    next()?; // which is waited for
    eventually("the successor controls the definition", SOON, || {
        let definition = kubectl.get(DEFINITION)?;
        let owners = definition["metadata"]["ownerReferences"].as_array().cloned().unwrap_or_default();
        let controller = owners.iter().find(|owner| owner["controller"] == true).map(|owner| owner["name"].clone());
        let successor =
            controller.as_ref().and_then(|name| name.as_str()).is_some_and(|name| name.starts_with("successor-"));
        ensure!(successor, "it is controlled by {controller:?}");
        Ok(())
    })?;
    next()?; // as people look at it
    next()?; // the predecessor goes
    kubectl.gone(&["configurationrevisions", "-l", &format!("pkg.crossplane.io/package={PREDECESSOR}")], SOON)?;
    // Garbage collection acts on what lost its last owner within seconds.
    std::thread::sleep(Duration::from_secs(10));

    ensure!(
        kubectl.get(DEFINITION)?["metadata"]["uid"] == definition["metadata"]["uid"],
        "the definition was made anew"
    );
    kept(&before, &llm.versions()?)?;
    next()?; // the composite moves
    llm.edit(&json!({"gpu": 2}))?;
    llm.runtime_has("/spec/deploymentConfig/resources/gpu", &json!("2"))?;
    kept(&before, &llm.versions()?)?;
    llm.delete()?;
    llm.gone()
}
