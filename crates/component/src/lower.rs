//! Converts responses of crate `contract` to WIT types.

use std::collections::BTreeMap;

use contract::types::{
    self as from_types, ConnectionDetails, IndexedValues, KindRef, MatchBy, ObservedObject, Selector,
};
use contract::{
    admit as from_admit, catalog as from_catalog, compose as from, expressions as from_expressions, plan as from_plan,
    preview as from_preview,
};
use serde_json::Value;

use crate::wit::exports::sailplane::composition::{admit, catalog, compose, expressions, plan, preview, types};

/// Lowers the catalog.
pub fn contents(contents: from_catalog::Contents) -> catalog::Contents {
    catalog::Contents {
        name: contents.name,
        version: contents.version,
        kinds: contents.kinds.into_iter().map(entry).collect(),
        inputs: contents.inputs.into_iter().map(input).collect(),
    }
}

fn input(input: from_catalog::Input) -> catalog::Input {
    catalog::Input {
        kind: kind_ref(input.kind),
        acts_on: match input.acts_on {
            from_catalog::ActsOn::OwnKinds => catalog::ActsOn::OwnKinds,
            from_catalog::ActsOn::AnyKind => catalog::ActsOn::AnyKind,
        },
        definition: json(&input.definition),
    }
}

/// Lowers the response to a request to compose.
pub fn response(response: from::ComposeResponse) -> compose::Response {
    compose::Response {
        composite: desired_composite(response.composite),
        resources: desired_resources(response.resources),
        withdrawn: response.withdrawn,
        conditions: response.conditions.into_iter().map(condition).collect(),
        results: response.results.into_iter().map(outcome).collect(),
        lookups: lookups(response.lookups),
        schemas: schema_lookups(response.schemas),
        context: response
            .context
            .into_iter()
            .map(|(key, value)| compose::ContextChange { key, value: value.as_ref().map(json) })
            .collect(),
        ttl: response.ttl,
        output: response.output.as_ref().map(json),
        derivations: response.derivations.into_iter().map(derivation).collect(),
        decisions: response.decisions.into_iter().map(decision).collect(),
    }
}

fn foreign_step(name: String, step: from_preview::ForeignStep) -> preview::ForeignStep {
    preview::ForeignStep { name, input: kind_ref(step.input), request: compose_request(step.request) }
}

/// Lowers the request for another module's step.
fn compose_request(request: from::ComposeRequest) -> compose::Request {
    let objects = |(name, objects): (String, Vec<ObservedObject>)| types::LookupAnswer {
        name,
        objects: objects.into_iter().map(observed_object).collect(),
    };
    compose::Request {
        composite: request.composite.map(observed_object),
        observed: request
            .observed
            .into_iter()
            .map(|(name, resource)| compose::ObservedResource { name, state: observed_object(resource) })
            .collect(),
        desired: compose::DesiredState {
            composite: desired_composite(request.desired.composite),
            resources: desired_resources(request.desired.resources),
        },
        input: request.input.as_ref().map(json),
        context: context(request.context),
        credentials: request
            .credentials
            .into_iter()
            .map(|(name, data)| compose::Credential { name, data: details(data) })
            .collect(),
        lookups: request.lookups.into_iter().map(objects).collect(),
        schemas: request
            .schemas
            .into_iter()
            .map(|(name, schema)| types::SchemaAnswer { name, openapi_v3: schema.as_ref().map(json) })
            .collect(),
        capabilities: request.capabilities.map(|stated| compose::Capabilities {
            required_resources: stated.required_resources,
            credentials: stated.credentials,
            conditions: stated.conditions,
            required_schemas: stated.required_schemas,
        }),
        now: request.now,
        explain: request.explain,
    }
}

fn observed_object(mut observed: ObservedObject) -> types::ObservedObject {
    let connection_details = details(std::mem::take(&mut observed.connection_details));
    types::ObservedObject { object: observed.into_text(), connection_details }
}

fn desired_composite(composite: from::DesiredComposite) -> compose::DesiredComposite {
    compose::DesiredComposite {
        status: composite.status.as_ref().map(json),
        connection_details: details(composite.connection_details),
        readiness: readiness(composite.readiness),
    }
}

