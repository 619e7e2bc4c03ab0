//! The cluster-scoped grant of an endpoint picker, made by provider-kubernetes.

use std::process::Command;

use anyhow::{Result, ensure};
use inference::otterscale::resources::{CLUSTER_ROLE_BINDINGS, CLUSTER_ROLES};
use serde_json::json;
use tests::real::access::{allowed, allowed_in};
use tests::real::watching::Which;

use crate::names::SOON;
use crate::plane::Plane;

/// The name of the picker.
const PICKER: &str = "qwen3-0-6b-epp";

/// The verb, `PLURAL.GROUP`, and whether the picker may do so: in its namespace, and elsewhere.
#[rustfmt::skip]
const ROWS: &[(&str, &str, bool, bool)] = &[
    ("get", "pods", true, false),
    ("watch", "pods", true, false),
    ("list", "pods", true, false),
    ("get", "inferenceobjectives.inference.networking.x-k8s.io", true, false),
    ("watch", "inferenceobjectives.inference.networking.x-k8s.io", true, false),
    ("list", "inferencemodelrewrites.inference.networking.x-k8s.io", true, false),
    ("list", "inferencepools.inference.networking.k8s.io", true, false),
    // With two replicas, one leads.
    ("create", "leases.coordination.k8s.io", true, false),
    ("delete", "leases.coordination.k8s.io", true, false),
    ("create", "events", true, false),
    ("patch", "events", true, false),
    // By the grant.
    ("create", "tokenreviews.authentication.k8s.io", true, true),
    ("create", "subjectaccessreviews.authorization.k8s.io", true, true),
    // And nothing else.
    ("create", "pods", false, false),
    ("delete", "pods", false, false),
    ("get", "secrets", false, false),
    ("get", "configmaps", false, false),
    ("update", "inferencepools.inference.networking.k8s.io", false, false),
    ("delete", "events", false, false),
    ("create", "clusterroles.rbac.authorization.k8s.io", false, false),
];

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
    for (verb, what, here, elsewhere) in ROWS {
        let found = (allowed_in(&picker, Some(namespace), verb, what)?, allowed(&picker, verb, what)?);
        ensure!(found == (*here, *elsewhere), "the picker may {verb} {what}, here and elsewhere: {found:?}");
    }
    for (path, may) in [("/metrics", "yes"), ("/logs", "no")] {
        let found = answer(picker.command().args(["auth", "can-i", "get", path]))?;
        ensure!(found == may, "the picker may get {path}: {found}");
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
