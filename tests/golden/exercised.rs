//! The cases together exercise all that kinds can decide, say and refuse: every rule gives a value, every statement is
//! said, every bound of a definition is broken, and every fault that the code finds by itself is met.

use std::collections::BTreeSet;

use contract::compose::ComposeRequest;
use contract::preview::Derivation;
use contract::types::{Cause, Code, Condition, Fault, KindRef};
use inference::KINDS;
use module::compose;
use tests::golden::cases;
use toolbox::kind::Kind;
use toolbox::rule::{Stated, Table};

use crate::bounds::{self, Bound};
use crate::written;

/// The faults of every kind alike.
const SHARED: &[(Cause, Code, &str)] = &[
    (Cause::Request, Code::Required, ""),
    (Cause::UnknownKind, Code::NotSupported, "kind"),
    (Cause::UnknownKind, Code::Required, "kind"),
];

/// What came of a case.
struct Answer {
    kind: Option<&'static Kind>,
    explained: Vec<Derivation>,
    conditions: Vec<Condition>,
    fault: Option<Fault>,
}

/// What every case came to.
fn answers() -> Vec<Answer> {
    let answer = |request: &ComposeRequest| {
        let kind = request.composite().ok().and_then(|composite| KINDS.find(&KindRef::of(composite)));
        let explained = KINDS.step(request).and_then(|step| (step.explain)(request)).unwrap_or_default();
        match compose(request) {
            Ok(response) => Answer { kind, explained, conditions: response.conditions, fault: None },
            Err(fault) => Answer { kind, explained, conditions: fault.conditions.clone(), fault: Some(fault) },
        }
    };
    cases().expect("a readable corpus").iter().map(|case| answer(&case.request)).collect()
}

#[test]
fn everything_is_exercised() {
    let answers = answers();
    let all_faults: Vec<&Fault> = answers.iter().flat_map(|answer| &answer.fault).collect();
    let mut idle = Vec::new();
    for kind in KINDS.rows {
        let same = |other: &Kind| (other.api_version, other.kind) == (kind.api_version, kind.kind);
        let of_kind = || answers.iter().filter(|answer| answer.kind.is_some_and(same));
        let explained = of_kind().map(|answer| answer.explained.as_slice());
        let conditions: Vec<&Condition> = of_kind().flat_map(|answer| &answer.conditions).collect();
        let faults: Vec<&Fault> = of_kind().flat_map(|answer| &answer.fault).collect();
        let bounds = bounds::of_spec((kind.definition)().document());
        let found = idle_rules(&(kind.rules)(), explained)
            .into_iter()
            .chain(unsaid(kind, &conditions))
            .chain(unbroken(Cause::Composite, &bounds, &faults));
        idle.extend(found.map(|what| format!("{}: {what}", kind.kind)));
    }
    for input in KINDS.inputs {
        let bounds = bounds::of_object((input.definition)().document());
        idle.extend(
            unbroken(Cause::Input, &bounds, &all_faults).into_iter().map(|what| format!("{}: {what}", input.kind)),
        );
    }
    let met = |code: Code, path: &str, cause: Option<Cause>| {
        let mut faults = all_faults.iter().filter(|fault| cause.is_none_or(|cause| fault.cause == cause));
        faults.any(|fault| fault.problems.iter().any(|problem| problem.code == code && problem.path == path))
    };
    let shared = SHARED.iter().filter(|(cause, code, path)| !met(*code, path, Some(*cause)));
    idle.extend(shared.map(|(cause, code, path)| format!("fault {cause:?}, {code:?} at `{path}`")));
    let written = written::faults().into_iter().filter(|fault| !met(fault.code, &fault.path, None));
    idle.extend(written.map(|fault| format!("fault {:?} at `{}`, in {}", fault.code, fault.path, fault.file)));
    assert!(idle.is_empty(), "no golden case exercises\n  {}", idle.join("\n  "));
}

/// The rows of tables that give no value in any case.
fn idle_rules<'a>(tables: &[Table], explained: impl Iterator<Item = &'a [Derivation]>) -> Vec<String> {
    let mut given = BTreeSet::new();
    for derivations in explained {
        let resources: BTreeSet<&str> = derivations.iter().map(|derivation| derivation.resource.as_str()).collect();
        for resource in resources {
            let of_resource = || derivations.iter().filter(|derivation| derivation.resource == resource);
            for (index, table) in tables.iter().enumerate() {
                let here: Vec<_> =
                    table.rules.iter().filter(|rule| of_resource().any(|derivation| gives(rule, derivation))).collect();
                // Tables may have rows in common: one is settled for a resource where any row of its own gives a value.
                let own = |rule: &Stated| !tables.iter().any(|other| other != table && other.rules.contains(rule));
                if here.iter().any(|rule| own(rule)) || !table.rules.iter().any(own) {
                    given.extend(here.iter().map(|rule| (index, rule.path, rule.because)));
                }
            }
        }
    }
    let rows =
        tables.iter().enumerate().flat_map(|(index, table)| table.rules.iter().map(move |rule| (index, table, rule)));
    rows.filter(|(index, _, rule)| !given.contains(&(*index, rule.path, rule.because)))
        .map(|(_, table, rule)| format!("rule `{}` ({}) of {}", rule.path, rule.because, table.heading()))
        .collect()
}

