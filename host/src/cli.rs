//! The command line: `render`, `explain` and `definitions` show what a module would do, `check` and `cel` what it says
//! of objects and expressions; `component` gives it away; `function`, `admission` and `preview` serve.
//!
//! Data goes to standard output, talk to standard error. A command exits with 1 when something it was asked
//! about is wrong.

mod cel;
mod check;
mod cluster;
mod component;
mod composition;
mod definitions;
mod explain;
mod files;
mod given;
mod kinds;
mod preview;
mod render;
mod report;
mod stdout;
mod tree;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

use crate::{admission, function, preview as page};

/// Composes LLM inference platforms on Kubernetes.
#[derive(Debug, Parser)]
#[command(name = "sailplane", bin_name = "sailplane", version, propagate_version = true)]
pub struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    Function(function::Args),
    Admission(Box<admission::Args>),
    Render(Box<render::Args>),
    Explain(explain::Args),
    Check(check::Args),
    Cel(cel::Args),
    Definitions(definitions::Args),
    Preview(page::Args),
    Component(component::Args),
    #[command(hide = true)]
    Composition(Composition),
}

/// `crossplane composition render` is the long name of `crossplane render`.
#[derive(clap::Args, Debug)]
struct Composition {
    #[command(subcommand)]
    command: CompositionCommand,
}

#[derive(Debug, Subcommand)]
enum CompositionCommand {
    Render(Box<render::Args>),
}

/// Runs the command that the process was started with.
pub fn main() -> ExitCode {
    let done = match Cli::parse().command {
        Command::Function(args) => function::run(&args).map(|()| true),
        Command::Admission(args) => admission::run(&args).map(|()| true),
        Command::Render(args) => render::run(&args),
        Command::Composition(Composition { command: CompositionCommand::Render(args) }) => render::run(&args),
        Command::Explain(args) => explain::run(&args),
        Command::Check(args) => check::run(&args),
        Command::Cel(args) => cel::run(&args),
        Command::Definitions(args) => definitions::run(&args),
        Command::Preview(args) => page::run(&args).map(|()| true),
        Command::Component(args) => component::run(&args),
    };
    match done {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            report::fail(&error);
            ExitCode::FAILURE
        }
    }
}
