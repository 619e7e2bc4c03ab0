//! Judges engines at admission: what the schema allows, and what does not work all the same.

use contract::admit::Verdict;
use contract::catalog::Action::{self, Deny, Warn};
use contract::types::{Code, Problem};
use serde_json::Value;
use toolbox::hashed::child;
use toolbox::kind::AdmissionRule;
use toolbox::names::is_subdomain;
use toolbox::path;

use super::arguments::{first_of, integer};
use super::engine::{PORT_BEHIND_SIDECAR, Phase, SERVING_PORT, ServingMode};
use super::members::Role;

/// An engine whose name is no DNS label.
pub const NAME: AdmissionRule = rule(Deny, "an engine whose name is no DNS label", STORED);
/// A gang whose workload has a name that is too long.
pub const GANG_NAME: AdmissionRule =
    rule(Deny, "a gang whose pods would have labels that are too long", "it would repeat how names are made");
/// A member without a container.
pub const CONTAINER: AdmissionRule = rule(Deny, "a member without a container", STORED);
/// A port that is no number.
pub const PORT: AdmissionRule = rule(Deny, "an engine for decode whose `--port` is no number", ARGUMENTS);
/// An engine that listens where no requests come.
pub const OTHER_PORT: AdmissionRule = rule(Warn, "an engine that listens where no requests come", ARGUMENTS);
/// A gang that loads its weights again on each node.
pub const NO_CACHE: AdmissionRule = rule(Warn, "a gang without a cache", "it is only a warning");

const STORED: &str = "what is stored already is tolerated";
const ARGUMENTS: &str = "arguments are read one after another";

/// The longest name of a StatefulSet whose pods can be created: they have a label with it and a hash.
const LONGEST_STATEFUL_SET: usize = 52;

const fn rule(action: Action, meaning: &'static str, beyond_policies: &'static str) -> AdmissionRule {
    AdmissionRule { action, path: "", meaning, beyond_policies: Some(beyond_policies) }
}

/// The rule for a field at this path.
pub const fn at(path: &'static str, rule: AdmissionRule) -> AdmissionRule {
    AdmissionRule { path, ..rule }
}

/// Judges the engines of an object. They are, with mode and cache, under the path `under`. `replica` is the name of a
/// replica. What `stored` has too is tolerated.
pub fn judge(object: &Value, stored: Option<&Value>, under: &str, replica: &str) -> Verdict {
    let mut verdict = found(object, under, replica);
    if let Some(stored) = stored {
        let before = found(stored, under, replica);
        verdict.denials.retain(|problem| !before.denials.contains(problem));
        verdict.warnings.retain(|problem| !before.warnings.contains(problem));
    }
    verdict
}

fn found(object: &Value, under: &str, replica: &str) -> Verdict {
    let mut verdict = Verdict::default();
    let Some(spec) = path::get(object, under) else { return verdict };
    let disaggregated = spec["serving"]["mode"] == ServingMode::PrefillDecode.as_str();
    let (mut uncached, engines) = (spec["modelCacheRef"].is_null(), path::join(under, "engines"));
    for (index, engine) in items(spec, "engines") {
        let place = path::index(&engines, index);
        let members: Vec<_> = items(engine, "members").collect();
        let is_gang = members.iter().any(|(_, member)| member["role"] == Role::Leader.as_str());
        verdict.denials.extend(judge_name(engine, is_gang, &place, replica));
        if is_gang && std::mem::take(&mut uncached) {
            let message = "a gang without a cache: each of its pods loads the weights by itself; name a ModelCache";
            verdict.warnings.push(problem(path::join(under, "modelCacheRef"), Code::Required, message.to_owned()));
        }
        for (member_index, member) in members {
            let place = path::join(&path::index(&path::join(&place, "members"), member_index), "template.spec");
            let Some(container) = path::get(member, "template.spec.containers[0]") else {
                let message = "a member needs a container with the name `engine`".to_owned();
                verdict.denials.push(problem(path::join(&place, "containers"), Code::Required, message));
                continue;
            };
            if member["role"] != Role::Worker.as_str() {
                let decodes = disaggregated && engine["phase"] == Phase::Decode.as_str();
                judge_port(container, decodes, &path::join(&place, "containers[0].args"), &mut verdict);
            }
        }
    }
    verdict
}

