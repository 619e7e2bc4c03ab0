//! The library of strings. Positions are in characters.

use super::call::{Call, Evaluated};
use super::{lists, template};
use crate::error::RunError;
use crate::fuel::{ALLOCATION, ELEMENT, Fuel};
use crate::value::Value;
use crate::value::text::Text;

/// The work of a match, and of what is made of it.
const MATCH: usize = 35;

pub(crate) fn contains<'a>(call: &mut Call<'_, 'a>) -> Evaluated<'a> {
    let (text, wanted) = (call.text(0)?, call.text(1)?);
    call.fuel.spend(text.len())?;
    Ok(Value::Bool(text.contains(&**wanted)))
}

pub(crate) fn starts_with<'a>(call: &mut Call<'_, 'a>) -> Evaluated<'a> {
    let (text, prefix) = (call.text(0)?, call.text(1)?);
    call.fuel.compare(text.len().min(prefix.len()))?;
    Ok(Value::Bool(text.starts_with(&**prefix)))
}

pub(crate) fn ends_with<'a>(call: &mut Call<'_, 'a>) -> Evaluated<'a> {
    let (text, suffix) = (call.text(0)?, call.text(1)?);
    call.fuel.compare(text.len().min(suffix.len()))?;
    Ok(Value::Bool(text.ends_with(&**suffix)))
}

pub(crate) fn char_at<'a>(call: &mut Call<'_, 'a>) -> Evaluated<'a> {
    let (text, index) = (call.text(0)?, call.int(1)?);
    let start = byte_at(text, index, call.fuel)?.ok_or_else(|| out_of_range(index))?;
    let length = text[start..].chars().next().map_or(0, char::len_utf8);
    Ok(Value::String(text.part(start..start + length, usize::from(length > 0))))
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
    call.fuel.spend(text.len())?;
    let Some(start) = byte_at(text, offset, call.fuel)? else { return Ok(Value::Int(-1)) };
    Ok(Value::Int(text[start..].find(&**wanted).map_or(-1, |found| offset + count(&text[start..start + found]))))
}

pub(crate) fn last_index_of<'a>(call: &mut Call<'_, 'a>) -> Evaluated<'a> {
    if let Value::List(_) = call.get(0)? {
        return lists::index_of(call, true);
    }
    let (text, wanted) = (call.text(0)?, call.text(1)?);
    call.fuel.spend(2 * text.len())?;
    let length = length(text, call.fuel)?;
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
    let wanted_length = self::length(wanted, call.fuel)?;
    let last = (length - wanted_length).min(*offset);
    let end = byte_at(text, last, call.fuel)?.map(|start| start + wanted.len());
    let end = end.filter(|end| text.is_char_boundary(*end));
    // A match begins at `last` or before, so it ends at most as many characters after it as `wanted` has.
    let limit = byte_at(text, last + wanted_length, call.fuel)?.or(end);
    let found = limit.and_then(|limit| text.get(..limit)?.rfind(&**wanted));
    Ok(Value::Int(found.map_or(-1, |found| count(&text[..found]))))
}

pub(crate) fn lower_ascii<'a>(call: &mut Call<'_, 'a>) -> Evaluated<'a> {
    call.fuel.spend(ALLOCATION + call.text(0)?.len())?;
    Ok(call.text(0)?.to_ascii_lowercase().into())
}

pub(crate) fn upper_ascii<'a>(call: &mut Call<'_, 'a>) -> Evaluated<'a> {
    call.fuel.spend(ALLOCATION + call.text(0)?.len())?;
    Ok(call.text(0)?.to_ascii_uppercase().into())
}

pub(crate) fn trim<'a>(call: &mut Call<'_, 'a>) -> Evaluated<'a> {
    let text = call.text(0)?;
    call.fuel.spend(2 * text.len())?;
    let trimmed = text.trim();
    let start = text.len() - text.trim_start().len();
    Ok(Value::String(text.part(start..start + trimmed.len(), trimmed.chars().count())))
}

pub(crate) fn substring<'a>(call: &mut Call<'_, 'a>) -> Evaluated<'a> {
    let (text, start) = (call.text(0)?, call.int(1)?);
    let end = match call.values.get(2) {
        Some(_) => call.int(2)?,
        None => length(text, call.fuel)?,
    };
    if call.values.len() > 2 && start > end {
        return Err(RunError::failed(format!("invalid substring range. start: {start}, end: {end}")));
    }
    let from = byte_at(text, start, call.fuel)?.ok_or_else(|| out_of_range(start))?;
    let to = byte_at(text, end, call.fuel)?.ok_or_else(|| out_of_range(end))?;
    // Only without an end the start may be behind it: then it is out of range.
    let characters = usize::try_from(end - start).unwrap_or(0);
    Ok(Value::String(text.part(from..to, characters)))
}

