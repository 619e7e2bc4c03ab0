//! What admission of the clusters in clouds has in common.

use contract::admit::{AdmitRequest, LookupAnswers, Operation, Verdict};
use contract::catalog::Action::{Deny, Warn};
use contract::types::{Code, Problem};
use serde::de::DeserializeOwned;
use serde_json::Value;
use toolbox::asked::ask;
use toolbox::kind::{AdmissionRule, OTHERS, rule};
use toolbox::path;
use toolbox::policy::{PolicyRule, deny};
use toolbox::validation::Validator;

use super::credentials::Credentials;
use super::pools::{NodeCounts, is_system};
use crate::long_names;

pub mod ranges;

/// How a kind judges its objects.
pub struct Judge<S: 'static> {
    /// The definition of the kind.
    pub definition: fn() -> &'static Validator,
    /// API version of the provider configurations of its cloud.
    pub family: &'static str,
    /// The credentials in its spec.
    pub credentials: fn(&S) -> Option<&Credentials>,
    /// What is refused. What the stored object has too is a warning, and a live one has a condition about it (`advice`).
    pub refused: fn(&S) -> Vec<Problem>,
    /// Why the cloud refuses the name of a new object.
    pub misnamed: fn(&JudgedCluster<S>) -> Option<Problem>,
    /// What may work, but should be looked at.
    pub advised: fn(&JudgedCluster<S>) -> Vec<Problem>,
    /// Fields that the cloud cannot change in place, with their values as text.
    pub fixed: fn(&S) -> Vec<(&'static str, String)>,
}

/// An object that is judged.
pub struct JudgedCluster<S> {
    /// Its name.
    pub name: String,
    /// Its namespace.
    pub namespace: String,
    /// The name that Crossplane gives names of composed resources from: that of the composite that nothing composes.
    pub root: String,
    /// Its spec, with defaults.
    pub spec: S,
}

/// A pool, as shared rules judge it: its name, its numbers of nodes, and its zones, where the cloud has any.
pub type JudgedPool<'p> = (&'p str, NodeCounts, &'p [String]);

impl<S: DeserializeOwned> Judge<S> {
    /// Judges an operation.
    pub fn admit(&self, request: &AdmitRequest) -> Verdict {
        match &request.operation {
            Operation::Create(object) => self.judge(object, None, &request.lookups),
            Operation::Update { old, new } => self.judge(new, Some(old), &request.lookups),
            Operation::Delete(_) => Verdict::default(),
        }
    }

    /// What is refused in a new object: what its schema refuses, or else what is refused beside that.
    pub fn refusals(&self, object: &Value) -> Vec<Problem> {
        self.read(object).map_or_else(|problems| problems, |judged| (self.refused)(&judged.spec))
    }

    fn judge(&self, object: &Value, old: Option<&Value>, answers: &LookupAnswers) -> Verdict {
        let mut verdict = Verdict::default();
        let judged = match self.read(object) {
            Ok(judged) => judged,
            // The schema of the API server allows what this version cannot compose.
            Err(problems) => {
                let composed = |it: Problem| {
                    let message = format!("this version cannot compose it: {}: {}", it.path, it.message);
                    Problem::new(it.path, it.code, message)
                };
                verdict.warnings.extend(problems.into_iter().next().map(composed));
                return verdict;
            }
        };
        let before = old.and_then(|old| self.read(old).ok());
        let stored = before.as_ref().map(|before| (self.refused)(&before.spec)).unwrap_or_default();
        // The index of a pool may change, and a message names its pool.
        let is_stored = |problem: &Problem| stored.iter().any(|it| it.message == problem.message);
        let (tolerated, denied): (Vec<_>, Vec<_>) = (self.refused)(&judged.spec).into_iter().partition(is_stored);
        verdict.denials = denied;
        if old.is_none() {
            verdict.denials.extend(long_names::judge(object).or_else(|| (self.misnamed)(&judged)));
        }
        verdict.warnings = tolerated;
        verdict.warnings.extend((self.advised)(&judged));
        let fixed = before.as_ref().map(|before| (self.fixed)(&before.spec));
        let is_changed = |field: &(&str, String)| fixed.as_ref().is_some_and(|fixed| !fixed.contains(field));
        let changed = (self.fixed)(&judged.spec).into_iter().filter(is_changed);
        let message = "the cloud cannot change it in place: it refuses the change, or objects are made anew";
        verdict.warnings.extend(changed.map(|(path, _)| Problem::new(path, Code::Invalid, message)));
        self.judge_credentials(&judged, before.as_ref(), answers, &mut verdict);
        verdict
    }

