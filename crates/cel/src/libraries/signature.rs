//! What a function takes and gives, and what a call of it costs.

use super::call::Run;
use crate::types::Type;
use crate::value::Value;

/// A function: a name and what may stand before and in its parentheses.
pub(crate) struct Function {
    pub(crate) name: &'static str,
    /// What a call does, whichever overload it is of.
    pub(crate) run: Run,
    pub(crate) overloads: &'static [Overload],
}

/// One way to call a function.
pub(crate) struct Overload {
    /// Whether the first parameter stands before the name.
    pub(crate) member: bool,
    pub(crate) parameters: &'static [Sig],
    pub(crate) result: Sig,
    pub(crate) cost: Cost,
}

impl Overload {
    /// Whether values are of the kinds that it takes; what is in lists and maps is not looked at.
    pub(crate) fn takes(&self, values: &[Value<'_>]) -> bool {
        self.parameters.len() == values.len() && self.parameters.iter().zip(values).all(|(sig, value)| sig.takes(value))
    }
}

/// A type of an overload.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Sig {
    Dyn,
    Bool,
    Int,
    Uint,
    Double,
    String,
    Bytes,
    Timestamp,
    Duration,
    List(&'static Sig),
    Map(&'static Sig, &'static Sig),
    Optional(&'static Sig),
    Type(&'static Sig),
    Opaque(&'static str),
    /// A type that the call decides.
    Param(u32),
}

impl Sig {
    fn takes(self, value: &Value<'_>) -> bool {
        match (self, value) {
            (Self::Dyn | Self::Param(_), _)
            | (Self::Bool, Value::Bool(_))
            | (Self::Int, Value::Int(_))
            | (Self::Uint, Value::Uint(_))
            | (Self::Double, Value::Double(_))
            | (Self::String, Value::String(_))
            | (Self::Bytes, Value::Bytes(_))
            | (Self::Timestamp, Value::Timestamp(_))
            | (Self::Duration, Value::Duration(_))
            | (Self::List(_), Value::List(_))
            | (Self::Map(..), Value::Map(_))
            | (Self::Optional(_), Value::Optional(_))
            | (Self::Type(_), Value::Type(_)) => true,
            (Self::Opaque(name), value) => value.ty() == Type::Opaque(name),
            _ => false,
        }
    }
}

/// What a call costs, apart from what its arguments cost. Sizes are those that `size()` gives, and 1 for what
/// has none; a tenth of a size is rounded up, except where upstream does not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Cost {
    /// 1.
    One,
    /// 1, whichever overload it is of.
    OneByName,
    /// A tenth of the first size. Kubernetes prices these by name, whichever overload it is of.
    Traverse,
    /// A tenth of the size of what the library itself prices (`startsWith`, `bytes`): the estimate takes the second.
    TraverseArgument,
    /// The same, with the first size for the estimate too.
    TraverseOnly,
    /// Two tenths of the first size.
    TraverseTwice,
    /// `join`: two tenths of the size of the result.
    Join,
    /// `find`, `findAll`, by name.
    Find,
    /// `matches`: a tenth of the text plus one, times a quarter of the pattern.
    Match,
    /// A tenth of the one size times a tenth of the other.
    Contains,
    /// The size of the list.
    InList,
    /// A tenth of the smaller size.
    Compare,
    /// `==`: the same, but 1 for opaque types.
    Equal,
    /// A tenth of the sum of both sizes.
    Concatenate,
    /// The elements of a list, or a tenth of the bytes of what it holds.
    Elements,
    /// A list of the size of the result is made.
    MakeList,
    /// The same for `flatten`, with the depth as a factor.
    Flatten,
    /// Each element is compared with each other.
    SelfCompare,
    /// The same for the keys of `sortBy`, the second argument.
    SelfCompareKeys,
    /// The product of both sizes, so many times.
    Product(u32),
    /// `containsIP`; with a text that is parsed first.
    ContainsIp { text: bool },
    /// `containsCIDR`; with a text that is parsed first.
    ContainsCidr { text: bool },
    /// `validate`.
    Validate,
    /// `check` of an authorizer: so much that an expression has two of them at most.
    Check,
    /// The selectors of an authorizer: by the length of the text.
    Select,
    /// Nothing itself: `&&`, `||`, `?:`, and what optionals do with short circuits.
    Free,
}

impl Cost {
    /// What it is when the overload is not known before evaluation: the same where upstream goes by the name of the
    /// function, 1 elsewhere.
    pub(crate) fn by_name(self) -> Self {
        match self {
            Self::ContainsIp { .. } => Self::ContainsIp { text: false },
            Self::ContainsCidr { .. } => Self::ContainsCidr { text: false },
            _ if self.is_by_name() => self,
            _ => Self::One,
        }
    }

    fn is_by_name(self) -> bool {
        matches!(
            self,
            Self::OneByName
                | Self::Traverse
                | Self::TraverseTwice
                | Self::Join
                | Self::Find
                | Self::Elements
                | Self::Validate
                | Self::Check
                | Self::Select
                | Self::Equal
                | Self::Free
        )
    }
}
