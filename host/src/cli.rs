//! The command line: `render`, `explain` and `definitions` show what a module would do, `check` and `cel` what it says
//! of objects and expressions; `component` gives it away; `completions` are for shells; `function`, `admission` and
//! `preview` serve.
//!
//! Data goes to standard output, talk to standard error. A command exits with 1 when something it was asked
//! about is wrong.

mod cel;
mod check;
mod cluster;
mod completions;
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

use clap::{CommandFactory as _, Parser, Subcommand};

use crate::{admission, function, preview as page};

/// The version, with the commit and the component that the binary was built of.
const LONG_VERSION: &str = include_str!(concat!(env!("OUT_DIR"), "/version.txt"));

/// Composes LLM inference platforms on Kubernetes.
#[derive(Debug, Parser)]
#[command(name = "sailplane", bin_name = "sailplane", version, long_version = LONG_VERSION, propagate_version = true)]
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
    Completions(completions::Args),
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
        Command::Completions(args) => completions::run(&args, Cli::command()),
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

#[cfg(test)]
mod tests {
    use clap::ValueEnum as _;
    use clap_complete::Shell;

    use super::*;

    /// Every command, with its flags, in the script of every shell.
    #[test]
    fn all_commands_are_completed() -> anyhow::Result<()> {
        for shell in Shell::value_variants() {
            let script = completions::script(*shell, Cli::command())?;
            for command in Cli::command().get_subcommands().filter(|command| !command.is_hide_set()) {
                let name = command.get_name();
                assert!(script.contains(name), "{shell}: nothing of {name}");
                for flag in command.get_arguments().filter_map(clap::Arg::get_long) {
                    assert!(script.contains(flag), "{shell}: nothing of {name} --{flag}");
                }
            }
        }
        Ok(())
    }
}
