//! Reads a request: the deployment by the definition of its kind, what it looks up, and what is composed already.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

use contract::compose::ComposeRequest;
use contract::types::{Fault, MatchBy, ObservedObject, Selector};
use schedule::{Accounting, Effect, Strategy, Toleration};
use serde_json::Value;
use toolbox::builders::selectors::{lookup_all, lookup_of};
use toolbox::entries::{by_key, set};
use toolbox::observed::Observed;
use toolbox::path;
use toolbox::validation::Validator;

use super::spec::{DeploymentSpec, DeploymentToleration, ReplicaTemplate, ToleratedEffect, TolerationOperator};
use crate::modelplane::lookups::Answer;
use crate::modelplane::options::{CachePlacement, PoolAccounting, ReplicaPlacement};
use crate::modelplane::resources::{
    INFERENCE_CLASSES, INFERENCE_CLUSTERS, MODEL_CACHES, MODEL_DEPLOYMENTS, MODEL_REPLICAS, kind,
};
use crate::modelplane::scheduling::classes::{self, ClassTerms};
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
    /// The classes of their pools, if it asks for them.
    pub(super) classes: Option<ClassTerms>,
    /// All replicas on the control plane.
    pub(super) replicas: Answer<'a>,
    /// The replicas and endpoints that are composed already.
    pub(super) observed: Observed<'a>,
    /// The same before they are parsed.
    pub(super) composed: Vec<(&'a str, &'a ObservedObject)>,
    /// Whether somebody is told what is against the clusters. Otherwise nobody collects it: there may be a thousand.
    pub(super) tells: bool,
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

impl Conflict {
    /// What is wrong, in words.
    pub(super) fn message(&self) -> String {
        let Self { key, wanted, cached } = self;
        format!(
            "no cluster has both label {key}={wanted}, which the deployment selects, and {key}={cached}, which its ModelCache \
             selects"
        )
    }
}

/// The definition of the kind, which validates composites.
pub(super) fn definition() -> &'static Validator {
    static DEFINITION: LazyLock<Validator> = LazyLock::new(|| Validator::read(include_str!("definition.json")));
    &DEFINITION
}

/// Reads a request.
pub(super) fn read(request: &ComposeRequest) -> Result<DeploymentRead<'_>, Fault> {
    let deployment = Deployment::read_shaped(MODEL_DEPLOYMENTS.kind, request, definition(), of_mixture)?;
    // What an earlier step desires is its own, so it is not held.
    let ours = |key: &str| keys::is_ours(key) && !request.desired.resources.contains_key(key);
    let composed = request.observed.iter().filter(|(key, _)| ours(key));
    Ok(DeploymentRead {
        cache: CacheState::of(request, &deployment),
        clusters: Answer::of(request, CLUSTERS),
        classes: (!deployment.written.terms.is_empty())
            .then(|| ClassTerms::read(request, Answer::of(request, CLUSTERS).all())),
        replicas: Answer::of(request, REPLICAS),
        composed: composed.map(|(key, object)| (key.as_str(), object)).collect(),
        observed: Observed::of(request, ours)?,
        tells: deployment.options.modelplane.is_full() || request.explain,
        deployment,
    })
}

/// The spec of a deployment that is a mixture of shapes: nothing but its number of replicas. All of them are held.
fn of_mixture(composite: &Value) -> Option<DeploymentSpec> {
    let replicas = composite["spec"]["replicas"].as_u64().and_then(|replicas| replicas.try_into().ok());
    Some(DeploymentSpec { replicas: replicas.unwrap_or_default(), template: ReplicaTemplate::default() })
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
            written: Some(&self.written),
            strategy: match self.options.modelplane.placement {
                ReplicaPlacement::FirstFit => Strategy::FirstFit,
                ReplicaPlacement::Complete => Strategy::Complete,
            },
            accounting: match self.options.modelplane.accounting {
                PoolAccounting::Nodes => Accounting::Nodes,
                PoolAccounting::Devices => Accounting::Devices,
            },
            selectors: self.options.modelplane.selectors,
            terms: None,
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
    /// What the deployment asks the scheduler for. With its cache, new replicas may need the weights. Nothing new is placed while
    /// nobody knows which clusters fit the cache.
    pub(super) fn asked(&self) -> Asked<'_> {
        let staged = match (&self.cache, self.deployment.options.modelplane.cache_placement) {
            (CacheState::Unresolved | CacheState::Absent, _) => Some(BTreeSet::new()),
            (CacheState::Present(_), _) if self.conflict().is_some() => Some(BTreeSet::new()),
            (CacheState::Present(cache), CachePlacement::Staged) => Some(cache.staged.clone()),
            (CacheState::None | CacheState::Present(_), _) => None,
        };
        let terms = self.classes.as_ref().map(|classes| (self.deployment.written.terms.as_slice(), classes));
        Asked { staged, terms, ..self.deployment.asked() }
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
        let classes = self.classes.iter().flat_map(ClassTerms::names);
        let classes = classes.map(|name| (classes::lookup(name), lookup_of(kind(&INFERENCE_CLASSES), None, name)));
        let named = cache.into_iter().chain(all).map(|(name, selector)| (name.to_owned(), selector));
        by_key(named.chain(classes))
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
            Answer::Present(found) => match found.first().map(ObservedObject::object) {
                Some(Ok(cache)) => Self::Present(PresentCache::of(cache)),
                _ => Self::Absent,
            },
        }
    }
}

impl<'a> PresentCache<'a> {
    /// Parsed as a whole, because there is one of them.
    fn of(cache: &'a Value) -> Self {
        let labels = path::get(cache, "spec.clusterSelector.matchLabels").and_then(Value::as_object);
        let labels = labels.into_iter().flatten().filter_map(|(key, value)| Some((key.as_str(), value.as_str()?)));
        let clusters = path::get(cache, "status.clusters").and_then(Value::as_array).into_iter().flatten();
        let ready =
            clusters.filter(|cluster| cluster["phase"] == "Ready").filter_map(|cluster| cluster["name"].as_str());
        Self { labels: by_key(labels), staged: set(ready) }
    }
}
