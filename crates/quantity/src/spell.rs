//! Quantity → canonical text.

use std::fmt;

use crate::quantity::{Family, Quantity};
use crate::scan::{BINARY, DECIMAL};

impl fmt::Display for Quantity {
    /// Writes the canonical form: no fraction, the largest suffix that allows for it, in the family the quantity
    /// was read in. Beyond `E` it writes an exponent, where upstream loses the suffix (`1000E` would become `1`).
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
    /// The number and its suffix, when a binary suffix spells the amount without loss.
    fn binary(&self) -> Option<(i128, &'static str)> {
        let whole =
            self.to_decimal().to_i128().filter(|whole| self.family() == Family::Binary && whole.abs() >= 1024)?;
        let rows = BINARY.iter().rev();
        let found = rows.map(|&(suffix, power)| (1i128 << power, suffix)).find(|(unit, _)| whole % unit == 0);
        Some(found.map_or((whole, ""), |(unit, suffix)| (whole / unit, suffix)))
    }
}
