//! Parts of a text: its documents, for a reader that goes on after a mistake.

use std::{iter, mem};

/// A part of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Part<'a> {
    pub(crate) text: &'a str,
    /// The number of lines before it.
    pub(crate) lines: u32,
}

impl<'a> Part<'a> {
    pub(crate) fn whole(text: &'a str) -> Self {
        Self { text, lines: 0 }
    }

    /// The documents of this text, split at the lines that begin with `---`, as the toolchain splits it.
    pub(crate) fn documents(self) -> impl Iterator<Item = Self> {
        let mut rest = Some(self);
        iter::from_fn(move || {
            let part = rest?;
            let next = part.text.split_inclusive('\n').scan((0, 0), |(bytes, lines), line| {
                let start = (*bytes, *lines, line);
                *bytes += line.len();
                *lines += 1;
                Some(start)
            });
            // Directives belong to the document that follows.
            let mut begun = !part.text.starts_with('%');
            let next = next.skip(1).find(|(.., line)| separates(line) && mem::replace(&mut begun, true));
            rest = next.map(|(bytes, lines, _)| Self { text: &part.text[bytes..], lines: part.lines + lines });
            Some(Self { text: &part.text[..next.map_or(part.text.len(), |(bytes, ..)| bytes)], ..part })
        })
    }
}

fn separates(line: &str) -> bool {
    line.strip_prefix("---").is_some_and(|rest| rest.is_empty() || rest.starts_with(char::is_whitespace))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn documents() {
        let check = |text: &str, expected: &[(&str, u32)]| {
            let found: Vec<_> = Part::whole(text).documents().map(|part| (part.text, part.lines)).collect();
            assert_eq!(found, expected, "{text}");
        };
        check("", &[("", 0)]);
        check("a: 1\n", &[("a: 1\n", 0)]);
        check("a: 1\n---\nb: 2", &[("a: 1\n", 0), ("---\nb: 2", 1)]);
        check("---\n--- c\n---", &[("---\n", 0), ("--- c\n", 1), ("---", 2)]);
        check("a: 1\n----\n ---\n", &[("a: 1\n----\n ---\n", 0)]);
        check("%YAML 1.2\n---\na: 1\n---\n", &[("%YAML 1.2\n---\na: 1\n", 0), ("---\n", 3)]);
    }
}
