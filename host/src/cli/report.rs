//! Prints diagnostics: the place, the problem, and what would be right.

mod excerpt;
mod lines;

use std::cell::OnceCell;
use std::io::{self, IsTerminal as _};
use std::{env, fmt};

use miette::{Diagnostic, GraphicalReportHandler, GraphicalTheme, LabeledSpan, Severity, SourceCode};

use super::stdout;
use crate::causes::in_one_line;
use crate::foreign::visible;
use crate::problem::{help, line};
use crate::wit::preview::{self, Gravity, Location};
use crate::wit::types::{Problem, ProblemCode};
use excerpt::Excerpt;
use lines::Lines;

/// The column at which reports are wrapped.
const WIDTH: usize = 120;

/// The texts that locations refer to: name and text, in the order of the contract.
pub(super) type Texts = Vec<(String, String)>;

/// Prints diagnostics to standard error. Returns whether one of them is an error.
pub(super) fn show(diagnostics: &[preview::Diagnostic], texts: &Texts) -> bool {
    let reports = Reports::new(texts, colours(io::stderr().is_terminal()));
    for diagnostic in diagnostics {
        eprint!("{}", reports.report(diagnostic));
    }
    diagnostics.iter().any(|diagnostic| diagnostic.gravity == Gravity::Error)
}

/// Prints diagnostics to standard output.
///
/// # Errors
/// When standard output cannot be written.
pub(super) fn print(diagnostics: &[preview::Diagnostic], texts: &Texts) -> anyhow::Result<()> {
    let reports = Reports::new(texts, colours(io::stdout().is_terminal()));
    diagnostics.iter().try_for_each(|diagnostic| stdout::write(reports.report(diagnostic).as_bytes()))
}

/// An error at a place in a text that only the host reads.
#[derive(Clone, Debug)]
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

impl Mistake {
    /// The mistake as a diagnostic of the text with this number.
    pub(super) fn diagnostic(&self, text: u32) -> preview::Diagnostic {
        let (line, column) = (self.line, self.column);
        let location = Location { text, document: 0, line, column, end_line: line, end_column: column };
        let problem = Problem {
            path: String::new(),
            code: ProblemCode::Syntax,
            message: self.message.clone(),
            fix: None,
            hint: None,
        };
        preview::Diagnostic { gravity: Gravity::Error, problem, location: Some(location) }
    }
}

/// Prints an error to standard error: a [`Mistake`] as a diagnostic, any other error in one line.
pub(super) fn fail(error: &anyhow::Error) {
    let Some(mistake) = error.downcast_ref::<Mistake>() else {
        eprintln!("error: {}", in_one_line(error));
        return;
    };
    show(&[mistake.diagnostic(0)], &vec![(mistake.name.clone(), mistake.text.clone())]);
}

fn colours(terminal: bool) -> bool {
    terminal && env::var_os("NO_COLOR").is_none()
}

/// Makes the reports on diagnostics of some texts.
struct Reports<'a> {
    /// Each text with its name, and with its index once a report needs it.
    texts: Vec<(String, &'a str, OnceCell<Lines<'a>>)>,
    handler: GraphicalReportHandler,
}

impl<'a> Reports<'a> {
    fn new(texts: &'a Texts, colours: bool) -> Self {
        let theme = if colours { GraphicalTheme::unicode() } else { GraphicalTheme::unicode_nocolor() };
        let texts = texts.iter().map(|(name, text)| (visible(name).into_owned(), text.as_str(), OnceCell::new()));
        Self { texts: texts.collect(), handler: GraphicalReportHandler::new_themed(theme).with_width(WIDTH) }
    }

    fn report(&self, diagnostic: &preview::Diagnostic) -> String {
        let located = diagnostic.location.and_then(|location| {
            let text = self.texts.get(usize::try_from(location.text).ok()?)?;
            Some((location, text))
        });
        // Of an empty text, or of a file that cannot be read, there is only the name.
        let (excerpt, name) = match located {
            Some((_, (name, "", _))) => (None, Some(name.as_str())),
            Some((location, (name, text, lines))) => {
                (Some(Excerpt::of(name, lines.get_or_init(|| Lines::of(text)), location)), None)
            }
            None => (None, None),
        };
        let shown = Shown { diagnostic, excerpt, name };
        let mut report = String::new();
        match self.handler.render_report(&mut report, &shown) {
            Ok(()) => report,
            Err(_) => format!("error: {shown}\n"),
        }
    }
}

/// A diagnostic in the form that miette needs.
#[derive(Debug)]
struct Shown<'a> {
    diagnostic: &'a preview::Diagnostic,
    excerpt: Option<Excerpt<'a>>,
    /// The name of the text, when there is no excerpt to show it.
    name: Option<&'a str>,
}

impl fmt::Display for Shown<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let line = line(&self.diagnostic.problem);
        match self.name.filter(|name| !line.contains(name)) {
            Some(name) => write!(f, "{name}: {line}"),
            None => f.write_str(&line),
        }
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
        Reports::new(&vec![("xr.yaml".to_owned(), text.to_owned())], false).report(&diagnostic)
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
