//! Kubernetes quantities: exact numbers with a suffix, such as `500m`, `80Gi` or `1e3`.

use std::cmp::Ordering;
use std::fmt;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::decimal::Decimal;
use crate::small::Small;

/// A Kubernetes quantity, exact to a billionth.
///
/// Quantities compare by amount: `1Gi` equals `1024Mi`. They print in the canonical form of Kubernetes, with suffixes of
/// the family that they were read with.
///
/// As in Kubernetes, a quantity is *small* (64 bits and a power of ten) or *big* (any length). This does not matter for
/// comparisons and arithmetic, but only a small one has an integer value ([`to_integer`](Self::to_integer)).
#[derive(Clone, Debug)]
pub struct Quantity {
    pub(crate) amount: Amount,
    pub(crate) family: Family,
}

#[derive(Clone, Debug)]
pub(crate) enum Amount {
    Small(Small),
    Big(Box<Decimal>),
}

/// A family of suffixes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Family {
    /// Powers of 1000: `n`, `u`, `m`, none, `k`, `M`, `G`, `T`, `P`, `E`.
    Decimal,
    /// Powers of 1024: `Ki`, `Mi`, `Gi`, `Ti`, `Pi`, `Ei`.
    Binary,
    /// Powers of ten: `e3`, `E-6`.
    Exponent,
}

impl Quantity {
    /// -1, 0 or 1, for less than, equal to and greater than zero.
    pub fn sign(&self) -> i32 {
        match &self.amount {
            Amount::Small(small) => small.value.signum() as i32,
            Amount::Big(big) => big.sign(),
        }
    }

    /// The amount in whole units (bytes, for memory), rounded up. An amount that does not fit 64 bits becomes the largest or
    /// smallest integer.
    pub fn ceil(&self) -> i64 {
        let (away, exact) = self.to_decimal().rounded(0);
        let whole = match away.to_i128() {
            Some(whole) => whole + i128::from(!exact && whole < 0),
            None => i128::from(away.sign()) * i128::MAX,
        };
        i64::try_from(whole).unwrap_or(if whole < 0 { i64::MIN } else { i64::MAX })
    }

    /// The amount as an integer, where Kubernetes has one (`AsInt64`): only small quantities whose scale is not negative
    /// have one. `1.5k` and `1Gi` do; `2.0`, `2000m`, `0.5Gi` and `1Pi` do not.
    pub fn to_integer(&self) -> Option<i64> {
        match &self.amount {
            Amount::Small(small) => small.to_integer(),
            Amount::Big(_) => None,
        }
    }

    /// Whether the quantity is small: stored in 64 bits and a power of ten.
    pub fn is_small(&self) -> bool {
        matches!(self.amount, Amount::Small(_))
    }

    /// How many digits are stored: a measure of the work that arithmetic with it takes.
    pub fn digits(&self) -> usize {
        match &self.amount {
            Amount::Small(_) => 1,
            Amount::Big(big) => big.length(),
        }
    }

    /// The same amount as a big quantity (`AsDec`).
    pub fn promoted(&self) -> Self {
        Self { amount: Amount::Big(Box::new(self.to_decimal())), family: self.family }
    }

    /// The sum. It has the suffix family of `self`, or of `other` when `self` is zero.
    ///
    /// # Errors
    /// [`TooLong`] when the sum would have more than 100,000 digits.
    pub fn add(&self, other: &Self) -> Result<Self, TooLong> {
        let family = if self.sign() == 0 { other.family } else { self.family };
        if let (Amount::Small(mine), Amount::Small(theirs)) = (&self.amount, &other.amount)
            && let Some(sum) = mine.add(*theirs)
        {
            return Ok(Self { amount: Amount::Small(sum), family });
        }
        let sum = self.to_decimal().add(&other.to_decimal()).ok_or(TooLong)?;
        Ok(Self { amount: Amount::Big(Box::new(sum)), family })
    }

