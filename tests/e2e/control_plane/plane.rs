//! The control plane with our packages installed.

use std::path::Path;
use std::process::Command;
use std::sync::{Mutex, MutexGuard, PoisonError};

use anyhow::{Context as _, Result, ensure};
use serde_json::{Value, json};
use tests::documents::Shown;
use tests::files::workspace;
use tests::real::cluster::Cluster;
use tests::real::kubectl::Kubectl;
use tests::real::processes::{Process, eventually, free_port, progress};
use tests::real::tools::Tools;

use crate::certificates::{NAMESPACE, write_server_certificate};
use crate::crossplane::{announce, server_certificates};
use crate::function::Function;
use crate::names::{LEGACY_FUNCTION, OUR_COMPOSITION, PROVIDER_CONFIG, SOON, SUCCESSOR, TAG, fixture};
use crate::packages::{Registry, name_of_dependency, package};
use crate::shown::{self, INSTALL};
use crate::{crossplane, legacy};

const PROVIDER: &str = "crossplane-contrib/provider-kubernetes";
/// As in `tests/e2e/tools/provider-kubernetes/go.mod`.
const PROVIDER_TAG: &str = "v1.2.1";
/// What brings the Configurations of all APIs, in its repository.
const CONFIGURATION: &str = "sailplane/sailplane";
/// The folder under `package/` of each API's Configuration, which is what its repository is called.
const APIS: &[&str] = &["llm-inference"];

/// The running control plane.
pub(crate) struct Plane {
    /// Acts as cluster administrator.
    pub(crate) kubectl: Kubectl,
    /// Where the other components are.
    pub(crate) tools: Tools,
    /// What documents show of it.
    pub(crate) shown: Shown,
    /// The name that Crossplane gave our Function.
    pub(crate) function_name: String,
    function: Mutex<Function>,
    /// Ended in this order: each depends on the next.
    _processes: Vec<Process>,
}

impl Plane {
    /// Starts everything, and installs our Configuration, whose dependencies Crossplane installs by itself: the Configurations
    /// of the APIs, and what those depend on.
    pub(crate) fn start(tools: Tools, dir: &Path) -> Result<Self> {
        progress("starting etcd, the API server and its controllers");
        let Cluster { kubectl, processes: cluster, .. } = Cluster::start(&tools, dir, &[])?;
        progress("starting Crossplane and a registry");
        let engine = crossplane::start(&tools, &kubectl, dir)?;
        let registry = Registry::start(&tools, dir)?;

        progress("publishing the packages to the registry");
        let ours = workspace().join("package");
        let provider = tools.sources.join("provider-kubernetes/package");
        registry.publish(&provider, PROVIDER, PROVIDER_TAG)?;
        registry.publish(&ours.join("function"), "sailplane/function-sailplane", TAG)?;
        registry.publish(&ours.join("sailplane"), CONFIGURATION, TAG)?;
        for api in APIS {
            registry.publish(&ours.join(api), &format!("sailplane/{api}"), TAG)?;
        }
        registry.publish(&ours.join("llm-inference"), SUCCESSOR, TAG)?;
        registry.publish(&fixture("function-dot-inference"), LEGACY_FUNCTION, TAG)?;
        registry.stand_in(&kubectl)?;

        progress("installing the Configuration, as documents show it");
        kubectl.apply_path(&fixture("vllmruntimes.yaml"))?;
        let shown = shown::commands(&kubectl, dir)?;
        for _ in ["provider-kubernetes.yaml", "rbac-least-privilege.yaml", "configuration.yaml"] {
            shown.next(INSTALL)?;
        }
        let function_name = dependency(&kubectl, "Function")?;
        let provider_name = dependency(&kubectl, "Provider")?;

        let certificates = dir.join("function-certificates");
        write_server_certificate(&kubectl, &certificates)?;
        let function = Function::start(&certificates, dir)?;
        announce(&kubectl, "functionrevisions", &function_name, Some(function.port))?;
        announce(&kubectl, "providerrevisions", &provider_name, None)?;
        let provider = start_provider(&tools, &kubectl, dir)?;
        // Those that wait: for what was asked for, and for what that depends on.
        shown.next(INSTALL)?;
        shown.next(INSTALL)?;

        let legacy_port = free_port()?;
        legacy::serve(legacy_port, &certificates)?;
        kubectl.apply(&package("Function", LEGACY_FUNCTION, LEGACY_FUNCTION, TAG))?;
        announce(&kubectl, "functionrevisions", LEGACY_FUNCTION, Some(legacy_port))?;

        let mut processes = vec![provider, engine, registry.process];
        processes.extend(cluster);
        let plane = Self { kubectl, tools, shown, function_name, function: function.into(), _processes: processes };
        plane.installed(&provider_name)?;
        Ok(plane)
    }

    /// `sailplane function`, for the one who wants to end it.
    pub(crate) fn function(&self) -> MutexGuard<'_, Function> {
        self.function.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Creates `namespace` with a ProviderConfig in it, beside the ClusterProviderConfig of the same name.
    pub(crate) fn namespace(&self, namespace: &str) -> Result<()> {
        self.kubectl.run(&["create", "namespace", namespace])?;
        self.kubectl.apply(&self.provider_config("ProviderConfig", Some(namespace)))
    }

