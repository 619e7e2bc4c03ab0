//! Makes the Objects from the tables of rules. It computes no value.

use toolbox::composed::Composed;
use toolbox::observed::Observed;
use toolbox::rule::Plan;

use super::derive::{CacheCopy, CacheInputs, StagedCluster, Token};
use super::spec::CachePhase;
use crate::modelplane::resources::{JOBS, PERSISTENT_VOLUME_CLAIMS, SECRETS, kind};
use crate::modelplane::wrap::{WrappedReady, Wrapping};
use toolbox::held::{HELD, HELD_WITH_TOKEN, held_by};

/// A query about the readiness of the volume.
const BOUND: &str = "object.status.phase == \"Bound\"";
/// A query about the readiness of the download.
const COMPLETE: &str = "object.status.conditions.exists(c, c.type == \"Complete\" && c.status == \"True\")";

/// What a cache has on a cluster.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Part {
    /// The volume.
    Volume,
    /// The token for the download.
    Token,
    /// The download.
    Download,
}

impl Part {
    pub(super) const ALL: [Self; 3] = [Self::Volume, Self::Token, Self::Download];

    /// The start of the composition resource name, before the name of the cluster.
    fn prefix(self) -> &'static str {
        match self {
            Self::Volume => "pvc-",
            Self::Token => "auth-",
            Self::Download => "hydrate-",
        }
    }
}

/// The composition resource name of a part on a cluster.
pub(super) fn key(part: Part, cluster: &str) -> String {
    format!("{}{cluster}", part.prefix())
}

/// The name of the cluster in the composition resource name of a part.
pub(super) fn cluster_of(key: &str) -> Option<&str> {
    Part::ALL.iter().find_map(|part| key.strip_prefix(part.prefix())).filter(|name| !name.is_empty())
}

/// The Objects on all clusters. What is held is as it is observed.
pub(super) fn resources(inputs: &CacheInputs, observed: &Observed<'_>) -> Vec<Composed> {
    let refused = !inputs.resolved || inputs.refusal().is_some();
    let on = |cluster: &StagedCluster| {
        if refused || cluster.is_held {
            as_observed(cluster, observed)
        } else {
            wanted(&CacheCopy { of: inputs, on: cluster })
        }
    };
    inputs.clusters.iter().flat_map(on).collect()
}

fn as_observed(cluster: &StagedCluster, observed: &Observed<'_>) -> Vec<Composed> {
    let held = |part: &Part| {
        let key = key(*part, &cluster.name);
        let rules = if *part == Part::Token { HELD_WITH_TOKEN } else { HELD };
        observed.get(&key).map(|object| held_by(rules, &key, object))
    };
    Part::ALL.iter().filter_map(held).collect()
}

/// The Objects that a cluster should have. Token and download are needed until the weights are there.
fn wanted(copy: &CacheCopy<'_>) -> Vec<Composed> {
    let is_needed = |part: &Part| {
        let downloads = copy.on.phase != CachePhase::Ready;
        match part {
            Part::Volume => true,
            Part::Token => downloads && matches!(copy.of.token, Token::Present(_)),
            Part::Download => downloads && !matches!(copy.of.token, Token::Missing),
        }
    };
    Part::ALL.iter().filter(|part| is_needed(part)).map(|part| object(*part, copy)).collect()
}

fn object(part: Part, copy: &CacheCopy<'_>) -> Composed {
    let (resource, rules, ready) = match part {
        Part::Volume => (PERSISTENT_VOLUME_CLAIMS, CacheCopy::VOLUME, WrappedReady::Query(BOUND)),
        Part::Token => (SECRETS, CacheCopy::SECRET, WrappedReady::Unstated),
        Part::Download => (JOBS, CacheCopy::DOWNLOAD, WrappedReady::Query(COMPLETE)),
    };
    let manifest = Plan::of_kind(kind(&resource)).each(rules, copy).each(CacheCopy::COMMON, copy);
    let object = Wrapping { provider_config: &copy.on.provider_config, ready }.around(Wrapping::ON_SELECTED, manifest);
    let object = if part == Part::Download { object.each(CacheCopy::DOWNLOAD_OBJECT, copy) } else { object };
    Composed::new(key(part, &copy.on.name), object)
}
