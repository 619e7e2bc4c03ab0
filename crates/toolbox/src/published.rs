//! What a kind's definition, its Compositions and its package say beside its fields. Only generation reads it.

use contract::catalog::ApiResource;
use serde_json::Value;

/// How a kind is brought to a cluster.
#[derive(Clone, Copy, Debug)]
pub struct Published {
    /// The package that brings it.
    pub package: &'static Package,
    /// Labels of its definition.
    pub labels: &'static [(&'static str, &'static str)],
    /// Groups of kinds that `kubectl get` lists together.
    pub categories: &'static [&'static str],
    /// What `kubectl get` shows of it, beside what Crossplane adds.
    pub columns: &'static [Column],
    /// What `kubectl scale` and autoscalers change.
    pub scale: Option<Scale>,
    /// Its Compositions. Of several that fit, a composite without a choice gets the default, or any when there is none.
    pub compositions: &'static [Composition],
    /// The schema of its objects, out of its types.
    pub schema: fn() -> Value,
}

/// A column of `kubectl get`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Column {
    /// Its heading.
    pub name: &'static str,
    /// Type of its values.
    pub column_type: &'static str,
    /// Where the values are (JSONPath).
    pub path: &'static str,
    /// Columns with a priority over 0 are shown by `kubectl get -o wide` alone.
    pub priority: u8,
}

/// The scale subresource, by paths of the form `.spec.replicas`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Scale {
    /// Where the wanted number is.
    pub spec_replicas: &'static str,
    /// Where the observed number is.
    pub status_replicas: &'static str,
    /// Where a label selector is, in text. A HorizontalPodAutoscaler needs one.
    pub label_selector: Option<&'static str>,
}

/// A Composition: steps that all call the Function.
#[derive(Clone, Copy, Debug)]
pub struct Composition {
    /// Its name. In a further group of the kind, the group follows it.
    pub name: &'static str,
    /// Labels, which composites choose it by.
    pub labels: &'static [(&'static str, &'static str)],
    /// Whether composites get it that choose none.
    pub default: bool,
    /// Its steps.
    pub steps: &'static [PipelineStep],
}

/// A step of a Composition.
#[derive(Clone, Copy, Debug)]
pub struct PipelineStep {
    /// Its name.
    pub name: &'static str,
    /// Its input.
    pub input: Option<fn() -> Value>,
}

/// A Configuration package.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Package {
    /// Its folder under `package/`, and the last segment of its repository.
    pub name: &'static str,
    /// What it is, in one line.
    pub description: &'static str,
    /// What it does, in a few lines.
    pub readme: &'static str,
    /// Versions of Crossplane that it is for.
    pub crossplane: &'static str,
    /// What it needs beside the Function.
    pub dependencies: &'static [Dependency],
}

/// A package that another one needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Dependency {
    /// Kind of the package, e.g. `Provider`.
    pub kind: &'static str,
    /// Its repository with its registry.
    pub package: &'static str,
    /// Versions that will do.
    pub version: &'static str,
}

impl Published {
    /// Of a kind that is not brought to clusters: of a test, or of another module.
    pub const NOT: Self = Self {
        package: &Package { name: "", description: "", readme: "", crossplane: "", dependencies: &[] },
        labels: &[],
        categories: &[],
        columns: &[],
        scale: None,
        compositions: &[],
        schema: || Value::Null,
    };
}

impl PipelineStep {
    /// The one step that most Compositions have.
    pub const COMPOSE: Self = Self { name: "compose-resources", input: None };
}

/// Whether a provider reconciles objects of a kind, so that a ManagedResourceActivationPolicy can activate it. Such kinds
/// are in groups with an `m` of their own (`ec2.aws.m.upbound.io`), beside the configurations of the providers.
pub fn is_managed(resource: &ApiResource) -> bool {
    resource.group().split('.').any(|part| part == "m") && !resource.kind.contains("ProviderConfig")
}
