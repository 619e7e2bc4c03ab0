//! What every composite of the API reports: conditions, events about them, and how long a response holds.

use contract::compose::{ComposeRequest, ComposeResponse};
use contract::types::{Condition, Outcome, Severity};
use toolbox::conditions::{Reported, is_new};

use crate::options::Options;

/// What a call reports, in order.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Report {
    conditions: Vec<Condition>,
    events: Vec<Outcome>,
}

impl Report {
    /// Adds a condition.
    pub fn add(&mut self, reported: Reported) {
        self.conditions.push(reported.condition);
    }

    /// Adds a condition, and an event about it while the composite does not have the condition yet.
    pub fn announce(&mut self, request: &ComposeRequest, reported: Reported, severity: Severity, message: &str) {
        if is_news(request, &reported.condition) {
            self.events.push(event(severity, message));
        }
        self.add(reported);
    }

    /// Adds an event.
    pub fn say(&mut self, severity: Severity, message: impl Into<String>) {
        self.events.push(event(severity, message));
    }

    /// Adds the report to a response. The response holds as long as any: what is not ready yet is watched by Crossplane.
    pub fn respond(self, options: &Options, response: ComposeResponse) -> ComposeResponse {
        ComposeResponse {
            conditions: self.conditions,
            results: self.events,
            ttl: Some(options.ttl.as_millis()),
            ..response
        }
    }
}

/// Whether the observed composite does not have this condition yet. It always is news to a caller that applies no conditions.
pub fn is_news(request: &ComposeRequest, condition: &Condition) -> bool {
    let applied = request.capabilities.is_none_or(|capabilities| capabilities.conditions);
    !applied || request.composite().map_or(true, |composite| is_new(composite, condition))
}

/// An event. As in Modelplane it has no reason of its own.
fn event(severity: Severity, message: impl Into<String>) -> Outcome {
    Outcome { severity, message: message.into(), reason: None, target: None }
}

#[cfg(test)]
mod tests {
    use contract::compose::Capabilities;
    use contract::types::ConditionStatus;
    use serde_json::{Value, json};
    use toolbox::conditions::{ConditionRow, warning};

    use super::*;

    const INVALID: ConditionRow = warning("RoutingReady", ConditionStatus::False, "InvalidURL", "the URL is invalid");

    #[test]
    fn events_are_news() {
        #[track_caller]
        fn check(composite: Value, conditions: bool, want: bool) {
            let capabilities = Some(Capabilities { conditions, ..Capabilities::default() });
            let composite = Some(composite.into());
            let request = ComposeRequest { composite, capabilities, ..ComposeRequest::default() };
            let mut report = Report::default();
            report.announce(&request, INVALID.report("Invalid spec.url: x"), Severity::Warning, "Invalid spec.url: x");
            let events: Vec<_> = report.events.iter().map(|event| (event.message.as_str(), &event.reason)).collect();
            let both = [("Invalid spec.url: x", &None)];
            assert_eq!(events, if want { both.as_slice() } else { &[] });
            assert_eq!(report.conditions.len(), 1);
        }
        let with = |message: &str| {
            let condition =
                json!({"type": "RoutingReady", "status": "False", "reason": "InvalidURL", "message": message});
            json!({"status": {"conditions": [condition]}})
        };
        check(json!({}), true, true);
        check(with("Invalid spec.url: x"), true, false);
        check(with("Invalid spec.url: y"), true, true);
        check(with("Invalid spec.url: x"), false, true);
    }

    #[test]
    fn responses() {
        let mut report = Report::default();
        report.say(Severity::Normal, "Composing a on b");
        report.add(INVALID.report(""));
        let response = report.respond(&Options::default(), ComposeResponse::default());
        assert_eq!(response.ttl, Some(60_000));
        assert_eq!(response.results.len(), 1);
        assert_eq!(response.conditions.iter().map(|it| &it.message).collect::<Vec<_>>(), [&None]);
    }
}
