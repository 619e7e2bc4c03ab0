//! Judges what chooses the cloud.

use contract::types::{Code, Problem};
use serde_json::Value;

use super::super::inputs::ChosenBy;
use super::super::options::ProviderName;
use super::super::read::{COMPOSITION, named_by_composition, provider, text};
use crate::clouds::Cloud;

/// Another cloud than before, and what contradicts itself. What the stored object `old` has too is tolerated.
pub(super) fn refused(object: &Value, old: Option<&Value>, option: Option<ProviderName>) -> Vec<Problem> {
    let moved = old.and_then(|old| moved(object, old, option));
    let tolerated = old.is_some_and(|old| contradiction(old, option).is_some());
    let contradicts = contradiction(object, option).filter(|_| !tolerated);
    moved.into_iter().chain(contradicts).collect()
}

fn moved(object: &Value, old: &Value, option: Option<ProviderName>) -> Option<Problem> {
    let (cloud, before) = (provider(object, option).ok()?.0, provider(old, option).ok()?.0);
    (before != cloud).then(|| {
        let message = format!(
            "the cluster is in `{}`, and `{}` would delete it for a new one; make another composite with a new name",
            before.as_str(),
            cloud.as_str(),
        );
        Problem::new("spec.crossplane", Code::Forbidden, message)
    })
}

/// A Composition of another cloud than that of the labels that the composite selects. Crossplane uses it all the same.
fn contradiction(composite: &Value, option: Option<ProviderName>) -> Option<Problem> {
    let (cloud, ChosenBy::Selector | ChosenBy::Service) = provider(composite, option).ok()? else { return None };
    let name = text(composite, COMPOSITION);
    let other = named_by_composition(&name).and_then(Cloud::named).filter(|other| *other != cloud)?;
    let message = format!(
        "`{name}` is the Composition of `{}`, and the composite selects `{}`; make both the same",
        other.as_str(),
        cloud.as_str(),
    );
    Some(Problem::new("spec.crossplane.compositionRef.name", Code::Forbidden, message))
}
