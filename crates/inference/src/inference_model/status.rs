//! Readiness, conditions, status and results from the observed state.

use budget::memory::canonical;
use budget::model::Reservation;
use budget::pass::Moves;
use contract::compose::{ComposeRequest, ComposeResponse, DesiredComposite};
use contract::types::ConditionStatus::{False, True, Unknown};
use contract::types::{Condition, Outcome, Problem, Readiness, Severity};
use serde_json::Value;
use toolbox::composed::{Composed, desired};
use toolbox::conditions::{self, ConditionRow, Reported, new_warnings, note, outcome, warning};
use toolbox::path;
use toolbox::rule::Plan;

use super::decide::{Asleep, ModelDecision, Over, Situation};
use super::derive::{ModelInputs, STATUS};
use super::names;
use super::read::{Clock, ModelRead, SERVICE};
use super::refusal;
use super::totals::Wrong;

/// The finalizer of the Inference Budget Controller, which only that removes.
pub(super) const FINALIZER: &str = "inference.eh-ops.io/finalizer";

const MODEL: &str = "ModelReady";
const AVAILABLE: &str = "Available";
const MEMORY: &str = "MemoryReserved";
const PLACE: &str = "NodeSelectorApplied";
const BUDGET: &str = "BudgetKnown";
const NEEDS: &str = "DependenciesReady";
const SIBLINGS: &str = "SiblingsReadable";
const FIELDS: &str = "FieldsReadable";
const CLOCK: &str = "ClockKnown";
const PEAK: &str = "PeakWithinMemory";
const ADDRESS: &str = "ServiceNameUnique";
const HANDED: &str = "HandedOver";

/// The messages of a model without memory, and of one that falls asleep.
const NO_MEMORY: &str = "Cannot schedule model: insufficient memory budget";
const NO_MEMORY_THERE: &str = "Cannot update node selector: insufficient memory budget on target node pool";
const FALLS_ASLEEP: &str = "Model scaled to zero due to inactivity";
const ASLEEP: &str = "Model is scaled to zero due to inactivity";
const SCALED: &str = "Scaled deployment to 0 replicas due to inactivity";

/// All conditions with all of their reasons, also for documentation.
#[rustfmt::skip]
pub(super) const CONDITIONS: &[ConditionRow] = &[
    TERMINATING, FAILED, SCALED_TO_ZERO, PENDING, INSUFFICIENT, DEPLOYING, DEPLOYED, UNKNOWN,
    NOT_TERMINATING, NOT_FAILED, NOT_SCALED, NOT_PENDING, NOT_SUFFICIENT, NOT_DEPLOYING, PARTLY, SERVING, NOT_KNOWN,
    CONFIRMED, CLAIMED, WITHDRAWN, LEAVING, UNLIMITED, TAKEN_ANYWAY, NOTHING, OVER_TOTAL, NOT_LOOKED_UP,
    APPLIED, MOVING, NO_ROOM,
    KNOWN, NO_TOTAL, NOT_ASKED, NOT_READ, POOLS_MISSING, TOTAL_UNREADABLE,
    NONE_NEEDED, NEEDS_READY, NEEDS_WAITING, NEEDS_CYCLE, NEEDS_LOST,
    READABLE, MALFORMED,
    COMPLETE, IGNORED,
    GIVEN, FIXED, MISSING,
    WITHIN, NOT_OBSERVED, EXCEEDS,
    UNIQUE, TAKEN,
    HANDED_OVER, FINALIZER_LEFT,
];

#[rustfmt::skip]
mod rows {
    use super::*;

    pub(super) const TERMINATING: ConditionRow = note(MODEL, False, "Terminating", "the model is being deleted");
    pub(super) const FAILED: ConditionRow = warning(MODEL, False, "Failed", "dependencies go in a circle, or a field says nothing that a model can have; what runs stays");
    pub(super) const SCALED_TO_ZERO: ConditionRow = note(MODEL, False, "ScaledToZero", "nobody has asked for the model for longer than its cooldown, or it never runs");
    pub(super) const PENDING: ConditionRow = note(MODEL, False, "Pending", "there are no pods yet; or the model waits for another one, or is run by something else");
    pub(super) const INSUFFICIENT: ConditionRow = note(MODEL, False, "InsufficientMemory", "there is no memory for the model in its pool; the event says who has it");
    pub(super) const DEPLOYING: ConditionRow = note(MODEL, False, "Deploying", "no pod is ready yet");
    pub(super) const DEPLOYED: ConditionRow = note(MODEL, True, "Deployed", "a pod is ready");
    pub(super) const UNKNOWN: ConditionRow = note(MODEL, Unknown, "NotLookedUp", "nobody has looked for what decides about the model; what runs stays");

