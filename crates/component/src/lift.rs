//! Converts WIT requests to the types of crate `contract`.

use std::collections::BTreeMap;

use contract::types::{self as to_types, ConnectionDetails, Fault, KindRef, ObservedObject};
use contract::{
    admit as to_admit, compose as to, expressions as to_expressions, plan as to_plan, preview as to_preview,
};
use serde_json::Value;

use crate::wit::exports::sailplane::composition::{admit, compose, expressions, plan, preview, types};

/// Lifts a request to compose.
///
/// # Errors
/// A fault that names the text that is not JSON.
pub fn compose_request(request: compose::Request) -> Result<to::ComposeRequest, Fault> {
    Ok(to::ComposeRequest {
        composite: request.composite.map(resource),
        observed: map(request.observed.into_iter().map(|item| (item.name, resource(item.state)))),
        desired: desired_state(request.desired)?,
        input: input(request.input.as_deref())?,
        context: context(request.context)?,
        credentials: map(request.credentials.into_iter().map(credential)),
        lookups: lookups(request.lookups),
        schemas: try_map(request.schemas.into_iter().map(|answer| {
            let schema = answer.openapi_v3.map(|text| json(&answer.name, &text)).transpose()?;
            Ok((answer.name, schema))
        }))?,
        capabilities: request.capabilities.map(|stated| to::Capabilities {
            required_resources: stated.required_resources,
            credentials: stated.credentials,
            conditions: stated.conditions,
            required_schemas: stated.required_schemas,
        }),
        now: request.now,
        explain: request.explain,
    })
}

/// Lifts a request to admit.
///
/// # Errors
/// A fault that names the text that is not JSON.
pub fn admit_request(request: admit::Request) -> Result<to_admit::AdmitRequest, Fault> {
    Ok(to_admit::AdmitRequest {
        operation: match request.operation {
            admit::Operation::Create(object) => to_admit::Operation::Create(json("object", &object)?),
            admit::Operation::Update(admit::Update { old, new }) => {
                to_admit::Operation::Update { old: json("old object", &old)?, new: json("object", &new)? }
            }
            admit::Operation::Delete(admit::Deletion { object, propagation }) => {
                let object = json("object", &object)?;
                to_admit::Operation::Delete(to_admit::Deletion {
                    object,
                    propagation: propagation.map(lift_propagation),
                })
            }
        },
        input: input(request.input.as_deref())?,
        lookups: lookups(request.lookups),
    })
}

fn lift_propagation(policy: admit::PropagationPolicy) -> to_admit::PropagationPolicy {
    match policy {
        admit::PropagationPolicy::Background => to_admit::PropagationPolicy::Background,
        admit::PropagationPolicy::Foreground => to_admit::PropagationPolicy::Foreground,
        admit::PropagationPolicy::Orphan => to_admit::PropagationPolicy::Orphan,
    }
}

/// Lifts a request to preview.
///
/// # Errors
/// A fault that names the context entry or the object that is not JSON.
pub fn preview_request(request: preview::Request) -> Result<to_preview::PreviewRequest, Fault> {
    Ok(to_preview::PreviewRequest {
        sources: sources(request.sources),
        namespace: request.namespace,
        pipelines: request
            .pipelines
            .into_iter()
            .map(|pipeline| to_preview::Pipeline {
                kind: kind_ref(pipeline.kind),
                composition: pipeline.composition.map(composition),
                steps: pipeline.steps.into_iter().map(step).collect(),
            })
            .collect(),
        context: context(request.context)?,
        cascade: request.cascade,
        settled: request.settled,
        explain: request.explain,
        now: request.now,
        foreign_kinds: request.foreign_kinds.into_iter().map(kind_ref).collect(),
        foreign_objects: request
            .foreign_objects
            .iter()
            .map(|object| json("foreign object", object))
            .collect::<Result<_, _>>()?,
        foreign_inputs: request.foreign_inputs.into_iter().map(kind_ref).collect(),
        foreign_steps: try_map(request.foreign_steps.into_iter().map(|step| {
            let answer = match step.answer {
                Ok(response) => Ok(compose_response(response)?),
                Err(fault) => Err(self::fault(fault)?),
            };
            Ok((step.name, answer))
        }))?,
    })
}

