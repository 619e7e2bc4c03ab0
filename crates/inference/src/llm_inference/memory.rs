//! Whether the weights of a model fit the memory of its GPUs. Calculated with integers, so that all machines round alike.

use super::derive::Inputs;
use super::weights::weights;
use crate::clouds::accelerators::{ACCELERATORS, GpuModel};

/// Whether a model fits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fit {
    /// The size of the model is not known.
    ModelUnknown,
    /// It fits the largest card, but which card the nodes have is not known.
    CardUnknown(Needs),
    /// It fits.
    Fits(Needs, Memory),
    /// It cannot fit.
    TooLarge(Needs, Memory),
}

/// Memory that a model needs, in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Needs {
    /// For its weights.
    pub weights: u64,
    /// For cache and overhead: at least a tenth of the total, which vLLM does not use for weights.
    pub overhead: u64,
}

/// Memory of the GPUs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Memory {
    /// The memory of all cards together, in bytes.
    pub total: u64,
    /// The card that is assumed. `None` when the platform's options state the memory of a card.
    pub assumed: Option<&'static GpuModel>,
}

/// Whether the model of `inputs` fits its GPUs. If the card is not known, the largest card is assumed.
pub fn fit(inputs: &Inputs) -> Fit {
    let Some(weights) = weights(&inputs.spec.model) else { return Fit::ModelUnknown };
    let needs = Needs::of(weights);
    let (card, assumed) = match (&inputs.options.gpu_memory, ACCELERATORS.last()) {
        (None, Some(largest)) => (largest.gigabytes * 1_000_000_000, Some(largest)),
        (stated, _) => (stated.as_ref().and_then(|memory| u64::try_from(memory.ceil()).ok()).unwrap_or_default(), None),
    };
    let memory = Memory { total: card.saturating_mul(inputs.gpus()), assumed };
    match (needs.total() > memory.total, assumed) {
        (true, _) => Fit::TooLarge(needs, memory),
        (false, Some(_)) => Fit::CardUnknown(needs),
        (false, None) => Fit::Fits(needs, memory),
    }
}

impl Needs {
    /// The total is the weights divided by 0.9, the share of GPU memory that vLLM may use.
    fn of(weights: u64) -> Self {
        Self { weights, overhead: weights.div_ceil(9) }
    }

    /// Weights, cache and overhead together.
    pub fn total(self) -> u64 {
        self.weights.saturating_add(self.overhead)
    }
}

/// A number of bytes for people: in GB (10⁹ bytes), with one decimal place.
pub fn gigabytes(bytes: u64) -> String {
    let tenths = bytes.saturating_add(50_000_000) / 100_000_000;
    match tenths % 10 {
        0 => format!("{} GB", tenths / 10),
        tenth => format!("{}.{tenth} GB", tenths / 10),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn needs_are_weights_over_nine_tenths() {
        assert_eq!(Needs::of(90), Needs { weights: 90, overhead: 10 });
        assert_eq!(Needs::of(91).total(), 102);
        assert_eq!(Needs::of(u64::MAX).total(), u64::MAX);
    }

    #[test]
    fn figures_for_people() {
        assert_eq!(gigabytes(0), "0 GB");
        assert_eq!(gigabytes(3_000_000_000), "3 GB");
        assert_eq!(gigabytes(93_449_999_999), "93.4 GB");
        assert_eq!(gigabytes(93_450_000_000), "93.5 GB");
        assert_eq!(gigabytes(u64::MAX), "18446744073.7 GB");
    }
}