    pub(super) const NOT_TERMINATING: ConditionRow = note(AVAILABLE, False, "Terminating", "as `ModelReady` says");
    pub(super) const NOT_FAILED: ConditionRow = note(AVAILABLE, False, "Failed", "as `ModelReady` says");
    pub(super) const NOT_SCALED: ConditionRow = note(AVAILABLE, False, "ScaledToZero", "as `ModelReady` says");
    pub(super) const NOT_PENDING: ConditionRow = note(AVAILABLE, False, "Pending", "as `ModelReady` says");
    pub(super) const NOT_SUFFICIENT: ConditionRow = note(AVAILABLE, False, "InsufficientMemory", "as `ModelReady` says");
    pub(super) const NOT_DEPLOYING: ConditionRow = note(AVAILABLE, False, "Deploying", "as `ModelReady` says");
    pub(super) const PARTLY: ConditionRow = note(AVAILABLE, False, "Deployed", "a pod is ready, and another one is not available");
    pub(super) const SERVING: ConditionRow = note(AVAILABLE, True, "Deployed", "every pod is available");
    pub(super) const NOT_KNOWN: ConditionRow = note(AVAILABLE, Unknown, "NotLookedUp", "as `ModelReady` says");

    pub(super) const CONFIRMED: ConditionRow = note(MEMORY, True, "Confirmed", "the memory is reserved, and stays so until the model sleeps");
    pub(super) const CLAIMED: ConditionRow = note(MEMORY, True, "Claimed", "the memory is reserved; the model may still have to give way to one that claimed it before");
    pub(super) const WITHDRAWN: ConditionRow = note(MEMORY, True, "Withdrawn", "the model gave way; the memory is free once its pods are gone");
    pub(super) const LEAVING: ConditionRow = note(MEMORY, True, "Leaving", "the model sleeps, or cannot start; the memory is free once its pods are gone");
    pub(super) const UNLIMITED: ConditionRow = note(MEMORY, True, "Unlimited", "the memory is reserved where there is no limit");
    pub(super) const TAKEN_ANYWAY: ConditionRow = note(MEMORY, True, "External", "something else runs the model, so its memory is taken of its pool whether it fits or not");
    pub(super) const NOTHING: ConditionRow = note(MEMORY, False, "NotReserved", "the model has no memory of its pool");
    pub(super) const OVER_TOTAL: ConditionRow = warning(MEMORY, True, "OverTotal", "more is confirmed than there is, because a total was lowered or a model's memory was raised; what runs stays");
    pub(super) const NOT_LOOKED_UP: ConditionRow = note(MEMORY, Unknown, "NotLookedUp", "nobody has looked for the other models");

    pub(super) const APPLIED: ConditionRow = note(PLACE, True, "Applied", "pods run on the nodes that the model selects");
    pub(super) const MOVING: ConditionRow = note(PLACE, False, "Moving", "the model moves to another pool: its memory there is not confirmed yet, or it still has pods where it was");
    pub(super) const NO_ROOM: ConditionRow = note(PLACE, False, "InsufficientMemory", "the other pool has no memory for the model, so it stays where it is");

    pub(super) const KNOWN: ConditionRow = note(BUDGET, True, "Known", "the pool, or all pools together, have a total");
    pub(super) const NO_TOTAL: ConditionRow = note(BUDGET, True, "Unlimited", "nothing says how much memory there is, so there is no limit");
    pub(super) const NOT_ASKED: ConditionRow = note(BUDGET, Unknown, "External", "something else runs the model, so nobody looks for totals");
    pub(super) const NOT_READ: ConditionRow = note(BUDGET, Unknown, "NotLookedUp", "nobody has looked for the totals of pools");
    pub(super) const POOLS_MISSING: ConditionRow = warning(BUDGET, False, "PoolsMissing", "the object with the totals of pools does not exist; nothing new gets memory");
    pub(super) const TOTAL_UNREADABLE: ConditionRow = warning(BUDGET, False, "TotalUnreadable", "a total is no amount of memory; nothing new gets memory of that pool");

    pub(super) const NONE_NEEDED: ConditionRow = note(NEEDS, True, "NotNeeded", "the model depends on nothing");
    pub(super) const NEEDS_READY: ConditionRow = note(NEEDS, True, "Ready", "all that the model depends on is ready");
    pub(super) const NEEDS_WAITING: ConditionRow = note(NEEDS, False, "Waiting", "something that the model depends on is not ready");
    pub(super) const NEEDS_CYCLE: ConditionRow = note(NEEDS, False, "Cycle", "the model depends on itself, in one step or in several");
    pub(super) const NEEDS_LOST: ConditionRow = warning(NEEDS, False, "Lost", "something that the model depends on is not ready any more; the model runs on");

