//! Reads a request: the deployment by the definition of its kind, what it looks up, and what is composed already.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

use contract::compose::ComposeRequest;
use contract::types::{Fault, MatchBy, ObservedObject, Selector};
use schedule::{Effect, Strategy, Toleration};
use serde::Deserialize;
use toolbox::builders::selectors::{lookup_all, lookup_of};
use toolbox::fields::{self, field, list, map};
use toolbox::observed::Observed;
use toolbox::validation::Validator;

use super::spec::{DeploymentSpec, DeploymentToleration, ToleratedEffect, TolerationOperator};
use crate::modelplane::lookups::Answer;
use crate::modelplane::options::{CachePlacement, ReplicaPlacement};
use crate::modelplane::resources::{INFERENCE_CLUSTERS, MODEL_CACHES, MODEL_REPLICAS, kind};
use crate::modelplane::scheduling::keys;
use crate::modelplane::scheduling::place::Asked;
use crate::modelplane::subject::Subject;

/// Name of the lookup of the ModelCache.
pub(super) const CACHE: &str = "cache";
/// Name of the lookup of clusters.
pub(super) const CLUSTERS: &str = "clusters";
/// Name of the lookup of the replicas of all deployments.
pub(super) const REPLICAS: &str = "all-replicas";

/// A deployment.
pub(super) type Deployment = Subject<DeploymentSpec>;

/// What a request says.
pub(super) struct DeploymentRead<'a> {
    /// The deployment.
    pub(super) deployment: Deployment,
    /// The cache of its replicas.
    pub(super) cache: CacheState<'a>,
    /// The clusters that it may use.
    pub(super) clusters: Answer<'a>,
    /// All replicas on the control plane.
    pub(super) replicas: Answer<'a>,
    /// The replicas and endpoints that are composed already.
    pub(super) observed: Observed<'a>,
    /// The same before they are parsed.
    pub(super) composed: Vec<(&'a str, &'a ObservedObject)>,
}

/// The state of the cache of a deployment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum CacheState<'a> {
    /// The deployment has none.
    None,
    /// It was not looked up yet.
    Unresolved,
    /// It does not exist.
    Absent,
    /// It exists.
    Present(PresentCache<'a>),
}

/// A cache that exists.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct PresentCache<'a> {
    /// Labels of the clusters that it selects.
    labels: BTreeMap<&'a str, &'a str>,
    /// The clusters that have its weights.
    staged: BTreeSet<&'a str>,
}

/// A label for which the selectors of deployment and cache want different values.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Conflict {
    /// The key of the label.
    pub(super) key: String,
    /// The value that the deployment wants.
    pub(super) wanted: String,
    /// The value that the cache wants.
    pub(super) cached: String,
}

/// The definition of the kind, which validates composites.
pub(super) fn definition() -> &'static Validator {
    static DEFINITION: LazyLock<Validator> = LazyLock::new(|| Validator::read(include_str!("definition.json")));
    &DEFINITION
}

/// Reads a request.
pub(super) fn read(request: &ComposeRequest) -> Result<DeploymentRead<'_>, Fault> {
    let deployment = Deployment::read(request, definition())?;
    // What an earlier step desires is its own, so it is not held.
    let ours = |key: &str| keys::is_ours(key) && !request.desired.resources.contains_key(key);
    let composed = request.observed.iter().filter(|(key, _)| ours(key));
    Ok(DeploymentRead {
        cache: CacheState::of(request, &deployment),
        clusters: Answer::of(request, CLUSTERS),
        replicas: Answer::of(request, REPLICAS),
        composed: composed.map(|(key, object)| (key.as_str(), object)).collect(),
        observed: Observed::of(request, ours)?,
        deployment,
    })
}

impl Deployment {
    /// What it asks the scheduler for, whatever its cache.
    fn asked(&self) -> Asked<'_> {
        let spec = &self.spec.template.spec;
        Asked {
            name: &self.name,
            namespace: &self.namespace,
            replicas: self.spec.replicas,
            tolerations: spec.tolerations.iter().flatten().map(tolerated).collect(),
            engines: &spec.engines,
            strategy: match self.options.modelplane.placement {
                ReplicaPlacement::FirstFit => Strategy::FirstFit,
                ReplicaPlacement::Complete => Strategy::Complete,
            },
            selectors: self.options.modelplane.selectors,
            staged: None,
        }
    }
}