fn desired_resources(resources: BTreeMap<String, from::DesiredResource>) -> Vec<compose::DesiredResource> {
    let resource = |(name, desired): (String, from::DesiredResource)| compose::DesiredResource {
        name,
        object: json(&desired.object),
        readiness: readiness(desired.readiness),
    };
    resources.into_iter().map(resource).collect()
}

/// Lowers a fault.
pub fn fault(fault: from_types::Fault) -> types::Fault {
    types::Fault {
        cause: match fault.cause {
            from_types::Cause::Request => types::FaultCause::Request,
            from_types::Cause::UnknownKind => types::FaultCause::UnknownKind,
            from_types::Cause::Composite => types::FaultCause::Composite,
            from_types::Cause::Input => types::FaultCause::Input,
            from_types::Cause::State => types::FaultCause::State,
            from_types::Cause::Budget => types::FaultCause::Budget,
        },
        problems: fault.problems.into_iter().map(problem).collect(),
        conditions: fault.conditions.into_iter().map(condition).collect(),
    }
}

/// Lowers a verdict.
pub fn verdict(verdict: from_admit::Verdict) -> admit::Verdict {
    admit::Verdict {
        denials: verdict.denials.into_iter().map(problem).collect(),
        warnings: verdict.warnings.into_iter().map(problem).collect(),
        unjudged: verdict.unjudged,
        defaults: verdict
            .defaults
            .into_iter()
            .map(|default| admit::DefaultValue {
                pointer: default.pointer,
                value: json(&default.value),
                because: default.because,
            })
            .collect(),
        lookups: lookups(verdict.lookups),
    }
}

/// Lowers a preview.
pub fn preview(response: from_preview::PreviewResponse) -> preview::Response {
    preview::Response {
        composites: response.composites.into_iter().map(rendered_composite).collect(),
        diagnostics: response.diagnostics.into_iter().map(diagnostic).collect(),
        capacities: response.capacities.into_iter().map(capacity).collect(),
        foreign_steps: response.foreign_steps.into_iter().map(|(name, step)| foreign_step(name, step)).collect(),
    }
}

fn capacity(capacity: from_preview::Capacity) -> preview::Capacity {
    let taking = |taking: from_preview::Taking| preview::Taking {
        kind: kind_ref(taking.kind),
        namespace: taking.namespace,
        name: taking.name,
        takes: amount(taking.takes),
    };
    preview::Capacity {
        place: capacity.place,
        what: capacity.what,
        size: capacity.size.map(amount),
        taken: capacity.taken.into_iter().map(taking).collect(),
        labels: capacity.labels.into_iter().collect(),
    }
}

/// Lowers the findings of a check.
pub fn findings(findings: from_preview::Findings) -> preview::Findings {
    let checked = |checked: from_preview::Checked| preview::Checked {
        location: location(checked.location),
        kind: kind_ref(checked.kind),
        namespace: checked.namespace,
        name: checked.name,
        known: checked.known,
    };
    preview::Findings {
        diagnostics: findings.diagnostics.into_iter().map(diagnostic).collect(),
        objects: findings.objects.into_iter().map(checked).collect(),
    }
}

/// Lowers a plan.
pub fn plan(response: from_plan::PlanResponse) -> plan::Response {
    let stock = |stock: from_plan::Stock| plan::Stock {
        class: stock.class,
        before: amount(stock.before),
        free_before: amount(stock.free_before),
        after: amount(stock.after),
        free_after: amount(stock.free_after),
    };
    plan::Response {
        subjects: response.subjects.into_iter().map(planned).collect(),
        stock: response.stock.into_iter().map(stock).collect(),
        diagnostics: response.diagnostics.into_iter().map(diagnostic).collect(),
    }
}

fn planned(planned: from_plan::Planned) -> plan::Planned {
    let seat = |seat: from_plan::Seat| seat.into_iter().map(share).collect();
    let from_plan::Headroom { more, at_least, scarce, class, with_one_more } = planned.headroom;
    plan::Planned {
        kind: kind_ref(planned.kind),
        namespace: planned.namespace,
        name: planned.name,
        wanted: planned.wanted,
        before: planned.before,
        after: planned.after,
        moves: planned
            .moves
            .into_iter()
            .map(|moved| plan::Move { before: seat(moved.before), after: seat(moved.after) })
            .collect(),
        gone: planned.gone.into_iter().map(seat).collect(),
        new: planned.new.into_iter().map(seat).collect(),
        lost: planned.lost,
        passed_over: planned.passed_over.into_iter().map(passed_over).collect(),
        headroom: plan::Headroom { more, at_least, scarce: scarce.map(near_miss), class, with_one_more },
    }
}

