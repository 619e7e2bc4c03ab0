//! What the kind of its cloud would refuse in the cluster that an InferenceCluster becomes. Crossplane would get the refusal, and the
//! author see it in an event.

use contract::admit::LookupAnswers;
use contract::compose::ComposeRequest;
use contract::types::Problem;
use serde_json::Value;
use toolbox::entries::by_key;
use toolbox::path::{self, Segment};

use super::super::inputs::{FleetInputs, Stop};
use super::super::read;
use super::super::render::cloud_cluster;
use super::super::sources::CloudSource;
use super::pools::{self, Pool};

/// A source, with what the kind of its cloud refuses in a new cluster.
pub type Refuses = (&'static str, fn(&Value) -> Vec<Problem>);

/// The fields of a pool that are its own. The others are those of its class.
const OWN: [&str; 7] = ["capacityBlock", "fabric", "maxNodeCount", "minNodeCount", "name", "nodeCount", "zones"];

const POOLS: &str = "spec.nodePools";

/// What is refused, where the author of the cluster wrote it, or named the class that has it. Pools whose classes nobody knows are left
/// out.
pub(super) fn refusals(cluster: &Value, answers: &LookupAnswers, clouds: &[Refuses]) -> Vec<Problem> {
    let Some(source) = cluster["spec"]["cluster"]["source"].as_str().and_then(CloudSource::of) else {
        return Vec::new();
    };
    let is_known =
        |pool: &Pool<'_>| answers.get(&read::class_lookup(pool.class)).is_some_and(|found| !found.is_empty());
    let known: Vec<Pool<'_>> = pools::of(cluster).into_iter().filter(is_known).collect();
    let mut composite = cluster.clone();
    composite["spec"]["nodePools"] = known.iter().map(|pool| pool.fields.clone()).collect();
    if let Some(spec) = composite["spec"].as_object_mut().filter(|_| known.is_empty()) {
        spec.remove("nodePools"); // no cluster has an empty list
    }
    let classes = known.iter().map(|pool| read::class_lookup(pool.class));
    let classes = classes.filter_map(|lookup| Some((lookup.clone(), answers.get(&lookup)?.clone())));
    let request =
        ComposeRequest { composite: Some(composite.into()), lookups: by_key(classes), ..ComposeRequest::default() };
    let inputs = read::observed(&request).and_then(|observed| read::read(&request, &observed));
    // What cannot be read is refused by the schema, and what has no block too.
    let is_whole = |inputs: &FleetInputs| !matches!(inputs.stop, Some(Stop::NoBlock | Stop::Classes { .. }));
    let Some(made) = inputs.ok().filter(is_whole).and_then(|inputs| cloud_cluster(&inputs)) else { return Vec::new() };
    let refuses = clouds.iter().filter(|(of, _)| *of == source.source);
    let refused = refuses.flat_map(|(_, refuses)| refuses(made.object()));
    // Without any known pool nothing is said of pools.
    let is_of_none = |problem: &Problem| known.is_empty() && problem.path.starts_with(POOLS);
    refused.filter(|it| !is_of_none(it)).map(|problem| written(&problem, source, &known)).collect()
}

/// A problem of the cloud's cluster, where the cluster that becomes it says what is wrong.
fn written(problem: &Problem, source: &CloudSource, pools: &[Pool<'_>]) -> Problem {
    let mut segments = path::segments(&problem.path).skip(2);
    let (pool, field) = match (segments.next(), segments.next()) {
        (Some(Segment::Index(index)), Some(Segment::Key(field))) => (pools.get(index), field),
        _ => (None, ""),
    };
    // An API server repeats the path in the message.
    let renamed = |path: &str| problem.message.replace(&problem.path, path);
    let (path, message) = match pool {
        Some(pool) if OWN.contains(&field) => {
            let (_, rest) = problem.path.split_once(']').unwrap_or_default();
            let path = format!("{}{rest}", pool.path());
            let called = format!("pool `{}`", pool.name);
            let message = Some(renamed(&path)).filter(|it| it.contains(&called));
            let message = message.unwrap_or_else(|| format!("{called}: {}", renamed(&path)));
            (path, message)
        }
        Some(pool) => {
            let message = format!("`{field}` of InferenceClass `{}` makes no pool: {}", pool.class, renamed(field));
            (path::join(&pool.path(), "className"), message)
        }
        None if problem.path.starts_with(POOLS) => (problem.path.clone(), problem.message.clone()),
        None => {
            let of_cloud = problem.path.strip_prefix("spec").unwrap_or_default();
            let path = format!("spec.cluster.{}{of_cloud}", source.block);
            let message = renamed(&path);
            (path, message)
        }
    };
    // What would be right there is no edit of this object.
    Problem::new(path, problem.code, message)
}
