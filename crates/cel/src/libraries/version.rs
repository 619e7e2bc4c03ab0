//! The library of semantic versions.

use std::cmp::Ordering;
use std::sync::Arc;

use quantity::{Version, VersionError};

use super::call::{Call, Evaluated};
use crate::error::RunError;
use crate::value::Value;

pub(crate) fn parse<'a>(call: &mut Call<'_, 'a>) -> Evaluated<'a> {
    let version = read(call)?.map_err(|error| RunError::failed(words(&error)))?;
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

/// The order of two versions; `None` if an argument is not a version.
pub(crate) fn compare(call: &mut Call<'_, '_>) -> Result<Option<Ordering>, RunError> {
    match (call.get(0)?, call.get(1)?) {
        (Value::Version(left), Value::Version(right)) => {
            call.fuel.spend(left.length().min(right.length()))?;
            Ok(Some(left.cmp(right)))
        }
        _ => Ok(None),
    }
}

fn read(call: &mut Call<'_, '_>) -> Result<Result<Version, VersionError>, RunError> {
    let text = call.text(0)?;
    call.fuel.spend(200 + 20 * text.len())?;
    let tolerant = match call.values.get(1) {
        None => false,
        Some(Value::Bool(tolerant)) => *tolerant,
        Some(_) => return Err(call.no_overload()),
    };
    Ok(if tolerant { Version::tolerant(text) } else { text.parse() })
}

fn part<'a>(call: &mut Call<'_, 'a>, part: fn(&Version) -> u64) -> Evaluated<'a> {
    match call.get(0)? {
        // Upstream converts to a signed integer without a check.
        Value::Version(version) => Ok(Value::Int(part(version).cast_signed())),
        _ => Err(call.no_overload()),
    }
}

/// The message of upstream for a malformed version.
fn words(error: &VersionError) -> String {
    let label = |part: &str| if part == "build" { "build meta data" } else { "prerelease" }.to_owned();
    match error {
        VersionError::Empty => "Version string empty".to_owned(),
        VersionError::Parts => "No Major.Minor.Patch elements found".to_owned(),
        VersionError::ShortWithLabels => "short version cannot contain PreRelease/Build meta data".to_owned(),
        VersionError::EmptyIdentifier("build") => "Build meta data is empty".to_owned(),
        VersionError::EmptyIdentifier(_) => "Prerelease is empty".to_owned(),
        VersionError::Characters(part @ ("build" | "pre-release"), text) => {
            format!("Invalid character(s) found in {} {text:?}", label(part))
        }
        VersionError::Characters(_, text) if text.is_empty() => {
            "strconv.ParseUint: parsing \"\": invalid syntax".to_owned()
        }
        VersionError::Characters(part, text) => format!("Invalid character(s) found in {part} number {text:?}"),
        VersionError::LeadingZeros("pre-release", text) => {
            format!("Numeric PreRelease version must not contain leading zeroes {text:?}")
        }
        VersionError::LeadingZeros(part, text) => {
            let part = part.split_at(1);
            format!("{}{} number must not contain leading zeroes {text:?}", part.0.to_uppercase(), part.1)
        }
        VersionError::Range(text) => format!("strconv.ParseUint: parsing {text:?}: value out of range"),
    }
}
