//! The Chainsaw suites of this project pass on the control plane.

use std::process::Command;

use anyhow::{Context as _, Result, ensure};
use tests::files::workspace;
use tests::real::processes::{progress, run};

use crate::plane::Plane;

pub(crate) fn chainsaw(plane: &Plane) -> Result<()> {
    suites(plane, "chainsaw-test", "chainsaw-report")
}

/// The suites of GPU clusters, where the packages of the cloud providers are installed.
pub(crate) fn of_clusters(plane: &Plane) -> Result<()> {
    suites(plane, "cluster-test", "chainsaw-report-clusters")
}

/// Runs the suites in files of this name. The report goes to a file of the target folder.
fn suites(plane: &Plane, file: &str, report: &str) -> Result<()> {
    // Suites call kubectl.
    let mut programs = vec![plane.tools.path("kubectl").parent().context("a folder")?.to_owned()];
    programs.extend(std::env::split_paths(&std::env::var_os("PATH").unwrap_or_default()));
    let printed = run(Command::new(plane.tools.path("chainsaw"))
        // Chainsaw finds its configuration in this folder.
        .current_dir(workspace().join("tests/chainsaw"))
        .env("KUBECONFIG", plane.kubectl.kubeconfig())
        .env("PATH", std::env::join_paths(programs)?)
        .args(["test", "--no-color", "--test-file", file, "--report-name", report]))?;
    let passed = printed.lines().find_map(|line| line.strip_prefix("- Passed  tests ")).context("no summary")?;
    ensure!(passed.parse::<u32>()? > 0, "there are no suites");
    progress(&format!("{file}: {passed} suites"));
    Ok(())
}
