//! Judges a model beside others: who needs whom, and what fits beside what is reserved.

use std::sync::Arc;

use budget::dependencies::{Graph, Node, in_words};
use budget::memory::canonical;
use budget::model::{Hold, Model, Reservation};
use budget::pool::{Limits, Total};
use budget::siblings::Sibling;
use budget::walk;
use contract::admit::{LookupAnswers, Verdict};
use contract::compose::ComposeRequest;
use contract::types::{Code, ObservedObject, Problem};
use serde_json::Value;
use toolbox::asked::ask;
use toolbox::builders::selectors::lookup_all;

use super::fields::{MEMORY, NODE_SELECTOR};
use crate::inference_model::names;
use crate::inference_model::options::{BudgetAdvice, InferenceModelOptions, PoolsFromKind};
use crate::inference_model::resources::{INFERENCE_MODELS, kind};
use crate::inference_model::totals::{self, Totals};

/// The lookup of models.
const MODELS: &str = "models";

/// Judges a model that is new, or that was `old`.
pub(super) fn judge(
    object: &Value,
    old: Option<&Value>,
    options: &InferenceModelOptions,
    answers: &LookupAnswers,
    verdict: &mut Verdict,
) {
    let Some(own) = Sibling::of_value(object, None).filter(|own| !own.namespace.is_empty()) else { return };
    let before = old.and_then(|old| Sibling::of_value(old, None));
    let limits = limits(&own, options, answers, verdict);
    let limited = limits.as_ref().is_some_and(|limits| limits.limits(&own.pool));
    let within = (!limited).then_some(&*own.namespace);
    let whether = "whether the model fits beside others, and what it depends on";
    let found = ask(verdict, answers, MODELS, lookup_all(kind(&INFERENCE_MODELS), within, &[]), whether);
    // By itself, it can need itself, or want more than there is.
    let mut others = models(found.map_or(&[][..], |found| found));
    let is_known = found.is_some();
    others.retain(|it| it.namespace != own.namespace || it.name != own.name);
    if options.dependencies {
        needs(&own, before.as_ref(), &others, is_known, verdict);
    }
    same_names(&own, before.as_ref(), &others, options, verdict);
    if let Some(limits) = limits.filter(|_| limited) {
        let is_pinned =
            |object: &Value| toolbox::path::get(object, "spec.maxReplicas").and_then(Value::as_i64) == Some(0);
        // One that never ran is judged when it may.
        let before = before.filter(|_| !old.is_some_and(is_pinned));
        if !is_pinned(object) {
            fits(&own, before.as_ref(), &others, &limits, options, verdict);
        }
    }
}

/// Judges a deletion: others may need the model.
pub(super) fn judge_deletion(object: &Value, answers: &LookupAnswers, verdict: &mut Verdict) {
    let Some(own) = Sibling::of_value(object, None).filter(|own| !own.namespace.is_empty()) else { return };
    let selector = lookup_all(kind(&INFERENCE_MODELS), Some(&own.namespace), &[]);
    let whether = "whether other models depend on it";
    let Some(found) = ask(verdict, answers, MODELS, selector, whether) else { return };
    let mut all = models(found);
    all.retain(|it| it.namespace == own.namespace);
    let nodes: Vec<_> = all.iter().map(node).collect();
    let graph = Graph::of(&nodes);
    let needs = |index: &usize| {
        let mut entries = graph.entries(*index);
        entries.any(|(_, found)| found.and_then(|found| all.get(found)).is_some_and(|it| it.name == own.name))
    };
    let by: Vec<_> = (0..all.len()).filter(needs).filter_map(|index| Some(&*all.get(index)?.name)).collect();
    let by: Vec<_> = by.into_iter().filter(|name| *name != &*own.name).collect();
    if !by.is_empty() {
        let message = format!("{} on it, and cannot start without it", subject(&by, "depends", "depend"));
        verdict.warnings.push(Problem::new("metadata.name", Code::Forbidden, message));
    }
}

/// Some names, with the verb for one or for several.
fn subject(names: &[&str], one: &str, several: &str) -> String {
    const NAMED: usize = 5;
    let named = names.iter().take(NAMED).map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ");
    match names.len() {
        1 => format!("model {named} {one}"),
        count if count > NAMED => format!("models {named} and {} more {several}", count - NAMED),
        _ => format!("models {named} {several}"),
    }
}

/// The models, the oldest first.
fn models(found: &[ObservedObject]) -> Vec<Sibling> {
    let all = found.iter().filter_map(|object| Sibling::read(object, None)).collect();
    quantity::order::sorted(all, Sibling::order)
}

fn node(it: &Sibling) -> Node<'_> {
    Node { namespace: &it.namespace, name: &it.name, model_name: &it.model_name, dependencies: &it.dependencies }
}

/// Refuses dependencies that close a circle, and warns of those that do not exist, where all others are known.
fn needs(own: &Sibling, before: Option<&Sibling>, others: &[Sibling], is_known: bool, verdict: &mut Verdict) {
    let circle = |own: &Sibling| {
        // A name that several have means the oldest.
        let index = others.partition_point(|it| it.order(own).is_lt());
        let mut nodes: Vec<_> = others.iter().map(node).collect();
        nodes.insert(index, node(own));
        let graph = Graph::of(&nodes);
        let missing: Vec<String> =
            graph.entries(index).filter(|(_, found)| found.is_none()).map(|(entry, _)| entry.to_owned()).collect();
        let cycle = graph.cycle(index).map(|cycle| in_words(&cycle));
        (cycle, missing)
    };
    let (cycle, missing) = circle(own);
    let (cycle_before, missing_before) = before.map(circle).unwrap_or_default();
    if let Some(cycle) = cycle.filter(|cycle| cycle_before.as_ref() != Some(cycle)) {
        let message = format!("the models need one another, so none of them could start: {cycle}; remove a dependency");
        verdict.denials.push(Problem::new("spec.dependencies", Code::Invalid, message));
    }
    for entry in missing.into_iter().filter(|entry| is_known && !missing_before.contains(entry)) {
        let namespace = &own.namespace;
        let message = format!(
            "no model of namespace `{namespace}` has the name `{entry}`, so the model waits until there is one"
        );
        verdict.warnings.push(Problem::new("spec.dependencies", Code::NotFound, message));
    }
}