/// Lifts a request to plan.
pub fn plan_request(request: plan::Request) -> to_plan::PlanRequest {
    to_plan::PlanRequest {
        sources: sources(request.sources),
        input: request.input,
        changes: request.changes.into_iter().map(change).collect(),
    }
}

fn change(change: plan::Change) -> to_plan::Change {
    match change {
        plan::Change::Scale(plan::Scaling { namespace, name, number }) => {
            to_plan::Change::Scale { namespace, name, number }
        }
        plan::Change::Drain(place) => to_plan::Change::Drain(place),
        plan::Change::Lose(place) => to_plan::Change::Lose(place),
        plan::Change::Add(plan::Addition { place, class, number }) => to_plan::Change::Add { place, class, number },
    }
}

/// Lifts the response of another module's step.
fn compose_response(response: compose::Response) -> Result<to::ComposeResponse, Fault> {
    let lookup = |lookup: types::Lookup| (lookup.name, selector(lookup.selector));
    Ok(to::ComposeResponse {
        composite: desired_composite(response.composite)?,
        resources: desired_resources(response.resources)?,
        withdrawn: response.withdrawn,
        conditions: response.conditions.into_iter().map(condition).collect(),
        results: response.results.into_iter().map(outcome).collect(),
        lookups: map(response.lookups.into_iter().map(lookup)),
        schemas: map(response.schemas.into_iter().map(|lookup| (lookup.name, kind_ref(lookup.kind)))),
        context: try_map(response.context.into_iter().map(|change| {
            let value = change.value.map(|value| json(&change.key, &value)).transpose()?;
            Ok((change.key, value))
        }))?,
        ttl: response.ttl,
        output: response.output.map(|output| json("output", &output)).transpose()?,
        derivations: response.derivations.into_iter().map(derivation).collect::<Result<_, _>>()?,
        decisions: response.decisions.into_iter().map(decision).collect(),
    })
}

fn derivation(derivation: compose::Derivation) -> Result<to::Derivation, Fault> {
    Ok(to::Derivation {
        value: json(&derivation.path, &derivation.value)?,
        resource: derivation.resource_name,
        path: derivation.path,
        because: derivation.because,
        causes: derivation.causes,
    })
}

fn decision(decision: compose::Decision) -> to::Decision {
    let share =
        |share: compose::Share| to::Share { place: share.place, part: share.part, takes: share.takes.map(amount) };
    let choice = |choice: compose::Choice| to::Choice {
        resource: choice.resource_name,
        shares: choice.shares.into_iter().map(share).collect(),
        because: choice.because,
    };
    let near_miss = |near: compose::NearMiss| to::NearMiss {
        place: near.place,
        needed: amount(near.needed),
        found: amount(near.found),
        because: near.because,
    };
    let passed_over = |passed: compose::PassedOver| to::PassedOver {
        reason: passed.reason,
        because: passed.because,
        candidates: passed.candidates,
        nearest: passed.nearest.map(near_miss),
        cause: passed.cause,
    };
    let crowded = |crowded: compose::CrowdedPlace| to::CrowdedPlace {
        place: crowded.place,
        size: amount(crowded.size),
        taken: amount(crowded.taken),
        takers: crowded.takers,
        by: crowded.by,
    };
    to::Decision {
        about: decision.about,
        wanted: decision.wanted,
        candidates: decision.candidates,
        chosen: decision.chosen.into_iter().map(choice).collect(),
        passed_over: decision.passed_over.into_iter().map(passed_over).collect(),
        overcommitted: decision.overcommitted.into_iter().map(crowded).collect(),
    }
}

fn amount(amount: compose::Amount) -> to::Amount {
    to::Amount { value: amount.value, unit: amount.unit }
}

fn fault(fault: types::Fault) -> Result<Fault, Fault> {
    Ok(Fault {
        cause: match fault.cause {
            types::FaultCause::Request => to_types::Cause::Request,
            types::FaultCause::UnknownKind => to_types::Cause::UnknownKind,
            types::FaultCause::Composite => to_types::Cause::Composite,
            types::FaultCause::Input => to_types::Cause::Input,
            types::FaultCause::State => to_types::Cause::State,
            types::FaultCause::Budget => to_types::Cause::Budget,
        },
        problems: fault.problems.into_iter().map(problem).collect::<Result<_, _>>()?,
        conditions: fault.conditions.into_iter().map(condition).collect(),
    })
}

