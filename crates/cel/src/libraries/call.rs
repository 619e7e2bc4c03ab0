//! Calls of functions.

use super::amounts::Amounts;
use crate::error::RunError;
use crate::fuel::Fuel;
use crate::regex::{Caches, Regex};
use crate::value::text::Text;
use crate::value::{List, Value};

/// The implementation of a function.
pub(crate) type Implementation = for<'c, 'a> fn(&mut Call<'c, 'a>) -> Evaluated<'a>;

/// The result of an evaluation.
pub(crate) type Evaluated<'a> = Result<Value<'a>, RunError>;

/// A call of a function, with the values of its arguments. The receiver of a member function is the first one.
pub(crate) struct Call<'c, 'a> {
    pub(crate) function: &'static str,
    pub(crate) values: &'c [Value<'a>],
    /// The compiled pattern, if it is a constant.
    pub(crate) regex: Option<&'c Regex>,
    /// What searches for constant patterns keep.
    pub(crate) caches: &'c mut Caches,
    pub(crate) amounts: &'c mut Amounts,
    pub(crate) fuel: &'c mut Fuel,
    /// How much cost is left. A result that would cost more is not computed.
    pub(crate) left: u64,
}

impl<'c, 'a> Call<'c, 'a> {
    pub(crate) fn get(&self, index: usize) -> Result<&'c Value<'a>, RunError> {
        self.values.get(index).ok_or_else(|| self.no_overload())
    }

    /// An argument with the current state of its quantities.
    pub(crate) fn current(&mut self, index: usize) -> Evaluated<'a> {
        self.amounts.current(self.get(index)?, self.fuel)
    }

    pub(crate) fn text(&self, index: usize) -> Result<&'c Text<'a>, RunError> {
        if let Value::String(text) = self.get(index)? { Ok(text) } else { Err(self.no_overload()) }
    }

    pub(crate) fn int(&self, index: usize) -> Result<i64, RunError> {
        if let Value::Int(int) = self.get(index)? { Ok(*int) } else { Err(self.no_overload()) }
    }

    pub(crate) fn list(&self, index: usize) -> Result<&'c List<'a>, RunError> {
        if let Value::List(list) = self.get(index)? { Ok(list) } else { Err(self.no_overload()) }
    }

    /// The integer of an optional argument.
    pub(crate) fn int_or(&self, index: usize, default: i64) -> Result<i64, RunError> {
        if self.values.len() > index { self.int(index) } else { Ok(default) }
    }

    /// Fails when a result that costs `size` would exceed the cost limit.
    pub(crate) fn afford(&self, size: u64) -> Result<(), RunError> {
        if size > self.left { Err(RunError::cost_exceeded()) } else { Ok(()) }
    }

    pub(crate) fn no_overload(&self) -> RunError {
        no_overload(self.function, self.values)
    }
}

/// The error for arguments that a function does not accept.
pub(crate) fn no_overload(function: &str, values: &[Value<'_>]) -> RunError {
    if !function.starts_with(|first: char| first.is_ascii_alphabetic()) {
        return RunError::failed(format!("no such overload: {function}"));
    }
    let types: Vec<String> = values.iter().map(|value| value.ty().name()).collect();
    RunError::failed(format!("no such overload: {function}({})", types.join(", ")))
}
