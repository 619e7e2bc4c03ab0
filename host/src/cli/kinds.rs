//! Finds kinds by their names.

use anyhow::{Result, bail};

use crate::engine::Engine;
use crate::wit::catalog::Entry;

/// The kinds with the name `name`: several when groups have the same name.
///
/// # Errors
/// When there is none.
pub(super) fn named<'e>(engine: &'e Engine, name: &str) -> Result<Vec<&'e Entry>> {
    let found: Vec<_> = engine.catalog().filter(|entry| is_name_of(name, entry)).collect();
    if !found.is_empty() {
        return Ok(found);
    }
    let known: Vec<_> = engine.catalog().flat_map(|entry| [entry.kind.kind.clone(), full(entry)]).collect();
    match quantity::nearest(known.iter().map(String::as_str), name) {
        Some(near) => bail!("no kind `{name}`; the nearest is {near}"),
        None => bail!("no kind `{name}`; `sailplane definitions --list` names those there are"),
    }
}

/// The plural name of a kind with its group. It is unique.
pub(super) fn full(entry: &Entry) -> String {
    format!("{}.{}", entry.plural, group(entry))
}

/// Whether `name`, in any case, is a name of the kind: `NAME` or `NAME.GROUP`.
fn is_name_of(name: &str, entry: &Entry) -> bool {
    let names = [&entry.kind.kind, &entry.plural].into_iter().chain(&entry.short_names);
    let (short, wanted_group) = name.split_once('.').map_or((name, None), |(short, group)| (short, Some(group)));
    wanted_group.is_none_or(|wanted| wanted.eq_ignore_ascii_case(group(entry)))
        && names.into_iter().any(|name| name.eq_ignore_ascii_case(short))
}

fn group(entry: &Entry) -> &str {
    entry.kind.api_version.split_once('/').map_or("", |(group, _version)| group)
}
