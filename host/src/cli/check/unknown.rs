//! Names the objects without a schema.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use crate::foreign::{shortened, visible};
use crate::wit::preview::Checked;

/// The most kinds that are named, and the most objects of each.
const MOST: (usize, usize) = (10, 5);

/// The longest name in the list, in characters.
const NAME: usize = 80;

/// A line for each kind of which there are objects without a schema.
pub(super) fn list(objects: &[Checked]) -> String {
    let mut kinds: BTreeMap<(&str, &str), Vec<&Checked>> = BTreeMap::new();
    for object in objects.iter().filter(|object| !object.known) {
        kinds.entry((&object.kind.api_version, &object.kind.kind)).or_default().push(object);
    }
    let mut text = String::new();
    for ((api_version, kind), objects) in kinds.iter().take(MOST.0) {
        let [api_version, kind] = [api_version, kind].map(|part| shortened(&visible(part), NAME).into_owned());
        let mut names: Vec<_> = objects.iter().take(MOST.1).map(|object| name(object)).collect();
        names.extend(objects.len().checked_sub(MOST.1).filter(|more| *more > 0).map(|more| format!("{more} more")));
        let _ = writeln!(text, "no schema of {kind} ({api_version}): {}", names.join(", "));
    }
    if let Some(more) = kinds.len().checked_sub(MOST.0).filter(|more| *more > 0) {
        let _ = writeln!(text, "no schema of {more} more kinds");
    }
    text
}

fn name(object: &Checked) -> String {
    let name = match (object.namespace.as_str(), object.name.as_str()) {
        (_, "") => "without a name".to_owned(),
        ("", name) => name.to_owned(),
        (namespace, name) => format!("{namespace}/{name}"),
    };
    shortened(&visible(&name), NAME).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::wit::preview::Location;
    use crate::wit::types::KindRef;

    #[test]
    fn names_are_listed_by_kind() {
        let object = |kind: &str, namespace: &str, name: &str, known| Checked {
            location: Location { text: 0, document: 0, line: 1, column: 1, end_line: 1, end_column: 2 },
            kind: KindRef { api_version: "v1".to_owned(), kind: kind.to_owned() },
            namespace: namespace.to_owned(),
            name: name.to_owned(),
            known,
        };
        let mut objects =
            vec![object("Pod", "a", "p", false), object("Pod", "", "", false), object("Secret", "", "s", true)];
        assert_eq!(list(&objects), "no schema of Pod (v1): a/p, without a name\n");
        objects.extend((0..5).map(|number| object("Pod", "", &format!("p{number}"), false)));
        assert_eq!(list(&objects), "no schema of Pod (v1): a/p, without a name, p0, p1, p2, 2 more\n");
        objects.extend((0..12).map(|number| object(&format!("K{number:02}"), "", "k", false)));
        assert!(
            list(&objects).ends_with("no schema of K09 (v1): k\nno schema of 3 more kinds\n"),
            "{}",
            list(&objects)
        );
    }
}
