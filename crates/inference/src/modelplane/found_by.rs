//! What admission finds objects by, beside names and labels. The rows of the kinds declare these indexes.

use contract::catalog::{ApiResource, Index};
use contract::types::Selector;
use toolbox::builders::selectors::lookup_by;

use super::resources::kind;

/// ModelDeployments by the cache of their replicas. Before v0.2.0 of Modelplane it was outside the template.
pub const CACHE: Index =
    Index { name: "cache", parts: &[&["/spec/template/spec/modelCacheRef/name", "/spec/modelCacheRef/name"]] };

/// ModelReplicas by the cluster that they are on, which earlier versions called otherwise.
pub const CLUSTER: Index = Index {
    name: "cluster",
    parts: &[&["/spec/clusterName", "/spec/inferenceClusterRef/name", "/spec/inferenceEnvironmentRef/name"]],
};

/// ModelDeployments and ModelCaches by namespace and name, so that one lookup finds several.
pub const NAME: Index = Index { name: "name", parts: &[&["/metadata/namespace"], &["/metadata/name"]] };

macro_rules! class_of_pool {
    ($place:literal) => {
        Index {
            name: concat!("class-of-pool-", $place),
            parts: &[&[
                concat!("/spec/nodePools/", $place, "/className"),
                concat!("/spec/nodePools/", $place, "/class"),
            ]],
        }
    };
}

/// InferenceClusters by the class of their first pool, of their second one, and so on: an index has one value for each
/// object, and a cluster has at most so many pools. Before v0.1.0 of Modelplane the field was called `class`.
pub const CLASSES_OF_POOLS: &[Index] = &[
    class_of_pool!("0"),
    class_of_pool!("1"),
    class_of_pool!("2"),
    class_of_pool!("3"),
    class_of_pool!("4"),
    class_of_pool!("5"),
    class_of_pool!("6"),
    class_of_pool!("7"),
];

/// A lookup of the objects with one of these values in an index.
pub fn found_by(
    resource: &ApiResource,
    namespace: Option<&str>,
    index: &Index,
    values: impl IntoIterator<Item = Vec<String>>,
) -> Selector {
    lookup_by(kind(resource), namespace, index.name, values.into_iter().collect())
}
