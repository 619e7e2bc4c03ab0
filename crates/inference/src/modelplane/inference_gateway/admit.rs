//! Judges what a schema cannot state.

use contract::admit::{AdmitRequest, LookupAnswers, Operation, Verdict};
use contract::catalog::Action::{Deny, Warn};
use contract::catalog::ApiResource;
use contract::types::{Code, Fault, Problem};
use serde_json::Value;
use toolbox::builders::selectors::lookup_all;
use toolbox::kind::{AdmissionRow, AdmissionRule, OTHERS};
use toolbox::policy::PolicyRule;

use crate::modelplane::labels::INFERENCE_GATEWAY;
use crate::modelplane::mentions::{advice, ask, mentioned, named};
use crate::modelplane::resources::{GRPC_ROUTES, HTTP_ROUTES, INFERENCE_GATEWAYS, MODEL_SERVICES, TLS_ROUTES, kind};
use crate::modelplane::shapes;

/// What `admit` does for the kind.
pub(super) const ADMISSION: AdmissionRow = AdmissionRow {
    reads: &[GRPC_ROUTES, HTTP_ROUTES, INFERENCE_GATEWAYS, MODEL_SERVICES, TLS_ROUTES],
    defaults: || None,
    judges_deletion: true,
    policy_variables: &[],
    policies: &[PolicyRule {
        action: Warn,
        only_new: true,
        holds: "variables.name == 'default'",
        says: "'nobody uses this gateway: ModelServices take the one with the name `default`'",
    }],
    rules: &[
        shapes::judge::MIXTURE,
        shapes::judge::LEFT_OUT,
        AdmissionRule {
            action: Deny,
            path: "metadata.name",
            meaning: "a second gateway: both would own the same definitions, and the same Gateway",
            beyond_policies: Some(OTHERS),
        },
        AdmissionRule {
            action: Warn,
            path: "metadata.name",
            meaning: "a new gateway that is not `default`, and that nobody uses",
            beyond_policies: None,
        },
        AdmissionRule {
            action: Warn,
            path: "metadata",
            meaning: "a deletion that takes the address of ModelServices away",
            beyond_policies: Some(OTHERS),
        },
        AdmissionRule {
            action: Warn,
            path: "metadata",
            meaning: "a deletion that takes routes of others away, with the definitions of Gateway API",
            beyond_policies: Some(OTHERS),
        },
    ],
};

/// What routes to others, and goes with the definitions.
const ROUTES: [ApiResource; 3] = [HTTP_ROUTES, GRPC_ROUTES, TLS_ROUTES];

/// Judges an operation.
pub(super) fn admit(request: &AdmitRequest) -> Result<Verdict, Fault> {
    let mut verdict = Verdict::default();
    if let Operation::Create(object) = &request.operation {
        judge_others(object, &request.lookups, &mut verdict);
    }
    match &request.operation {
        Operation::Create(object) if !is_used(object) => {
            let message = "nobody uses this gateway: ModelServices take the one with the name `default`";
            verdict.warnings.push(advice("metadata.name", message));
        }
        Operation::Delete(deletion) => judge_deletion(&deletion.object, &request.lookups, &mut verdict),
        _ => {}
    }
    Ok(verdict)
}

fn is_used(object: &Value) -> bool {
    object["metadata"]["name"] == INFERENCE_GATEWAY
}

/// There is one gateway.
fn judge_others(object: &Value, answers: &LookupAnswers, verdict: &mut Verdict) {
    let selector = mentioned(kind(&INFERENCE_GATEWAYS), &[]);
    let gateways = ask(verdict, answers, "gateways", selector, "whether there is a gateway already");
    let is_other = |other: &Value| other["metadata"]["name"] != object["metadata"]["name"];
    if let Some(others) = named(INFERENCE_GATEWAYS.kind, gateways.unwrap_or_default(), is_other) {
        let message =
            format!("there is {others} already, and both would own the same Gateway; a control plane has one");
        verdict.denials.push(Problem::new("metadata.name", Code::Forbidden, message));
    }
}

