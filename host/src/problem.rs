//! Problems in words.

use crate::wit::types::{Edit, Problem, ProblemCode};

/// A problem in one line, as the API server prints it: the path, then what is wrong there. A message about an unknown
/// field names it already.
pub(crate) fn line(problem: &Problem) -> String {
    let named = problem.code == ProblemCode::UnknownField && problem.message.contains(&format!("\"{}\"", problem.path));
    if problem.path.is_empty() || named {
        return problem.message.clone();
    }
    format!("{}: {}", problem.path, problem.message)
}

/// What would solve a problem, for people.
pub(crate) fn help(problem: &Problem) -> Option<String> {
    let fix = problem.fix.as_ref().map(|fix| match fix {
        Edit::Replace(value) => format!("write {value}"),
        Edit::Rename(key) => format!("did you mean `{key}`?"),
        Edit::Remove => "remove it".to_owned(),
    });
    let said: Vec<_> = fix.into_iter().chain(problem.hint.clone()).collect();
    (!said.is_empty()).then(|| said.join("; "))
}

/// A problem and what would solve it, in one line.
pub(crate) fn said(problem: &Problem) -> String {
    with_help(line(problem), problem)
}

/// A problem and what would solve it, in one line that does not name its path.
pub(crate) fn message(problem: &Problem) -> String {
    with_help(problem.message.clone(), problem)
}

fn with_help(line: String, problem: &Problem) -> String {
    match help(problem) {
        Some(help) => format!("{line} ({help})"),
        None => line,
    }
}
