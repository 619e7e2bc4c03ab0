//! The control plane with our packages installed.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

use anyhow::{Context as _, Result, ensure};
use contract::catalog::ApiResource;
use serde_json::{Value, json};
use tests::documents::Shown;
use tests::files::workspace;
use tests::real::access::until_allowed;
use tests::real::cluster::{Cluster, Extras};
use tests::real::http::page;
use tests::real::kubectl::Kubectl;
use tests::real::processes::{Process, progress};
use tests::real::tools::Tools;
use tests::real::watching::Which;

use crate::certificates::write_server_certificate;
use crate::crossplane::{self, Crossplane, DEFAULT_EVENTS, Engine, MANY_EVENTS};
use crate::function::Function;
use crate::gpu_clusters::{GpuClusters, Players};
use crate::names::{NAMESPACE, PROVIDER_CONFIG, SOON, TAG, fixture};
use crate::packages::{Registry, name_of_dependency, package};
use crate::resources::{COMPOSITE_DEFINITIONS, COMPOSITIONS, CONFIGURATIONS, FUNCTIONS, LOCKS, PROVIDERS};
use crate::runtime::{announce_function, start_provider};
use crate::shown::{self, INSTALL};
use crate::subjects::{SUBJECTS, Subject};
use crate::{audit, granted};

const PROVIDER: &str = "crossplane-contrib/provider-kubernetes";
/// The same version as in `tests/e2e/tools/provider-kubernetes/go.mod`.
const PROVIDER_TAG: &str = "v1.2.1";
/// A version of our packages that may break those of this version.
pub(crate) const BREAKING_TAG: &str = "v99.0.0";
/// The repository of the Configuration that depends on those of all APIs.
const CONFIGURATION: &str = "sailplane/sailplane";
/// The folder in `package/` of each API's Configuration. Its repository has the same name.
pub(crate) const APIS: &[&str] = &["inference-model", "llm-inference", "modelplane", "otterscale"];
/// The controllers of what our kinds become on the control plane.
const CONTROLLERS: &[&str] = &[
    "deployment-controller",
    "replicaset-controller",
    "job-controller",
    "persistentvolumeclaim-protection-controller",
    "horizontal-pod-autoscaler-controller",
    "serviceaccount-token-controller",
];
/// By default the autoscaler looks every 15 s.
const CONTROLLER_ARGUMENTS: &[&str] = &["--horizontal-pod-autoscaler-sync-period=5s"];
/// The CRDs of what our kinds become on the control plane: a folder of sources, and a file.
const CRDS: &[(&str, &str)] = &[
    ("gateway-api", "gateway.networking.k8s.io_httproutes.yaml"),
    ("inference-extension", "inference.networking.k8s.io_inferencepools.yaml"),
];
/// The namespace of the platform engineer's ServiceAccount.
const PLATFORM: &str = "platform";

/// What is wrong with a Configuration stands in the conditions of its revisions only.
const REVISIONS: &[&str] = &[
    "get",
    "configurationrevisions",
    "-o",
    "custom-columns=NAME:.metadata.name,REVISION:.spec.revision,STATE:.spec.desiredState,\
     CONDITIONS:.status.conditions[*].type,STATUS:.status.conditions[*].status,MESSAGES:.status.conditions[*].message",
];

/// The running control plane.
///
/// Each component uses a ServiceAccount with the rights that are shipped for it. Cluster administrators are only the
/// code that starts the control plane, the code that plays the package runtime, and the reader of the documents.
pub(crate) struct Plane {
    /// Acts as cluster administrator.
    pub(crate) administrator: Kubectl,
    /// Acts as a platform engineer, who runs the scenarios: with the role for administrators in Crossplane's chart, and
    /// with the role `view` of Kubernetes.
    pub(crate) kubectl: Kubectl,
    /// Acts as Crossplane.
    pub(crate) crossplane: Kubectl,
    /// Acts as provider-kubernetes.
    pub(crate) provider: Kubectl,
    /// The binaries of the other components.
    pub(crate) tools: Tools,
    /// The commands of the documents.
    pub(crate) shown: Shown,
    /// The name that Crossplane gave to our Function.
    pub(crate) function_name: String,
    /// `sailplane function`.
    pub(crate) function: Function,
    /// The address of etcd.
    etcd: String,
    gpu_clusters: Mutex<Option<Arc<GpuClusters>>>,
    manager: Mutex<Option<Process>>,
    engine: Mutex<Engine>,
    registry: Registry,
    certificates: PathBuf,
    dir: PathBuf,
    /// They end before the API server.
    _players: Players,
    /// It ends before the API server.
    _provider: Process,
    cluster: Mutex<Cluster>,
}

