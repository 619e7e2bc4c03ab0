//! Judges what a schema cannot state. What the stored object has too is tolerated, so that it stays editable.

use std::net::{Ipv4Addr, Ipv6Addr};

use contract::admit::{AdmitRequest, Operation, Verdict};
use contract::catalog::Action::{Deny, Warn};
use contract::types::{Code, Fault, Problem};
use serde_json::Value;
use toolbox::kind::{AdmissionRow, OTHERS, rule};
use toolbox::names::is_subdomain;
use toolbox::path;
use toolbox::policy::PolicyRule;

use crate::modelplane::destination::Destination;
use crate::modelplane::resources::MODEL_SERVICES;
use crate::modelplane::routes;
use crate::modelplane::service_names;

/// What `admit` does for the kind.
pub(super) const ADMISSION: AdmissionRow = AdmissionRow {
    reads: &[MODEL_SERVICES],
    defaults: || None,
    judges_deletion: true,
    policies: &POLICIES,
    policy_variables: &[],
    rules: &[
        service_names::RULE,
        rule(Deny, URL, "a URL without a host, or whose port is no number up to 65535", Some(PARTS)),
        rule(Deny, URL, "a host that no EndpointSlice can have", Some(PARTS)),
        rule(Warn, URL, "a URL with `https`: nothing encrypts the requests", Some(PARTS)),
        rule(Warn, URL, "a URL with a user or a password", Some(PARTS)),
        rule(Warn, URL, "a host of another type than before: an EndpointSlice keeps its type", Some(PARTS)),
        rule(Warn, AUTH, "credentials, which no request gets", None),
        rule(Warn, "metadata", "a deletion of an endpoint that ModelServices route to", Some(OTHERS)),
    ],
};

/// The rules that CEL in an API server can state.
const POLICIES: [PolicyRule; 4] = {
    let [dot, digit, long] = service_names::OF_ENDPOINTS.policies;
    let credentials = PolicyRule {
        action: Warn,
        only_new: false,
        holds: "!has(object.spec.auth)",
        says: "'credentials are kept, but no request gets them'",
    };
    [dot, digit, long, credentials]
};

const URL: &str = "spec.url";
const AUTH: &str = "spec.auth";
const PARTS: &str = "CEL in an API server has no parser for URLs that reads them as gateways do";

/// Judges an operation.
pub(super) fn admit(request: &AdmitRequest) -> Result<Verdict, Fault> {
    Ok(match &request.operation {
        Operation::Create(object) => {
            let mut verdict = judge(object, None);
            verdict.denials.extend(service_names::OF_ENDPOINTS.judge(object));
            verdict
        }
        Operation::Update { old, new } => judge(new, Some(old)),
        Operation::Delete(deletion) => {
            let mut verdict = Verdict::default();
            routes::judge_deletion(&routes::of_endpoint(&deletion.object), &request.lookups, &mut verdict);
            verdict
        }
    })
}

fn judge(object: &Value, old: Option<&Value>) -> Verdict {
    let (url, stored) = (url_of(object), old.and_then(url_of));
    let mut verdict = url.filter(|_| url != stored).map(|url| judge_url(url, stored)).unwrap_or_default();
    if verdict.denials.is_empty() && path::get(object, AUTH).is_some() {
        verdict.warnings.push(Problem::new(AUTH, Code::Invalid, "credentials are kept, but no request gets them"));
    }
    verdict
}

/// Judges a new URL, which takes the place of `stored`.
fn judge_url(url: &str, stored: Option<&str>) -> Verdict {
    let problem = |message: String| Problem::new(URL, Code::Invalid, message);
    let denied = |message| Verdict { denials: vec![problem(message)], ..Verdict::default() };
    let Some(destination) = Destination::of(url) else {
        return denied(format!("no host and port in `{url}`; give a URL like `http://203.0.113.7:8000/v1`"));
    };
    if let Some(why) = unusable(&destination.host) {
        return denied(format!("no EndpointSlice can have the host `{}`: {why}", destination.host));
    }
    let before = stored.and_then(Destination::of).map(|it| it.address_type());
    let found = [
        (has_scheme(url, "https:"), "requests are sent as plain HTTP to the port of the URL: nothing encrypts them"),
        (has_user(url), "user and password in a URL are not used, and everybody who can read the endpoint sees them"),
        (
            before.is_some_and(|before| before != destination.address_type()),
            "an EndpointSlice cannot change to another type of address; delete the endpoint and create it again",
        ),
    ];
    let warnings = found.into_iter().filter(|(holds, _)| *holds).map(|(_, message)| problem(message.to_owned()));
    Verdict { warnings: warnings.collect(), ..Verdict::default() }
}

fn has_scheme(url: &str, scheme: &str) -> bool {
    url.trim_start().get(..scheme.len()).is_some_and(|start| start.eq_ignore_ascii_case(scheme))
}

fn has_user(url: &str) -> bool {
    let authority = url.split("//").nth(1).and_then(|rest| rest.split(['/', '?', '#']).next());
    authority.is_some_and(|authority| authority.contains('@'))
}

fn url_of(object: &Value) -> Option<&str> {
    path::get(object, URL)?.as_str().filter(|url| !url.is_empty())
}

