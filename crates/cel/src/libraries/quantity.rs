//! The library of quantities.

use std::cmp::Ordering;
use std::sync::Arc;

use quantity::Quantity;

use super::call::{Call, Evaluated};
use super::version;
use crate::error::RunError;
use crate::fuel::ALLOCATION;
use crate::value::{Amount, Value};

/// The work of reading a short quantity.
const READING: usize = 60;

pub(crate) fn parse<'a>(call: &mut Call<'_, 'a>) -> Evaluated<'a> {
    spend_reading(call)?;
    call.text(0)?.parse::<Quantity>().map(Value::from).map_err(|error| RunError::failed(words(error)))
}

pub(crate) fn is_quantity<'a>(call: &mut Call<'_, 'a>) -> Evaluated<'a> {
    spend_reading(call)?;
    Ok(Value::Bool(call.text(0)?.parse::<Quantity>().is_ok()))
}

pub(crate) fn sign<'a>(call: &mut Call<'_, 'a>) -> Evaluated<'a> {
    Ok(Value::Int(i64::from(call.amounts.get(amount(call, 0)?).sign())))
}

pub(crate) fn is_integer<'a>(call: &mut Call<'_, 'a>) -> Evaluated<'a> {
    Ok(Value::Bool(call.amounts.get(amount(call, 0)?).to_integer().is_some()))
}

pub(crate) fn as_integer<'a>(call: &mut Call<'_, 'a>) -> Evaluated<'a> {
    let integer = call.amounts.get(amount(call, 0)?).to_integer();
    integer.map(Value::Int).ok_or_else(|| RunError::failed("cannot convert value to integer"))
}

/// The mantissa times a power of ten, both as doubles, as upstream.
pub(crate) fn as_approximate_float<'a>(call: &mut Call<'_, 'a>) -> Evaluated<'a> {
    let quantity = call.amounts.get(amount(call, 0)?);
    call.fuel.spend(READING + 20 * quantity.digits())?;
    let mantissa = quantity.mantissa();
    let base = match mantissa.zeros {
        0 => mantissa.digits.parse(),
        zeros => format!("{}e{zeros}", mantissa.digits).parse(),
    };
    let base: f64 = base.unwrap_or(f64::NAN);
    if mantissa.exponent == 0 {
        return Ok(Value::Double(base));
    }
    let power: f64 = format!("1e{}", mantissa.exponent).parse().unwrap_or(f64::NAN);
    Ok(Value::Double(base * power))
}

pub(crate) fn compare_to<'a>(call: &mut Call<'_, 'a>) -> Evaluated<'a> {
    compare(call).map(|order| Value::Int(order as i64))
}

pub(crate) fn is_greater_than<'a>(call: &mut Call<'_, 'a>) -> Evaluated<'a> {
    compare(call).map(|order| Value::Bool(order.is_gt()))
}

pub(crate) fn is_less_than<'a>(call: &mut Call<'_, 'a>) -> Evaluated<'a> {
    compare(call).map(|order| Value::Bool(order.is_lt()))
}

pub(crate) fn add<'a>(call: &mut Call<'_, 'a>) -> Evaluated<'a> {
    sum(call, |left, right| left.add(&right))
}

pub(crate) fn subtract<'a>(call: &mut Call<'_, 'a>) -> Evaluated<'a> {
    sum(call, |left, right| left.subtract(&right))
}

/// Compares quantities, or versions, whose functions have the same names.
fn compare(call: &mut Call<'_, '_>) -> Result<Ordering, RunError> {
    if let Some(order) = version::compare(call)? {
        return Ok(order);
    }
    let (left, right) = (amount(call, 0)?, amount(call, 1)?);
    let (mine, other) = (call.amounts.get(left), call.amounts.get(right));
    call.fuel.spend(2 * ALLOCATION + 2 * mine.digits().saturating_add(other.digits()))?;
    let order = mine.cmp(other);
    if mine.is_small() && !other.is_small() {
        let promoted = mine.promoted();
        call.amounts.set(left, promoted);
    }
    Ok(order)
}

fn sum<'a>(
    call: &mut Call<'_, 'a>,
    sum: impl Fn(&Quantity, Quantity) -> Result<Quantity, quantity::TooLong>,
) -> Evaluated<'a> {
    let left = amount(call, 0)?;
    let mine = call.amounts.get(left);
    let other = match call.get(1)? {
        Value::Int(other) => Quantity::from(*other),
        _ => call.amounts.get(amount(call, 1)?).clone(),
    };
    let was_small = mine.is_small();
    let result = sum(mine, other).map_err(|error| RunError::failed(error.to_string()))?;
    call.fuel.spend(2 * ALLOCATION + 10 * result.digits())?;
    if was_small {
        return Ok(Value::Quantity(Amount { shared: Arc::new(result), computed: true }));
    }
    call.amounts.set(left, result);
    Ok(Value::Quantity(Amount { shared: left.shared.clone(), computed: true }))
}

fn amount<'c, 'a>(call: &Call<'c, 'a>, index: usize) -> Result<&'c Amount, RunError> {
    if let Value::Quantity(amount) = call.get(index)? { Ok(amount) } else { Err(call.no_overload()) }
}

/// Spends the work of reading a quantity.
fn spend_reading(call: &mut Call<'_, '_>) -> Result<(), RunError> {
    let bytes = call.text(0)?.len();
    // A number that does not fit 64 bits is read digit by digit.
    let of_byte = if bytes > 18 { 12 } else { 3 };
    call.fuel.spend(READING + of_byte * bytes)
}

/// The message of Kubernetes for a malformed quantity.
fn words(error: quantity::ParseError) -> &'static str {
    match error {
        quantity::ParseError::Form => {
            "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'"
        }
        quantity::ParseError::Number => "unable to parse numeric part of quantity",
        quantity::ParseError::Suffix => "unable to parse quantity's suffix",
    }
}
