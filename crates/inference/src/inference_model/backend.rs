//! Backends that something else runs: the Service in their address, and whether it has a ready endpoint.

use contract::types::ObservedObject;
use serde::Deserialize;
use toolbox::fields::{self, field, list, optional};

/// The lookup of endpoints.
pub const ENDPOINTS: &str = "endpoints";

/// A Service of the cluster.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Service {
    /// Its name.
    pub name: String,
    /// Its namespace.
    pub namespace: String,
}

impl Service {
    /// The Service that an address means, for a model in this namespace: `name`, `name.namespace`, or more of its name in DNS.
    /// `None` when it means none.
    pub fn of(url: &str, namespace: &str) -> Option<Self> {
        let host = host(url)?;
        let mut labels = host.split('.');
        let name = labels.next().filter(|name| is_label(name))?;
        let (within, rest) = (labels.next(), labels.next());
        let is_within = within.is_none_or(is_label) && rest.is_none_or(|rest| rest == "svc");
        // A host with two labels may be one of the internet; then no such Service is found.
        is_within.then(|| Self { name: name.to_owned(), namespace: within.unwrap_or(namespace).to_owned() })
    }
}

/// The host of an address, without its port.
pub fn host(url: &str) -> Option<&str> {
    let authority = authority(url)?;
    if let Some(rest) = authority.strip_prefix('[') {
        return rest.split(']').next();
    }
    authority.split(':').next().filter(|host| !host.is_empty())
}

/// The port of an address: the one that it states, or else that of its scheme.
pub fn port(url: &str) -> Option<u16> {
    let authority = authority(url)?;
    let after = authority.rsplit_once(']').map_or(authority, |(_, after)| after);
    match after.rsplit_once(':') {
        Some((_, stated)) => stated.parse().ok(),
        None => match url.split_once("://")?.0 {
            "http" => Some(80),
            "https" => Some(443),
            _ => None,
        },
    }
}

fn authority(url: &str) -> Option<&str> {
    let rest = url.split_once("://")?.1;
    let authority = rest.split(['/', '?', '#']).next()?;
    Some(authority.rsplit_once('@').map_or(authority, |(_, host)| host))
}

fn is_label(text: &str) -> bool {
    toolbox::names::is_subdomain(text)
        && !text.contains('.')
        && text.starts_with(|first: char| first.is_ascii_lowercase())
}

/// Whether a slice has a ready endpoint. One that does not say is ready.
pub fn is_ready(slice: &ObservedObject) -> bool {
    let read: ReadSlice = fields::read(slice).unwrap_or_default();
    read.endpoints.iter().any(|endpoint| endpoint.conditions.ready != Some(false))
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct ReadSlice {
    #[serde(deserialize_with = "list")]
    endpoints: Vec<ReadEndpoint>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct ReadEndpoint {
    #[serde(deserialize_with = "field")]
    conditions: ReadEndpointConditions,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct ReadEndpointConditions {
    #[serde(deserialize_with = "optional")]
    ready: Option<bool>,
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    #[test]
    fn services_in_addresses() {
        #[track_caller]
        fn check(url: &str, want: Option<(&str, &str)>) {
            let found = Service::of(url, "ml");
            assert_eq!(found.as_ref().map(|it| (it.name.as_str(), it.namespace.as_str())), want, "{url}");
        }
        check("http://qwen", Some(("qwen", "ml")));
        check("http://qwen:8000/v1", Some(("qwen", "ml")));
        check("https://user@qwen.serving?x", Some(("qwen", "serving")));
        check("http://qwen.serving.svc", Some(("qwen", "serving")));
        check("http://qwen.serving.svc.cluster.local:8080", Some(("qwen", "serving")));
        check("https://api.example.org/v1", None);
        check("http://10.0.0.1:8080", None);
        check("http://[::1]:8080", None);
        check("qwen:8080", None);
        check("http://", None);
    }

    #[test]
    fn ports() {
        assert_eq!(port("http://qwen:8000/v1"), Some(8000));
        assert_eq!(port("http://[::1]:80"), Some(80));
        assert_eq!(port("http://qwen/v1:8"), Some(80));
        assert_eq!(port("https://[::1]"), Some(443));
        assert_eq!(port("grpc://qwen"), None);
        assert_eq!(port("http://qwen:many"), None);
    }

    #[test]
    fn ready_endpoints() {
        let check = |endpoints: Value, want| assert_eq!(is_ready(&json!({"endpoints": endpoints}).into()), want);
        check(json!([{"conditions": {"ready": true}}]), true);
        check(json!([{"conditions": {"ready": false}}, {}]), true);
        check(json!([{"conditions": {"ready": false}}]), false);
        check(json!([]), false);
        check(Value::Null, false);
    }
}
