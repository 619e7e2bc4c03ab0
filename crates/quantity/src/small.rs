//! Numbers of 64 bits with a power of ten. Nearly every quantity is one.

use crate::decimal::Decimal;

/// `value × 10^scale`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Small {
    pub(crate) value: i64,
    pub(crate) scale: i32,
}

impl Small {
    /// The integer, if the scale is not negative and it fits. `2000m` has none, though its amount is 2.
    pub(crate) fn to_integer(self) -> Option<i64> {
        (self.scale >= 0).then(|| raised(self.value, self.scale.unsigned_abs()))?
    }

    /// The sum, with the smaller of both scales; `None` when it does not fit. Adding zero does not change the scale.
    pub(crate) fn add(self, other: Self) -> Option<Self> {
        if other.value == 0 {
            return Some(self);
        }
        if self.value == 0 {
            return Some(other);
        }
        let scale = self.scale.min(other.scale);
        let at = |it: Self| raised(it.value, it.scale.abs_diff(scale));
        Some(Self { value: at(self)?.checked_add(at(other)?)?, scale })
    }

    pub(crate) fn decimal(self) -> Decimal {
        Decimal::of(self.value, self.scale)
    }
}

/// `value` × 10^`power`.
fn raised(value: i64, power: u32) -> Option<i64> {
    if value == 0 { Some(0) } else { value.checked_mul(10i64.checked_pow(power)?) }
}