    pub(super) const READABLE: ConditionRow = note(SIBLINGS, True, "Readable", "the memory of every other model can be read");
    pub(super) const MALFORMED: ConditionRow = warning(SIBLINGS, False, "Malformed", "other models declare no memory that can be read; they do not count");

    pub(super) const COMPLETE: ConditionRow = note(FIELDS, True, "Complete", "everything that the model says can be used");
    pub(super) const IGNORED: ConditionRow = warning(FIELDS, False, "Ignored", "some of what the model says cannot be used, and is passed over");

    pub(super) const GIVEN: ConditionRow = note(CLOCK, True, "Given", "the time comes with the call");
    pub(super) const FIXED: ConditionRow = warning(CLOCK, True, "Fixed", "the options say what time it is, for tests; the time stands still");
    pub(super) const MISSING: ConditionRow = warning(CLOCK, False, "NotGiven", "nobody says what time it is, so no model falls asleep");

    pub(super) const WITHIN: ConditionRow = note(PEAK, True, "Within", "the model has not used more memory than it declares");
    pub(super) const NOT_OBSERVED: ConditionRow = note(PEAK, Unknown, "NotObserved", "nobody has said how much memory the model uses");
    pub(super) const EXCEEDS: ConditionRow = warning(PEAK, False, "Exceeds", "the model has used more memory than it declares");

    pub(super) const UNIQUE: ConditionRow = note(ADDRESS, True, "Unique", "no older model has a Service of that name");
    pub(super) const TAKEN: ConditionRow = warning(ADDRESS, False, "Taken", "an older model has a Service of that name, so this one gets none");

    pub(super) const HANDED_OVER: ConditionRow = note(HANDED, True, "Complete", "nothing of the Inference Budget Controller holds the model");
    pub(super) const FINALIZER_LEFT: ConditionRow = warning(HANDED, False, "FinalizerLeft", "a finalizer of the Inference Budget Controller is left, so a deletion would wait for ever");
}
use rows::*;

/// The conditions of a composite that is invalid.
pub(super) fn failed(problems: &[Problem]) -> Vec<Condition> {
    let say = |problem: &Problem| format!("{}: {}", problem.path, problem.message);
    let message = problems.iter().take(3).map(say).collect::<Vec<_>>().join("; ");
    [FAILED, NOT_FAILED].map(|row| row.report(message.as_str()).condition).to_vec()
}

/// The response with `resources` as the desired resources.
pub(super) fn respond(
    request: &ComposeRequest,
    read: &ModelRead<'_>,
    decision: &ModelDecision,
    inputs: &ModelInputs,
    resources: Vec<Composed>,
) -> ComposeResponse {
    let resources = desired(resources, &read.observed);
    let model = model(read, decision);
    let mut reported = vec![
        available(read, &model),
        memory(read, decision),
        place(decision),
        budget(read),
        needs(read, decision),
        siblings(decision),
        fields(decision),
        clock(read),
        peak(inputs),
        address(read, decision),
        handed_over(read),
    ];
    reported.insert(0, model);
    let changes = resources.keys().any(|key| !read.observed.has(key));
    let mut results = transitions(read, decision, &reported);
    results.extend(new_warnings(request, &reported, changes));
    let status = Some(Plan::of(STATUS, inputs).into_object());
    ComposeResponse {
        composite: DesiredComposite { status, readiness: readiness(inputs, decision), ..DesiredComposite::default() },
        resources,
        conditions: reported.into_iter().map(|reported| reported.condition).collect(),
        results,
        lookups: read.lookups.clone(),
        ttl: decision.ttl,
        ..ComposeResponse::default()
    }
}

fn readiness(inputs: &ModelInputs, decision: &ModelDecision) -> Readiness {
    let ready = match decision.situation {
        Situation::External => true,
        Situation::Asleep(_) => inputs.options.zero_is_ready,
        _ => inputs.observed.ready,
    };
    if ready { Readiness::Ready } else { Readiness::NotReady }
}

