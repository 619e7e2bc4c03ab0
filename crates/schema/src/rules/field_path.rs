//! `fieldPath`: a path of fields (`.spec.name`) and of keys in brackets (`.labels['a.b/c']`).

use super::rule::FieldPath;
use crate::node::Node;
use crate::path::{Place, Segment};

/// The field below `node` at a path; `None` when the schema has no such field.
pub(super) fn field_path(path: &str, node: &Node) -> Option<FieldPath> {
    let steps = steps(path)?;
    let mut current = node;
    let mut shown = String::new();
    let mut segments = Vec::new();
    for step in steps {
        let place = if current.properties.is_empty() {
            current = current.additional.schema()?;
            Place::ROOT.key(&step).bracketed()
        } else {
            current = current.properties.get(&step)?;
            if shown.is_empty() { step.clone() } else { format!(".{step}") }
        };
        shown.push_str(&place);
        segments.push(Segment::Key(step));
    }
    (!segments.is_empty()).then_some(FieldPath { shown, segments })
}

fn steps(path: &str) -> Option<Vec<String>> {
    let mut steps = Vec::new();
    let mut rest = path;
    while !rest.is_empty() {
        if let Some(name) = rest.strip_prefix('.') {
            let end = name.find(['.', '[', ']']).unwrap_or(name.len());
            steps.push(name.get(..end).filter(|name| !name.is_empty())?.to_owned());
            rest = &name[end..];
        } else {
            let (key, after) = quoted(rest.strip_prefix("['")?)?;
            steps.push(key);
            rest = after.strip_prefix(']')?;
        }
    }
    Some(steps)
}

/// The text up to the closing quote, and the rest.
fn quoted(text: &str) -> Option<(String, &str)> {
    let mut key = String::new();
    let mut chars = text.char_indices();
    while let Some((at, c)) = chars.next() {
        match c {
            '\'' => return Some((key, &text[at + 1..])),
            '\\' => key.push(match chars.next()?.1 {
                'a' => '\u{7}',
                'b' => '\u{8}',
                'f' => '\u{c}',
                'n' => '\n',
                'r' => '\r',
                't' => '\t',
                'v' => '\u{b}',
                c @ ('\'' | '\\') => c,
                _ => return None,
            }),
            c => key.push(c),
        }
    }
    None
}
