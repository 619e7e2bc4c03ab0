//! `sailplane function`, which the External package runtime leaves to us to run.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use anyhow::{Context as _, Result};
use tests::artifacts::sailplane;
use tests::real::http::page;
use tests::real::processes::{Process, eventually, free_port};

/// The function, which can be ended and started again where it was.
pub(crate) struct Function {
    /// Where Crossplane calls it.
    pub(crate) port: u16,
    metrics_port: u16,
    health_port: u16,
    certificates: PathBuf,
    dir: PathBuf,
    process: Option<Process>,
}

impl Function {
    /// Starts the function with the certificates in `certificates`, and waits until it is ready.
    pub(crate) fn start(certificates: &Path, dir: &Path) -> Result<Self> {
        let mut function = Self {
            port: free_port()?,
            metrics_port: free_port()?,
            health_port: free_port()?,
            certificates: certificates.to_owned(),
            dir: dir.to_owned(),
            process: None,
        };
        function.restart()?;
        Ok(function)
    }

    /// Starts the function again, on the same ports, and waits until it is ready.
    pub(crate) fn restart(&mut self) -> Result<()> {
        let address = |port: u16| format!("127.0.0.1:{port}");
        let mut serve = Command::new(sailplane());
        serve
            .args(["function", "--address", &address(self.port), "--tls-certs-dir"])
            .arg(&self.certificates)
            .args(["--metrics-address", &address(self.metrics_port)])
            .args(["--health-address", &address(self.health_port)]);
        self.process = Some(Process::start("sailplane", &mut serve, &self.dir)?);
        eventually("the function is ready", Duration::from_secs(20), || page(self.health_port, "/readyz"))?;
        Ok(())
    }

    /// The running process, to be ended.
    pub(crate) fn take(&mut self) -> Result<Process> {
        self.process.take().context("the function does not run")
    }

    /// How many times Crossplane has called it since it started.
    pub(crate) fn calls(&self) -> Result<u64> {
        let metrics = page(self.metrics_port, "/metrics")?;
        let handled =
            metrics.lines().filter(|l| l.starts_with("grpc_server_handled_total{") && l.contains("RunFunction"));
        let counts = handled.filter_map(|line| line.rsplit(' ').next()?.parse::<f64>().ok());
        Ok(counts.sum::<f64>() as u64)
    }
}
