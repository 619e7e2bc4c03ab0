//! The lines of a text that are in a report.

use miette::{MietteError, MietteSpanContents, SourceCode, SourceSpan, SpanContents};

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
    pub(super) fn of(name: &'a str, text: &str, location: Location) -> Self {
        let index = |number: u32| usize::try_from(number.saturating_sub(1)).unwrap_or(usize::MAX);
        // YAML has three line breaks; `str::lines` does not know `\r`.
        let text = text.replace("\r\n", "\n").replace('\r', "\n");
        let count = text.lines().count();
        let line = index(location.line).min(count);
        let column = index(location.column);
        // When a location has several lines, the mark is on the first.
        let end = if location.end_line == location.line { index(location.end_column) } else { usize::MAX };

        let first = line.saturating_sub(1);
        let (mut lines, mut mark) = (String::new(), (0, 0));
        // The location at the end of a text is on an empty line after it.
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

    fn cut(&self, line: &str, into: &mut String) {
        into.push_str(if self.from > 0 { "…" } else { "" });
        into.extend(line.chars().skip(self.from).take(self.to - self.from).map(visible));
        into.push_str(if self.to < self.length { "…" } else { "" });
    }

    /// The offset of a column in the visible part, in bytes.
    fn offset(&self, line: &str, column: usize) -> usize {
        let before = line.chars().take(column.min(self.to)).skip(self.from);
        before.map(|c| visible(c).len_utf8()).sum::<usize>() + if self.from > 0 { '…'.len_utf8() } else { 0 }
    }
}

/// A character as it may reach a terminal.
pub(super) fn visible(c: char) -> char {
    if c.is_control() && c != '\t' { char::REPLACEMENT_CHARACTER } else { c }
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
            let excerpt = Excerpt::of("xr.yaml", text, location);
            assert!(excerpt.read_span(&excerpt.mark.into(), 1, 1).is_ok(), "{text:?} {line}:{column} {excerpt:?}");
        }
    }
}