fn tolerated(toleration: &DeploymentToleration) -> Toleration {
    let text = |text: &Option<String>| text.clone().unwrap_or_default();
    Toleration {
        key: text(&toleration.key),
        exists: toleration.operator == TolerationOperator::Exists,
        value: text(&toleration.value),
        effect: toleration.effect.map(|effect| match effect {
            ToleratedEffect::NoSchedule => Effect::NoSchedule,
            ToleratedEffect::NoExecute => Effect::NoExecute,
        }),
    }
}

impl DeploymentRead<'_> {
    /// What the deployment asks the scheduler for. With its cache, new replicas may need the weights.
    pub(super) fn asked(&self) -> Asked<'_> {
        let staged = match (&self.cache, self.deployment.options.modelplane.cache_placement) {
            (CacheState::Present(cache), CachePlacement::Staged) => Some(cache.staged.clone()),
            _ => None,
        };
        Asked { staged, ..self.deployment.asked() }
    }

    /// Everything that the deployment looks up.
    pub(super) fn lookups(&self) -> BTreeMap<String, Selector> {
        let spec = &self.deployment.spec.template.spec;
        let cache = spec
            .model_cache_ref
            .as_ref()
            .map(|cache| (CACHE, lookup_of(kind(&MODEL_CACHES), Some(&self.deployment.namespace), &cache.name)));
        let clusters =
            Selector { match_by: MatchBy::Labels(self.selector()), ..lookup_all(kind(&INFERENCE_CLUSTERS), None, &[]) };
        let all = [(CLUSTERS, clusters), (REPLICAS, lookup_all(kind(&MODEL_REPLICAS), None, &[]))];
        cache.into_iter().chain(all).map(|(name, selector)| (name.to_owned(), selector)).collect()
    }

    /// The labels of clusters that the deployment and its cache select. Where they conflict, those of the cache.
    fn selector(&self) -> BTreeMap<String, String> {
        let mut labels = self.own_labels().cloned().unwrap_or_default();
        if let CacheState::Present(of_cache) = &self.cache {
            labels.extend(of_cache.labels.iter().map(|(key, value)| ((*key).to_owned(), (*value).to_owned())));
        }
        labels
    }

    /// The first label for which the selectors of deployment and cache want different values, so that no cluster has both.
    pub(super) fn conflict(&self) -> Option<Conflict> {
        let CacheState::Present(of_cache) = &self.cache else { return None };
        let differs = |(key, cached): (&&str, &&str)| {
            let wanted = self.own_labels()?.get(*key).filter(|wanted| wanted != cached)?;
            Some(Conflict { key: (*key).to_owned(), wanted: wanted.clone(), cached: (*cached).to_owned() })
        };
        of_cache.labels.iter().find_map(differs)
    }

    fn own_labels(&self) -> Option<&BTreeMap<String, String>> {
        self.deployment.spec.template.spec.cluster_selector.as_ref()?.match_labels.as_ref()
    }
}

impl<'a> CacheState<'a> {
    fn of(request: &'a ComposeRequest, deployment: &Deployment) -> Self {
        if deployment.spec.template.spec.model_cache_ref.is_none() {
            return Self::None;
        }
        match Answer::of(request, CACHE) {
            Answer::Unresolved => Self::Unresolved,
            Answer::Absent => Self::Absent,
            // A cache that cannot be read counts as missing: which clusters have its weights is unknown.
            Answer::Present(found) => match found.first().map(fields::read::<ReadCache<'_>>) {
                Some(Ok(ReadCache { spec, status })) => {
                    let ready = status.clusters.into_iter().filter(|cluster| cluster.phase == "Ready");
                    let staged = ready.map(|cluster| cluster.name).collect();
                    Self::Present(PresentCache { labels: spec.cluster_selector.match_labels, staged })
                }
                _ => Self::Absent,
            },
        }
    }
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct ReadCache<'a> {
    #[serde(borrow, deserialize_with = "field")]
    spec: ReadCacheSpec<'a>,
    #[serde(borrow, deserialize_with = "field")]
    status: ReadCacheStatus<'a>,
}

#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct ReadCacheSpec<'a> {
    #[serde(borrow, deserialize_with = "field")]
    cluster_selector: ReadCacheClusters<'a>,
}

#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct ReadCacheClusters<'a> {
    #[serde(borrow, deserialize_with = "map")]
    match_labels: BTreeMap<&'a str, &'a str>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct ReadCacheStatus<'a> {
    #[serde(borrow, deserialize_with = "list")]
    clusters: Vec<ReadCacheCluster<'a>>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct ReadCacheCluster<'a> {
    #[serde(deserialize_with = "field")]
    name: &'a str,
    #[serde(deserialize_with = "field")]
    phase: &'a str,
}
