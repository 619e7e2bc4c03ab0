//! Crossplane needs each rule that it gets for Modelplane's kinds beside those of its chart and of its RBAC manager: it has used
//! each while the scenarios ran, and without it the API server refuses what it asked for.

use anyhow::{Context as _, Result, bail, ensure};
use serde_json::json;
use tests::files::workspace;
use tests::real::access::allowed;
use tests::real::processes::{eventually, progress};
use tests::skipped::skip;

use crate::audit;
use crate::clusters::schemas::Schemas;
use crate::granted::{self, of_rule, role, rules_of};
use crate::names::SOON;
use crate::plane::Plane;

/// Runs after all that Crossplane composes on this control plane.
pub(crate) fn rules(plane: &Plane) -> Result<()> {
    let role = role()?;
    let rules = rules_of(&role);
    if Schemas::open()?.is_none() {
        skip(
            rules.len(),
            "rules of Crossplane",
            "the folder with schemas (`SAILPLANE_CRDS`), which scenarios before it need",
        );
        return Ok(());
    }
    let asked = audit::asked(plane.dir())?;
    let name = role["metadata"]["name"].as_str().context("the role has a name")?;
    let unused: Vec<_> = rules.iter().filter(|rule| !of_rule(rule).iter().any(|it| asked.contains_key(it))).collect();
    ensure!(unused.is_empty(), "Crossplane has not used {unused:?}; it has used {asked:?}");
    let outcome = rules.iter().enumerate().try_for_each(|(place, rule)| {
        let others: Vec<_> = rules.iter().enumerate().filter(|(at, _)| *at != place).map(|(_, rule)| rule).collect();
        plane.administrator.patch(&["clusterrole", name], &json!({ "rules": others }))?;
        eventually(&format!("Crossplane is refused something without {rule}"), SOON, || {
            for resource in of_rule(rule) {
                for verb in asked.get(&resource).into_iter().flatten() {
                    if !allowed(&plane.crossplane, verb, &resource)? {
                        return Ok(());
                    }
                }
            }
            bail!("nothing")
        })
    });
    plane.administrator.apply_path(&workspace().join(granted::FILE))?;
    outcome?;
    progress(&format!("rules: Crossplane needs each of {}", rules.len()));
    Ok(())
}
