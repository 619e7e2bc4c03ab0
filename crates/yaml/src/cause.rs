//! The usual cause of a syntax error, and the line that people see as the mistake.
//!
//! A parser notices a mistake where it cannot go on, which is often a line later, and says what it expected there. The
//! causes are few: each row of [`CAUSES`] looks for one of them in the lines around that place.

use crate::node::{Position, Span};

/// The place and the words of a syntax error in a document, which the parser noticed at `noticed`, with the message `info`.
pub(crate) fn explain(text: &str, noticed: Span, info: &str) -> (Span, String) {
    let trouble = Trouble { lines: Lines::of(text), line: noticed.start.line, info };
    let (span, words) = CAUSES.iter().find_map(|cause| cause(&trouble)).unwrap_or_else(|| {
        let words = info.trim_end_matches('.').replace('\n', " ");
        (noticed, words)
    });
    (span, format!("not well-formed YAML: {words}"))
}

/// A syntax error, as the causes see it.
struct Trouble<'a> {
    lines: Lines<'a>,
    /// The line where the parser noticed it, from 1.
    line: u32,
    /// The parser's message.
    info: &'a str,
}

/// A place and its words, when a cause is found.
type Cause = fn(&Trouble<'_>) -> Option<(Span, String)>;

/// The causes. The first one that is found counts.
const CAUSES: &[Cause] = &[
    tab,
    template,
    unclosed_bracket,
    unclosed_quote,
    missing_space,
    missing_colon,
    missing_colon_before_value,
    colon_in_text,
    indentation,
    first_character,
];

/// Most lines that are looked at, after the place and before it.
const NEAR: u32 = 50;

fn tab(trouble: &Trouble<'_>) -> Option<(Span, String)> {
    let after = if trouble.info.contains("tab") { NEAR } else { 0 };
    let mut lines = (trouble.line..=trouble.line + after).chain(trouble.before());
    let (line, column) = lines.find_map(|line| {
        let blank = trouble.lines.get(line).chars().take_while(|c| c.is_whitespace());
        Some((line, blank.collect::<Vec<_>>().iter().position(|c| *c == '\t')?))
    })?;
    Some((span(line, column, 1), "a tab indents this line; YAML takes spaces only".to_owned()))
}

fn template(trouble: &Trouble<'_>) -> Option<(Span, String)> {
    let line =
        [trouble.line].into_iter().chain(trouble.before()).find(|line| trouble.lines.get(*line).contains("{{"))?;
    let words = "`{{` begins a template; give the text that is made of it, e.g. by `helm template`";
    Some((trouble.lines.span_of(line, "{{"), words.to_owned()))
}

fn unclosed_bracket(trouble: &Trouble<'_>) -> Option<(Span, String)> {
    const NOTICED: [&str; 6] =
        ["node content", "flow sequence", "flow mapping", "flow construct", "expected key", "illegal placement"];
    NOTICED.iter().find(|part| trouble.info.contains(**part))?;
    let (line, column, bracket) = open_bracket(&trouble.lines, trouble.line)?;
    Some((span(line, column, 1), format!("`{bracket}` is not closed")))
}

fn unclosed_quote(trouble: &Trouble<'_>) -> Option<(Span, String)> {
    const NOTICED: [&str; 3] = ["found unexpected end of stream", "unexpected document indicator", "in quoted scalar"];
    NOTICED.iter().find(|part| trouble.info.contains(**part))?;
    let column = trouble.lines.get(trouble.line).chars().position(|c| matches!(c, '"' | '\''))?;
    Some((span(trouble.line, column, 1), "the quote that opens here is not closed".to_owned()))
}

fn missing_space(trouble: &Trouble<'_>) -> Option<(Span, String)> {
    let (line, key) = trouble.around().find_map(|line| {
        let (key, value) = trouble.lines.content(line).split_once(':')?;
        let glued = is_key(key) && !value.is_empty() && !value.starts_with([' ', '\t', '/', ':']);
        (glued && !value.contains(": ")).then_some((line, key))
    })?;
    Some((trouble.lines.span_of(line, &format!("{key}:")), "a space is missing after the colon".to_owned()))
}

fn missing_colon(trouble: &Trouble<'_>) -> Option<(Span, String)> {
    let line = trouble.around().find(|line| is_key(trouble.lines.content(*line)) && trouble.begins_value(*line))?;
    let key = trouble.lines.content(line);
    Some((trouble.lines.span_of(line, key), format!("a colon is missing after `{key}`")))
}

fn missing_colon_before_value(trouble: &Trouble<'_>) -> Option<(Span, String)> {
    const NOTICED: [&str; 3] = ["mapping values", "simple key", "expected key"];
    NOTICED.iter().find(|part| trouble.info.contains(**part))?;
    let (line, key) = trouble.around().find_map(|line| {
        let (key, value) = trouble.lines.content(line).split_once(' ')?;
        let begins = !value.contains(':') && trouble.begins_entry(line) && trouble.begins_value(line);
        (is_key(key) && begins).then_some((line, key))
    })?;
    Some((trouble.lines.span_of(line, key), format!("a colon is missing after `{key}`")))
}

fn colon_in_text(trouble: &Trouble<'_>) -> Option<(Span, String)> {
    let (_, value) = trouble.lines.content(trouble.line).split_once(": ")?;
    let quoted = value.starts_with(['"', '\'', '{', '[', '|', '>', '&', '!']);
    let has_colon = value.contains(": ") || value.ends_with(':');
    let found = trouble.info.contains("mapping values") && has_colon && !quoted;
    found.then(|| (trouble.lines.span_of(trouble.line, value), "a text with a colon needs quotes".to_owned()))
}

fn indentation(trouble: &Trouble<'_>) -> Option<(Span, String)> {
    const NOTICED: [&str; 6] =
        ["mapping values", "expected key", "indent", "simple key", "'-' indicator", "document start"];
    NOTICED.iter().find(|part| trouble.info.contains(**part))?;
    let here = trouble.lines.indent(trouble.line)?;
    let before = trouble.before().find_map(|line| trouble.lines.indent(line)).filter(|before| *before != here)?;
    let words = format!("the indentation is wrong: {}, and the line before has {before}", spaces(here));
    Some((span(trouble.line, here, trouble.lines.content(trouble.line).chars().count()), words))
}

/// YAML gives these characters a meaning of their own at the beginning of a value.
fn first_character(trouble: &Trouble<'_>) -> Option<(Span, String)> {
    const NOTICED: [&str; 6] =
        ["unexpected character", "anchor or alias", "unknown anchor", "scanning a tag", "block scalar", "plain scalar"];
    NOTICED.iter().find(|part| trouble.info.contains(**part))?;
    let content = trouble.lines.content(trouble.line);
    let value = content.split_once(": ").map_or(content, |(_, value)| value.trim_start());
    let first = value.chars().next().filter(|c| "*&!%@`|>".contains(*c))?;
    // An alias of an anchor that is nowhere may be just that.
    let is_alias = value.chars().skip(1).all(|c| c.is_alphanumeric() || matches!(c, '_' | '-'));
    if is_alias && trouble.info.contains("unknown anchor") {
        return None;
    }
    Some((trouble.lines.span_of(trouble.line, value), format!("a text that begins with `{first}` needs quotes")))
}

impl Trouble<'_> {
    /// The lines before it that are near, the nearest first.
    fn before(&self) -> impl Iterator<Item = u32> + use<> {
        (self.line.saturating_sub(NEAR).max(1)..self.line).rev()
    }

    /// The line, and the last one before it that is not blank.
    fn around(&self) -> impl Iterator<Item = u32> {
        let before = self.before().find(|line| self.lines.indent(*line).is_some());
        [self.line].into_iter().chain(before)
    }

    /// Whether a key can stand in `line`: it is not the rest of a text that begins in a line before.
    fn begins_entry(&self, line: u32) -> bool {
        let before = (1..line).rev().find(|before| self.lines.indent(*before).is_some());
        let beside = |before| self.lines.indent(before) == self.lines.indent(line);
        before.is_none_or(|before| beside(before) || self.lines.content(before).ends_with(':'))
    }

    /// Whether what follows `line` can be the value of a key there, or another key.
    fn begins_value(&self, line: u32) -> bool {
        let Some(own) = self.lines.indent(line) else { return false };
        let next = (line + 1..line + NEAR).find_map(|line| Some((self.lines.indent(line)?, self.lines.content(line))));
        let continues = |line: u32| self.lines.content(line).ends_with(['|', '>', ',', '\\']);
        !self.before().any(continues) && next.is_none_or(|(indent, text)| indent >= own && text.contains(':'))
    }
}

