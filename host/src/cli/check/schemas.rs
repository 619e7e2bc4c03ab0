//! Which schemas may be those of which kinds.
//!
//! A folder holds the schemas of hundreds of kinds, of which a few matter. To parse them all takes longer than all the
//! rest, so the host leaves out those that cannot matter: a schema names its kind and group, be it in its text or in
//! the name of its file, so where the words are missing it is another's.

use std::collections::{BTreeMap, BTreeSet};

use super::parallel::each;
use crate::cli::files::File;
use crate::wit::types::KindRef;

/// A kind by the words that its schemas hold, in lower case, since file names have it so.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Kind {
    /// Empty for the core group, which schemas need not name.
    group: String,
    kind: String,
}

impl Kind {
    pub(super) fn of(kind: &KindRef) -> Self {
        let (group, _) = kind.api_version.rsplit_once('/').unwrap_or_default();
        Self { group: group.to_lowercase(), kind: kind.kind.to_lowercase() }
    }
}

/// The schemas that may be those of each kind, by index.
pub(super) fn describing(schemas: &[File], kinds: &BTreeSet<Kind>) -> BTreeMap<Kind, Vec<usize>> {
    let mut found: BTreeMap<_, Vec<_>> = BTreeMap::new();
    for (schema, described) in each(schemas, |schema| described(schema, kinds)).into_iter().enumerate() {
        for kind in described {
            found.entry(kind).or_default().push(schema);
        }
    }
    found
}

/// The kinds that a schema may be of.
fn described(schema: &File, kinds: &BTreeSet<Kind>) -> Vec<Kind> {
    // Most words of a schema have the length of no wanted one, and are passed over at once.
    let mut wanted: BTreeMap<usize, BTreeSet<&str>> = BTreeMap::new();
    for word in kinds.iter().flat_map(|kind| [kind.group.as_str(), &kind.kind]) {
        wanted.entry(word.len()).or_default().insert(word);
    }
    let mut present: BTreeSet<&str> = BTreeSet::new();
    for word in [&schema.name, &schema.text].into_iter().flat_map(|text| text.as_bytes().split(|c| !in_word(*c))) {
        let alike = |known: &&&str| known.as_bytes().eq_ignore_ascii_case(word);
        present.extend(wanted.get(&word.len()).into_iter().flatten().filter(alike).copied());
    }
    let everything = hides_words(&schema.text);
    let named = |word: &str| everything || word.is_empty() || !word.bytes().all(in_word) || present.contains(word);
    kinds.iter().filter(|kind| named(&kind.group) && named(&kind.kind)).cloned().collect()
}

/// Whether a character is part of names: in a text, other characters stand around a name.
fn in_word(c: u8) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, b'.' | b'-')
}

/// Whether a text may spell names in another way than letter by letter: with YAML's escapes, or broken over lines.
fn hides_words(text: &str) -> bool {
    text.match_indices('\\').any(|(at, _)| {
        let mut rest = text[at..].chars().skip(1);
        let digits = match rest.next() {
            Some('x') => 2,
            Some('u') => 4,
            Some('U') => 8,
            Some('\n' | '\r') => return true,
            _ => return false,
        };
        let code = rest.take(digits).try_fold(0, |code: u32, digit| Some(code.wrapping_mul(16) + digit.to_digit(16)?));
        code.and_then(|code| u8::try_from(code).ok()).is_some_and(in_word)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn schemas_are_found_by_the_words_they_hold() {
        //    name                         text                                            kind            may be its schema
        for (name, text, (api_version, kind), expected) in [
            ("crd.yaml", "group: acme.example.org\nkind: Widget", ("acme.example.org/v1", "Widget"), true),
            ("crd.yaml", "{group: acme.example.org,kind: 'Widget'}", ("acme.example.org/v1", "Widget"), true),
            ("crd.yaml", "group: acme.example.org\nkind: Widgets", ("acme.example.org/v1", "Widget"), false),
            ("crd.yaml", "group: example.org\nkind: Widget", ("acme.example.org/v1", "Widget"), false),
            ("crd.yaml", "group: acme.example.org\nkind: \"\\x57idget\"", ("acme.example.org/v1", "Widget"), true),
            ("crd.yaml", "group: acme.example.org\nkind: \"Wid\\\n  get\"", ("acme.example.org/v1", "Widget"), true),
            ("crd.yaml", "description: a \\u003c b \\n c", ("acme.example.org/v1", "Widget"), false),
            ("s/acme.example.org/widget_v1.json", "{}", ("acme.example.org/v1", "Widget"), true),
            ("s/acme.example.org/gadget_v1.json", "{}", ("acme.example.org/v1", "Widget"), false),
            ("s/core/pod_v1.json", "{}", ("v1", "Pod"), true),
            ("s/core/pod_v1.json", "{}", ("v1", "Secret"), false),
            ("crd.yaml", "kind: größe", ("v1", "Größe"), true),
        ] {
            let kind = Kind::of(&KindRef { api_version: api_version.to_owned(), kind: kind.to_owned() });
            let schema = File { name: name.to_owned(), text: text.to_owned() };
            let found = describing(&[schema], &BTreeSet::from([kind.clone()]));
            assert_eq!(found.contains_key(&kind), expected, "{name} {text}");
        }
    }
}
