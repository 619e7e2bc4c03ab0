//! Rows of what a cluster has, and what the rules about one of its objects read.
//!
//! An object is a row, and not code: its kind, its keys and names, and its tables of rules. A row about zones, namespaces or
//! anything else that repeats gives an object for each.

use std::rc::Rc;

use contract::catalog::{ApiResource, Scope};
use serde_json::{Value, json};
use toolbox::builders::managed;
use toolbox::data;
use toolbox::data::Data;
use toolbox::observed::ReadyWhen;
use toolbox::rule::{Element, Rule, constant, rule};
use toolbox::template;

use crate::gpu_cluster::inputs::ClusterInputs;

/// A row: an object of a cluster, or one for each element.
///
/// In texts `{n}` is the name of the cluster, and `{e}` that of the element.
#[derive(Clone, Copy)]
pub struct ObjectRow {
    /// What it is, with its plural and scope.
    pub kind: &'static ApiResource,
    /// Its composition resource name.
    pub key: &'static str,
    /// Its name.
    pub name: &'static str,
    /// Its external name. Empty where the provider chooses one.
    pub external: &'static str,
    /// What there is one of it for.
    pub each: Each,
    /// Whether it exists.
    pub exists: fn(&ClusterInputs) -> bool,
    /// Its tables, each with the path at which its paths start.
    pub tables: &'static [(&'static str, &'static [Rule<ClusterPart>])],
    /// The manifest that it wraps: its kind, and the table of it.
    pub wraps: Option<(&'static ApiResource, &'static [Rule<ClusterPart>])>,
    /// When it is ready.
    pub ready: ReadyWhen,
    /// Whether it must be gone before the cluster goes, so that a Usage says so.
    pub needs_cluster: bool,
}

/// What a row has an object for.
#[derive(Clone, Copy)]
pub enum Each {
    /// The cluster.
    Cluster,
    /// Each of these, with texts for its rules.
    Of(&'static [(&'static str, &'static [&'static str])]),
    /// Each of those that the function gives.
    Found(fn(&ClusterInputs) -> Vec<String>),
}

impl ObjectRow {
    /// A row for one object that always exists, without rules of its own.
    pub const fn of(kind: &'static ApiResource, key: &'static str, name: &'static str) -> Self {
        Self {
            kind,
            key,
            name,
            external: "",
            each: Each::Cluster,
            exists: |_| true,
            tables: &[],
            wraps: None,
            ready: ReadyWhen::Holds("Ready"),
            needs_cluster: false,
        }
    }

    /// The objects of the row. Of elements with one name the last one has an object, as in dot-kubernetes.
    pub fn parts(&self, of: &Rc<ClusterInputs>) -> Vec<ClusterPart> {
        let part = |index: usize, element: &str, texts: &'static [&'static str]| {
            let fill = |template: &str| template::filled(template, &of.name, element);
            ClusterPart {
                of: Rc::clone(of),
                key: fill(self.key),
                object: fill(self.name),
                external: fill(self.external),
                element: element.to_owned(),
                index: [index],
                texts,
            }
        };
        match self.each {
            _ if !(self.exists)(of) => Vec::new(),
            Each::Cluster => vec![part(0, "", &[])],
            Each::Of(elements) => {
                elements.iter().enumerate().map(|(at, (name, texts))| part(at, name, texts)).collect()
            }
            Each::Found(names) => {
                let names = names(of);
                let is_last = |(at, name): &(usize, &String)| !names.iter().skip(at + 1).any(|other| other == *name);
                names.iter().enumerate().filter(is_last).map(|(at, name)| part(at, name, &[])).collect()
            }
        }
    }

    /// Whether it may have an object with this composition resource name in the cluster with this name.
    pub fn may_have(&self, name: &str, key: &str) -> bool {
        template::may_be(self.key, name, key)
    }
}