/// The lines of a text.
struct Lines<'a>(Vec<&'a str>);

impl<'a> Lines<'a> {
    fn of(text: &'a str) -> Self {
        Self(text.lines().collect())
    }

    /// The line with a number, from 1. Empty when there is none.
    fn get(&self, line: u32) -> &'a str {
        let index = usize::try_from(line).ok().and_then(|line| line.checked_sub(1));
        index.and_then(|index| self.0.get(index)).copied().unwrap_or_default()
    }

    /// What a line says: without indentation, `- ` of lists, and its comment.
    fn content(&self, line: u32) -> &'a str {
        let text = self.get(line);
        let text = text.split_once(" #").map_or(text, |(text, _)| text).trim();
        if text.starts_with('#') { "" } else { text.trim_start_matches("- ").trim_start() }
    }

    /// The number of spaces before a line. `None` for lines that say nothing.
    fn indent(&self, line: u32) -> Option<usize> {
        let text = self.get(line);
        let says = !self.content(line).is_empty() && !matches!(text, "---" | "...");
        says.then(|| text.chars().take_while(|c| *c == ' ').count())
    }

    /// The span of a part of a line.
    fn span_of(&self, line: u32, part: &str) -> Span {
        let before = self.get(line).split(part).next().unwrap_or_default();
        span(line, before.chars().count(), part.chars().count())
    }
}

