//! Rules, compiled.

use std::fmt;

use cel::{Declared, Program};

use crate::error::Kind;
use crate::path::Segment;

/// The rules of one schema.
pub(crate) struct Rules {
    pub(super) declared: Declared,
    pub(super) rules: Vec<Rule>,
}

impl fmt::Debug for Rules {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.rules.iter().map(|rule| rule.program.source())).finish()
    }
}

pub(super) struct Rule {
    /// The rule as messages show it.
    pub(super) shown: String,
    pub(super) message: Option<String>,
    pub(super) kind: Kind,
    pub(super) field: Option<FieldPath>,
    pub(super) program: Program,
    pub(super) message_program: Option<Program>,
    pub(super) uses_old_self: bool,
    pub(super) optional_old_self: bool,
}

/// A field below the field with the rule.
#[derive(Clone, Debug)]
pub(super) struct FieldPath {
    pub(super) shown: String,
    pub(super) segments: Vec<Segment>,
}
