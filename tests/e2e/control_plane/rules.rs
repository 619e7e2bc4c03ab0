//! Crossplane needs each rule that it gets for Modelplane's kinds beside those of its chart and of its RBAC manager: it has used
//! each while the scenarios ran, and without it the API server refuses what it asked for.

use std::collections::BTreeSet;
use std::fs;

use anyhow::{Context as _, Result, ensure};
use serde_json::{Value, json};
use tests::files::workspace;
use tests::golden::documents;
use tests::real::access::allowed;
use tests::real::processes::{eventually, progress};

use crate::audit::{self, Resource};
use crate::names::SOON;
use crate::plane::Plane;

/// The file with the rules.
const FILE: &str = "package/install/rbac-crossplane-modelplane.yaml";

/// Every resource that the rules name.
pub(crate) fn resources() -> Result<BTreeSet<Resource>> {
    Ok(rules_of(&role()?).iter().flat_map(of_rule).collect())
}

/// Runs after all that Crossplane composes on this control plane.
pub(crate) fn rules(plane: &Plane) -> Result<()> {
    let (role, asked) = (role()?, audit::asked(plane.dir())?);
    let name = role["metadata"]["name"].as_str().context("the role has a name")?;
    let rules = rules_of(&role);
    let unused: Vec<_> = rules.iter().filter(|rule| !of_rule(rule).iter().any(|it| asked.contains_key(it))).collect();
    ensure!(unused.is_empty(), "Crossplane has not used {unused:?}; it has used {asked:?}");
    let outcome = rules.iter().enumerate().try_for_each(|(place, rule)| {
        let others: Vec<_> = rules.iter().enumerate().filter(|(at, _)| *at != place).map(|(_, rule)| rule).collect();
        plane.administrator.patch(&["clusterrole", name], &json!({ "rules": others }))?;
        eventually(&format!("Crossplane is refused something without {rule}"), SOON, || {
            for resource in of_rule(rule) {
                for verb in asked.get(&resource).into_iter().flatten() {
                    if !allowed(&plane.crossplane, verb, &resource.name())? {
                        return Ok(());
                    }
                }
            }
            anyhow::bail!("nothing")
        })
    });
    plane.administrator.apply_path(&workspace().join(FILE))?;
    outcome?;
    progress(&format!("rules: Crossplane needs each of {}", rules.len()));
    Ok(())
}

/// The role that Crossplane's own one takes up.
fn role() -> Result<Value> {
    let objects = documents(&fs::read_to_string(workspace().join(FILE))?)?;
    let aggregated = "/metadata/labels/rbac.crossplane.io~1aggregate-to-crossplane";
    objects.into_iter().find(|it| it.pointer(aggregated).is_some()).context("no role is for Crossplane")
}

fn rules_of(role: &Value) -> Vec<Value> {
    role["rules"].as_array().cloned().unwrap_or_default()
}

fn of_rule(rule: &Value) -> Vec<Resource> {
    let texts = |key: &str| {
        let all = rule[key].as_array().into_iter().flatten();
        all.filter_map(Value::as_str).map(str::to_owned).collect::<Vec<_>>()
    };
    let of_group =
        |group: String| texts("resources").into_iter().map(move |plural| Resource { group: group.clone(), plural });
    texts("apiGroups").into_iter().flat_map(of_group).collect()
}
