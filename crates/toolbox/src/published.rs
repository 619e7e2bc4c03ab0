//! What a kind's definition, Compositions and package contain besides its fields. Only generation needs it.

use contract::catalog::ApiResource;
use serde_json::Value;

/// How clusters get a kind.
#[derive(Clone, Copy, Debug)]
pub struct Published {
    /// The Configuration package with its definition and Compositions.
    pub package: &'static Package,
    /// Labels of its definition.
    pub labels: &'static [(&'static str, &'static str)],
    /// Categories of its definition: `kubectl get CATEGORY` lists all kinds of a category.
    pub categories: &'static [&'static str],
    /// Columns that `kubectl get` prints, besides those of Crossplane.
    pub columns: &'static [Column],
    /// The scale subresource, for `kubectl scale` and autoscalers. `None` when it has none.
    pub scale: Option<Scale>,
    /// Its Compositions. A composite that selects none gets the default one, or any of them when there is no default.
    pub compositions: &'static [Composition],
    /// The OpenAPI schema of its objects, generated from its types.
    pub schema: fn() -> Value,
}

/// A column of `kubectl get`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Column {
    /// Its heading.
    pub name: &'static str,
    /// Type of its values, e.g. `string` or `integer`.
    pub column_type: &'static str,
    /// Where the values are (JSONPath).
    pub path: &'static str,
    /// A column with a priority above 0 is printed by `kubectl get -o wide` only.
    pub priority: u8,
}

/// The scale subresource, as paths like `.spec.replicas`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Scale {
    /// The path of the desired number.
    pub spec_replicas: &'static str,
    /// The path of the observed number.
    pub status_replicas: &'static str,
    /// The path of a label selector in its string form. A HorizontalPodAutoscaler needs one.
    pub label_selector: Option<&'static str>,
}

/// A Composition. All of its steps call the Function.
#[derive(Clone, Copy, Debug)]
pub struct Composition {
    /// Its name. In a further group of the kind the group is appended.
    pub name: &'static str,
    /// Labels, for composites that select a Composition by labels.
    pub labels: &'static [(&'static str, &'static str)],
    /// Whether it is the default for composites that select none.
    pub default: bool,
    /// Its steps.
    pub steps: &'static [PipelineStep],
}

/// A step of a Composition.
#[derive(Clone, Copy, Debug)]
pub struct PipelineStep {
    /// Its name.
    pub name: &'static str,
    /// Its input, for composites of the API version that it gets. `None` when it has none.
    pub input: Option<fn(&str) -> Value>,
}

/// A Configuration package.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Package {
    /// The name of its folder in `package/`, and the last segment of its repository.
    pub name: &'static str,
    /// Its description for registries, in one line.
    pub description: &'static str,
    /// Its readme for registries, in a few lines.
    pub readme: &'static str,
    /// The versions of Crossplane that it needs, e.g. `>=v2.0.0`.
    pub crossplane: &'static str,
    /// The packages that it needs besides the Function.
    pub dependencies: &'static [Dependency],
    /// Whether it stands apart: only who wants it installs it. The package for all APIs does not depend on it, because it
    /// brings packages that many control planes must not have, e.g. providers of clouds that nobody uses there.
    pub apart: bool,
    /// The name of the policy that activates the managed resources which its kinds compose. `None` for that of the Configuration.
    pub activation: Option<&'static str>,
}

/// A dependency of a package.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Dependency {
    /// Kind of the package, e.g. `Provider`.
    pub kind: &'static str,
    /// Its registry and repository.
    pub package: &'static str,
    /// The versions that it may have, e.g. `>=v1.2.0, <v2.0.0`. Without an upper bound, an old package would get a
    /// dependency that it was never tested with.
    pub version: &'static str,
}

impl Published {
    /// For a kind that has no package: the kind of a test, or of another module.
    pub const NONE: Self = Self {
        package: &Package {
            name: "",
            description: "",
            readme: "",
            crossplane: "",
            dependencies: &[],
            apart: false,
            activation: None,
        },
        labels: &[],
        categories: &[],
        columns: &[],
        scale: None,
        compositions: &[],
        schema: || Value::Null,
    };
}

impl PipelineStep {
    /// The only step of most Compositions.
    pub const COMPOSE: Self = Self { name: "compose-resources", input: None };
}

/// Whether a kind is a managed resource, which a ManagedResourceActivationPolicy can activate. The groups of namespaced
/// managed resources have a part `m` (`ec2.aws.m.upbound.io`). The configurations of providers are in the same groups
/// and are no managed resources.
pub fn is_managed(resource: &ApiResource) -> bool {
    resource.group().split('.').any(|part| part == "m") && !resource.kind.contains("ProviderConfig")
}
