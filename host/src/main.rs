//! `sailplane`: the command line.

use std::process::ExitCode;

use clap::{Parser, Subcommand};
use host::function;

/// Composes LLM inference platforms on Kubernetes.
#[derive(Parser)]
#[command(version, propagate_version = true)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    Function(function::Args),
}

fn main() -> ExitCode {
    // An error means that there is one already.
    let _ = rustls::crypto::aws_lc_rs::default_provider().install_default();
    let done = match Cli::parse().command {
        Command::Function(args) => function::run(&args),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}
