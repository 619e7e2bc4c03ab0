//! The policies that an API server runs by itself.

/// What `sailplane definitions --admission-policies` prints.
pub(crate) fn policies() -> String {
    let printed = tests::command::run(&["definitions", "--admission-policies"]);
    assert!(printed.ok, "{}", printed.err);
    format!("# Printed by `sailplane definitions --admission-policies`: run `make generate`.\n{}", printed.out)
}
