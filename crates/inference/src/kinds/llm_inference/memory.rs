//! Whether a model's weights fit the memory of its GPUs. Integers only: no rounding differs between machines.
//!
//! Advice is given on what is known: a published size, or the size and format that the name states. A name
//! that says nothing gets none.

use super::derive::Inputs;

/// What is known of the fit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fit {
    /// The size of the model is not known.
    ModelUnknown,
    /// The model is not too large for any card, and which card it is is not known.
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
    /// For cache and overhead: a tenth of the whole, which the server leaves free, at the least.
    pub overhead: u64,
}

/// Memory that there is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Memory {
    /// Of all cards together, in bytes.
    pub total: u64,
    /// What each of them is, when that is an assumption.
    pub assumed: Option<&'static Card>,
}

/// A graphics card.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Card {
    /// What it is called.
    pub name: &'static str,
    /// Its memory in 10⁹ bytes, as its data sheet says.
    pub gigabytes: u64,
}

/// NVIDIA's data sheets as of [`CARDS_AS_OF`], the largest last.
#[rustfmt::skip]
pub const CARDS: &[Card] = &[
    Card { name: "T4",   gigabytes: 16 },
    Card { name: "L4",   gigabytes: 24 },
    Card { name: "L40S", gigabytes: 48 },
    Card { name: "A100", gigabytes: 80 },
    Card { name: "H100", gigabytes: 80 },
    Card { name: "H200", gigabytes: 141 },
    Card { name: "B200", gigabytes: 192 },
    Card { name: "B300", gigabytes: 288 },
];

/// When [`CARDS`] was complete.
pub const CARDS_AS_OF: &str = "February 2026";

/// Published weights in 10⁸ bytes, by the name after the owner, in lower case: models whose name says nothing
/// of their size, or not the truth. Sources: model cards as of February 2026; for Kimi K2.5 the 640 GB that
/// its serving guides ask for, less a tenth.
#[rustfmt::skip]
const PUBLISHED: &[(&str, u64)] = &[
    ("bge-base-en-v1.5",  4),
    ("bge-large-en-v1.5", 13),
    ("bge-m3",            23),
    ("deepseek-r1",       6_710),
    ("deepseek-v3",       6_710),
    ("gpt-oss-120b",      653),
    ("gpt-oss-20b",       138),
    ("kimi-k2.5",         5_760),
];

/// Parameters of mixtures of experts in millions, by the token that names them: experts share layers, so the
/// product is not the size.
const MIXTURES: &[(&str, u64)] = &[("8x7b", 46_700), ("8x22b", 140_600)];

/// Bits per weight, by the token that names the format. None: the token does not say.
#[rustfmt::skip]
const FORMATS: &[(&str, Option<u64>)] = &[
    ("awq", Some(4)), ("gptq", Some(4)), ("int4", Some(4)), ("4bit", Some(4)), ("w4a16", Some(4)),
    ("nvfp4", Some(4)), ("mxfp4", Some(4)), ("fp4", Some(4)),
    ("fp8", Some(8)), ("int8", Some(8)), ("8bit", Some(8)), ("w8a8", Some(8)), ("w8a16", Some(8)),
    ("bf16", Some(16)), ("fp16", Some(16)), ("fp32", Some(32)),
    ("gguf", None), ("exl2", None), ("exl3", None), ("aqlm", None), ("hqq", None), ("bnb", None), ("mlx", None),
];

/// Bits per weight of a model whose name states no format: `bfloat16`.
const PLAIN_BITS: u64 = 16;

/// Judges whether the model of `inputs` fits its GPUs, or, where the card is not known, the largest there is.
pub fn fit(inputs: &Inputs) -> Fit {
    let Some(weights) = weights(&inputs.spec.model) else { return Fit::ModelUnknown };
    let needs = Needs::of(weights);
    let (card, assumed) = match (inputs.options.gpu_memory, CARDS.last()) {
        (None, Some(largest)) => (largest.gigabytes * 1_000_000_000, Some(largest)),
        (stated, _) => (stated.and_then(|memory| u64::try_from(memory.ceil()).ok()).unwrap_or_default(), None),
    };
    let memory = Memory { total: card.saturating_mul(inputs.gpus()), assumed };
    match (needs.total() > memory.total, assumed) {
        (true, _) => Fit::TooLarge(needs, memory),
        (false, Some(_)) => Fit::CardUnknown(needs),
        (false, None) => Fit::Fits(needs, memory),
    }
}

impl Needs {
    /// The whole is the weights divided by 0.9, the share of memory that the server may use.
    fn of(weights: u64) -> Self {
        Self { weights, overhead: weights.div_ceil(9) }
    }

    /// Weights, cache and overhead together.
    pub fn total(self) -> u64 {
        self.weights.saturating_add(self.overhead)
    }
}

/// Bytes of a model's weights, when they are known.
pub fn weights(model: &str) -> Option<u64> {
    let name = model.rsplit('/').next()?.to_ascii_lowercase();
    if let Some(&(_, weights)) = PUBLISHED.iter().find(|row| row.0 == name) {
        return Some(weights * 100_000_000);
    }
    let tokens: Vec<&str> = name.split(['-', '_']).collect();
    // Bits come as eighths of a byte: a million parameters of 8 bits are 10⁶ bytes.
    Some(millions(&tokens)? * bits(&tokens)? * 125_000)
}

