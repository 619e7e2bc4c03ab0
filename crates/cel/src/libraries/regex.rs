//! `matches`, `find` and `findAll`.

use super::call::{Call, Evaluated};
use crate::error::RunError;
use crate::fuel::Fuel;
use crate::regex::Regex;
use crate::value::Value;

pub(crate) fn matches<'a>(call: &mut Call<'_, 'a>) -> Evaluated<'a> {
    let text = call.text(0)?;
    with_pattern(call, |regex, fuel| regex.is_match(text, fuel)).map(Value::Bool)
}

pub(crate) fn find<'a>(call: &mut Call<'_, 'a>) -> Evaluated<'a> {
    let text = call.text(0)?;
    let found = with_pattern(call, |regex, fuel| regex.find(text, 1, fuel))?;
    Ok(found.first().copied().unwrap_or_default().to_owned().into())
}

pub(crate) fn find_all<'a>(call: &mut Call<'_, 'a>) -> Evaluated<'a> {
    let (text, count) = (call.text(0)?, call.int_or(2, -1)?);
    let count = usize::try_from(count).unwrap_or(usize::MAX);
    let found = with_pattern(call, |regex, fuel| regex.find(text, count, fuel))?;
    Ok(Value::list(found.into_iter().map(|text| text.to_owned().into()).collect()))
}

/// Calls `then` with the compiled pattern. A pattern that is not a constant is compiled now.
fn with_pattern<T>(
    call: &mut Call<'_, '_>,
    then: impl FnOnce(&Regex, &mut Fuel) -> Result<T, RunError>,
) -> Result<T, RunError> {
    if let Some(regex) = call.regex {
        return then(regex, call.fuel);
    }
    let pattern = call.text(1)?;
    let regex = Regex::with_fuel(pattern, call.fuel).map_err(|error| match call.function {
        "matches" => error,
        _ if error.is_final() => error,
        _ => RunError::failed(format!("Illegal regex: {}", error.message)),
    })?;
    then(&regex, call.fuel)
}