/// What is wrong with the name of an engine.
fn judge_name(engine: &Value, is_gang: bool, place: &str, replica: &str) -> Option<Problem> {
    let name = engine["name"].as_str().filter(|name| !name.is_empty())?;
    let place = path::join(place, "name");
    if !is_subdomain(name) || name.contains('.') {
        let message = format!("{name:?} becomes part of names, so it must be a DNS label, e.g. `main`");
        return Some(problem(place, Code::Invalid, message));
    }
    // Each copy but the first may have a StatefulSet of its own, with its index.
    let last = engine["copies"].as_u64().unwrap_or(1).saturating_sub(1);
    let length = child(&[replica, name]).len() + format!("-{last}").len();
    let more = length.checked_sub(LONGEST_STATEFUL_SET).filter(|more| is_gang && !replica.is_empty() && *more > 0)?;
    let message = format!(
        "with the name of the replica, {name:?} is {more} characters too long: the pods of a gang have labels with both; \
         choose a shorter name for one of them"
    );
    Some(problem(place, Code::TooLong, message))
}

/// What is wrong with the port of an engine.
fn judge_port(container: &Value, decodes: bool, place: &str, verdict: &mut Verdict) {
    let arguments: Vec<&str> = items(container, "args").filter_map(|(_, argument)| argument.as_str()).collect();
    let stated = first_of(&arguments, &["--port"]);
    let port = stated.map(integer);
    let own_command = items(container, "command").next().is_some();
    let message = match (decodes, port) {
        (true, Some(None)) => {
            let message = format!("`--port` is {:?}; give a number", stated.unwrap_or_default());
            verdict.denials.push(problem(place.to_owned(), Code::Invalid, message));
            return;
        }
        (true, None) if !own_command => format!(
            "the engine for decode gets its requests from a sidecar at port {PORT_BEHIND_SIDECAR}; add \
             `--port={PORT_BEHIND_SIDECAR}`, unless it listens there by itself"
        ),
        (true, Some(Some(SERVING_PORT))) => {
            format!("the sidecar listens at port {SERVING_PORT} already; give another `--port`")
        }
        (false, Some(Some(port))) if port != SERVING_PORT => {
            format!("requests come to port {SERVING_PORT}, and the engine listens at {port}; leave `--port` out")
        }
        _ => return,
    };
    verdict.warnings.push(problem(place.to_owned(), Code::Invalid, message));
}

fn problem(path: String, code: Code, message: String) -> Problem {
    Problem::new(path, code, message)
}

