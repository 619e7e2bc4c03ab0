//! Semantic versions.

use std::cmp::Ordering;
use std::sync::Arc;

use quantity::Version;

use crate::call::Call;
use crate::error::RunError;
use crate::eval::Evaluated;
use crate::value::Value;

pub(crate) fn parse<'a>(call: &mut Call<'_, 'a>) -> Evaluated<'a> {
    let version = read(call)?.map_err(|error| RunError::failed(error.to_string()))?;
    Ok(Value::Version(Arc::new(version)))
}

pub(crate) fn is_semver<'a>(call: &mut Call<'_, 'a>) -> Evaluated<'a> {
    Ok(Value::Bool(read(call)?.is_ok()))
}

pub(crate) fn major<'a>(call: &mut Call<'_, 'a>) -> Evaluated<'a> {
    part(call, |version| version.major)
}

pub(crate) fn minor<'a>(call: &mut Call<'_, 'a>) -> Evaluated<'a> {
    part(call, |version| version.minor)
}

pub(crate) fn patch<'a>(call: &mut Call<'_, 'a>) -> Evaluated<'a> {
    part(call, |version| version.patch)
}

/// The order of two versions; `None` if one is none.
pub(crate) fn compare(call: &Call<'_, '_>) -> Option<Ordering> {
    match (call.get(0).ok()?, call.get(1).ok()?) {
        (Value::Version(left), Value::Version(right)) => Some(left.cmp(right)),
        _ => None,
    }
}

fn read(call: &Call<'_, '_>) -> Result<Result<Version, quantity::VersionError>, RunError> {
    let text = call.text(0)?;
    let tolerant = match call.values.get(1) {
        None => false,
        Some(Value::Bool(tolerant)) => *tolerant,
        Some(_) => return Err(call.no_overload()),
    };
    Ok(if tolerant { Version::tolerant(text) } else { text.parse() })
}

fn part<'a>(call: &mut Call<'_, 'a>, part: fn(&Version) -> u64) -> Evaluated<'a> {
    match call.get(0)? {
        // Upstream converts to a signed integer whatever the value is.
        Value::Version(version) => Ok(Value::Int(part(version).cast_signed())),
        _ => Err(call.no_overload()),
    }
}
