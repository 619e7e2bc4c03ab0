//! Shows diagnostics: where, what is wrong, and what would be right.

use std::env;
use std::fmt;
use std::io::{self, IsTerminal as _};

use miette::{Diagnostic, GraphicalReportHandler, GraphicalTheme, LabeledSpan, NamedSource, Severity, SourceCode};

use crate::wit::preview::{self, Gravity, Location};
use crate::wit::types::Edit;

/// Columns that reports are wrapped at.
const WIDTH: usize = 120;

/// The texts that locations refer to: name and text, in the order of the contract.
pub(super) type Texts = Vec<(String, String)>;

/// Writes diagnostics to standard error, and says whether one is an error.
pub(super) fn show(diagnostics: &[preview::Diagnostic], texts: &Texts) -> bool {
    for diagnostic in diagnostics {
        eprint!("{}", spell(diagnostic, texts, io::stderr().is_terminal() && env::var_os("NO_COLOR").is_none()));
    }
    diagnostics.iter().any(|diagnostic| diagnostic.gravity == Gravity::Error)
}

fn spell(diagnostic: &preview::Diagnostic, texts: &Texts, colours: bool) -> String {
    let text = diagnostic.location.and_then(|location| texts.get(usize::try_from(location.text).ok()?));
    let shown = Shown {
        diagnostic,
        source: text.map(|(name, text)| NamedSource::new(name, text.clone())),
        span: text.zip(diagnostic.location).map(|((_, text), location)| span(text, location)),
    };
    let theme = if colours { GraphicalTheme::unicode() } else { GraphicalTheme::unicode_nocolor() };
    let mut spelled = String::new();
    match GraphicalReportHandler::new_themed(theme).with_width(WIDTH).render_report(&mut spelled, &shown) {
        Ok(()) => spelled,
        Err(_) => format!("error: {}\n", diagnostic.problem.message),
    }
}

/// A diagnostic as miette takes it.
#[derive(Debug)]
struct Shown<'a> {
    diagnostic: &'a preview::Diagnostic,
    source: Option<NamedSource<String>>,
    /// Offset and length in bytes.
    span: Option<(usize, usize)>,
}

impl fmt::Display for Shown<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let problem = &self.diagnostic.problem;
        match problem.path.as_str() {
            "" => write!(f, "{}", problem.message),
            path => write!(f, "{path}: {}", problem.message),
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
        let help = match self.diagnostic.problem.fix.as_ref()? {
            Edit::Replace(value) => format!("write {value}"),
            Edit::Rename(key) => format!("the key is spelled `{key}`"),
            Edit::Remove => "remove it".to_owned(),
        };
        Some(Box::new(help))
    }

    fn source_code(&self) -> Option<&dyn SourceCode> {
        self.source.as_ref().map(|source| source as &dyn SourceCode)
    }

    fn labels(&self) -> Option<Box<dyn Iterator<Item = LabeledSpan> + '_>> {
        let span = self.span?;
        Some(Box::new(std::iter::once(LabeledSpan::new_with_span(Some("here".to_owned()), span))))
    }
}

/// Where a location is in a text: offset and length in bytes.
fn span(text: &str, location: Location) -> (usize, usize) {
    let start = offset(text, location.line, location.column);
    let end = offset(text, location.end_line, location.end_column).max(start);
    // What spans lines is marked on its first one.
    let line = text.get(start..end).and_then(|marked| marked.lines().next()).map_or(0, str::len);
    (start, line)
}

fn offset(text: &str, line: u32, column: u32) -> usize {
    let count = |number: u32| usize::try_from(number.saturating_sub(1)).unwrap_or(usize::MAX);
    let start: usize = text.split_inclusive('\n').take(count(line)).map(str::len).sum();
    let rest = text.get(start..).unwrap_or_default().lines().next().unwrap_or_default();
    start + rest.chars().take(count(column)).map(char::len_utf8).sum::<usize>()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::wit::types::{Problem, ProblemCode};

    #[test]
    fn a_report_shows_the_line() {
        let location = Location { text: 0, document: 0, line: 2, column: 8, end_line: 2, end_column: 10 };
        let problem = Problem {
            path: "spec.gpu".to_owned(),
            code: ProblemCode::Invalid,
            message: "must be at least 1".to_owned(),
            fix: Some(Edit::Replace("1".to_owned())),
        };
        let diagnostic = preview::Diagnostic { gravity: Gravity::Error, problem, location: Some(location) };
        let texts = vec![("xr.yaml".to_owned(), "spec:\n  gpu: -1\n".to_owned())];
        let spelled = spell(&diagnostic, &texts, false);
        for part in ["spec.gpu: must be at least 1", "xr.yaml:2:8", "gpu: -1", "here", "help: write 1"] {
            assert!(spelled.contains(part), "no `{part}` in\n{spelled}");
        }
    }

    #[test]
    fn places_outside_a_text_are_its_end() {
        assert_eq!(offset("ab\ncd", 9, 9), 5);
        assert_eq!(offset("", 1, 1), 0);
        assert_eq!(offset("ab\ncd", 1, 9), 2);
    }
}