    fn judge_credentials(
        &self,
        judged: &JudgedCluster<S>,
        before: Option<&JudgedCluster<S>>,
        answers: &LookupAnswers,
        verdict: &mut Verdict,
    ) {
        let of = |judged: &JudgedCluster<S>| (self.credentials)(&judged.spec).cloned().unwrap_or_default();
        let credentials = of(judged);
        let is_changed = before.is_some_and(|before| of(before) != credentials);
        if is_changed {
            let message = "other credentials look for every object of the cluster in their own account; in another account \
                           nothing of it is found";
            verdict.warnings.push(Problem::new("spec.credentials", Code::Invalid, message));
        }
        if before.is_some() && !is_changed {
            return;
        }
        let (kind, name) = (&credentials.config_kind, &credentials.name);
        let selector = credentials.lookup(self.family, &judged.namespace);
        let found = ask(verdict, answers, "credentials", selector, &format!("whether {kind} `{name}` exists"));
        if found.is_some_and(<[_]>::is_empty) {
            let message = format!("{kind} `{name}` of {} does not exist: the cluster waits for it", self.family);
            verdict.warnings.push(Problem::new("spec.credentials.name", Code::Invalid, message));
        }
    }

    fn read(&self, object: &Value) -> Result<JudgedCluster<S>, Vec<Problem>> {
        let text = |at: &str| path::get(object, at).and_then(Value::as_str).unwrap_or_default();
        let names = ["metadata.name", "metadata.generateName"].map(text);
        let name = names.into_iter().find(|name| !name.is_empty()).unwrap_or_default();
        Ok(JudgedCluster {
            spec: (self.definition)().spec(object)?,
            root: root(object).to_owned(),
            name: name.to_owned(),
            namespace: text("metadata.namespace").to_owned(),
        })
    }
}

/// The name that Crossplane makes the names of composed resources from: that of the composite at the root of a cascade.
pub fn root(composite: &Value) -> &str {
    let metadata = &composite["metadata"];
    let names = [&metadata["labels"][ROOT], &metadata["name"], &metadata["generateName"]];
    names.into_iter().filter_map(Value::as_str).find(|name| !name.is_empty()).unwrap_or_default()
}

/// The label of Crossplane with the name of the composite at the root.
const ROOT: &str = "crossplane.io/composite";

/// The same in CEL, for policies: a variable with its expression.
pub const ROOT_VARIABLE: (&str, &str) = (
    "root",
    "has(object.metadata.labels) && 'crossplane.io/composite' in object.metadata.labels ? object.metadata.labels['crossplane.io/composite'] : variables.name",
);

/// What is refused in pools of every cloud.
pub fn refused_pools<'p>(pools: impl Iterator<Item = JudgedPool<'p>>) -> Vec<Problem> {
    let mut problems = Vec::new();
    let mut repeated = Vec::new();
    for (index, (name, counts, zones)) in pools.enumerate() {
        let at = |field: &str| format!("spec.nodePools[{index}].{field}");
        if is_system(name) {
            let message = "a pool `system` for everything without GPUs is made besides; choose another name";
            problems.push(Problem::new(at("name"), Code::Forbidden, message));
        }
        let field = if counts.least.is_some() { "minNodeCount" } else { "nodeCount" };
        if let Some((least, most)) = counts.bounds().filter(|(least, most)| least > most) {
            let message = format!("pool `{name}` has at least {least} nodes and at most {most}");
            problems.push(Problem::new(at(field), Code::Invalid, message));
        }
        let zones: Vec<_> = zones.iter().map(String::as_str).collect();
        repeated.extend(repeated_zones(&at("zones"), name, &zones));
    }
    problems.extend(repeated);
    problems
}

/// What is refused in the zones of a pool, which are at this path. Clouds take sets of zones.
pub fn repeated_zones(path: &str, pool: &str, zones: &[&str]) -> impl Iterator<Item = Problem> {
    zones.iter().enumerate().filter(|(place, zone)| zones[..*place].contains(zone)).map(move |(place, zone)| {
        Problem::new(format!("{path}[{place}]"), Code::Duplicate, format!("pool `{pool}` names zone `{zone}` twice"))
    })
}

/// What should be looked at in pools of every cloud.
pub fn advised_pools<'p>(pools: impl Iterator<Item = JudgedPool<'p>>) -> Vec<Problem> {
    let odd = |(index, (name, counts, _)): (usize, JudgedPool<'p>)| {
        let (first, (least, most)) = (counts.first, counts.bounds()?);
        let message = format!("pool `{name}` begins with {first} nodes, which are not among its {least} to {most}");
        let is_odd = least <= most && !(least..=most).contains(&first);
        is_odd.then(|| Problem::new(format!("spec.nodePools[{index}].nodeCount"), Code::Invalid, message))
    };
    pools.enumerate().filter_map(odd).collect()
}

