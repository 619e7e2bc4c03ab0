//! Makes one answer of the findings of several modules about the same texts.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use crate::wit::preview::{Findings, Location};
use crate::wit::types::KindRef;

/// A document: index of the text, and index of the document in it.
type DocumentKey = (u32, u32);

/// Keeps the findings of one module for each document: the module that serves its kind; else the last module that knows
/// the kind; else the first module that has a finding. The same holds for findings without a document. `serving`
/// returns the module that serves a kind.
pub(super) fn merge(answers: Vec<Findings>, serving: impl Fn(&KindRef) -> Option<usize>) -> Findings {
    let mut owners = BTreeMap::new();
    let mut rank = |key: Option<DocumentKey>, priority: Priority| {
        let owner = owners.entry(key).or_insert(priority);
        *owner = priority.max(*owner);
    };
    for (index, answer) in answers.iter().enumerate() {
        for object in &answer.objects {
            let priority = match serving(&object.kind) {
                Some(index) => Priority::Serves(index),
                None if object.known => Priority::Knows(index),
                None => Priority::Saw(Reverse(index)),
            };
            rank(Some(document(&object.location)), priority);
        }
        for diagnostic in &answer.diagnostics {
            rank(diagnostic.location.as_ref().map(document), Priority::Found(Reverse(index)));
        }
    }
    let owned = |key: Option<DocumentKey>, index: usize| owners.get(&key).is_some_and(|owner| owner.index() == index);
    let mut merged = Findings { diagnostics: Vec::new(), objects: Vec::new() };
    for (index, answer) in answers.into_iter().enumerate() {
        let diagnostics = answer.diagnostics.into_iter().filter(|it| owned(it.location.as_ref().map(document), index));
        merged.diagnostics.extend(diagnostics);
        merged.objects.extend(answer.objects.into_iter().filter(|it| owned(Some(document(&it.location)), index)));
    }
    // Each answer is in the order of the texts, and a document's findings are from one answer.
    merged.diagnostics.sort_by_key(|it| it.location.as_ref().map_or((u32::MAX, u32::MAX), document));
    merged.objects.sort_by_key(|it| document(&it.location));
    merged
}

/// How well a module (its index) knows a document. The greatest priority wins.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Priority {
    /// The module saw the document. The first module wins.
    Saw(Reverse<usize>),
    /// The module has a finding. The first module wins.
    Found(Reverse<usize>),
    /// The module knows the kind. The last module wins.
    Knows(usize),
    /// The module serves the kind.
    Serves(usize),
}

impl Priority {
    fn index(self) -> usize {
        match self {
            Self::Saw(Reverse(index)) | Self::Found(Reverse(index)) | Self::Knows(index) | Self::Serves(index) => index,
        }
    }
}

fn document(location: &Location) -> DocumentKey {
    (location.text, location.document)
}
