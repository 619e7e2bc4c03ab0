//! `sailplane completions`: prints the script with which a shell completes commands, flags and their values.

use anyhow::Result;
use clap::Command;
use clap_complete::Shell;

use super::stdout::print;

/// Print the script by which a shell completes commands and flags
///
/// Where shells look for it differs: the examples name the folders of one user.
#[derive(clap::Args, Debug)]
#[command(after_long_help = "\
Examples:
  For bash, with the package bash-completion
    sailplane completions bash >~/.local/share/bash-completion/completions/sailplane
  For zsh, in a folder that is in $fpath
    sailplane completions zsh >~/.local/share/zsh/site-functions/_sailplane
  For fish
    sailplane completions fish >~/.config/fish/completions/sailplane.fish")]
pub(super) struct CompletionsArgs {
    /// The shell
    #[arg(value_name = "SHELL")]
    shell: Shell,
}

/// Prints the script for `command` with its subcommands.
pub(super) fn run(args: &CompletionsArgs, command: Command) -> Result<bool> {
    print(&script(args.shell, command)?)?;
    Ok(true)
}

/// The script for a shell.
pub(super) fn script(shell: Shell, mut command: Command) -> Result<String> {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut command, "sailplane", &mut script);
    Ok(String::from_utf8(script)?)
}
