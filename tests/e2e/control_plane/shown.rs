//! The commands in documents that need a control plane.

use std::path::Path;

use tests::documents::{Shell, Shown, Suite};
use tests::real::kubectl::Kubectl;

/// The section with the first commands of an installation.
pub(crate) const INSTALL: &str = "docs/install.md#install";

/// All commands that need a control plane. The reader of these documents is a cluster administrator.
pub(crate) fn commands(kubectl: &Kubectl, dir: &Path) -> Shown {
    let mut shell = Shell::start(&dir.join("shell"));
    shell.provide("kubectl", kubectl.binary());
    shell.set("KUBECONFIG", kubectl.kubeconfig());
    Shown::of(Suite::ControlPlane, shell)
}