/// The shared rules that CEL in an API server can state.
#[rustfmt::skip]
pub const POLICIES: [PolicyRule; 3] = [
    long_names::POLICY,
    deny("object.spec.nodePools.all(p, p.name != 'system' || request.operation == 'UPDATE' && oldObject.spec.nodePools.exists(o, o.name == 'system'))",
        "'a pool `system` for everything without GPUs is made besides; choose another name'"),
    // A pool that grows and says no smallest number has at least the number to begin with.
    deny("object.spec.nodePools.all(p, !has(p.maxNodeCount) || (has(p.minNodeCount) ? p.minNodeCount : p.nodeCount) <= p.maxNodeCount || request.operation == 'UPDATE' && oldObject.spec.nodePools.exists(o, o.name == p.name && has(o.maxNodeCount) && o.maxNodeCount == p.maxNodeCount && (has(o.minNodeCount) ? o.minNodeCount : o.nodeCount) == (has(p.minNodeCount) ? p.minNodeCount : p.nodeCount)))",
        "'a pool has more nodes at least than at most'"),
];

/// The same of zones, where a cloud has them.
#[rustfmt::skip]
pub const ZONES_POLICY: PolicyRule =
    deny("object.spec.nodePools.all(p, !has(p.zones) || p.zones.all(z, p.zones.exists_one(o, o == z)) || request.operation == 'UPDATE' && oldObject.spec.nodePools.exists(o, o.name == p.name && has(o.zones) && o.zones == p.zones))",
        "'a pool names a zone twice'");

/// The rule about zones in words.
pub const ZONES_RULE: AdmissionRule =
    rule(Deny, "spec.nodePools[].zones", "a zone that a pool names twice, unless it is stored so", None);

/// The shared rules in words.
#[rustfmt::skip]
pub const RULES: [AdmissionRule; 7] = [
    long_names::RULE,
    rule(Deny, "spec.nodePools[].name", "a new pool with the name `system`, which is that of the pool for everything without GPUs", None),
    rule(Deny, "spec.nodePools[].minNodeCount", "a smallest number of nodes above the largest, unless it is stored so", None),
    rule(Warn, "spec.nodePools[].nodeCount", "a number of nodes to begin with that is not between the smallest and the largest", Some("the message names the pool")),
    rule(Warn, "spec", "another place, or other ranges, which the cloud cannot change in place", Some("the message says which field")),
    rule(Warn, "spec.credentials", "other credentials than before", Some("the message says what follows")),
    rule(Warn, "spec.credentials.name", "a provider configuration that does not exist", Some(OTHERS)),
];

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn roots() {
        let check = |metadata: Value, want: &str| assert_eq!(root(&json!({"metadata": metadata})), want);
        check(json!({"name": "a"}), "a");
        check(json!({"name": "a", "labels": {ROOT: "b"}}), "b");
        check(json!({"generateName": "a-"}), "a-");
        check(json!({}), "");
    }

    #[test]
    fn zones() {
        #[track_caller]
        fn check(zones: &[&str], want: &[&str]) {
            let zones: Vec<String> = zones.iter().copied().map(str::to_owned).collect();
            let counts = NodeCounts { first: 1, least: None, most: None };
            let found = refused_pools([("a", counts, &[][..]), ("b", counts, &zones)].into_iter());
            assert_eq!(found.into_iter().map(|it| it.path).collect::<Vec<_>>(), want);
        }
        check(&[], &[]);
        check(&["1", "2"], &[]);
        check(&["1", "2", "1", "1"], &["spec.nodePools[1].zones[2]", "spec.nodePools[1].zones[3]"]);
    }

    #[test]
    fn pools() {
        #[track_caller]
        fn judged(name: &str, counts: NodeCounts, refused: &[&str], advised: &[&str]) {
            let paths = |problems: Vec<Problem>| problems.into_iter().map(|it| it.path).collect::<Vec<_>>();
            assert_eq!(paths(refused_pools([(name, counts, &[][..])].into_iter())), refused);
            assert_eq!(paths(advised_pools([(name, counts, &[][..])].into_iter())), advised);
        }
        let check = |name, [first, least, most]: [u32; 3], refused: &[&str], advised: &[&str]| {
            judged(name, NodeCounts { first, least: Some(least), most: Some(most) }, refused, advised);
        };
        check("a", [1, 0, 8], &[], &[]);
        check("system", [1, 0, 8], &["spec.nodePools[0].name"], &[]);
        check("a", [1, 4, 2], &["spec.nodePools[0].minNodeCount"], &[]);
        check("a", [9, 0, 8], &[], &["spec.nodePools[0].nodeCount"]);
        check("a", [1, 2, 8], &[], &["spec.nodePools[0].nodeCount"]);
        check("a", [0, 0, 0], &[], &[]);
        judged("a", NodeCounts { first: 9, least: None, most: Some(8) }, &["spec.nodePools[0].nodeCount"], &[]);
        judged("a", NodeCounts { first: 9, least: None, most: Some(9) }, &[], &[]);
        judged("a", NodeCounts { first: 9, least: None, most: None }, &[], &[]);
    }
}
