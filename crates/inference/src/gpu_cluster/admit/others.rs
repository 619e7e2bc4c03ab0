//! Judges a cluster beside other objects: clusters that would share objects with it, and the models on it.

use std::collections::BTreeSet;
use std::rc::Rc;

use contract::admit::{LookupAnswers, Verdict};
use contract::catalog::{ApiResource, Index};
use contract::types::{Code, Problem, Selector};
use serde_json::Value;
use toolbox::asked::ask;
use toolbox::builders::selectors::{lookup_all, lookup_by};

use super::super::inputs::{CLUSTERS, ClusterInputs, RENAMED};
use super::super::read::{assembled, provider, text};
use super::super::render::names_of;
use crate::options::Options;
use toolbox::resources::namespaced;

/// What admission finds clusters by.
pub(in super::super) const FOUND_BY: &[Index] = &[NAME];

/// Their name, in all namespaces: clouds know no namespaces.
const NAME: Index = Index { name: "name", parts: &[&["/metadata/name"]] };

/// Models, which go with their cluster.
const MODELS: ApiResource = namespaced("inference.devopstoolkit.ai/v1alpha1", "LLMInference", "llminferences");

/// What is looked up.
pub(super) const READS: &[ApiResource] = &[namespaced(RENAMED, CLUSTERS.kind, CLUSTERS.plural), CLUSTERS, MODELS];

/// The groups that clusters are in, each with the lookups of clusters of the same name, and of those in the same namespace.
const GROUPS: [(&str, &str, &str); 2] =
    [(CLUSTERS.api_version, "same-name", "neighbors"), (RENAMED, "same-name-renamed", "neighbors-renamed")];
/// The lookup of models in the namespace.
const MODELS_HERE: &str = "models";
/// The most models that are looked at.
const MOST_MODELS: u32 = 500;
/// The most clusters of a name that are looked at. One is enough, but some may be in other clouds.
const MOST_RIVALS: u32 = 50;
/// The most clusters of a namespace that are looked at.
const MOST_NEIGHBORS: u32 = 200;

/// Judges a new cluster: what is in a cloud is named after it, and so is what is in its namespace.
pub(super) fn judge(
    object: &Value,
    inputs: &ClusterInputs,
    options: &Options,
    answers: &LookupAnswers,
    verdict: &mut Verdict,
) {
    let mut of_name = Vec::new();
    let mut near = Vec::new();
    for (api_version, same_name, neighbors) in GROUPS {
        let kind = (api_version, CLUSTERS.kind);
        let named = vec![vec![inputs.name.clone()]];
        let rivals = Selector { limit: Some(MOST_RIVALS), ..lookup_by(kind, None, NAME.name, named) };
        let whether = format!("whether another Cluster of {} has the name in the same cloud", group(api_version));
        of_name.extend(ask(verdict, answers, same_name, rivals, &whether).into_iter().flatten());
        let all = lookup_all(kind, Some(&inputs.namespace), &[]);
        let whether = format!("whether another Cluster of {} has objects with the same names", group(api_version));
        let all = Selector { limit: Some(MOST_NEIGHBORS), ..all };
        near.extend(ask(verdict, answers, neighbors, all, &whether).into_iter().flatten());
    }
    let other = |it: &&Value| place(it) != place(object);
    let mut of_name = of_name.into_iter().filter_map(|it| it.object().ok()).filter(other);
    let mut near = near.into_iter().filter_map(|it| it.object().ok()).filter(other);
    let denial = of_name.find_map(|it| same_cloud(it, inputs, options));
    verdict.denials.extend(denial.or_else(|| near.find_map(|it| same_objects(it, inputs, options))));
}

/// Clusters of the same name in the same cloud claim the same objects there, whatever their namespaces and groups.
fn same_cloud(other: &Value, inputs: &ClusterInputs, options: &Options) -> Option<Problem> {
    let cloud = provider(other, options.cluster.provider).ok()?.0;
    (text(other, "metadata.name") == inputs.name && cloud == inputs.provider).then(|| {
        let message = format!(
            "Cluster `{}/{}` has this name on {} already, and both would claim the same objects there; choose another name",
            text(other, "metadata.namespace"),
            inputs.name,
            inputs.provider.service(),
        );
        Problem::new("metadata.name", Code::Duplicate, message)
    })
}

