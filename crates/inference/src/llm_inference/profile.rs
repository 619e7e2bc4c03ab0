//! Facts about models. A new model is a new row here.

use super::hub;

/// What models need besides GPUs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Profile {
    /// The models that have this profile.
    pub matches: Match,
    /// Whether downloading the model needs a Hugging Face token.
    pub gated: bool,
    /// Whether vLLM should let the model choose tools automatically.
    pub enable_tool: bool,
    /// The parser of vLLM for its tool calls.
    pub tool_call_parser: Option<&'static str>,
    /// Further arguments for vLLM. The operator must not set any of them already.
    pub extra_args: &'static [&'static str],
    /// The class of the model.
    pub class: Class,
}

/// Which models have a profile. Upper and lower case are the same, as they are on the hub.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Match {
    /// The model with this identifier.
    Exactly(&'static str),
    /// The models whose identifiers start with this.
    Prefix(&'static str),
}

/// The class of a model, which decides its API.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Class {
    /// It generates text: `/v1/chat/completions`.
    Generative,
    /// It computes embeddings: `/v1/embeddings`. vLLM detects this and needs no arguments.
    Embedding,
}

/// All profiles, those with exact identifiers before those with prefixes.
///
/// The arguments of Kimi K2.5 are those that all of its serving guides have. It needs vLLM 0.15 or newer.
#[rustfmt::skip]
pub const PROFILES: &[Profile] = &[
    Profile {
        gated: true,
        enable_tool: true,
        tool_call_parser: Some("kimi_k2"),
        extra_args: &["--trust-remote-code", "--mm-encoder-tp-mode", "data", "--reasoning-parser", "kimi_k2"],
        ..plain(Match::Exactly("moonshotai/Kimi-K2.5"))
    },
    Profile { class: Class::Embedding, ..plain(Match::Exactly("BAAI/bge-base-en-v1.5")) },
    Profile { gated: true, ..plain(Match::Prefix("meta-llama/")) },
    Profile { gated: true, ..plain(Match::Prefix("google/gemma")) },
    Profile { gated: true, class: Class::Embedding, ..plain(Match::Prefix("google/embeddinggemma")) },
];

/// The profile of all other models.
const ANY: Profile = plain(Match::Prefix(""));

impl Profile {
    /// The profile of a model: the first that matches.
    pub fn of(model: &str) -> &'static Self {
        PROFILES.iter().find(|profile| profile.matches.accepts(model)).unwrap_or(&ANY)
    }
}

impl Match {
    fn accepts(self, model: &str) -> bool {
        match self {
            Self::Exactly(name) => hub::same(model, name),
            Self::Prefix(start) => hub::starts_with(model, start),
        }
    }
}

const fn plain(matches: Match) -> Profile {
    Profile {
        matches,
        gated: false,
        enable_tool: false,
        tool_call_parser: None,
        extra_args: &[],
        class: Class::Generative,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gated_models() {
        let check = |model, gated| assert_eq!(Profile::of(model).gated, gated, "{model}");
        check("moonshotai/Kimi-K2.5", true);
        check("moonshotai/Kimi-K2.5-Instruct", false);
        check("meta-llama/Llama-3.1-8B-Instruct", true);
        check("google/gemma-3-27b-it", true);
        check("google/embeddinggemma-300m", true);
        check("google/flan-t5-xl", false);
        check("Qwen/Qwen2.5-1.5B-Instruct", false);
        check("BAAI/bge-base-en-v1.5", false);
        check("", false);
    }

    #[test]
    fn upper_and_lower_case_are_the_same() {
        for profile in PROFILES {
            let (Match::Exactly(name) | Match::Prefix(name)) = profile.matches;
            for spelled in [name.to_lowercase(), name.to_uppercase()] {
                assert_eq!(Profile::of(&spelled), profile, "{spelled}");
            }
        }
    }

    #[test]
    fn exact_profiles_come_before_prefixes() {
        let is_exact = |profile: &Profile| matches!(profile.matches, Match::Exactly(_));
        assert!(PROFILES.is_sorted_by_key(|profile| !is_exact(profile)));
    }

    #[test]
    fn no_argument_is_one_that_the_operator_renders() {
        let rendered = [
            "--host",
            "--port",
            "--dtype",
            "--tensor-parallel-size",
            "--gpu_memory_utilization",
            "--max-model-len",
            "--max-num-seqs",
            "--enable-chunked-prefill",
            "--no-enable-chunked-prefill",
            "--enable-prefix-caching",
            "--no-enable-prefix-caching",
            "--enable-auto-tool-choice",
            "--tool-call-parser",
        ];
        for profile in PROFILES {
            assert!(!profile.extra_args.iter().any(|arg| rendered.contains(arg)), "{profile:?}");
        }
    }
}
