//! The answer of interface `catalog`: a module and its kinds (`wit/catalog.wit`).

use serde_json::Value;

use crate::types::KindRef;

/// A module and its kinds.
#[derive(Clone, Debug, PartialEq)]
pub struct Contents {
    /// Name of the module, e.g. `sailplane`.
    pub name: String,
    /// Its version (Semantic Versioning 2.0).
    pub version: String,
    /// Its kinds, sorted by API version and kind.
    pub kinds: Vec<Entry>,
    /// The kinds of step input that it takes, sorted by API version and kind.
    pub inputs: Vec<Input>,
}

/// A kind of step input: the `input` of a pipeline step.
#[derive(Clone, Debug, PartialEq)]
pub struct Input {
    /// Its API version and kind.
    pub kind: KindRef,
    /// Which composites a step with this input acts on.
    pub acts_on: ActsOn,
    /// A CustomResourceDefinition with its schema. It is not installed in any cluster.
    pub definition: Value,
}

/// Which composites a pipeline step acts on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ActsOn {
    /// Composites of the module's own kinds. The kind of the composite decides which module is called.
    OwnKinds,
    /// Composites of any kind. The kind of the step input decides which module is called.
    AnyKind,
}

/// A kind of composite that the module knows. A kind in several groups has one entry for each group.
#[derive(Clone, Debug, PartialEq)]
pub struct Entry {
    /// Its API version and kind.
    pub kind: KindRef,
    /// Plural name in lower case, as in the REST path.
    pub plural: String,
    /// Short names for kubectl, e.g. `md`.
    pub short_names: Vec<String>,
    /// Its scope.
    pub scope: Scope,
    /// Its CompositeResourceDefinition (`apiextensions.crossplane.io/v2`).
    pub definition: Value,
    /// Whether the module composes it. If not, the module only judges its objects, and other kinds look them up.
    pub composed: bool,
    /// Every kind that it may compose, sorted by API version and kind.
    pub composes: Vec<ApiResource>,
    /// Every kind that it may create in other clusters, as the manifest inside a composed resource, sorted in the same
    /// way.
    pub wraps: Vec<ApiResource>,
    /// Every kind that `compose` may look up, sorted in the same way.
    pub looks_up: Vec<ApiResource>,
    /// What its objects are found by in lookups of `admit`, sorted by name.
    pub found_by: Vec<Index>,
    /// What `admit` does for it.
    pub admission: Admission,
    /// Manifests for people to copy, the best introduction first.
    pub examples: Vec<Example>,
}

/// What interface `admit` does for a kind.
#[derive(Clone, Debug, PartialEq)]
pub struct Admission {
    /// Every kind that `admit` may look up, sorted by API version and kind.
    pub reads: Vec<ApiResource>,
    /// Whether a verdict may have defaults.
    pub writes_defaults: bool,
    /// Whether a verdict about a deletion may have warnings.
    pub judges_deletion: bool,
    /// Policies that an API server evaluates by itself, for those rules that CEL in an API server can state.
    pub policies: Vec<Policy>,
    /// Rules that no policy states, for people: lower case, no final period, one line each.
    pub beyond_policies: Vec<String>,
}

/// A kind with its path in the API, as `kubectl api-resources` lists it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct ApiResource {
    /// Group and version, or `v1` for the core group.
    pub api_version: &'static str,
    /// Kind in PascalCase.
    pub kind: &'static str,
    /// Plural name in lower case, as in the REST path.
    pub plural: &'static str,
    /// Its scope.
    pub scope: Scope,
}

impl ApiResource {
    /// Its API group. Empty for the core group.
    pub fn group(&self) -> &'static str {
        self.api_version.split_once('/').map_or("", |(group, _version)| group)
    }
}

/// What objects of a kind are found by, beside their names and labels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Index {
    /// Its name, unique in the kind.
    pub name: &'static str,
    /// The parts of an object's value in the index. Each part is the first text that is not empty in one of these fields,
    /// which are JSON pointers, or empty. An object whose first part is empty is not in the index.
    pub parts: &'static [&'static [&'static str]],
}

/// A ValidatingAdmissionPolicy, and the action for its binding.
#[derive(Clone, Debug, PartialEq)]
pub struct Policy {
    /// The policy (`admissionregistration.k8s.io/v1`).
    pub object: Value,
    /// What happens when an object violates it.
    pub action: Action,
}

/// What happens when an object violates a policy.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Action {
    /// The object is refused.
    Deny,
    /// Its author is warned.
    Warn,
}

/// The scope of a kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Scope {
    /// Its objects are in namespaces.
    Namespaced,
    /// Its objects are in no namespace.
    Cluster,
}

/// A manifest for people to copy.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Example {
    /// File name without extension, e.g. `llm-qwen`.
    pub name: &'static str,
    /// What it shows, in one line.
    pub title: &'static str,
    /// One or more YAML documents, comments included.
    pub text: &'static str,
}
