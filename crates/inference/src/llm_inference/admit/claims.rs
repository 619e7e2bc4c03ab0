//! Claims of composites on target clusters: what only one composite can have there.

use std::collections::BTreeMap;

use serde::Deserialize;

use super::super::options::{LlmInferenceOptions, ProviderConfigKind};
use super::super::read;
use contract::admit::LookupAnswers;
use contract::types::{Code, Edit, Problem};
use contract::types::{KindRef, MatchBy, ObservedObject, Selector};
use toolbox::{fields, resources};

/// Name of the lookup of all composites.
pub(super) const COMPOSITES: &str = "composites";
/// Name of the lookup of the configurations that a composite may reference.
pub(super) const PROVIDER_CONFIGS: &str = "provider-configs";

/// The fields that are read from a composite. They were validated when it was stored.
#[derive(Default, Deserialize)]
#[serde(default)]
pub(super) struct Composite<'a> {
    #[serde(borrow, deserialize_with = "fields::field")]
    metadata: Metadata<'a>,
    #[serde(borrow, deserialize_with = "fields::field")]
    spec: ClaimSpec<'a>,
}

#[derive(Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
struct Metadata<'a> {
    #[serde(deserialize_with = "fields::field")]
    name: &'a str,
    #[serde(deserialize_with = "fields::field")]
    namespace: &'a str,
    #[serde(deserialize_with = "fields::field")]
    deletion_timestamp: &'a str,
}

#[derive(Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
struct ClaimSpec<'a> {
    #[serde(deserialize_with = "fields::field")]
    provider_config_kind: &'a str,
    #[serde(deserialize_with = "fields::field")]
    provider_config_name: &'a str,
    #[serde(deserialize_with = "fields::field")]
    target_namespace: &'a str,
    #[serde(deserialize_with = "fields::field")]
    ingress_host: &'a str,
}

/// The fields that are read from a provider configuration.
#[derive(Default, Deserialize)]
#[serde(default)]
struct Configuration<'a> {
    #[serde(borrow, deserialize_with = "fields::field")]
    metadata: Metadata<'a>,
}

/// The claims of a composite.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Claims<'a> {
    namespace: &'a str,
    name: &'a str,
    cluster: Cluster<'a>,
    target_namespace: &'a str,
    host: Option<&'a str>,
    is_deleted: bool,
}

/// A target cluster, identified by its provider configuration.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Cluster<'a> {
    kind: ProviderConfigKind,
    /// Namespace of the configuration. Empty for cluster-scoped ones.
    namespace: &'a str,
    name: &'a str,
}

impl<'a> Claims<'a> {
    /// The claims of `composite`, with the platform's `options`.
    pub(super) fn of(composite: &Composite<'a>, options: &LlmInferenceOptions) -> Self {
        let Composite { metadata, spec } = composite;
        let namespace = metadata.namespace;
        let kind = ProviderConfigKind::named(spec.provider_config_kind).unwrap_or(options.provider_config_kind);
        let cluster = Cluster {
            kind,
            namespace: if kind == ProviderConfigKind::ProviderConfig { namespace } else { "" },
            name: spec.provider_config_name,
        };
        Self {
            namespace,
            name: metadata.name,
            cluster,
            target_namespace: Some(spec.target_namespace).filter(|text| !text.is_empty()).unwrap_or(namespace),
            host: Some(spec.ingress_host).filter(|text| !text.is_empty()),
            is_deleted: !metadata.deletion_timestamp.is_empty(),
        }
    }

    /// The lookups that judging them needs.
    pub(super) fn lookups(&self) -> BTreeMap<String, Selector> {
        let all = |kind, namespace| Selector { kind, match_by: MatchBy::Labels(BTreeMap::new()), namespace };
        let composites =
            KindRef { api_version: read::COMPOSITES.api_version.to_owned(), kind: read::COMPOSITES.kind.to_owned() };
        let configs =
            KindRef { api_version: resources::OBJECT.0.to_owned(), kind: self.cluster.kind.as_str().to_owned() };
        let within = Some(self.cluster.namespace).filter(|namespace| !namespace.is_empty()).map(str::to_owned);
        BTreeMap::from([
            (COMPOSITES.to_owned(), all(composites, None)),
            (PROVIDER_CONFIGS.to_owned(), all(configs, within)),
        ])
    }

    /// Only the lookup of composites.
    pub(super) fn lookups_of_composites(&self) -> BTreeMap<String, Selector> {
        let mut lookups = self.lookups();
        lookups.retain(|name, _| name == COMPOSITES);
        lookups
    }

