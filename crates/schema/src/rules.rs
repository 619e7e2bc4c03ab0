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

mod cost;
mod field_path;
mod read;
pub(crate) mod rule;
mod run;

pub(crate) use cost::{Costs, inside};
pub(crate) use read::{Scope, read, words};
pub(crate) use run::run;