/// Lowers the evaluations of expressions.
pub fn outcomes(outcomes: Vec<from_expressions::Evaluation>) -> Vec<expressions::Outcome> {
    let outcome = |outcome: from_expressions::Evaluation| expressions::Outcome {
        value: outcome.value.as_ref().map(json).map_err(failure),
        cost: outcome.cost,
        estimate: outcome.estimate,
    };
    outcomes.into_iter().map(outcome).collect()
}

/// The outcome of an expression when the request is not valid JSON.
pub fn untried(fault: from_types::Fault) -> expressions::Outcome {
    let message = fault.problems.into_iter().map(|problem| format!("{}: {}", problem.path, problem.message)).collect();
    let failure = expressions::Failure { stage: expressions::Stage::Runtime, message, place: None, meant: None };
    expressions::Outcome { value: Err(failure), cost: None, estimate: None }
}

fn failure(failure: &from_expressions::Failure) -> expressions::Failure {
    expressions::Failure {
        stage: match failure.stage {
            from_expressions::Stage::Compile => expressions::Stage::Compile,
            from_expressions::Stage::NotBoolean => expressions::Stage::NotBoolean,
            from_expressions::Stage::Runtime => expressions::Stage::Runtime,
            from_expressions::Stage::Cost => expressions::Stage::Cost,
        },
        message: failure.message.clone(),
        place: failure.place.map(|place| expressions::Place { line: place.line, column: place.column }),
        meant: failure.meant.clone(),
    }
}

fn diagnostic(diagnostic: from_preview::Diagnostic) -> preview::Diagnostic {
    preview::Diagnostic {
        gravity: match diagnostic.gravity {
            from_preview::Gravity::Error => preview::Gravity::Error,
            from_preview::Gravity::Warning => preview::Gravity::Warning,
        },
        problem: problem(diagnostic.problem),
        location: diagnostic.location.map(location),
    }
}

/// The response to a preview when the request is not valid JSON.
pub fn unreadable(fault: from_types::Fault) -> preview::Response {
    preview::Response {
        composites: Vec::new(),
        diagnostics: errors(fault),
        capacities: Vec::new(),
        foreign_steps: Vec::new(),
    }
}

fn errors(fault: from_types::Fault) -> Vec<preview::Diagnostic> {
    let error = |problem| preview::Diagnostic { gravity: preview::Gravity::Error, problem, location: None };
    fault.problems.into_iter().map(|item| error(problem(item))).collect()
}

fn entry(entry: from_catalog::Entry) -> catalog::Entry {
    catalog::Entry {
        kind: kind_ref(entry.kind),
        plural: entry.plural,
        short_names: entry.short_names,
        scope: scope(entry.scope),
        definition: json(&entry.definition),
        composed: entry.composed,
        composes: entry.composes.into_iter().map(api_resource).collect(),
        wraps: entry.wraps.into_iter().map(api_resource).collect(),
        looks_up: entry.looks_up.into_iter().map(api_resource).collect(),
        found_by: entry.found_by.into_iter().map(index).collect(),
        admission: admission(entry.admission),
        examples: entry
            .examples
            .into_iter()
            .map(|example| catalog::Example {
                name: example.name.to_owned(),
                title: example.title.to_owned(),
                text: example.text.to_owned(),
            })
            .collect(),
    }
}

fn admission(admission: from_catalog::Admission) -> catalog::Admission {
    let policy = |policy: from_catalog::Policy| catalog::Policy {
        object: json(&policy.object),
        action: match policy.action {
            from_catalog::Action::Deny => catalog::Action::Deny,
            from_catalog::Action::Warn => catalog::Action::Warn,
        },
    };
    catalog::Admission {
        reads: admission.reads.into_iter().map(api_resource).collect(),
        writes_defaults: admission.writes_defaults,
        judges_deletion: admission.judges_deletion,
        policies: admission.policies.into_iter().map(policy).collect(),
        beyond_policies: admission.beyond_policies,
    }
}

