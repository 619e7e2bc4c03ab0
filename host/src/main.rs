//! `sailplane`: the command line.

use std::process::ExitCode;

fn main() -> ExitCode {
    // An error means that there is one already.
    let _ = rustls::crypto::aws_lc_rs::default_provider().install_default();
    host::cli::main()
}
