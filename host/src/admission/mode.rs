//! What the path of a request selects: a webhook, and a mode.

use clap::ValueEnum;

/// One of the two webhooks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Webhook {
    /// The validating webhook, which judges objects.
    Validate,
    /// The mutating webhook, which adds defaults to objects. It refuses nothing and has no warnings: the validating
    /// webhook reports problems.
    Mutate,
}

impl Webhook {
    /// The name in paths, metrics and logs.
    pub(super) fn as_str(self) -> &'static str {
        match self {
            Self::Validate => "validate",
            Self::Mutate => "mutate",
        }
    }
}

/// What happens when a verdict has denials.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Mode {
    /// What is wrong is refused
    Enforce,
    /// What is wrong is allowed, and its author is warned
    Warn,
    /// What is wrong is allowed, and told in audit annotations, logs and metrics alone
    Audit,
}

impl Mode {
    /// The name in paths, labels and annotations.
    pub(super) fn as_str(self) -> &'static str {
        match self {
            Self::Enforce => "enforce",
            Self::Warn => "warn",
            Self::Audit => "audit",
        }
    }

    /// The mode with this name.
    pub(super) fn named(name: &str) -> Option<Self> {
        [Self::Enforce, Self::Warn, Self::Audit].into_iter().find(|mode| mode.as_str() == name)
    }
}