    /// The difference, with the same rules as [`add`](Self::add).
    ///
    /// # Errors
    /// [`TooLong`], as for [`add`](Self::add).
    pub fn subtract(&self, other: &Self) -> Result<Self, TooLong> {
        self.add(&other.negated())
    }

    /// The same amount with the other sign.
    pub fn negated(&self) -> Self {
        let amount = match &self.amount {
            Amount::Small(small) => match small.value.checked_neg() {
                Some(value) => Amount::Small(Small { value, ..*small }),
                None => Amount::Big(Box::new(small.decimal().negated())),
            },
            Amount::Big(big) => Amount::Big(Box::new(big.as_ref().clone().negated())),
        };
        Self { amount, family: self.family }
    }

    /// The quantity rounded away from zero to a multiple of 10^`scale` (`RoundUp`: 0 for units, -3 for thousandths), and
    /// whether it is still exact.
    pub fn rounded_up(&self, scale: i32) -> (Self, bool) {
        if let Amount::Small(small) = &self.amount
            && small.scale >= scale
        {
            return (self.clone(), true);
        }
        let (rounded, exact) = self.to_decimal().rounded(scale.saturating_neg());
        let small = rounded.parts().0.parse().ok().zip(i32::try_from(rounded.parts().1).ok());
        let amount = match (&self.amount, small) {
            (Amount::Small(_), Some((value, scale))) => Amount::Small(Small { value, scale }),
            _ => Amount::Big(Box::new(rounded)),
        };
        (Self { amount, family: self.family }, exact)
    }

    /// The amount as it is stored: a whole number and a power of ten, for callers that compute an approximate value. `1.50`
    /// is (`"150"`, -2). The zeros at the end of the whole number are only counted, because there can be very many.
    pub fn mantissa(&self) -> Mantissa {
        match &self.amount {
            Amount::Small(small) => Mantissa { digits: small.value.to_string(), zeros: 0, exponent: small.scale },
            Amount::Big(big) => {
                let (digits, exponent) = big.parts();
                Mantissa { digits, zeros: exponent + i64::from(big.places), exponent: big.places.wrapping_neg() }
            }
        }
    }

    pub(crate) fn family(&self) -> Family {
        self.family
    }

    pub(crate) fn to_decimal(&self) -> Decimal {
        match &self.amount {
            Amount::Small(small) => small.decimal(),
            Amount::Big(big) => big.as_ref().clone(),
        }
    }
}

/// A whole number times 10^`exponent`. The whole number is `digits`, followed by `zeros` zeros.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mantissa {
    /// A minus sign for a negative number, and the digits.
    pub digits: String,
    /// How many zeros follow the digits.
    pub zeros: i64,
    /// The power of ten.
    pub exponent: i32,
}

impl From<i64> for Quantity {
    fn from(value: i64) -> Self {
        Self { amount: Amount::Small(Small { value, scale: 0 }), family: Family::Exponent }
    }
}

impl PartialEq for Quantity {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
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
        match (&self.amount, &other.amount) {
            (Amount::Small(mine), Amount::Small(theirs)) if mine.scale == theirs.scale => mine.value.cmp(&theirs.value),
            (Amount::Big(mine), Amount::Big(theirs)) => mine.cmp(theirs),
            _ => self.to_decimal().cmp(&other.to_decimal()),
        }
    }
}

/// The text is not a quantity.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ParseError {
    /// It does not have the form of a number with a suffix.
    Form,
    /// The number is missing or malformed.
    Number,
    /// There is no such suffix.
    Suffix,
}

impl fmt::Display for ParseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("not a quantity like `80Gi`, `1.5` or `500m`")
    }
}

impl std::error::Error for ParseError {}

/// A sum has more than 100,000 digits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TooLong;

impl fmt::Display for TooLong {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the sum has more than 100000 digits")
    }
}

impl std::error::Error for TooLong {}

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
