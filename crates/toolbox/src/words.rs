//! What messages show of what somebody wrote.

use serde_json::Value;

/// A value as messages show it: in one line, and cut when it is long.
pub fn shown(value: &Value) -> String {
    match value {
        Value::Object(_) => "an object".to_owned(),
        Value::Array(_) => "a list".to_owned(),
        other => cut(&other.to_string()),
    }
}

/// Characters of somebody's text that a message repeats.
const LONGEST: usize = 64;

fn cut(text: &str) -> String {
    match text.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("`{}…`", &text[..end]),
        None => format!("`{text}`"),
    }
}
