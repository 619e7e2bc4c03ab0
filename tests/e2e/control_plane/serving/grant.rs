//! The cluster-scoped grant of an endpoint picker, made by provider-kubernetes.

use std::process::Command;

use anyhow::{Context as _, Result, ensure};
use inference::otterscale::resources::{CLUSTER_ROLE_BINDINGS, CLUSTER_ROLES, ROLES};
use serde_json::{Value, json};
use tests::real::access::{until_allowed, until_allowed_in};
use tests::real::processes::eventually;
use tests::real::watching::Which;

use crate::names::SOON;
use crate::plane::Plane;

/// The name of the picker.
const PICKER: &str = "qwen3-0-6b-epp";

/// The verbs of Kubernetes for objects.
const VERBS: &[&str] = &["get", "list", "watch", "create", "update", "patch", "delete"];

/// `PLURAL.GROUP`, which of the verbs the picker has, and whether it has them elsewhere too.
#[rustfmt::skip]
const ROWS: &[(&str, &[&str], bool)] = &[
    ("pods", READ, false),
    ("inferenceobjectives.inference.networking.x-k8s.io", READ, false),
    ("inferencemodelrewrites.inference.networking.x-k8s.io", READ, false),
    ("inferencepools.inference.networking.k8s.io", READ, false),
    // With two replicas, one leads.
    ("leases.coordination.k8s.io", VERBS, false),
    ("events", &["create", "patch"], false),
    // By the grant.
    ("tokenreviews.authentication.k8s.io", &["create"], true),
    ("subjectaccessreviews.authorization.k8s.io", &["create"], true),
    // And nothing else.
    ("secrets", &[], false),
    ("configmaps", &[], false),
    ("clusterroles.rbac.authorization.k8s.io", &[], false),
];

const READ: &[&str] = &["get", "list", "watch"];

/// Both objects are there, with the picker as their subject, who may do what its roles say and nothing else. The provider can
/// make no other grant.
pub(super) fn is_what_it_says(plane: &Plane, namespace: &str) -> Result<()> {
    let administrator = &plane.administrator;
    let name = &grant(namespace);
    let binding = Which::all(&CLUSTER_ROLE_BINDINGS).named(name);
    let subject = json!([{"kind": "ServiceAccount", "name": PICKER, "namespace": namespace}]);
    administrator.until_it("the picker has its grant", binding, SOON, |binding| {
        ensure!(binding["subjects"] == subject, "its subjects are {}", binding["subjects"]);
        ensure!(binding["roleRef"]["name"] == **name, "it grants {}", binding["roleRef"]);
        Ok(())
    })?;
    let role = administrator.only(Which::all(&CLUSTER_ROLES).named(name))?;
    ensure!(role["rules"].as_array().is_some_and(|rules| rules.len() == 3), "its rules are {}", role["rules"]);

    let picker = administrator.of_service_account(namespace, PICKER)?;
    for (what, verbs, everywhere) in ROWS {
        for verb in VERBS {
            let may = verbs.contains(verb);
            until_allowed_in(&picker, Some(namespace), verb, what, may, SOON)?;
            until_allowed(&picker, verb, what, may && *everywhere, SOON)?;
        }
    }
    // The table has every row of its Role.
    let role = administrator.only(Which::all(&ROLES).within(namespace).named(PICKER))?;
    for rule in role["rules"].as_array().context("its Role has no rules")? {
        let texts =
            |key: &str| rule[key].as_array().into_iter().flatten().filter_map(Value::as_str).collect::<Vec<_>>();
        for what in texts("resources") {
            let group = texts("apiGroups").concat();
            let named = if group.is_empty() { what.to_owned() } else { format!("{what}.{group}") };
            let row = ROWS.iter().find(|(known, ..)| *known == named).with_context(|| format!("no row for {named}"))?;
            let verbs = texts("verbs");
            let same = verbs.len() == row.1.len() && verbs.iter().all(|verb| row.1.contains(verb));
            ensure!(same, "its Role has {verbs:?} for {named}");
        }
    }
    for (path, may) in [("/metrics", "yes"), ("/logs", "no")] {
        eventually(&format!("get {path}: {may}"), SOON, || {
            let found = answer(picker.command().args(["auth", "can-i", "get", path]))?;
            ensure!(found == may, "the answer is {found}");
            Ok(())
        })?;
    }
    let more = ["create", "clusterrole", "more", "--verb=delete", "--resource=nodes", "--dry-run=server"];
    let refused = plane.provider.run(&more).err().map(|error| format!("{error:#}")).unwrap_or_default();
    ensure!(refused.contains("attempting to grant RBAC permissions not currently held"), "the provider: {refused:?}");
    let theirs = ["create", "clusterrolebinding", "more", "--clusterrole=admin", "--user=anyone", "--dry-run=server"];
    let refused = plane.provider.run(&theirs).err().map(|error| format!("{error:#}")).unwrap_or_default();
    ensure!(refused.contains("attempting to grant RBAC permissions not currently held"), "the provider: {refused:?}");
    Ok(())
}

/// Waits until neither is there.
pub(super) fn is_gone(plane: &Plane, namespace: &str) -> Result<()> {
    let name = &grant(namespace);
    let both = [&CLUSTER_ROLES, &CLUSTER_ROLE_BINDINGS];
    both.into_iter().try_for_each(|resource| plane.administrator.gone(Which::all(resource).named(name), SOON))
}

/// The name of both.
fn grant(namespace: &str) -> String {
    format!("{namespace}-{PICKER}")
}

/// The first word that a command prints, whatever its exit code is.
fn answer(command: &mut Command) -> Result<String> {
    let output = command.output()?;
    let text = String::from_utf8_lossy(&output.stdout);
    Ok(text.split_whitespace().next().unwrap_or_default().to_owned())
}
