//! What the rules read, from what is observed and what is decided.

use budget::activity::written;
use budget::memory;
use serde_json::{Map, Value};
use toolbox::path;

use super::amounts::{self, Amounts};
use super::decide::{ModelDecision, Situation};
use super::deployed::{DeployedModel, OBSERVED_MEMORY};
use super::derive::{Decided, ModelInputs, ModelObjects, ObservedModel, ReservedMemory};
use super::read::ModelRead;
use super::{names, sizing, status};

/// The inputs of the rules. What cannot be used is added to what the decision passes over.
pub(super) fn of(read: &ModelRead<'_>, decision: &mut ModelDecision) -> ModelInputs {
    let memory = counted(read);
    let amounts = match &decision.situation {
        Situation::External => Amounts::default(),
        _ => {
            let resources = read.model.spec.resources.as_ref();
            let wrong = amounts::wrong(resources, &memory);
            decision.ignored.extend(wrong.iter().map(|(path, message)| format!("{path}: {message}")));
            Amounts::of(resources, &memory)
        }
    };
    let observed = observed(read, decision);
    let service = decision.exists && read.options.service && status::taken(read, decision).is_none();
    let is_up = read.deployed.as_ref().is_some_and(|it| decision.replicas == 0 || it.ready > 0);
    let reserved = decision.reserved.as_ref().map(|it| ReservedMemory {
        pool: it.pool.clone(),
        reservation: it.reservation,
        claimed_at: Some(&it.claimed_at).filter(|at| !at.is_empty()).cloned(),
        claimed_pool: it.claimed_pool.clone(),
        leaving_pool: it.leaving_pool.clone(),
    });
    ModelInputs {
        decided: Decided {
            replicas: decision.replicas,
            node_selector: node_selector(read, decision),
            stamp: decision.stamp.clone(),
            mark: decision.mark.clone(),
            service: names::service(&read.model.name),
            reserved,
            memory,
        },
        objects: ModelObjects { deployment: decision.exists, service, is_up },
        model: read.model.clone(),
        options: read.options.clone(),
        amounts,
        observed,
    }
}

/// The memory that counts: what is declared; where no model can have that, what was before.
fn counted(read: &ModelRead<'_>) -> String {
    let reserved = || path::get(read.composite, "status.reservedMemory").and_then(Value::as_str).map(str::to_owned);
    let declared = &read.model.spec.memory;
    let before = || reserved().filter(|text| memory::bytes(text).is_some_and(|bytes| bytes > 0));
    read.memory.is_none().then(before).flatten().unwrap_or_else(|| declared.clone())
}

/// The labels of nodes where its pods run.
fn node_selector(read: &ModelRead<'_>, decision: &ModelDecision) -> Map<String, Value> {
    let before = read.deployed.as_ref().and_then(|it| it.node_selector?.as_object());
    match before.filter(|_| decision.stays) {
        Some(before) => before.clone(),
        None => {
            let labels = read.model.spec.node_selector.iter();
            labels.map(|(label, value)| (label.clone(), Value::from(value.as_str()))).collect()
        }
    }
}

/// What the status says.
fn observed(read: &ModelRead<'_>, decision: &mut ModelDecision) -> ObservedModel {
    let none = DeployedModel::default();
    let deployed = read.deployed.as_ref().unwrap_or(&none);
    let before = |field: &str| path::get(read.composite, "status").and_then(|it| it.get(field));
    let (ready, replicas) = match decision.situation {
        Situation::External => (read.endpoint == Some(true), 0),
        // What the other controller said is all that is known.
        _ if decision.taken_over => (
            before("ready").and_then(Value::as_bool).unwrap_or_default(),
            before("replicas").and_then(Value::as_i64).unwrap_or_default(),
        ),
        _ => (deployed.ready > 0, deployed.replicas),
    };
    let text = |field: &str| before(field).and_then(Value::as_str).filter(|text| !text.is_empty());
    let known = text("observedPeakMemory").filter(|text| memory::bytes(text).is_some());
    let own = path::get(read.composite, "metadata.annotations").and_then(|it| it.get(OBSERVED_MEMORY)?.as_str());
    let mut peak = known;
    for (whose, sample) in [("", own), (" of its Deployment", deployed.observed_memory)] {
        let Some(sample) = sample else { continue };
        match memory::bytes(sample) {
            None => decision
                .ignored
                .push(format!("annotation `{OBSERVED_MEMORY}`{whose} is no amount of memory; give one like `75Gi`")),
            Some(0) => {}
            Some(bytes) if peak.and_then(memory::bytes).is_none_or(|peak| bytes > peak) => peak = Some(sample),
            Some(_) => {}
        }
    }
    let changed = peak != known;
    let last_observation = text("lastObservation").map(str::to_owned);
    let last_observation = if changed { read.now.map(written).or(last_observation) } else { last_observation };
    let bytes = peak.and_then(memory::bytes);
    let sizing = bytes
        .zip(read.memory)
        .map(|(peak, declared)| sizing::judge(declared, peak, read.options.recommend_below_percent.into()));
    ObservedModel {
        ready,
        replicas,
        peak: peak.map(str::to_owned),
        percent: sizing.as_ref().map(|it| it.percent),
        recommendation: sizing.and_then(|it| it.recommendation),
        last_observation,
    }
}
