//! Kubernetes quantities: exact numbers with a suffix, such as `500m`, `80Gi` or `1e3`.

use std::cmp::Ordering;
use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// An amount, exact to a billionth, within ±(2⁶³ − 1).
///
/// Quantities compare by amount: `1Gi` equals `1024Mi`. They print in the canonical form of Kubernetes, in
/// the family of suffixes they were read in.
#[derive(Clone, Copy, Debug)]
pub struct Quantity {
    nanos: i128,
    family: Family,
}

/// A family of suffixes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Family {
    /// Powers of 1000: `n`, `u`, `m`, none, `k`, `M`, `G`, `T`, `P`, `E`.
    Decimal,
    /// Powers of 1024: `Ki`, `Mi`, `Gi`, `Ti`, `Pi`, `Ei`.
    Binary,
    /// Powers of ten: `e3`, `E-6`.
    Exponent,
}

const NANOS: i128 = 1_000_000_000;
const LARGEST: i128 = i64::MAX as i128 * NANOS;

/// The decimal suffixes and their powers of ten.
const DECIMAL: &[(&str, i32)] =
    &[("n", -9), ("u", -6), ("m", -3), ("", 0), ("k", 3), ("M", 6), ("G", 9), ("T", 12), ("P", 15), ("E", 18)];

/// The binary suffixes and their powers of two.
const BINARY: &[(&str, u32)] = &[("", 0), ("Ki", 10), ("Mi", 20), ("Gi", 30), ("Ti", 40), ("Pi", 50), ("Ei", 60)];

impl Quantity {
    /// The amount in whole units (bytes, for memory), rounded up as Kubernetes does.
    pub fn ceil(&self) -> i64 {
        let whole = self.nanos.div_euclid(NANOS) + i128::from(self.nanos.rem_euclid(NANOS) != 0);
        i64::try_from(whole).unwrap_or(if whole < 0 { i64::MIN } else { i64::MAX })
    }
}

impl PartialEq for Quantity {
    fn eq(&self, other: &Self) -> bool {
        self.nanos == other.nanos
    }
}

impl Eq for Quantity {}

impl PartialOrd for Quantity {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Quantity {
    fn cmp(&self, other: &Self) -> Ordering {
        self.nanos.cmp(&other.nanos)
    }
}

/// The text is not a quantity.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ParseError;

impl fmt::Display for ParseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("not a quantity like `80Gi`, `1.5` or `500m`")
    }
}

impl std::error::Error for ParseError {}

impl FromStr for Quantity {
    type Err = ParseError;

    /// Reads a quantity. What is finer than a billionth is rounded away from zero, and what is beyond the
    /// range becomes its end, both as in Kubernetes.
    fn from_str(text: &str) -> Result<Self, ParseError> {
        let (negative, unsigned) = match text.strip_prefix(['+', '-']) {
            Some(rest) => (text.starts_with('-'), rest),
            None => (false, text),
        };
        let end = unsigned.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(unsigned.len());
        let (number, suffix) = unsigned.split_at(end);
        let (whole, fraction) = number.split_once('.').unwrap_or((number, ""));
        if fraction.contains('.') || (whole.is_empty() && fraction.is_empty()) {
            return Err(ParseError);
        }
        let digits = [whole, fraction].concat();
        let places = i32::try_from(fraction.len()).map_err(|_| ParseError)?;
        let (family, power_of_ten, power_of_two) = read_suffix(suffix).ok_or(ParseError)?;
        let nanos = scaled(&digits, power_of_ten.saturating_sub(places).saturating_add(9), power_of_two);
        Ok(Self { nanos: if negative { -nanos } else { nanos }, family })
    }
}

impl fmt::Display for Quantity {
    /// Writes the canonical form: no fraction, the largest suffix that allows for it.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let whole = self.nanos / NANOS;
        if self.family == Family::Binary && self.nanos % NANOS == 0 && whole.abs() >= 1024 {
            let (suffix, power) = largest(BINARY, |power| whole % (1i128 << power) == 0);
            return write!(f, "{}{suffix}", whole >> power);
        }
        let fits = |power: i32| self.nanos % ten_to(power + 9) == 0;
        let (suffix, power) = if self.nanos == 0 { ("", 0) } else { largest(DECIMAL, fits) };
        let number = self.nanos / ten_to(power + 9);
        match self.family {
            Family::Exponent if power != 0 => write!(f, "{number}e{power}"),
            _ => write!(f, "{number}{suffix}"),
        }
    }
}

impl Serialize for Quantity {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Quantity {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(serde::de::Error::custom)
    }
}

/// The family of a suffix, its power of ten, and its power of two.
fn read_suffix(suffix: &str) -> Option<(Family, i32, u32)> {
    if let Some(&(_, power)) = DECIMAL.iter().find(|row| row.0 == suffix) {
        return Some((Family::Decimal, power, 0));
    }
    if let Some(&(_, power)) = BINARY.iter().find(|row| row.0 == suffix) {
        return Some((Family::Binary, 0, power));
    }
    Some((Family::Exponent, suffix.strip_prefix(['e', 'E'])?.parse().ok()?, 0))
}

