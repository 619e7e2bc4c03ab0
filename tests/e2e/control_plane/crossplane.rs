//! Crossplane and its RBAC manager, each with the rights that the Helm chart gives it.
//!
//! The package runtime is External: Crossplane manages packages, and this test runs the functions and the provider.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use anyhow::{Result, ensure};
use serde_json::json;
use tests::base64::encode;
use tests::real::kubectl::Kubectl;
use tests::real::processes::{Process, eventually, free_port, run};
use tests::real::tools::Tools;
use tests::real::watching::Which;

use crate::certificates::{write_secret, write_server_certificate};
use crate::chart;
use crate::names::{NAMESPACE, SOON};
use crate::resources::{CLUSTER_ROLES, WEBHOOKS};

/// The Secret with the client certificate that Crossplane uses to call functions.
const CLIENT_SECRET: &str = "crossplane-tls-client";
/// The events of a composite at once, as documents advise for fleets: by default, it is ignored for some time after 50.
pub(crate) const MANY_EVENTS: u32 = 5_000;
/// The same by default.
pub(crate) const DEFAULT_EVENTS: u32 = 50;
/// The Secret with the server certificate of its webhooks.
pub(crate) const SERVER_SECRET: &str = "crossplane-tls-server";

/// The running Crossplane.
pub(crate) struct Crossplane {
    /// Acts with the rights of the engine.
    pub(crate) identity: Kubectl,
    /// The RBAC manager. It gives the engine and the providers rights for the kinds of installed packages.
    pub(crate) manager: Process,
    pub(crate) engine: Engine,
}

/// The engine, which can be lost and started again.
pub(crate) struct Engine {
    /// The port of its metrics.
    pub(crate) metrics: u16,
    command: Command,
    dir: PathBuf,
    process: Option<Process>,
}

impl Engine {
    fn start(command: Command, metrics: u16, dir: &Path) -> Result<Self> {
        let mut engine = Self { metrics, command, dir: dir.to_owned(), process: None };
        engine.breakers_take(MANY_EVENTS);
        engine.start_again()?;
        Ok(engine)
    }

    /// Kills it, as a lost machine does.
    pub(crate) fn lose(&mut self) {
        self.process = None;
    }

    /// Lets its circuit breakers take so many events at once, from its next start on.
    pub(crate) fn breakers_take(&mut self, events: u32) {
        // Of several arguments the last counts. One event takes two tokens.
        self.command.arg(format!("--circuit-breaker-burst={}", 2 * events));
    }

    /// Lets it watch what composites look up and compose, from its next start on: as it does by default, or not at all. Without watches
    /// it comes back at its poll interval, and to a composite that is not ready after a back-off.
    pub(crate) fn watches(&mut self, all: bool) {
        let poll = if all { "1m" } else { "4s" };
        self.command.arg(format!("--enable-realtime-compositions={all}")).arg(format!("--poll-interval={poll}"));
    }

    /// Starts it with the same ports and folders.
    pub(crate) fn start_again(&mut self) -> Result<()> {
        self.process = Some(Process::start("crossplane", &mut self.command, &self.dir)?);
        Ok(())
    }
}

