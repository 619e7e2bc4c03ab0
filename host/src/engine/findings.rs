//! What several modules find in the same texts, as one answer.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use crate::wit::preview::{Findings, Location};
use crate::wit::types::KindRef;

/// A document of a text.
type Place = (u32, u32);

/// Of what the modules say of a document counts what the one says that serves the kind in it; without one, the last
/// that knows the kind. Of what is no object, or about no text, the first speaks that has something to say. `serving`
/// tells which module serves a kind.
pub(super) fn merge(answers: Vec<Findings>, serving: impl Fn(&KindRef) -> Option<usize>) -> Findings {
    let mut owners = BTreeMap::new();
    let mut own = |place: Option<Place>, claim: Claim| {
        let owner = owners.entry(place).or_insert(claim);
        *owner = claim.max(*owner);
    };
    for (index, answer) in answers.iter().enumerate() {
        for object in &answer.objects {
            let claim = match serving(&object.kind) {
                Some(index) => Claim::Serves(index),
                None if object.known => Claim::Knows(index),
                None => Claim::Speaks(Reverse(index)),
            };
            own(Some(place(&object.location)), claim);
        }
        for diagnostic in &answer.diagnostics {
            own(diagnostic.location.as_ref().map(place), Claim::Speaks(Reverse(index)));
        }
    }
    let owned = |place: Option<Place>, index: usize| owners.get(&place).is_some_and(|claim| claim.index() == index);
    let mut merged = Findings { diagnostics: Vec::new(), objects: Vec::new() };
    for (index, answer) in answers.into_iter().enumerate() {
        let diagnostics = answer.diagnostics.into_iter().filter(|it| owned(it.location.as_ref().map(place), index));
        merged.diagnostics.extend(diagnostics);
        merged.objects.extend(answer.objects.into_iter().filter(|it| owned(Some(place(&it.location)), index)));
    }
    // Each answer is in the order of the texts, and a document is of one answer.
    merged.diagnostics.sort_by_key(|it| it.location.as_ref().map_or((u32::MAX, u32::MAX), place));
    merged.objects.sort_by_key(|it| place(&it.location));
    merged
}

/// What a module, by its index, has to do with a document. A greater claim counts more.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Claim {
    /// It has something to say; the first counts.
    Speaks(Reverse<usize>),
    /// It knows the kind; the last counts.
    Knows(usize),
    /// It serves the kind.
    Serves(usize),
}

impl Claim {
    fn index(self) -> usize {
        match self {
            Self::Speaks(Reverse(index)) | Self::Knows(index) | Self::Serves(index) => index,
        }
    }
}

fn place(location: &Location) -> Place {
    (location.text, location.document)
}
