//! What a path asks for: which door, and what follows from a verdict.

use clap::ValueEnum;

/// What is done at a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Door {
    /// Objects are judged.
    Validate,
    /// Defaults are written into objects. Nothing is refused or said: what is wrong is the other door's to tell.
    Mutate,
}

impl Door {
    /// As paths and metrics have it.
    pub(super) fn as_str(self) -> &'static str {
        match self {
            Self::Validate => "validate",
            Self::Mutate => "mutate",
        }
    }
}

/// What follows from a verdict.
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
    /// As paths, labels and annotations have it.
    pub(super) fn as_str(self) -> &'static str {
        match self {
            Self::Enforce => "enforce",
            Self::Warn => "warn",
            Self::Audit => "audit",
        }
    }

    /// The mode of that name.
    pub(super) fn named(name: &str) -> Option<Self> {
        [Self::Enforce, Self::Warn, Self::Audit].into_iter().find(|mode| mode.as_str() == name)
    }
}