    /// What a person would look at first.
    pub(crate) fn report(&self) -> String {
        let kinds = "llminferences,objects.kubernetes.m.crossplane.io,vllmruntimes,ingresses";
        let views = [
            &["get", "configurations,functions,providers,functionrevisions,providerrevisions"][..],
            &["get", "-A", kinds],
            &["get", "events", "-A", "--sort-by=.lastTimestamp"],
        ];
        let print = |args: &[&str]| self.kubectl.run(args).unwrap_or_else(|error| format!("{error:#}"));
        views.map(|args| format!("\n--- kubectl {}\n{}", args.join(" "), print(args))).concat()
    }

    /// Waits until everything that was installed is healthy, and sees to it that the parts refer to each other.
    fn installed(&self, provider_name: &str) -> Result<()> {
        let kubectl = &self.kubectl;
        let apis: Vec<_> = APIS.iter().map(|api| format!("sailplane-{api}")).collect();
        let mut packages = vec![
            ["configurations", "sailplane"],
            ["functions", &self.function_name],
            ["functions", LEGACY_FUNCTION],
            ["providers", provider_name],
        ];
        packages.extend(apis.iter().map(|api| ["configurations", api.as_str()]));
        for package in packages {
            kubectl.condition("Healthy", &package, SOON)?;
            let resolved = &kubectl.get(&package)?["status"]["resolvedPackage"];
            let local = resolved.as_str().is_some_and(|reference| reference.starts_with("127.0.0.1:"));
            ensure!(local, "{package:?} came from {resolved}");
        }
        kubectl.condition("Resolved", &["locks", "lock"], SOON)?;
        kubectl.condition("Established", &["xrds", "llminferences.inference.devopstoolkit.ai"], SOON)?;
        let composition = kubectl.get(&["compositions", OUR_COMPOSITION])?;
        let named = &composition["spec"]["pipeline"][0]["functionRef"]["name"];
        ensure!(*named == *self.function_name, "the Composition names {named}, Crossplane {}", self.function_name);

        kubectl.apply(&json!({
            "apiVersion": "v1",
            "kind": "Secret",
            "metadata": {"name": "kubeconfig", "namespace": NAMESPACE},
            "stringData": {"kubeconfig": std::fs::read_to_string(kubectl.kubeconfig())?},
        }))?;
        kubectl.apply(&self.provider_config("ClusterProviderConfig", None))?;
        progress("everything is installed and healthy");
        Ok(())
    }

    /// A configuration with which provider-kubernetes acts on this API server.
    pub(crate) fn provider_config(&self, kind: &str, namespace: Option<&str>) -> Value {
        let mut config = json!({
            "apiVersion": "kubernetes.m.crossplane.io/v1alpha1",
            "kind": kind,
            "metadata": {"name": PROVIDER_CONFIG},
            "spec": {"credentials": {
                "source": "Secret",
                "secretRef": {"namespace": NAMESPACE, "name": "kubeconfig", "key": "kubeconfig"},
            }},
        });
        if let Some(namespace) = namespace {
            config["metadata"]["namespace"] = namespace.into();
        }
        config
    }
}

/// The name under which Crossplane has installed the one dependency of `kind` that our Configurations have.
fn dependency(kubectl: &Kubectl, kind: &str) -> Result<String> {
    let name = eventually(&format!("the Lock knows the {kind} of our Configurations"), SOON, || {
        let lock = kubectl.get(&["locks", "lock"])?;
        let packages = lock["packages"].as_array().context("it is empty")?;
        let ours = packages.iter().filter(|package| package["kind"] == "Configuration");
        let mut dependencies = ours.filter_map(|package| package["dependencies"].as_array()).flatten();
        let reference = dependencies.find(|it| it["kind"] == kind).and_then(|it| it["package"].as_str());
        reference.map(name_of_dependency).with_context(|| format!("not among the dependencies of {packages:?}"))
    })?;
    eventually(&format!("Crossplane installs the {kind} {name}"), SOON, || {
        kubectl.get(&[&format!("{}s.pkg.crossplane.io", kind.to_lowercase()), &name])
    })?;
    Ok(name)
}

/// Starts provider-kubernetes, once Crossplane has installed the CRDs of its package.
fn start_provider(tools: &Tools, kubectl: &Kubectl, dir: &Path) -> Result<Process> {
    for crd in ["objects", "clusterproviderconfigs", "providerconfigs"] {
        kubectl.condition("Established", &["crds", &format!("{crd}.kubernetes.m.crossplane.io")], SOON)?;
    }
    Process::start(
        "provider-kubernetes",
        Command::new(tools.path("provider-kubernetes"))
            .env("KUBECONFIG", kubectl.kubeconfig())
            .env("TLS_SERVER_CERTS_DIR", server_certificates(dir))
            .args(["--health-probe-bind-addr", &format!("127.0.0.1:{}", free_port()?)])
            // It sees changes of its targets by watching; polling is what it does besides, and quiet must survive it.
            .args(["--enable-watches", "--poll=10s"]),
        dir,
    )
}
