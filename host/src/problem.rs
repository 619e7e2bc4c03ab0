//! Problems as text. Hidden characters are escaped, since paths and messages repeat parts of documents.

use crate::foreign::{visible, visible_lines};
use crate::wit::types::{Edit, Problem, ProblemCode};

/// The largest number of problems in a record of a log.
const MOST_PLACES: usize = 5;

/// A problem in one line, as the API server prints it: the path, then the message. When the message already names the
/// path, as for unknown fields, the message alone.
pub(crate) fn line(problem: &Problem) -> String {
    let named = problem.code == ProblemCode::UnknownField && problem.message.contains(&format!("\"{}\"", problem.path));
    let message = visible_lines(&problem.message);
    if problem.path.is_empty() || named {
        return message.into_owned();
    }
    format!("{}: {message}", visible(&problem.path))
}

/// The text that says how to solve a problem.
pub(crate) fn help(problem: &Problem) -> Option<String> {
    let fix = problem.fix.as_ref().map(|fix| match fix {
        Edit::Replace(value) => format!("write {}", visible(value)),
        Edit::Rename(key) => format!("did you mean `{}`?", visible(key)),
        Edit::Remove => "remove it".to_owned(),
    });
    let parts: Vec<_> =
        fix.into_iter().chain(problem.hint.as_deref().map(|hint| visible_lines(hint).into_owned())).collect();
    (!parts.is_empty()).then(|| parts.join("; "))
}

/// A problem with its path and its help, in one line.
pub(crate) fn line_with_help(problem: &Problem) -> String {
    with_help(line(problem), problem)
}

/// A problem with its help and without its path, in one line.
pub(crate) fn message_with_help(problem: &Problem) -> String {
    with_help(visible_lines(&problem.message).into_owned(), problem)
}

/// Where problems are, and of which kind, for logs: without messages, which repeat values.
pub(crate) fn places(problems: &[Problem]) -> String {
    let named = problems.iter().take(MOST_PLACES).map(|Problem { path, code, .. }| match visible(path) {
        path if path.is_empty() => code_name(*code),
        path => format!("{path} ({})", code_name(*code)),
    });
    let mut places = named.collect::<Vec<_>>().join(", ");
    if problems.len() > MOST_PLACES {
        places += &format!(", and {} more", problems.len() - MOST_PLACES);
    }
    places
}

/// The name of a code, as the contract spells its variants in Rust.
fn code_name(code: ProblemCode) -> String {
    format!("{code:?}").trim_start_matches("ProblemCode::").to_owned()
}

fn with_help(line: String, problem: &Problem) -> String {
    match help(problem) {
        Some(help) => format!("{line} ({help})"),
        None => line,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_have_no_values() {
        let problem = |path: &str| Problem {
            path: path.to_owned(),
            code: ProblemCode::NotSupported,
            message: "\"secret\" is not supported".to_owned(),
            fix: Some(Edit::Replace("secret".to_owned())),
            hint: None,
        };
        assert_eq!(places(&[problem("spec.a\n"), problem("")]), "spec.a\\n (NotSupported), NotSupported");
        let many = vec![problem("a"); MOST_PLACES + 2];
        assert_eq!(places(&many), format!("{}, and 2 more", ["a (NotSupported)"; MOST_PLACES].join(", ")));
    }
}
