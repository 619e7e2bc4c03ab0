//! The commands that documents show of the control plane.

use std::path::Path;

use anyhow::Result;
use tests::documents::{Shell, Shown, Suite};
use tests::real::kubectl::Kubectl;

/// Where the first commands are that a control plane is installed with.
pub(crate) const INSTALL: &str = "docs/install.md#install";

/// All commands that are about the control plane.
pub(crate) fn commands(kubectl: &Kubectl, dir: &Path) -> Result<Shown> {
    let mut shell = Shell::start(&dir.join("shell"));
    shell.provide("kubectl", kubectl.binary());
    shell.set("KUBECONFIG", kubectl.kubeconfig());
    // Whoever has another cluster has its kubeconfig.
    shell.write("gpu-cluster.kubeconfig", &std::fs::read_to_string(kubectl.kubeconfig())?);
    Ok(Shown::of(Suite::ControlPlane, shell))
}
