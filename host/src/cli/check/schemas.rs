//! Finds the schemas that may describe a kind.
//!
//! A folder may hold the schemas of hundreds of kinds, and a check needs a few of them. To parse all of them would take
//! most of the time, so the host leaves out schemas that cannot be needed. A schema has the names of its kind and group
//! in its text or in its file name. A text without these names is the schema of another kind.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use super::parallel::each;
use crate::cli::files::{self, Exclusions, File, Read};
use crate::foreign::visible;
use crate::wit::types::KindRef;

/// The names of a kind that its schemas contain, in lower case because file names are.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct SchemaName {
    /// Empty for the core group, which schemas do not name.
    group: String,
    kind: String,
}

impl SchemaName {
    pub(super) fn of(kind: &KindRef) -> Self {
        let (group, _) = kind.api_version.rsplit_once('/').unwrap_or_default();
        Self { group: group.to_lowercase(), kind: kind.kind.to_lowercase() }
    }
}

/// Reads files and folders with schemas. Warns of those that hold none.
pub(super) fn read(paths: &[PathBuf]) -> Vec<Read> {
    let mut all = Vec::new();
    for path in paths {
        let read = files::read_each(std::slice::from_ref(path), &Exclusions::default());
        let is_schema = |read: &Read| read.as_ref().map_or(true, may_be_schema);
        if !read.iter().any(is_schema) {
            let name = path.display().to_string();
            let known = "CustomResourceDefinitions, CompositeResourceDefinitions, and JSON schemas called \
                         GROUP/KIND_VERSION.json or KIND-GROUP-VERSION.json";
            eprintln!("warning: no schema in {}; known are {known}", visible(&name));
        }
        all.extend(read);
    }
    all
}

/// Whether a file may have a schema: a definition says so, and a JSON schema has a version in its name.
fn may_be_schema(file: &File) -> bool {
    let defines =
        ["CustomResourceDefinition", "CompositeResourceDefinition"].iter().any(|kind| file.text.contains(kind));
    defines || file.name.strip_suffix(".json").is_some_and(|name| name.contains("_v") || name.contains("-v"))
}

/// The indices of the schemas that may describe each kind.
pub(super) fn describing(schemas: &[File], kinds: &BTreeSet<SchemaName>) -> BTreeMap<SchemaName, Vec<usize>> {
    let mut found: BTreeMap<_, Vec<_>> = BTreeMap::new();
    for (schema, described) in each(schemas, |schema| described(schema, kinds)).into_iter().enumerate() {
        for kind in described {
            found.entry(kind).or_default().push(schema);
        }
    }
    found
}

/// The kinds that a schema may describe.
fn described(schema: &File, kinds: &BTreeSet<SchemaName>) -> Vec<SchemaName> {
    // Only words of a length that is wanted are looked up, which is fast.
    let mut by_length: BTreeMap<usize, BTreeSet<&[u8]>> = BTreeMap::new();
    for word in kinds.iter().flat_map(|kind| [kind.group.as_bytes(), kind.kind.as_bytes()]) {
        by_length.entry(word.len()).or_default().insert(word);
    }
    let mut present: BTreeSet<&[u8]> = BTreeSet::new();
    for word in [&schema.name, &schema.text].into_iter().flat_map(|text| text.as_bytes().split(|c| !in_word(*c))) {
        if let Some(wanted) = by_length.get(&word.len()) {
            present.extend(wanted.get(word.to_ascii_lowercase().as_slice()).copied());
        }
    }
    let everything = hides_words(&schema.text);
    let named =
        |word: &str| everything || word.is_empty() || !word.bytes().all(in_word) || present.contains(word.as_bytes());
    let is_named = |kind: &&SchemaName| named(&kind.group) && named(&kind.kind) || kind.is_short_name_of(&schema.name);
    kinds.iter().filter(is_named).cloned().collect()
}

impl SchemaName {
    /// Whether a file is called `KIND-GROUP-VERSION.json`, with only the first label of the group, as kubeconform has it.
    fn is_short_name_of(&self, file: &str) -> bool {
        let label = self.group.split('.').next().unwrap_or_default();
        let name = file.rsplit('/').next().unwrap_or_default();
        let mut parts = name.split('-');
        parts.next() == Some(&self.kind) && (label.is_empty() || parts.next() == Some(label))
    }
}

/// Whether a character may be part of a name. All other characters end a name.
fn in_word(c: u8) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, b'.' | b'-')
}

/// Whether a name may be written with YAML escapes, or broken over several lines. Then it is not found letter by
/// letter.
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
            ("s/widget-acme-v1.json", "{}", ("acme.example.org/v1", "Widget"), true),
            ("s/widget-other-v1.json", "{}", ("acme.example.org/v1", "Widget"), false),
            ("s/pod-v1.json", "{}", ("v1", "Pod"), true),
        ] {
            let kind = SchemaName::of(&KindRef { api_version: api_version.to_owned(), kind: kind.to_owned() });
            let schema = File { name: name.to_owned(), text: text.to_owned() };
            let found = describing(&[schema], &BTreeSet::from([kind.clone()]));
            assert_eq!(found.contains_key(&kind), expected, "{name} {text}");
        }
    }
}
