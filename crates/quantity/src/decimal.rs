//! Decimal numbers of any length, for quantities that do not fit 64 bits.

use std::cmp::Ordering;

/// The most digits of a sum. Kubernetes has no such limit, and `1e999999999` plus one would take a gigabyte.
const MOST_DIGITS: i64 = 100_000;

/// `±digits × 10^exponent`.
///
/// The digits have neither leading nor trailing zeros. So `1e100000000` is one digit, and a comparison never expands an
/// exponent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Decimal {
    negative: bool,
    /// The most significant digit first, each from 0 to 9; empty for zero.
    digits: Vec<u8>,
    exponent: i64,
    /// The number of decimal places, with trailing zeros; a negative number means zeros before the decimal point.
    /// It does not change the amount, only how [`Quantity::mantissa`](crate::Quantity::mantissa) splits it.
    pub(crate) places: i32,
}

impl Decimal {
    /// `±digits × 10^-places`; `digits` is ASCII.
    pub(crate) fn new(negative: bool, digits: impl IntoIterator<Item = u8>, places: i32) -> Self {
        let digits = digits.into_iter().map(|digit| digit.wrapping_sub(b'0')).collect();
        Self { negative, digits, exponent: -i64::from(places), places }.normal()
    }

    /// `value × 10^scale`.
    pub(crate) fn of(value: i64, scale: i32) -> Self {
        Self::new(value < 0, value.unsigned_abs().to_string().bytes(), scale.wrapping_neg())
    }

    pub(crate) fn length(&self) -> usize {
        self.digits.len()
    }

    /// -1, 0 or 1, for less than, equal to and greater than zero.
    pub(crate) fn sign(&self) -> i32 {
        match (self.digits.is_empty(), self.negative) {
            (true, _) => 0,
            (_, true) => -1,
            (_, false) => 1,
        }
    }

    pub(crate) fn negated(mut self) -> Self {
        self.negative = !self.negative && !self.digits.is_empty();
        self
    }

    /// The number times 2^`power`, which is at most 60: then the carry is less than 2⁶⁰, and fits 64 bits with the next digit.
    /// Divisions of 128 bits would take longer in WebAssembly than all the rest.
    pub(crate) fn doubled(mut self, power: u32) -> Self {
        let mut carry = 0u64;
        for digit in self.digits.iter_mut().rev() {
            carry += u64::from(*digit) << power;
            *digit = last_digit(carry);
            carry /= 10;
        }
        let mut front = Vec::new();
        while carry > 0 {
            front.push(last_digit(carry));
            carry /= 10;
        }
        front.reverse();
        front.extend_from_slice(&self.digits);
        self.digits = front;
        self.normal()
    }

    /// The number rounded away from zero to at most `places` decimal places, and whether it is still exact.
    pub(crate) fn rounded(mut self, places: i32) -> (Self, bool) {
        self.places = places;
        let surplus = -self.exponent - i64::from(places);
        if surplus <= 0 || self.digits.is_empty() {
            return (self, true);
        }
        let kept = usize::try_from(surplus).map_or(0, |surplus| self.digits.len().saturating_sub(surplus));
        self.digits.truncate(kept);
        self.exponent = -i64::from(places);
        // The last digit that was cut off is not zero, so what remains increases by one.
        let carried = self.digits.iter_mut().rev().all(|digit| {
            *digit = (*digit + 1) % 10;
            *digit == 0
        });
        if carried {
            self.digits.insert(0, 1);
        }
        (self.normal(), false)
    }

