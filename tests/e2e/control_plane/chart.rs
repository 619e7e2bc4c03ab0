//! Crossplane's ServiceAccounts, roles and bindings, from the templates of its Helm chart.

use std::path::Path;

use anyhow::{Context as _, Result, bail};
use serde_json::Value;
use tests::golden::documents;

use crate::names::NAMESPACE;

/// The name of the chart, which is part of most names.
const NAME: &str = "crossplane";

/// The templates with these objects.
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

/// The conditions in the templates that are true with the default values of the chart. All others are false.
const TRUE: &[&str] = &[".Values.serviceAccount.create", "not .Values.rbacManager.skipAggregatedClusterRoles"];
/// The condition that is true when the RBAC manager is installed. By default it is.
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

/// Renders a template as Helm does. Only the actions in these templates are supported, and included labels are left
/// out.
fn rendered(template: &str, manager: bool) -> Result<String> {
    let mut text = String::new();
    // For each block around the current line: whether it is rendered.
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

/// The action in a line, when the line has only an action.
fn alone(line: &str) -> Option<&str> {
    let action = line.trim().strip_prefix("{{")?.strip_suffix("}}")?;
    let action = action.strip_prefix('-').unwrap_or(action);
    let action = action.strip_suffix('-').unwrap_or(action).trim();
    // These actions print something.
    (!action.starts_with("template") && !action.starts_with('.')).then_some(action)
}
