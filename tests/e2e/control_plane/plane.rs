//! The control plane with our packages installed.

use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

use anyhow::{Context as _, Result, ensure};
use contract::catalog::ApiResource;
use serde_json::{Value, json};
use tests::documents::Shown;
use tests::files::workspace;
use tests::real::access::allowed;
use tests::real::cluster::Cluster;
use tests::real::kubectl::Kubectl;
use tests::real::processes::{Process, eventually, progress};
use tests::real::tools::Tools;
use tests::real::watching::Which;

use crate::certificates::write_server_certificate;
use crate::crossplane::{self, Crossplane};
use crate::function::Function;
use crate::names::{NAMESPACE, PROVIDER_CONFIG, SOON, TAG, fixture};
use crate::packages::{Registry, name_of_dependency, package};
use crate::resources::{COMPOSITE_DEFINITIONS, COMPOSITIONS, CONFIGURATIONS, FUNCTIONS, LOCKS, PROVIDERS};
use crate::runtime::{announce_function, start_provider};
use crate::shown::{self, INSTALL};
use crate::subjects::{SUBJECTS, Subject};

const PROVIDER: &str = "crossplane-contrib/provider-kubernetes";
/// As in `tests/e2e/tools/provider-kubernetes/go.mod`.
const PROVIDER_TAG: &str = "v1.2.1";
/// What brings the Configurations of all APIs, in its repository.
const CONFIGURATION: &str = "sailplane/sailplane";
/// The folder under `package/` of each API's Configuration, which is what its repository is called.
const APIS: &[&str] = &["llm-inference"];
/// The namespace of the platform engineer's ServiceAccount.
const PLATFORM: &str = "platform";

/// The running control plane.
///
/// Each part acts under a ServiceAccount with the rights that are shipped for it. Only the bring-up itself is cluster
/// administrator, and what plays a part of Kubernetes or follows documents that are written for one.
pub(crate) struct Plane {
    /// Acts as cluster administrator.
    pub(crate) administrator: Kubectl,
    /// Acts as a platform engineer: what scenarios do is done by people with Crossplane's own role for them, who can
    /// also look at targets.
    pub(crate) kubectl: Kubectl,
    /// Acts as Crossplane.
    pub(crate) crossplane: Kubectl,
    /// Acts as provider-kubernetes.
    pub(crate) provider: Kubectl,
    /// Where the other components are.
    pub(crate) tools: Tools,
    /// What documents show of it.
    pub(crate) shown: Shown,
    /// The name that Crossplane gave our Function.
    pub(crate) function_name: String,
    /// `sailplane function`.
    pub(crate) function: Function,
    manager: Mutex<Option<Process>>,
    registry: Registry,
    certificates: PathBuf,
    dir: PathBuf,
    /// Ended in this order: each depends on the next.
    _processes: Vec<Process>,
}

impl Plane {
    /// Starts everything, and installs our Configuration, whose dependencies Crossplane installs by itself: the
    /// Configurations of the APIs, and what those depend on.
    pub(crate) fn start(tools: Tools, dir: &Path) -> Result<Self> {
        let start = Instant::now();
        progress("starting etcd, the API server and its controllers");
        let Cluster { kubectl: administrator, processes: cluster, .. } = Cluster::start(&tools, dir, &[])?;
        progress("starting Crossplane, its RBAC manager and a registry");
        let Crossplane { identity: crossplane, manager, engine } = crossplane::start(&tools, &administrator, dir)?;
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
        registry.stand_in(&administrator)?;

        progress("installing the Configuration, as documents show it");
        administrator.apply_path(&fixture("vllmruntimes.yaml"))?;
        let shown = shown::commands(&administrator, dir);
        for _ in ["provider-kubernetes.yaml", "rbac-least-privilege.yaml", "configuration.yaml"] {
            shown.next(INSTALL)?;
        }
        let function_name = dependency(&administrator, FUNCTIONS)?;
        let provider_name = dependency(&administrator, PROVIDERS)?;

        let certificates = dir.join("function-certificates");
        write_server_certificate(&administrator, &certificates)?;
        let function = Function::start("function-sailplane", &certificates, dir)?;
        announce_function(&administrator, &function_name, function.port)?;
        let (provider, provider_process) = start_provider(&tools, &administrator, &provider_name, dir)?;
        // Those that wait: for what was asked for, and for what that depends on.
        shown.next(INSTALL)?;
        shown.next(INSTALL)?;

        let mut processes = vec![provider_process, engine];
        processes.extend(cluster);
        let plane = Self {
            kubectl: engineer(&administrator)?,
            administrator,
            crossplane,
            provider,
            tools,
            shown,
            function_name,
            function,
            manager: Some(manager).into(),
            registry,
            certificates,
            dir: dir.to_owned(),
            _processes: processes,
        };
        plane.installed(&provider_name)?;
        plane.configure_provider()?;
        plane.granted()?;
        progress(&format!("everything is installed and healthy, after {:.0} s", start.elapsed().as_secs_f64()));
        Ok(plane)
    }