/// Why an API server refuses an EndpointSlice with this host. The rules are those of Kubernetes.
fn unusable(host: &str) -> Option<&'static str> {
    if let Ok(address) = host.parse::<Ipv4Addr>() {
        let multicast = matches!(address.octets(), [224, 0, 0, _]);
        return local(multicast, address.is_unspecified(), address.is_loopback(), address.is_link_local());
    }
    if let Ok(address) = host.parse::<Ipv6Addr>() {
        if address.to_ipv4_mapped().is_some() {
            return Some("it is an IPv4 address written as an IPv6 address; give the IPv4 address");
        }
        let multicast = matches!(address.segments(), [first, ..] if first & 0xff0f == 0xff02);
        return local(multicast, address.is_unspecified(), address.is_loopback(), address.is_unicast_link_local());
    }
    let name = host.strip_suffix('.').unwrap_or(host);
    if !is_subdomain(name) {
        return Some("it is neither an IP address without zone nor a DNS name");
    }
    (!name.contains('.')).then_some("a DNS name needs at least two parts, as in `vllm.example.org`")
}

/// What Kubernetes forbids of addresses.
fn local(multicast: bool, unspecified: bool, loopback: bool, link: bool) -> Option<&'static str> {
    (multicast || unspecified || loopback || link).then_some("the address means something else on each machine")
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn endpoint(url: &str) -> Value {
        json!({"metadata": {"name": "a", "namespace": "ml"}, "spec": {"url": url}})
    }

    /// Whether the operation is refused, and the warnings.
    #[track_caller]
    fn check(operation: Operation, denied: bool, warnings: &[&str]) {
        let shown = format!("{operation:?}");
        let lookups = contract::admit::LookupAnswers::new();
        let verdict = admit(&AdmitRequest { operation, input: None, lookups }).expect("a verdict");
        assert_eq!(
            verdict.denials.iter().map(|it| it.path.as_str()).collect::<Vec<_>>(),
            vec![URL; denied.into()],
            "{shown}"
        );
        let found: Vec<_> = verdict.warnings.iter().map(|it| it.message.as_str()).collect();
        assert_eq!(found.len(), warnings.len(), "{shown}: {found:?}");
        for (found, want) in found.iter().zip(warnings) {
            assert!(found.contains(want), "{shown}: {found}");
        }
    }

    #[test]
    fn creating() {
        let check = |url: &str, denied, warnings: &[&str]| check(Operation::Create(endpoint(url)), denied, warnings);
        check("http://203.0.113.7/ml/qwen/v1", false, &[]);
        check("http://vllm.example.org:8000/v1", false, &[]);
        check("http://vllm.example.org./v1", false, &[]);
        check("http://[2001:db8::1]/v1", false, &[]);
        check("HTTPS://vllm.example.org/v1", false, &["encrypts"]);
        check("http://a:b@vllm.example.org/v1?c=//d", false, &["user and password"]);
        check("http://vllm.example.org/v1//a@b", false, &[]);
        // What leads nowhere.
        check("vllm.example.org", true, &[]);
        check("203.0.113.7:80", true, &[]);
        check("https://a@/v1", true, &[]);
        check("http://vllm.example.org:99999", true, &[]);
        // Where no EndpointSlice leads.
        check("http://vllm/v1", true, &[]);
        check("http://vllm_0.example.org/v1", true, &[]);
        check("http://127.0.0.1:8000/v1", true, &[]);
        check("http://0.0.0.0:8000/v1", true, &[]);
        check("http://169.254.169.254/v1", true, &[]);
        check("http://224.0.0.9/v1", true, &[]);
        check("http://[::1]/v1", true, &[]);
        check("http://[fe80::1]/v1", true, &[]);
        check("http://[fe80::1%eth0]/v1", true, &[]);
        check("http://[ff02::1]/v1", true, &[]);
        check("http://[::ffff:203.0.113.7]/v1", true, &[]);
        // The schema says that a URL is required.
        check("", false, &[]);
    }

    #[test]
    fn updating() {
        let check = |old: &str, new: &str, denied, warnings: &[&str]| {
            check(Operation::Update { old: endpoint(old), new: endpoint(new) }, denied, warnings);
        };
        check("http://203.0.113.7", "http://203.0.113.8", false, &[]);
        check("http://203.0.113.7", "http://vllm.example.org", false, &["another type of address"]);
        check("http://203.0.113.7", "http://vllm", true, &[]);
        // What is stored stays editable.
        check("http://vllm", "http://vllm", false, &[]);
        check("https://vllm.example.org", "https://vllm.example.org", false, &[]);
        check("http://", "http://203.0.113.7", false, &[]);
    }

    #[test]
    fn names_and_deletions() {
        let of = |operation| {
            let lookups = contract::admit::LookupAnswers::new();
            admit(&AdmitRequest { operation, input: None, lookups }).expect("a verdict")
        };
        let mut object = endpoint("http://203.0.113.7");
        assert!(of(Operation::Delete(object.clone().into())).lookups.contains_key("services"));
        object["metadata"]["name"] = "7b".into();
        assert_eq!(of(Operation::Create(object.clone())).denials.len(), 1);
        assert_eq!(of(Operation::Update { old: object.clone(), new: object }).denials.len(), 0);
    }

    #[test]
    fn credentials() {
        let mut object = endpoint("http://203.0.113.7");
        object["spec"]["auth"] = json!({"secretRef": {"name": "key"}});
        check(Operation::Create(object.clone()), false, &["no request gets them"]);
        check(Operation::Update { old: object.clone(), new: object.clone() }, false, &["no request gets them"]);
    }
}