impl Plane {
    /// Starts everything and installs our Configuration. Crossplane installs its dependencies: the Configurations of
    /// the APIs, and their dependencies.
    pub(crate) fn start(tools: Tools, dir: &Path) -> Result<Self> {
        let start = Instant::now();
        progress("starting etcd, the API server and its controllers");
        let audit = audit::arguments(dir, &granted::resources()?)?;
        let audit: Vec<_> = audit.iter().map(String::as_str).collect();
        let extras =
            Extras { api_server: &audit, controllers: CONTROLLERS, manager: CONTROLLER_ARGUMENTS, ..Extras::default() };
        let cluster = Cluster::start_with(&tools, dir, extras)?;
        let administrator = cluster.kubectl.clone();
        install_definitions(&administrator, &tools)?;
        progress("starting Crossplane, its RBAC manager and a registry");
        let Crossplane { identity: crossplane, manager, engine } = crossplane::start(&tools, &administrator, dir)?;
        let registry = Registry::start(&tools, dir)?;

        progress("publishing the packages to the registry");
        let provider = tools.sources.join("provider-kubernetes/package");
        registry.publish(&provider, PROVIDER, PROVIDER_TAG)?;
        // The Configurations must not take versions that may break them.
        for tag in [TAG, BREAKING_TAG] {
            publish(&registry, tag)?;
        }
        registry.stand_in(&administrator)?;

        progress("installing the Configuration, as documents show it");
        administrator.apply_path(&fixture("vllmruntimes.yaml"))?;
        let shown = shown::commands(&administrator, dir);
        for _ in [
            "provider-kubernetes.yaml",
            "rbac-least-privilege.yaml",
            "rbac-crossplane-inference-model.yaml",
            "rbac-crossplane-modelplane.yaml",
            "rbac-crossplane-otterscale.yaml",
            "configuration.yaml",
            "configuration-modelplane-beside.yaml",
        ] {
            shown.next(INSTALL)?;
        }
        let function_name = dependency(&administrator, FUNCTIONS)?;
        let provider_name = dependency(&administrator, PROVIDERS)?;
        configure_function(&administrator, &shown, &function_name)?;

        let certificates = dir.join("function-certificates");
        write_server_certificate(&administrator, &certificates)?;
        let function = Function::start("function-sailplane", &certificates, dir)?;
        announce_function(&administrator, &function_name, function.port)?;
        let (provider, provider_process) = start_provider(&tools, &administrator, &provider_name, dir)?;
        // The commands that wait for the Configuration, and for its dependencies.
        shown.next(INSTALL)?;
        shown.next(INSTALL)?;

        let plane = Self {
            _players: Players::start(&administrator),
            kubectl: engineer(&administrator)?,
            administrator,
            crossplane,
            provider,
            tools,
            shown,
            function_name,
            function,
            etcd: cluster.etcd.clone(),
            gpu_clusters: Mutex::default(),
            manager: Some(manager).into(),
            engine: engine.into(),
            registry,
            certificates,
            dir: dir.to_owned(),
            _provider: provider_process,
            cluster: cluster.into(),
        };
        plane.installed(&provider_name)?;
        plane.configure_provider()?;
        plane.granted()?;
        progress(&format!("everything is installed and healthy, after {:.0} s", start.elapsed().as_secs_f64()));
        Ok(plane)
    }

    /// Ends everything. The commands of the documents are left.
    pub(crate) fn end(self) -> Shown {
        self.shown
    }

    /// Creates `namespace`, and a ProviderConfig in it that has the name of the ClusterProviderConfig.
    pub(crate) fn namespace(&self, namespace: &str) -> Result<()> {
        self.kubectl.run(&["create", "namespace", namespace])?;
        self.kubectl.apply(&provider_config("ProviderConfig", Some(namespace)))
    }

    /// Installs a Function of the tests, which listens at `port` of loopback.
    pub(crate) fn install_function(&self, name: &str, port: u16) -> Result<()> {
        self.registry.publish(&fixture("function"), name, TAG)?;
        self.kubectl.apply(&package("Function", name, name, TAG))?;
        announce_function(&self.administrator, name, port)
    }

    /// Publishes the Configuration of an API in another repository. To Crossplane this is another package.
    pub(crate) fn publish_again(&self, api: &str, repository: &str) -> Result<()> {
        self.registry.publish(&workspace().join("package").join(api), repository, TAG)
    }

    /// Publishes the package in `folder`.
    pub(crate) fn publish_folder(&self, folder: &Path, repository: &str, tag: &str) -> Result<()> {
        self.registry.publish(folder, repository, tag)
    }

    /// The folder with all state.
    pub(crate) fn dir(&self) -> &Path {
        &self.dir
    }

    /// An empty folder for a scenario.
    pub(crate) fn folder(&self, name: &str) -> Result<PathBuf> {
        let folder = self.dir.join(name);
        std::fs::create_dir_all(&folder)?;
        Ok(folder)
    }

