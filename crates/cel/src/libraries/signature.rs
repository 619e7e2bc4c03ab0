//! Signatures of functions: parameters, results and costs.

use super::call::Implementation;
use crate::types::Type;
use crate::value::Value;

/// A function with its overloads.
pub(crate) struct Function {
    pub(crate) name: &'static str,
    /// The implementation, which is the same for all overloads.
    pub(crate) run: Implementation,
    pub(crate) overloads: &'static [Overload],
}

/// One overload of a function.
pub(crate) struct Overload {
    /// Whether it is a member function, so that the first parameter is the receiver.
    pub(crate) member: bool,
    pub(crate) parameters: &'static [Sig],
    pub(crate) result: Sig,
    pub(crate) cost: Cost,
}

impl Overload {
    /// Whether it accepts values of these types. The elements of lists and maps are not checked.
    pub(crate) fn takes(&self, values: &[Value<'_>]) -> bool {
        self.parameters.len() == values.len() && self.parameters.iter().zip(values).all(|(sig, value)| sig.takes(value))
    }
}

/// A type in a signature.
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
    /// A type parameter.
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

/// The cost of a call, without the cost of its arguments. The size of a value is that of `size()`, or 1 if it has none. A
/// tenth of a size is rounded up, except where upstream does not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Cost {
    /// 1.
    One,
    /// 1, for every overload.
    OneByName,
    /// A tenth of the first size, for every overload: Kubernetes determines this cost by the function's name.
    Traverse,
    /// A tenth of the first size. For the estimate, a tenth of the second one (`startsWith`).
    TraverseArgument,
    /// A tenth of the first size, also for the estimate.
    TraverseOnly,
    /// Two tenths of the first size.
    TraverseTwice,
    /// `join`: two tenths of the size of the result.
    Join,
    /// `find` and `findAll`, for every overload: as for [`Match`](Self::Match).
    Find,
    /// `matches`: a tenth of the text plus one, times a quarter of the pattern.
    Match,
    /// A tenth of the first size times a tenth of the second.
    Contains,
    /// The size of the list.
    InList,
    /// A tenth of the smaller size.
    Compare,
    /// `==`: the same, but 1 for opaque types.
    Equal,
    /// A tenth of the sum of both sizes.
    Concatenate,
    /// The number of elements of a list, or a tenth of the bytes of its texts.
    Elements,
    /// The cost of making a list with the size of the result.
    MakeList,
    /// The same for `flatten`, with the depth as a factor.
    Flatten,
    /// The cost of comparing each element with each other.
    SelfCompare,
    /// The same for the keys of `sortBy`, the second argument.
    SelfCompareKeys,
    /// The product of both sizes and this factor.
    Product(u32),
    /// `containsIP`. `text` means that the argument is text, which must be parsed.
    ContainsIp { text: bool },
    /// `containsCIDR`. `text` means that the argument is text, which must be parsed.
    ContainsCidr { text: bool },
    /// `validate`.
    Validate,
    /// `check` of an authorizer. It costs so much that an expression can have two of them at most.
    Check,
    /// The selectors of an authorizer, by the length of the text.
    Select,
    /// Nothing: `&&`, `||`, `?:`, `or` and `orValue`.
    Free,
}

impl Cost {
    /// The cost when the overload is not known before evaluation: 1, unless upstream determines it by the function's name.
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
