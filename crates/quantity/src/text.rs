//! Quantities as text: how they are read and printed.

use std::fmt;
use std::str::FromStr;

use crate::decimal::Decimal;
use crate::digits;
use crate::quantity::{Amount, Family, ParseError, Quantity};
use crate::small::Small;

/// The decimal suffixes and their powers of ten.
const DECIMAL: &[(&str, i32)] =
    &[("n", -9), ("u", -6), ("m", -3), ("", 0), ("k", 3), ("M", 6), ("G", 9), ("T", 12), ("P", 15), ("E", 18)];

/// The binary suffixes and their powers of two.
const BINARY: &[(&str, u32)] = &[("Ki", 10), ("Mi", 20), ("Gi", 30), ("Ti", 40), ("Pi", 50), ("Ei", 60)];

/// The power of ten of the last decimal that a quantity keeps.
const NANO: i32 = -9;

impl FromStr for Quantity {
    type Err = ParseError;

    /// Reads a quantity as `resource.ParseQuantity` does. The number may be missing (`Mi` is 0). Decimals after the ninth are
    /// rounded away from zero. With a binary suffix the largest amount is ±(2⁶³ − 1).
    fn from_str(text: &str) -> Result<Self, ParseError> {
        let (negative, unsigned) = digits::sign(text);
        if text.is_empty() {
            return Err(ParseError::Form);
        }
        let (whole, rest) = digits::split(unsigned);
        let (fraction, suffix) = match rest.strip_prefix('.') {
            Some(rest) => digits::split(rest),
            None => ("", rest),
        };
        let suffix =
            Suffix::read(suffix).ok_or(if looks_right(suffix) { ParseError::Suffix } else { ParseError::Form })?;
        let number = Number { negative, whole, fraction };
        let amount = match number.small(&suffix) {
            Some(small) => Amount::Small(small),
            None => Amount::Big(Box::new(number.big(&suffix).ok_or(ParseError::Number)?)),
        };
        Ok(Self { amount, family: suffix.family() })
    }
}

impl fmt::Display for Quantity {
    /// Writes the canonical form: no fraction, and the largest suffix without one, of the family that the quantity was read
    /// with. Above `E` it writes an exponent; Kubernetes loses the suffix there (`1000E` becomes `1`).
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some((number, suffix)) = self.binary() {
            return write!(f, "{number}{suffix}");
        }
        let (mut digits, mut exponent) = self.to_decimal().parts();
        while exponent.rem_euclid(3) != 0 {
            digits.push('0');
            exponent -= 1;
        }
        let suffix = DECIMAL.iter().find(|row| i64::from(row.1) == exponent);
        match (self.family(), suffix) {
            (Family::Decimal | Family::Binary, Some((suffix, _))) => write!(f, "{digits}{suffix}"),
            (Family::Exponent, _) if exponent == 0 => f.write_str(&digits),
            _ => write!(f, "{digits}e{exponent}"),
        }
    }
}

impl Quantity {
    /// The number and its suffix, when a binary suffix can express the amount exactly.
    fn binary(&self) -> Option<(i128, &'static str)> {
        let whole =
            self.to_decimal().to_i128().filter(|whole| self.family() == Family::Binary && whole.abs() >= 1024)?;
        let found = BINARY.iter().rev().find(|(_, power)| whole.trailing_zeros() >= *power);
        Some(found.map_or((whole, ""), |(suffix, power)| (whole >> power, *suffix)))
    }
}

struct Number<'a> {
    negative: bool,
    whole: &'a str,
    fraction: &'a str,
}

enum Suffix {
    Decimal(i32),
    Binary(u32),
    Exponent(i32),
}

impl Suffix {
    fn read(text: &str) -> Option<Self> {
        if let Some(&(_, power)) = DECIMAL.iter().find(|row| row.0 == text) {
            return Some(Self::Decimal(power));
        }
        if let Some(&(_, power)) = BINARY.iter().find(|row| row.0 == text) {
            return Some(Self::Binary(power));
        }
        let exponent: i64 = text.strip_prefix(['e', 'E'])?.parse().ok()?;
        #[expect(clippy::cast_possible_truncation, reason = "upstream keeps the lower 32 bits")]
        Some(Self::Exponent(exponent as i32))
    }

    fn family(&self) -> Family {
        match self {
            Self::Decimal(_) => Family::Decimal,
            Self::Binary(_) => Family::Binary,
            Self::Exponent(_) => Family::Exponent,
        }
    }
}

impl Number<'_> {
    /// The number in 64 bits, if it fits by the estimate that Kubernetes uses.
    fn small(&self, suffix: &Suffix) -> Option<Small> {
        let whole = self.whole.trim_start_matches('0');
        let length = whole.len().max(1).checked_add(self.fraction.len())?;
        let (digits, scale, power) = match *suffix {
            Suffix::Decimal(scale) | Suffix::Exponent(scale) => (18, scale, 0),
            Suffix::Binary(_) if !self.fraction.is_empty() => return None,
            // 2^10 has about three decimal digits. Kubernetes also keeps one digit in reserve.
            Suffix::Binary(power) => (14usize.checked_sub(power as usize * 3 / 10)?, 0, power),
        };
        if length > digits {
            return None;
        }
        let scale = scale.wrapping_sub(i32::try_from(self.fraction.len()).ok()?);
        if scale < NANO {
            return None;
        }
        let digits = whole.bytes().chain(self.fraction.bytes());
        let number = digits.fold(0i64, |number, digit| number * 10 + i64::from(digit - b'0'));
        let value = number.checked_mul(1 << power)?;
        Some(Small { value: if self.negative { -value } else { value }, scale })
    }

    fn big(&self, suffix: &Suffix) -> Option<Decimal> {
        if self.whole.is_empty() && self.fraction.is_empty() {
            return None;
        }
        let places = i32::try_from(self.fraction.len()).ok()?;
        let (exponent, power) = match *suffix {
            Suffix::Decimal(exponent) | Suffix::Exponent(exponent) => (exponent, 0),
            Suffix::Binary(power) => (0, power),
        };
        let digits = self.whole.bytes().chain(self.fraction.bytes());
        let mut exact = Decimal::new(false, digits, places.wrapping_sub(exponent));
        if power > 0 {
            exact = exact.doubled(power);
        }
        let mut amount = if exact.sign() == 0 { exact } else { exact.rounded(-NANO).0 };
        let largest = Decimal::of(i64::MAX, 0);
        if power > 0 && amount > largest {
            amount = largest;
        }
        Some(if self.negative { amount.negated() } else { amount })
    }
}

/// Whether a text has the form of a suffix. There may be no such suffix.
fn looks_right(suffix: &str) -> bool {
    let rest = suffix.trim_start_matches(|letter| "eEinumkKMGTP".contains(letter));
    let rest = rest.strip_prefix(['+', '-']).unwrap_or(rest);
    rest.bytes().all(|byte| byte.is_ascii_digit())
}
