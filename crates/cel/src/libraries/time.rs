//! Accessors of timestamps and durations.

use quantity::Moment;

use super::call::{Call, Evaluated};
use crate::error::RunError;
use crate::time::Duration;
use crate::value::Value;

const SECOND: i64 = 1_000_000_000;

pub(crate) fn year<'a>(call: &mut Call<'_, 'a>) -> Evaluated<'a> {
    moment(call, |at| at.date.year())
}

pub(crate) fn month<'a>(call: &mut Call<'_, 'a>) -> Evaluated<'a> {
    moment(call, |at| at.date.month() - 1)
}

pub(crate) fn date<'a>(call: &mut Call<'_, 'a>) -> Evaluated<'a> {
    moment(call, |at| at.date.day())
}

pub(crate) fn day_of_month<'a>(call: &mut Call<'_, 'a>) -> Evaluated<'a> {
    moment(call, |at| at.date.day() - 1)
}

pub(crate) fn day_of_week<'a>(call: &mut Call<'_, 'a>) -> Evaluated<'a> {
    moment(call, |at| at.date.day_of_week())
}

pub(crate) fn day_of_year<'a>(call: &mut Call<'_, 'a>) -> Evaluated<'a> {
    moment(call, |at| at.date.day_of_year())
}

pub(crate) fn hours<'a>(call: &mut Call<'_, 'a>) -> Evaluated<'a> {
    either(call, 3600 * SECOND, |at| at.hour)
}

pub(crate) fn minutes<'a>(call: &mut Call<'_, 'a>) -> Evaluated<'a> {
    either(call, 60 * SECOND, |at| at.minute)
}

pub(crate) fn seconds<'a>(call: &mut Call<'_, 'a>) -> Evaluated<'a> {
    either(call, SECOND, |at| at.second)
}

pub(crate) fn milliseconds<'a>(call: &mut Call<'_, 'a>) -> Evaluated<'a> {
    either(call, SECOND / 1000, |at| at.nanosecond / 1_000_000)
}

/// A duration in whole units, or a part of a timestamp.
fn either<'a>(call: &mut Call<'_, 'a>, unit: i64, show: fn(Moment) -> i64) -> Evaluated<'a> {
    match call.get(0)? {
        Value::Duration(Duration(nanos)) => Ok(Value::Int(nanos / unit)),
        _ => moment(call, show),
    }
}

fn moment<'a>(call: &mut Call<'_, 'a>, show: fn(Moment) -> i64) -> Evaluated<'a> {
    let Value::Timestamp(time) = call.get(0)? else { return Err(call.no_overload()) };
    let offset = if call.values.len() > 1 { offset_of(call.text(1)?)? } else { 0 };
    Ok(Value::Int(show(time.at(offset))))
}

/// The UTC offset of a time zone, in seconds: `UTC`, or an offset like `+02:00`.
fn offset_of(zone: &str) -> Result<i64, RunError> {
    let Some((hours, minutes)) = zone.split_once(':') else {
        let known = matches!(zone, "" | "UTC");
        return if known { Ok(0) } else { Err(RunError::failed(format!("unknown time zone {zone}"))) };
    };
    let number = |text: &str| {
        text.parse::<i32>().map(i64::from).map_err(|_| RunError::failed(format!("invalid time zone {zone}")))
    };
    let (hours, minutes) = (number(hours)?, number(minutes)?);
    // The sign is that of the hours, which may be `-00`.
    let minutes = if zone.starts_with('-') { -minutes } else { minutes };
    Ok((hours * 60 + minutes) * 60)
}