    /// Creates `namespace` with a ProviderConfig in it, beside the ClusterProviderConfig of the same name.
    pub(crate) fn namespace(&self, namespace: &str) -> Result<()> {
        self.kubectl.run(&["create", "namespace", namespace])?;
        self.kubectl.apply(&provider_config("ProviderConfig", Some(namespace)))
    }

    /// Installs a Function of the tests' own, which listens at `port` of loopback.
    pub(crate) fn install_function(&self, name: &str, port: u16) -> Result<()> {
        self.registry.publish(&fixture("function"), name, TAG)?;
        self.kubectl.apply(&package("Function", name, name, TAG))?;
        announce_function(&self.administrator, name, port)
    }

    /// Publishes the Configuration of an API in another repository, where to Crossplane it is another package.
    pub(crate) fn publish_again(&self, api: &str, repository: &str) -> Result<()> {
        self.registry.publish(&workspace().join("package").join(api), repository, TAG)
    }

    /// Starts `sailplane function` once more. Its log is `NAME.log`.
    pub(crate) fn start_function(&self, name: &str) -> Result<Function> {
        Function::start(name, &self.certificates, &self.dir)
    }

    /// What functions serve with.
    pub(crate) fn certificates(&self) -> &Path {
        &self.certificates
    }

    /// Ends Crossplane's RBAC manager.
    pub(crate) fn end_manager(&self) -> Result<()> {
        let manager = self.manager.lock().unwrap_or_else(PoisonError::into_inner).take();
        manager.context("the RBAC manager has ended before")?.terminate()
    }

    /// Applies a copy of the Composition that a subject's Configuration brings, with another name and another only
    /// step.
    pub(crate) fn copy_composition(&self, subject: &Subject, name: &str, edit: impl Fn(&mut Value)) -> Result<()> {
        let original = self.kubectl.only(Which::all(COMPOSITIONS).named(subject.composition))?;
        let mut spec = original["spec"].clone();
        edit(&mut spec["pipeline"][0]);
        self.kubectl.apply(&json!({
            "apiVersion": original["apiVersion"],
            "kind": original["kind"],
            "metadata": {"name": name},
            "spec": spec,
        }))
    }

    /// What a person would look at first.
    pub(crate) fn report(&self) -> String {
        let mut kinds = vec!["objects.kubernetes.m.crossplane.io".to_owned()];
        kinds.extend(SUBJECTS.iter().map(|subject| subject.name()));
        let views = [
            &["get", "configurations,functions,providers,functionrevisions,providerrevisions"][..],
            &["get", "-A", &kinds.join(",")],
            &["get", "events", "-A", "--sort-by=.lastTimestamp"],
        ];
        let print = |args: &[&str]| self.administrator.run(args).unwrap_or_else(|error| format!("{error:#}"));
        views.map(|args| format!("\n--- kubectl {}\n{}", args.join(" "), print(args))).concat()
    }

