//! Runs kubectl.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use anyhow::{Context as _, Result, bail};
use serde_json::Value;

use super::processes::{eventually, run, run_with_input};

/// kubectl with the kubeconfig of one API server.
#[derive(Clone)]
pub struct Kubectl {
    binary: PathBuf,
    kubeconfig: PathBuf,
}

impl Kubectl {
    /// kubectl at `binary`, with `kubeconfig`.
    pub fn new(binary: PathBuf, kubeconfig: PathBuf) -> Self {
        Self { binary, kubeconfig }
    }

    /// The path of kubectl.
    pub fn binary(&self) -> &Path {
        &self.binary
    }

    /// The kubeconfig, which has all rights.
    pub fn kubeconfig(&self) -> &Path {
        &self.kubeconfig
    }

    /// Runs `kubectl ARGS` and returns its output.
    pub fn run(&self, args: &[&str]) -> Result<String> {
        run(self.command().args(args))
    }

    /// Applies one object.
    pub fn apply(&self, object: &Value) -> Result<()> {
        run_with_input(self.command().args(["apply", "-f", "-"]), &object.to_string()).map(drop)
    }

    /// Applies a file, or every manifest in a folder.
    pub fn apply_path(&self, path: &Path) -> Result<()> {
        run(self.command().args(["apply", "-f"]).arg(path)).map(drop)
    }

    /// `kubectl get ARGS`, parsed.
    pub fn get(&self, args: &[&str]) -> Result<Value> {
        Ok(serde_json::from_str(&self.run(&[&["get", "-o", "json"], args].concat())?)?)
    }

    /// The items of `kubectl get ARGS`.
    pub fn list(&self, args: &[&str]) -> Result<Vec<Value>> {
        match self.get(args)?["items"].take() {
            Value::Array(items) => Ok(items),
            _ => bail!("not a list: kubectl get {args:?}"),
        }
    }

    /// Merges `patch` into the object that ARGS name.
    pub fn patch(&self, args: &[&str], patch: &Value) -> Result<()> {
        self.run(&[&["patch", "--type=merge", "-p", &patch.to_string()], args].concat()).map(drop)
    }

    /// Waits until the object that ARGS name does not exist any more.
    pub fn gone(&self, args: &[&str], limit: Duration) -> Result<()> {
        eventually(&format!("{args:?} are gone"), limit, || {
            let left = self.run(&[&["get", "--ignore-not-found", "-o", "name"], args].concat())?;
            if left.is_empty() { Ok(()) } else { bail!("left: {}", left.trim()) }
        })
    }

    /// Waits until the object that ARGS name has the condition `kind` = True.
    pub fn condition(&self, kind: &str, args: &[&str], limit: Duration) -> Result<()> {
        eventually(&format!("{args:?} {kind}"), limit, || {
            let object = self.get(args)?;
            let conditions = object["status"]["conditions"].as_array().context("it has no conditions")?;
            if conditions.iter().any(|c| c["type"] == kind && c["status"] == "True") {
                return Ok(());
            }
            bail!("its conditions: {}", Value::from(conditions.clone()))
        })
    }

    /// A command without arguments.
    pub fn command(&self) -> Command {
        let mut command = Command::new(&self.binary);
        // Each API server has its own discovery cache.
        command.arg("--kubeconfig").arg(&self.kubeconfig);
        command.arg("--cache-dir").arg(self.kubeconfig.with_file_name("kubectl-cache"));
        command.arg("--request-timeout=30s");
        command
    }
}