fn problem(problem: types::Problem) -> Result<to_types::Problem, Fault> {
    use to_types::Code;
    Ok(to_types::Problem {
        code: match problem.code {
            types::ProblemCode::Required => Code::Required,
            types::ProblemCode::TypeInvalid => Code::TypeInvalid,
            types::ProblemCode::Invalid => Code::Invalid,
            types::ProblemCode::NotSupported => Code::NotSupported,
            types::ProblemCode::Duplicate => Code::Duplicate,
            types::ProblemCode::TooLong => Code::TooLong,
            types::ProblemCode::TooMany => Code::TooMany,
            types::ProblemCode::Forbidden => Code::Forbidden,
            types::ProblemCode::NotFound => Code::NotFound,
            types::ProblemCode::UnknownField => Code::UnknownField,
            types::ProblemCode::Syntax => Code::Syntax,
        },
        fix: match problem.fix {
            Some(types::Edit::Replace(value)) => Some(to_types::Edit::Replace(json(&problem.path, &value)?)),
            Some(types::Edit::Rename(name)) => Some(to_types::Edit::Rename(name)),
            Some(types::Edit::Remove) => Some(to_types::Edit::Remove),
            None => None,
        },
        path: problem.path,
        message: problem.message,
        hint: problem.hint,
    })
}

fn condition(condition: types::Condition) -> to_types::Condition {
    to_types::Condition {
        condition_type: condition.condition_type,
        status: match condition.status {
            types::ConditionStatus::Unknown => to_types::ConditionStatus::Unknown,
            types::ConditionStatus::True => to_types::ConditionStatus::True,
            types::ConditionStatus::False => to_types::ConditionStatus::False,
        },
        reason: condition.reason,
        message: condition.message,
        target: condition.target.map(target),
    }
}

fn outcome(outcome: types::Outcome) -> to_types::Outcome {
    to_types::Outcome {
        severity: match outcome.severity {
            types::Severity::Normal => to_types::Severity::Normal,
            types::Severity::Warning => to_types::Severity::Warning,
        },
        message: outcome.message,
        reason: outcome.reason,
        target: outcome.target.map(target),
    }
}

fn target(target: types::Target) -> to_types::Target {
    match target {
        types::Target::Composite => to_types::Target::Composite,
        types::Target::CompositeAndClaim => to_types::Target::CompositeAndClaim,
    }
}

fn selector(selector: types::Selector) -> to_types::Selector {
    to_types::Selector {
        kind: kind_ref(selector.kind),
        match_by: match selector.match_by {
            types::MatchBy::Name(name) => to_types::MatchBy::Name(name),
            types::MatchBy::Labels(labels) => to_types::MatchBy::Labels(map(labels)),
            types::MatchBy::Values(types::IndexedValues { index, values }) => {
                to_types::MatchBy::Values(to_types::IndexedValues { index, values })
            }
        },
        namespace: selector.namespace,
        limit: selector.limit,
    }
}

/// Lifts a step input.
///
/// # Errors
/// A fault when the text is not JSON.
fn input(input: Option<&str>) -> Result<Option<Value>, Fault> {
    input.map(|text| json("input", text)).transpose()
}

/// Lifts the texts of a preview or a check.
pub fn sources(sources: Vec<preview::Source>) -> Vec<to_preview::Source> {
    let role = |role| match role {
        preview::Role::Subject => to_preview::Role::Subject,
        preview::Role::Observed => to_preview::Role::Observed,
        preview::Role::Available => to_preview::Role::Available,
        preview::Role::Schema => to_preview::Role::Schema,
    };
    let source =
        |source: preview::Source| to_preview::Source { name: source.name, role: role(source.role), text: source.text };
    sources.into_iter().map(source).collect()
}

/// Lifts a request to evaluate expressions.
///
/// # Errors
/// A fault that names the part of a subject that is not JSON.
pub fn expressions_request(request: expressions::Request) -> Result<to_expressions::ExpressionsRequest, Fault> {
    let trial =
        |trial: expressions::Trial| to_expressions::Trial { expression: trial.expression, subject: trial.subject };
    Ok(to_expressions::ExpressionsRequest {
        subjects: request.subjects.into_iter().map(expression_subject).collect::<Result<_, _>>()?,
        trials: request.trials.into_iter().map(trial).collect(),
    })
}