    /// Judges the claims that are new. Claims that the `old` object had too are not judged.
    pub(super) fn judge(
        &self,
        old: Option<&Claims<'_>>,
        options: &LlmInferenceOptions,
        answers: &LookupAnswers,
    ) -> Judged {
        let mut found = Judged::default();
        if old.is_none_or(|old| old.cluster != self.cluster) {
            self.judge_cluster(answers, &mut found);
        }
        let moved = old.is_none_or(|old| old.objects() != self.objects());
        let host = self.host.filter(|_| old.is_none_or(|old| (&old.cluster, &old.host) != (&self.cluster, &self.host)));
        if !moved && host.is_none() {
            return found;
        }
        let Some(composites) = answers.get(COMPOSITES) else {
            found.unjudged.extend(moved.then(|| self.whether_composed()));
            found.unjudged.extend(host.map(|host| format!("whether another LLMInference has host `{host}`")));
            return found;
        };
        let others = |text| self.others(composites, text, options);
        if let Some(other) = others(self.name).into_iter().find(|other| moved && other.objects() == self.objects()) {
            found.denials.push(self.same_objects(&other));
        }
        let Some(host) = host else { return found };
        let mut rivals = others(host);
        rivals.retain(|other| other.host == self.host && !other.is_deleted);
        match rivals.iter().find(|other| other.cluster == self.cluster) {
            Some(other) => found.denials.push(same_host(host, other)),
            None => found.warnings.extend(rivals.first().map(|other| {
                format!(
                    "host `{host}` is also that of {other} on {}: its name can only resolve to one of them",
                    other.cluster
                )
            })),
        }
        found
    }

    /// For a deletion: warnings about other composites that compose the same objects, which are deleted with this one, and
    /// what could not be judged.
    pub(super) fn sharing(&self, options: &LlmInferenceOptions, answers: &LookupAnswers) -> (Vec<String>, Vec<String>) {
        let Some(composites) = answers.get(COMPOSITES) else { return (Vec::new(), vec![self.whether_composed()]) };
        let others = self.others(composites, self.name, options).into_iter();
        let warning = |other: Claims<'_>| {
            format!(
                "{other} composes the same objects, `{}` on {}: its model server goes away with this one",
                self.objects_named(),
                self.cluster,
            )
        };
        (others.filter(|other| other.objects() == self.objects()).map(warning).collect(), Vec::new())
    }

    fn whether_composed(&self) -> String {
        format!("whether another LLMInference composes `{}`", self.objects_named())
    }

    fn judge_cluster(&self, answers: &LookupAnswers, found: &mut Judged) {
        let Cluster { kind, name, .. } = &self.cluster;
        if name.is_empty() {
            return; // the schema refuses it
        }
        let Some(configs) = answers.get(PROVIDER_CONFIGS) else {
            found.unjudged.push(format!("whether there is a {} `{name}`", kind.as_str()));
            return;
        };
        let read = configs.iter().filter_map(|config| fields::read::<Configuration<'_>>(config).ok());
        let mut known: Vec<_> = read.map(|config| config.metadata.name).filter(|name| !name.is_empty()).collect();
        known.sort_unstable();
        if known.contains(name) {
            return;
        }
        let place = match self.cluster.namespace {
            "" => String::new(),
            namespace => format!(" in namespace `{namespace}`"),
        };
        let advice = match known.as_slice() {
            [] => "there is none yet: create it first".to_owned(),
            known => {
                format!("known are {}", known.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", "))
            }
        };
        let message = format!("no {} `{name}`{place}; {advice}", kind.as_str());
        let problem = Problem::new("spec.providerConfigName", Code::NotFound, message);
        found.denials.push(match quantity::nearest(known.iter().copied(), name) {
            Some(near) => problem.with_fix(Edit::Replace(near.into())),
            None => problem,
        });
    }

    /// The claims of the other composites that may contain `text`, sorted by namespace and name.
    fn others<'o>(
        &self,
        composites: &'o [ObservedObject],
        text: &str,
        options: &LlmInferenceOptions,
    ) -> Vec<Claims<'o>> {
        let concerned = composites.iter().filter(|composite| composite.may_mention(text));
        let read = concerned.filter_map(|composite| fields::read(composite).ok());
        let claims = read.map(|composite| Claims::of(&composite, options));
        let mut others: Vec<_> =
            claims.filter(|other| (other.namespace, other.name) != (self.namespace, self.name)).collect();
        others.sort_by_key(|other| (other.namespace, other.name));
        others
    }

    /// The identity of the objects on the target cluster.
    fn objects(&self) -> (&Cluster<'a>, &'a str, &'a str) {
        (&self.cluster, self.target_namespace, self.name)
    }

    fn objects_named(&self) -> String {
        format!("{}/{}", self.target_namespace, self.name)
    }

    fn same_objects(&self, other: &Claims<'_>) -> Problem {
        let message = format!(
            "{other} composes `{}` on {} already; choose another name, or another `targetNamespace`",
            self.objects_named(),
            self.cluster,
        );
        Problem::new("metadata.name", Code::Duplicate, message)
    }
}

/// The result of judging claims.
#[derive(Debug, Default)]
pub(super) struct Judged {
    pub(super) denials: Vec<Problem>,
    pub(super) warnings: Vec<String>,
    /// What could not be judged, to follow "not looked up: ".
    pub(super) unjudged: Vec<String>,
}

fn same_host(host: &str, other: &Claims<'_>) -> Problem {
    let message = format!("host `{host}` is that of {other} on the same cluster already; choose another host");
    Problem::new("spec.ingressHost", Code::Duplicate, message)
}

impl std::fmt::Display for Claims<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "LLMInference `{}/{}`", self.namespace, self.name)
    }
}

impl std::fmt::Display for Cluster<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} `{}`", self.kind.as_str(), self.name)
    }
}
