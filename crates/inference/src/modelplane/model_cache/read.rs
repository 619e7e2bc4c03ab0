//! Reads a request into the inputs of the rules: the clusters, the token, and how far each download is.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use contract::compose::ComposeRequest;
use contract::types::{Cause, Code, Fault, Problem, Selector};
use serde_json::Value;
use toolbox::builders::selectors::{lookup_all, lookup_of};
use toolbox::entries::{by_key, set};
use toolbox::observed::Observed;
use toolbox::path;
use toolbox::validation::Validator;

use super::derive::{CacheInputs, StagedCluster, Token};
use super::phase::phase;
use super::render::{Part, cluster_of, key};
use super::spec::{HuggingFaceSource, ModelCacheSpec};
use crate::modelplane::cluster::Cluster;
use crate::modelplane::lookups::{Answer, Source};
use crate::modelplane::resources::{INFERENCE_CLUSTERS, SECRETS, kind};
use crate::modelplane::subject::Subject;

/// The lookup of the clusters.
const CLUSTERS: &str = "clusters";
/// The lookup of the Secret with the token.
const SECRET: &str = "auth-secret";

/// The definition of the kind, which validates composites.
pub(super) fn definition() -> &'static Validator {
    static DEFINITION: LazyLock<Validator> = LazyLock::new(|| Validator::read(include_str!("definition.json")));
    &DEFINITION
}

/// The lookups of a cache: the selected clusters, and the Secret if there is one.
pub(super) fn lookups(cache: &Subject<ModelCacheSpec>) -> BTreeMap<String, Selector> {
    let labels = cache.spec.cluster_selector.iter().flat_map(|selector| &selector.match_labels).flatten();
    let labels: Vec<_> = labels.map(|(key, value)| (key.as_str(), value.as_str())).collect();
    let mut lookups = BTreeMap::new();
    lookups.insert(CLUSTERS.to_owned(), lookup_all(kind(&INFERENCE_CLUSTERS), None, &labels));
    if let Some(secret) = cache.spec.hugging_face.as_ref().and_then(|source| source.auth_secret.as_ref()) {
        lookups.insert(SECRET.to_owned(), lookup_of(kind(&SECRETS), Some(&cache.namespace), &secret.name));
    }
    lookups
}

/// Reads the composed resources of a request.
pub(super) fn observed(request: &ComposeRequest) -> Result<Observed<'_>, Fault> {
    Observed::of(request, |key| cluster_of(key).is_some())
}

/// Reads the inputs.
pub(super) fn read(request: &ComposeRequest, observed: &Observed<'_>) -> Result<CacheInputs, Fault> {
    let cache: Subject<ModelCacheSpec> = Subject::read(request, definition())?;
    let Some(source) = cache.spec.hugging_face.clone() else {
        let message = "missing: the source is `HuggingFace`, and this says which repository";
        return Err(Fault::new(Cause::Composite, Problem::new("spec.huggingFace", Code::Required, message)));
    };
    let answer = Answer::of(request, CLUSTERS);
    let token = token(&source, Answer::of(request, SECRET));
    let before = phases(request.composite()?);
    let staged = |name: &str, cluster: Option<&Cluster<'_>>| {
        let has = |part: &Part| observed.has(&key(*part, name));
        let cluster = cluster.filter(|it| !it.provider_config.is_empty() && !it.storage_class.is_empty());
        // What is not there yet cannot be held.
        (cluster.is_some() || Part::ALL.iter().any(has)).then(|| StagedCluster {
            name: name.to_owned(),
            provider_config: cluster.map(|it| it.provider_config.to_owned()).unwrap_or_default(),
            storage_class: cluster.map(|it| it.storage_class.to_owned()).unwrap_or_default(),
            phase: phase(
                observed.get(&key(Part::Volume, name)),
                observed.get(&key(Part::Download, name)),
                before.get(name).copied(),
            ),
            is_begun: has(&Part::Volume),
            is_held: cluster.is_none(),
        })
    };
    let mut clusters = Vec::new();
    for object in answer.all() {
        let text = Source::of(object);
        clusters.extend(Cluster::read(&text).and_then(|cluster| staged(cluster.name, Some(&cluster))));
    }
    let is_matched = !clusters.is_empty();
    if answer.all().is_empty() {
        // Nobody knows a cluster at the moment, which is no reason to delete weights.
        let names = set(observed.iter().filter_map(|(key, _)| cluster_of(key)));
        clusters.extend(names.into_iter().filter_map(|name| staged(name, None)));
    }
    let resolved = answer.is_resolved() && token.is_some();
    let token = token.unwrap_or(Token::Missing);
    Ok(CacheInputs { cache, source, token, clusters, is_matched, resolved })
}

/// The token. `None` when nobody has looked for the Secret yet.
fn token(source: &HuggingFaceSource, answer: Answer<'_>) -> Option<Token> {
    let Some(secret) = &source.auth_secret else { return Some(Token::NotNeeded) };
    if !answer.is_resolved() {
        return None;
    }
    let object = answer.first().and_then(|object| object.object().ok());
    let token = object.and_then(|object| object["data"].get(&secret.key)?.as_str()).filter(|token| !token.is_empty());
    Some(token.map_or(Token::Missing, |token| Token::Present(token.to_owned())))
}

/// What the status of the composite says about each cluster.
fn phases(composite: &Value) -> BTreeMap<&str, &str> {
    let rows = path::get(composite, "status.clusters").and_then(Value::as_array).into_iter().flatten();
    let rows = rows.filter_map(|row| Some((row["name"].as_str()?, row["phase"].as_str()?)));
    by_key(rows)
}