/// Whether a value that is explained comes from the rule, as far as words tell.
fn gives(rule: &Stated, derivation: &Derivation) -> bool {
    let list = rule.path.strip_suffix("[]").or_else(|| rule.path.strip_suffix("[..]"));
    let place = derivation.path.rsplit_once('[').map_or("", |(list, _)| list);
    let (stated, found) = list.map_or((rule.path, derivation.path.as_str()), |list| (list, place));
    let there = found
        .strip_suffix(stated)
        .is_some_and(|under| under.is_empty() || under.ends_with('.') || stated.is_empty() || stated.starts_with('['));
    let because = match rule.because.split_once('{') {
        Some((before, rest)) => {
            let after = rest.rsplit_once('}').map_or("", |(_, after)| after);
            derivation.because.starts_with(before) && derivation.because.ends_with(after)
        }
        None => derivation.because == rule.because,
    };
    let causes = rule.causes.iter().map(|cause| without_places(cause));
    there && because && causes.eq(derivation.causes.iter().map(|cause| without_places(cause)))
}

/// A path with `[]` for every place in a list.
fn without_places(path: &str) -> String {
    let mut parts = path.split('[');
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |path, part| {
        let (inside, after) = part.split_once(']').unwrap_or((part, ""));
        let inside = if inside.bytes().all(|byte| byte.is_ascii_digit()) { "" } else { inside };
        format!("{path}[{inside}]{after}")
    })
}

/// The statements of a kind that no case hears.
fn unsaid(kind: &Kind, said: &[&Condition]) -> Vec<String> {
    let unsaid = kind.statements.iter().filter(|row| {
        !said.iter().any(|it| {
            (it.condition_type.as_str(), it.status, it.reason.as_str()) == (row.condition_type, row.status, row.reason)
        })
    });
    unsaid.map(|row| format!("statement {}={} {}", row.condition_type, row.status.as_str(), row.reason)).collect()
}

/// The bounds that no case breaks.
fn unbroken(cause: Cause, bounds: &[Bound], faults: &[&Fault]) -> Vec<String> {
    let problems: Vec<_> =
        faults.iter().filter(|fault| fault.cause == cause).flat_map(|fault| &fault.problems).collect();
    let unbroken = bounds.iter().filter(|bound| !problems.iter().any(|problem| bound.is_broken_in(problem)));
    unbroken.map(|bound| format!("bound {bound}")).collect()
}

#[test]
fn idle_rules_are_found() {
    const COMMON: Stated = Stated { path: "metadata.name", because: "the name", causes: &["metadata.name"] };
    const RANGE: Stated =
        Stated { path: "spec.range", because: "the range of zone `{zone}`", causes: &["spec.zones[].range"] };
    const ARGUMENT: Stated = Stated { path: "spec.args[]", because: "always", causes: &[] };
    let table = |subject, rules: &[Stated]| Table { subject, each: None, rules: rules.to_vec() };
    let tables = [table("Subnet", &[COMMON, RANGE]), table("Pod", &[COMMON, ARGUMENT])];
    let derivation = |resource: &str, path: &str, because: &str, cause: &str| Derivation {
        resource: resource.to_owned(),
        path: path.to_owned(),
        value: true.into(),
        because: because.to_owned(),
        causes: Some(cause).filter(|cause| !cause.is_empty()).map(str::to_owned).into_iter().collect(),
    };
    let check = |derivations: &[Derivation], want: &[&str]| {
        assert_eq!(idle_rules(&tables, std::iter::once(derivations)), want);
    };
    let name = |resource| derivation(resource, "spec.manifest.metadata.name", "the name", "metadata.name");
    let range = derivation("a", "spec.range", "the range of zone `b`", "spec.zones[3].range");
    let argument = derivation("b", "spec.args[2]", "always", "");
    check(&[name("a"), range.clone(), name("b"), argument.clone()], &[]);
    // A name alone is in both tables, so the row of its own tells which one gave it.
    let unnamed = "rule `metadata.name` (the name) of Pod";
    check(&[name("a"), range.clone(), argument], &[unnamed]);
    check(&[name("a"), range], &[unnamed, "rule `spec.args[]` (always) of Pod"]);
}