/// `digits` × 10^`tens` × 2^`twos`, rounded up, at most [`LARGEST`].
fn scaled(digits: &str, tens: i32, twos: u32) -> i128 {
    let digits = digits.trim_start_matches('0');
    // Thirty digits are beyond the range before the point and beyond the precision behind it.
    const KEPT: usize = 30;
    let (kept, dropped) = digits.split_at(digits.len().min(KEPT));
    let number = kept.bytes().fold(0u128, |number, digit| number * 10 + u128::from(digit - b'0'));
    let inexact = dropped.bytes().any(|digit| digit != b'0');
    let tens = tens.saturating_add(i32::try_from(dropped.len()).unwrap_or(i32::MAX));
    if number == 0 {
        return 0;
    }
    let largest = LARGEST.unsigned_abs();
    let scaled = if tens >= 0 {
        // 38 tens are more than the range holds.
        let factor = u32::try_from(tens).ok().and_then(|tens| 10u128.checked_pow(tens));
        factor.and_then(|factor| number.checked_mul(factor)).and_then(|scaled| scaled.checked_mul(1 << twos))
    } else {
        let divisor = 10u128.checked_pow(tens.unsigned_abs());
        Some(divisor.map_or(1, |divisor| divided(number, divisor, twos, inexact)))
    };
    let scaled = scaled.map_or(largest, |scaled| scaled.min(largest));
    i128::try_from(scaled).unwrap_or(LARGEST)
}

/// `number` × 2^`twos` / `divisor`, rounded up; long division, since the product may not fit.
fn divided(number: u128, divisor: u128, twos: u32, inexact: bool) -> u128 {
    let (mut quotient, mut rest) = (number / divisor, number % divisor);
    for _ in 0..twos {
        // `rest` < `divisor` ≤ 10³⁸, so twice of it fits.
        rest *= 2;
        quotient = quotient.saturating_mul(2).saturating_add(u128::from(rest >= divisor));
        rest %= divisor;
    }
    quotient.saturating_add(u128::from(rest != 0 || inexact))
}

fn largest<P: Copy>(suffixes: &[(&'static str, P)], fits: impl Fn(P) -> bool) -> (&'static str, P) {
    suffixes.iter().copied().rev().find(|&(_, power)| fits(power)).unwrap_or(suffixes[0])
}

fn ten_to(power: i32) -> i128 {
    10i128.pow(power.unsigned_abs())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What Kubernetes 1.35's `resource.ParseQuantity` makes of a text, in canonical form.
    #[test]
    fn canonical_form() {
        let check = |text: &str, want: &str| {
            assert_eq!(text.parse::<Quantity>().map(|quantity| quantity.to_string()), Ok(want.to_owned()), "{text:?}");
        };
        check("0", "0");
        check("0Gi", "0");
        check("-0", "0");
        check("1", "1");
        check("+1", "1");
        check("1000", "1k");
        check("1500", "1500");
        check("1.5", "1500m");
        check(".5", "500m");
        check("5.", "5");
        check("1.5k", "1500");
        check("0.0000000001", "1n"); // rounded away from zero
        check("-0.0000000001", "-1n");
        check("100m", "100m");
        check("1000m", "1");
        check("80Gi", "80Gi");
        check("1024Mi", "1Gi");
        check("1.5Gi", "1536Mi");
        check("1023", "1023");
        check("0.5Ki", "512");
        check("1.0001Ki", "1024102400u");
        check("80G", "80G");
        check("1E", "1E");
        check("1e3", "1e3");
        check("1E3", "1e3");
        check("12e-1", "1200e-3");
        check("1000000e-3", "1e3");
        check("10E", "9223372036854775807");
        check("9Ei", "9223372036854775807");
        check("-100E", "-9223372036854775807");
        check("1e400", "9223372036854775807");
        check("1e-400", "1e-9");
        check("99999999999999999999999999999999999999999", "9223372036854775807");
        check("0.00000000000000000000000000000000000000000000001Gi", "1n");
    }

    #[test]
    fn not_quantities() {
        for text in
            ["", "Gi", ".", "-", "1.2.3", "1 Gi", "1gi", "1K", "1e", "1ee3", "1e1.5", "0x10", "--1", "1Gib", "\u{663}"]
        {
            assert_eq!(text.parse::<Quantity>(), Err(ParseError), "{text:?}");
        }
    }

    #[test]
    fn comparison_is_by_amount() {
        let quantity = |text: &str| text.parse::<Quantity>().expect("a quantity");
        assert_eq!(quantity("1Gi"), quantity("1024Mi"));
        assert!(quantity("80Gi") > quantity("80G"));
        assert!(quantity("-1") < quantity("1n"));
    }

    #[test]
    fn whole_units() {
        let check = |text: &str, want| assert_eq!(text.parse::<Quantity>().map(|it| it.ceil()), Ok(want), "{text}");
        check("80Gi", 85_899_345_920);
        check("1n", 1);
        check("-1500m", -1);
        check("9E", 9_000_000_000_000_000_000);
        check("100E", i64::MAX);
    }
}
