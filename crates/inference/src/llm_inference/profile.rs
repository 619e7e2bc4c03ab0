//! What is known of models: the extension point for new ones.

/// What a model needs beyond its GPUs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Profile {
    /// Which models it is for.
    pub matches: Match,
    /// Whether its files can only be fetched with a token.
    pub gated: bool,
    /// Whether the model calls tools by itself.
    pub enable_tool: bool,
    /// What reads its calls.
    pub tool_call_parser: Option<&'static str>,
    /// More arguments for the server, none of them one that the operator renders already.
    pub extra_args: &'static [&'static str],
    /// What it is for.
    pub class: Class,
}

/// Which models a profile is for; case counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Match {
    /// The one with this identifier.
    Exactly(&'static str),
    /// Those whose identifier starts with this.
    Prefix(&'static str),
}

/// What a model is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Class {
    /// It writes text: `/v1/chat/completions`.
    Generative,
    /// It makes vectors of text: `/v1/embeddings`. vLLM finds out by itself and needs no arguments.
    Embedding,
}

/// Every profile, the exact ones before the prefixes.
///
/// Kimi K2.5's arguments are those on which its serving guides agree; it needs vLLM 0.15 or newer.
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

/// The profile of every other model.
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
            Self::Exactly(name) => model == name,
            Self::Prefix(start) => model.starts_with(start),
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
        check("moonshotai/kimi-k2.5", false);
        check("meta-llama/Llama-3.1-8B-Instruct", true);
        check("google/gemma-3-27b-it", true);
        check("google/embeddinggemma-300m", true);
        check("google/flan-t5-xl", false);
        check("Qwen/Qwen2.5-1.5B-Instruct", false);
        check("BAAI/bge-base-en-v1.5", false);
        check("", false);
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
