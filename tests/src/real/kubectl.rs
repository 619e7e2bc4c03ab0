//! kubectl, with the rights of a kubeconfig.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use anyhow::{Context as _, Result, bail, ensure};
use serde_json::{Value, json};

use super::kubeconfig;
use super::processes::{run, run_with_input};
use super::watching::{Objects, Watching, Which};

/// kubectl for one API server, with one identity. What is done often, it does over its own connection: to apply, to list and to
/// wait. A process takes a third of a second of CPU time, and kubectl's `apply` reads the schemas of the whole group.
#[derive(Clone)]
pub struct Kubectl {
    binary: PathBuf,
    kubeconfig: PathBuf,
    watching: Arc<OnceLock<Watching>>,
}

impl Kubectl {
    /// kubectl at `binary`, with `kubeconfig`.
    pub fn new(binary: PathBuf, kubeconfig: PathBuf) -> Self {
        Self { binary, kubeconfig, watching: Arc::default() }
    }

    /// The same with the rights of an existing ServiceAccount.
    pub fn of_service_account(&self, namespace: &str, name: &str) -> Result<Self> {
        let token = self.run(&["create", "token", name, "-n", namespace, "--duration=24h"])?;
        let file = self.kubeconfig.with_file_name(format!("{namespace}-{name}.kubeconfig"));
        kubeconfig::with_token(&self.kubeconfig, &file, token.trim())?;
        Ok(Self::new(self.binary.clone(), file))
    }

    /// The path of kubectl.
    pub fn binary(&self) -> &Path {
        &self.binary
    }

    /// The file that leads to the API server, with the rights of this identity.
    pub fn kubeconfig(&self) -> &Path {
        &self.kubeconfig
    }

    /// Runs `kubectl ARGS` and returns its output.
    pub fn run(&self, args: &[&str]) -> Result<String> {
        run(self.command().args(args))
    }

    /// Applies one object, on the server's side.
    pub fn apply(&self, object: &Value) -> Result<()> {
        self.watching()?.apply(object)
    }

    /// Applies several objects at once.
    pub fn apply_all(&self, objects: &[Value]) -> Result<()> {
        self.apply(&json!({"apiVersion": "v1", "kind": "List", "items": objects}))
    }

    /// Applies one object with the command itself, which says what people read, and remembers what it applied.
    pub fn apply_by_command(&self, object: &Value) -> Result<()> {
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

    /// Merges `patch` into what ARGS name.
    pub fn patch(&self, args: &[&str], patch: &Value) -> Result<()> {
        self.run(&[&["patch", "--type=merge", "-p", &patch.to_string()], args].concat()).map(drop)
    }

    /// The connection for lists and watches.
    ///
    /// # Errors
    /// When there is no valid kubeconfig.
    pub fn watching(&self) -> Result<&Watching> {
        if self.watching.get().is_none() {
            // An error means that another thread has set it.
            let _ = self.watching.set(Watching::connect(&self.kubeconfig)?);
        }
        self.watching.get().context("it was set above")
    }

    /// The objects as they are now.
    pub fn list(&self, which: Which<'_>) -> Result<Objects> {
        self.watching()?.list(which)
    }

    /// The only selected object.
    pub fn only(&self, which: Which<'_>) -> Result<Value> {
        let mut objects = self.list(which)?.into_values();
        let object = objects.next().with_context(|| format!("there is none: {which}"))?;
        ensure!(objects.next().is_none(), "there are several: {which}");
        Ok(object)
    }

    /// Waits until `decide` succeeds for the objects, and returns its result.
    pub fn until<T>(
        &self,
        what: &str,
        which: Which<'_>,
        limit: Duration,
        decide: impl FnMut(&Objects) -> Result<T>,
    ) -> Result<T> {
        self.watching()?.until(what, which, limit, decide)
    }

    /// Waits until `decide` succeeds for the only selected object, and returns its result.
    pub fn until_it<T>(
        &self,
        what: &str,
        which: Which<'_>,
        limit: Duration,
        mut decide: impl FnMut(&Value) -> Result<T>,
    ) -> Result<T> {
        self.until(what, which, limit, |objects| decide(objects.values().next().context("it does not exist")?))
    }

    /// Waits until the only selected object has the condition `kind` = True.
    pub fn condition(&self, kind: &str, which: Which<'_>, limit: Duration) -> Result<()> {
        self.until_it(&format!("{which} {kind}"), which, limit, |object| {
            let conditions = object["status"]["conditions"].as_array().context("it has no conditions")?;
            if conditions.iter().any(|it| it["type"] == kind && it["status"] == "True") {
                return Ok(());
            }
            bail!("its conditions: {}", Value::from(conditions.clone()))
        })
    }

    /// Waits until no such object exists.
    pub fn gone(&self, which: Which<'_>, limit: Duration) -> Result<()> {
        self.until(&format!("{which} are gone"), which, limit, |objects| {
            ensure!(objects.is_empty(), "left: {:?}", objects.keys());
            Ok(())
        })
    }

    /// kubectl, to be given arguments.
    pub fn command(&self) -> Command {
        let mut command = Command::new(&self.binary);
        // Each API server has its own discovery cache.
        command.arg("--kubeconfig").arg(&self.kubeconfig);
        command.arg("--cache-dir").arg(self.kubeconfig.with_file_name("kubectl-cache"));
        // Beside other suites an answer can take a minute.
        command.arg("--request-timeout=90s");
        // It ends before a collection would pay.
        command.env("GOGC", "off");
        command
    }
}
