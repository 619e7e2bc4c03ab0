//! The examples of every kind, and the golden cases of every API.

use std::fs;
use std::path::Path;

use contract::types::KindRef;
use inference::KINDS;
use serde_json::Value;
use tests::golden::{self, documents};

use crate::cases::{Case, Fate, composition};
use crate::kinds::row;

/// Every example is rendered with each of these sets of flags.
const FLAGS: &[&[&str]] = &[&[], &["-x"], &["--include-function-results"], &["-c"], &["-r", "-x", "-c"]];

/// Every example. Its other objects are resources of the cluster.
pub(crate) fn examples() -> Vec<Case> {
    let mut cases = Vec::new();
    for kind in KINDS.rows.iter().filter(|kind| kind.compose.is_some()) {
        let kind_ref = KindRef { api_version: kind.api_version.to_owned(), kind: kind.kind.to_owned() };
        for example in kind.examples {
            let (composite, others) = split(example.text, &kind_ref);
            for flags in FLAGS {
                let name = format!("example {} {}", example.name, flags.join(" "));
                cases.push(with_cluster(Case::new(name, &kind_ref, composite.clone()), &others).flags(flags));
            }
        }
    }
    cases
}

/// Every golden case with a composite.
pub(crate) fn golden() -> Vec<Case> {
    let cases = golden::cases().expect("the corpus can be read").into_iter();
    cases.filter(|case| case.folder.join("composite.yaml").exists()).map(|case| golden_case(&case)).collect()
}

fn golden_case(golden: &golden::Case) -> Case {
    let folder = &golden.folder;
    let composite = read(&folder.join("composite.yaml"));
    let object = documents(&composite).ok().and_then(|found| found.into_iter().next()).unwrap_or_default();
    let kind = KindRef::of(&object);
    let name = golden.name.rsplit('/').next().unwrap_or_default();
    let mut case = Case::new(format!("golden {}", golden.name), &kind, composite).flags(&["-r"]);
    if folder.join("options.yaml").exists() {
        case = case.composition(composition(&kind, &read(&folder.join("options.yaml"))));
    }
    if folder.join("observed.yaml").exists() {
        case = case.observed(read(&folder.join("observed.yaml")));
    }
    let mut others = golden.cluster.clone();
    for object in golden.request.lookups.values().flatten() {
        let object = object.object().expect("it is JSON").clone();
        if !others.contains(&object) {
            others.push(object);
        }
    }
    case = with_cluster(case, &others);
    let fates = row(&kind).map_or(&[][..], |row| row.fates);
    match fates.iter().find(|(known, _)| *known == name) {
        Some(&(_, fate)) => case.fate(fate),
        // The golden case checks the message.
        None if folder.join("fault.txt").exists() => case.fate(Fate::Refused("")),
        None => case,
    }
}

/// The composite of an example, and its other objects.
fn split(text: &str, kind: &KindRef) -> (String, Vec<Value>) {
    let mut objects = documents(text).expect("an example is YAML");
    if objects.len() == 1 {
        // With its comments.
        return (text.to_owned(), Vec::new());
    }
    let place = objects.iter().position(|object| KindRef::of(object) == *kind).expect("an example has its kind");
    (objects.remove(place).to_string(), objects)
}

/// The case with objects that lookups can find.
fn with_cluster(case: Case, objects: &[Value]) -> Case {
    if objects.is_empty() {
        return case;
    }
    let texts: Vec<_> = objects.iter().map(Value::to_string).collect();
    case.file("cluster.yaml", texts.join("\n---\n")).flags(&["--required-resources={cluster.yaml}"])
}

fn read(file: &Path) -> String {
    fs::read_to_string(file).unwrap_or_else(|error| panic!("{}: {error}", file.display()))
}
