//! What documents say of flags that are not given is what the help says.

use tests::command::run;
use tests::documents;

use crate::none_wrong;

/// A default, as a line of a document has it.
struct DocumentedDefault {
    document: &'static str,
    /// What else is in the line.
    line: &'static str,
    command: &'static str,
    flag: &'static str,
    default: &'static str,
    /// How the document spells it.
    spelled: &'static str,
}

const fn row(
    document: &'static str,
    line: &'static str,
    command: &'static str,
    flag: &'static str,
    default: &'static str,
    spelled: &'static str,
) -> DocumentedDefault {
    DocumentedDefault { document, line, command, flag, default, spelled }
}

#[rustfmt::skip]
const ROWS: &[DocumentedDefault] = &[
    row("docs/function.md", "`--address`", "function", "--address", ":9443", "| 9443 |"),
    row("docs/function.md", "`--metrics-address`", "function", "--metrics-address", ":8080", "| 8080 |"),
    row("docs/function.md", "`--health-address`", "function", "--health-address", ":8081", "| 8081 |"),
    row("docs/function.md", "| request |", "function", "--max-recv-message-size", "64", "64 MB"),
    row("docs/function.md", "| time of a call |", "function", "--call-timeout", "10", "10 s"),
    row("docs/function.md", "| memory of a call |", "function", "--call-memory", "1024", "1024 MB"),
    row("docs/admission.md", "`--metrics-address`", "admission", "--metrics-address", ":8080", "`:8080`"),
    row("docs/admission.md", "`--health-address`", "admission", "--health-address", ":8081", "`:8081`"),
    row("docs/admission.md", "`--mode` says", "admission", "--mode", "enforce", "`enforce` when absent"),
    row("docs/admission.md", "`--timeout`", "admission", "--timeout", "4", "(4 s)"),
    row("docs/admission.md", "`--shutdown-delay`", "admission", "--shutdown-delay", "5", "(5 s)"),
    row("docs/admission.md", "`--max-body`", "admission", "--max-body", "8", "8 MB"),
    row("docs/admission.md", "`--max-reviews`", "admission", "--max-reviews", "64", "64 reviews"),
    row("docs/security.md", "| what comes in |", "function", "--max-recv-message-size", "64", "| 64 MB |"),
    row("docs/security.md", "| what comes in |", "admission", "--max-body", "8", "| 8 MB |"),
    row("docs/security.md", "| time of a call |", "function", "--call-timeout", "10", "| 10 s |"),
    row("docs/security.md", "| time of a call |", "admission", "--timeout", "4", "| 4 s |"),
    row("docs/security.md", "| time of a call |", "render", "--timeout", "1m", "| 1 min |"),
    row("docs/security.md", "| memory of a call |", "function", "--call-memory", "1024", "| 1024 MB |"),
    row("docs/security.md", "| memory of a call |", "admission", "--call-memory", "256", "| 256 MB |"),
    row("docs/security.md", "| calls at once, for each module |", "admission", "--max-reviews", "64", "| 64,"),
    row("docs/quick-start.md", "the preview page is at", "preview", "--address", "127.0.0.1:8000", "127.0.0.1:8000"),
];

#[test]
fn are_those_of_the_help() {
    let mut wrong = Vec::new();
    for DocumentedDefault { document, line, command, flag, default, spelled } in ROWS {
        let help = run(&[command, "--help"]).out;
        let of_flag = help.split(&format!("{flag} <")).nth(1).and_then(|text| text.split("\n\n      -").next());
        if !of_flag.is_some_and(|text| text.contains(&format!("[default: {default}]"))) {
            wrong.push(format!("sailplane {command} {flag} has another default than {default}"));
        }
        let text = documents::read(document).text;
        if !text.lines().any(|it| it.contains(line) && it.contains(spelled)) {
            wrong.push(format!("{document}: no line has `{line}` and `{spelled}`"));
        }
    }
    none_wrong(&wrong);
}
