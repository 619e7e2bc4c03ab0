//! Standard output, which is for data only.

use std::borrow::Cow;
use std::io::{self, IsTerminal as _, Write as _};

use anyhow::Result;

use crate::foreign::visible_lines;

/// Prints text. On a terminal, hidden characters are escaped; other readers get the data as it is.
pub(super) fn print(text: &str) -> Result<()> {
    write(printed(text, io::stdout().is_terminal()).as_bytes())
}

fn printed(text: &str, to_terminal: bool) -> Cow<'_, str> {
    if to_terminal { visible_lines(text) } else { Cow::Borrowed(text) }
}

/// Writes bytes. It is no error when the reader closes the pipe before the end.
pub(super) fn write(bytes: &[u8]) -> Result<()> {
    let mut stdout = io::stdout().lock();
    match stdout.write_all(bytes).and_then(|()| stdout.flush()) {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        done => Ok(done?),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_terminal_gets_no_hidden_characters() {
        let data = "a: \u{1b}[31m\u{202e}b\n\tc";
        assert_eq!(printed(data, true), "a: \\u{1b}[31m\\u{202e}b\n\tc");
        assert_eq!(printed(data, false), data);
    }
}
