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
pub const API_SERVER: &str = "kube-apiserver";

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
}

impl Cluster {
    /// Starts etcd, the API server and the controller manager, with their state under `dir`. The API server gets the
    /// additional `arguments`.
    pub fn start(tools: &Tools, dir: &Path, arguments: &[&str]) -> Result<Self> {
        // For all clients of it in this process. An error means that there is one already.
        let _ = rustls::crypto::aws_lc_rs::default_provider().install_default();
        let (etcd_port, peer_port, port) = (free_port()?, free_port()?, free_port()?);
        let etcd_url = format!("http://127.0.0.1:{etcd_port}");
        let peer_url = format!("http://127.0.0.1:{peer_port}");
        let etcd = Process::start(
            "etcd",
            Command::new(tools.path("etcd"))
                .arg("--data-dir")
                .arg(dir.join("etcd"))
                .args(["--listen-client-urls", &etcd_url, "--advertise-client-urls", &etcd_url])
                .args(["--listen-peer-urls", &peer_url, "--initial-advertise-peer-urls", &peer_url])
                .args(["--initial-cluster", &format!("default={peer_url}")])
                .args(["--unsafe-no-fsync", "--log-level=warn"]),
            dir,
        )?;

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
            .arg("--service-account-key-file")
            .arg(&public_key)
            .arg("--service-account-signing-key-file")
            .arg(&key)
            .args(arguments);
        let api_server = Process::start(API_SERVER, &mut serve, dir)?;

        let kubectl = Kubectl::new(tools.path("kubectl"), dir.join("kubeconfig"));
        eventually("the API server is ready", Duration::from_secs(60), || {
            // It signs its own certificate.
            let ca = fs::read_to_string(dir.join(CERTIFICATE))?;
            let mut client = TlsClient::connect_tls(port, &ca, Some(TOKEN))?;
            let (status, answer, _) = client.exchange("GET", "/readyz", &[])?;
            ensure!(status == 200, "{}", String::from_utf8_lossy(&answer));
            kubeconfig::write(kubectl.kubeconfig(), port, &ca, TOKEN)
        })?;

        let controllers = Process::start(
            "kube-controller-manager",
            Command::new(tools.path("kube-controller-manager"))
                .arg("--kubeconfig")
                .arg(kubectl.kubeconfig())
                .arg(format!("--controllers={}", CONTROLLERS.join(",")))
                .args(["--leader-elect=false", "--secure-port=0"]),
            dir,
        )?;
        Ok(Self { kubectl, processes: vec![controllers, api_server, etcd], port, serve })
    }
}

/// Writes a new key pair to two files.
fn write_keys(private: &Path, public: &Path) -> Result<()> {
    let key = KeyPair::generate()?;
    fs::write(private, key.serialize_pem())?;
    fs::write(public, key.public_key_pem())?;
    Ok(())
}
