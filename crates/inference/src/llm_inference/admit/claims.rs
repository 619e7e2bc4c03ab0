//! Claims of composites on target clusters: what only one composite can have there.

use std::collections::BTreeMap;

use serde::Deserialize;

use super::super::options::{LlmInferenceOptions, ProviderConfigKind};
use super::super::read::COMPOSITES;
use contract::admit::LookupAnswers;
use contract::catalog::Index;
use contract::types::{Code, Edit, ObservedObject, Problem, Selector};
use quantity::order::sorted_by_key;
use toolbox::builders::selectors::{lookup_all, lookup_by, lookup_of};
use toolbox::entries::by_key;
use toolbox::{fields, resources};

/// What composites are found by, sorted by name.
pub(in super::super) const FOUND_BY: &[Index] = &[HOST, OBJECTS];

/// Their host, and where it is.
const HOST: Index = Index {
    name: "host",
    parts: &[&["/spec/ingressHost"], &["/spec/providerConfigName"], &["/spec/providerConfigKind"]],
};

/// What they compose on a target cluster.
const OBJECTS: Index = Index {
    name: "objects",
    parts: &[
        &["/spec/providerConfigName"],
        &["/spec/providerConfigKind"],
        &["/spec/targetNamespace", "/metadata/namespace"],
        &["/metadata/name"],
    ],
};

/// The lookup of the target cluster's configuration.
pub(super) const CONFIG: &str = "config";
/// The lookup of those that there are, when it is not among them.
pub(super) const KNOWN_CONFIGS: &str = "known-configs";
/// The lookup of composites that compose the same objects.
pub(super) const SAME_OBJECTS: &str = "same-objects";
/// The lookup of composites with the same host on the same cluster.
pub(super) const SAME_HOST: &str = "same-host";
/// The lookup of composites with the same host on any cluster.
pub(super) const HOST_ANYWHERE: &str = "same-host-anywhere";

/// The most configurations that a message lists.
const KNOWN: u32 = 100;
/// The most composites with the same claim that are looked at. One is enough, but some may be about to go away.
const RIVALS: u32 = 10;

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
    cluster: TargetCluster<'a>,
    target_namespace: &'a str,
    host: Option<&'a str>,
    is_deleted: bool,
}

