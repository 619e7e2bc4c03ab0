//! Prints the result of a check as SARIF 2.1.0 (OASIS standard, 2020-03-27), for code scanning.

use std::fmt::Write as _;

use serde_json::{Value, json};

use super::result::{CheckResult, RULES, rule};
use crate::problem::line_with_help;
use crate::wit::preview::{Diagnostic, Gravity};

/// A SARIF log with one run.
pub(super) fn spell(result: &CheckResult) -> Value {
    let rules = RULES.iter().map(|(_, name, what)| json!({"id": name, "shortDescription": {"text": what}}));
    let driver = json!({
        "name": "sailplane",
        "version": env!("CARGO_PKG_VERSION"),
        "informationUri": env!("CARGO_PKG_REPOSITORY"),
        "rules": rules.collect::<Vec<_>>(),
    });
    let results = result.diagnostics.iter().map(|diagnostic| finding(result, diagnostic));
    json!({
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{
            "tool": {"driver": driver},
            "columnKind": "unicodeCodePoints",
            "results": results.collect::<Vec<_>>(),
        }],
    })
}

fn finding(result: &CheckResult, diagnostic: &Diagnostic) -> Value {
    let (index, name) = rule(diagnostic.problem.code);
    let level = match diagnostic.gravity {
        Gravity::Error => "error",
        Gravity::Warning => "warning",
    };
    let locations = diagnostic.location.iter().map(|at| {
        let region = json!({
            "startLine": at.line,
            "startColumn": at.column,
            "endLine": at.end_line,
            "endColumn": at.end_column,
        });
        json!({"physicalLocation": {"artifactLocation": {"uri": uri(result.name(*at))}, "region": region}})
    });
    json!({
        "ruleId": name,
        "ruleIndex": index,
        "level": level,
        "message": {"text": line_with_help(&diagnostic.problem)},
        "locations": locations.collect::<Vec<_>>(),
    })
}

/// A file name as a URI reference (RFC 3986): relative to the folder of the run, or with a scheme.
fn uri(name: &str) -> String {
    let mut uri = String::from(if name.starts_with('/') { "file://" } else { "" });
    let name = name.strip_prefix("./").unwrap_or(name);
    for byte in name.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' | b'/' => uri.push(char::from(byte)),
            _ => {
                let _ = write!(uri, "%{byte:02X}");
            }
        }
    }
    uri
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn file_names_become_uris() {
        for (name, expected) in [
            ("a/b.yaml", "a/b.yaml"),
            ("./a b.yaml", "a%20b.yaml"),
            ("/srv/größe.yaml", "file:///srv/gr%C3%B6%C3%9Fe.yaml"),
            ("<stdin>", "%3Cstdin%3E"),
            ("a:b%.yaml", "a%3Ab%25.yaml"),
        ] {
            assert_eq!(uri(name), expected);
        }
    }
}