/// Millions of parameters, when the name states them once.
fn millions(tokens: &[&str]) -> Option<u64> {
    // `17B-16E`: the size is that of what is active, and how much experts share is not said.
    if tokens.iter().any(|token| token.strip_suffix('e').is_some_and(is_number)) {
        return None;
    }
    let mixture = |token: &&str| MIXTURES.iter().find(|row| row.0 == *token).map(|row| row.1);
    let mut sizes = tokens.iter().filter_map(|token| mixture(token).or_else(|| size(token)));
    let first = sizes.next()?;
    sizes.all(|other| other == first).then_some(first)
}

/// Millions of parameters that a token such as `7b`, `1.5b` or `300m` states.
fn size(token: &str) -> Option<u64> {
    let (number, unit) = match (token.strip_suffix('b'), token.strip_suffix('m')) {
        (Some(number), _) => (number, 1_000_000),
        (_, Some(number)) => (number, 1_000),
        _ => return None,
    };
    let (whole, fraction) = number.split_once('.').unwrap_or((number, "0"));
    let sound = is_number(whole) && is_number(fraction) && whole.len() <= 4 && fraction.len() <= 3;
    let thousandths =
        sound.then(|| Some(whole.parse::<u64>().ok()? * 1000 + format!("{fraction:0<3}").parse::<u64>().ok()?))??;
    Some(thousandths * unit / 1_000_000).filter(|&millions| millions > 0)
}

/// Bits per weight: what the tokens say, the plain ones when they say nothing, `None` when they say it unclearly.
fn bits(tokens: &[&str]) -> Option<u64> {
    let stated: Vec<_> = tokens.iter().filter_map(|token| FORMATS.iter().find(|row| row.0 == *token)).collect();
    // `GPTQ-Int8`: the number counts, not what the method usually gives.
    match stated.iter().rfind(|row| !matches!(row.0, "awq" | "gptq")).or(stated.last()) {
        None => Some(PLAIN_BITS),
        Some(row) => row.1,
    }
}

fn is_number(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

/// Bytes for people: in 10⁹, with a decimal place.
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
    fn weights_of_models() {
        let check = |model: &str, want: Option<&str>| {
            assert_eq!(weights(model).map(gigabytes).as_deref(), want, "{model}");
        };
        check("Qwen/Qwen2.5-1.5B-Instruct", Some("3 GB"));
        check("mistralai/Mistral-7B-v0.1", Some("14 GB"));
        check("meta-llama/Llama-3.1-70B-Instruct", Some("140 GB"));
        check("meta-llama/Llama-2-7b-hf", Some("14 GB"));
        check("google/embeddinggemma-300m", Some("0.6 GB"));
        check("Qwen/Qwen3-30B-A3B", Some("60 GB")); // all of it is in memory, 3 B are active
        check("Qwen/Qwen3-235B-A22B-FP8", Some("235 GB"));
        check("mistralai/Mixtral-8x7B-Instruct-v0.1", Some("93.4 GB"));
        check("TheBloke/Mixtral-8x7B-v0.1-AWQ", Some("23.4 GB"));
        check("Qwen/Qwen2.5-72B-Instruct-AWQ", Some("36 GB"));
        check("Qwen/Qwen2.5-72B-Instruct-GPTQ", Some("36 GB"));
        check("Qwen/Qwen2.5-72B-Instruct-GPTQ-Int4", Some("36 GB"));
        check("Qwen/Qwen2.5-72B-Instruct-GPTQ-Int8", Some("72 GB"));
        check("Qwen/Qwen2.5-72B-Instruct-Int8", Some("72 GB"));
        check("nvidia/Llama-3.1-405B-Instruct-NVFP4", Some("202.5 GB"));
        check("neuralmagic/Meta-Llama-3.1-405B-Instruct-FP8-dynamic", Some("405 GB"));
        check("moonshotai/Kimi-K2.5", Some("576 GB"));
        check("BAAI/bge-base-en-v1.5", Some("0.4 GB"));
        check("openai/gpt-oss-120b", Some("65.3 GB"));
        check("Some-13B", Some("26 GB"));
    }

    #[test]
    fn names_that_say_nothing() {
        let names = [
            "",
            "/",
            "gpt2",
            "microsoft/Phi-3-mini-4k-instruct",
            "meta-llama/Llama-4-Scout-17B-16E-Instruct",
            "google/gemma-3n-E4B-it",
            "mistralai/Mixtral-9x9B",
            "acme/3B-to-7B-merge",
            "TheBloke/Llama-2-7B-GGUF",
            "acme/99999999999999999999B",
            "acme/0B",
            "acme/1.B",
            "acme/.5B",
            "acme/B",
            "acme/1..5B",
            "acme/A3B",
        ];
        for model in names {
            assert_eq!(weights(model), None, "{model}");
        }
    }

    #[test]
    fn needs_are_weights_over_nine_tenths() {
        assert_eq!(Needs::of(90), Needs { weights: 90, overhead: 10 });
        assert_eq!(Needs::of(91).total(), 102);
        assert_eq!(Needs::of(u64::MAX).total(), u64::MAX);
    }

    #[test]
    fn the_largest_card_is_the_last() {
        assert!(CARDS.is_sorted_by_key(|card| card.gigabytes));
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
