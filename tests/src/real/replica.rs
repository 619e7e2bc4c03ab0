//! A process of `sailplane admission`.

use std::path::Path;
use std::process::Command;
use std::time::Duration;

use anyhow::{Context as _, Result};

use super::http::page;
use super::processes::{Process, eventually, free_port};
use crate::artifacts::sailplane;

/// A running replica.
pub struct Replica {
    /// The port for reviews.
    pub port: u16,
    health_port: u16,
    metrics_port: u16,
    process: Process,
}

impl Replica {
    /// Starts a replica and waits until it is ready.
    pub fn start(certificates: &Path, kubeconfig: &Path, dir: &Path, arguments: &[&str]) -> Result<Self> {
        let (port, health_port, metrics_port) = (free_port()?, free_port()?, free_port()?);
        let address = |port: u16| format!("127.0.0.1:{port}");
        let mut serve = Command::new(sailplane());
        serve
            .args(["admission", "--address", &address(port), "--tls-certs-dir"])
            .arg(certificates)
            .args(["--metrics-address", &address(metrics_port), "--health-address", &address(health_port)])
            .args(arguments)
            .env("KUBECONFIG", kubeconfig);
        let process = Process::start(&format!("sailplane-{port}"), &mut serve, dir)?;
        let replica = Self { port, health_port, metrics_port, process };
        // A replica that may not read objects waits for half a minute before it is ready without them.
        eventually("the replica is ready", Duration::from_secs(60), || page(replica.health_port, "/readyz"))?;
        Ok(replica)
    }

    /// Its metrics.
    pub fn metrics(&self) -> Result<String> {
        page(self.metrics_port, "/metrics")
    }

    /// Its resident memory in megabytes.
    pub fn resident(&self) -> Result<f64> {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.process.id()))?;
        let line = status.lines().find(|line| line.starts_with("VmRSS:")).context("no VmRSS")?;
        let kilobytes: f64 = line.split_whitespace().nth(1).context("no figure")?.parse()?;
        Ok(kilobytes * 1024.0 / 1e6)
    }

    /// Ends the replica as the kubelet does.
    pub fn terminate(self) -> Result<()> {
        self.process.terminate()
    }

    /// Kills the replica.
    pub fn kill(self) {
        self.process.kill();
    }
}
