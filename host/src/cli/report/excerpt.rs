//! The lines of a text that are in a report.

use miette::{MietteError, MietteSpanContents, SourceCode, SourceSpan, SpanContents};

use super::lines::Lines;
use crate::foreign::is_hidden;
use crate::wit::preview::Location;

/// The largest number of characters of a line.
const LINE: usize = 100;

/// The line of a location, with the lines before and after it.
#[derive(Debug)]
pub(super) struct Excerpt<'a> {
    name: &'a str,
    /// The lines. Long lines are cut.
    lines: String,
    /// Number of the first line, from 0.
    first: usize,
    /// Column of the location, in characters from 0. The crate would count the bytes of the cut line.
    column: usize,
    /// The part of `lines` to mark: offset and length in bytes.
    pub(super) mark: (usize, usize),
}

impl<'a> Excerpt<'a> {
    /// The excerpt of `text`, which is called `name`, around a location.
    pub(super) fn of(name: &'a str, text: &Lines<'_>, location: Location) -> Self {
        let index = |number: u32| usize::try_from(number.saturating_sub(1)).unwrap_or(usize::MAX);
        let count = text.count();
        let line = index(location.line).min(count);
        let column = index(location.column);
        // When a location has several lines, the mark is on the first.
        let end = if location.end_line == location.line { index(location.end_column) } else { usize::MAX };

        let first = line.saturating_sub(1);
        let (mut lines, mut mark) = (String::new(), (0, 0));
        // The location at the end of a text is on an empty line after it.
        let last = if line == count { count } else { count - 1 };
        for number in first..=last.min(line + 1) {
            let length = text.length(number);
            let (from, to) = (column.min(length), end.max(column).min(length));
            let window = Window::around(if number == line { from } else { 0 }, length);
            let shown = window.show(text.part(number, window.from, window.to));
            if number == line {
                mark.0 = lines.len() + window.offset(&shown, from);
                mark.1 = lines.len() + window.offset(&shown, to) - mark.0;
            }
            lines.push_str(&shown);
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

/// The visible part of a line, in characters.
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

    /// The part as it is printed. Every character keeps its width, so hidden ones are replaced.
    fn show(&self, part: &str) -> String {
        let replaced = |c| if is_hidden(c) && c != '\t' { char::REPLACEMENT_CHARACTER } else { c };
        let start = if self.from > 0 { "…" } else { "" };
        let end = if self.to < self.length { "…" } else { "" };
        format!("{start}{}{end}", part.chars().map(replaced).collect::<String>())
    }

    /// The offset of a column in the printed part, in bytes.
    fn offset(&self, shown: &str, column: usize) -> usize {
        let before = usize::from(self.from > 0) + column.min(self.to).saturating_sub(self.from);
        shown.chars().take(before).map(char::len_utf8).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_outside_a_text_are_its_end() {
        for (text, line, column) in
            [("ab\rcd\r\n", 3, 1), ("ab\ncd", 9, 9), ("", 1, 1), ("ab\ncd", 1, 9), ("", 0, 0), ("ab\n", 2, 1)]
        {
            let location = Location { text: 0, document: 0, line, column, end_line: line, end_column: column };
            let excerpt = Excerpt::of("xr.yaml", &Lines::of(text), location);
            assert!(excerpt.read_span(&excerpt.mark.into(), 1, 1).is_ok(), "{text:?} {line}:{column} {excerpt:?}");
        }
    }
}
