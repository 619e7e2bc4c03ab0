//! Prints composites and their composed resources as trees.

use std::fmt::Write as _;

use anyhow::{Context as _, Result};
use serde_json::Value;

use super::cluster::text;
use super::preview::Composite;
use crate::foreign::visible;
use crate::wit::compose::Derivation;
use crate::wit::preview::{RenderedComposite, RenderedResource};

/// A tree for every composite of the files.
pub(super) fn spell(composites: &[Composite]) -> Result<String> {
    let mut drawn = String::new();
    for composite in composites.iter().filter(|composite| composite.written.is_some()) {
        let ready = condition(&composite.object, "Ready");
        let _ = writeln!(drawn, "{}{}", title(&composite.object), ready);
        draw(&mut drawn, composites, composite, "")?;
    }
    Ok(drawn)
}

/// Draws what a composite takes from others, and what it composes, by areas if its kind has some.
fn draw(drawn: &mut String, composites: &[Composite], composite: &Composite, indent: &str) -> Result<()> {
    let areas = areas(&composite.rendered);
    let last = areas.len();
    let mut links = links(&composite.rendered).peekable();
    while let Some(link) = links.next() {
        let (branch, _) = branch(last == 0 && links.peek().is_none());
        let _ = writeln!(drawn, "{indent}{branch} {} ← {}", visible(&link.path), visible(&link.because));
    }
    for (index, (name, resources)) in areas.into_iter().enumerate() {
        if name.is_empty() {
            draw_resources(drawn, composites, &resources, indent)?;
        } else {
            let (branch, more) = branch(index + 1 == last);
            let _ = writeln!(drawn, "{indent}{branch} {}", visible(name));
            draw_resources(drawn, composites, &resources, &format!("{indent}{more}"))?;
        }
    }
    Ok(())
}

/// Fields of the composite itself that others make what they are. What it composes, and its status, are no such fields.
fn links(composite: &RenderedComposite) -> impl Iterator<Item = &Derivation> {
    composite.derivations.iter().filter(|it| it.resource_name.is_empty() && it.path.starts_with("spec."))
}

/// The areas with resources, in their order, and last those that belong to none, under an empty name.
fn areas(composite: &RenderedComposite) -> Vec<(&str, Vec<&RenderedResource>)> {
    let index = |resource: &RenderedResource| resource.area.and_then(|area| usize::try_from(area).ok());
    let known = |resource: &RenderedResource| index(resource).filter(|area| *area < composite.areas.len());
    let of = |area: Option<usize>| by_phase(composite.resources.iter().filter(|it| known(it) == area));
    let named = composite.areas.iter().enumerate().map(|(area, name)| (name.as_str(), of(Some(area))));
    named.chain([("", of(None))]).filter(|(_, resources)| !resources.is_empty()).collect()
}

/// Resources in the order of their phases.
pub(super) fn by_phase<'a>(resources: impl Iterator<Item = &'a RenderedResource>) -> Vec<&'a RenderedResource> {
    let mut resources: Vec<_> = resources.collect();
    resources.sort_by_key(|it| it.phase.as_ref().map(|phase| phase.number));
    resources
}

/// What is drawn before a row, and before the rows below it.
fn branch(is_last: bool) -> (&'static str, &'static str) {
    if is_last { ("└─", "   ") } else { ("├─", "│  ") }
}

fn draw_resources(
    drawn: &mut String,
    composites: &[Composite],
    resources: &[&RenderedResource],
    indent: &str,
) -> Result<()> {
    for (index, resource) in resources.iter().enumerate() {
        let (branch, more) = branch(index + 1 == resources.len());
        let object: Value =
            serde_json::from_str(&resource.object).context("a module printed something that is no JSON")?;
        let (name, phase) = (visible(&resource.name), phase(resource));
        let _ = writeln!(drawn, "{indent}{branch} {name}: {}{phase}", title(&object));
        let below = format!("{indent}{more}");
        let child = resource.composite.and_then(|index| composites.get(usize::try_from(index).ok()?));
        if let Some(child) = child {
            draw(drawn, composites, child, &below)?;
        }
    }
    Ok(())
}

/// When a resource is composed, if not at first.
pub(super) fn phase(resource: &RenderedResource) -> String {
    match &resource.phase {
        Some(phase) if phase.number > 1 && phase.waits_for.is_empty() => format!(" (phase {})", phase.number),
        Some(phase) if phase.number > 1 => {
            format!(" (phase {}, waits for {})", phase.number, visible(&phase.waits_for))
        }
        _ => String::new(),
    }
}

/// Kind, namespace and name of an object, and those of the object that it wraps.
pub(super) fn title(object: &Value) -> String {
    match manifest(object) {
        Some(manifest) => format!("{} → {}", name(object), name(manifest)),
        None => name(object),
    }
}

/// Kind, namespace and name.
pub(super) fn name(object: &Value) -> String {
    let kind = text(object, "/kind");
    let name = match (text(object, "/metadata/namespace"), text(object, "/metadata/name")) {
        (_, "") => kind.to_owned(),
        ("", name) => format!("{kind} {name}"),
        (namespace, name) => format!("{kind} {namespace}/{name}"),
    };
    visible(&name).into_owned()
}

/// The wrapped object of an `Object`.
pub(super) fn manifest(object: &Value) -> Option<&Value> {
    object.pointer("/spec/forProvider/manifest")
}

fn condition(object: &Value, wanted: &str) -> String {
    let conditions = object.pointer("/status/conditions").and_then(Value::as_array);
    let found = conditions.into_iter().flatten().find(|condition| text(condition, "/type") == wanted);
    match found.map(|condition| (text(condition, "/status"), text(condition, "/message"))) {
        Some(("True", _)) => " (ready)".to_owned(),
        Some((_, "")) => " (not ready)".to_owned(),
        Some((_, message)) => format!(" (not ready: {})", visible(&message.replacen("Unready resources: ", "", 1))),
        None => String::new(),
    }
}
