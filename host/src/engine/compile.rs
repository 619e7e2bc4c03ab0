//! Compiles a component within a limit of time and memory.

use std::path::Path;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Result, anyhow, bail};
use wasmtime::Engine;
use wasmtime::component::Component;

use super::instance::one_line;
use super::settings::{Settings, processors};

/// The most time of processors that a compilation may take.
const MOST_WORK: Duration = Duration::from_secs(120);
/// The longest time of a compilation, on however busy a machine.
const LONGEST: Duration = Duration::from_secs(600);
/// How often its limits are checked.
const LOOK_EVERY: Duration = Duration::from_millis(2);

/// The memory that a compilation may take, in bytes: of any component, for each byte of it, and for each further processor
/// that compiles functions. Compiled programs take up to three quarters of it.
const MEMORY: u64 = 128 << 20;
const MEMORY_PER_BYTE: u64 = 64;
const MEMORY_PER_PROCESSOR: u64 = 32 << 20;

/// Compiles a component within the memory that the settings allow.
///
/// # Errors
/// When it is not valid, and when its compilation exceeds a limit. It cannot be interrupted and goes on until the process
/// ends, so a process that cannot load a module should end.
pub(super) fn compile(engine: &Engine, component: Vec<u8>, settings: &Settings) -> Result<Component> {
    let (begun, before) = (Instant::now(), Process::now());
    let most = most_memory(component.len(), processors());
    let memory = if settings.alone { before.memory.saturating_add(most) } else { u64::MAX };
    let memory = memory.min(settings.compile_memory);
    let (sender, done) = mpsc::channel();
    let engine = engine.clone();
    thread::Builder::new().name("compile".to_owned()).spawn(move || {
        // The receiver is gone when a limit was exceeded.
        let _ = sender.send(Component::new(&engine, component));
    })?;
    loop {
        let now = Process::now();
        match done.recv_timeout(LOOK_EVERY) {
            Ok(compiled) => return compiled.map_err(|error| anyhow!(one_line(&error))),
            Err(RecvTimeoutError::Disconnected) => bail!("the compiler panicked"),
            Err(RecvTimeoutError::Timeout) if now.worked - before.worked > MOST_WORK || begun.elapsed() > LONGEST => {
                bail!("its compilation takes more than {} s of a processor", MOST_WORK.as_secs());
            }
            Err(RecvTimeoutError::Timeout) if now.memory > memory => {
                bail!("its compilation takes more than {} MB of memory", memory >> 20);
            }
            Err(RecvTimeoutError::Timeout) => {}
        }
    }
}

/// The most memory that the compilation of a component of so many bytes may take on so many processors.
fn most_memory(bytes: usize, processors: usize) -> u64 {
    let count = |number: usize| u64::try_from(number).unwrap_or(u64::MAX);
    let processors = count(processors.saturating_sub(2)).saturating_mul(MEMORY_PER_PROCESSOR);
    MEMORY.saturating_add(count(bytes).saturating_mul(MEMORY_PER_BYTE)).saturating_add(processors)
}

/// What the process has used. 0 where the system does not say it.
struct Process {
    /// The time of processors.
    worked: Duration,
    /// The resident memory, in bytes.
    memory: u64,
}

impl Process {
    fn now() -> Self {
        let read = |file: &str| std::fs::read_to_string(Path::new("/proc/self").join(file)).unwrap_or_default();
        let (status, stat) = (read("status"), read("stat"));
        let kilobytes = status.lines().find_map(|line| line.strip_prefix("VmRSS:")?.trim().strip_suffix(" kB"));
        // The fields after the name, which is in parentheses. Linux counts in hundredths of a second, whatever the machine.
        let fields = stat.rsplit(')').next().unwrap_or_default().split_whitespace().skip(11).take(2);
        let hundredths: u64 = fields.filter_map(|field| field.parse::<u64>().ok()).sum();
        Self {
            worked: Duration::from_millis(hundredths * 10),
            memory: kilobytes.and_then(|count| count.parse::<u64>().ok()).unwrap_or_default() << 10,
        }
    }
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    #[test]
    fn linux_says_what_the_process_has_used() {
        let (begun, before) = (Instant::now(), Process::now().worked);
        while Process::now().worked - before < Duration::from_millis(30) {
            assert!(begun.elapsed() < Duration::from_secs(60), "it works all the time");
        }
        assert!(Process::now().memory > 1 << 20);
    }

    #[test]
    fn a_limit_ends_the_wait() {
        let engine = Engine::default();
        let component = include_bytes!(concat!(env!("OUT_DIR"), "/component.wasm")).to_vec();
        let settings = Settings { compile_memory: 1 << 20, ..Settings::default() };
        let error = compile(&engine, component, &settings).unwrap_err().to_string();
        assert_eq!(error, "its compilation takes more than 1 MB of memory");
    }

    #[test]
    fn memory_follows_the_size() {
        //                               bytes      processors  MB
        for (bytes, processors, megabytes) in
            [(0, 1, 128), (1 << 20, 2, 192), (1 << 20, 4, 256), (4 << 20, 2, 384), (64 << 20, 64, 6_208)]
        {
            assert_eq!(most_memory(bytes, processors), megabytes << 20, "{bytes} bytes, {processors} processors");
        }
    }
}
