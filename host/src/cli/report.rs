//! Prints diagnostics: the place, the problem, and what would be right.

mod excerpt;

use std::env;
use std::fmt;
use std::io::{self, IsTerminal as _};

use miette::{Diagnostic, GraphicalReportHandler, GraphicalTheme, LabeledSpan, Severity, SourceCode};

use crate::problem::{help, line};
use crate::wit::preview::{self, Gravity, Location};
use crate::wit::types::{Problem, ProblemCode};
use excerpt::{Excerpt, visible};

/// The column at which reports are wrapped.
const WIDTH: usize = 120;

/// The texts that locations refer to: name and text, in the order of the contract.
pub(super) type Texts = Vec<(String, String)>;

/// Prints diagnostics to standard error. Returns whether one of them is an error.
pub(super) fn show(diagnostics: &[preview::Diagnostic], texts: &Texts) -> bool {
    for diagnostic in diagnostics {
        eprint!("{}", spell(diagnostic, texts, colours()));
    }
    diagnostics.iter().any(|diagnostic| diagnostic.gravity == Gravity::Error)
}

/// An error at a place in a text that only the host reads.
#[derive(Debug)]
pub(super) struct Mistake {
    /// The name of the text.
    pub(super) name: String,
    pub(super) text: String,
    /// Line, from 1.
    pub(super) line: u32,
    /// Column in characters, from 1.
    pub(super) column: u32,
    pub(super) message: String,
}

impl fmt::Display for Mistake {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}:{}: {}", self.name, self.line, self.column, self.message)
    }
}

impl std::error::Error for Mistake {}

/// Prints an error to standard error: a [`Mistake`] as a diagnostic, any other error in one line.
pub(super) fn fail(error: &anyhow::Error) {
    let Some(mistake) = error.downcast_ref::<Mistake>() else {
        eprintln!("error: {error:#}");
        return;
    };
    let (line, column) = (mistake.line, mistake.column);
    let location = Location { text: 0, document: 0, line, column, end_line: line, end_column: column };
    let problem = Problem {
        path: String::new(),
        code: ProblemCode::Syntax,
        message: mistake.message.clone(),
        fix: None,
        hint: None,
    };
    let diagnostic = preview::Diagnostic { gravity: Gravity::Error, problem, location: Some(location) };
    show(&[diagnostic], &vec![(mistake.name.clone(), mistake.text.clone())]);
}

fn colours() -> bool {
    io::stderr().is_terminal() && env::var_os("NO_COLOR").is_none()
}

fn spell(diagnostic: &preview::Diagnostic, texts: &Texts, colours: bool) -> String {
    let excerpt = diagnostic.location.and_then(|location| {
        let (name, text) = texts.get(usize::try_from(location.text).ok()?)?;
        Some(Excerpt::of(name, text, location))
    });
    let shown = Shown { diagnostic, excerpt };
    let theme = if colours { GraphicalTheme::unicode() } else { GraphicalTheme::unicode_nocolor() };
    let mut spelled = String::new();
    match GraphicalReportHandler::new_themed(theme).with_width(WIDTH).render_report(&mut spelled, &shown) {
        Ok(()) => spelled,
        Err(_) => format!("error: {}\n", diagnostic.problem.message),
    }
}

/// A diagnostic in the form that miette needs.
#[derive(Debug)]
struct Shown<'a> {
    diagnostic: &'a preview::Diagnostic,
    excerpt: Option<Excerpt<'a>>,
}

impl fmt::Display for Shown<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&line(&self.diagnostic.problem).chars().map(visible).collect::<String>())
    }
}

impl std::error::Error for Shown<'_> {}

impl Diagnostic for Shown<'_> {
    fn severity(&self) -> Option<Severity> {
        Some(match self.diagnostic.gravity {
            Gravity::Error => Severity::Error,
            Gravity::Warning => Severity::Warning,
        })
    }

    fn help<'a>(&'a self) -> Option<Box<dyn fmt::Display + 'a>> {
        Some(Box::new(help(&self.diagnostic.problem)?))
    }

    fn source_code(&self) -> Option<&dyn SourceCode> {
        self.excerpt.as_ref().map(|excerpt| excerpt as &dyn SourceCode)
    }

    fn labels(&self) -> Option<Box<dyn Iterator<Item = LabeledSpan> + '_>> {
        let mark = self.excerpt.as_ref()?.mark;
        Some(Box::new(std::iter::once(LabeledSpan::new_with_span(Some("here".to_owned()), mark))))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::wit::types::Edit;

    /// The report on a problem at these columns of the second line of `text`.
    fn report(text: &str, column: u32, end_column: u32) -> String {
        let location = Location { text: 0, document: 0, line: 2, column, end_line: 2, end_column };
        let problem = Problem {
            path: "spec.gpu".to_owned(),
            code: ProblemCode::Invalid,
            message: "must be at least 1".to_owned(),
            fix: Some(Edit::Replace("1".to_owned())),
            hint: None,
        };
        let diagnostic = preview::Diagnostic { gravity: Gravity::Error, problem, location: Some(location) };
        spell(&diagnostic, &vec![("xr.yaml".to_owned(), text.to_owned())], false)
    }

    #[test]
    fn a_report_shows_the_line() {
        let spelled = "  × spec.gpu: must be at least 1
   ╭─[xr.yaml:2:16]
 1 │ spec:
 2 │   \"größe\": {ü: -1}
   ·                ─┬
   ·                 ╰── here
 3 │ status: {}
   ╰────
  help: write 1
";
        assert_eq!(report("spec:\n  \"größe\": {ü: -1}\nstatus: {}\nmore: {}\n", 16, 18), spelled);
    }

    #[test]
    fn control_characters_do_not_reach_a_terminal() {
        let spelled = report("a:\n  b: \u{1b}[31mred\u{0}\n", 6, 7);
        assert!(!spelled.contains(['\u{1b}', '\u{0}']) && spelled.contains("b: \u{fffd}[31mred\u{fffd}"), "{spelled}");
    }

    #[test]
    fn long_lines_are_shortened() {
        let line = format!("{}-1{}", "ä".repeat(5000), "b".repeat(10_000));
        let spelled = report(&format!("{line}\n{line}\n{line}"), 5001, 5003);
        assert!(spelled.contains("xr.yaml:2:5001") && spelled.contains("ä-1b") && spelled.len() < 1500, "{spelled}");
    }
}