/// What the rules about an object of a cluster read.
#[derive(Clone, Debug)]
pub struct ClusterPart {
    /// The cluster.
    pub of: Rc<ClusterInputs>,
    /// Composition resource name of the object.
    pub key: String,
    /// Name of the object.
    pub object: String,
    /// External name of the object. Empty where the provider chooses one.
    pub external: String,
    /// Name of the element that the object is for: of a zone, a namespace, a release. Empty when it is for the cluster.
    pub element: String,
    /// The place of the element among the others.
    pub index: [usize; 1],
    /// Texts of the element.
    pub texts: &'static [&'static str],
}

impl Element for ClusterPart {
    const WORD: &'static str = "it";

    fn name(&self) -> &str {
        &self.element
    }

    fn indexes(&self) -> &[usize] {
        &self.index
    }
}

impl ClusterPart {
    /// A text of the element.
    pub fn text(&self, at: usize) -> &'static str {
        self.texts.get(at).copied().unwrap_or_default()
    }
}

/// The composite's name, as a cause.
pub const NAME: &[&str] = &["metadata.name"];
/// The region, as a cause.
pub const REGION: &[&str] = &["spec.parameters.region"];

/// A selector: the object of this composite.
pub const SAME: Data = data!({"matchControllerRef": true});

/// What every object has.
#[rustfmt::skip]
pub const NAMED: &[Rule<ClusterPart>] = &[
    rule("metadata.name", "the cluster, and what the object is in it", NAME, |p| Some(json!(p.object))),
    rule(managed::EXTERNAL_NAME, "its name where it really is", NAME, |p| some_text(&p.external)),
];

/// What every object in a cloud has.
#[rustfmt::skip]
pub const IN_CLOUD: &[Rule<ClusterPart>] = &[
    constant(managed::PROVIDER_CONFIG, "always: the platform's credentials", data!({"kind": "ClusterProviderConfig", "name": "default"})),
];

/// What every object on the new cluster has.
#[rustfmt::skip]
pub const ON_CLUSTER: &[Rule<ClusterPart>] = &[
    rule(managed::PROVIDER_CONFIG, "the configuration that leads to the cluster", NAME, |p| Some(managed::provider_config("ProviderConfig", &p.of.name))),
];

/// What objects have that go with their cluster and are not deleted on it.
#[rustfmt::skip]
pub const LEFT_BEHIND: &[Rule<ClusterPart>] = &[
    constant(managed::MANAGEMENT_POLICIES, "always: it goes with the cluster, and could not be deleted after it", data!(["Create", "Update", "Observe"])),
];

/// The Secret with the kubeconfig.
#[rustfmt::skip]
pub const KUBECONFIG: &[Rule<ClusterPart>] = &[
    rule(managed::CONNECTION_SECRET, "the Secret with the kubeconfig", NAME, |p| Some(managed::named(&kubeconfig(&p.of)))),
];

/// Name of the Secret with the kubeconfig.
pub fn kubeconfig(of: &ClusterInputs) -> String {
    format!("{}-cluster", of.name)
}

/// The region of the cluster.
pub fn region(part: &ClusterPart) -> Option<Value> {
    Some(json!(part.of.region()))
}

/// The version of Kubernetes, if the composite has one.
pub fn version(part: &ClusterPart) -> Option<Value> {
    part.of.parameters.version.as_deref().and_then(some_text)
}

/// A text that is not empty.
pub fn some_text(text: &str) -> Option<Value> {
    (!text.is_empty()).then(|| text.into())
}

/// A selector: the object of this composite with a role, by the label that objects of this cluster have.
pub fn with_role(part: &ClusterPart, role: &str) -> Value {
    json!({"matchControllerRef": true, "matchLabels": {"role": format!("{}-{role}", part.of.name)}})
}

/// A namespaced kind.
pub const fn namespaced(api_version: &'static str, kind: &'static str, plural: &'static str) -> ApiResource {
    ApiResource { api_version, kind, plural, scope: Scope::Namespaced }
}

/// A cluster-scoped kind.
pub const fn cluster_scoped(api_version: &'static str, kind: &'static str, plural: &'static str) -> ApiResource {
    ApiResource { api_version, kind, plural, scope: Scope::Cluster }
}