    /// Waits until everything that was installed is healthy, and sees to it that the parts refer to each other.
    fn installed(&self, provider_name: &str) -> Result<()> {
        let kubectl = &self.administrator;
        let apis: Vec<_> = APIS.iter().map(|api| format!("sailplane-{api}")).collect();
        let mut packages =
            vec![(CONFIGURATIONS, "sailplane"), (FUNCTIONS, &*self.function_name), (PROVIDERS, provider_name)];
        packages.extend(apis.iter().map(|api| (CONFIGURATIONS, api.as_str())));
        for (kind, name) in packages {
            let which = Which::all(kind).named(name);
            kubectl.condition("Healthy", which, SOON)?;
            let resolved = &kubectl.only(which)?["status"]["resolvedPackage"];
            let local = resolved.as_str().is_some_and(|reference| reference.starts_with("127.0.0.1:"));
            ensure!(local, "{name} came from {resolved}");
        }
        kubectl.condition("Resolved", Which::all(LOCKS).named("lock"), SOON)?;
        for subject in SUBJECTS {
            kubectl.condition("Established", Which::all(COMPOSITE_DEFINITIONS).named(&subject.name()), SOON)?;
            let composition = kubectl.only(Which::all(COMPOSITIONS).named(subject.composition))?;
            let named = &composition["spec"]["pipeline"][0]["functionRef"]["name"];
            ensure!(*named == *self.function_name, "the Composition names {named}, Crossplane {}", self.function_name);
        }
        Ok(())
    }

    /// Makes the provider configuration that documents show lead to the API server: in a pod the provider has an
    /// identity, here it is told one.
    fn configure_provider(&self) -> Result<()> {
        let kubeconfig = std::fs::read_to_string(self.provider.kubeconfig())?;
        self.administrator.apply(&json!({
            "apiVersion": "v1",
            "kind": "Secret",
            "metadata": {"name": "kubeconfig", "namespace": NAMESPACE},
            "stringData": {"kubeconfig": kubeconfig},
        }))?;
        // Whoever has another cluster has its kubeconfig.
        self.shown.shell().write("gpu-cluster.kubeconfig", &kubeconfig);
        self.shown.run(INSTALL)?;
        // The quick start creates it too.
        self.administrator.run(&["delete", "secret", "-n", NAMESPACE, "gpu-cluster"])?;
        self.administrator.apply(&provider_config("ClusterProviderConfig", None))
    }

    /// Waits until the RBAC manager has granted what comes with the packages. Roles are added up a moment later.
    fn granted(&self) -> Result<()> {
        for subject in SUBJECTS {
            for resource in [&*subject.name(), "objects.kubernetes.m.crossplane.io"] {
                for identity in [&self.crossplane, &self.kubectl] {
                    eventually(&format!("rights to {resource}"), SOON, || {
                        ensure!(allowed(identity, "create", resource)?, "not granted");
                        Ok(())
                    })?;
                }
            }
        }
        Ok(())
    }
}

/// A configuration with which provider-kubernetes acts on this API server.
fn provider_config(kind: &str, namespace: Option<&str>) -> Value {
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

/// Somebody with the role that Crossplane's chart has for its administrators, and with Kubernetes' own to look at
/// things.
fn engineer(administrator: &Kubectl) -> Result<Kubectl> {
    const NAME: &str = "engineer";
    administrator.run(&["create", "namespace", PLATFORM])?;
    administrator.run(&["create", "serviceaccount", NAME, "-n", PLATFORM])?;
    for role in ["crossplane-admin", "view"] {
        let (binding, account) = (format!("{NAME}-{role}"), format!("{PLATFORM}:{NAME}"));
        let role = ["--clusterrole", role, "--serviceaccount", &account];
        administrator.run(&[&["create", "clusterrolebinding", &binding], &role[..]].concat())?;
    }
    administrator.of_service_account(PLATFORM, NAME)
}

/// The name under which Crossplane has installed the one dependency of a kind that our Configurations have.
fn dependency(kubectl: &Kubectl, packages: &ApiResource) -> Result<String> {
    let kind = packages.kind;
    let lock = Which::all(LOCKS).named("lock");
    let name = kubectl.until_it(&format!("the Lock knows the {kind} of our Configurations"), lock, SOON, |lock| {
        let packages = lock["packages"].as_array().context("it is empty")?;
        let ours = packages.iter().filter(|package| package["kind"] == "Configuration");
        let mut dependencies = ours.filter_map(|package| package["dependencies"].as_array()).flatten();
        let reference = dependencies.find(|it| it["kind"] == kind).and_then(|it| it["package"].as_str());
        reference.map(name_of_dependency).with_context(|| format!("not among the dependencies of {packages:?}"))
    })?;
    kubectl.until_it(
        &format!("Crossplane installs the {kind} {name}"),
        Which::all(packages).named(&name),
        SOON,
        |_| Ok(()),
    )?;
    Ok(name)
}
