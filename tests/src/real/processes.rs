//! Child processes, which end with the test, and functions that wait.

use std::fmt::Write as _;
use std::fs::{self, File};
use std::io::Write as _;
use std::net::TcpListener;
use std::path::Path;
use std::process::{Child, Command, ExitCode, Output, Stdio};
use std::sync::LazyLock;
use std::sync::atomic::{AtomicU32, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, bail};

/// A running child process. It is killed when it is dropped, so it ends with the test, also after a panic.
pub struct Process {
    name: String,
    child: Child,
}

impl Process {
    /// Starts `command`, with its output in `NAME.log` under `dir`.
    pub fn start(name: &str, command: &mut Command, dir: &Path) -> Result<Self> {
        let output = File::options().create(true).append(true).open(dir.join(format!("{name}.log")))?;
        let child = command
            .stdin(Stdio::null())
            .stderr(output.try_clone()?)
            .stdout(output)
            // Servers in Go spend a fifth of their CPU time on memory that this machine has enough of.
            .env("GOGC", "400")
            .env("GOMEMLIMIT", "2GiB")
            .spawn()
            .with_context(|| format!("cannot start {name}: {command:?}"))?;
        Ok(Self { name: name.to_owned(), child })
    }

    /// The process ID.
    pub fn id(&self) -> u32 {
        self.child.id()
    }

    /// Whether the process has ended by itself.
    ///
    /// # Errors
    /// When the system does not say.
    pub fn has_ended(&mut self) -> Result<bool> {
        Ok(self.child.try_wait()?.is_some())
    }

    /// Ends the process as the kubelet does, and waits for its end.
    pub fn terminate(mut self) -> Result<()> {
        run(Command::new("kill").args(["-TERM", &self.child.id().to_string()]))?;
        eventually(&format!("{} ends on SIGTERM", self.name), Duration::from_secs(30), || {
            self.child.try_wait()?.context("it is still running")
        })?;
        Ok(())
    }

    /// Kills the process.
    pub fn kill(self) {
        drop(self);
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        // A graceful shutdown of an API server takes up to a minute, and is not needed.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Runs `command` and returns its output. When the command fails, the error has the output.
pub fn run(command: &mut Command) -> Result<String> {
    let output = command.stdin(Stdio::null()).output().with_context(|| format!("cannot run {command:?}"))?;
    printed(command, &output)
}

/// Like [`run`], with `input` on stdin.
pub fn run_with_input(command: &mut Command, input: &str) -> Result<String> {
    let mut child = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .with_context(|| format!("cannot run {command:?}"))?;
    child.stdin.take().context("stdin is piped")?.write_all(input.as_bytes())?;
    let output = child.wait_with_output()?;
    printed(command, &output)
}

/// Makes `dir` an empty folder.
pub fn empty(dir: &Path) -> Result<()> {
    if dir.exists() {
        fs::remove_dir_all(dir)?;
    }
    Ok(fs::create_dir_all(dir)?)
}

/// The last lines of every log in `dir`.
pub fn logs(dir: &Path) -> Result<String> {
    const LINES: usize = 25;
    let mut report = String::new();
    for file in fs::read_dir(dir)? {
        let file = file?.path();
        if file.extension().is_some_and(|extension| extension == "log") {
            let log = fs::read_to_string(&file)?;
            let lines: Vec<_> = log.lines().collect();
            let tail = lines[lines.len().saturating_sub(LINES)..].join("\n  ");
            write!(report, "\n--- {}\n  {tail}", file.display())?;
        }
    }
    Ok(report)
}

/// How a suite ends. The causes of a failure are the last that it prints: of a long log, people often see the end only.
pub fn end(outcome: Result<()>) -> ExitCode {
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            progress(&format!("failed: {error:#}"));
            ExitCode::FAILURE
        }
    }
}

/// Repeats `attempt` until it succeeds, and returns its result. After `limit`, fails with the last error.
pub fn eventually<T>(what: &str, limit: Duration, mut attempt: impl FnMut() -> Result<T>) -> Result<T> {
    let start = Instant::now();
    loop {
        match attempt() {
            Ok(value) => return Ok(value),
            Err(error) if start.elapsed() > limit => {
                return Err(error.context(format!("not within {} s: {what}", limit.as_secs())));
            }
            Err(_) => thread::sleep(Duration::from_millis(300)),
        }
    }
}

/// A free TCP port on loopback, below those that the kernel gives to connections. One of its own ports could go to a
/// connection before the server listens, or while it starts again, even to one that asks for this very port.
pub fn free_port() -> Result<u16> {
    const FIRST: u32 = 10_000;
    const PORTS: u32 = 22_768;
    // Tests that run at the same time start at different ones.
    static NEXT: LazyLock<AtomicU32> = LazyLock::new(|| AtomicU32::new(std::process::id().wrapping_mul(101)));
    let next = || FIRST + NEXT.fetch_add(1, Ordering::Relaxed) % PORTS;
    let free = |port: &u16| TcpListener::bind(("127.0.0.1", *port)).is_ok();
    let mut ports = (0..PORTS).filter_map(|_| u16::try_from(next()).ok());
    ports.find(free).context("every port is taken")
}

/// Prints a line with the seconds since the start of the test. The test harness does not capture it, because these
/// tests take minutes.
pub fn progress(what: &str) {
    static START: LazyLock<Instant> = LazyLock::new(Instant::now);
    let _ = writeln!(std::io::stderr(), "[{:6.1} s] {what}", START.elapsed().as_secs_f64());
}

fn printed(command: &Command, output: &Output) -> Result<String> {
    if !output.status.success() {
        // chainsaw prints its errors to stdout.
        let said = [&*output.stderr, &*output.stdout].map(String::from_utf8_lossy).concat();
        bail!("{command:?}: {}: {}", output.status, said.trim());
    }
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}