/// Installs Crossplane's own objects as the chart does, and starts engine and RBAC manager with their state under
/// `dir`.
pub(crate) fn start(tools: &Tools, administrator: &Kubectl, dir: &Path) -> Result<Crossplane> {
    administrator.run(&["create", "namespace", NAMESPACE])?;
    administrator.apply_all(&chart::objects(&tools.sources.join("crossplane/templates"), true)?)?;
    let role = Which::all(CLUSTER_ROLES).named("crossplane");
    administrator.until_it("Crossplane's role has the rules of the chart", role, SOON, |role| {
        ensure!(role["rules"].as_array().is_some_and(|rules| !rules.is_empty()), "it has none");
        Ok(())
    })?;
    let identity = administrator.of_service_account(NAMESPACE, "crossplane")?;
    // On an empty API server it uses a CRD before it is established: `no matches for kind "Lock"`. A pod would restart.
    eventually("crossplane core init", Duration::from_secs(120), || run(&mut init(tools, &identity)))?;

    let folder = |name: &str| -> Result<PathBuf> {
        let folder = dir.join(name);
        fs::create_dir_all(&folder)?;
        Ok(folder)
    };
    let (client, server) = (folder("crossplane-client")?, server_certificates(dir));
    write_secret(administrator, CLIENT_SECRET, &client)?;
    write_secret(administrator, SERVER_SECRET, &server)?;
    // The certificate in the Secret is for a Service, and there is none.
    write_server_certificate(administrator, &server)?;
    let webhooks = free_port()?;
    lead_usages_to(administrator, webhooks, &fs::read(server.join("ca.crt"))?)?;
    let metrics = free_port()?;
    let mut engine = engine(tools, &identity);
    engine
        .args(["core", "start", "--package-runtime=External"])
        .args(["--tls-client-secret-name", CLIENT_SECRET, "--tls-server-secret-name", SERVER_SECRET])
        .arg("--tls-client-certs-dir")
        .arg(&client)
        .arg("--tls-server-certs-dir")
        .arg(&server)
        // Crossplane does not create its caches. Without these folders it cannot unpack packages.
        .arg("--xpkg-cache-dir")
        .arg(folder("crossplane-xpkg-cache")?)
        .arg("--xfn-cache-dir")
        .arg(folder("crossplane-xfn-cache")?)
        // Alpha.
        .arg("--enable-operations")
        .args(["--webhook-port", &webhooks.to_string()])
        .args(["--metrics-port", &metrics.to_string()])
        .args(["--health-probe-port", &free_port()?.to_string()]);
    let mut manager = self::engine(tools, &administrator.of_service_account(NAMESPACE, "rbac-manager")?);
    manager.args(["rbac", "start", "--provider-clusterrole=crossplane:allowed-provider-permissions"]);
    Ok(Crossplane {
        identity,
        manager: Process::start("crossplane-rbac-manager", &mut manager, dir)?,
        engine: Engine::start(engine, metrics, dir)?,
    })
}

/// The webhook that keeps what is in use. Its Service does not exist, so nothing in use could be deleted, ever.
fn lead_usages_to(administrator: &Kubectl, port: u16, ca: &[u8]) -> Result<()> {
    const NAME: &str = "crossplane-no-usages";
    let mut webhooks = administrator.only(Which::all(WEBHOOKS).named(NAME))?["webhooks"].take();
    let url = format!("https://127.0.0.1:{port}/validate-no-usages");
    for webhook in webhooks.as_array_mut().into_iter().flatten() {
        webhook["clientConfig"] = json!({"url": url, "caBundle": encode(ca)});
    }
    administrator.patch(&[WEBHOOKS.plural, NAME], &json!({ "webhooks": webhooks }))
}

/// The folder where [`start`] writes the certificates of [`SERVER_SECRET`].
pub(crate) fn server_certificates(dir: &Path) -> PathBuf {
    dir.join("crossplane-server")
}

fn init(tools: &Tools, identity: &Kubectl) -> Command {
    let manifests = tools.sources.join("crossplane");
    let mut command = engine(tools, identity);
    command
        .args(["core", "init"])
        .arg("--cr-ds-path")
        .arg(manifests.join("crds"))
        .arg("--webhook-configurations-path")
        .arg(manifests.join("webhookconfigurations"))
        .arg("--tlsca-secret-name=crossplane-root-ca")
        .args(["--tls-client-secret-name", CLIENT_SECRET, "--tls-server-secret-name", SERVER_SECRET])
        .args(["--webhook-service-name=crossplane-webhooks", "--webhook-service-port=9443"])
        // It has no default activations, so the activation policies of our packages must be enough.
        .args(["--webhook-service-namespace", NAMESPACE]);
    command
}

fn engine(tools: &Tools, identity: &Kubectl) -> Command {
    let mut engine = Command::new(tools.path("crossplane-engine"));
    engine.env("KUBECONFIG", identity.kubeconfig());
    engine
}
