//! The cases together use everything that kinds can do: every rule gives a value, every condition is set with every reason,
//! every bound of a definition is violated, by a case or by a composite that is made up, and every fault in the code occurs.

use std::collections::{BTreeMap, BTreeSet};

use contract::compose::ComposeRequest;
use contract::compose::Derivation;
use contract::types::{Cause, Code, Condition, Fault, KindRef, Problem};
use inference::KINDS;
use inference::modelplane::refusals::REASONS;
use module::compose;
use native::golden::cases;
use toolbox::kind::Kind;
use toolbox::rule::{Stated, Table};

use crate::bounds::{self, Bound};
use crate::written;

/// Faults that all kinds have.
const SHARED: &[(Cause, Code, &str)] = &[
    (Cause::Request, Code::Required, ""),
    (Cause::UnknownKind, Code::NotSupported, "kind"),
    (Cause::UnknownKind, Code::Required, "kind"),
];

/// The answer to a case.
struct Answer {
    kind: Option<&'static Kind>,
    explained: Vec<Derivation>,
    conditions: Vec<Condition>,
    fault: Option<Fault>,
}

/// The answers to all cases.
fn answers() -> Vec<Answer> {
    let answer = |request: &ComposeRequest| {
        let kind = request.composite().ok().and_then(|composite| KINDS.find(&KindRef::of(composite)));
        match compose(&ComposeRequest { explain: true, ..request.clone() }) {
            Ok(response) => {
                Answer { kind, explained: response.derivations, conditions: response.conditions, fault: None }
            }
            Err(fault) => {
                Answer { kind, explained: Vec::new(), conditions: fault.conditions.clone(), fault: Some(fault) }
            }
        }
    };
    cases().expect("a readable corpus").iter().map(|case| answer(&case.request)).collect()
}

#[test]
fn cases_use_everything() {
    let answers = answers();
    let all_faults: Vec<&Fault> = answers.iter().flat_map(|answer| &answer.fault).collect();
    let mut unused = Vec::new();
    for kind in KINDS.rows {
        let same = |other: &Kind| (other.api_version, other.kind) == (kind.api_version, kind.kind);
        let of_kind = || answers.iter().filter(|answer| answer.kind.is_some_and(same));
        let explained = of_kind().map(|answer| answer.explained.as_slice());
        let conditions: Vec<&Condition> = of_kind().flat_map(|answer| &answer.conditions).collect();
        let faults: Vec<&Fault> = of_kind().flat_map(|answer| &answer.fault).collect();
        let bounds = bounds::of_spec((kind.definition)().document());
        let found = unused_rules(&(kind.rules)(), explained)
            .into_iter()
            .chain(unset(kind, &conditions))
            .chain(accepted(kind, not_violated(Cause::Composite, &bounds, &faults)));
        unused.extend(found.map(|what| format!("{}: {what}", kind.kind)));
    }
    for input in KINDS.inputs {
        let bounds = bounds::of_object((input.definition)().document());
        unused.extend(
            not_violated(Cause::Input, &bounds, &all_faults).map(|bound| format!("{}: bound {bound}", input.kind)),
        );
    }
    let occurs = |code: Code, path: &str, cause: Option<Cause>| {
        let mut faults = all_faults.iter().filter(|fault| cause.is_none_or(|cause| fault.cause == cause));
        faults.any(|fault| fault.problems.iter().any(|problem| problem.code == code && problem.path == path))
    };
    let shared = SHARED.iter().filter(|(cause, code, path)| !occurs(*code, path, Some(*cause)));
    unused.extend(shared.map(|(cause, code, path)| format!("fault {cause:?}, {code:?} at `{path}`")));
    let written = written::faults().into_iter().filter(|fault| !occurs(fault.code, &fault.path, None));
    unused.extend(written.map(|fault| format!("fault {:?} at `{}`, in {}", fault.code, fault.path, fault.file)));
    assert!(unused.is_empty(), "no golden case uses\n  {}", unused.join("\n  "));
}

/// Every reason against a cluster is in the answer to a case.
#[test]
fn every_reason_is_given() {
    let mut given = BTreeSet::new();
    for case in cases().expect("a readable corpus") {
        let status = compose(&case.request).ok().and_then(|response| response.composite.status).unwrap_or_default();
        let refusals = status["refusals"].as_array().into_iter().flatten();
        given.extend(refusals.filter_map(|row| row["reason"].as_str().map(str::to_owned)));
    }
    let rows = REASONS.iter().map(|row| row.reason);
    let missing: Vec<_> = rows.filter(|reason| !given.contains(*reason)).collect();
    assert!(missing.is_empty(), "no golden case has {missing:?}");
}

