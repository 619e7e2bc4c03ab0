//! The rules that Crossplane gets for Modelplane's kinds beside those of its chart and of its RBAC manager.

use std::collections::BTreeSet;
use std::fs;

use anyhow::{Context as _, Result};
use serde_json::Value;
use tests::files::workspace;
use tests::golden::documents;
use tests::real::access::name_of;

/// The file with the rules.
pub(crate) const FILE: &str = "package/install/rbac-crossplane-modelplane.yaml";

/// Every resource that the rules name, as `PLURAL.GROUP`.
pub(crate) fn resources() -> Result<BTreeSet<String>> {
    Ok(rules_of(&role()?).iter().flat_map(of_rule).collect())
}

/// The role that Crossplane's own one takes up.
pub(crate) fn role() -> Result<Value> {
    aggregated_to("crossplane")
}

/// The role that those of administrators of Crossplane take up.
pub(crate) fn role_of_people() -> Result<Value> {
    aggregated_to("admin")
}

fn aggregated_to(whom: &str) -> Result<Value> {
    let objects = documents(&fs::read_to_string(workspace().join(FILE))?)?;
    let label = format!("rbac.crossplane.io/aggregate-to-{whom}");
    let is_theirs = |it: &Value| !it["metadata"]["labels"][label.as_str()].is_null();
    objects.into_iter().find(is_theirs).with_context(|| format!("no role is for {whom}"))
}

/// The rules of a role.
pub(crate) fn rules_of(role: &Value) -> Vec<Value> {
    role["rules"].as_array().cloned().unwrap_or_default()
}

/// The resources of a rule, as `PLURAL.GROUP` or `PLURAL.GROUP/SUBRESOURCE`.
pub(crate) fn of_rule(rule: &Value) -> Vec<String> {
    let texts = |key: &str| rule[key].as_array().into_iter().flatten().filter_map(Value::as_str);
    let of_group = |group| {
        texts("resources").map(move |resource| match resource.split_once('/') {
            Some((plural, subresource)) => format!("{}/{subresource}", name_of(plural, group)),
            None => name_of(resource, group),
        })
    };
    texts("apiGroups").flat_map(of_group).collect()
}
