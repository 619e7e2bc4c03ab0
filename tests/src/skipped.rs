//! Checks that could not be made.

use std::fs::OpenOptions;
use std::io::Write as _;
use std::{env, io};

use crate::files::workspace;

/// Where `make test` finds what to say at its end.
const FILE: &str = "target/skipped";

/// Notes that `count` checks of a kind were skipped, and says it now. Tests keep what they print until they fail, so it
/// goes to standard error itself.
///
/// # Panics
/// In CI (`CI=true`), which has everything that checks need.
pub fn skip(count: usize, what: &str, want: &str) {
    let line = format!("SKIPPED {count} checks: {what}, for want of {want}\n");
    assert!(env::var("CI").as_deref() != Ok("true"), "{line}");
    let file = OpenOptions::new().create(true).append(true).open(workspace().join(FILE));
    file.and_then(|mut file| file.write_all(line.as_bytes())).expect("it can be written");
    io::stderr().write_all(line.as_bytes()).expect("it can be written");
}
