//! The flags of `sailplane admission`.

use std::net::SocketAddr;
use std::path::PathBuf;
use std::time::Duration;

use clap::builder::{OsStringValueParser, TypedValueParser as _};

use super::mode::Mode;
use crate::engine::Settings;
use crate::limits::{Limits, ProcessMemory};
use crate::modules::Modules;
use crate::serving::{Budget, Clients, Monitoring, address};

/// Serve as admission webhooks
///
/// Judges objects before an API server stores them: /validate refuses what is wrong, /mutate writes defaults for
/// people to see. A mode at the end of the path, as in /validate/warn, stands above --mode.
#[derive(clap::Args, Clone, Debug)]
#[command(after_long_help = "\
Examples:
  Judge on this machine, without a cluster
    sailplane admission --insecure --no-lookups --address 127.0.0.1:9443
  Serve in a cluster with a certificate of one's own
    sailplane admission --tls-certs-dir /tls --options /options/options.yaml")]
pub struct AdmissionArgs {
    /// Log every review
    #[arg(short, long)]
    pub debug: bool,

    /// What follows when something is wrong
    #[arg(long, default_value = "enforce")]
    pub mode: Mode,

    /// File with the platform's options, as a pipeline step's input has them; read again when it changes
    #[arg(long, value_name = "FILE")]
    pub options: Option<PathBuf>,

    /// Judge each object by itself: do not look whether what it refers to exists, or what others claim
    #[arg(long)]
    pub no_lookups: bool,

    /// Where to serve the webhooks
    #[arg(long, default_value = ":9443", value_name = "[HOST]:PORT", value_parser = address)]
    pub address: SocketAddr,

    /// Where to serve metrics and probes.
    #[command(flatten)]
    pub monitoring: Monitoring,

    /// The server's certificates.
    #[command(flatten)]
    pub certificates: Certificates,

    /// The limits of reviews.
    #[command(flatten)]
    pub limits: ReviewLimits,

    /// What limits all reviews together.
    #[command(flatten)]
    pub memory: ProcessMemory,

    /// The limits of clients.
    #[command(flatten)]
    pub clients: Clients,

    #[command(flatten)]
    pub(crate) modules: Modules,
}

/// The flags of the server's certificates.
#[derive(clap::Args, Clone, Debug)]
#[command(next_help_heading = "Certificates")]
pub struct Certificates {
    /// Serve without TLS, whatever certificates are given
    #[arg(long)]
    pub insecure: bool,

    /// Directory with tls.crt and tls.key; read again when they change
    #[arg(long, env = "TLS_SERVER_CERTS_DIR", value_name = "DIR", value_parser = OsStringValueParser::new().map(PathBuf::from))]
    pub tls_certs_dir: Option<PathBuf>,
}

impl Certificates {
    /// The directory with the certificates. An empty variable counts as not set.
    pub(super) fn dir(&self) -> Option<PathBuf> {
        self.tls_certs_dir.clone().filter(|dir| !dir.as_os_str().is_empty())
    }
}

/// The flags that limit reviews.
#[derive(clap::Args, Clone, Debug)]
#[command(next_help_heading = "Limits")]
pub struct ReviewLimits {
    /// Longest that a review may take, in seconds. The deadline that an API server states counts too
    #[arg(long, default_value_t = 4, value_name = "SECONDS", value_parser = clap::value_parser!(u16).range(1..=30))]
    pub timeout: u16,

    /// Most reviews at once of the kinds of one module; further ones wait for their turn
    #[arg(long, default_value_t = 64, value_name = "COUNT", value_parser = clap::value_parser!(u16).range(1..))]
    pub max_reviews: u16,

    /// Largest review to accept, in MB (2^20 bytes); less when the memory of the process does not allow it
    #[arg(long, default_value_t = 8, value_name = "MB", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub max_body: u16,

    /// Most memory for the bytes of reviews together, in MB (2^20 bytes). By default a 32nd of the memory that the process
    /// may use, and always enough for the largest review
    #[arg(long, value_name = "MB", value_parser = clap::value_parser!(u32).range(1..))]
    pub request_memory: Option<u32>,

    /// Most memory that a module may use for a call, in MB (2^20 bytes); less when the memory of the process does not allow it
    #[arg(long, default_value_t = 256, value_name = "MB", value_parser = clap::value_parser!(u16).range(1..=4096))]
    pub call_memory: u16,

    /// How long to go on accepting reviews once told to stop, in seconds: endpoints are forgotten slowly
    #[arg(long, default_value_t = 5, value_name = "SECONDS")]
    pub shutdown_delay: u16,
}

impl AdmissionArgs {
    /// The settings of the engine.
    pub(super) fn settings(&self) -> Settings {
        self.memory_limits().applied(Settings {
            memory: usize::from(self.limits.call_memory) << 20,
            deadline: self.limits.timeout(),
            calls: self.limits.max_reviews.into(),
            ..Settings::default()
        })
    }

    fn memory_limits(&self) -> Limits {
        self.memory.limits(self.modules.count())
    }

    /// The largest review, in bytes.
    pub(super) fn max_bytes(&self) -> usize {
        (usize::from(self.limits.max_body) << 20).min(self.memory_limits().request)
    }

    /// The bytes of reviews together. A review takes many times as much memory while it is judged.
    pub(super) fn budget(&self) -> Budget {
        let bytes = self.limits.request_memory.map_or_else(|| self.memory.bytes() / 32, |mb| u64::from(mb) << 20);
        Budget::new(bytes, self.max_bytes())
    }
}

impl ReviewLimits {
    /// The longest time of a review.
    pub(super) fn timeout(&self) -> Duration {
        Duration::from_secs(self.timeout.into())
    }
}

#[cfg(test)]
mod tests {
    use clap::{Args as _, Command, FromArgMatches as _};

    use super::*;

    #[test]
    fn the_largest_review_follows_from_the_memory() {
        for (flags, most) in [
            (&["--memory=64"][..], 4),
            (&["--memory=128"], 8),
            (&["--memory=4096"], 8),
            (&["--memory=4096", "--max-body=100"], 100),
            (&["--memory=128", "--max-body=100"], 8),
        ] {
            let command = AdmissionArgs::augment_args(Command::new("admission").no_binary_name(true));
            let args = AdmissionArgs::from_arg_matches(&command.try_get_matches_from(flags).unwrap()).unwrap();
            assert_eq!(args.max_bytes() >> 20, most, "{flags:?}");
        }
    }
}
