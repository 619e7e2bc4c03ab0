//! An index of the lines of a text.

/// Characters between two marks.
const STEP: usize = 256;

/// A text, and where its lines and columns are. Each report needs a few lines; without the index it would read the whole
/// text for them.
#[derive(Debug)]
pub(super) struct Lines<'a> {
    text: &'a str,
    lines: Vec<Extent>,
    /// The offset of every [`STEP`]th character.
    marks: Vec<usize>,
}

/// A line, without its line break.
#[derive(Clone, Copy, Debug, Default)]
struct Extent {
    /// The number of its first character in the text.
    first: usize,
    /// The number of its characters.
    length: usize,
}

impl<'a> Lines<'a> {
    /// Reads a text. Lines end with a line break of YAML: `\n`, `\r\n` or `\r`.
    pub(super) fn of(text: &'a str) -> Self {
        let (mut lines, mut marks) = (Vec::new(), Vec::new());
        let mut first = 0;
        let mut count = 0;
        let mut characters = text.char_indices().peekable();
        while let Some((offset, c)) = characters.next() {
            if count % STEP == 0 {
                marks.push(offset);
            }
            count += 1;
            let ends = c == '\n' || c == '\r' && characters.peek().is_none_or(|(_, next)| *next != '\n');
            if ends {
                let ended_by_two = c == '\n' && text[..offset].ends_with('\r');
                lines.push(Extent { first, length: count - first - if ended_by_two { 2 } else { 1 } });
                first = count;
            }
        }
        if first < count {
            lines.push(Extent { first, length: count - first });
        }
        Self { text, lines, marks }
    }

    /// The number of lines. The empty text after the last line break is no line.
    pub(super) fn count(&self) -> usize {
        self.lines.len()
    }

    /// The number of characters of a line, from 0. A line that does not exist is empty.
    pub(super) fn length(&self, line: usize) -> usize {
        self.line(line).length
    }

    /// Some characters of a line: from one column to before another, counted from 0.
    pub(super) fn part(&self, line: usize, from: usize, to: usize) -> &'a str {
        let Extent { first, length } = self.line(line);
        let [from, to] = [from, to].map(|column| self.offset(first + column.min(length)));
        self.text.get(from..to).unwrap_or_default()
    }

    fn line(&self, line: usize) -> Extent {
        self.lines.get(line).copied().unwrap_or_default()
    }

    /// The offset of a character, by its number in the text.
    fn offset(&self, number: usize) -> usize {
        let Some(start) = self.marks.get(number / STEP).copied() else { return self.text.len() };
        let mut following = self.text[start..].char_indices();
        following.nth(number % STEP).map_or(self.text.len(), |(offset, _)| start + offset)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_and_their_parts() {
        for (text, lines) in [
            ("", &[][..]),
            ("a", &["a"][..]),
            ("a\n", &["a"]),
            ("a\nb", &["a", "b"]),
            ("a\r\nb\rc\n\nd\r", &["a", "b", "c", "", "d"]),
            ("\r\n\n", &["", ""]),
            ("größe\nü", &["größe", "ü"]),
        ] {
            let index = Lines::of(text);
            let parts: Vec<_> = (0..index.count()).map(|line| index.part(line, 0, usize::MAX)).collect();
            assert_eq!(parts, lines, "{text:?}");
        }
    }

    #[test]
    fn long_lines() {
        let text = format!("x\n{}\ny", "äb".repeat(10_000));
        let index = Lines::of(&text);
        assert_eq!((index.count(), index.length(1), index.length(9)), (3, 20_000, 0));
        for column in [0, 1, 255, 256, 257, 9_999, 19_998] {
            let expected = if column % 2 == 0 { "äb" } else { "bä" };
            assert_eq!(index.part(1, column, column + 2), expected, "{column}");
        }
        assert_eq!(index.part(1, 19_999, 30_000), "b");
        assert_eq!(index.part(2, 0, 5), "y");
    }
}
