//! The API server, and connections to it.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Mutex;
use std::thread;
use std::time::Duration;

use anyhow::Result;

use super::cluster::{CERTIFICATE, Cluster, TOKEN};
use super::http::{HttpClient, TlsClient};
use super::kubectl::Kubectl;
use super::processes::{Process, eventually, free_port};
use super::tools::Tools;

/// The number of parallel requests.
const CONNECTIONS: usize = 8;
const SOON: Duration = Duration::from_secs(60);

/// An empty API server.
pub struct RealApiServer {
    port: u16,
    /// It ends before the cluster.
    _proxy: Process,
    cluster: Cluster,
    dir: PathBuf,
}

impl RealApiServer {
    /// Starts the API server with additional arguments.
    pub fn start(tools: &Tools, dir: &Path, arguments: &[&str]) -> Result<Self> {
        let cluster = Cluster::start(tools, dir, arguments)?;
        let port = free_port()?;
        let mut proxy = Command::new(tools.path("kubectl"));
        proxy.arg("--kubeconfig").arg(cluster.kubectl.kubeconfig()).args(["proxy", "--port", &port.to_string()]);
        let proxy = Process::start("kubectl-proxy", &mut proxy, dir)?;
        let server = Self { port, _proxy: proxy, cluster, dir: dir.to_owned() };
        eventually("the proxy answers", SOON, || server.client()?.send("GET", "/version", None).map(drop))?;
        Ok(server)
    }

    /// kubectl with the rights of the cluster administrator.
    pub fn kubectl(&self) -> &Kubectl {
        &self.cluster.kubectl
    }

    /// Kills the API server, and starts it again with the same etcd.
    pub fn restart(&mut self) -> Result<()> {
        self.cluster.lose_api_server();
        self.cluster.start_api_server(&self.dir)
    }

    /// A new connection.
    pub fn client(&self) -> Result<HttpClient> {
        HttpClient::connect(self.port)
    }

    /// A new connection without the proxy.
    pub fn direct(&self) -> Result<TlsClient> {
        let roots = std::fs::read_to_string(self.dir.join(CERTIFICATE))?;
        TlsClient::connect_tls(self.cluster.port, &roots, Some(TOKEN))
    }

    /// Calls `act` for each item, over several connections. The results are in the order of the items.
    pub fn parallel<T: Sync, R: Send>(
        &self,
        items: &[T],
        act: impl Fn(&mut HttpClient, usize, &T) -> Result<R> + Sync,
    ) -> Result<Vec<R>> {
        let next = Mutex::new(items.iter().enumerate());
        let results = Mutex::new(Vec::with_capacity(items.len()));
        thread::scope(|scope| -> Result<()> {
            let worker = || -> Result<()> {
                let mut client = self.client()?;
                loop {
                    let item = next.lock().expect("no panic").next();
                    let Some((index, item)) = item else { return Ok(()) };
                    let result = act(&mut client, index, item)?;
                    results.lock().expect("no panic").push((index, result));
                }
            };
            let workers: Vec<_> = (0..CONNECTIONS).map(|_| scope.spawn(worker)).collect();
            workers.into_iter().try_for_each(|worker| worker.join().expect("no panic"))
        })?;
        let mut results = results.into_inner().expect("no panic");
        results.sort_by_key(|(index, _)| *index);
        Ok(results.into_iter().map(|(_, result)| result).collect())
    }
}
