//! `sailplane function`. With the External package runtime the tests have to run it.

use std::net::{Ipv4Addr, TcpListener};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use anyhow::{Context as _, Result, ensure};
use tests::artifacts::sailplane;
use tests::real::http::page;
use tests::real::processes::{Process, eventually, free_port};

/// The function, which can be ended and started again on the same ports. It needs no rights, so it has no kubeconfig.
pub(crate) struct Function {
    /// The port where Crossplane calls it.
    pub(crate) port: u16,
    health_port: u16,
    name: String,
    certificates: PathBuf,
    dir: PathBuf,
    process: Mutex<Option<Process>>,
}

impl Function {
    /// Starts the function with the certificates in `certificates`, and waits until it is ready. Its log is `NAME.log`.
    pub(crate) fn start(name: &str, certificates: &Path, dir: &Path) -> Result<Self> {
        let function = Self {
            port: free_port()?,
            health_port: free_port()?,
            name: name.to_owned(),
            certificates: certificates.to_owned(),
            dir: dir.to_owned(),
            process: Mutex::default(),
        };
        function.restart()?;
        Ok(function)
    }

    /// Starts the function again, on the same ports, and waits until it is ready.
    pub(crate) fn restart(&self) -> Result<()> {
        let address = |port: u16| format!("127.0.0.1:{port}");
        let mut serve = Command::new(sailplane());
        serve
            .args(["function", "--address", &address(self.port), "--tls-certs-dir"])
            .arg(&self.certificates)
            // With this flag the log has a line for each call.
            .args(["--debug", "--metrics-address=", "--health-address", &address(self.health_port)])
            .env("NO_COLOR", "1");
        *self.process() = Some(Process::start(&self.name, &mut serve, &self.dir)?);
        eventually("the function is ready", Duration::from_secs(60), || page(self.health_port, "/readyz"))?;
        Ok(())
    }

    /// Waits until Crossplane tries to connect to the function, which is not running, and closes the connection.
    pub(crate) fn missed(&self) -> Result<()> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, self.port))?;
        listener.set_nonblocking(true)?;
        eventually("Crossplane tries to call", Duration::from_secs(240), || Ok(listener.accept()?))?;
        Ok(())
    }

    /// Takes the running process, so that the caller can end it.
    pub(crate) fn take(&self) -> Result<Process> {
        self.process().take().context("the function does not run")
    }

    /// The number of calls for a composite that it has answered.
    pub(crate) fn calls(&self, namespace: &str, name: &str) -> Result<usize> {
        let log = std::fs::read_to_string(self.dir.join(format!("{}.log", self.name)))?;
        let subject = format!("namespace=\"{namespace}\" name=\"{name}\"");
        Ok(log.lines().filter(|line| line.contains("answered") && line.contains(&subject)).count())
    }

    /// Waits until it has answered this number of calls for a composite.
    pub(crate) fn called(&self, namespace: &str, name: &str, times: usize, limit: Duration) -> Result<()> {
        eventually(&format!("Crossplane calls {times} times for {namespace}/{name}"), limit, || {
            let calls = self.calls(namespace, name)?;
            ensure!(calls >= times, "it has called {calls} times");
            Ok(())
        })
    }

    fn process(&self) -> MutexGuard<'_, Option<Process>> {
        self.process.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