    /// Publishes our packages in another version.
    pub(crate) fn publish(&self, tag: &str) -> Result<()> {
        publish(&self.registry, tag)
    }

    /// The address of the registry.
    pub(crate) fn registry(&self) -> &str {
        self.registry.address()
    }

    /// Starts another process of `sailplane function`. Its log is `NAME.log`.
    pub(crate) fn start_function(&self, name: &str) -> Result<Function> {
        Function::start(name, &self.certificates, &self.dir)
    }

    /// The clusters of the fleet. They are started at the first use.
    pub(crate) fn gpu_clusters(&self) -> Result<Arc<GpuClusters>> {
        let mut clusters = self.gpu_clusters.lock().unwrap_or_else(PoisonError::into_inner);
        if clusters.is_none() {
            *clusters = Some(Arc::new(GpuClusters::start(&self.tools, &self.administrator, &self.etcd, &self.dir)?));
        }
        clusters.clone().context("they were started above")
    }

    /// The address of etcd.
    pub(crate) fn etcd(&self) -> &str {
        &self.etcd
    }

    /// The folder with the certificates of functions.
    pub(crate) fn certificates(&self) -> &Path {
        &self.certificates
    }

    /// Installs the definitions of what our kinds become, as far as they are not there.
    pub(crate) fn install_definitions(&self) -> Result<()> {
        install_definitions(&self.administrator, &self.tools)
    }

    /// Loses Crossplane's engine, acts, and starts it again.
    pub(crate) fn without_engine<T>(&self, act: impl FnOnce() -> Result<T>) -> Result<T> {
        let mut engine = self.engine.lock().unwrap_or_else(PoisonError::into_inner);
        engine.lose();
        let done = act();
        engine.start_again()?;
        done
    }

    /// Acts while there is no API server. Everything else runs on.
    pub(crate) fn without_api_server<T>(&self, act: impl FnOnce() -> Result<T>) -> Result<T> {
        let mut cluster = self.cluster.lock().unwrap_or_else(PoisonError::into_inner);
        cluster.lose_api_server();
        let done = act();
        cluster.start_api_server(&self.dir)?;
        done
    }

    /// Acts with the circuit breakers that Crossplane has by default.
    pub(crate) fn with_default_breakers<T>(&self, act: impl FnOnce() -> Result<T>) -> Result<T> {
        self.restart_engine(|engine| engine.breakers_take(DEFAULT_EVENTS))?;
        let done = act();
        self.restart_engine(|engine| engine.breakers_take(MANY_EVENTS))?;
        done
    }

    /// Acts while Crossplane's engine watches nothing but composites themselves.
    pub(crate) fn without_watches<T>(&self, act: impl FnOnce() -> Result<T>) -> Result<T> {
        self.restart_engine(|engine| engine.watches(false))?;
        let done = act();
        self.restart_engine(|engine| engine.watches(true))?;
        done
    }

    fn restart_engine(&self, change: impl FnOnce(&mut Engine)) -> Result<()> {
        let mut engine = self.engine.lock().unwrap_or_else(PoisonError::into_inner);
        engine.lose();
        change(&mut engine);
        engine.start_again()
    }

    /// The metrics of Crossplane's engine whose lines contain `what`.
    pub(crate) fn engine_metrics(&self, what: &str) -> Result<Vec<String>> {
        let port = self.engine.lock().unwrap_or_else(PoisonError::into_inner).metrics;
        let metrics = page(port, "/metrics")?;
        Ok(metrics.lines().filter(|line| !line.starts_with('#') && line.contains(what)).map(str::to_owned).collect())
    }

    /// Ends Crossplane's RBAC manager.
    pub(crate) fn end_manager(&self) -> Result<()> {
        let manager = self.manager.lock().unwrap_or_else(PoisonError::into_inner).take();
        manager.context("the RBAC manager has ended before")?.terminate()
    }

    /// Applies a copy of a subject's Composition with another name, after `edit` has changed its only step.
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

    /// What a person would look at first after a failure.
    pub(crate) fn report(&self) -> String {
        let mut kinds = vec!["objects.kubernetes.m.crossplane.io".to_owned()];
        kinds.extend(SUBJECTS.iter().map(|subject| subject.name()));
        let views = [
            &["get", "configurations,functions,providers,functionrevisions,providerrevisions"][..],
            REVISIONS,
            &["get", "-A", &kinds.join(",")],
            &["get", "events", "-A", "--sort-by=.lastTimestamp"],
        ];
        views.map(|args| self.print(args)).concat()
    }

    /// The revisions of Configurations, and what is wrong with them.
    pub(crate) fn revisions(&self) -> String {
        self.print(REVISIONS)
    }

