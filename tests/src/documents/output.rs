//! Compares the shown output of commands with their real output.

use std::collections::BTreeMap;
use std::fs;

use super::commands::Command;
use super::shell::Printed;
use crate::files::workspace;

/// Stands for output that is not shown.
const LEFT_OUT: &str = "…";

/// Whether the shown output matches the printed one.
fn agrees(shown: &str, printed: &str) -> bool {
    let (shown, printed): (Vec<_>, Vec<_>) = (shown.lines().collect(), printed.lines().collect());
    fits(&shown, &printed, |line| *line == LEFT_OUT, |shown, printed| line_agrees(shown, printed))
}

/// The printed output, when it differs from the shown output.
///
/// # Errors
/// The printed output, when the command failed and no output is shown.
pub fn judge(command: &Command, printed: Printed) -> Result<Option<String>, String> {
    let shown = command.output.as_ref().map(|output| output.text.as_str());
    if !printed.ok && !shown.is_some_and(|shown| !shown.is_empty() || blessing()) {
        return Err(printed.text);
    }
    Ok(shown.is_some_and(|shown| !agrees(shown, &printed.text)).then_some(printed.text))
}

/// A message for people about a difference.
pub fn difference(Command { document, line, text, .. }: &Command, printed: &str) -> String {
    format!("{document}:{line}: BLESS=1 corrects what is shown\n$ {text}\n{printed}")
}

/// Whether documents are corrected instead of compared.
pub fn blessing() -> bool {
    std::env::var_os("BLESS").is_some()
}

/// Replaces the shown output of commands by their printed output.
pub fn correct(printed: &[(Command, String)]) {
    let mut by_document: BTreeMap<&str, Vec<_>> = BTreeMap::new();
    for (command, printed) in printed {
        let output = command.output.as_ref().expect("a command that is shown to print something");
        by_document.entry(&command.document).or_default().push((output, printed));
    }
    for (document, mut outputs) in by_document {
        // From the end, so that the lines before do not move.
        outputs.sort_by_key(|(output, _)| std::cmp::Reverse(output.line));
        let path = workspace().join(document);
        let text = fs::read_to_string(&path).expect("it was read before");
        let mut lines: Vec<_> = text.lines().map(str::to_owned).collect();
        for (output, printed) in outputs {
            let begin = output.line - 1;
            let replaced = printed.lines().map(|line| format!("{}{line}", output.indent).trim_end().to_owned());
            lines.splice(begin..begin + output.text.lines().count(), replaced);
        }
        fs::write(path, lines.join("\n") + "\n").expect("the checkout can be written to");
    }
}

fn line_agrees(shown: &str, printed: &str) -> bool {
    let (shown, printed) = (timeless(shown.trim_end()), timeless(printed.trim_end()));
    let Some((first, rest)) = shown.split_once(LEFT_OUT) else { return shown == printed };
    let Some(mut left) = printed.strip_prefix(first) else { return false };
    let mut parts: Vec<_> = rest.split(LEFT_OUT).collect();
    let last = parts.pop().unwrap_or_default();
    for part in parts {
        let Some((_, after)) = left.split_once(part) else { return false };
        left = after;
    }
    left.ends_with(last)
}

/// The line without durations.
fn timeless(line: &str) -> String {
    let masked = |word: &str, next: Option<&&str>| {
        let is_figure = word.bytes().all(|byte| byte.is_ascii_digit()) && !word.is_empty();
        if is_figure && next == Some(&"ms") { "0".to_owned() } else { word.to_owned() }
    };
    let words: Vec<_> = line.split(' ').collect();
    let masked: Vec<_> = words.iter().enumerate().map(|(i, word)| masked(word, words.get(i + 1))).collect();
    masked.join(" ")
}

/// Whether the items of `shown` match those of `printed`, in order. An item for which `any` is true matches any number.
fn fits<T>(shown: &[T], printed: &[T], any: impl Fn(&T) -> bool + Copy, same: impl Fn(&T, &T) -> bool + Copy) -> bool {
    match (shown.split_first(), printed.split_first()) {
        (None, rest) => rest.is_none(),
        (Some((one, others)), _) if any(one) => {
            (0..=printed.len()).any(|skipped| fits(others, &printed[skipped..], any, same))
        }
        (Some((one, others)), Some((line, rest))) => same(one, line) && fits(others, rest, any, same),
        (Some(_), None) => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn agreement() {
        for (shown, printed, expected) in [
            ("", "", true),
            ("a\n", "a\n", true),
            ("a\n", "b\n", false),
            ("a\n", "", false),
            ("", "a\n", false),
            ("…\n", "", true),
            ("…\n", "a\nb\n", true),
            ("a\n…\nd\n", "a\nb\nc\nd\n", true),
            ("a\n…\nd\n", "a\nb\nc\n", false),
            ("…\nb\n…\n", "a\nb\nc\n", true),
            ("a …\n", "a b\n", true),
            ("a … c … e\n", "a b c d e\n", true),
            ("a … c\n", "a b\n", false),
            ("took 17 ms\n", "took 9 ms\n", true),
            ("took 17 s\n", "took 9 s\n", false),
            ("took 17 ms\n", "took 9 ms more\n", false),
        ] {
            assert_eq!(agrees(shown, printed), expected, "{shown:?} and {printed:?}");
        }
    }
}
