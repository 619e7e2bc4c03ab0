//! What a module says of itself and its kinds (`wit/catalog.wit`).

use serde_json::Value;

use crate::types::KindRef;

/// What a module can do.
#[derive(Clone, Debug, PartialEq)]
pub struct Contents {
    /// Name of the module.
    pub name: String,
    /// Its version.
    pub version: String,
    /// Its kinds, sorted by API version and kind.
    pub kinds: Vec<Entry>,
    /// The kinds of step input, sorted by API version and kind.
    pub inputs: Vec<Input>,
}

/// A kind of step input.
#[derive(Clone, Debug, PartialEq)]
pub struct Input {
    /// Its type.
    pub kind: KindRef,
    /// Which composites a step with such an input acts on.
    pub acts_on: ActsOn,
    /// A CustomResourceDefinition that describes it.
    pub definition: Value,
}

/// Which composites a step acts on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ActsOn {
    /// Those of the module's own kinds.
    OwnKinds,
    /// Those of any kind.
    AnyKind,
}

/// A kind of composite. A kind that several groups have is an entry for each of them.
#[derive(Clone, Debug, PartialEq)]
pub struct Entry {
    /// Its type.
    pub kind: KindRef,
    /// Plural name in lower case.
    pub plural: String,
    /// Short names that kubectl takes for it.
    pub short_names: Vec<String>,
    /// Where its objects live.
    pub scope: Scope,
    /// Its CompositeResourceDefinition.
    pub definition: Value,
    /// Whether the module composes it. Objects of other kinds are judged, and others look them up.
    pub composed: bool,
    /// Every kind it may compose, sorted.
    pub composes: Vec<ApiResource>,
    /// Every kind of object it may have made in other clusters, inside of what it composes, sorted.
    pub wraps: Vec<ApiResource>,
    /// Every kind that composing may look up, sorted.
    pub looks_up: Vec<ApiResource>,
    /// What is judged of its objects before they are stored.
    pub admission: Admission,
    /// Manifests worth copying.
    pub examples: Vec<Example>,
}

/// What the door `admit` does for a kind.
#[derive(Clone, Debug, PartialEq)]
pub struct Admission {
    /// Every kind that a verdict may look up, sorted.
    pub reads: Vec<ApiResource>,
    /// Whether a verdict may have defaults to write.
    pub writes_defaults: bool,
    /// Whether verdicts on deletions may have something to say.
    pub judges_deletion: bool,
    /// Policies for the rules that the API server's expressions can state.
    pub policies: Vec<Policy>,
    /// Rules that no policy states, for people.
    pub beyond_policies: Vec<String>,
}

/// A kind with its path in the API, as `kubectl api-resources` lists it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct ApiResource {
    /// Group and version.
    pub api_version: &'static str,
    /// Kind in PascalCase.
    pub kind: &'static str,
    /// Plural name in lower case.
    pub plural: &'static str,
    /// Where its objects live.
    pub scope: Scope,
}

impl ApiResource {
    /// Its API group; empty for the core group.
    pub fn group(&self) -> &'static str {
        self.api_version.split_once('/').map_or("", |(group, _version)| group)
    }
}

/// A ValidatingAdmissionPolicy.
#[derive(Clone, Debug, PartialEq)]
pub struct Policy {
    /// The policy.
    pub object: Value,
    /// What follows when it does not hold.
    pub action: Action,
}

/// What follows when a policy does not hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Action {
    /// The object is refused.
    Deny,
    /// Its author is warned.
    Warn,
}

/// Whether objects of a kind live in namespaces.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Scope {
    /// They do.
    Namespaced,
    /// They do not.
    Cluster,
}

/// A manifest worth copying.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Example {
    /// File name without extension.
    pub name: &'static str,
    /// What it shows, in one line.
    pub title: &'static str,
    /// YAML documents, comments included.
    pub text: &'static str,
}
