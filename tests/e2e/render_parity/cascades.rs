//! Every level of a cascade: a cluster of each source, what it composes, and what that composes in turn.
//!
//! The composite of a level is the document that the level above prints. What the real `crossplane render` makes of it must be
//! what the cascade shows there.

use std::path::Path;

use contract::types::KindRef;
use inference::KINDS;
use serde_json::Value;
use tests::files::workspace;
use tests::golden::documents;
use tests::share::Share;
use toolbox::ready;

use crate::cases::{Case, Level};
use crate::corpus::{identity, read, with_cluster};
use crate::real::{Printed, Real};

/// The example of each source.
const SOURCES: &[&str] =
    &["cluster-existing", "cluster-gke", "cluster-eks", "cluster-aks", "cluster-nebius", "cluster-vultr"];
/// What clusters look up.
const AROUND: &[&str] = &[
    "examples/modelplane/classes.yaml",
    "examples/modelplane/class-own.yaml",
    "package/install/provider-config-google.yaml",
    "package/install/provider-config-nebius.yaml",
];
/// With them everything of a level is printed.
const FLAGS: &[&str] = &["-x", "-r"];

/// The levels of each cluster, at first, when nothing is there, and settled, when all of it is. A level that only comes then is
/// rendered without observed resources too. All levels of a cluster are in one share.
pub(crate) fn cases(real: &Real, dir: &Path) -> Vec<Case> {
    let share = Share::of_this_run();
    let sources = SOURCES.iter().enumerate().filter(|(place, _)| share.has(*place));
    sources.flat_map(|(_, source)| cases_of(source, real, &dir.join(source))).collect()
}

fn cases_of(source: &str, real: &Real, dir: &Path) -> Vec<Case> {
    let example = format!("examples/modelplane/{source}.yaml");
    let (mut cases, mut known) = (Vec::new(), Vec::new());
    for is_settled in [false, true] {
        let moment = if is_settled { "settled" } else { "at first" };
        let cascade = Cascade::of(&example, is_settled, real);
        let mut waiting = vec![(String::new(), read(&workspace().join(&example)))];
        let mut levels = 0;
        while let Some((above, given)) = waiting.pop() {
            let composite = one(&given);
            let name = format!("{source} {moment} {}", composite["kind"].as_str().unwrap_or_default());
            if is_settled && !known.contains(&composite) {
                let level = Level { above: above.clone(), given: given.clone(), shown: Vec::new() };
                cases.push(cascade.case(&format!("{name} alone"), given.clone()).level(level));
            }
            let case = cascade.level(&name, above, given);
            let printed = ours(&case, real, &dir.join(&name));
            let below = split(&printed).filter(|it| is_composite(&one(it)) && is_composed_by(&one(it), &composite));
            waiting.extend(below.map(|it| (name.clone(), it.to_owned())));
            known.push(composite);
            cases.push(case);
            levels += 1;
        }
        let shown = cascade.printed.iter().filter(|it| is_composite(it)).count();
        assert_eq!(levels, shown, "{source} {moment}: levels, and composites that the cascade shows");
    }
    cases
}

/// How many cases are levels, and what is wrong with them. `theirs` is what the real one prints for the case at a place.
pub(crate) fn faults<'p>(cases: &[Case], theirs: impl Fn(usize) -> Option<&'p Printed>) -> (usize, Vec<String>) {
    let levels = cases.iter().enumerate().filter_map(|(place, case)| Some((place, case, case.level.as_ref()?)));
    let printed = |name: &str| theirs(cases.iter().position(|case| case.name == name)?);
    let fault = |(place, case, level): (usize, &Case, &Level)| {
        // Where it refuses, the case has failed.
        let fault = fault_of(level, theirs(place)?, printed(&level.above))?;
        Some(format!("{}: {fault}", case.name))
    };
    (levels.clone().count(), levels.filter_map(fault).collect())
}

/// What is wrong with a level, when the real one prints this here, and that above.
fn fault_of(level: &Level, here: &Printed, above: Option<&Printed>) -> Option<String> {
    let is_given = above.is_some_and(|above| split(above).any(|it| it == level.given));
    if !level.above.is_empty() && !is_given {
        return Some(format!("{} does not print this composite:\n{}", level.above, level.given));
    }
    if level.shown.is_empty() {
        return None;
    }
    let here: Vec<_> = split(here).map(one).filter(|it| it["kind"] != "Result").collect();
    let missing = level.shown.iter().find(|shown| !here.iter().any(|it| is_shown(it, shown)));
    let missing = missing.map(|it| format!("the cascade shows what is not printed:\n{it:#}\n{here:#?}"));
    missing.or_else(|| (here.len() != level.shown.len()).then(|| "the cascade does not show all of it".to_owned()))
}

/// What `sailplane render --cascade` prints.
struct Cascade {
    printed: Vec<Value>,
    is_settled: bool,
    around: Vec<Value>,
}