fn api_resource(resource: from_catalog::ApiResource) -> catalog::ApiResource {
    catalog::ApiResource {
        kind: types::KindRef { api_version: resource.api_version.to_owned(), kind: resource.kind.to_owned() },
        plural: resource.plural.to_owned(),
        scope: scope(resource.scope),
    }
}

fn index(index: from_catalog::Index) -> catalog::Index {
    let part = |fields: &&[&str]| fields.iter().map(|&field| field.to_owned()).collect();
    catalog::Index { name: index.name.to_owned(), parts: index.parts.iter().map(part).collect() }
}

fn scope(scope: from_catalog::Scope) -> catalog::Scope {
    match scope {
        from_catalog::Scope::Namespaced => catalog::Scope::Namespaced,
        from_catalog::Scope::Cluster => catalog::Scope::Cluster,
    }
}

fn rendered_composite(composite: from_preview::RenderedComposite) -> preview::RenderedComposite {
    preview::RenderedComposite {
        origin: composite.origin.map(location),
        foreign_object: composite.foreign_object,
        object: composite.object.into_text(),
        composition: composite.composition,
        areas: composite.areas,
        resources: composite
            .resources
            .into_iter()
            .map(|resource| preview::RenderedResource {
                name: resource.name,
                object: resource.object.into_text(),
                ready: resource.ready,
                composite: resource.composite,
                area: resource.area,
                phase: resource.phase.map(|it| preview::Phase { number: it.number, waits_for: it.waits_for }),
            })
            .collect(),
        results: composite
            .results
            .into_iter()
            .map(|result| preview::StepResult { step: result.step, outcome: outcome(result.outcome) })
            .collect(),
        context: context(composite.context),
        derivations: composite.derivations.into_iter().map(derivation).collect(),
        decisions: composite.decisions.into_iter().map(decision).collect(),
        lookups: lookups(composite.lookups),
        schemas: schema_lookups(composite.schemas),
    }
}

fn context(context: BTreeMap<String, Value>) -> Vec<compose::ContextEntry> {
    context.into_iter().map(|(key, value)| compose::ContextEntry { key, value: json(&value) }).collect()
}

fn derivation(derivation: from::Derivation) -> compose::Derivation {
    compose::Derivation {
        resource_name: derivation.resource,
        path: derivation.path,
        value: json(&derivation.value),
        because: derivation.because,
        causes: derivation.causes,
    }
}

fn decision(decision: from::Decision) -> compose::Decision {
    let choice = |choice: from::Choice| compose::Choice {
        resource_name: choice.resource,
        shares: choice.shares.into_iter().map(share).collect(),
        because: choice.because,
    };
    let crowded = |crowded: from::CrowdedPlace| compose::CrowdedPlace {
        place: crowded.place,
        size: amount(crowded.size),
        taken: amount(crowded.taken),
        takers: crowded.takers,
        by: crowded.by,
    };
    compose::Decision {
        about: decision.about,
        wanted: decision.wanted,
        candidates: decision.candidates,
        chosen: decision.chosen.into_iter().map(choice).collect(),
        passed_over: decision.passed_over.into_iter().map(passed_over).collect(),
        overcommitted: decision.overcommitted.into_iter().map(crowded).collect(),
    }
}

fn share(share: from::Share) -> compose::Share {
    compose::Share { place: share.place, part: share.part, takes: share.takes.map(amount) }
}

fn near_miss(near: from::NearMiss) -> compose::NearMiss {
    let from::NearMiss { place, needed, found, because } = near;
    compose::NearMiss { place, needed: amount(needed), found: amount(found), because }
}

fn passed_over(passed: from::PassedOver) -> compose::PassedOver {
    compose::PassedOver {
        reason: passed.reason,
        because: passed.because,
        candidates: passed.candidates,
        nearest: passed.nearest.map(near_miss),
        cause: passed.cause,
    }
}

fn amount(amount: from::Amount) -> compose::Amount {
    compose::Amount { value: amount.value, unit: amount.unit }
}

