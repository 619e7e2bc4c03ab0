//! Errors with their causes as text.

use crate::foreign::visible;

/// An error and its causes in one line. Many errors repeat their cause: each text is said once.
pub(crate) fn in_one_line(error: &anyhow::Error) -> String {
    let mut line = String::new();
    for cause in error.chain().map(ToString::to_string) {
        if line.is_empty() {
            line = cause;
        } else if !line.contains(cause.as_str()) {
            line = format!("{line}: {cause}");
        }
    }
    visible(&line).into_owned()
}

/// The lines of a text in one.
pub(crate) fn joined(text: &str) -> String {
    text.lines().map(str::trim).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use anyhow::anyhow;

    use super::*;

    #[test]
    fn each_cause_is_said_once() {
        for (chain, expected) in [
            (&["no file"][..], "no file"),
            (&["no file", "cannot read a"], "cannot read a: no file"),
            (&["no file", "cannot read a: no file", "not loaded"], "not loaded: cannot read a: no file"),
            (&["no file", "a: (no file), b: (no file)", "a: (no file), b: (no file)"], "a: (no file), b: (no file)"),
            (&["two\nlines"], "two\\nlines"),
        ] {
            let mut texts = chain.iter();
            let first = anyhow!(texts.next().copied().unwrap_or_default());
            assert_eq!(in_one_line(&texts.fold(first, |error, text| error.context(*text))), expected);
        }
    }
}