impl Cascade {
    /// Renders an example with the Compositions that are shipped.
    fn of(example: &str, is_settled: bool, real: &Real) -> Self {
        let path = |file: &str| workspace().join(file).display().to_string();
        let mut arguments = vec![path(example), path("package/modelplane"), real.functions.display().to_string()];
        arguments.extend(AROUND.iter().map(|file| format!("-e={}", path(file))));
        let flags = ["--cascade", "-x", "--output=json", "--settled"];
        arguments.extend(flags[..3 + usize::from(is_settled)].iter().map(|flag| (*flag).to_owned()));
        let Printed(printed) = real.sailplane(&arguments).unwrap_or_else(|why| panic!("{example}: {why}"));
        let printed = serde_json::from_str(&printed).expect("it is JSON");
        let around = AROUND.iter().flat_map(|file| documents(&read(&workspace().join(file))).expect("it is YAML"));
        Self { printed, is_settled, around: around.collect() }
    }

    /// A case of a composite in what is around it, with the Composition that is shipped.
    fn case(&self, name: &str, composite: String) -> Case {
        let kind = KindRef::of(&one(&composite));
        let composition = read(Path::new(&shipped(&kind.api_version, &kind.kind)));
        with_cluster(Case::new(name, &kind, composite).composition(composition), &self.around).flags(FLAGS)
    }

    /// The case of a composite at the moment of the cascade.
    fn level(&self, name: &str, above: String, given: String) -> Case {
        let mut composite = one(&given);
        let stored = self.printed.iter().find(|it| identity(it) == identity(&composite));
        let stored = stored.unwrap_or_else(|| panic!("{name}: the cascade does not show it"));
        let composed: Vec<_> = self.printed.iter().filter(|it| is_composed_by(it, stored)).collect();
        let case = if self.is_settled {
            composite["status"] = before_ready(&stored["status"]);
            composite["spec"]["crossplane"] = stored["spec"]["crossplane"].clone();
            let observed: Vec<_> = composed.iter().map(|it| up(it).to_string()).collect();
            self.case(name, composite.to_string()).observed(observed.join("\n---\n"))
        } else {
            self.case(name, given.clone())
        };
        let shown = [stored].into_iter().chain(composed).cloned().collect();
        case.level(Level { above, given, shown })
    }
}

/// A status before it changed for the last time. Of a composite whose status stays as it is, the real one does not print what Crossplane
/// stores, but all that its engine had read: with a uid, a resource version, and the references in the order of the observed resources.
fn before_ready(status: &Value) -> Value {
    let mut status = status.clone();
    for condition in status["conditions"].as_array_mut().into_iter().flatten().filter(|it| it["type"] == "Ready") {
        condition["status"] = "False".into();
        condition["reason"] = "Creating".into();
    }
    status
}

/// An object of a cascade as the cascade observes it in the end: composites as they are shown, others as they are once they are up.
fn up(object: &Value) -> Value {
    let mut up = object.clone();
    if !is_composite(object) {
        overlay(&mut up, &ready::added(object));
    }
    up
}

fn overlay(object: &mut Value, added: &Value) {
    match (object, added) {
        (Value::Object(fields), Value::Object(added)) => {
            added.iter().for_each(|(field, added)| overlay(fields.entry(field).or_insert(Value::Null), added));
        }
        (object, added) => *object = added.clone(),
    }
}

/// What `sailplane render` prints for a case.
fn ours(case: &Case, real: &Real, dir: &Path) -> Printed {
    real.sailplane(&real.write(case, dir)).unwrap_or_else(|why| panic!("{}: {why}", case.name))
}

/// Whether the cascade shows what is printed. A composite that is composed is shown as it is stored: with defaults and a status.
fn is_shown(printed: &Value, shown: &Value) -> bool {
    let is_composed_in_turn = is_composite(printed) && printed["status"].is_null();
    printed == shown || is_composed_in_turn && holds(shown, printed)
}

/// Whether a value has all that a part of it has.
fn holds(whole: &Value, part: &Value) -> bool {
    match (whole, part) {
        (Value::Object(whole), Value::Object(part)) => {
            part.iter().all(|(field, part)| whole.get(field).is_some_and(|whole| holds(whole, part)))
        }
        (Value::Array(whole), Value::Array(part)) => {
            whole.len() == part.len() && whole.iter().zip(part).all(|(whole, part)| holds(whole, part))
        }
        (whole, part) => whole == part,
    }
}

/// Whether a composite controls an object.
fn is_composed_by(object: &Value, composite: &Value) -> bool {
    let owners = object["metadata"]["ownerReferences"].as_array().into_iter().flatten();
    let metadata = &composite["metadata"];
    owners
        .filter(|it| it["controller"] == true)
        .any(|it| it["kind"] == composite["kind"] && it["name"] == metadata["name"])
}

/// Whether a cascade composes an object in turn.
fn is_composite(object: &Value) -> bool {
    KINDS.find(&KindRef::of(object)).is_some_and(|kind| kind.compose.is_some())
}

/// The file with the Composition of a kind.
fn shipped(api_version: &str, kind: &str) -> String {
    let group = api_version.split('/').next().unwrap_or_default();
    let plural = format!("{}s", kind.to_lowercase());
    workspace().join(format!("package/modelplane/composition-{plural}.{group}.yaml")).display().to_string()
}

/// The documents that a command prints.
fn split(printed: &Printed) -> impl Iterator<Item = &str> {
    printed.0.split("---\n").filter(|document| !document.is_empty())
}

/// The only object of a document.
fn one(document: &str) -> Value {
    let mut objects = documents(document).expect("it is YAML");
    objects.pop().filter(|_| objects.is_empty()).expect("it is one object")
}
