//! What the round before this one rendered: composing depends on its input alone, so composites whose input is the same are
//! taken over, and not composed again.

use std::collections::BTreeMap;
use std::rc::Rc;

use contract::preview::RenderedComposite;
use contract::types::Selector;
use serde_json::Value;
use toolbox::entries::by_key;
use toolbox::reasons::Reasons;

use super::cluster::{Cluster, FoundObjects, ObservedResources, Spelled};
use super::texts::Identity;

/// A rendered composite. The links to the composites that it composes, and the reasons of its values, are missing.
pub(super) struct Rendered {
    pub(super) composite: RenderedComposite,
    pub(super) made: Made,
}

/// What is known of a rendered composite beside what is shown.
pub(super) struct Made {
    pub(super) input: RenderedFrom,
    pub(super) composed: Composed,
    pub(super) reasons: Vec<Reasons>,
}

/// All that composing a composite depends on, beside what is the same in all rounds.
pub(super) struct RenderedFrom {
    /// The composite, with defaults.
    pub(super) object: Value,
    /// Its observed resources, by composition resource name.
    pub(super) observed: ObservedResources,
    /// Its lookups, and the objects that they found.
    pub(super) found: FoundObjects,
}

/// What the rest of a round needs of the composed objects.
#[derive(Default)]
pub(super) struct Composed {
    pub(super) identities: Vec<Identity>,
    /// The composite as it is stored.
    pub(super) stored: Value,
    /// Objects that lookups may find.
    pub(super) leaves: Vec<Value>,
    /// Objects of kinds that are composed in turn, each with its index among the resources.
    pub(super) composites: Vec<(usize, Value)>,
}

impl RenderedFrom {
    fn is(&self, object: &Value, observed: &ObservedResources, cluster: &Cluster<'_>) -> bool {
        let same = |(selector, found): (&Selector, &Vec<Rc<Spelled>>)| cluster.found(selector).into_iter().eq(found);
        self.observed == *observed && self.object == *object && self.found.iter().all(same)
    }
}

/// The composites of a round, by their identity.
#[derive(Default)]
pub(super) struct Before(BTreeMap<Identity, Rendered>);

impl Before {
    pub(super) fn of(rendered: impl IntoIterator<Item = Rendered>) -> Self {
        Self(by_key(rendered.into_iter().map(|it| (Identity::of(&it.made.input.object), it))))
    }

    /// Takes what was rendered of a composite, when its input is the same.
    pub(super) fn take(
        &mut self,
        object: &Value,
        observed: &ObservedResources,
        cluster: &Cluster<'_>,
    ) -> Option<Rendered> {
        self.0.remove(&Identity::of(object)).filter(|it| it.made.input.is(object, observed, cluster))
    }
}