/// The innermost bracket that is open at the end of `line` or of the text: line, column from 0, and the bracket.
fn open_bracket(lines: &Lines<'_>, line: u32) -> Option<(u32, usize, char)> {
    let mut open = Vec::new();
    for number in 1..=line {
        let text = lines.get(number);
        if text.starts_with("---") {
            open.clear();
        }
        let (mut quote, mut before) = (None, ' ');
        for (column, c) in text.chars().enumerate() {
            let starts = open_or_blank(before);
            match c {
                _ if quote == Some(c) => quote = None,
                _ if quote.is_some() => {}
                '"' | '\'' if starts => quote = Some(c),
                '#' if before == ' ' => break,
                '[' | '{' if starts || !open.is_empty() => open.push((number, column, c)),
                ']' | '}' => {
                    open.pop();
                }
                _ => {}
            }
            before = c;
        }
    }
    open.pop()
}

/// Whether a value can begin after a character.
fn open_or_blank(before: char) -> bool {
    matches!(before, ' ' | '[' | '{' | ',' | ':')
}

/// Whether a text looks like a key.
fn is_key(text: &str) -> bool {
    !text.is_empty() && text.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.' | '/'))
}

fn spaces(count: usize) -> String {
    format!("{count} space{}", if count == 1 { "" } else { "s" })
}

/// The span of `length` characters after `column` others of a line.
fn span(line: u32, column: usize, length: usize) -> Span {
    let number = |count: usize| u32::try_from(count).unwrap_or(u32::MAX);
    let at = |column| Position { line, column: number(column).saturating_add(1) };
    Span { start: at(column), end: at(column + length) }
}

#[cfg(test)]
mod tests {
    use crate::documents;

    /// Checks the place and the words of the error in `text`.
    #[track_caller]
    fn check(text: &str, line: u32, column: u32, words: &str) {
        let error = documents(text).pop().and_then(Result::err).map(|error| error.to_string()).unwrap_or_default();
        assert_eq!(error, format!("line {line}, column {column}: not well-formed YAML: {words}"), "{text}");
    }

    #[test]
    fn causes() {
        let tab = "a tab indents this line; YAML takes spaces only";
        check("a:\n\tb: 1\n", 2, 1, tab);
        check("a:\n  b: 1\n\tc: 1\n", 3, 1, tab);
        check("a:\n  b: 1\n  \tc: 1\n", 3, 3, tab);
        let space = "a space is missing after the colon";
        check("spec:\n  gpu:1\n  model: x\n", 2, 3, space);
        check("kind:Pod\nmetadata: {}\n", 1, 1, space);
        check("- name:a\n  value: b\n", 1, 3, space);
        check("spec\n  gpu: 1\n", 1, 1, "a colon is missing after `spec`");
        check("a: 1\nspec\nb: 2\n", 2, 1, "a colon is missing after `spec`");
        check("spec:\n  gpu 1\n  model: x\n", 2, 3, "a colon is missing after `gpu`");
        check("a: 1\nb two three\nc: 3\n", 2, 1, "a colon is missing after `b`");
        check("a: b: c\n", 1, 4, "a text with a colon needs quotes");
        check("a: see: http://b\n", 1, 4, "a text with a colon needs quotes");
        check("m:\n  name: a\n   space: b\n", 3, 4, "the indentation is wrong: 3 spaces, and the line before has 2");
        check("m:\n  name: a\n space: b\n", 3, 2, "the indentation is wrong: 1 space, and the line before has 2");
        check("a:\n- b: 1\n   c: 2\n", 3, 4, "the indentation is wrong: 3 spaces, and the line before has 0");
        check("a: [\n", 1, 4, "`[` is not closed");
        check("a: [1, 2\nb: 3\n", 1, 4, "`[` is not closed");
        check("a: {b: 1\nc: 3\n", 1, 4, "`{` is not closed");
        check("a: \"b\nc: 1\n", 1, 4, "the quote that opens here is not closed");
        check("host: *.example.org\n", 1, 7, "a text that begins with `*` needs quotes");
        check("a: @b\n", 1, 4, "a text that begins with `@` needs quotes");
        let template = "`{{` begins a template; give the text that is made of it, e.g. by `helm template`";
        check("a: 1\n{{- if .b }}\nc: 2\n{{- end }}\n", 2, 1, template);
    }
}
