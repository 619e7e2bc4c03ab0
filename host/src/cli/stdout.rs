//! Standard output, which holds data alone.

use std::io::{self, Write as _};

use anyhow::Result;

/// Prints data. A reader that has seen enough is no error.
pub(super) fn print(text: &str) -> Result<()> {
    match io::stdout().lock().write_all(text.as_bytes()) {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        done => Ok(done?),
    }
}
