//! What kubectl prints of objects differs from run to run in ages, times and versions.

/// Stands for what differs.
const LEFT_OUT: &str = "…";

/// How lines of `kubectl describe` begin that differ from run to run.
const FIELDS: &[&str] = &["Creation Timestamp:", "Last Transition Time:", "Resource Version:", "UID:"];
/// How lines begin that some runs do not have: Crossplane writes it into conditions of functions only at times.
const AT_TIMES: &str = "Observed Generation:";

/// The same text, with a mark in the place of what differs from run to run: the last column of tables when it is the age,
/// some fields of descriptions, and the end of generated names. Lines that some runs do not have are left out.
pub(super) fn masked(printed: &str) -> String {
    let mut age = None;
    let mut text = String::new();
    for line in printed.lines() {
        if line.ends_with(" AGE") {
            age = line.find(" AGE").map(|column| column + 1);
        } else if line.is_empty() {
            age = None;
        } else if line.trim_start().starts_with(AT_TIMES) {
            continue;
        } else if let Some(shown) = age.and_then(|column| line.get(..column)) {
            text += &format!("{shown}{LEFT_OUT}\n");
            continue;
        }
        text += &without_field(&without_suffixes(line));
        text.push('\n');
    }
    text
}

/// A line of a description, without the value of a field that differs.
fn without_field(line: &str) -> String {
    let field = FIELDS.iter().find(|field| line.trim_start().starts_with(**field));
    let end = field.and_then(|field| Some(line.find(field)? + field.len()));
    let value = end.and_then(|end| Some(end + line.get(end..)?.find(|it: char| it != ' ')?));
    value.and_then(|value| line.get(..value)).map_or_else(|| line.to_owned(), |kept| format!("{kept}{LEFT_OUT}"))
}

/// A line without the twelve digits that Crossplane adds to names.
fn without_suffixes(line: &str) -> String {
    const DIGITS: usize = 12;
    let words = line.split('-').enumerate().map(|(index, word)| {
        let digits = word.bytes().take_while(|it| matches!(it, b'0'..=b'9' | b'a'..=b'f')).count();
        let ends = word.as_bytes().get(DIGITS).is_none_or(|it| !it.is_ascii_alphanumeric());
        if index > 0 && digits == DIGITS && ends {
            format!("{LEFT_OUT}{}", word.get(DIGITS..).unwrap_or_default())
        } else {
            word.to_owned()
        }
    });
    words.collect::<Vec<_>>().join("-")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(printed: &str, shown: &str) {
        assert_eq!(masked(printed), shown, "{printed}");
    }

    #[test]
    fn ages() {
        check(
            "NAME  READY   AGE\na     True    4m5s\nb     False   9s\n",
            "NAME  READY   AGE\na     True    …\nb     False   …\n",
        );
        check("NAME  AGE\na     4s\n\nNAME  READY\na     True\n", "NAME  AGE\na     …\n\nNAME  READY\na     True\n");
        // Not a table.
        check("the AGE of it\n4s\n", "the AGE of it\n4s\n");
    }

    #[test]
    fn fields() {
        check("    Last Transition Time:  2026-01-01T00:00:00Z\n", "    Last Transition Time:  …\n");
        check(
            "    Reason:  A\n    Observed Generation:   4\n    Status:  True\n",
            "    Reason:  A\n    Status:  True\n",
        );
        check("    Message:  Last Transition Time: now\n", "    Message:  Last Transition Time: now\n");
    }

    #[test]
    fn names() {
        check("Name:  llama-09209-0123456789ab\n", "Name:  llama-09209-…\n");
        check("llama-0123456789ab.ml\n", "llama-….ml\n");
        // Names of our own have five digits, and words are no digits.
        check("llama-09209 a-0123456789abc\n", "llama-09209 a-0123456789abc\n");
    }
}
