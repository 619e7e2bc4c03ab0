//! What is said about a live cluster that would be refused today. It stays as Modelplane v0.3.1 makes it.

use contract::compose::ComposeRequest;
use contract::types::ConditionStatus::{False, True};
use contract::types::{Problem, Severity};
use toolbox::conditions::{self, ConditionRow, note, warning};

use super::answer;
use crate::modelplane::conditions::Report;

/// The conditions of clusters in clouds, also for documentation.
pub const CONDITIONS: &[ConditionRow] = &{
    let [there, waiting, refused] = answer::CONDITIONS;
    [there, waiting, refused, INVALID, VALID]
};

const INVALID: ConditionRow =
    warning("SpecValid", False, "WouldBeRefused", "the cluster has what is refused in a new one; the message names it");
const VALID: ConditionRow =
    note("SpecValid", True, "Valid", "the cluster has nothing any more that is refused in a new one");

/// Says what is refused in a new cluster, as long as the live one has it; and once it has nothing of that any more, that.
pub fn advise(report: &mut Report, request: &ComposeRequest, refused: &[Problem]) {
    let words: Vec<_> = refused.iter().map(|it| format!("{}: {}", it.path, it.message)).collect();
    if !words.is_empty() {
        let words = words.join("; ");
        report.announce(request, INVALID.report(words.as_str()), Severity::Warning, &words);
    } else if request.composite().is_ok_and(|it| conditions::find(it, INVALID.condition_type).is_some()) {
        report.add(VALID.report(""));
    }
}

#[cfg(test)]
mod tests {
    use contract::types::Code;
    use serde_json::{Value, json};

    use super::*;
    use crate::options::Options;

    /// What is said stays said, and is an event once.
    #[test]
    fn what_is_said() {
        #[track_caller]
        fn check(said: Value, refused: &[&str], want: Option<(&str, Option<&str>)>, events: usize) {
            let composite = json!({"status": {"conditions": [said]}});
            let request = ComposeRequest { composite: Some(composite.into()), ..ComposeRequest::default() };
            let refused: Vec<_> = refused.iter().map(|it| Problem::new("spec.a", Code::Invalid, *it)).collect();
            let mut report = Report::default();
            advise(&mut report, &request, &refused);
            let response = report.respond(&Options::default(), Default::default());
            let found = response.conditions.first().map(|it| (it.reason.as_str(), it.message.as_deref()));
            assert_eq!((found, response.results.len()), (want, events));
        }
        let said = |status: &str, reason: &str, message: &str| json!({"type": "SpecValid", "status": status, "reason": reason, "message": message});
        let odd = Some(("WouldBeRefused", Some("spec.a: odd")));
        check(json!({}), &[], None, 0);
        check(json!({}), &["odd"], odd, 1);
        check(json!({}), &["odd", "odder"], Some(("WouldBeRefused", Some("spec.a: odd; spec.a: odder"))), 1);
        check(said("False", "WouldBeRefused", "spec.a: odd"), &["odd"], odd, 0);
        check(said("False", "WouldBeRefused", "spec.a: other"), &["odd"], odd, 1);
        check(said("False", "WouldBeRefused", "spec.a: odd"), &[], Some(("Valid", None)), 0);
        check(said("True", "Valid", ""), &[], Some(("Valid", None)), 0);
    }
}
