//! Crossplane needs each rule that it gets for Modelplane's kinds beside those of its chart and of its RBAC manager: it has used
//! each while the scenarios ran, and without it the API server refuses what it asked for. So do people who scale.

use anyhow::{Context as _, Result, ensure};
use serde_json::{Value, json};
use tests::files::workspace;
use tests::real::access::allowed;
use tests::real::kubectl::Kubectl;
use tests::real::processes::{eventually, progress};
use tests::skipped::skip;

use crate::audit;
use crate::clusters::schemas::Schemas;
use crate::granted::{self, of_rule, role, role_of_people, rules_of};
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
    let unused: Vec<_> = rules.iter().filter(|rule| !of_rule(rule).iter().any(|it| asked.contains_key(it))).collect();
    ensure!(unused.is_empty(), "Crossplane has not used {unused:?}; it has used {asked:?}");
    let used = |rule: &Value| {
        let verbs = |resource: String| {
            asked.get(&resource).into_iter().flatten().map(move |verb| (verb.clone(), resource.clone()))
        };
        of_rule(rule).into_iter().flat_map(verbs).collect()
    };
    // People scale deployments.
    let stated = |rule: &Value| {
        let verbs = rule["verbs"].as_array().into_iter().flatten().filter_map(Value::as_str);
        verbs.flat_map(|verb| of_rule(rule).into_iter().map(move |resource| (verb.to_owned(), resource))).collect()
    };
    let people = role_of_people()?;
    let outcome = each_is_needed(plane, &role, &plane.crossplane, used)
        .and_then(|()| each_is_needed(plane, &people, &plane.kubectl, stated));
    plane.administrator.apply_path(&workspace().join(granted::FILE))?;
    outcome?;
    let of_people = rules_of(&people).len();
    progress(&format!("rules: Crossplane needs each of {}, and people each of {of_people}", rules.len()));
    Ok(())
}

/// Without a rule of the role somebody may not do what `done` says of it: verbs and resources.
fn each_is_needed(
    plane: &Plane,
    role: &Value,
    who: &Kubectl,
    done: impl Fn(&Value) -> Vec<(String, String)>,
) -> Result<()> {
    let name = role["metadata"]["name"].as_str().context("the role has a name")?;
    let rules = rules_of(role);
    let refused = |rule: &Value| {
        let mut refused = Vec::new();
        for (verb, resource) in done(rule) {
            if !allowed(who, &verb, &resource)? {
                refused.push(format!("{verb} {resource}"));
            }
        }
        anyhow::Ok(refused)
    };
    for rule in &rules {
        let refused = refused(rule)?;
        ensure!(refused.is_empty(), "{refused:?} are refused with all rules");
    }
    for (place, rule) in rules.iter().enumerate() {
        let others: Vec<_> = rules.iter().enumerate().filter(|(at, _)| *at != place).map(|(_, rule)| rule).collect();
        plane.administrator.patch(&["clusterrole", name], &json!({ "rules": others }))?;
        eventually(&format!("something is refused without {rule}"), SOON, || {
            ensure!(!refused(rule)?.is_empty(), "nothing is");
            Ok(())
        })?;
    }
    Ok(())
}
