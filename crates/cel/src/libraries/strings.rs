//! The library of strings. Positions are in characters.

use super::call::{Call, Evaluated};
use super::{lists, template};
use crate::error::RunError;
use crate::value::Value;
use crate::value::text::Text;

pub(crate) fn contains<'a>(call: &mut Call<'_, 'a>) -> Evaluated<'a> {
    Ok(Value::Bool(call.text(0)?.contains(&**call.text(1)?)))
}

pub(crate) fn starts_with<'a>(call: &mut Call<'_, 'a>) -> Evaluated<'a> {
    Ok(Value::Bool(call.text(0)?.starts_with(&**call.text(1)?)))
}

pub(crate) fn ends_with<'a>(call: &mut Call<'_, 'a>) -> Evaluated<'a> {
    Ok(Value::Bool(call.text(0)?.ends_with(&**call.text(1)?)))
}

pub(crate) fn char_at<'a>(call: &mut Call<'_, 'a>) -> Evaluated<'a> {
    let (text, index) = (call.text(0)?, call.int(1)?);
    let start = byte_at(text, index).ok_or_else(|| out_of_range(index))?;
    let length = text[start..].chars().next().map_or(0, char::len_utf8);
    Ok(part(text, start, start + length))
}

pub(crate) fn index_of<'a>(call: &mut Call<'_, 'a>) -> Evaluated<'a> {
    if let Value::List(_) = call.get(0)? {
        return lists::index_of(call, false);
    }
    let (text, wanted, offset) = (call.text(0)?, call.text(1)?, call.int_or(2, 0)?);
    if wanted.is_empty() {
        return Ok(Value::Int(offset));
    }
    if offset < 0 {
        return Err(out_of_range(offset));
    }
    let Some(start) = byte_at(text, offset) else { return Ok(Value::Int(-1)) };
    Ok(Value::Int(text[start..].find(&**wanted).map_or(-1, |found| offset + count(&text[start..start + found]))))
}

pub(crate) fn last_index_of<'a>(call: &mut Call<'_, 'a>) -> Evaluated<'a> {
    if let Value::List(_) = call.get(0)? {
        return lists::index_of(call, true);
    }
    let (text, wanted) = (call.text(0)?, call.text(1)?);
    let length = count(text);
    let Some(Value::Int(offset)) = call.values.get(2) else {
        let found = if wanted.is_empty() { Some(text.len()) } else { text.rfind(&**wanted) };
        return Ok(Value::Int(found.map_or(-1, |found| count(&text[..found]))));
    };
    if wanted.is_empty() {
        return Ok(Value::Int(*offset));
    }
    if *offset < 0 {
        return Err(out_of_range(*offset));
    }
    if *offset >= length {
        return Ok(Value::Int(-1));
    }
    let last = (length - count(wanted)).min(*offset);
    let end = byte_at(text, last).map(|start| start + wanted.len()).filter(|end| text.is_char_boundary(*end));
    // A match begins at `last` or before, so it ends at most as many characters after it as `wanted` has.
    let limit = byte_at(text, last + count(wanted)).or(end);
    let found = limit.and_then(|limit| text.get(..limit)?.rfind(&**wanted));
    Ok(Value::Int(found.map_or(-1, |found| count(&text[..found]))))
}

pub(crate) fn lower_ascii<'a>(call: &mut Call<'_, 'a>) -> Evaluated<'a> {
    Ok(call.text(0)?.to_ascii_lowercase().into())
}

pub(crate) fn upper_ascii<'a>(call: &mut Call<'_, 'a>) -> Evaluated<'a> {
    Ok(call.text(0)?.to_ascii_uppercase().into())
}

pub(crate) fn trim<'a>(call: &mut Call<'_, 'a>) -> Evaluated<'a> {
    Ok(call.text(0)?.trim().to_owned().into())
}

pub(crate) fn substring<'a>(call: &mut Call<'_, 'a>) -> Evaluated<'a> {
    let (text, start) = (call.text(0)?, call.int(1)?);
    let end = call.int_or(2, count(text))?;
    if call.values.len() > 2 && start > end {
        return Err(RunError::failed(format!("invalid substring range. start: {start}, end: {end}")));
    }
    let from = byte_at(text, start).ok_or_else(|| out_of_range(start))?;
    let to = byte_at(text, end).ok_or_else(|| out_of_range(end))?;
    Ok(part(text, from, to))
}

