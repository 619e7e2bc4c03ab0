//! The library of URLs.

use super::call::{Call, Evaluated};
use crate::error::RunError;
use crate::fuel::ALLOCATION;
use crate::value::Value;
use crate::value::key::Key;
use crate::value::url::Url;

pub(crate) fn parse<'a>(call: &mut Call<'_, 'a>) -> Evaluated<'a> {
    spend(call, call.text(0)?.len(), 6)?;
    let url = Url::read(call.text(0)?);
    let url =
        url.map_err(|error| RunError::failed(format!("URL parse error during conversion from string: {error}")))?;
    Ok(Value::Url(url.into()))
}

pub(crate) fn is_url<'a>(call: &mut Call<'_, 'a>) -> Evaluated<'a> {
    spend(call, call.text(0)?.len(), 2)?;
    Ok(Value::Bool(Url::parse(call.text(0)?, true).is_ok()))
}

pub(crate) fn scheme<'a>(call: &mut Call<'_, 'a>) -> Evaluated<'a> {
    part(call, |url| url.scheme.clone())
}

pub(crate) fn host<'a>(call: &mut Call<'_, 'a>) -> Evaluated<'a> {
    part(call, |url| url.host.clone())
}

pub(crate) fn hostname<'a>(call: &mut Call<'_, 'a>) -> Evaluated<'a> {
    part(call, |url| url.hostname().to_owned())
}

pub(crate) fn port<'a>(call: &mut Call<'_, 'a>) -> Evaluated<'a> {
    part(call, |url| url.split_port().1.to_owned())
}

pub(crate) fn path<'a>(call: &mut Call<'_, 'a>) -> Evaluated<'a> {
    part(call, Url::escaped_path)
}

pub(crate) fn query<'a>(call: &mut Call<'_, 'a>) -> Evaluated<'a> {
    let Value::Url(url) = call.get(0)? else { return Err(call.no_overload()) };
    spend(call, url.length(), 60)?;
    let list = |values: Vec<String>| Value::list(values.into_iter().map(Value::from).collect());
    Ok(Value::map(url.values().into_iter().map(|(key, values)| (Key::String(key.into()), list(values))).collect()))
}

fn part<'a>(call: &mut Call<'_, 'a>, part: fn(&Url) -> String) -> Evaluated<'a> {
    let Value::Url(url) = call.get(0)? else { return Err(call.no_overload()) };
    spend(call, url.length(), 20)?;
    Ok(part(url).into())
}

/// Spends the work of going over a URL, with so much for each byte.
fn spend(call: &mut Call<'_, '_>, bytes: usize, of_byte: usize) -> Result<(), RunError> {
    call.fuel.spend(2 * ALLOCATION + of_byte * bytes)
}