/// The items of a list, with their indexes.
fn items<'v>(value: &'v Value, at: &str) -> impl Iterator<Item = (usize, &'v Value)> + use<'v> {
    path::get(value, at).and_then(Value::as_array).into_iter().flatten().enumerate()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    /// Judges a new object with this spec, and shows what is wrong as `path: message`.
    fn judged(spec: Value) -> (Vec<String>, Vec<String>) {
        let verdict = judge(&json!({"spec": spec}), None, "spec", "llama-09209");
        let show = |problems: Vec<Problem>| {
            problems.into_iter().map(|it| format!("{}: {}", it.path.replace("spec.", ""), it.message)).collect()
        };
        (show(verdict.denials), show(verdict.warnings))
    }

    #[track_caller]
    fn check(spec: Value, denials: &[&str], warnings: &[&str]) {
        let shown = spec.to_string();
        let found = judged(spec);
        for (found, want) in [(&found.0, denials), (&found.1, warnings)] {
            assert_eq!(found.len(), want.len(), "{shown}: {found:?}");
            for (found, want) in found.iter().zip(want) {
                assert!(found.starts_with(want), "{shown}: {found}");
            }
        }
    }

    fn member(role: &str, container: Value) -> Value {
        json!({"role": role, "template": {"spec": {"containers": [container]}}})
    }

    fn engine(name: &str, role: &str, container: Value) -> Value {
        json!({"name": name, "members": [member(role, container)]})
    }

    #[test]
    fn names() {
        let check = |name: &str, copies: u64, role: &str, denials: &[&str]| {
            let mut engine = engine(name, role, json!({}));
            engine["copies"] = copies.into();
            check(json!({"modelCacheRef": {}, "engines": [engine]}), denials, &[]);
        };
        check("main", 1, "Standalone", &[]);
        check("Main", 1, "Standalone", &["engines[0].name: \"Main\" becomes part of names"]);
        check("a.b", 1, "Standalone", &["engines[0].name: \"a.b\""]);
        check("-a", 1, "Leader", &["engines[0].name: \"-a\""]);
        check(&"a".repeat(63), 1, "Standalone", &[]);
        // `llama-09209-`, the name, a hash of five digits, and the index of the copy.
        check(&"a".repeat(32), 1, "Leader", &[]);
        let long =
            |more| format!("engines[0].name: with the name of the replica, {:?} is {more} characters", "a".repeat(33));
        check(&"a".repeat(33), 1, "Leader", &[&long(1)]);
        check(&"a".repeat(33), 11, "Leader", &[&long(2)]);
        check(&"a".repeat(33), 11, "Standalone", &[]);
    }

    #[test]
    fn containers() {
        let empty = json!({"name": "main", "members": [{"template": {}}]});
        check(json!({"engines": [empty]}), &["engines[0].members[0].template.containers: a member needs"], &[]);
        for odd in [json!({}), json!({"engines": [1, {"members": {}}]}), json!({"engines": "a"}), json!(1)] {
            check(odd, &[], &[]);
        }
    }

    #[test]
    fn caches_of_gangs() {
        let gangs = json!([engine("a", "Leader", json!({})), engine("b", "Leader", json!({}))]);
        check(json!({"engines": gangs}), &[], &["modelCacheRef: a gang without a cache"]);
        check(json!({"engines": gangs, "modelCacheRef": {"name": "weights"}}), &[], &[]);
        check(json!({"engines": [engine("a", "Standalone", json!({}))]}), &[], &[]);
    }

    fn texts(of: &[String]) -> Vec<&str> {
        of.iter().map(String::as_str).collect()
    }

    #[test]
    fn ports() {
        const ARGS: &str = "engines[0].members[0].template.containers[0].args: ";
        let check = |mode: &str, phase: &str, container: Value, denials: &[&str], warnings: &[&str]| {
            let mut engine = engine("main", "Standalone", container);
            engine["phase"] = phase.into();
            let at = |messages: &[&str]| messages.iter().map(|it| format!("{ARGS}{it}")).collect::<Vec<_>>();
            let (denials, warnings) = (at(denials), at(warnings));
            let spec = json!({"serving": {"mode": mode}, "engines": [engine]});
            check(spec, &texts(&denials), &texts(&warnings));
        };
        let args = |arguments: &[&str]| json!({"args": arguments});
        check("Unified", "", args(&[]), &[], &[]);
        check("Unified", "", args(&["--port", "8000"]), &[], &[]);
        check(
            "Unified",
            "",
            args(&["--port=9000"]),
            &[],
            &["requests come to port 8000, and the engine listens at 9000"],
        );
        check("Unified", "", args(&["--port=http"]), &[], &[]);
        check("PrefillDecode", "Prefill", args(&["--port=9000"]), &[], &["requests come to port 8000"]);
        check("PrefillDecode", "Decode", args(&["--port=9000"]), &[], &[]);
        check("PrefillDecode", "Decode", args(&["--port=8000"]), &[], &["the sidecar listens at port 8000"]);
        check("PrefillDecode", "Decode", args(&["--port=http"]), &["`--port` is \"http\""], &[]);
        check("PrefillDecode", "Decode", args(&[]), &[], &["the engine for decode gets its requests from a sidecar"]);
        check("PrefillDecode", "Decode", json!({"command": ["sh"]}), &[], &[]);
    }

    #[test]
    fn what_is_stored_is_tolerated() {
        let object = |names: &[&str]| {
            let engines: Vec<_> = names.iter().map(|name| engine(name, "Leader", json!({}))).collect();
            json!({"spec": {"engines": engines}})
        };
        let verdict = judge(&object(&["A", "B"]), Some(&object(&["A"])), "spec", "llama-09209");
        assert_eq!(verdict.denials.iter().map(|it| it.path.as_str()).collect::<Vec<_>>(), ["spec.engines[1].name"]);
        assert_eq!(verdict.warnings, []);
    }
}
