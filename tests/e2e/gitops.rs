//! The checks in `package/gitops` tell healthy objects from others, in the interpreters of Argo CD and Flux. Objects of a
//! real control plane are judged by the suite `control_plane`.
//!
//! `make -C tests/e2e/tools gitops` builds the interpreters.

use inference::KINDS;
use native::health::Checks;
use serde_json::{Value, json};
use toolbox::resources::OBJECTS;

/// A condition: its type, status, reason, message, and the generation of the object that it is about.
type Condition = (&'static str, &'static str, &'static str, &'static str, u64);

/// Conditions of an object of generation 2, and its health in Argo CD and in Flux.
type Row = (&'static [Condition], &'static str, &'static str);

#[rustfmt::skip]
const RECONCILED: &[Row] = &[
    (&[], "Progressing", "Unknown"),
    (&[("Synced", "True", "ReconcileSuccess", "", 2)], "Progressing", "InProgress"),
    (&[("Synced", "True", "ReconcileSuccess", "", 2), ("Ready", "False", "Creating", "Unready resources: ingress", 2)], "Progressing", "InProgress"),
    (&[("Ready", "True", "Available", "", 2), ("Synced", "True", "ReconcileSuccess", "", 2)], "Healthy", "Current"),
    // Providers do not say which generation they mean.
    (&[("Ready", "True", "Available", "", 0), ("Synced", "True", "ReconcileSuccess", "", 0)], "Healthy", "Current"),
    (&[("Synced", "False", "ReconcileError", "cannot compose resources", 2)], "Degraded", "Failed"),
    // What was ready before a mistake is still called so.
    (&[("Synced", "False", "ReconcileError", "cannot compose resources", 2), ("Ready", "True", "Available", "", 1)], "Degraded", "Failed"),
    (&[("Synced", "False", "ReconcilePaused", "paused", 2), ("Ready", "True", "Available", "", 1)], "Suspended", "InProgress"),
    // A change that nothing has reconciled yet.
    (&[("Synced", "True", "ReconcileSuccess", "", 1), ("Ready", "True", "Available", "", 1)], "Progressing", "InProgress"),
    (&[("Synced", "False", "ReconcileError", "cannot compose resources", 1)], "Progressing", "InProgress"),
];

#[rustfmt::skip]
const PACKAGES: &[Row] = &[
    (&[], "Progressing", "Unknown"),
    (&[("Installed", "True", "ActivePackageRevision", "", 2), ("Healthy", "True", "HealthyPackageRevision", "", 2)], "Healthy", "Current"),
    (&[("Installed", "True", "ActivePackageRevision", "", 2), ("Healthy", "False", "UnhealthyPackageRevision", "missing dependencies", 2)], "Progressing", "InProgress"),
    (&[("Installed", "False", "UnpackingPackage", "", 2)], "Progressing", "InProgress"),
    (&[("Installed", "False", "UnpackingPackage", "cannot unpack package", 2), ("Healthy", "False", "UnhealthyPackageRevision", "", 2)], "Degraded", "Failed"),
    (&[("Installed", "False", "InactivePackageRevision", "Package is inactive", 2), ("Healthy", "True", "HealthyPackageRevision", "", 2)], "Suspended", "InProgress"),
    (&[("Installed", "True", "ActivePackageRevision", "", 1), ("Healthy", "True", "HealthyPackageRevision", "", 1)], "Progressing", "InProgress"),
];

#[test]
#[ignore = "it needs real components: `make e2e`"]
fn health() {
    for kind in KINDS.rows.iter().filter(|kind| kind.compose.is_some()) {
        for api_version in kind.api_versions() {
            check(api_version, kind.kind, RECONCILED, true);
        }
    }
    // Flux looks at what it applies, and Objects are composed.
    check(OBJECTS.api_version, OBJECTS.kind, RECONCILED, false);
    for kind in ["Configuration", "Function", "Provider"] {
        check("pkg.crossplane.io/v1", kind, PACKAGES, true);
    }
}

fn check(api_version: &str, kind: &str, rows: &[Row], in_flux: bool) {
    let checks = Checks::read().expect("the files can be read");
    for (conditions, argo, flux) in rows {
        let mut object = json!({"apiVersion": api_version, "kind": kind, "metadata": {"name": "it", "generation": 2}});
        if !conditions.is_empty() {
            object["status"] = json!({"conditions": conditions.iter().map(condition).collect::<Vec<_>>()});
        }
        let health = checks.health(&object).unwrap_or_else(|error| panic!("{error}: {object}"));
        let flux = if in_flux { flux } else { "" };
        assert_eq!((&*health.argo, &*health.flux), (*argo, flux), "{object}");
        let expected = conditions.iter().map(|it| it.3).find(|message| !message.is_empty());
        assert!(expected.is_none_or(|it| health.message == it || *argo == "Progressing"), "{health:?}: {object}");
    }
}

fn condition((kind, status, reason, message, generation): &Condition) -> Value {
    let mut condition = json!({
        "type": kind,
        "status": status,
        "reason": reason,
        "lastTransitionTime": "2026-01-01T00:00:00Z",
    });
    if !message.is_empty() {
        condition["message"] = json!(message);
    }
    if *generation > 0 {
        condition["observedGeneration"] = json!(generation);
    }
    condition
}
