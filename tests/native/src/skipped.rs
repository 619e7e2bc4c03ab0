//! Checks that were skipped.

use std::fs::OpenOptions;
use std::io::Write as _;
use std::{env, io};

use crate::files::workspace;

/// The file that `make test` prints at its end.
const FILE: &str = "target/skipped";

/// Records that `count` checks were skipped, and prints it. It prints to standard error directly, because the test
/// harness shows other output only after a failure.
///
/// # Panics
/// In CI (`CI=true`), where no check may be skipped.
pub fn skip(count: usize, what: &str, want: &str) {
    let line = format!("SKIPPED {count} checks: {what}, for want of {want}\n");
    assert!(env::var("CI").as_deref() != Ok("true"), "{line}");
    let file = OpenOptions::new().create(true).append(true).open(workspace().join(FILE));
    file.and_then(|mut file| file.write_all(line.as_bytes())).expect("it can be written");
    io::stderr().write_all(line.as_bytes()).expect("it can be written");
}
