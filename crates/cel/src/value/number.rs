//! Conversions of numbers.

/// The integer that equals a double, if there is one.
pub(crate) fn exact_int(double: f64) -> Option<i64> {
    truncated_int(double).filter(|int| *int as f64 == double)
}

/// The unsigned integer that equals a double, if there is one.
pub(crate) fn exact_uint(double: f64) -> Option<u64> {
    truncated_uint(double).filter(|uint| *uint as f64 == double)
}

/// A double without its fraction, as an integer. `None` when it is out of range; upstream, both ends of the range are too.
pub(crate) fn truncated_int(double: f64) -> Option<i64> {
    const EDGE: f64 = 9_223_372_036_854_775_808.0;
    #[expect(clippy::cast_possible_truncation, reason = "it is in range")]
    (double > -EDGE && double < EDGE).then_some(double as i64)
}

pub(crate) fn truncated_uint(double: f64) -> Option<u64> {
    const EDGE: f64 = 18_446_744_073_709_551_616.0;
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "it is in range")]
    (0.0..EDGE).contains(&double).then_some(double as u64)
}

/// A double in the shortest form of Go's `strconv`: `1.5`, `1e+06`, `+Inf`.
pub(crate) fn shortest(double: f64) -> String {
    if double.is_nan() {
        return "NaN".to_owned();
    }
    if double.is_infinite() {
        return if double > 0.0 { "+Inf" } else { "-Inf" }.to_owned();
    }
    let scientific = format!("{double:e}");
    let (mantissa, exponent) = scientific.split_once('e').unwrap_or((&scientific, "0"));
    let exponent: i32 = exponent.parse().unwrap_or(0);
    if double == 0.0 || (-4..6).contains(&exponent) {
        return format!("{double}");
    }
    let sign = if exponent < 0 { '-' } else { '+' };
    format!("{mantissa}e{sign}{:02}", exponent.abs())
}
