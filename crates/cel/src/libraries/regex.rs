//! `matches`, `find` and `findAll`.

use super::call::{Call, Evaluated};
use crate::error::RunError;
use crate::fuel::Fuel;
use crate::regex::{Regex, Searcher};
use crate::value::Value;
use crate::value::text::Text;

pub(crate) fn matches<'a>(call: &mut Call<'_, 'a>) -> Evaluated<'a> {
    let text = call.text(0)?;
    with_pattern(call, |regex, searcher, fuel| searcher.is_match(regex, text, fuel)).map(Value::Bool)
}

pub(crate) fn find<'a>(call: &mut Call<'_, 'a>) -> Evaluated<'a> {
    let found = found(call, 1)?.into_iter().next();
    Ok(Value::String(found.unwrap_or(Text::borrowed(""))))
}

pub(crate) fn find_all<'a>(call: &mut Call<'_, 'a>) -> Evaluated<'a> {
    let count = usize::try_from(call.int_or(2, -1)?).unwrap_or(usize::MAX);
    Ok(Value::list(found(call, count)?.into_iter().map(Value::String).collect()))
}

/// The first `count` matches.
fn found<'a>(call: &mut Call<'_, 'a>, count: usize) -> Result<Vec<Text<'a>>, RunError> {
    let text = call.text(0)?;
    with_pattern(call, |regex, searcher, fuel| {
        let found = searcher.find(regex, text, count, fuel)?;
        Ok(found.into_iter().map(|(start, part)| text.part(start..start + part.len(), part.chars().count())).collect())
    })
}

/// Calls `then` with the compiled pattern. A pattern that is not a constant is compiled now.
fn with_pattern<T>(
    call: &mut Call<'_, '_>,
    then: impl FnOnce(&Regex, &mut Searcher, &mut Fuel) -> Result<T, RunError>,
) -> Result<T, RunError> {
    if let Some(regex) = call.regex {
        return then(regex, call.caches.of(regex, call.fuel)?, call.fuel);
    }
    let pattern = call.text(1)?;
    let regex = Regex::compile(pattern, call.fuel).map_err(|error| match call.function {
        "matches" => error,
        _ if error.is_final() => error,
        _ => RunError::failed(format!("Illegal regex: {}", error.message)),
    })?;
    then(&regex, &mut Searcher::new(&regex, call.fuel)?, call.fuel)
}
