//! The commands that documents show of the control plane.

use std::path::Path;

use tests::documents::{Shell, Shown, Suite};
use tests::real::kubectl::Kubectl;

/// Where the first commands are that a control plane is installed with.
pub(crate) const INSTALL: &str = "docs/install.md#install";

/// All commands that are about the control plane. Whoever follows these documents is cluster administrator.
pub(crate) fn commands(kubectl: &Kubectl, dir: &Path) -> Shown {
    let mut shell = Shell::start(&dir.join("shell"));
    shell.provide("kubectl", kubectl.binary());
    shell.set("KUBECONFIG", kubectl.kubeconfig());
    Shown::of(Suite::ControlPlane, shell)
}
