//! The log of servers: lines on standard error.
//!
//! Records say who and where, never what: they have names of objects, paths of fields and reasons. Values of objects and
//! options are only in what is sent to their author.

use std::io::{self, IsTerminal as _};
use std::panic;

use tracing::Subscriber;
use tracing_subscriber::filter::{LevelFilter, ParseError, Targets};
use tracing_subscriber::layer::SubscriberExt as _;

/// Crates that say too much for people who look for errors of ours, such as each frame of a connection.
const QUIET: [&str; 7] = ["h2", "hyper", "hyper_util", "kube_client", "rustls", "tonic", "tower"];

/// Starts the log. With `debug` it is plain text with the records of the level DEBUG, else JSON. The variable `RUST_LOG`
/// stands above the levels. Records of the crate `log` are left out, since they name source files.
pub(crate) fn start(debug: bool) {
    let (filter, ignored) = filter(debug, std::env::var("RUST_LOG").ok().as_deref());
    // Terminals understand colours; files and pipes do not. The variable NO_COLOR is heeded too.
    let lines = tracing_subscriber::fmt().with_max_level(LevelFilter::TRACE).with_writer(io::stderr);
    if debug {
        let colours = io::stderr().is_terminal() && std::env::var_os("NO_COLOR").is_none();
        set(lines.with_ansi(colours).finish().with(filter));
    } else {
        set(lines.json().finish().with(filter));
    }
    if let Some(error) = ignored {
        tracing::warn!(%error, "RUST_LOG is ignored: it takes levels, and a level for each target");
    }
    panic::set_hook(Box::new(|panicked| {
        let place = panicked.location().map(|place| format!("{}:{}", source(place.file()), place.line()));
        // A text that was made at run time may have values.
        let what = panicked.payload().downcast_ref::<&str>().copied().unwrap_or("for the reason that the source names");
        tracing::error!(place, "panicked: {what}");
    }));
}

fn set(log: impl Subscriber + Send + Sync) {
    // It fails only when there is a log already.
    let _ = tracing::subscriber::set_global_default(log);
}

/// The levels, and why `RUST_LOG` is ignored.
fn filter(debug: bool, rust_log: Option<&str>) -> (Targets, Option<ParseError>) {
    let set = rust_log.map(str::trim).filter(|set| !set.is_empty()).map(str::parse);
    match set {
        Some(Ok(levels)) => (levels, None),
        Some(Err(error)) => (by_default(debug), Some(error)),
        None => (by_default(debug), None),
    }
}

fn by_default(debug: bool) -> Targets {
    if debug {
        let quiet = QUIET.iter().map(|target| (*target, LevelFilter::INFO));
        Targets::new().with_default(LevelFilter::DEBUG).with_targets(quiet)
    } else {
        Targets::new().with_default(LevelFilter::INFO)
    }
}

/// The path of a source file, without folders of the machine that built it.
fn source(file: &str) -> &str {
    let in_registry = file.split_once("/registry/src/").and_then(|(_, path)| path.split_once('/'));
    match in_registry {
        Some((_registry, path)) => path,
        None => file.rfind("/library/").map_or(file, |at| &file[at + 1..]),
    }
}

#[cfg(test)]
mod tests {
    use tracing::Level;

    use super::*;

    #[test]
    fn levels() {
        //    debug  RUST_LOG                   target            level         logged, ignored
        for (debug, rust_log, target, level, expected) in [
            (false, None, "host::function", Level::INFO, (true, false)),
            (false, None, "host::function", Level::DEBUG, (false, false)),
            (true, None, "host::function", Level::DEBUG, (true, false)),
            (true, None, "h2::codec", Level::DEBUG, (false, false)),
            (true, None, "h2::codec", Level::INFO, (true, false)),
            (true, Some(" "), "host::function", Level::DEBUG, (true, false)),
            (false, Some("warn,host=trace"), "host::function", Level::TRACE, (true, false)),
            (true, Some("warn,host=trace"), "h2", Level::INFO, (false, false)),
            (false, Some("host[call{tag=x}]=debug"), "host::function", Level::INFO, (true, true)),
        ] {
            let (filter, ignored) = filter(debug, rust_log);
            assert_eq!((filter.would_enable(target, &level), ignored.is_some()), expected, "{rust_log:?} {target}");
        }
    }

    #[test]
    fn sources_have_no_folder_of_a_machine() {
        for (file, expected) in [
            ("host/src/function.rs", "host/src/function.rs"),
            ("/home/a/.cargo/registry/src/example.org-1949cf8c6b5b557f/h2-0.4.12/src/lib.rs", "h2-0.4.12/src/lib.rs"),
            (
                "/rustc/29483883eed69d5fb4db01964cdf2af4d86e9cb2/library/core/src/option.rs",
                "library/core/src/option.rs",
            ),
        ] {
            assert_eq!(source(file), expected);
        }
    }
}
