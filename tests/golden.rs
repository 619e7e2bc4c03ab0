//! Every case of the golden corpus: the whole answer is compared, and composing again over what was composed
//! must change nothing.

use inference::compose;
use inference::compose::{Readiness, Request, Response};
use inference::object::Resource;
use serde_json::{Value, json};
use tests::golden::{Case, cases, show_fault, show_response, to_yaml};

#[test]
fn answers() {
    let failures: Vec<String> = cases().expect("a readable corpus").iter().flat_map(|case| check(case).err()).collect();
    assert!(failures.is_empty(), "{}", failures.join("\n\n"));
}

fn check(case: &Case) -> Result<(), String> {
    let (file, text, other) = match compose(&case.request) {
        Ok(response) => {
            let text = to_yaml(&show_response(&response)).map_err(|error| error.to_string())?;
            ("response.yaml", text, "fault.txt")
        }
        Err(fault) => ("fault.txt", show_fault(&fault), "response.yaml"),
    };
    tests::files::bless(&case.folder.join(file), &text)?;
    if case.folder.join(other).exists() {
        return Err(format!("{}: {other} is left over", case.name));
    }
    Ok(())
}

#[test]
fn composing_again_changes_nothing() {
    for case in cases().expect("a readable corpus") {
        let Ok(first) = compose(&case.request) else { continue };
        let applied = apply(&case.request, &first);
        let second = compose(&applied).expect("what was composed can be composed");
        let objects = |response: &Response| response.resources.values().map(|it| it.object.clone()).collect::<Vec<_>>();
        assert_eq!(objects(&first), objects(&second), "{}", case.name);
        assert_eq!(second.results, [], "{}", case.name);
        assert_eq!(compose(&apply(&applied, &second)), Ok(second), "{}", case.name);
    }
}

#[test]
fn equal_requests_have_equal_answers() {
    for case in cases().expect("a readable corpus") {
        let answer = |request: &Request| format!("{:?}", compose(request));
        assert_eq!(answer(&case.request), answer(&case.request.clone()), "{}", case.name);
    }
}

/// What Crossplane would observe after it applied `response`, in a world where everything becomes ready.
fn apply(request: &Request, response: &Response) -> Request {
    let mut next = request.clone();
    next.observed = response
        .resources
        .iter()
        .map(|(key, desired)| {
            let mut object = desired.object.clone();
            object["status"] = json!({"conditions": [{"type": "Ready", "status": "True", "reason": "Available"}]});
            (key.clone(), Resource { object, ..Resource::default() })
        })
        .collect();
    if let Some(composite) = &mut next.composite {
        let mut status = response.composite.status.clone().unwrap_or(json!({}));
        status["conditions"] = response.conditions.iter().map(|condition| {
            let (kind, status) = (&condition.condition_type, condition.status.as_str());
            json!({"type": kind, "status": status, "reason": condition.reason, "message": condition.message.as_deref().unwrap_or_default()})
        }).collect::<Vec<Value>>().into();
        composite.object["status"] = status;
    }
    assert!(next.observed.len() == response.resources.len() && response.composite.readiness == Readiness::Unspecified);
    next
}
