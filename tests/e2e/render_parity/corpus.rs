//! The examples of every kind, and the golden cases of every API.

use std::fs;
use std::path::Path;

use contract::types::KindRef;
use inference::KINDS;
use quantity::Time;
use serde_json::Value;
use tests::golden::{self, documents};
use tests::share::Share;

use crate::cases::{Case, Fate, composition, composition_at};
use crate::kinds::row;

/// The first composite of each example is rendered with each of these sets of flags, and the others with the last one.
const FLAGS: &[&[&str]] = &[&[], &["-x"], &["--include-function-results"], &["-c"], &["-r", "-x", "-c"]];

/// Every composite in every example. The other objects of its example are resources of the cluster.
pub(crate) fn examples() -> Vec<Case> {
    let mut cases = Vec::new();
    for kind in KINDS.rows.iter().filter(|kind| kind.compose.is_some()) {
        for example in kind.examples {
            let objects = documents(example.text).expect("an example is YAML");
            let of_kind = |object: &Value| object["apiVersion"] == kind.api_version && object["kind"] == kind.kind;
            let first = objects.iter().position(of_kind);
            for (place, object) in objects.iter().enumerate() {
                let kind_ref = KindRef::of(object);
                if KINDS.find(&kind_ref).is_none_or(|kind| kind.compose.is_none()) {
                    continue;
                }
                let flags = if first == Some(place) { FLAGS } else { &FLAGS[FLAGS.len() - 1..] };
                let (composite, others) = split(example.text, place);
                for flags in flags {
                    let name = format!("example {} {place} {}", example.name, flags.join(" "));
                    let case = Case::new(name, &kind_ref, composite.clone()).selected();
                    cases.push(with_cluster(case, &others).flags(flags));
                }
            }
        }
    }
    cases
}

/// Every golden case with a composite that Crossplane calls the function for: not with one that is being deleted. Each takes a
/// third of a second, so a run may have a share of them.
pub(crate) fn golden() -> Vec<Case> {
    let share = Share::of_this_run();
    let cases = golden::cases().expect("the corpus can be read").into_iter();
    let cases = cases.enumerate().filter(|(place, _)| share.has(*place)).map(|(_, case)| case);
    cases.filter(|case| case.folder.join("composite.yaml").exists()).filter_map(|case| golden_case(&case)).collect()
}

fn golden_case(golden: &golden::Case) -> Option<Case> {
    let folder = &golden.folder;
    let composite = read(&folder.join("composite.yaml"));
    let object = documents(&composite).ok().and_then(|found| found.into_iter().next()).unwrap_or_default();
    if !object["metadata"]["deletionTimestamp"].is_null() {
        return None;
    }
    let kind = KindRef::of(&object);
    let name = golden.name.rsplit('/').next().unwrap_or_default();
    let mut case = Case::new(format!("golden {}", golden.name), &kind, composite).flags(&["-r"]);
    let input = folder.join("options.yaml");
    let input = if input.exists() { read(&input) } else { String::new() };
    let now = golden.request.now.and_then(|now| i64::try_from(now).ok()).map(Time::from_seconds);
    case = case.composition(now.map_or_else(|| composition(&kind, &input), |now| composition_at(&kind, &input, now)));
    case = case.selected();
    if folder.join("observed.yaml").exists() {
        case = case.observed(read(&folder.join("observed.yaml")));
    }
    let mut others = golden.cluster.clone();
    for found in golden.request.lookups.values().flatten() {
        let found = found.object().expect("it is JSON").clone();
        // The composite is found as it is given: the real one would take what a lookup finds in its place.
        if !others.contains(&found) && identity(&found) != identity(&object) {
            others.push(found);
        }
    }
    case = with_cluster(case, &others);
    let fates = row(&kind).map_or(&[][..], |row| row.fates);
    Some(match fates.iter().find(|(known, _)| *known == name) {
        Some(&(_, fate)) => case.fate(fate),
        // The golden case checks the message.
        None if folder.join("fault.txt").exists() => case.fate(Fate::Refused("")),
        None => case,
    })
}

/// What an API server knows an object by.
pub(crate) fn identity(object: &Value) -> [&Value; 4] {
    let metadata = &object["metadata"];
    [&object["apiVersion"], &object["kind"], &metadata["namespace"], &metadata["name"]]
}

/// The composite at a place of an example, and its other objects.
fn split(text: &str, place: usize) -> (String, Vec<Value>) {
    let mut objects = documents(text).expect("an example is YAML");
    if objects.len() == 1 {
        // With its comments.
        return (text.to_owned(), Vec::new());
    }
    (objects.remove(place).to_string(), objects)
}

/// The case with objects that lookups can find.
pub(crate) fn with_cluster(case: Case, objects: &[Value]) -> Case {
    if objects.is_empty() {
        return case;
    }
    let texts: Vec<_> = objects.iter().map(Value::to_string).collect();
    case.file("cluster.yaml", texts.join("\n---\n")).flags(&["--required-resources={cluster.yaml}"])
}

pub(crate) fn read(file: &Path) -> String {
    fs::read_to_string(file).unwrap_or_else(|error| panic!("{}: {error}", file.display()))
}
