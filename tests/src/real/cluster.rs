//! A cluster without nodes: etcd, kube-apiserver, and the controller manager for garbage collection.

use std::fs;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

use anyhow::{Result, ensure};
use rcgen::KeyPair;

use super::http::TlsClient;
use super::kubeconfig;
use super::kubectl::Kubectl;
use super::processes::{Process, eventually, free_port};
use super::tools::Tools;

/// The name of the API server's process.
const API_SERVER: &str = "kube-apiserver";

/// The bearer token of the cluster administrator.
pub const TOKEN: &str = "e2e";

/// The path of the API server's self-signed certificate in the cluster's folder.
pub const CERTIFICATE: &str = "kube-apiserver/apiserver.crt";

/// The controllers that the tests need: for deletions, namespaces, ServiceAccounts and aggregated roles.
const CONTROLLERS: &[&str] = &[
    "garbage-collector-controller",
    "namespace-controller",
    "serviceaccount-controller",
    "clusterrole-aggregation-controller",
];

/// A running API server, empty at first.
pub struct Cluster {
    /// kubectl with the rights of the cluster administrator.
    pub kubectl: Kubectl,
    /// The processes in the order of shutdown: controller manager, API server, etcd.
    pub processes: Vec<Process>,
    /// The port of the API server.
    pub port: u16,
    /// The command that starts the API server.
    pub serve: Command,
    /// The address of etcd.
    pub etcd: String,
}

/// What a cluster has beside what all have.
#[derive(Clone, Copy, Default)]
pub struct Extras<'a> {
    /// The etcd of another cluster, which must outlive this one. Without it, the cluster gets its own.
    pub etcd: Option<&'a str>,
    /// Arguments of the API server.
    pub api_server: &'a [&'a str],
    /// Controllers.
    pub controllers: &'a [&'a str],
    /// Arguments of the controller manager.
    pub manager: &'a [&'a str],
}

impl Cluster {
    /// Starts etcd, the API server and the controller manager, with their state under `dir`. The API server gets the
    /// additional `arguments`.
    pub fn start(tools: &Tools, dir: &Path, arguments: &[&str]) -> Result<Self> {
        Self::start_with(tools, dir, Extras { api_server: arguments, ..Extras::default() })
    }

    /// Starts the same with `extras`.
    pub fn start_with(tools: &Tools, dir: &Path, extras: Extras<'_>) -> Result<Self> {
        // For all clients of it in this process. An error means that there is one already.
        let _ = rustls::crypto::aws_lc_rs::default_provider().install_default();
        let (etcd_url, etcd) = match extras.etcd {
            Some(url) => (url.to_owned(), None),
            None => start_etcd(tools, dir).map(|(url, process)| (url, Some(process)))?,
        };

        let port = free_port()?;
        let (key, public_key) = (dir.join("service-account.key"), dir.join("service-account.pub"));
        write_keys(&key, &public_key)?;
        let tokens = dir.join("tokens.csv");
        fs::write(&tokens, format!("{TOKEN},e2e,e2e,system:masters\n"))?;
        let mut serve = Command::new(tools.path("kube-apiserver"));
        serve
            .args(["--etcd-servers", &etcd_url, "--bind-address=127.0.0.1"])
            .args(["--secure-port", &port.to_string()])
            .arg("--cert-dir")
            .arg(dir.join("kube-apiserver"))
            .arg("--token-auth-file")
            .arg(&tokens)
            .args(["--authorization-mode=RBAC", "--service-cluster-ip-range=10.0.0.0/24"])
            .args(["--disable-admission-plugins=ServiceAccount", "--service-account-issuer=https://e2e"])
            // All clients are on this machine.
            .arg("--feature-gates=APIResponseCompression=false")
            .arg("--service-account-key-file")
            .arg(&public_key)
            .arg("--service-account-signing-key-file")
            .arg(&key)
            .args(extras.api_server);
        let api_server = Process::start(API_SERVER, &mut serve, dir)?;

        let kubectl = Kubectl::new(tools.path("kubectl"), dir.join("kubeconfig"));
        eventually("the API server is ready", Duration::from_secs(120), || {
            // It signs its own certificate.
            let ca = fs::read_to_string(dir.join(CERTIFICATE))?;
            let mut client = TlsClient::connect_tls(port, &ca, Some(TOKEN))?;
            let (status, answer, _) = client.exchange("GET", "/readyz", &[])?;
            ensure!(status == 200, "{}", String::from_utf8_lossy(&answer));
            kubeconfig::write(kubectl.kubeconfig(), port, &ca, TOKEN)
        })?;

        let controllers = [CONTROLLERS, extras.controllers].concat().join(",");
        let manager = Process::start(
            "kube-controller-manager",
            Command::new(tools.path("kube-controller-manager"))
                .arg("--kubeconfig")
                .arg(kubectl.kubeconfig())
                .arg(format!("--controllers={controllers}"))
                .args(["--leader-elect=false", "--secure-port=0"])
                // For tokens in Secrets.
                .arg("--service-account-private-key-file")
                .arg(&key)
                .args(extras.manager),
            dir,
        )?;
        let processes = [manager, api_server].into_iter().chain(etcd).collect();
        Ok(Self { kubectl, processes, port, serve, etcd: etcd_url })
    }

    /// Ends the API server as a lost machine does. What is in etcd stays.
    pub fn lose_api_server(&mut self) {
        drop(self.processes.remove(1));
    }

    /// Starts the API server again, with the same etcd and port, and waits until it is ready.
    pub fn start_api_server(&mut self, dir: &Path) -> Result<()> {
        self.processes.insert(1, Process::start(API_SERVER, &mut self.serve, dir)?);
        let ready = || self.kubectl.run(&["get", "--raw", "/readyz"]).map(drop);
        eventually("the API server is ready again", Duration::from_secs(120), ready)
    }
}

/// Starts etcd, with its state under `dir`. Returns its address too.
fn start_etcd(tools: &Tools, dir: &Path) -> Result<(String, Process)> {
    let address = || Ok::<_, anyhow::Error>(format!("http://127.0.0.1:{}", free_port()?));
    let (url, peers) = (address()?, address()?);
    let process = Process::start(
        "etcd",
        Command::new(tools.path("etcd"))
            .arg("--data-dir")
            .arg(dir.join("etcd"))
            .args(["--listen-client-urls", &url, "--advertise-client-urls", &url])
            .args(["--listen-peer-urls", &peers, "--initial-advertise-peer-urls", &peers])
            .args(["--initial-cluster", &format!("default={peers}")])
            .args(["--unsafe-no-fsync", "--log-level=warn"]),
        dir,
    )?;
    Ok((url, process))
}

/// Writes a new key pair to two files.
fn write_keys(private: &Path, public: &Path) -> Result<()> {
    let key = KeyPair::generate()?;
    fs::write(private, key.serialize_pem())?;
    fs::write(public, key.public_key_pem())?;
    Ok(())
}
