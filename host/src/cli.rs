//! The command line. `render`, `explain`, `plan` and `definitions` show what modules would do; `check` and `cel` test objects
//! and expressions; `component` prints the built-in module; `completions` prints scripts for shells; `function`,
//! `admission` and `preview` are servers; `admission-certificate` makes the certificate of `admission`.
//!
//! Data goes to standard output, all other messages to standard error. A command exits with 1 when its input is wrong.

mod advice;
mod cel;
mod check;
mod cluster;
mod completions;
mod component;
mod composition;
mod definitions;
mod explain;
mod files;
mod kinds;
mod manifests;
mod plan;
mod preview;
mod render;
mod report;
mod stdout;
mod tree;

use std::process::ExitCode;

use clap::{CommandFactory as _, Parser, Subcommand};

use crate::{admission, function, preview as page};

/// The version, with the commit and the component that the binary was built from.
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
    Function(function::FunctionArgs),
    Admission(Box<admission::AdmissionArgs>),
    AdmissionCertificate(admission::CertificateArgs),
    Render(Box<render::RenderArgs>),
    Explain(explain::ExplainArgs),
    Check(check::CheckArgs),
    Plan(plan::PlanArgs),
    Cel(cel::CelArgs),
    Definitions(definitions::DefinitionsArgs),
    Preview(page::PageArgs),
    Component(component::ComponentArgs),
    Completions(completions::CompletionsArgs),
    #[command(hide = true)]
    Composition(CompositionArgs),
}

/// `crossplane composition render` is the long name of `crossplane render`.
#[derive(clap::Args, Debug)]
struct CompositionArgs {
    #[command(subcommand)]
    command: CompositionCommand,
}

#[derive(Debug, Subcommand)]
enum CompositionCommand {
    Render(Box<render::RenderArgs>),
}

/// Runs the command of the command line.
pub fn main() -> ExitCode {
    let done = match Cli::parse().command {
        Command::Function(args) => function::run(&args).map(|()| true),
        Command::Admission(args) => admission::run(&args).map(|()| true),
        Command::AdmissionCertificate(args) => admission::make_certificate(&args).map(|()| true),
        Command::Render(args) => render::run(*args),
        Command::Composition(CompositionArgs { command: CompositionCommand::Render(args) }) => render::run(*args),
        Command::Explain(args) => explain::run(args),
        Command::Check(args) => check::run(&args),
        Command::Plan(args) => plan::run(args),
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

    /// The script of every shell has every command with its flags.
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
