//! The rules that Crossplane gets for Modelplane's kinds beside those of its chart and of its RBAC manager.

use std::collections::BTreeSet;
use std::fs;

use anyhow::{Context as _, Result};
use serde_json::Value;
use tests::files::workspace;
use tests::golden::documents;

/// The file with the rules.
pub(crate) const FILE: &str = "package/install/rbac-crossplane-modelplane.yaml";

/// An API resource, as rules name it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Resource {
    pub(crate) group: String,
    pub(crate) plural: String,
}

impl Resource {
    /// `PLURAL.GROUP`.
    pub(crate) fn name(&self) -> String {
        if self.group.is_empty() { self.plural.clone() } else { format!("{}.{}", self.plural, self.group) }
    }
}

/// Every resource that the rules name.
pub(crate) fn resources() -> Result<BTreeSet<Resource>> {
    Ok(rules_of(&role()?).iter().flat_map(of_rule).collect())
}

/// The role that Crossplane's own one takes up.
pub(crate) fn role() -> Result<Value> {
    let objects = documents(&fs::read_to_string(workspace().join(FILE))?)?;
    let aggregated = "/metadata/labels/rbac.crossplane.io~1aggregate-to-crossplane";
    objects.into_iter().find(|it| it.pointer(aggregated).is_some()).context("no role is for Crossplane")
}

/// The rules of a role.
pub(crate) fn rules_of(role: &Value) -> Vec<Value> {
    role["rules"].as_array().cloned().unwrap_or_default()
}

/// The resources of a rule.
pub(crate) fn of_rule(rule: &Value) -> Vec<Resource> {
    let texts = |key: &str| {
        let all = rule[key].as_array().into_iter().flatten();
        all.filter_map(Value::as_str).map(str::to_owned).collect::<Vec<_>>()
    };
    let of_group =
        |group: String| texts("resources").into_iter().map(move |plural| Resource { group: group.clone(), plural });
    texts("apiGroups").into_iter().flat_map(of_group).collect()
}
