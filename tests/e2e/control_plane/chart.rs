//! Crossplane's RBAC as its Helm chart ships it.

use std::path::Path;

use anyhow::{Context as _, Result, bail};
use serde_json::Value;
use tests::golden::documents;

use crate::names::NAMESPACE;

/// The chart's name, which is in the names of most objects.
const NAME: &str = "crossplane";

/// The chart's templates with RBAC in them.
const TEMPLATES: &[&str] = &[
    "serviceaccount",
    "clusterrole",
    "clusterrolebinding",
    "rbac-manager-serviceaccount",
    "rbac-manager-clusterrole",
    "rbac-manager-clusterrolebinding",
    "rbac-manager-managed-clusterroles",
    "rbac-manager-allowed-provider-permissions",
];

/// What the templates ask of the chart's values, and what is true by default. Everything else is not set.
const TRUE: &[&str] = &[".Values.serviceAccount.create", "not .Values.rbacManager.skipAggregatedClusterRoles"];
/// What is true when the RBAC manager is installed, as it is by default.
const MANAGER: &str = ".Values.rbacManager.deploy";

/// The objects of the templates in `folder`, with the RBAC manager or without.
pub(crate) fn objects(folder: &Path, manager: bool) -> Result<Vec<Value>> {
    let mut objects = Vec::new();
    for template in TEMPLATES {
        let file = folder.join(format!("{template}.yaml"));
        let text = std::fs::read_to_string(&file).with_context(|| format!("cannot read {}", file.display()))?;
        let text = rendered(&text, manager).with_context(|| file.display().to_string())?;
        objects.extend(documents(&text)?.into_iter().filter(|object| !object.is_null()));
    }
    Ok(objects)
}

/// A template, rendered as Helm does, in so far as these templates need it. Labels that are included are left out.
fn rendered(template: &str, manager: bool) -> Result<String> {
    let mut text = String::new();
    // Whether each block around a line is kept.
    let mut blocks: Vec<bool> = Vec::new();
    for line in template.lines() {
        if let Some(action) = alone(line) {
            match action.split_once(' ').unwrap_or((action, "")) {
                ("if", condition) => blocks.push(TRUE.contains(&condition) || manager && condition == MANAGER),
                ("with" | "range", _) => blocks.push(false),
                ("else", "") => {
                    let block = blocks.last_mut().context("an else without a block")?;
                    *block = !*block;
                }
                ("end", "") => {
                    blocks.pop().context("an end without a block")?;
                }
                ("include", _) => {}
                _ => bail!("unknown action: {line}"),
            }
        } else if blocks.iter().all(|kept| *kept) {
            let line = line.replace("{{ template \"crossplane.name\" . }}", NAME);
            let line = line.replace("{{ .Release.Namespace }}", NAMESPACE);
            if line.contains("{{") {
                bail!("unknown action: {line}");
            }
            text += &format!("{line}\n");
        }
    }
    Ok(text)
}

/// The action of a line that has nothing else.
fn alone(line: &str) -> Option<&str> {
    let action = line.trim().strip_prefix("{{")?.strip_suffix("}}")?;
    let action = action.strip_prefix('-').unwrap_or(action);
    let action = action.strip_suffix('-').unwrap_or(action).trim();
    // What is printed, and not decided.
    (!action.starts_with("template") && !action.starts_with('.')).then_some(action)
}
