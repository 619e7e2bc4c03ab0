//! Runs the commands that need real components, in the suite that has them.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use anyhow::{Result, bail, ensure};

use super::commands::Command;
use super::found::all;
use super::output::{blessing, correct, difference, judge};
use super::runners::{Runner, Suite, runner};
use super::shell::{Printed, Shell};
use super::varying::masked;
use crate::real::processes::eventually;

/// How long a command that reads an object is run again until it prints what the document shows.
const READ_AGAIN: Duration = Duration::from_secs(30);

/// How commands begin that read objects. Ages and times in their output are not shown.
const READS: &[&str] = &["kubectl get ", "kubectl describe "];

/// The commands of documents that a suite runs.
pub struct Shown {
    shell: Shell,
    left: Mutex<Vec<Command>>,
    /// The commands whose output differs from the shown output, with their output.
    wrong: Mutex<Vec<(Command, String)>>,
}

impl Shown {
    /// All commands of `suite`, to be run in `shell`.
    pub fn of(suite: Suite, shell: Shell) -> Self {
        let commands = all().into_iter().flat_map(|document| document.commands());
        let ours =
            commands.filter(|it| runner(it).is_some_and(|row| matches!(row.runner, Runner::Suite(it) if it == suite)));
        Self { shell, left: Mutex::new(ours.collect()), wrong: Mutex::default() }
    }

    /// The shell in which they run.
    pub fn shell(&self) -> &Shell {
        &self.shell
    }

    /// Runs all remaining commands of `section`, `DOCUMENT#ANCHOR`.
    ///
    /// # Errors
    /// When there is none, and the errors of [`Shown::next`].
    pub fn run(&self, section: &str) -> Result<()> {
        self.run_with(section, &[])
    }

    /// Like [`Shown::run`], with other names than in the document.
    pub fn run_with(&self, section: &str, names: &[(&str, &str)]) -> Result<()> {
        self.next_with(section, names)?;
        while self.position(section).is_some() {
            self.next_with(section, names)?;
        }
        Ok(())
    }

    /// Runs the next command of `section`.
    ///
    /// # Errors
    /// When there is none, and when it fails although no output is shown.
    pub fn next(&self, section: &str) -> Result<()> {
        self.next_with(section, &[])
    }

    /// Like [`Shown::next`], with other names than in the document.
    pub fn next_with(&self, section: &str, names: &[(&str, &str)]) -> Result<()> {
        let Some(position) = self.position(section) else { bail!("{section} shows no command that is left to run") };
        let command = lock(&self.left).remove(position);
        let text = names.iter().fold(command.text.clone(), |text, (from, to)| text.replace(from, to));
        let reads = READS.iter().any(|it| text.starts_with(it));
        let run = || {
            let Printed { ok, text: printed } = self.shell.run(&text);
            judge(&command, Printed { ok, text: if reads { masked(&printed) } else { printed } })
        };
        let mut judged = run();
        if reads && matches!(judged, Ok(Some(_))) {
            // Objects that were just created may change for a moment. A difference that stays is reported below.
            let _ = eventually(&text, READ_AGAIN, || {
                let before = std::mem::replace(&mut judged, run());
                // What BLESS writes must only be the same twice.
                let settled = blessing() && judged == before;
                ensure!(settled || !matches!(judged, Ok(Some(_))), "it prints something else");
                Ok(())
            });
        }
        match judged {
            Ok(None) => {}
            Ok(Some(printed)) => lock(&self.wrong).push((command, printed)),
            Err(printed) => bail!("{}:{}: {text}\n{printed}", command.document, command.line),
        }
        Ok(())
    }

    /// Leaves the commands of a document out, or of one section, where the machine lacks what they need.
    pub fn leave_out(&self, place: &str) {
        lock(&self.left).retain(|it| it.document != place && section_of(it) != place);
    }

    /// Checks that all commands were run, each in one of `all`, and that their output is correct.
    ///
    /// # Errors
    /// When a command was not run, and the errors of [`Shown::correct`].
    pub fn finish(all: &[Self]) -> Result<()> {
        let Some((first, others)) = all.split_first() else { return Ok(()) };
        let mut left = lock(&first.left).clone();
        left.retain(|command| others.iter().all(|it| lock(&it.left).contains(command)));
        if let Some(Command { document, line, text, .. }) = left.first() {
            bail!("{} commands were not run, the first in {document}:{line}: {text}", left.len());
        }
        Self::correct(all)
    }

    /// Checks the output of the commands that were run in `all`.
    ///
    /// # Errors
    /// When it differs from the shown output. With `BLESS=1` in the environment, corrects documents instead.
    pub fn correct(all: &[Self]) -> Result<()> {
        let mut wrong: Vec<(Command, String)> = Vec::new();
        for (command, printed) in all.iter().flat_map(|it| lock(&it.wrong).clone()) {
            if wrong.iter().all(|(known, _)| *known != command) {
                wrong.push((command, printed));
            }
        }
        if blessing() {
            correct(&wrong);
        } else if !wrong.is_empty() {
            bail!(
                "{}",
                wrong.iter().map(|(command, printed)| difference(command, printed)).collect::<Vec<_>>().join("\n")
            );
        }
        Ok(())
    }

    fn position(&self, section: &str) -> Option<usize> {
        lock(&self.left).iter().position(|it| section_of(it) == section)
    }
}

fn section_of(command: &Command) -> String {
    format!("{}#{}", command.document, command.anchor)
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
