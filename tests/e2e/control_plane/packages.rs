//! Packages, and a registry on loopback to install them from.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use anyhow::Result;
use serde_json::{Value, json};
use tests::real::kubectl::Kubectl;
use tests::real::processes::{Process, eventually, free_port, run};
use tests::real::tools::Tools;

/// The public registry of packages. The registry on loopback replaces it here.
pub(crate) const PUBLIC_REGISTRY: &str = "xpkg.crossplane.io";

/// A registry on loopback, where Crossplane uses plain HTTP.
pub(crate) struct Registry {
    /// The process of the registry.
    _process: Process,
    address: String,
    crossplane: PathBuf,
    dir: PathBuf,
}

impl Registry {
    /// Starts an empty registry.
    pub(crate) fn start(tools: &Tools, dir: &Path) -> Result<Self> {
        let address = format!("127.0.0.1:{}", free_port()?);
        let mut serve = Command::new(tools.path("crane"));
        serve.args(["registry", "serve", "--address", &address]);
        Ok(Self {
            _process: Process::start("registry", &mut serve, dir)?,
            address,
            crossplane: tools.path("crossplane"),
            dir: dir.to_owned(),
        })
    }

    /// Its address, without a scheme.
    pub(crate) fn address(&self) -> &str {
        &self.address
    }

    /// Builds the package from the metadata and manifests in `folder`, and pushes it as `repository:tag`.
    ///
    /// The package contains no image of a binary, because the External runtime starts none.
    pub(crate) fn publish(&self, folder: &Path, repository: &str, tag: &str) -> Result<()> {
        // Several scenarios may publish the same at the same time.
        static NUMBER: AtomicUsize = AtomicUsize::new(0);
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let file = self.dir.join(format!("{}-{number}.xpkg", repository.replace('/', "-")));
        let no_examples = self.dir.join("no-examples");
        fs::create_dir_all(&no_examples)?;
        run(Command::new(&self.crossplane)
            .args(["xpkg", "build", "--package-root"])
            .arg(folder)
            .arg("--examples-root")
            .arg(no_examples)
            .arg("--package-file")
            .arg(&file))?;
        let reference = format!("{}/{repository}:{tag}", self.address);
        eventually(&format!("{reference} is pushed"), Duration::from_secs(120), || {
            run(Command::new(&self.crossplane).args(["xpkg", "push", "--package-files"]).arg(&file).arg(&reference))
        })?;
        Ok(())
    }

    /// Makes Crossplane pull from this registry instead of [`PUBLIC_REGISTRY`].
    pub(crate) fn stand_in(&self, kubectl: &Kubectl) -> Result<()> {
        kubectl.apply(&json!({
            "apiVersion": "pkg.crossplane.io/v1beta1",
            "kind": "ImageConfig",
            "metadata": {"name": "loopback"},
            "spec": {
                "matchImages": [{"type": "Prefix", "prefix": format!("{PUBLIC_REGISTRY}/")}],
                "rewriteImage": {"prefix": format!("{}/", self.address)},
            },
        }))
    }
}

/// A package that refers to `repository` of the public registry.
pub(crate) fn package(kind: &str, name: &str, repository: &str, tag: &str) -> Value {
    json!({
        "apiVersion": "pkg.crossplane.io/v1",
        "kind": kind,
        "metadata": {"name": name},
        "spec": {"package": format!("{PUBLIC_REGISTRY}/{repository}:{tag}")},
    })
}

/// The name that Crossplane gives to a dependency. `reference` is its repository, with the registry.
pub(crate) fn name_of_dependency(reference: &str) -> String {
    let (_registry, repository) = reference.split_once('/').unwrap_or_default();
    repository.replace('/', "-")
}
