//! `x-kubernetes-validations`: rules in CEL, compiled with their schema (apiextensions-apiserver
//! `pkg/apiserver/schema/cel`, `pkg/apis/apiextensions/validation`).
//!
//! | keyword | what it does |
//! |---|---|
//! | `rule` | must be true of `self`; with `oldSelf` it is only asked on updates, of values that have an old one |
//! | `message`, `messageExpression` | what is said instead of the rule |
//! | `reason` | the kind of error: Invalid, Forbidden, Required or Duplicate |
//! | `fieldPath` | the field that is named instead of the one with the rule |
//! | `optionalOldSelf` | the rule is also asked without an old value, which is then an empty optional |

use std::fmt;

use cel::{Declared, Program};

use crate::error::Kind;
use crate::path::Segment;

mod cost;
mod field_path;
mod read;
mod run;

pub(crate) use cost::{Costs, Repetition, inside};
pub(crate) use read::{Scope, read, words};
pub(crate) use run::run;

/// The rules of one schema.
pub(crate) struct Rules {
    declared: Declared,
    rules: Vec<Rule>,
}

impl fmt::Debug for Rules {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.rules.iter().map(|rule| rule.program.source())).finish()
    }
}

struct Rule {
    /// The rule as it is named in messages.
    shown: String,
    message: Option<String>,
    kind: Kind,
    field: Option<FieldPath>,
    program: Program,
    message_program: Option<Program>,
    uses_old_self: bool,
    optional_old_self: bool,
}

/// A field below the one with the rule.
#[derive(Clone, Debug)]
struct FieldPath {
    shown: String,
    segments: Vec<Segment>,
}
