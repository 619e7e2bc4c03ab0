//! What Kubernetes would refuse in the claims of pods.

use cel::Selector;
use contract::catalog::Action::Warn;
use contract::types::{Code, Problem};
use serde_json::Value;
use toolbox::kind::AdmissionRule;
use toolbox::names::is_subdomain;
use toolbox::path;

use super::mentions::advice;
use super::options::SelectorMode;
use super::selectors::{first_problem, unparsed};

/// A request whose name no request of a claim can have.
pub const NAME: AdmissionRule =
    rule("a request whose name is no DNS label: Kubernetes would refuse the claim of the pods");
/// A class whose name no DeviceClass can have.
pub const CLASS: AdmissionRule =
    rule("a class whose name no DeviceClass can have: Kubernetes would refuse the claim of the pods");
/// A member with more devices than a claim can have.
pub const COUNT: AdmissionRule = rule("more devices than Kubernetes gives to one claim");

/// The most devices of a claim: `AllocationResultsMaxSize` of `resource.k8s.io/v1`.
const MOST_DEVICES: u64 = 32;

const fn rule(meaning: &'static str) -> AdmissionRule {
    AdmissionRule { action: Warn, path: "", meaning, beyond_policies: Some("what is stored already is tolerated") }
}

/// A warning about a selector, if there is one.
///
/// # Errors
/// Why the selector is refused.
pub fn judge_selector(text: &str, mode: SelectorMode) -> Result<Option<String>, String> {
    let meant = |error: &cel::CompileError| {
        let meant = error.problems.first().and_then(|problem| problem.meant.as_ref());
        meant.map_or(String::new(), |meant| format!("; perhaps `{meant}` is meant"))
    };
    if let Err(error) = Selector::compile_tolerant(text) {
        if let Some(why) = unparsed(&error) {
            return Err(format!("no CEL expression: {why}"));
        }
        if mode == SelectorMode::Tolerant {
            return Ok(Some(format!("it matches no device: {}{}", first_problem(&error), meant(&error))));
        }
    }
    let refused = match Selector::compile(text) {
        Err(error) => Some(format!("{}{}", first_problem(&error), meant(&error))),
        Ok(selector) if selector.worst_cost() > cel::device::BUDGET => Some(format!(
            "the selector may cost {}, and the limit is {}; make it simpler",
            selector.worst_cost(),
            cel::device::BUDGET,
        )),
        Ok(_) => None,
    };
    let refused = refused.map(|why| format!("Kubernetes would refuse the claim of the pods: {why}"));
    match (refused, mode) {
        (Some(why), SelectorMode::Strict) => Err(why),
        (warning, _) => Ok(warning),
    }
}

/// What is odd about requests, apart from their selectors. Engines are under the path `engines`, and requests under `at` of
/// each member.
pub fn judge_requests(object: &Value, engines: &str, at: &str) -> Vec<Problem> {
    let mut found = Vec::new();
    for (engine, it) in items(object, engines) {
        let members = path::join(&path::index(engines, engine), "members");
        for (member, it) in items(it, "members") {
            let requests = path::join(&path::index(&members, member), at);
            let count = |request: &Value| request["count"].as_u64().unwrap_or(1);
            let devices: u64 = items(it, at).map(|(_, request)| count(request)).sum();
            if devices > MOST_DEVICES {
                let message = format!(
                    "a claim gets at most {MOST_DEVICES} devices, and these are {devices}: unless the class only describes some \
                     of them, no pod starts"
                );
                found.push(Problem::new(requests.as_str(), Code::TooMany, message));
            }
            for (index, request) in items(it, at) {
                let place = path::index(&requests, index);
                if let Some(name) = request["name"].as_str().filter(|name| !is_label(name)) {
                    let message = format!(
                        "Kubernetes would refuse the claim of the pods: {name:?} is no DNS label; give a name like `gpu`"
                    );
                    found.push(advice(path::join(&place, "name"), message));
                }
                found.extend(judge_class(request, &place));
            }
        }
    }
    found
}

/// What is wrong with the `deviceClassName` of a request or a device, which is at `place`.
pub fn judge_class(object: &Value, place: &str) -> Option<Problem> {
    let class = object["deviceClassName"].as_str().filter(|class| !class.is_empty() && !is_subdomain(class))?;
    let message = format!(
        "Kubernetes would refuse the claim of the pods: no DeviceClass can be called {class:?}; give a name like `gpu.nvidia.com`"
    );
    Some(advice(path::join(place, "deviceClassName"), message))
}

fn is_label(name: &str) -> bool {
    is_subdomain(name) && !name.contains('.') && name.len() <= 63
}

/// The items of a list, with their indexes.
fn items<'v>(value: &'v Value, at: &str) -> impl Iterator<Item = (usize, &'v Value)> + use<'v> {
    path::get(value, at).and_then(Value::as_array).into_iter().flatten().enumerate()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn selectors_by_mode() {
        /// The start of what is said, and whether the selector is refused: with `tolerant`, and with `strict`.
        #[track_caller]
        fn check(text: &str, tolerant: Result<&str, &str>, strict: Result<&str, &str>) {
            for (mode, want) in [(SelectorMode::Tolerant, tolerant), (SelectorMode::Strict, strict)] {
                let found = judge_selector(text, mode).map(Option::unwrap_or_default);
                let same = match (&found, want) {
                    (Ok(found), Ok(want)) => found.starts_with(want) && found.is_empty() == want.is_empty(),
                    (Err(found), Err(want)) => found.starts_with(want),
                    _ => false,
                };
                assert!(same, "{text}, {mode:?}: {found:?}");
            }
        }
        const REFUSED: &str = "Kubernetes would refuse the claim of the pods: ";
        let refused = |why: &str| format!("{REFUSED}{why}");
        check(r#"device.driver == "gpu.nvidia.com""#, Ok(""), Ok(""));
        check("a ) b", Err("no CEL expression: 1:3: "), Err("no CEL expression: 1:3: "));
        let field = "1:7: undefined field 'drivers'; perhaps `driver` is meant";
        check("device.drivers == 'a'", Ok(&format!("it matches no device: {field}")), Err(&refused(field)));
        check("1", Ok("it matches no device: "), Err(REFUSED));
        check(r#"device.capacity["a"].b.sign() == 1"#, Ok(REFUSED), Err(REFUSED));
        let costs = refused("the selector may cost ");
        check(r#"device.capacity["a"].b != quantity("1Gi")"#, Ok(&costs), Err(&costs));
    }

    #[test]
    fn requests() {
        #[track_caller]
        fn check(requests: Value, want: &[&str]) {
            let object = json!({"spec": {"engines": [{"members": [{}, {"deviceRequests": requests}]}]}});
            let found = judge_requests(&object, "spec.engines", "deviceRequests");
            let paths: Vec<_> =
                found.iter().map(|it| it.path.replace("spec.engines[0].members[1].deviceRequests", "")).collect();
            assert_eq!(paths, want, "{requests}");
        }
        check(json!([{"name": "gpu", "count": 16}, {"name": "nic", "count": 16}]), &[]);
        check(json!([{"name": "gpu", "count": 32}, {"name": "nic"}]), &[""]);
        check(json!([{"name": "GPU"}, {"name": "a.b"}, {"name": "a_b"}]), &["[0].name", "[1].name", "[2].name"]);
        check(json!([{"name": "gpu", "deviceClassName": "gpu.nvidia.com"}]), &[]);
        check(json!([{"name": "gpu", "deviceClassName": "GPU"}]), &["[0].deviceClassName"]);
        for odd in [json!(null), json!({}), json!([1])] {
            check(odd, &[]);
        }
    }
}
