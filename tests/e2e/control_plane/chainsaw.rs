//! The Chainsaw suites of this project pass on the control plane.

use std::process::Command;

use anyhow::{Context as _, Result, ensure};
use tests::files::workspace;
use tests::real::processes::{progress, run};

use crate::plane::Plane;

pub(crate) fn chainsaw(plane: &Plane) -> Result<()> {
    let printed = run(Command::new(plane.tools.path("chainsaw"))
        // Chainsaw finds its configuration in this folder.
        .current_dir(workspace().join("tests/chainsaw"))
        .env("KUBECONFIG", plane.kubectl.kubeconfig())
        .args(["test", "--no-color"]))?;
    let passed = printed.lines().find_map(|line| line.strip_prefix("- Passed  tests ")).context("no summary")?;
    ensure!(passed.parse::<u32>()? > 0, "there are no suites");
    progress(&format!("chainsaw: {passed} suites"));
    Ok(())
}