/// What happened in this call, once.
fn transitions(read: &ModelRead<'_>, decision: &ModelDecision, reported: &[Reported]) -> Vec<Outcome> {
    let is_new = |reason: &str| {
        let now = reported.first().map(|reported| reported.condition.reason.as_str());
        now == Some(reason) && decision.before != reason
    };
    let mut results = Vec::new();
    if is_new(INSUFFICIENT.reason) {
        let message = match refusal::numbers(read, decision) {
            Some(numbers) => format!("{NO_MEMORY}: {numbers}"),
            None => NO_MEMORY.to_owned(),
        };
        results.push(outcome(Severity::Warning, INSUFFICIENT.reason, message));
    }
    // In numbers, which change: so the condition has none.
    let was = conditions::find(read.composite, PLACE).map(|found| found.reason);
    if decision.moves == Moves::Refused && was != Some(NO_ROOM.reason) {
        let message = match refusal::numbers(read, decision) {
            Some(numbers) => format!("{NO_MEMORY_THERE}: {numbers}"),
            None => NO_MEMORY_THERE.to_owned(),
        };
        results.push(outcome(Severity::Warning, NO_ROOM.reason, message));
    }
    if let (Situation::Asleep(Asleep { falls: true, .. }), true) = (&decision.situation, is_new(SCALED_TO_ZERO.reason))
    {
        results.push(outcome(Severity::Normal, SCALED_TO_ZERO.reason, SCALED));
    }
    results
}

fn model(read: &ModelRead<'_>, decision: &ModelDecision) -> Reported {
    match &decision.situation {
        Situation::Terminating => TERMINATING.report("Model is being terminated"),
        Situation::Failed(why) => FAILED.report(why.as_str()),
        Situation::Unknown => UNKNOWN.report(""),
        Situation::External => match read.endpoint {
            Some(true) => DEPLOYED.report("External backend has a ready endpoint"),
            Some(false) => PENDING.report("External backend has no ready endpoint"),
            None => PENDING.report("External backend, whose readiness is not observed"),
        },
        Situation::Asleep(Asleep { going: true, .. }) => SCALED_TO_ZERO.report(FALLS_ASLEEP),
        Situation::Asleep(Asleep { falls: true, .. }) => SCALED_TO_ZERO.report(FALLS_ASLEEP),
        Situation::Asleep(_) => SCALED_TO_ZERO.report(ASLEEP),
        Situation::Waiting(what) => PENDING.report(what.as_str()),
        Situation::Refused => INSUFFICIENT.report(NO_MEMORY),
        Situation::Running => match &read.deployed {
            None => DEPLOYING.report("Deployment created, waiting for pods to become ready"),
            Some(it) if it.ready > 0 => DEPLOYED.report("Deployment is ready and serving traffic"),
            Some(it) if it.replicas > 0 => {
                let (ready, replicas) = (it.ready, it.replicas);
                DEPLOYING.report(format!("Deployment is progressing ({ready}/{replicas} replicas ready)"))
            }
            Some(_) => PENDING.report("Deployment is pending"),
        },
    }
}

fn available(read: &ModelRead<'_>, model: &Reported) -> Reported {
    let rows = [NOT_TERMINATING, NOT_FAILED, NOT_SCALED, NOT_PENDING, NOT_SUFFICIENT, NOT_DEPLOYING];
    let message = model.condition.message.clone().unwrap_or_default();
    let reason = model.condition.reason.as_str();
    if reason == DEPLOYED.reason {
        return match read.deployed.as_ref().map_or(0, |it| it.unavailable) {
            0 => SERVING.report("Model is available and serving requests"),
            _ => PARTLY.report(message),
        };
    }
    rows.into_iter().find(|row| row.reason == reason).unwrap_or(NOT_KNOWN).report(message)
}

fn memory(read: &ModelRead<'_>, decision: &ModelDecision) -> Reported {
    if decision.situation == Situation::Unknown {
        return NOT_LOOKED_UP.report("");
    }
    let Some(reserved) = &decision.reserved else { return NOTHING.report("") };
    if let Some(Over { all, confirmed, total }) = decision.over {
        let whose = if all { "of all pools".to_owned() } else { format!("of pool `{}`", reserved.pool) };
        let (confirmed, total) = (canonical(confirmed), canonical(total));
        return OVER_TOTAL.report(format!("{confirmed} {whose} are confirmed, and there are {total}; what runs stays"));
    }
    let limited = read.totals.limits.as_ref().is_some_and(|limits| limits.limits(&reserved.pool));
    let row = match (reserved.reservation, &decision.situation) {
        (Reservation::Withdrawn, _) => WITHDRAWN,
        _ if read.model.spec.is_external() => TAKEN_ANYWAY,
        (_, Situation::Asleep(_)) => LEAVING,
        (_, Situation::Failed(_)) if decision.replicas == 0 => LEAVING,
        (Reservation::Claimed, _) => CLAIMED,
        (Reservation::Confirmed, _) if limited => CONFIRMED,
        (Reservation::Confirmed, _) => UNLIMITED,
    };
    row.report("")
}