pub(crate) fn replace<'a>(call: &mut Call<'_, 'a>) -> Evaluated<'a> {
    let (text, old, new, times) = (call.text(0)?, call.text(1)?, call.text(2)?, call.int_or(3, -1)?);
    let times = usize::try_from(times).unwrap_or(usize::MAX);
    call.fuel.spend(ALLOCATION + 2 * text.len())?;
    let matches = if old.is_empty() {
        length(text, call.fuel)?.unsigned_abs() as usize + 1
    } else {
        text.matches(&**old).count()
    };
    let replaced = matches.min(times);
    call.fuel.spend(MATCH.saturating_mul(matches).saturating_add(replaced.saturating_mul(new.len())))?;
    Ok(text.replacen(&**old, new, times).into())
}

pub(crate) fn split<'a>(call: &mut Call<'_, 'a>) -> Evaluated<'a> {
    let (text, separator, times) = (call.text(0)?, call.text(1)?, call.int_or(2, -1)?);
    let times = usize::try_from(times).unwrap_or(usize::MAX);
    call.fuel.spend(ALLOCATION + text.len())?;
    let mut parts: Vec<Value<'a>> = Vec::new();
    let mut rest = 0;
    if separator.is_empty() {
        let mut characters = text.chars();
        while parts.len() + 1 < times
            && let Some(character) = characters.next()
        {
            call.fuel.spend(MATCH)?;
            let end = rest + character.len_utf8();
            parts.push(Value::String(text.part(rest..end, 1)));
            rest = end;
        }
    } else {
        let mut matches = text.match_indices(&**separator);
        while parts.len() + 1 < times
            && let Some((found, _)) = matches.next()
        {
            call.fuel.spend(MATCH)?;
            parts.push(Value::String(text.part(rest..found, count_of(&text[rest..found]))));
            rest = found + separator.len();
        }
    }
    // The last part is the rest of the text. Without a separator there is no empty part.
    if times > 0 && (rest < text.len() || !separator.is_empty()) {
        parts.push(Value::String(text.part(rest..text.len(), count_of(&text[rest..]))));
    }
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
            Value::String(text) => {
                call.fuel.spend(ELEMENT + text.len() + separator.len())?;
                joined.push_str(&text);
            }
            _ => return Err(RunError::failed("join: invalid input")),
        }
        call.afford(joined.len() as u64 / 20)?;
    }
    call.fuel.spend(ALLOCATION + joined.len() / 2)?;
    Ok(joined.into())
}

pub(crate) fn quote<'a>(call: &mut Call<'_, 'a>) -> Evaluated<'a> {
    let text = call.text(0)?;
    call.fuel.spend(ALLOCATION + 2 * text.len())?;
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
    call.fuel.spend(ELEMENT * call.list(1)?.len())?;
    let arguments: Vec<Value<'a>> = call.list(1)?.iter().collect::<Result<_, _>>()?;
    template::format(call.text(0)?, &arguments, call.fuel).map(Value::from)
}

/// The byte offset of the character at `index`, or of the end of the text; `None` after the end.
fn byte_at(text: &Text<'_>, index: i64, fuel: &mut Fuel) -> Result<Option<usize>, RunError> {
    let Ok(index) = usize::try_from(index) else { return Ok(None) };
    if fuel.characters(text)? == text.len() {
        return Ok((index <= text.len()).then_some(index));
    }
    fuel.scan(index.min(text.len()))?;
    let Some(before) = index.checked_sub(1) else { return Ok(Some(0)) };
    let mut characters = text.chars();
    let last = characters.nth(before);
    Ok(last.map(|_| text.len() - characters.as_str().len()))
}

/// The number of characters.
fn length(text: &Text<'_>, fuel: &mut Fuel) -> Result<i64, RunError> {
    Ok(i64::try_from(fuel.characters(text)?).unwrap_or(i64::MAX))
}

fn count(text: &str) -> i64 {
    i64::try_from(count_of(text)).unwrap_or(i64::MAX)
}

fn count_of(text: &str) -> usize {
    text.chars().count()
}

fn out_of_range(index: i64) -> RunError {
    RunError::failed(format!("index out of range: {index}"))
}
