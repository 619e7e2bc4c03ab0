//! How much clients may ask of a server, and for how long.

use std::fs;
use std::time::Duration;

/// The flags that limit clients.
#[derive(clap::Args, Clone, Copy, Debug)]
#[command(next_help_heading = "Clients")]
pub struct Clients {
    /// Most connections at once; fewer when the process may open only few files
    #[arg(long, default_value_t = 512, value_name = "COUNT", value_parser = clap::value_parser!(u16).range(1..))]
    pub max_connections: u16,

    /// Longest that a client may take for a handshake, to send a request, and to receive an answer, in seconds
    #[arg(long, default_value_t = 30, value_name = "SECONDS", value_parser = clap::value_parser!(u16).range(1..))]
    pub client_timeout: u16,

    /// Longest that a connection may be open without a request, in seconds
    #[arg(long, default_value_t = 300, value_name = "SECONDS", value_parser = clap::value_parser!(u16).range(1..))]
    pub idle_timeout: u16,
}

/// The bounds of the connections to a port.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Bounds {
    /// Most connections at once.
    pub(super) connections: usize,
    /// Longest time for a handshake with the first request, for the head or the body of a request, and for an answer.
    pub(super) patience: Duration,
    /// Longest time without a request.
    pub(super) idle: Duration,
    /// Most bytes that a connection with HTTP/2 may send before the server has read them.
    pub(super) window: u32,
}

/// Requests at once on a connection with HTTP/2. Further ones wait at the client.
pub(super) const STREAMS: u32 = 100;

/// Most connections to a port for metrics or probes.
const SIDE_CONNECTIONS: usize = 32;
/// The bytes that a connection may send unread: with fewer, HTTP/2 is slow; more make it no faster.
const WINDOW: std::ops::RangeInclusive<u64> = (64 << 10)..=(1 << 20);

impl Clients {
    /// The bounds of the port that the server is there for, when the process may use so many bytes of memory.
    pub(crate) fn bounds(&self, memory: u64) -> Bounds {
        self.bounds_of(main_and_side(open_files()).0.min(self.max_connections.into()), memory)
    }

    /// The bounds of a port for metrics or probes. It has connections of its own, so that nobody can keep a kubelet out.
    pub(crate) fn side_bounds(&self) -> Bounds {
        self.bounds_of(main_and_side(open_files()).1, 0) // what is asked there is small
    }

    /// The longest time for a handshake, for a request, and for an answer.
    pub(crate) fn patience(&self) -> Duration {
        Duration::from_secs(self.client_timeout.into())
    }

    fn bounds_of(&self, connections: usize, memory: u64) -> Bounds {
        let idle = Duration::from_secs(self.idle_timeout.into());
        Bounds { connections, patience: self.patience(), idle, window: window(memory, connections) }
    }
}

/// The window of a connection. All of them together take a 16th of the memory, or the least that each needs.
fn window(memory: u64, connections: usize) -> u32 {
    let share = memory / 16 / u64::try_from(connections).unwrap_or(u64::MAX).max(1);
    u32::try_from(share.clamp(*WINDOW.start(), *WINDOW.end())).unwrap_or(u32::MAX)
}

/// How many connections the main port and each other port may have, when the process may open so many files. Some files
/// are for everything else.
fn main_and_side(open_files: usize) -> (usize, usize) {
    let connections = open_files.saturating_sub((open_files / 4).clamp(32, 256)).max(3);
    let side = (connections / 8).clamp(1, SIDE_CONNECTIONS);
    (connections - 2 * side, side)
}

/// How many files the process may have open.
fn open_files() -> usize {
    /// Where the system does not say it: what systems allow at least.
    const UNKNOWN: usize = 256;
    fs::read_to_string("/proc/self/limits").map_or(UNKNOWN, |text| soft_limit(&text))
}

/// The soft limit in the line `Max open files            1024                 524288               files`.
fn soft_limit(text: &str) -> usize {
    let line = text.lines().find_map(|line| line.strip_prefix("Max open files"));
    let soft = line.and_then(|line| line.split_whitespace().next());
    soft.and_then(|soft| soft.parse().ok()).unwrap_or(usize::MAX) // `unlimited`
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_of_open_files() {
        //   may open    main, side
        for (files, expected) in
            [(0, (1, 1)), (64, (24, 4)), (256, (144, 24)), (1024, (704, 32)), (20_000, (19_680, 32))]
        {
            assert_eq!(main_and_side(files), expected, "{files}");
        }
        assert_eq!(soft_limit("Max processes 1 2\nMax open files            1024                 524288\n"), 1024);
        assert_eq!(soft_limit("Max open files            unlimited            unlimited\n"), usize::MAX);
        assert!(open_files() > 0);
    }

    #[test]
    fn windows() {
        //   memory      connections  bytes
        for (memory, connections, bytes) in
            [(64 << 20, 512, 64 << 10), (512 << 20, 128, 256 << 10), (24 << 30, 512, 1 << 20), (1 << 30, 0, 1 << 20)]
        {
            assert_eq!(window(memory, connections), bytes, "{memory}, {connections}");
        }
    }
}