    /// The sum, or `None` when it would have too many digits.
    pub(crate) fn add(&self, other: &Self) -> Option<Self> {
        let places = self.places.max(other.places);
        if self.digits.is_empty() || other.digits.is_empty() {
            let rest = if self.digits.is_empty() { other } else { self };
            return Some(Self { places, ..rest.clone() });
        }
        let (top, bottom) = (self.top().max(other.top()), self.exponent.min(other.exponent));
        let length = usize::try_from((top - bottom <= MOST_DIGITS).then_some(top - bottom + 1)?).ok()?;
        let (mine, theirs) = (self.spread(bottom, length), other.spread(bottom, length));
        let (negative, digits) = match (self.negative == other.negative, self.magnitude(other)) {
            (true, _) => (self.negative, sum(mine, &theirs)),
            (false, Ordering::Less) => (other.negative, difference(theirs, &mine)),
            (false, _) => (self.negative, difference(mine, &theirs)),
        };
        Some(Self { negative, digits, exponent: bottom, places }.normal())
    }

    /// The number as an integer, if it is one and fits.
    pub(crate) fn to_i128(&self) -> Option<i128> {
        if self.digits.is_empty() {
            return Some(0);
        }
        if self.exponent < 0 || self.top() > 38 {
            return None;
        }
        let zeros = usize::try_from(self.exponent).ok()?;
        let digits = self.digits.iter().copied().chain(std::iter::repeat_n(0, zeros));
        let number = digits.map(i128::from).try_fold(0i128, |n, digit| n.checked_mul(10)?.checked_add(digit))?;
        Some(if self.negative { -number } else { number })
    }

    /// The digits as text with a sign, and the power of ten to multiply by.
    pub(crate) fn parts(&self) -> (String, i64) {
        let sign = if self.negative { "-" } else { "" };
        let digits: String = self.digits.iter().map(|digit| char::from(b'0' + digit)).collect();
        (format!("{sign}{}", if digits.is_empty() { "0" } else { &digits }), self.exponent)
    }

    /// The position one above the most significant digit.
    fn top(&self) -> i64 {
        self.exponent + i64::try_from(self.digits.len()).unwrap_or(i64::MAX >> 1)
    }

    /// The digits down to the position `bottom`, the most significant first, filled with zeros to `length` digits.
    fn spread(&self, bottom: i64, length: usize) -> Vec<u8> {
        let zeros = usize::try_from(self.exponent - bottom).unwrap_or(0);
        let mut digits = vec![0; length.saturating_sub(zeros + self.digits.len())];
        digits.extend_from_slice(&self.digits);
        digits.resize(length, 0);
        digits
    }

    fn magnitude(&self, other: &Self) -> Ordering {
        self.top().cmp(&other.top()).then_with(|| self.digits.cmp(&other.digits))
    }

    fn normal(mut self) -> Self {
        let zeros = self.digits.iter().take_while(|&&digit| digit == 0).count();
        self.digits.drain(..zeros);
        while self.digits.last() == Some(&0) {
            self.digits.pop();
            self.exponent += 1;
        }
        if self.digits.is_empty() {
            (self.negative, self.exponent) = (false, 0);
        }
        self
    }
}

impl PartialOrd for Decimal {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Decimal {
    fn cmp(&self, other: &Self) -> Ordering {
        self.sign().cmp(&other.sign()).then_with(|| {
            let order = self.magnitude(other);
            if self.negative { order.reverse() } else { order }
        })
    }
}

fn sum(mut augend: Vec<u8>, addend: &[u8]) -> Vec<u8> {
    let mut carry = 0;
    for (digit, other) in augend.iter_mut().zip(addend).rev() {
        let total = *digit + other + carry;
        (*digit, carry) = (total % 10, total / 10);
    }
    if carry > 0 {
        augend.insert(0, carry);
    }
    augend
}

/// `larger` - `smaller`.
fn difference(mut larger: Vec<u8>, smaller: &[u8]) -> Vec<u8> {
    let mut borrow = 0;
    for (digit, other) in larger.iter_mut().zip(smaller).rev() {
        let total = *digit + 10 - other - borrow;
        (*digit, borrow) = (total % 10, 1 - total / 10);
    }
    larger
}

fn last_digit(number: u64) -> u8 {
    u8::try_from(number % 10).unwrap_or(0)
}
