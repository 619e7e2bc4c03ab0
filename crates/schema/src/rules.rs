//! `x-kubernetes-validations`: CEL rules (apiextensions-apiserver `pkg/apiserver/schema/cel`,
//! `pkg/apis/apiextensions/validation`).
//!
//! | keyword | meaning |
//! |---|---|
//! | `rule` | must be true for `self`; a rule with `oldSelf` is only evaluated in updates, for values with an old value |
//! | `message`, `messageExpression` | the message of the error, instead of the rule |
//! | `reason` | the kind of error: Invalid, Forbidden, Required or Duplicate |
//! | `fieldPath` | the field of the error, instead of the field that has the rule |
//! | `optionalOldSelf` | the rule is also evaluated without an old value; `oldSelf` is an optional value |

mod cost;
mod field_path;
mod read;
pub(crate) mod rule;
mod run;

pub(crate) use cost::{Costs, inside};
pub(crate) use read::{SchemaContext, read, syntax_errors};
pub(crate) use run::run;