fn location(location: from_preview::Location) -> preview::Location {
    preview::Location {
        text: location.text,
        document: location.document,
        line: location.line,
        column: location.column,
        end_line: location.end_line,
        end_column: location.end_column,
    }
}

fn problem(problem: from_types::Problem) -> types::Problem {
    use from_types::Code;
    types::Problem {
        path: problem.path,
        code: match problem.code {
            Code::Required => types::ProblemCode::Required,
            Code::TypeInvalid => types::ProblemCode::TypeInvalid,
            Code::Invalid => types::ProblemCode::Invalid,
            Code::NotSupported => types::ProblemCode::NotSupported,
            Code::Duplicate => types::ProblemCode::Duplicate,
            Code::TooLong => types::ProblemCode::TooLong,
            Code::TooMany => types::ProblemCode::TooMany,
            Code::Forbidden => types::ProblemCode::Forbidden,
            Code::NotFound => types::ProblemCode::NotFound,
            Code::UnknownField => types::ProblemCode::UnknownField,
            Code::Syntax => types::ProblemCode::Syntax,
        },
        message: problem.message,
        hint: problem.hint,
        fix: problem.fix.map(|edit| match edit {
            from_types::Edit::Replace(value) => types::Edit::Replace(json(&value)),
            from_types::Edit::Rename(key) => types::Edit::Rename(key),
            from_types::Edit::Remove => types::Edit::Remove,
        }),
    }
}

fn condition(condition: from_types::Condition) -> types::Condition {
    types::Condition {
        condition_type: condition.condition_type,
        status: match condition.status {
            from_types::ConditionStatus::Unknown => types::ConditionStatus::Unknown,
            from_types::ConditionStatus::True => types::ConditionStatus::True,
            from_types::ConditionStatus::False => types::ConditionStatus::False,
        },
        reason: condition.reason,
        message: condition.message,
        target: condition.target.map(target),
    }
}

fn outcome(outcome: from_types::Outcome) -> types::Outcome {
    types::Outcome {
        severity: match outcome.severity {
            from_types::Severity::Normal => types::Severity::Normal,
            from_types::Severity::Warning => types::Severity::Warning,
        },
        message: outcome.message,
        reason: outcome.reason,
        target: outcome.target.map(target),
    }
}

fn target(target: from_types::Target) -> types::Target {
    match target {
        from_types::Target::Composite => types::Target::Composite,
        from_types::Target::CompositeAndClaim => types::Target::CompositeAndClaim,
    }
}

fn readiness(readiness: from_types::Readiness) -> types::Readiness {
    match readiness {
        from_types::Readiness::Unspecified => types::Readiness::Unspecified,
        from_types::Readiness::NotReady => types::Readiness::NotReady,
        from_types::Readiness::Ready => types::Readiness::Ready,
    }
}

fn lookups(lookups: BTreeMap<String, Selector>) -> Vec<types::Lookup> {
    lookups
        .into_iter()
        .map(|(name, selector)| types::Lookup {
            name,
            selector: types::Selector {
                kind: kind_ref(selector.kind),
                match_by: match selector.match_by {
                    MatchBy::Name(name) => types::MatchBy::Name(name),
                    MatchBy::Labels(labels) => types::MatchBy::Labels(labels.into_iter().collect()),
                    MatchBy::Values(IndexedValues { index, values }) => {
                        types::MatchBy::Values(types::IndexedValues { index, values })
                    }
                },
                namespace: selector.namespace,
                limit: selector.limit,
            },
        })
        .collect()
}

fn schema_lookups(lookups: BTreeMap<String, KindRef>) -> Vec<types::SchemaLookup> {
    lookups.into_iter().map(|(name, kind)| types::SchemaLookup { name, kind: kind_ref(kind) }).collect()
}

fn details(details: ConnectionDetails) -> Vec<types::ConnectionDetail> {
    details.into_iter().map(|(key, value)| types::ConnectionDetail { key, value }).collect()
}

fn kind_ref(kind: KindRef) -> types::KindRef {
    types::KindRef { api_version: kind.api_version, kind: kind.kind }
}

fn json(value: &Value) -> String {
    // Faster than `Display`. Writing a value cannot fail.
    serde_json::to_string(value).unwrap_or_default()
}