fn judge_deletion(object: &Value, answers: &LookupAnswers, verdict: &mut Verdict) {
    if is_used(object) {
        let selector = mentioned(kind(&MODEL_SERVICES), &[]);
        let services = ask(verdict, answers, "services", selector, "whether a ModelService has its address here");
        if let Some(services) = named(MODEL_SERVICES.kind, services.unwrap_or_default(), |_| true) {
            verdict.warnings.push(advice("metadata", format!("the deletion takes the address away from {services}")));
        }
    }
    // Whatever it is called, the definitions are its own.
    let foreign = ROUTES.iter().filter_map(|resource| {
        let routes = resource.kind;
        let selector = lookup_all(kind(resource), None, &[]);
        let found = ask(verdict, answers, resource.plural, selector, &format!("whether others have {routes}s"));
        let found = found.unwrap_or_default().iter().filter_map(|it| it.object().ok());
        match found.filter(|it| is_foreign(it)).count() {
            0 => None,
            1 => Some(format!("1 {routes}")),
            many => Some(format!("{many} {routes}s")),
        }
    });
    let foreign = foreign.collect::<Vec<_>>().join(", ");
    if !foreign.is_empty() {
        let message = format!(
            "unless the platform has installed the definitions of Gateway API (option `modelplane.gatewayApi`), the deletion takes \
             {foreign} away that no ModelService has made, and all other objects of Gateway API"
        );
        verdict.warnings.push(advice("metadata", message));
    }
}

/// Whether a route is not one of a ModelService.
fn is_foreign(route: &Value) -> bool {
    let owners = route["metadata"]["ownerReferences"].as_array().into_iter().flatten();
    !owners.into_iter().any(|owner| owner["kind"] == MODEL_SERVICES.kind && owner["controller"] == true)
}

#[cfg(test)]
mod tests {
    use contract::types::ObservedObject;
    use serde_json::json;

    use super::*;

    #[test]
    fn gateways() {
        #[track_caller]
        fn check(operation: Operation, services: Option<&[&str]>, warnings: &[&str], unjudged: usize) {
            let object = |name: &&str| json!({"metadata": {"name": name, "namespace": "chat"}}).into();
            let found =
                |names: &[&str]| ("services".to_owned(), names.iter().map(object).collect::<Vec<ObservedObject>>());
            let others =
                ["gateways", "httproutes", "grpcroutes", "tlsroutes"].map(|name| (name.to_owned(), Vec::new()));
            let lookups = services.map(found).into_iter().chain(others).collect();
            let verdict = admit(&AdmitRequest { operation, input: None, lookups }).expect("a verdict");
            assert_eq!(verdict.denials, []);
            assert_eq!(verdict.warnings.iter().map(|it| it.message.as_str()).collect::<Vec<_>>(), warnings);
            assert_eq!(verdict.unjudged.len(), unjudged);
        }
        let gateway = |name: &str| json!({"metadata": {"name": name}});
        let unused = "nobody uses this gateway: ModelServices take the one with the name `default`";
        check(Operation::Create(gateway("default")), None, &[], 0);
        check(Operation::Create(gateway("other")), None, &[unused], 0);
        check(Operation::Create(json!({"metadata": {"generateName": "default"}})), None, &[unused], 0);
        check(Operation::Update { old: gateway("other"), new: gateway("other") }, None, &[], 0);
        check(Operation::Delete(gateway("other").into()), None, &[], 0);
        check(Operation::Delete(gateway("default").into()), None, &[], 1);
        check(Operation::Delete(gateway("default").into()), Some(&[]), &[], 0);
        let gateways = [("gateways".to_owned(), vec![gateway("default").into(), gateway("other").into()])];
        let second = |name: &str| {
            let operation = Operation::Create(gateway(name));
            let lookups = gateways.clone().into_iter().collect();
            let verdict = admit(&AdmitRequest { operation, input: None, lookups }).expect("a verdict");
            verdict.denials.into_iter().map(|it| it.message).collect::<Vec<_>>()
        };
        let denied =
            "there is InferenceGateway `other` already, and both would own the same Gateway; a control plane has one";
        assert_eq!(second("default"), [denied]);
        let message = "the deletion takes the address away from ModelService `chat/qwen`";
        check(Operation::Delete(gateway("default").into()), Some(&["qwen"]), &[message], 0);
        let owned = |kind: &str| json!({"metadata": {"ownerReferences": [{"kind": kind, "controller": true}]}}).into();
        #[track_caller]
        fn takes(name: &str, routes: [Vec<ObservedObject>; 3], want: &str) {
            let routes = ROUTES.map(|it| it.plural.to_owned()).into_iter().zip(routes);
            let lookups = routes.chain([("services".to_owned(), Vec::new())]).collect();
            let operation = Operation::Delete(json!({"metadata": {"name": name}}).into());
            let verdict = admit(&AdmitRequest { operation, input: None, lookups }).expect("a verdict");
            assert!(verdict.warnings[0].message.contains(want), "{:?}", verdict.warnings);
        }
        let none = Vec::new;
        let foreign = || json!({}).into();
        takes(
            "default",
            [vec![owned("ModelService"), owned("Ingress"), foreign()], none(), none()],
            "takes 2 HTTPRoutes away",
        );
        takes("other", [none(), vec![foreign()], vec![foreign(), foreign()]], "takes 1 GRPCRoute, 2 TLSRoutes away");
    }
}
