//! `InferenceClass`: a hardware type of nodes.
//!
//! A platform team states which devices a node of the class has, and optionally how a cloud creates such nodes. The devices
//! are what the scheduler matches and what pods claim. InferenceClusters name the classes of their pools.

use std::sync::LazyLock;

use contract::catalog::Example;
use contract::compose::{ComposeRequest, ComposeResponse, DesiredComposite};
use contract::types::{Cause, Code, ConditionStatus, Fault, Problem, Readiness};
use serde_json::{Value, json};
use toolbox::conditions::{ConditionRow, note};
use toolbox::kind::Kind;
use toolbox::reasons::Reasons;
use toolbox::validation::Validator;

use super::conditions::Report;
use super::resources::INFERENCE_CLASSES as CLASSES;
use super::shapes::{self, Misshapen};
use crate::options::Options;

pub mod admit;
#[cfg(feature = "generate")]
mod published;
#[cfg(feature = "generate")]
mod spec;

/// The row of the kind, without its admission. Others look it up, and no objects exist for it.
pub(crate) const KIND: Kind = Kind {
    short_names: &["icl"],
    api: "modelplane",
    scope: CLASSES.scope,
    examples: EXAMPLES,
    conditions: CONDITIONS,
    admission: admit::ADMISSION,
    #[cfg(feature = "generate")]
    published: published::PUBLISHED,
    ..Kind::bare(CLASSES.api_version, CLASSES.kind, CLASSES.plural, definition, compose)
};

/// The definition of the kind, which validates objects.
fn definition() -> &'static Validator {
    static DEFINITION: LazyLock<Validator> =
        LazyLock::new(|| Validator::read(include_str!("inference_class/definition.json")));
    &DEFINITION
}

const ACCEPTED: ConditionRow =
    note("Accepted", ConditionStatus::True, "Available", "pools of clusters can have the class");

/// All conditions of the kind.
const CONDITIONS: &[ConditionRow] = &[ACCEPTED];

/// Says that the class is there, and ready.
fn compose(request: &ComposeRequest) -> Result<(ComposeResponse, Reasons), Fault> {
    let options = Options::read(request.input.as_ref())?;
    read(request.composite()?).map_err(|problems| Fault::many(Cause::Composite, problems))?;
    let mut report = Report::default();
    report.add(ACCEPTED.report(""));
    let composite =
        DesiredComposite { status: Some(json!({})), readiness: Readiness::Ready, ..DesiredComposite::default() };
    let response = report.respond(&options, ComposeResponse { composite, ..ComposeResponse::default() });
    Ok((response, Reasons::default()))
}

/// Reads a class, in whatever shape it is.
fn read(class: &Value) -> Result<(), Vec<Problem>> {
    let valid = |object: &Value| definition().spec::<Value>(object).map(|_| ());
    valid(class)?;
    match shapes::of(CLASSES.kind, class) {
        Ok(None) if class["spec"]["devices"].is_null() => {
            Err(vec![Problem::new("spec.devices", Code::Required, "Required value")])
        }
        Ok(None) => Ok(()),
        Ok(Some(shaped)) => valid(&shaped.object).map_err(|problems| shaped.written.renamed(problems)),
        Err(wrong) => Err(wrong.iter().map(Misshapen::problem).collect()),
    }
}

const EXAMPLES: &[Example] = &[
    example!("modelplane", "class-h100", "eight H100 of a machine in a cloud"),
    example!("modelplane", "class-own", "hardware of one's own, with a fabric that is never claimed"),
    example!("modelplane", "classes", "hardware of five clouds, a class each"),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn classes() {
        #[track_caller]
        fn check(spec: Value, want: Result<(), &str>) {
            let composite = json!({"apiVersion": CLASSES.api_version, "kind": CLASSES.kind, "spec": spec});
            let request = ComposeRequest { composite: Some(composite.into()), ..ComposeRequest::default() };
            let answer = compose(&request).map(|(response, _)| {
                assert_eq!(response.composite.status, Some(json!({})));
                assert_eq!((response.composite.readiness, response.ttl), (Readiness::Ready, Some(60_000)));
                assert_eq!(response.conditions, [ACCEPTED.report("").condition]);
                assert!(response.resources.is_empty() && response.results.is_empty());
            });
            let paths = answer.map_err(|fault| fault.problems.into_iter().map(|it| it.path).collect::<Vec<_>>());
            assert_eq!(paths, want.map_err(|path| vec![path.to_owned()]));
        }
        check(json!({"devices": [{"name": "gpu", "driver": "gpu.nvidia.com"}]}), Ok(()));
        check(json!({}), Err("spec.devices"));
        check(json!({"devices": [{"name": "gpu"}]}), Err("spec.devices[0].driver"));
        check(json!({"resources": {"gpu": {"count": 2, "memory": "24Gi"}}}), Ok(()));
        check(json!({"resources": {"gpu": {"memory": "24Gi"}}}), Err("spec.resources.gpu.count"));
        check(
            json!({"capacity": {"gpu.nvidia.com/memory": {"value": ""}}}),
            Err("spec.capacity[gpu.nvidia.com/memory].value"),
        );
        check(json!({"capabilities": {"gpu.count": 65}}), Err("spec.capabilities"));
        check(
            json!({"capabilities": {}, "resources": {"gpu": {"count": 2, "memory": "24Gi"}}}),
            Err("spec.capabilities"),
        );
    }
}
