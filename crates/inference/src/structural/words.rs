//! What problems say: what is there, and what would be right.

use serde_json::Value;

use crate::problem::{Code, Edit, Problem};

/// What would be right, in words, with the example that the description gives.
pub(super) fn expected(schema: &Value) -> String {
    if let Some(allowed) = schema["enum"].as_array() {
        let listed: Vec<_> = allowed.iter().map(shown).collect();
        return listed.join(" or ");
    }
    let name = type_name(schema["type"].as_str().unwrap_or_default());
    let description = schema["description"].as_str().and_then(|text| text.split_once("e.g. "));
    match description.and_then(|(_, rest)| rest.split('`').nth(1)) {
        Some(example) => format!("{name}{} like `{example}`", bounds(schema)),
        None => format!("{name}{}", bounds(schema)),
    }
}

/// A value as messages show it: in one line, and cut when it is long.
pub(crate) fn shown(value: &Value) -> String {
    match value {
        Value::Object(_) => "an object".to_owned(),
        Value::Array(_) => "a list".to_owned(),
        other => cut_spelled(&other.to_string()),
    }
}

/// A field that the object may not have, with the one that was probably meant.
pub(super) fn unknown_field(known: &[(&str, bool)], name: &str, at: String) -> Problem {
    // Beyond a third of its letters a name is another word, not a slip; and what is there already was not meant.
    let likely =
        |word: &str| (name.len() <= LONGEST).then(|| distance(name, word)).filter(|&far| far <= word.len().div_ceil(3));
    let closest =
        known.iter().filter(|(_, present)| !present).filter_map(|&(word, _)| Some((likely(word)?, word))).min();
    let shown = cut(name);
    let (message, fix) = match closest {
        Some((_, meant)) => (format!("unknown field {shown}; did you mean `{meant}`"), Edit::Rename(meant.to_owned())),
        None => {
            let words: Vec<_> = known.iter().map(|(word, _)| *word).collect();
            (format!("unknown field {shown}; known are {}", words.join(", ")), Edit::Remove)
        }
    };
    Problem::new(at, Code::UnknownField, message).with_fix(fix)
}

/// Characters of somebody's text that a message repeats.
const LONGEST: usize = 64;

/// Somebody's text as messages show it: in one line, and cut when it is long.
pub(crate) fn cut(text: &str) -> String {
    cut_spelled(&text.chars().take(LONGEST + 1).collect::<String>().escape_debug().to_string())
}

fn cut_spelled(text: &str) -> String {
    match text.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("`{}…`", &text[..end]),
        None => format!("`{text}`"),
    }
}

/// What a type is called in messages.
fn type_name(name: &str) -> &'static str {
    match name {
        "object" => "an object",
        "array" => "a list",
        "string" => "a string",
        "boolean" => "`true` or `false`",
        "number" => "a number",
        "integer" => "a whole number",
        _ => "a value",
    }
}

fn bounds(schema: &Value) -> String {
    match (schema["minimum"].as_i64(), schema["maximum"].as_i64()) {
        (Some(least), Some(most)) => format!(" from {least} to {most}"),
        (Some(least), None) => format!(" of at least {least}"),
        (None, Some(most)) => format!(" of at most {most}"),
        (None, None) => String::new(),
    }
}

/// How many letters must be put in, left out or exchanged to make one word of the other (Levenshtein).
fn distance(one: &str, other: &str) -> usize {
    let other: Vec<char> = other.chars().collect();
    let mut row: Vec<usize> = (0..=other.len()).collect();
    for (i, a) in one.chars().enumerate() {
        let mut diagonal = std::mem::replace(&mut row[0], i + 1);
        for (j, &b) in other.iter().enumerate() {
            let exchanged = diagonal + usize::from(!a.eq_ignore_ascii_case(&b));
            diagonal = row[j + 1];
            row[j + 1] = exchanged.min(diagonal + 1).min(row[j] + 1);
        }
    }
    row[other.len()]
}
