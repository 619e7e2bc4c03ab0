//! ModelServices that route to what is deleted.

use contract::admit::{LookupAnswers, Verdict};
use contract::types::Selector;
use serde_json::{Map, Value};
use toolbox::builders::selectors::lookup_all;
use toolbox::path;

use super::labels::{CLUSTER, DEPLOYMENT, REPLICA_INDEX};
use super::mentions::{advice, ask, named};
use super::resources::{MODEL_SERVICES, kind};

/// The most services that are looked at. What a service selects is a map of any labels, so no index finds it.
const KNOWN: u32 = 100;

/// Endpoints with these labels, in a namespace.
pub struct Routed<'a> {
    namespace: &'a str,
    labels: Map<String, Value>,
    /// Labels that the endpoints have with values of their own.
    any: &'static [&'static str],
}

/// The endpoints of a deployment.
pub fn of_deployment(deployment: &Value) -> Routed<'_> {
    let labels = path::get(deployment, "spec.template.metadata.labels").and_then(Value::as_object);
    let mut labels = labels.cloned().unwrap_or_default();
    labels.insert(DEPLOYMENT.to_owned(), deployment["metadata"]["name"].clone());
    Routed { namespace: namespace(deployment), labels, any: &[CLUSTER, REPLICA_INDEX] }
}

/// One endpoint.
pub fn of_endpoint(endpoint: &Value) -> Routed<'_> {
    let labels = endpoint["metadata"]["labels"].as_object().cloned().unwrap_or_default();
    Routed { namespace: namespace(endpoint), labels, any: &[] }
}

/// Warns when services route to endpoints that are deleted.
pub fn judge_deletion(routed: &Routed<'_>, answers: &LookupAnswers, verdict: &mut Verdict) {
    let selector = Selector { limit: Some(KNOWN), ..lookup_all(kind(&MODEL_SERVICES), Some(routed.namespace), &[]) };
    let services = ask(verdict, answers, "services", selector, "whether a ModelService routes to it");
    if let Some(services) = named(MODEL_SERVICES.kind, services.unwrap_or_default(), |it| routed.is_of(it)) {
        verdict.warnings.push(advice("metadata", format!("{services} loses these endpoints")));
    }
}

impl Routed<'_> {
    /// Whether an entry of a service selects the endpoints.
    fn is_of(&self, service: &Value) -> bool {
        let entries = path::get(service, "spec.endpoints").and_then(Value::as_array);
        let selects = |(key, value): (&String, &Value)| {
            self.any.contains(&key.as_str()) || self.labels.get(key).is_some_and(|label| label == value)
        };
        let labels = |entry: &Value| path::get(entry, "selector.matchLabels").and_then(Value::as_object).cloned();
        entries.into_iter().flatten().any(|entry| labels(entry).is_some_and(|all| all.iter().all(selects)))
    }
}

fn namespace(object: &Value) -> &str {
    object["metadata"]["namespace"].as_str().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use contract::types::ObservedObject;
    use serde_json::json;

    use super::*;

    #[test]
    fn deletions() {
        #[track_caller]
        fn check(routed: &Routed<'_>, labels: Option<Value>, want: bool) {
            let service = |labels: &Value| {
                let spec = json!({"endpoints": [{"selector": {"matchLabels": labels}}]});
                ObservedObject::from(json!({"metadata": {"name": "chat", "namespace": "ml"}, "spec": spec}))
            };
            let answers = labels.iter().map(|labels| ("services".to_owned(), vec![service(labels)])).collect();
            let mut verdict = Verdict::default();
            judge_deletion(routed, &answers, &mut verdict);
            let found: Vec<_> = verdict.warnings.iter().map(|it| it.message.as_str()).collect();
            assert_eq!(found, vec!["ModelService `ml/chat` loses these endpoints"; want.into()], "{labels:?}");
            assert_eq!(verdict.unjudged.len(), usize::from(labels.is_none()));
        }
        let template = json!({"metadata": {"labels": {"model": "qwen"}}});
        let deployment = json!({"metadata": {"name": "qwen", "namespace": "ml"}, "spec": {"template": template}});
        let routed = of_deployment(&deployment);
        check(&routed, None, false);
        check(&routed, Some(json!({DEPLOYMENT: "qwen"})), true);
        check(&routed, Some(json!({DEPLOYMENT: "llama"})), false);
        check(&routed, Some(json!({"model": "qwen", CLUSTER: "gpu-east"})), true);
        check(&routed, Some(json!({"model": "qwen", "tier": "a"})), false);
        check(&routed, Some(json!({})), true);
        check(&routed, Some(json!([])), false);
        let endpoint = json!({"metadata": {"name": "ext", "namespace": "ml", "labels": {"model": "qwen"}}});
        check(&of_endpoint(&endpoint), Some(json!({"model": "qwen"})), true);
        check(&of_endpoint(&endpoint), Some(json!({CLUSTER: "gpu-east"})), false);
    }
}
