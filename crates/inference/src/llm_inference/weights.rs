//! The size of models: the published one, or the one that follows from number of parameters and format in the name. If
//! the name does not contain them, the size is unknown. There are no guesses.

/// Published sizes of weights in units of 10⁸ bytes, by the name without the owner, in lower case: models whose names
/// do not contain their size, or contain a wrong one.
#[rustfmt::skip]
const PUBLISHED: &[(&str, u64)] = &[
    // BAAI's model cards: 109, 335 and 568 million parameters, published in 32 bits.
    ("bge-base-en-v1.5",  4),
    ("bge-large-en-v1.5", 13),
    ("bge-m3",            23),
    // DeepSeek's model cards: 671 billion parameters, published in 8 bits.
    ("deepseek-r1",       6_710),
    ("deepseek-v3",       6_710),
    // The gpt-oss model card (arXiv 2508.10925, table 1): checkpoints of 60.8 and 12.8 GiB, in MXFP4.
    ("gpt-oss-120b",      653),
    ("gpt-oss-20b",       137),
    ("gpt-oss-safeguard-120b", 653),
    ("gpt-oss-safeguard-20b",  137),
    // Its serving guides require 640 GB of GPU memory, of which a tenth is not for weights.
    ("kimi-k2.5",         5_760),
];

/// Millions of parameters of mixtures of experts, by a token in the name. Experts share layers, so the product of the two
/// numbers is not the size.
const MIXTURES: &[(&str, u64)] = &[("8x7b", 46_700), ("8x22b", 140_600)];

/// Bits per weight, by the token of the format in the name. `None` when the token does not determine them.
#[rustfmt::skip]
const FORMATS: &[(&str, Option<u64>)] = &[
    ("awq", Some(4)), ("gptq", Some(4)), ("int4", Some(4)), ("4bit", Some(4)), ("w4a16", Some(4)),
    ("nvfp4", Some(4)), ("mxfp4", Some(4)), ("fp4", Some(4)),
    ("fp8", Some(8)), ("int8", Some(8)), ("8bit", Some(8)), ("w8a8", Some(8)), ("w8a16", Some(8)),
    ("bf16", Some(16)), ("fp16", Some(16)), ("fp32", Some(32)),
    ("gguf", None), ("exl2", None), ("exl3", None), ("aqlm", None), ("hqq", None), ("bnb", None), ("mlx", None),
];

/// Bits per weight of a model without a format in its name: `bfloat16`.
const PLAIN_BITS: u64 = 16;

/// The size of the weights of a model in bytes. `None` when it is unknown.
pub fn weights(model: &str) -> Option<u64> {
    let name = model.rsplit('/').next()?.to_ascii_lowercase();
    if let Some(&(_, weights)) = PUBLISHED.iter().find(|row| row.0 == name) {
        return Some(weights * 100_000_000);
    }
    let tokens: Vec<&str> = name.split(['-', '_']).collect();
    // A million parameters of one bit are 125,000 bytes.
    Some(millions(&tokens)? * bits(&tokens)? * 125_000)
}

/// Millions of parameters, if the name contains exactly one size.
fn millions(tokens: &[&str]) -> Option<u64> {
    // In `17B-16E` the size is that of the active parameters, and the name does not tell how much the experts share.
    if tokens.iter().any(|token| token.strip_suffix('e').is_some_and(is_number)) {
        return None;
    }
    let mixture = |token: &str| MIXTURES.iter().find(|row| row.0 == token).map(|row| row.1);
    // If there are both, as in `7B-Instruct-1M`, the millions are tokens of context.
    let billions = only(tokens.iter().filter_map(|token| mixture(token).or_else(|| size(token, 'b', 1_000_000))));
    billions.or_else(|| only(tokens.iter().filter_map(|token| size(token, 'm', 1_000)))).flatten()
}

/// `None` when there are no sizes, `Some(None)` when they differ, and else the size that all of them are.
fn only(mut sizes: impl Iterator<Item = u64>) -> Option<Option<u64>> {
    let first = sizes.next()?;
    Some(sizes.all(|other| other == first).then_some(first))
}

/// Millions of parameters in a token such as `7b`, `1.5b` or `300m`. `unit` is the value of the suffix, in thousands.
fn size(token: &str, suffix: char, unit: u64) -> Option<u64> {
    let number = token.strip_suffix(suffix)?;
    let (whole, fraction) = number.split_once('.').unwrap_or((number, "0"));
    let sound = is_number(whole) && is_number(fraction) && whole.len() <= 4 && fraction.len() <= 3;
    let thousandths = if sound { format!("{whole}{fraction:0<3}").parse::<u64>().ok()? } else { return None };
    Some(thousandths * unit / 1_000_000).filter(|&millions| millions > 0)
}

/// Bits per weight: those of the format among the tokens, or [`PLAIN_BITS`] without a format. `None` when the format does
/// not determine them.
fn bits(tokens: &[&str]) -> Option<u64> {
    let stated: Vec<_> = tokens.iter().filter_map(|token| FORMATS.iter().find(|row| row.0 == *token)).collect();
    // In `GPTQ-Int8` the number decides, not the usual bits of the method.
    match stated.iter().rfind(|row| !matches!(row.0, "awq" | "gptq")).or(stated.last()) {
        None => Some(PLAIN_BITS),
        Some(row) => row.1,
    }
}

fn is_number(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::super::memory::gigabytes;
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
        check("Qwen/Qwen3-30B-A3B", Some("60 GB")); // all 30 B are in memory, 3 B are active
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
        check("MoonshotAI/kimi-k2.5", Some("576 GB"));
        check("qwen/QWEN2.5-72b-instruct-awq", Some("36 GB"));
        check("BAAI/bge-base-en-v1.5", Some("0.4 GB"));
        check("openai/gpt-oss-120b", Some("65.3 GB"));
        check("Some-13B", Some("26 GB"));
        check("Qwen/Qwen2.5-7B-Instruct-1M", Some("14 GB")); // a million tokens of context
    }

    #[test]
    fn names_without_a_size() {
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
}
