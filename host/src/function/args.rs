//! The flags of `sailplane function`.

use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::builder::{OsStringValueParser, TypedValueParser as _};

use super::server::RequestBounds;
use crate::engine::Settings;
use crate::limits::{Limits, ProcessMemory};
use crate::modules::Modules;
use crate::serving::{Budget, Clients, Monitoring, address};

/// Serve as a Crossplane composition function
///
/// The entry point of the function's container. Crossplane calls it over gRPC, with mutual TLS.
#[derive(clap::Args, Clone, Debug)]
#[command(after_long_help = "\
Example: serve on this machine, for `crossplane render` with a Function whose runtime is `Development`
  sailplane function --insecure --address 127.0.0.1:9443")]
pub struct FunctionArgs {
    /// Log every call
    #[arg(short, long)]
    pub debug: bool,

    /// Serve without TLS, whatever certificates are given
    #[arg(long)]
    pub insecure: bool,

    /// Directory with tls.crt, tls.key and ca.crt; clients must have a certificate of that authority
    #[arg(long, env = "TLS_SERVER_CERTS_DIR", value_name = "DIR", value_parser = OsStringValueParser::new().map(PathBuf::from))]
    pub tls_certs_dir: Option<PathBuf>,

    /// Where to serve gRPC
    #[arg(long, default_value = ":9443", value_name = "[HOST]:PORT", value_parser = address)]
    pub address: SocketAddr,

    /// Where to serve metrics and probes.
    #[command(flatten)]
    pub monitoring: Monitoring,

    /// Largest request to accept, in MB (2^20 bytes); less when the memory of the process does not allow it
    #[arg(long, env = "MAX_RECV_MESSAGE_SIZE", default_value_t = 64, value_name = "MB", value_parser = clap::value_parser!(u16).range(1..))]
    pub max_recv_message_size: u16,

    /// Longest that a module may take for a call, in seconds
    #[arg(long, default_value_t = 10, value_name = "SECONDS", value_parser = clap::value_parser!(u16).range(1..))]
    pub call_timeout: u16,

    /// Most memory that a module may use for a call, in MB (2^20 bytes); less when the memory of the process does not allow it
    #[arg(long, default_value_t = 1024, value_name = "MB", value_parser = clap::value_parser!(u16).range(1..=4096))]
    pub call_memory: u16,

    /// Most memory for the bytes of requests together, in MB (2^20 bytes). By default an eighth of the memory that the
    /// process may use, and always enough for the largest request
    #[arg(long, value_name = "MB", value_parser = clap::value_parser!(u32).range(1..))]
    pub request_memory: Option<u32>,

    /// What limits all calls together.
    #[command(flatten)]
    pub memory: ProcessMemory,

    /// The limits of clients.
    #[command(flatten)]
    pub clients: Clients,

    #[command(flatten)]
    pub(crate) modules: Modules,
}

impl FunctionArgs {
    /// The settings of the engine.
    pub(super) fn settings(&self) -> Settings {
        self.limits().applied(Settings {
            memory: usize::from(self.call_memory) << 20,
            deadline: self.call_timeout(),
            ..Settings::default()
        })
    }

    fn limits(&self) -> Limits {
        self.memory.limits(self.modules.count())
    }

    /// The largest request, in bytes.
    pub(super) fn max_request(&self) -> usize {
        (usize::from(self.max_recv_message_size) << 20).min(self.limits().request)
    }

    /// The directory with the certificates. An empty variable counts as not set.
    pub(super) fn certificates(&self) -> Option<&Path> {
        self.tls_certs_dir.as_deref().filter(|dir| !dir.as_os_str().is_empty())
    }

    /// The longest time of a call.
    pub(super) fn call_timeout(&self) -> Duration {
        Duration::from_secs(self.call_timeout.into())
    }

    /// The bounds of requests.
    pub(super) fn request_bounds(&self) -> RequestBounds {
        let most = self.max_request();
        let bytes = self.request_memory.map_or_else(|| self.memory.bytes() / 8, |mb| u64::from(mb) << 20);
        RequestBounds { most, patience: self.clients.patience(), budget: Budget::new(bytes, most) }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Instant;

    use clap::{Args as _, Command, FromArgMatches as _};

    use super::*;

    #[tokio::test]
    async fn one_flag_states_the_memory_for_all() {
        //    flags                                           MB: largest request, bytes of large requests together
        for (flags, most, together) in [
            (&["--memory=128"][..], 8, 12),
            (&["--memory=512"], 56, 56),
            (&["--memory=1024"], 64, 96),
            (&["--memory=1024", "--max-recv-message-size=4"], 4, 96),
            (&["--memory=128", "--request-memory=400"], 8, 300),
        ] {
            let command = FunctionArgs::augment_args(Command::new("function").no_binary_name(true));
            let args = FunctionArgs::from_arg_matches(&command.try_get_matches_from(flags).unwrap()).unwrap();
            let RequestBounds { most: found, budget, .. } = args.request_bounds();
            assert_eq!(found >> 20, most, "{flags:?}");
            let mut held = budget.share(None);
            let now = Instant::now().into();
            assert!(held.grow(together << 20, now).await.is_ok(), "{flags:?}");
            assert!(held.grow(1, now).await.is_err(), "{flags:?}");
        }
    }
}