/// Names of composed objects are that of the cluster with an ending, so cluster `a` with GPUs and cluster `a-gpu` both have a pool
/// `a-gpu`.
fn same_objects(other: &Value, inputs: &ClusterInputs, options: &Options) -> Option<Problem> {
    let name = text(other, "metadata.name");
    let begins = |long: &str, short: &str| long.strip_prefix(short).is_some_and(|rest| rest.starts_with('-'));
    if text(other, "metadata.namespace") != inputs.namespace
        || !(begins(&name, &inputs.name) || begins(&inputs.name, &name))
    {
        return None;
    }
    let theirs: BTreeSet<_> = names_of(&Rc::new(assembled(other, options).ok()?));
    let ours = names_of(&Rc::new(inputs.clone()));
    let (kind, shared) = ours.intersection(&theirs).next()?;
    let message = format!(
        "Cluster `{name}` in this namespace and this one would both have {} `{shared}`; choose another name",
        kind.1,
    );
    Some(Problem::new("metadata.name", Code::Duplicate, message))
}

/// Warns of a deletion that takes models with it.
pub(super) fn deletion(object: &Value, answers: &LookupAnswers) -> Verdict {
    let (name, namespace) = (text(object, "metadata.name"), text(object, "metadata.namespace"));
    let all = lookup_all((MODELS.api_version, MODELS.kind), Some(&namespace), &[]);
    let mut verdict = Verdict::default();
    let all = Selector { limit: Some(MOST_MODELS), ..all };
    let found = ask(&mut verdict, answers, MODELS_HERE, all, "which models go with the cluster");
    let on_it = |model: &&Value| text(model, "spec.providerConfigName") == name;
    let models = found.into_iter().flatten().filter_map(|it| it.object().ok()).filter(on_it);
    let models: Vec<String> = models.map(|model| text(model, "metadata.name")).collect();
    if !models.is_empty() {
        let words = format!("the deletion takes models with it: {}", models.join(", "));
        verdict.warnings.push(Problem::new("metadata", Code::Invalid, words));
    }
    verdict
}

/// Group, namespace and name of an object.
fn place(object: &Value) -> (String, String, String) {
    let api_version = text(object, "apiVersion");
    (group(&api_version).to_owned(), text(object, "metadata.namespace"), text(object, "metadata.name"))
}

fn group(api_version: &str) -> &str {
    api_version.split('/').next().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use contract::admit::Operation;
    use contract::types::ObservedObject;
    use serde_json::json;

    use super::super::tests::{cluster, judged, paths};
    use super::*;

    #[test]
    fn clusters_that_share_objects() {
        let other = |api_version: &str, provider: &str, namespace: &str, name: &str, parameters: Value| {
            let mut other = cluster(provider, name, parameters);
            other["metadata"]["namespace"] = namespace.into();
            other["apiVersion"] = api_version.into();
            other
        };
        let check = |lookup: &str, other: Value, want: &[&str]| {
            let answers = LookupAnswers::from([(lookup.to_owned(), vec![ObservedObject::from(other)])]);
            let new = cluster("aws", "a", json!({"gpu": {"enabled": true}}));
            assert_eq!(paths(&judged(Operation::Create(new), answers).denials), want);
        };
        const NAME: &[&str] = &["metadata.name"];
        let ours = CLUSTERS.api_version;
        check("same-name", other(ours, "aws", "team-b", "a", json!({})), NAME);
        check("same-name", other(ours, "google", "team-b", "a", json!({})), &[]);
        check("same-name", other(ours, "aws", "team-a", "a", json!({})), &[]);
        check("same-name-renamed", other(RENAMED, "aws", "team-a", "a", json!({})), NAME);
        check("neighbors", other(ours, "aws", "team-a", "a-gpu", json!({})), NAME);
        check("neighbors", other(ours, "azure", "team-a", "a-local", json!({})), NAME);
        check("neighbors", other(ours, "aws", "team-a", "a-team", json!({})), &[]);
        check("neighbors", other(ours, "azure", "team-a", "a-gpu", json!({})), &[]);
        check("neighbors", other(ours, "aws", "team-b", "a-gpu", json!({})), &[]);
        check("neighbors-renamed", other(RENAMED, "aws", "team-a", "a-gpu", json!({})), NAME);
    }

    #[test]
    fn models_that_go() {
        let model = |config: &str| {
            let object = json!({"metadata": {"name": "qwen"}, "spec": {"providerConfigName": config}});
            LookupAnswers::from([(MODELS_HERE.to_owned(), vec![ObservedObject::from(object)])])
        };
        let deleted =
            |answers| judged(Operation::Delete(cluster("aws", "a", json!({})).into()), answers).warnings.len();
        assert_eq!((deleted(model("a")), deleted(model("b"))), (1, 0));
    }
}
