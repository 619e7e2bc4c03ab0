//! Limits that follow from the memory that the process may use: the largest request, the memory of calls and their number.

use crate::engine::Settings;
use crate::serving::memory;

const MB: u64 = 1 << 20;

/// What a process needs without calls, in bytes.
const REST: u64 = 64 * MB;
/// How often the bytes of a request are in the memory at once, outside of the instance: as it came, as messages, as JSON
/// text, and in the response.
const COPIES: u64 = 4;
/// What an instance needs at least, in bytes.
const INSTANCE: u64 = 8 * MB;

/// The flag for the memory of the process.
#[derive(clap::Args, Clone, Copy, Debug)]
pub struct ProcessMemory {
    /// Memory that this process may use, in MB (2^20 bytes); the limit of its cgroup, or what the machine has, when absent
    #[arg(long, value_name = "MB", value_parser = clap::value_parser!(u32).range(64..))]
    pub memory: Option<u32>,
}

impl ProcessMemory {
    /// The memory that this process may use, in bytes.
    pub(crate) fn bytes(self) -> u64 {
        self.memory.map_or_else(memory, |memory| u64::from(memory) * MB)
    }

    /// The limits of a process that serves so many modules.
    pub(crate) fn limits(self, modules: usize) -> Limits {
        Limits::of(self.bytes(), modules)
    }
}

/// Limits that follow from the memory of the process. Half of what there is for calls is for instances of modules, the other
/// half for requests and responses. Modules have equal parts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Limits {
    /// The largest request, in bytes.
    pub(crate) request: usize,
    /// The largest size of the requests of a module together whose calls run, in bytes.
    requests: usize,
    /// The largest memory of all instances of a module together, in bytes.
    instances: usize,
    /// The number of calls of a module at once.
    calls: usize,
    /// The largest memory of the process while a component is compiled, in bytes.
    compiler: u64,
}

impl Limits {
    fn of(memory: u64, modules: usize) -> Self {
        let room = memory.saturating_sub(REST).max(memory / 2);
        let part = room / 2 / u64::try_from(modules.max(1)).unwrap_or(u64::MAX);
        let size = |bytes: u64| usize::try_from(bytes).unwrap_or(usize::MAX);
        Self {
            request: size(part / COPIES),
            requests: size(part / COPIES),
            instances: size(part),
            calls: size(part / INSTANCE).max(2),
            compiler: memory / 4 * 3,
        }
    }

    /// The settings, where they are not above these limits.
    pub(crate) fn applied(self, settings: Settings) -> Settings {
        Settings {
            memory: settings.memory.min(self.instances),
            calls: settings.calls.min(self.calls),
            memory_of_all: settings.memory_of_all.min(self.instances),
            requests: settings.requests.min(self.requests),
            compile_memory: settings.compile_memory.min(self.compiler),
            ..settings
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_fit_into_the_memory() {
        for memory in [64, 128, 256, 512, 1024, 4096, 65_536] {
            for modules in [0, 1, 2, 16] {
                let limits = Limits::of(memory * MB, modules);
                let parts = u64::try_from(modules.max(1)).unwrap();
                let bytes = |size: usize| u64::try_from(size).unwrap() * parts;
                let all = bytes(limits.instances) + bytes(limits.requests) * COPIES;
                assert!(
                    all <= (memory * MB).saturating_sub(REST).max(memory * MB / 2),
                    "{memory} MB, {modules}: {limits:?}"
                );
                assert!(
                    limits.request <= limits.requests && limits.request >= 256 << 10,
                    "{memory} MB, {modules}: {limits:?}"
                );
                assert!(limits.calls >= 2, "{memory} MB, {modules}: {limits:?}");
            }
        }
    }

    /// The table of `docs/function.md`.
    #[test]
    fn of_pods() {
        //    limit  largest request, memory of a call, calls at once
        for (memory, expected) in [
            (128, (8, 32, 4)),
            (256, (24, 96, 12)),
            (512, (56, 224, 28)),
            (1024, (120, 480, 60)),
            (4096, (504, 2016, 252)),
        ] {
            let limits = Limits::of(memory * MB, 1);
            assert_eq!((limits.request >> 20, limits.instances >> 20, limits.calls), expected, "{memory} MB");
        }
    }

    #[test]
    fn settings_are_not_raised() {
        let limits = Limits::of(512 * MB, 1);
        let applied = limits.applied(Settings { memory: 10 << 20, ..Settings::default() });
        assert_eq!(applied.memory, 10 << 20);
        assert_eq!(limits.applied(Settings::default()).memory, 224 << 20);
    }
}
