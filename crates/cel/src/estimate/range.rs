//! Ranges of costs or sizes.

/// A range of costs or sizes. `u64::MAX` means that there is no limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Estimate {
    /// The minimum.
    pub min: u64,
    /// The maximum.
    pub max: u64,
}

impl Estimate {
    pub(crate) const UNKNOWN: Self = Self { min: 0, max: u64::MAX };

    pub(crate) const fn fixed(value: u64) -> Self {
        Self { min: value, max: value }
    }

    pub(crate) fn plus(self, other: Self) -> Self {
        Self { min: self.min.saturating_add(other.min), max: self.max.saturating_add(other.max) }
    }

    pub(crate) fn times(self, other: Self) -> Self {
        Self { min: self.min.saturating_mul(other.min), max: self.max.saturating_mul(other.max) }
    }

    /// The range times a factor, rounded up. Computed with doubles, as in Kubernetes.
    pub(crate) fn scaled(self, factor: f64) -> Self {
        Self { min: scaled(self.min, factor), max: scaled(self.max, factor) }
    }

    pub(crate) fn union(self, other: Self) -> Self {
        Self { min: self.min.min(other.min), max: self.max.max(other.max) }
    }
}

fn scaled(value: u64, factor: f64) -> u64 {
    const BEYOND: f64 = 18_446_744_073_709_551_616.0;
    let value = value as f64;
    let product = (value * factor).ceil();
    if (value > 0.0 && factor > 0.0 && value > BEYOND / factor) || product >= BEYOND {
        return u64::MAX;
    }
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "it is in range")]
    let rounded = product as u64;
    rounded
}