/// A target cluster, identified by its provider configuration.
#[derive(Clone, Debug, PartialEq, Eq)]
struct TargetCluster<'a> {
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
        let cluster = TargetCluster {
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

    /// The lookups for claims that are new: of other composites with the same claims, and of the target cluster's
    /// configuration. Claims that the `old` object had too need none.
    pub(super) fn lookups(
        &self,
        old: Option<&Claims<'_>>,
        options: &LlmInferenceOptions,
        answers: &LookupAnswers,
    ) -> BTreeMap<String, Selector> {
        let mut lookups = BTreeMap::new();
        let mut add = |name: &str, selector: Selector| lookups.insert(name.to_owned(), selector);
        if self.is_on_new_cluster(old) {
            let TargetCluster { kind, name, .. } = &self.cluster;
            let (kind, namespace) = ((resources::OBJECT.0, kind.as_str()), self.cluster.within());
            add(CONFIG, lookup_of(kind, namespace, name));
            if answers.get(CONFIG).is_some_and(Vec::is_empty) {
                add(KNOWN_CONFIGS, Selector { limit: Some(KNOWN), ..lookup_all(kind, namespace, &[]) });
            }
        }
        if self.has_new_objects(old) {
            add(SAME_OBJECTS, self.with_the_same_objects(options));
        }
        if let Some(host) = self.new_host(old) {
            let on_cluster = |kind| [host, self.cluster.name, kind].map(str::to_owned).to_vec();
            add(SAME_HOST, self.on_the_cluster(HOST.name, options, on_cluster));
            add(HOST_ANYWHERE, found_by(HOST.name, None, vec![vec![host.to_owned()]]));
        }
        lookups
    }

    /// The lookup for a deletion.
    pub(super) fn lookups_of_sharing(&self, options: &LlmInferenceOptions) -> BTreeMap<String, Selector> {
        by_key([(SAME_OBJECTS.to_owned(), self.with_the_same_objects(options))])
    }

    /// Judges the claims that are new. Claims that the `old` object had too are not judged.
    pub(super) fn judge(
        &self,
        old: Option<&Claims<'_>>,
        options: &LlmInferenceOptions,
        answers: &LookupAnswers,
    ) -> Judged {
        let mut found = Judged::default();
        if self.is_on_new_cluster(old) {
            self.judge_cluster(answers, &mut found);
        }
        if self.has_new_objects(old) {
            match answers.get(SAME_OBJECTS) {
                Some(composites) => {
                    let others = self.others(composites, options);
                    let same = others.iter().find(|other| other.objects() == self.objects());
                    found.denials.extend(same.map(|other| self.same_objects(other)));
                }
                None => found.unjudged.push(self.whether_composed()),
            }
        }
        if let Some(host) = self.new_host(old) {
            self.judge_host(host, options, answers, &mut found);
        }
        found
    }

    /// For a deletion: warnings about other composites that compose the same objects, which are deleted with this one, and
    /// what could not be judged.
    pub(super) fn sharing(
        &self,
        options: &LlmInferenceOptions,
        answers: &LookupAnswers,
    ) -> (Vec<Problem>, Vec<String>) {
        let Some(composites) = answers.get(SAME_OBJECTS) else { return (Vec::new(), vec![self.whether_composed()]) };
        let warning = |other: Claims<'_>| {
            let message = format!(
                "{other} composes the same objects, `{}` on {}: its model server goes away with this one",
                self.objects_named(),
                self.cluster,
            );
            Problem::new("metadata.name", Code::Duplicate, message)
        };
        let others = self.others(composites, options).into_iter();
        (others.filter(|other| other.objects() == self.objects()).map(warning).collect(), Vec::new())
    }

    fn is_on_new_cluster(&self, old: Option<&Claims<'_>>) -> bool {
        // The schema refuses a composite without a configuration.
        !self.cluster.name.is_empty() && old.is_none_or(|old| old.cluster != self.cluster)
    }

    fn has_new_objects(&self, old: Option<&Claims<'_>>) -> bool {
        // The API server may generate the name only after it was judged.
        !self.name.is_empty() && old.is_none_or(|old| old.objects() != self.objects())
    }

    fn new_host(&self, old: Option<&Claims<'_>>) -> Option<&'a str> {
        self.host.filter(|_| old.is_none_or(|old| (&old.cluster, &old.host) != (&self.cluster, &self.host)))
    }

    fn with_the_same_objects(&self, options: &LlmInferenceOptions) -> Selector {
        let value = |kind| [self.cluster.name, kind, self.target_namespace, self.name].map(str::to_owned).to_vec();
        self.on_the_cluster(OBJECTS.name, options, value)
    }

    /// A lookup of composites on the same cluster. `value` gives the value in the index for a kind of configuration. A
    /// composite may leave the platform's kind out.
    fn on_the_cluster(
        &self,
        index: &str,
        options: &LlmInferenceOptions,
        value: impl Fn(&'static str) -> Vec<String>,
    ) -> Selector {
        let left_out = (self.cluster.kind == options.provider_config_kind).then(|| value(""));
        let values = std::iter::once(value(self.cluster.kind.as_str())).chain(left_out);
        found_by(index, self.cluster.within(), values.collect())
    }

    fn whether_composed(&self) -> String {
        format!("whether another LLMInference composes `{}`", self.objects_named())
    }

    fn judge_cluster(&self, answers: &LookupAnswers, found: &mut Judged) {
        let TargetCluster { kind, name, .. } = &self.cluster;
        match answers.get(CONFIG) {
            None => return found.unjudged.push(format!("whether there is a {} `{name}`", kind.as_str())),
            Some(configs) if !configs.is_empty() => return,
            Some(_) => {}
        }
        let listed = answers.get(KNOWN_CONFIGS);
        let read = listed.into_iter().flatten().filter_map(|it| fields::read::<Configuration<'_>>(it).ok());
        let known = read.map(|config| config.metadata.name).filter(|name| !name.is_empty()).collect();
        let known = sorted_by_key(known, |name| *name);
        let advice = match (listed, known.as_slice()) {
            (None, _) => String::new(),
            (Some(_), []) => "; there is none yet: create it first".to_owned(),
            (Some(listed), known) => {
                let more = if listed.len() < KNOWN as usize { "" } else { " and others" };
                let names: Vec<_> = known.iter().map(|name| format!("`{name}`")).collect();
                format!("; known are {}{more}", names.join(", "))
            }
        };
        let place = self.cluster.within().map(|namespace| format!(" in namespace `{namespace}`"));
        let message = format!("no {} `{name}`{}{advice}", kind.as_str(), place.unwrap_or_default());
        let problem = Problem::new("spec.providerConfigName", Code::NotFound, message);
        found.denials.push(match quantity::nearest(known.iter().copied(), name) {
            Some(near) => problem.with_fix(Edit::Replace(near.into())),
            None => problem,
        });
    }

    fn judge_host(&self, host: &str, options: &LlmInferenceOptions, answers: &LookupAnswers, found: &mut Judged) {
        let (here, anywhere) = (answers.get(SAME_HOST), answers.get(HOST_ANYWHERE));
        if let Some(other) = here.and_then(|found| self.rival(found, true, options)) {
            let message = format!("host `{host}` is that of {other} on the same cluster already; choose another host");
            found.denials.push(Problem::new("spec.ingressHost", Code::Duplicate, message));
        } else if let Some(other) = anywhere.and_then(|found| self.rival(found, false, options)) {
            let message = format!(
                "host `{host}` is also that of {other} on {}: its name can only resolve to one of them",
                other.cluster
            );
            found.warnings.push(Problem::new("spec.ingressHost", Code::Duplicate, message));
        }
        if here.is_none() || anywhere.is_none() {
            found.unjudged.push(format!("whether another LLMInference has host `{host}`"));
        }
    }

    /// The first other composite with the same host, on this cluster or on another one.
    fn rival<'o>(
        &self,
        composites: &'o [ObservedObject],
        on_this_cluster: bool,
        options: &LlmInferenceOptions,
    ) -> Option<Claims<'o>> {
        let mut rivals = self.others(composites, options);
        rivals.retain(|other| other.host == self.host && !other.is_deleted);
        rivals.into_iter().find(|other| (other.cluster == self.cluster) == on_this_cluster)
    }

    /// The claims of the other composites, sorted by namespace and name.
    fn others<'o>(&self, composites: &'o [ObservedObject], options: &LlmInferenceOptions) -> Vec<Claims<'o>> {
        let read = composites.iter().filter_map(|composite| fields::read(composite).ok());
        let claims = read.map(|composite| Claims::of(&composite, options));
        let others = claims.filter(|other| (other.namespace, other.name) != (self.namespace, self.name));
        sorted_by_key(others.collect(), |other| (other.namespace, other.name))
    }

    /// The identity of the objects on the target cluster.
    fn objects(&self) -> (&TargetCluster<'a>, &'a str, &'a str) {
        (&self.cluster, self.target_namespace, self.name)
    }

    fn same_objects(&self, other: &Claims<'_>) -> Problem {
        let message = format!(
            "{other} composes `{}` on {} already; choose another name, or another `targetNamespace`",
            self.objects_named(),
            self.cluster,
        );
        Problem::new("metadata.name", Code::Duplicate, message)
    }

    fn objects_named(&self) -> String {
        format!("{}/{}", self.target_namespace, self.name)
    }
}

impl TargetCluster<'_> {
    /// The namespace of its configuration. `None` for cluster-scoped ones.
    fn within(&self) -> Option<&str> {
        Some(self.namespace).filter(|namespace| !namespace.is_empty())
    }
}

/// A lookup of some composites with one of these values in an index.
fn found_by(index: &str, namespace: Option<&str>, values: Vec<Vec<String>>) -> Selector {
    let kind = (COMPOSITES.api_version, COMPOSITES.kind);
    Selector { limit: Some(RIVALS), ..lookup_by(kind, namespace, index, values) }
}

/// The result of judging claims.
#[derive(Debug, Default)]
pub(super) struct Judged {
    pub(super) denials: Vec<Problem>,
    pub(super) warnings: Vec<Problem>,
    /// What could not be judged, to follow "not looked up: ".
    pub(super) unjudged: Vec<String>,
}

impl std::fmt::Display for Claims<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "LLMInference `{}/{}`", self.namespace, self.name)
    }
}

impl std::fmt::Display for TargetCluster<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} `{}`", self.kind.as_str(), self.name)
    }
}
