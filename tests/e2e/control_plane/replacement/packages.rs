//! The Configurations of both sides. Two cannot control the same definitions, so one releases them before the other takes over.

use std::fs;

use anyhow::{Result, ensure};
use serde_json::{Value, json};
use tests::files::workspace;
use tests::real::processes::progress;
use tests::real::watching::Which;

use super::release;
use crate::names::SOON;
use crate::packages::package;
use crate::plane::Plane;
use crate::resources::{
    COMPOSITE_DEFINITIONS, COMPOSITION_REVISIONS, CONFIGURATION_REVISIONS, CONFIGURATIONS, FUNCTIONS,
};

const THEIRS: &str = release::NAME;
const OURS: &str = "sailplane-modelplane";
/// Our Configuration, which takes the providers that are there.
const BESIDE: &str = "package/install/configuration-modelplane-beside.yaml";

const MOVE: &str = "docs/from-modelplane.md#move";
const BACK: &str = "docs/from-modelplane.md#back";
const AFTERWARDS: &str = "docs/from-modelplane.md#afterwards";

/// Makes the control plane one of Modelplane v0.3.1, which is published: its Configuration takes over from ours, which is deleted.
pub(super) fn theirs_alone(plane: &Plane) -> Result<()> {
    let_go(plane, OURS)?;
    plane.administrator.apply(&package("Configuration", THEIRS, release::REPOSITORY, release::TAG))?;
    theirs_controls(plane)?;
    remove(plane, OURS)
}

/// Runs the commands of the move. `interrupted` is called while no Configuration controls anything, and `stays` checks
/// composites before they are told to move.
pub(super) fn move_to_ours(
    plane: &Plane,
    interrupted: impl FnOnce() -> Result<()>,
    stays: impl FnOnce() -> Result<()>,
) -> Result<()> {
    let next = || plane.shown.next(MOVE);
    next()?; // composites stay with their revision of the Composition
    next()?; // Modelplane's Configuration is told not to change its revisions
    next()?; // it does not
    next()?; // it releases its objects
    progress("replacement: Modelplane's Configuration has let go");
    interrupted()?;
    next()?; // what Crossplane needs for ours
    // Where Modelplane is, so are the providers that both depend on. Here they come from another repository.
    let beside = fs::read_to_string(workspace().join(BESIDE))?;
    plane.shown.shell().write("package/install/configuration-modelplane.yaml", &beside);
    next()?; // ours is installed
    healthy(plane, MOVE)?;
    ours_controls(plane)?;
    next()?; // shows who controls a definition
    stays()?;
    plane.shown.run(MOVE) // composites move
}

/// Runs the commands of the way back.
pub(super) fn back_to_theirs(plane: &Plane) -> Result<()> {
    let next = || plane.shown.next(BACK);
    next()?; // ours is told not to change its revisions
    next()?; // it does not
    next()?; // it releases its objects
    next()?; // Modelplane's Configuration takes over
    healthy(plane, BACK)?;
    theirs_controls(plane)?;
    next()?; // shows who controls a definition
    plane.shown.run(BACK)?; // ours is deleted
    gone(plane, OURS)
}

/// Runs the command that waits until a Configuration is healthy. When it gives up, the revisions say why.
fn healthy(plane: &Plane, page: &str) -> Result<()> {
    plane.shown.next(page).inspect_err(|_| progress(&plane.revisions()))
}

/// Ours takes over for good, and the commands for that delete Modelplane's Configuration. Its Functions stay.
pub(super) fn ours_for_good(plane: &Plane) -> Result<()> {
    take_over(plane)?;
    plane.shown.run(AFTERWARDS)?;
    gone(plane, THEIRS)?;
    release::functions().try_for_each(|function| {
        let left = plane.kubectl.list(Which::all(FUNCTIONS).named(&function))?;
        ensure!(!left.is_empty(), "{function} has gone with the Configuration");
        Ok(())
    })
}

/// Makes the control plane what it was before [`theirs_alone`], wherever the scenario has ended.
pub(super) fn ours_again(plane: &Plane) -> Result<()> {
    take_over(plane)?;
    let administrator = &plane.administrator;
    if !administrator.list(Which::all(CONFIGURATIONS).named(THEIRS))?.is_empty() {
        remove(plane, THEIRS)?;
    }
    for function in release::functions() {
        administrator.run(&["delete", "--ignore-not-found", "functions.pkg.crossplane.io", &function])?;
    }
    administrator.condition("Healthy", Which::all(CONFIGURATIONS).named(OURS), SOON)
}