/// The rules that give no value in any case.
fn unused_rules<'a>(tables: &[Table], explained: impl Iterator<Item = &'a [Derivation]>) -> Vec<String> {
    // Tables may share rules. A table belongs to a resource if a rule that only this table has gives a value there.
    let is_own =
        |table: &Table, rule: &Stated| !tables.iter().any(|other| other != table && other.rules.contains(rule));
    let owns = tables.iter().map(|table| table.rules.iter().map(|rule| is_own(table, rule)).collect());
    let owns: Vec<Vec<bool>> = owns.collect();
    let mut given = BTreeSet::new();
    for derivations in explained {
        let mut resources: BTreeMap<&str, Vec<&Derivation>> = BTreeMap::new();
        for derivation in derivations {
            resources.entry(&derivation.resource).or_default().push(derivation);
        }
        for of_resource in resources.values() {
            for (index, (table, own)) in tables.iter().zip(&owns).enumerate() {
                let rules = table.rules.iter().zip(own);
                let here: Vec<_> =
                    rules.filter(|(rule, _)| of_resource.iter().any(|derivation| gives(rule, derivation))).collect();
                if here.iter().any(|(_, own)| **own) || !own.contains(&true) {
                    given.extend(here.iter().map(|(rule, _)| (index, rule.path, rule.because)));
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

/// Whether an explanation is probably that of the rule: path, reason and causes match.
fn gives(rule: &Stated, derivation: &Derivation) -> bool {
    // Most rules end here, and there are many of them.
    if !says(rule.because, &derivation.because) || rule.causes.len() != derivation.causes.len() {
        return false;
    }
    let list = rule.path.strip_suffix("[]").or_else(|| rule.path.strip_suffix("[..]"));
    let place = derivation.path.rsplit_once('[').map_or("", |(list, _)| list);
    let (stated, found) = list.map_or((rule.path, derivation.path.as_str()), |list| (list, place));
    let there = found
        .strip_suffix(stated)
        .is_some_and(|under| under.is_empty() || under.ends_with('.') || stated.is_empty() || stated.starts_with('['));
    let mut causes = rule.causes.iter().zip(&derivation.causes);
    there && causes.all(|(stated, found)| says(&without_indexes(stated), &without_indexes(found)))
}

/// Whether a text is the stated one, in which the name of an element may stand for a word in braces.
fn says(stated: &str, found: &str) -> bool {
    match stated.split_once('{') {
        Some((before, rest)) => {
            let after = rest.rsplit_once('}').map_or("", |(_, after)| after);
            found.starts_with(before) && found.ends_with(after)
        }
        None => found == stated,
    }
}

/// The path with `[]` for every index.
fn without_indexes(path: &str) -> String {
    let mut parts = path.split('[');
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |path, part| {
        let (inside, after) = part.split_once(']').unwrap_or((part, ""));
        let inside = if inside.bytes().all(|byte| byte.is_ascii_digit()) { "" } else { inside };
        format!("{path}[{inside}]{after}")
    })
}

/// The rows of a kind's conditions that no case sets.
fn unset(kind: &Kind, set: &[&Condition]) -> Vec<String> {
    let unset = kind.conditions.iter().filter(|row| {
        !set.iter().any(|it| {
            (it.condition_type.as_str(), it.status, it.reason.as_str()) == (row.condition_type, row.status, row.reason)
        })
    });
    unset.map(|row| format!("condition {}={} {}", row.condition_type, row.status.as_str(), row.reason)).collect()
}

/// The bounds that no case violates.
fn not_violated<'b>(cause: Cause, bounds: &'b [Bound], faults: &[&Fault]) -> impl Iterator<Item = &'b Bound> {
    let problems: Vec<&Problem> =
        faults.iter().filter(|fault| fault.cause == cause).flat_map(|fault| &fault.problems).collect();
    bounds.iter().filter(move |bound| !problems.iter().any(|problem| bound.is_violated_by(problem)))
}

/// The bounds that composing accepts the violation of. Each of `bounds` is violated by a composite that is made up for it:
/// a large kind has hundreds of bounds. A kind that is not composed has no faults.
fn accepted<'b>(kind: &Kind, bounds: impl Iterator<Item = &'b Bound>) -> Vec<String> {
    let Some(step) = kind.compose else { return Vec::new() };
    let refused = |bound: &Bound| {
        let request = ComposeRequest { composite: Some(bound.violation(kind).into()), ..ComposeRequest::default() };
        let fault = step(&request).err().filter(|fault| fault.cause == Cause::Composite);
        fault.is_some_and(|fault| fault.problems.iter().any(|problem| bound.is_violated_by(problem)))
    };
    bounds
        .filter(|bound| !refused(bound))
        .map(|bound| format!("bound {bound}, and composing accepts a violation"))
        .collect()
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
        assert_eq!(unused_rules(&tables, std::iter::once(derivations)), want);
    };
    let name = |resource| derivation(resource, "spec.manifest.metadata.name", "the name", "metadata.name");
    let range = derivation("a", "spec.range", "the range of zone `b`", "spec.zones[3].range");
    let argument = derivation("b", "spec.args[2]", "always", "");
    check(&[name("a"), range.clone(), name("b"), argument.clone()], &[]);
    // The rule of the name is in both tables, so another rule of a table decides which table gave it.
    let unnamed = "rule `metadata.name` (the name) of Pod";
    check(&[name("a"), range.clone(), argument], &[unnamed]);
    check(&[name("a"), range], &[unnamed, "rule `spec.args[]` (always) of Pod"]);
}
