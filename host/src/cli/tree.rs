//! Prints composites and their composed resources as trees.

use std::fmt::Write as _;

use anyhow::{Context as _, Result};
use serde_json::Value;

use super::cluster::text;
use super::preview::Composite;
use crate::foreign::visible;

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

fn draw(drawn: &mut String, composites: &[Composite], composite: &Composite, indent: &str) -> Result<()> {
    let resources = &composite.rendered.resources;
    for (index, resource) in resources.iter().enumerate() {
        let (branch, more) = if index + 1 == resources.len() { ("└─", "   ") } else { ("├─", "│  ") };
        let object: Value =
            serde_json::from_str(&resource.object).context("a module printed something that is no JSON")?;
        let _ = writeln!(drawn, "{indent}{branch} {}: {}", visible(&resource.name), title(&object));
        let below = format!("{indent}{more}");
        let child = resource.composite.and_then(|index| composites.get(usize::try_from(index).ok()?));
        if let Some(child) = child {
            draw(drawn, composites, child, &below)?;
        }
    }
    Ok(())
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
