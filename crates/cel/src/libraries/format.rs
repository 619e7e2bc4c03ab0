//! The library of named formats: `format.named()`, `validate()`, and a function for each format.

use super::call::{Call, Evaluated};
use crate::fuel::ALLOCATION;
use crate::value::Value;
use crate::value::format::lookup;

pub(crate) fn named<'a>(call: &mut Call<'_, 'a>) -> Evaluated<'a> {
    Ok(Value::Optional(lookup(call.text(0)?).map(|format| Value::Format(format).into())))
}

pub(crate) fn validate<'a>(call: &mut Call<'_, 'a>) -> Evaluated<'a> {
    let Value::Format(format) = call.get(0)? else { return Err(call.no_overload()) };
    let text = call.text(1)?;
    call.fuel.spend(10 * ALLOCATION + 10 * text.len())?;
    let problems = (format.validate)(text);
    if problems.is_empty() {
        return Ok(Value::Optional(None));
    }
    Ok(Value::some(Value::list(problems.into_iter().map(Value::from).collect())))
}

/// Defines a function without arguments for each format.
macro_rules! formats {
    ($($function:ident => $name:literal),* $(,)?) => {
        $(
            pub(crate) fn $function<'a>(call: &mut Call<'_, 'a>) -> Evaluated<'a> {
                lookup($name).map(Value::Format).ok_or_else(|| call.no_overload())
            }
        )*
    };
}

formats! {
    byte => "byte",
    date => "date",
    datetime => "datetime",
    dns1035_label => "dns1035Label",
    dns1035_label_prefix => "dns1035LabelPrefix",
    dns1123_label => "dns1123Label",
    dns1123_label_prefix => "dns1123LabelPrefix",
    dns1123_subdomain => "dns1123Subdomain",
    dns1123_subdomain_prefix => "dns1123SubdomainPrefix",
    label_value => "labelValue",
    qualified_name => "qualifiedName",
    uri => "uri",
    uuid => "uuid",
}
