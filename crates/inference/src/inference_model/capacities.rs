//! The pools with a total, and the models that hold their memory.

use std::collections::{BTreeMap, BTreeSet};

use budget::memory::in_mebibytes;
use budget::pool::{Limits, Total, pairs};
use budget::siblings::Sibling;
use contract::compose::{Amount, ComposeRequest};
use contract::preview::{Capacity, Taking};
use contract::types::KindRef;
use serde_json::Value;
use toolbox::builders::selectors::lookup_all;
use toolbox::kind::FindObserved;

use super::options::InferenceModelOptions;
use super::resources::{INFERENCE_MODELS, kind};
use super::totals;
use crate::options::Options;

/// What all pools together are called.
const ALL_POOLS: &str = "all pools";

/// The pools of models, and all pools together, where there is a limit. `inputs` are those of the steps that compose models.
pub(super) fn capacities(find: &FindObserved<'_>, inputs: &[Value]) -> Vec<Capacity> {
    let found = find(&lookup_all(kind(&INFERENCE_MODELS), None, &[]));
    let models: Vec<Sibling> = found.iter().filter_map(|object| Sibling::read(object, None)).collect();
    let options = inputs.iter().find_map(|input| Options::read(Some(input)).ok()).unwrap_or_default().inference_model;
    let mut pools: BTreeMap<&str, &str> = BTreeMap::new();
    for model in &models {
        let held = model.holds.iter().map(|hold| &*hold.pool);
        held.chain([&*model.pool]).for_each(|pool| {
            pools.entry(pool).or_insert(&model.namespace);
        });
    }
    let of_pools = pools.iter().filter_map(|(pool, namespace)| {
        let Total::Bytes(total) = limits(find, &options, namespace, pool)?.of(pool) else { return None };
        Some(capacity(pool, total, models.iter().filter(|model| model.holds.iter().any(|hold| *hold.pool == **pool))))
    });
    let mut capacities: Vec<Capacity> = of_pools.collect();
    if let Some(total) = options.max_model_memory.as_ref().filter(|_| !models.is_empty()) {
        let total = budget::memory::of(&total.0);
        capacities.push(capacity(ALL_POOLS, total, models.iter().filter(|model| !model.holds.is_empty())));
    }
    capacities
}

/// The limits for a pool, when everything that says them is looked up. `None` when nobody can know them here.
fn limits(find: &FindObserved<'_>, options: &InferenceModelOptions, namespace: &str, pool: &str) -> Option<Limits> {
    let mut request = ComposeRequest::default();
    loop {
        let found = totals::read(&request, options, namespace, pool);
        let asked: BTreeSet<&String> = request.lookups.keys().collect();
        let new: Vec<_> = found.lookups.iter().filter(|(name, _)| !asked.contains(name)).collect();
        if new.is_empty() {
            return found.limits;
        }
        let answers: Vec<_> = new.into_iter().map(|(name, selector)| (name.clone(), find(selector))).collect();
        request.lookups.extend(answers);
    }
}

/// A place of so many bytes with the models that have memory of it.
fn capacity<'m>(place: &str, total: i128, models: impl Iterator<Item = &'m Sibling>) -> Capacity {
    let models: BTreeMap<_, _> =
        models.map(|model| ((&*model.namespace, &*model.name), model.memory.unwrap_or_default())).collect();
    let whole = in_mebibytes(total).is_some() && models.values().all(|bytes| in_mebibytes(*bytes).is_some());
    let amount = |bytes: i128| {
        let (value, unit) = match in_mebibytes(bytes).filter(|_| whole) {
            Some(value) => (value, "MiB"),
            None => (bytes, "bytes"),
        };
        Amount { value: i64::try_from(value).unwrap_or(i64::MAX), unit: unit.to_owned() }
    };
    let of_kind =
        || KindRef { api_version: INFERENCE_MODELS.api_version.to_owned(), kind: INFERENCE_MODELS.kind.to_owned() };
    Capacity {
        place: vec![place.to_owned()],
        what: "pool".to_owned(),
        size: Some(amount(total)),
        taken: models
            .iter()
            .map(|((namespace, name), bytes)| Taking {
                kind: of_kind(),
                namespace: (*namespace).to_owned(),
                name: (*name).to_owned(),
                takes: amount(*bytes),
            })
            .collect(),
        labels: pairs(place).map(|(label, value)| (label.to_owned(), value.to_owned())).collect(),
    }
}
