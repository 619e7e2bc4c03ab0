//! Prints the result of a check as workflow commands, which annotate a pull request on GitHub
//! (docs.github.com, "Workflow commands for GitHub Actions").

use std::fmt::Write as _;

use super::result::{CheckResult, rule};
use crate::foreign::visible;
use crate::problem::line_with_help;
use crate::wit::preview::{Diagnostic, Gravity};

/// A line per finding.
pub(super) fn spell(result: &CheckResult) -> String {
    result.diagnostics.iter().map(|diagnostic| command(result, diagnostic)).collect()
}

fn command(result: &CheckResult, diagnostic: &Diagnostic) -> String {
    let mut command = String::from(match diagnostic.gravity {
        Gravity::Error => "::error ",
        Gravity::Warning => "::warning ",
    });
    if let Some(at) = diagnostic.location {
        let file = property(result.name(at));
        let _ = write!(command, "file={file},line={},col={},endLine={},", at.line, at.column, at.end_line);
    }
    let (title, message) = (property(rule(diagnostic.problem.code).1), data(&line_with_help(&diagnostic.problem)));
    let _ = writeln!(command, "title={title}::{message}");
    command
}

/// Escapes a message.
fn data(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

/// Escapes the value of a property.
fn property(text: &str) -> String {
    data(&visible(text)).replace(':', "%3A").replace(',', "%2C")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_would_end_a_command_is_escaped() {
        assert_eq!(property("a:b,c%\n"), "a%3Ab%2Cc%25\\n");
        assert_eq!(data("::error::50%\r\n"), "::error::50%25%0D%0A");
    }
}
