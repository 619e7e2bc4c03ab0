//! Shows diagnostics: where, what is wrong, and what would be right.

use std::env;
use std::fmt;
use std::io::{self, IsTerminal as _};

use miette::{
    Diagnostic, GraphicalReportHandler, GraphicalTheme, LabeledSpan, MietteError, MietteSpanContents, Severity,
    SourceCode, SourceSpan, SpanContents,
};

use crate::wit::preview::{self, Gravity, Location};
use crate::wit::types::Edit;

/// Columns that reports are wrapped at.
const WIDTH: usize = 120;

/// Most characters of a line that are shown.
const LINE: usize = 100;

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

/// A diagnostic as miette takes it.
#[derive(Debug)]
struct Shown<'a> {
    diagnostic: &'a preview::Diagnostic,
    excerpt: Option<Excerpt<'a>>,
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
        self.excerpt.as_ref().map(|excerpt| excerpt as &dyn SourceCode)
    }

    fn labels(&self) -> Option<Box<dyn Iterator<Item = LabeledSpan> + '_>> {
        let mark = self.excerpt.as_ref()?.mark;
        Some(Box::new(std::iter::once(LabeledSpan::new_with_span(Some("here".to_owned()), mark))))
    }
}

/// The line that a location is on, and those around it.
#[derive(Debug)]
struct Excerpt<'a> {
    name: &'a str,
    /// The lines, shortened where they are long.
    lines: String,
    /// Number of the first of them, from 0.
    first: usize,
    /// Column of the location in characters, from 0; the crate would count bytes, and of what is shortened.
    column: usize,
    /// What to mark among the lines: offset and length in bytes.
    mark: (usize, usize),
}

impl<'a> Excerpt<'a> {
    fn of(name: &'a str, text: &str, location: Location) -> Self {
        let index = |number: u32| usize::try_from(number.saturating_sub(1)).unwrap_or(usize::MAX);
        let count = text.lines().count();
        let line = index(location.line).min(count);
        let column = index(location.column);
        // What spans lines is marked on its first one.
        let end = if location.end_line == location.line { index(location.end_column) } else { usize::MAX };

        let first = line.saturating_sub(1);
        let (mut lines, mut mark) = (String::new(), (0, 0));
        // The end of a text is a place on a line of its own.
        let all = text.lines().chain((line == count).then_some(""));
        for (number, whole) in all.enumerate().skip(first).take(line - first + 2) {
            if number == line {
                let length = whole.chars().count();
                let (from, to) = (column.min(length), end.max(column).min(length));
                let shown = Window::around(from, length);
                mark.0 = lines.len() + shown.offset(whole, from);
                mark.1 = lines.len() + shown.offset(whole, to) - mark.0;
                shown.cut(whole, &mut lines);
            } else {
                Window::around(0, whole.chars().count()).cut(whole, &mut lines);
            }
            lines.push('\n');
        }
        Self { name, lines, first, column, mark }
    }
}

impl SourceCode for Excerpt<'_> {
    fn read_span<'a>(
        &'a self,
        span: &SourceSpan,
        before: usize,
        after: usize,
    ) -> Result<Box<dyn SpanContents<'a> + 'a>, MietteError> {
        let read = self.lines.read_span(span, before, after)?;
        Ok(Box::new(MietteSpanContents::new_named(
            self.name.to_owned(),
            read.data(),
            *read.span(),
            self.first + read.line(),
            if before == 0 { self.column } else { 0 },
            read.line_count(),
        )))
    }
}

/// The part of a line that is shown, in characters.
struct Window {
    from: usize,
    to: usize,
    length: usize,
}

impl Window {
    /// The part around a column of a line with so many characters.
    fn around(column: usize, length: usize) -> Self {
        if length <= LINE {
            return Self { from: 0, to: length, length };
        }
        let from = column.saturating_sub(LINE / 2).min(length - LINE);
        Self { from, to: from + LINE, length }
    }

    fn cut(&self, line: &str, into: &mut String) {
        into.push_str(if self.from > 0 { "…" } else { "" });
        into.extend(line.chars().skip(self.from).take(self.to - self.from));
        into.push_str(if self.to < self.length { "…" } else { "" });
    }

    /// Where a column of the line stands in what is shown, in bytes.
    fn offset(&self, line: &str, column: usize) -> usize {
        let before = line.chars().take(column.min(self.to)).skip(self.from).map(char::len_utf8).sum::<usize>();
        before + if self.from > 0 { '…'.len_utf8() } else { 0 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::wit::types::{Problem, ProblemCode};

    /// The report on a problem at these columns of the second line of `text`.
    fn report(text: &str, column: u32, end_column: u32) -> String {
        let location = Location { text: 0, document: 0, line: 2, column, end_line: 2, end_column };
        let problem = Problem {
            path: "spec.gpu".to_owned(),
            code: ProblemCode::Invalid,
            message: "must be at least 1".to_owned(),
            fix: Some(Edit::Replace("1".to_owned())),
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
    fn long_lines_are_shortened() {
        let line = format!("{}-1{}", "ä".repeat(5000), "b".repeat(10_000));
        let spelled = report(&format!("{line}\n{line}\n{line}"), 5001, 5003);
        assert!(spelled.contains("xr.yaml:2:5001") && spelled.contains("ä-1b") && spelled.len() < 1500, "{spelled}");
    }

    #[test]
    fn places_outside_a_text_are_its_end() {
        for (text, line, column) in [("ab\ncd", 9, 9), ("", 1, 1), ("ab\ncd", 1, 9), ("", 0, 0), ("ab\n", 2, 1)] {
            let location = Location { text: 0, document: 0, line, column, end_line: line, end_column: column };
            let excerpt = Excerpt::of("xr.yaml", text, location);
            assert!(excerpt.read_span(&excerpt.mark.into(), 1, 1).is_ok(), "{text:?} {line}:{column} {excerpt:?}");
        }
    }
}
