//! What to say of a field that is not known. The API server says nothing of the kind.

use quantity::nearest;

use crate::error::Hint;

/// What to say of `unknown` among `known`: a name that is near enough, else everything that is possible.
pub(crate) fn hint<'k>(known: impl Iterator<Item = &'k str>, unknown: &str) -> Option<Hint> {
    let known: Vec<_> = known.collect();
    let nearest = nearest(known.iter().copied(), unknown).map(|name| Hint::Rename(name.to_owned()));
    let all = || (!known.is_empty()).then(|| Hint::OneOf(known.iter().map(|&name| name.to_owned()).collect()));
    nearest.or_else(all)
}
