//! Foreign text: text of documents, requests and modules on its way to a terminal or a log.

use std::borrow::Cow;

/// The end of a text of which something was cut.
pub(crate) const ELLIPSIS: char = '…';

/// Whether a character is not shown as such. Control characters give orders to terminals and end lines of logs; others
/// change the direction of the text around them, or are invisible.
pub(crate) fn is_hidden(c: char) -> bool {
    c.is_control()
        || matches!(
            c,
            '\u{61c}' // Arabic letter mark
                | '\u{200b}' // zero width space
                | '\u{200e}' | '\u{200f}' // marks of direction
                | '\u{2028}' | '\u{2029}' // separators of lines and paragraphs
                | '\u{202a}'..='\u{202e}' // embeddings and overrides of direction
                | '\u{2060}'..='\u{206f}' // isolates of direction, and invisible operators
                | '\u{feff}' // byte order mark
                | '\u{fff9}'..='\u{fffb}' // interlinear annotations
                | '\u{e0000}'..='\u{e007f}' // tags
        )
}

/// The text in one line, with hidden characters escaped: a line break becomes `\n`, an escape `\u{1b}`.
pub(crate) fn visible(text: &str) -> Cow<'_, str> {
    escaped(text, is_hidden)
}

/// The text with hidden characters escaped. Line breaks and tabs stay.
pub(crate) fn visible_lines(text: &str) -> Cow<'_, str> {
    escaped(text, |c| is_hidden(c) && c != '\n' && c != '\t')
}

fn escaped(text: &str, hidden: impl Fn(char) -> bool) -> Cow<'_, str> {
    if !text.contains(&hidden) {
        return Cow::Borrowed(text);
    }
    let mut shown = String::with_capacity(text.len() + 16);
    for c in text.chars() {
        if hidden(c) { shown.extend(c.escape_default()) } else { shown.push(c) }
    }
    Cow::Owned(shown)
}

/// The beginning of the text, in no more than `most` bytes. When something is cut, it ends with `…`.
pub(crate) fn cut(text: &str, most: usize) -> Cow<'_, str> {
    if text.len() <= most {
        return Cow::Borrowed(text);
    }
    let end = text.floor_char_boundary(most.saturating_sub(ELLIPSIS.len_utf8()));
    Cow::Owned(format!("{}{ELLIPSIS}", &text[..end]))
}

/// The beginning of the text, in no more than `most` characters. When something is cut, it ends with `…`.
pub(crate) fn shortened(text: &str, most: usize) -> Cow<'_, str> {
    if text.chars().count() <= most {
        return Cow::Borrowed(text);
    }
    Cow::Owned(text.chars().take(most.saturating_sub(1)).chain([ELLIPSIS]).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hidden_characters_are_escaped() {
        //    text                       in one line                  in lines
        for (text, line, lines) in [
            ("größe: 1", "größe: 1", "größe: 1"),
            ("a\n\tb", "a\\n\\tb", "a\n\tb"),
            ("a\r\nb", "a\\r\\nb", "a\\r\nb"),
            ("\u{1b}[31mred", "\\u{1b}[31mred", "\\u{1b}[31mred"),
            ("\u{7f}\u{9b}", "\\u{7f}\\u{9b}", "\\u{7f}\\u{9b}"),
            ("a\u{202e}b\u{2066}c", "a\\u{202e}b\\u{2066}c", "a\\u{202e}b\\u{2066}c"),
            ("a\u{2028}b\u{feff}", "a\\u{2028}b\\u{feff}", "a\\u{2028}b\\u{feff}"),
        ] {
            assert_eq!(visible(text), line);
            assert_eq!(visible_lines(text), lines);
        }
    }

    #[test]
    fn long_texts_are_cut() {
        for (text, most, expected) in [("abc", 3, "abc"), ("abcdef", 5, "ab…"), ("üüü", 5, "ü…"), ("abcd", 1, "…")]
        {
            assert_eq!(cut(text, most), expected, "{text} {most}");
        }
        for (text, most, expected) in [("üüü", 3, "üüü"), ("üüüü", 3, "üü…"), ("", 0, "")] {
            assert_eq!(shortened(text, most), expected, "{text} {most}");
        }
    }
}