fn place(decision: &ModelDecision) -> Reported {
    match decision.moves {
        Moves::No => APPLIED.report(""),
        Moves::Moving => MOVING.report(""),
        Moves::Refused => NO_ROOM.report(NO_MEMORY_THERE),
    }
}

fn budget(read: &ModelRead<'_>) -> Reported {
    match (&read.totals.wrong, &read.totals.limits) {
        (Some((Wrong::Missing, why)), _) => POOLS_MISSING.report(why.as_str()),
        (Some((Wrong::Unreadable, why)), _) => TOTAL_UNREADABLE.report(why.as_str()),
        (None, None) => NOT_READ.report(""),
        (None, Some(_)) if read.model.spec.is_external() => NOT_ASKED.report(""),
        (None, Some(limits)) if limits.limits(&read.pool) => KNOWN.report(""),
        (None, Some(_)) => NO_TOTAL.report(""),
    }
}

fn needs(read: &ModelRead<'_>, decision: &ModelDecision) -> Reported {
    if read.model.spec.dependencies.is_empty() || !read.options.dependencies || read.model.spec.is_external() {
        return NONE_NEEDED.report("");
    }
    match (&decision.models.cycle, &decision.lost, &decision.models.waits) {
        (Some(_), ..) => NEEDS_CYCLE.report(""),
        (None, Some(lost), _) => NEEDS_LOST.report(format!("{lost}, and the model runs on")),
        (None, None, Some(_)) => NEEDS_WAITING.report(""),
        (None, None, None) if decision.situation == Situation::Unknown => NEEDS_WAITING.report(""),
        (None, None, None) => NEEDS_READY.report(""),
    }
}

fn siblings(decision: &ModelDecision) -> Reported {
    const NAMED: usize = 5;
    let malformed = &decision.models.malformed;
    if malformed.is_empty() {
        return READABLE.report("");
    }
    let named = malformed.iter().take(NAMED).map(String::as_str).collect::<Vec<_>>().join(", ");
    let more = malformed.len().saturating_sub(NAMED);
    let more = if more > 0 { format!(" and {more} more") } else { String::new() };
    MALFORMED.report(format!("`spec.memory` of {named}{more} is no amount of memory, so they do not count"))
}

fn fields(decision: &ModelDecision) -> Reported {
    if decision.ignored.is_empty() {
        return COMPLETE.report("");
    }
    IGNORED.report(decision.ignored.join("; "))
}

fn clock(read: &ModelRead<'_>) -> Reported {
    match read.clock {
        Clock::Given => GIVEN.report(""),
        Clock::Fixed => {
            let now = read.options.now.as_deref().unwrap_or_default();
            FIXED.report(format!("the options say that it is {now}, so the time stands still"))
        }
        Clock::Missing => MISSING.report("nobody says what time it is, so the model does not fall asleep"),
    }
}

fn peak(inputs: &ModelInputs) -> Reported {
    let Some(peak) = &inputs.observed.peak else { return NOT_OBSERVED.report("") };
    let memory = &inputs.decided.memory;
    let bytes = |text: &str| budget::memory::bytes(text).unwrap_or_default();
    if bytes(peak) > bytes(memory) {
        return EXCEEDS.report(format!("the observed peak of {peak} is more than the declared memory of {memory}"));
    }
    WITHIN.report("")
}

/// The older model that has a Service of the name that the model's would have.
pub(super) fn taken<'d>(read: &ModelRead<'_>, decision: &'d ModelDecision) -> Option<&'d String> {
    let own = names::service(&read.model.name);
    let taken = decision.models.older.iter().find(|other| names::service(other) == own);
    taken.filter(|_| read.options.service && !read.observed.has(SERVICE))
}

fn address(read: &ModelRead<'_>, decision: &ModelDecision) -> Reported {
    match taken(read, decision) {
        Some(other) => {
            let own = names::service(&read.model.name);
            TAKEN.report(format!(
                "model `{other}` is older and has a Service `{own}`, so this one gets none; choose another name"
            ))
        }
        None => UNIQUE.report(""),
    }
}

fn handed_over(read: &ModelRead<'_>) -> Reported {
    let finalizers = path::get(read.composite, "metadata.finalizers").and_then(Value::as_array);
    if finalizers.into_iter().flatten().any(|it| it == FINALIZER) {
        return FINALIZER_LEFT.report(format!(
            "finalizer `{FINALIZER}` is left, and nobody but the controller removes it, so a deletion would wait for ever"
        ));
    }
    HANDED_OVER.report("")
}