/// Warns of names that others have.
fn same_names(
    own: &Sibling,
    before: Option<&Sibling>,
    others: &[Sibling],
    options: &InferenceModelOptions,
    verdict: &mut Verdict,
) {
    let near = || others.iter().filter(|it| it.namespace == own.namespace);
    let is_new = before.is_none_or(|before| before.model_name != own.model_name);
    if let Some(other) = near().find(|it| it.model_name == own.model_name).filter(|_| is_new) {
        let message = format!(
            "model `{}` has this name too, so requests and dependencies that name it mean the older one; choose another name",
            other.name
        );
        verdict.warnings.push(Problem::new("spec.modelName", Code::Duplicate, message));
    }
    let service = names::service(&own.name);
    let taken = near().filter(|it| it.composed).find(|it| names::service(&it.name) == service);
    if let Some(other) = taken.filter(|_| before.is_none() && options.service && own.composed) {
        let message = format!(
            "model `{}` has a Service `{service}` already, so this one gets none; choose another name",
            other.name
        );
        verdict.warnings.push(Problem::new("metadata.name", Code::Duplicate, message));
    }
}

/// The limits, as far as lookups know them.
fn limits(
    own: &Sibling,
    options: &InferenceModelOptions,
    answers: &LookupAnswers,
    verdict: &mut Verdict,
) -> Option<Limits> {
    // The context of a pipeline is not known here.
    if options.pools_from.as_ref().is_some_and(|from| from.kind == PoolsFromKind::Context) {
        verdict.unjudged.push("not looked up: the totals of pools in the context of the pipeline".to_owned());
        return None;
    }
    let request = ComposeRequest { lookups: answers.clone(), ..ComposeRequest::default() };
    let Totals { limits, lookups, .. } = totals::read(&request, options, &own.namespace, &own.pool);
    for (name, selector) in lookups {
        ask(verdict, answers, &name, selector, "how much memory the pool has");
    }
    limits
}

/// Judges whether the memory fits: in the whole pool, and beside what is reserved.
fn fits(
    own: &Sibling,
    before: Option<&Sibling>,
    others: &[Sibling],
    limits: &Limits,
    options: &InferenceModelOptions,
    verdict: &mut Verdict,
) {
    let Some(memory) = own.memory else { return };
    let (moved, grown) = match before {
        None => (true, true),
        Some(before) => (before.pool != own.pool, before.memory.is_none_or(|before| memory > before)),
    };
    if !moved && !grown {
        return;
    }
    let at = if before.is_some() && moved { NODE_SELECTOR } else { MEMORY };
    let whole = match limits.of(&own.pool) {
        Total::Bytes(total) => Some((total, format!("pool `{}` has", own.pool))),
        Total::Unlimited | Total::Unknown => None,
    };
    let all = limits.ceiling.map(|total| (total, "all pools together have".to_owned()));
    if let Some((total, whose)) = whole.into_iter().chain(all).find(|(total, _)| memory > *total) {
        let message = format!(
            "the model wants {}, and {whose} {}, so it can never fit; ask for less",
            canonical(memory),
            canonical(total)
        );
        let problem = Problem::new(at, Code::Invalid, message);
        match options.budget_advice {
            BudgetAdvice::Refuse => verdict.denials.push(problem),
            BudgetAdvice::Warn => verdict.warnings.push(problem),
        }
        return;
    }
    let model = |it: &Sibling, holds: Arc<[Hold]>| Model {
        namespace: Arc::clone(&it.namespace),
        name: Arc::clone(&it.name),
        created: Arc::clone(&it.created),
        memory: it.memory.unwrap_or_default(),
        holds,
        waits_for: None,
    };
    let mut list: Vec<Model> = others.iter().map(|it| model(it, Arc::clone(&it.holds))).collect();
    let index = list.len();
    list.push(model(own, [Hold { pool: Arc::clone(&own.pool), reservation: Reservation::Claimed }].into()));
    if !walk::fits_beside_all(&list, index, &own.pool, limits) {
        let taken: i128 =
            list.iter().take(index).filter(|it| it.holds_in(&own.pool).is_some()).map(|it| it.memory).sum();
        let free = match limits.of(&own.pool) {
            Total::Bytes(total) => format!("{} of {} are free", canonical((total - taken).max(0)), canonical(total)),
            Total::Unlimited => "all pools together have less".to_owned(),
            Total::Unknown => "nobody can read how much there is".to_owned(),
        };
        let then = match own.holds.is_empty() {
            true => "it waits until there is more",
            false if !own.composed => "the pool is overcommitted, since something else serves the model",
            false if moved => "it stays where it is until there is more",
            false => "the pool is overcommitted while it runs",
        };
        let message = format!("{} do not fit pool `{}` now: {free}, so {then}", canonical(memory), own.pool);
        verdict.warnings.push(Problem::new(at, Code::Invalid, message));
    }
}