fn expression_subject(subject: expressions::Subject) -> Result<to_expressions::Subject, Fault> {
    Ok(match subject {
        expressions::Subject::Device(device) => to_expressions::Subject::Device(json("device", &device)?),
        expressions::Subject::Value(value) => to_expressions::Subject::Value {
            this: json("self", &value.this)?,
            before: value.before.map(|before| json("oldSelf", &before)).transpose()?,
            schema: json("schema", &value.schema)?,
        },
    })
}

fn composition(composition: preview::Composition) -> to_preview::Composition {
    to_preview::Composition { name: composition.name, labels: map(composition.labels) }
}

fn step(step: preview::Step) -> to_preview::Step {
    to_preview::Step {
        name: step.name,
        input: step.input.map(|input| to_preview::StepInput {
            name: input.name,
            text: input.text,
            document: input.document,
            path: input.path,
        }),
        credentials: map(step.credentials.into_iter().map(credential)),
    }
}

fn desired_state(state: compose::DesiredState) -> Result<to::DesiredState, Fault> {
    Ok(to::DesiredState {
        composite: desired_composite(state.composite)?,
        resources: desired_resources(state.resources)?,
    })
}

fn desired_composite(composite: compose::DesiredComposite) -> Result<to::DesiredComposite, Fault> {
    Ok(to::DesiredComposite {
        status: composite.status.map(|text| json("desired status", &text)).transpose()?,
        connection_details: details(composite.connection_details),
        readiness: readiness(composite.readiness),
    })
}

fn desired_resources(resources: Vec<compose::DesiredResource>) -> Result<BTreeMap<String, to::DesiredResource>, Fault> {
    let resource = |desired: compose::DesiredResource| {
        let object = json(&desired.name, &desired.object)?;
        Ok((desired.name, to::DesiredResource { object, readiness: readiness(desired.readiness) }))
    };
    try_map(resources.into_iter().map(resource))
}

fn readiness(readiness: types::Readiness) -> to_types::Readiness {
    match readiness {
        types::Readiness::Unspecified => to_types::Readiness::Unspecified,
        types::Readiness::NotReady => to_types::Readiness::NotReady,
        types::Readiness::Ready => to_types::Readiness::Ready,
    }
}

fn lookups(answers: Vec<types::LookupAnswer>) -> BTreeMap<String, Vec<ObservedObject>> {
    map(answers.into_iter().map(|answer| (answer.name, answer.objects.into_iter().map(resource).collect())))
}

fn context(entries: Vec<compose::ContextEntry>) -> Result<BTreeMap<String, Value>, Fault> {
    try_map(entries.into_iter().map(|entry| {
        let value = json(&entry.key, &entry.value)?;
        Ok((entry.key, value))
    }))
}

fn credential(credential: compose::Credential) -> (String, ConnectionDetails) {
    (credential.name, details(credential.data))
}

fn details(details: Vec<types::ConnectionDetail>) -> ConnectionDetails {
    map(details.into_iter().map(|detail| (detail.key, detail.value)))
}

fn resource(observed: types::ObservedObject) -> ObservedObject {
    ObservedObject::from_text(observed.object, details(observed.connection_details))
}

fn kind_ref(kind: types::KindRef) -> KindRef {
    KindRef { api_version: kind.api_version, kind: kind.kind }
}

fn json(name: &str, text: &str) -> Result<Value, Fault> {
    serde_json::from_str(text).map_err(|error| Fault::not_json(name, &error))
}

/// The entries as a map. Each is inserted: to collect them would bring the code of a sort for every type of entry, and
/// they are sorted already.
fn map<V>(entries: impl IntoIterator<Item = (String, V)>) -> BTreeMap<String, V> {
    let mut map = BTreeMap::new();
    map.extend(entries);
    map
}

fn try_map<V>(entries: impl Iterator<Item = Result<(String, V), Fault>>) -> Result<BTreeMap<String, V>, Fault> {
    let mut map = BTreeMap::new();
    for entry in entries {
        let (name, value) = entry?;
        map.insert(name, value);
    }
    Ok(map)
}