    fn print(&self, args: &[&str]) -> String {
        let printed = self.administrator.run(args).unwrap_or_else(|error| format!("{error:#}"));
        format!("\n--- kubectl {}\n{printed}", args.join(" "))
    }

    /// Waits until everything that was installed is healthy, and checks that the Compositions name our Function.
    fn installed(&self, provider_name: &str) -> Result<()> {
        let kubectl = &self.administrator;
        let apis: Vec<_> = APIS.iter().map(|api| format!("sailplane-{api}")).collect();
        let mut packages =
            vec![(CONFIGURATIONS, "sailplane"), (FUNCTIONS, &*self.function_name), (PROVIDERS, provider_name)];
        packages.extend(apis.iter().map(|api| (CONFIGURATIONS, api.as_str())));
        for (kind, name) in packages {
            let which = Which::all(kind).named(name);
            kubectl.condition("Healthy", which, SOON)?;
            let package = kubectl.only(which)?;
            let resolved = &package["status"]["resolvedPackage"];
            let local = resolved.as_str().is_some_and(|reference| reference.starts_with("127.0.0.1:"));
            ensure!(local, "{name} came from {resolved}");
            let breaks = package["spec"]["package"].as_str().is_none_or(|it| it.ends_with(BREAKING_TAG));
            ensure!(!breaks, "{name} has a version that may break: {package}");
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

    /// Replaces the provider configuration that documents show. It uses the identity of the provider's pod; here there
    /// is no pod, so it gets a kubeconfig with the same identity.
    fn configure_provider(&self) -> Result<()> {
        let kubeconfig = std::fs::read_to_string(self.provider.kubeconfig())?;
        self.administrator.apply(&json!({
            "apiVersion": "v1",
            "kind": "Secret",
            "metadata": {"name": "kubeconfig", "namespace": NAMESPACE},
            "stringData": {"kubeconfig": kubeconfig},
        }))?;
        // The documents use the kubeconfig of another cluster.
        self.shown.shell().write("gpu-cluster.kubeconfig", &kubeconfig);
        self.shown.run(INSTALL)?;
        // The quick start creates it again.
        self.administrator.run(&["delete", "secret", "-n", NAMESPACE, "gpu-cluster"])?;
        self.administrator.apply(&provider_config("ClusterProviderConfig", None))
    }

    /// Waits until the RBAC manager has granted rights to the kinds of the packages, and the roles are aggregated.
    fn granted(&self) -> Result<()> {
        for subject in SUBJECTS {
            for resource in [&*subject.name(), "objects.kubernetes.m.crossplane.io"] {
                for identity in [&self.crossplane, &self.kubectl] {
                    until_allowed(identity, "create", resource, true, SOON)?;
                }
            }
        }
        Ok(())
    }
}

fn install_definitions(kubectl: &Kubectl, tools: &Tools) -> Result<()> {
    CRDS.iter().try_for_each(|(module, file)| {
        // Applied by kubectl from its side, the whole of one would be stored twice.
        let path = tools.sources.join(module).join(file).display().to_string();
        kubectl.run(&["apply", "--server-side", "--force-conflicts", "-f", &path]).map(drop)
    })
}

/// Publishes our packages.
fn publish(registry: &Registry, tag: &str) -> Result<()> {
    let ours = workspace().join("package");
    registry.publish(&ours.join("function"), "sailplane/function-sailplane", tag)?;
    for api in APIS {
        registry.publish(&ours.join(api), &format!("sailplane/{api}"), tag)?;
    }
    registry.publish(&ours.join("sailplane"), CONFIGURATION, tag)
}

/// A provider configuration whose target is this API server.
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

/// A platform engineer: with the role for administrators in Crossplane's chart, and the role `view` of Kubernetes.
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

/// Gives the Function that Crossplane installed its runtime configuration, as documents show it. That makes a new revision
/// of it. With the External runtime no Deployment is made; `core_objects` checks the template.
fn configure_function(kubectl: &Kubectl, shown: &Shown, name: &str) -> Result<()> {
    let function = Which::all(FUNCTIONS).named(name);
    let current = |function: &Value| function["status"]["currentRevision"].as_str().map(str::to_owned);
    let first = kubectl.until_it("the Function has a revision", function, SOON, |function| {
        current(function).context("there is none")
    })?;
    shown.run("docs/function.md#size")?;
    kubectl.until_it("the Function has another revision", function, SOON, |function| {
        ensure!(current(function).is_some_and(|name| name != first), "it is {first}");
        let config = &function["spec"]["runtimeConfigRef"]["name"];
        ensure!(*config == *name, "its runtime configuration is {config}");
        Ok(())
    })
}

/// The name that Crossplane gave to the only dependency of this kind in our Configurations.
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