/// Ours controls all definitions, whoever has done so before.
fn take_over(plane: &Plane) -> Result<()> {
    let administrator = &plane.administrator;
    if !administrator.list(Which::all(CONFIGURATIONS).named(THEIRS))?.is_empty() {
        let_go(plane, THEIRS)?;
    }
    administrator.apply_path(&workspace().join(BESIDE))?;
    administrator.patch(&["configuration", OURS], &paused(None))?;
    ours_controls(plane)
}

/// Makes a Configuration release what it controls.
fn let_go(plane: &Plane, configuration: &str) -> Result<()> {
    let administrator = &plane.administrator;
    administrator.patch(&["configuration", configuration], &paused(Some("true")))?;
    let paused = |it: &Value| {
        let conditions = it["status"]["conditions"].as_array().cloned().unwrap_or_default();
        conditions.iter().any(|condition| condition["reason"] == "ReconcilePaused")
    };
    let which = Which::all(CONFIGURATIONS).named(configuration);
    plane.kubectl.until_it(&format!("{configuration} is paused"), which, SOON, |it| {
        ensure!(paused(it), "it is not");
        Ok(())
    })?;
    for revision in plane.kubectl.list(Which::all(CONFIGURATION_REVISIONS).labelled(&of(configuration)))?.keys() {
        administrator.patch(&["configurationrevisions", revision], &json!({"spec": {"desiredState": "Inactive"}}))?;
    }
    Ok(())
}

/// A Configuration that Crossplane does not reconcile, or does again.
///
/// With `revisionActivationPolicy: Manual` instead, Crossplane 2.4 makes another revision, whose state is empty. It stays in the
/// Lock beside the next active one, and from then on no package's dependencies can be resolved.
fn paused(value: Option<&str>) -> Value {
    json!({"metadata": {"annotations": {"crossplane.io/paused": value}}})
}

fn ours_controls(plane: &Plane) -> Result<()> {
    controls(plane, OURS, |_| plane.function_name.clone())
}

fn theirs_controls(plane: &Plane) -> Result<()> {
    controls(plane, THEIRS, release::function)
}

/// Waits until a Configuration controls all definitions and Compositions, and the newest revisions of these call the functions of
/// their steps.
fn controls(plane: &Plane, configuration: &str, function: impl Fn(&str) -> String) -> Result<()> {
    for (name, steps) in release::COMPOSITIONS {
        let definition = Which::all(COMPOSITE_DEFINITIONS).named(name);
        plane.kubectl.until_it(&format!("{configuration} controls {name}"), definition, SOON, |definition| {
            let owners = definition["metadata"]["ownerReferences"].as_array().cloned().unwrap_or_default();
            let controller = owners.iter().find(|owner| owner["controller"] == true).map(|it| it["name"].clone());
            let theirs = controller.as_ref().and_then(Value::as_str).and_then(|it| it.strip_prefix(configuration));
            // A hash follows the name of the Configuration.
            ensure!(theirs.is_some_and(|rest| rest.starts_with('-')), "it is controlled by {controller:?}");
            Ok(())
        })?;
        let selector = format!("crossplane.io/composition-name={name}");
        let revisions = Which::all(COMPOSITION_REVISIONS).labelled(&selector);
        let wanted: Vec<_> = steps.iter().map(|step| function(step)).collect();
        plane.kubectl.until(
            &format!("the newest revision of {name} calls {wanted:?}"),
            revisions,
            SOON,
            |revisions| {
                let newest = revisions.values().max_by_key(|it| it["spec"]["revision"].as_u64());
                let found = newest.map(release::functions_of).unwrap_or_default();
                ensure!(found == wanted, "it calls {found:?}");
                Ok(())
            },
        )?;
    }
    Ok(())
}

fn remove(plane: &Plane, configuration: &str) -> Result<()> {
    plane.administrator.run(&["delete", "configuration", configuration])?;
    gone(plane, configuration)
}

/// Waits until nothing of a Configuration is left.
fn gone(plane: &Plane, configuration: &str) -> Result<()> {
    plane.kubectl.gone(Which::all(CONFIGURATION_REVISIONS).labelled(&of(configuration)), SOON)
}

fn of(configuration: &str) -> String {
    format!("pkg.crossplane.io/package={configuration}")
}