pub(crate) fn replace<'a>(call: &mut Call<'_, 'a>) -> Evaluated<'a> {
    let (text, old, new, times) = (call.text(0)?, call.text(1)?, call.text(2)?, call.int_or(3, -1)?);
    let times = usize::try_from(times).unwrap_or(usize::MAX);
    let matches = if old.is_empty() { text.chars().count() + 1 } else { text.matches(&**old).count() };
    call.fuel.spend(text.len().saturating_add(matches.min(times).saturating_mul(new.len())) / 8)?;
    Ok(text.replacen(&**old, new, times).into())
}

pub(crate) fn split<'a>(call: &mut Call<'_, 'a>) -> Evaluated<'a> {
    let (text, separator, times) = (call.text(0)?, call.text(1)?, call.int_or(2, -1)?);
    let times = usize::try_from(times).unwrap_or(usize::MAX);
    call.fuel.spend(text.len() / 8)?;
    let parts: Vec<Value<'a>> = match (times, separator.is_empty()) {
        (0, _) => Vec::new(),
        (_, false) => text.splitn(times, &**separator).map(|part| part.to_owned().into()).collect(),
        (_, true) => {
            // The last part is the rest of the text.
            let mut ends: Vec<usize> = text.char_indices().map(|(index, _)| index).skip(1).take(times - 1).collect();
            ends.push(text.len());
            let mut start = 0;
            let parts = ends.into_iter().map(|end| part(text, std::mem::replace(&mut start, end), end));
            if text.is_empty() { Vec::new() } else { parts.collect() }
        }
    };
    Ok(Value::list(parts))
}

pub(crate) fn join<'a>(call: &mut Call<'_, 'a>) -> Evaluated<'a> {
    let separator = if call.values.len() > 1 { &**call.text(1)? } else { "" };
    let mut joined = String::new();
    for (index, element) in call.list(0)?.iter().enumerate() {
        if index > 0 {
            joined.push_str(separator);
        }
        match element? {
            Value::String(text) => joined.push_str(&text),
            _ => return Err(RunError::failed("join: invalid input")),
        }
        call.afford(joined.len() as u64 / 20)?;
    }
    Ok(joined.into())
}

pub(crate) fn quote<'a>(call: &mut Call<'_, 'a>) -> Evaluated<'a> {
    let text = call.text(0)?;
    let mut quoted = String::with_capacity(text.len() + 2);
    quoted.push('"');
    for character in text.chars() {
        match character {
            '\x07' => quoted.push_str("\\a"),
            '\x08' => quoted.push_str("\\b"),
            '\x0c' => quoted.push_str("\\f"),
            '\n' => quoted.push_str("\\n"),
            '\r' => quoted.push_str("\\r"),
            '\t' => quoted.push_str("\\t"),
            '\x0b' => quoted.push_str("\\v"),
            '\\' => quoted.push_str("\\\\"),
            '"' => quoted.push_str("\\\""),
            other => quoted.push(other),
        }
    }
    quoted.push('"');
    Ok(quoted.into())
}

pub(crate) fn format<'a>(call: &mut Call<'_, 'a>) -> Evaluated<'a> {
    let arguments: Vec<Value<'a>> = call.list(1)?.iter().collect::<Result<_, _>>()?;
    template::format(call.text(0)?, &arguments, call.fuel).map(Value::from)
}

/// The byte offset of the character at `index`, or of the end of the text; `None` after the end.
fn byte_at(text: &str, index: i64) -> Option<usize> {
    let index = usize::try_from(index).ok()?;
    text.char_indices().map(|(byte, _)| byte).chain([text.len()]).nth(index)
}

fn count(text: &str) -> i64 {
    i64::try_from(text.chars().count()).unwrap_or(i64::MAX)
}

fn part<'a>(text: &Text<'a>, from: usize, to: usize) -> Value<'a> {
    match text {
        Text::Borrowed(text) => Value::text(&text[from..to]),
        Text::Shared(text) => Value::String(Text::Shared(text[from..to].into())),
    }
}

fn out_of_range(index: i64) -> RunError {
    RunError::failed(format!("index out of range: {index}"))
}
