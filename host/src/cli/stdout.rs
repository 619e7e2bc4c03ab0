//! Standard output, which is for data only.

use std::io::{self, Write as _};

use anyhow::Result;

/// Prints text.
pub(super) fn print(text: &str) -> Result<()> {
    write(text.as_bytes())
}

/// Writes bytes. It is no error when the reader closes the pipe before the end.
pub(super) fn write(bytes: &[u8]) -> Result<()> {
    let mut stdout = io::stdout().lock();
    match stdout.write_all(bytes).and_then(|()| stdout.flush()) {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        done => Ok(done?),
    }
}
