//! Functions of device selectors as Modelplane v0.3.1 has them. What it accepts of them beyond Kubernetes is accepted where a
//! platform asks for it: every function of quantities and versions may be spelled as a global function and as a member
//! function (`q.sign()`, `compareTo(q, r)`), and a suffix without a number (`Mi`) is no quantity.

use super::call::{Call, Evaluated};
use super::functions::{QUANTITY, SEMVER, function, global, member};
use super::signature::Cost::{OneByName, Traverse};
use super::signature::Function;
use super::signature::Sig::{Bool, Double, Int, String};
use super::{quantity, version};
use crate::error::RunError;
use crate::value::Value;

/// The function with this name, if it is one of them.
pub(crate) fn lookup(name: &str) -> Option<&'static Function> {
    FUNCTIONS.iter().find(|function| function.name == name)
}

/// Both spellings of overloads.
macro_rules! either {
    ($(($parameters:expr, $result:expr, $cost:expr)),+ $(,)?) => {
        &[$(global($parameters, $result, $cost), member($parameters, $result, $cost)),+]
    };
}

/// The table, sorted by name. Without the second spelling it has the overloads of Kubernetes.
static FUNCTIONS: &[Function] = &[
    function(
        "add",
        quantity::add,
        either![(&[QUANTITY, QUANTITY], QUANTITY, OneByName), (&[QUANTITY, Int], QUANTITY, OneByName)],
    ),
    function("asApproximateFloat", quantity::as_approximate_float, either![(&[QUANTITY], Double, OneByName)]),
    function("asInteger", quantity::as_integer, either![(&[QUANTITY], Int, OneByName)]),
    function(
        "compareTo",
        quantity::compare_to,
        either![(&[QUANTITY, QUANTITY], Int, OneByName), (&[SEMVER, SEMVER], Int, OneByName)],
    ),
    function(
        "isGreaterThan",
        quantity::is_greater_than,
        either![(&[QUANTITY, QUANTITY], Bool, OneByName), (&[SEMVER, SEMVER], Bool, OneByName)],
    ),
    function("isInteger", quantity::is_integer, either![(&[QUANTITY], Bool, OneByName)]),
    function(
        "isLessThan",
        quantity::is_less_than,
        either![(&[QUANTITY, QUANTITY], Bool, OneByName), (&[SEMVER, SEMVER], Bool, OneByName)],
    ),
    function("isQuantity", is_quantity, either![(&[String], Bool, Traverse)]),
    function("isSemver", version::is_semver, either![(&[String], Bool, Traverse), (&[String, Bool], Bool, Traverse)]),
    function("major", version::major, either![(&[SEMVER], Int, OneByName)]),
    function("minor", version::minor, either![(&[SEMVER], Int, OneByName)]),
    function("patch", version::patch, either![(&[SEMVER], Int, OneByName)]),
    function("quantity", parse, either![(&[String], QUANTITY, Traverse)]),
    function("semver", version::parse, either![(&[String], SEMVER, Traverse), (&[String, Bool], SEMVER, Traverse)]),
    function("sign", quantity::sign, either![(&[QUANTITY], Int, OneByName)]),
    function(
        "sub",
        quantity::subtract,
        either![(&[QUANTITY, QUANTITY], QUANTITY, OneByName), (&[QUANTITY, Int], QUANTITY, OneByName)],
    ),
];

fn parse<'a>(call: &mut Call<'_, 'a>) -> Evaluated<'a> {
    if has_number(call.text(0)?) { quantity::parse(call) } else { Err(RunError::failed("the quantity has no number")) }
}

fn is_quantity<'a>(call: &mut Call<'_, 'a>) -> Evaluated<'a> {
    if has_number(call.text(0)?) { quantity::is_quantity(call) } else { Ok(Value::Bool(false)) }
}

/// Whether there are digits before the suffix. Kubernetes reads most suffixes without any as 0.
fn has_number(text: &str) -> bool {
    let number = text.strip_prefix(['+', '-']).unwrap_or(text);
    number.strip_prefix('.').unwrap_or(number).starts_with(|first: char| first.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::super::functions;
    use super::*;

    /// Each has the overloads of Kubernetes, and each of them in the other spelling.
    #[test]
    fn further_spellings_of_the_same_functions() {
        for tolerant in FUNCTIONS {
            let strict = functions::lookup(tolerant.name).expect("a function of Kubernetes");
            assert_eq!(tolerant.overloads.len(), 2 * strict.overloads.len(), "{}", tolerant.name);
            for (pair, want) in tolerant.overloads.chunks(2).zip(strict.overloads) {
                for (overload, is_member) in pair.iter().zip([false, true]) {
                    assert_eq!(overload.member, is_member, "{}", tolerant.name);
                    assert_eq!(overload.parameters, want.parameters, "{}", tolerant.name);
                    assert_eq!((overload.result, overload.cost), (want.result, want.cost), "{}", tolerant.name);
                }
            }
        }
    }
}
