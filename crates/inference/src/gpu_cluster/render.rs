//! Makes Kubernetes objects from the tables of rules. It computes no value.

use std::collections::BTreeSet;
use std::rc::Rc;

use toolbox::composed::Composed;
use toolbox::entries::set;

use super::derive::parts::{NAMED, ObjectRow};
use super::derive::usages::{by_configurations, by_object};
use super::derive::{AREAS, kinds};
use super::inputs::ClusterInputs;

/// Everything that the cluster has.
pub(super) fn resources(of: &Rc<ClusterInputs>) -> Vec<Composed> {
    let mut resources = Vec::new();
    let mut usages = Vec::new();
    for row in AREAS.iter().flat_map(|rows| rows.iter()) {
        for part in row.parts(of) {
            resources.push(row.composed(NAMED, &part));
            if row.needs_cluster {
                usages.push(by_object(of, row.kind, &part.object));
            }
        }
    }
    if of.has_usages() {
        let taken = set(resources.iter().map(|it| it.key.clone()));
        resources.extend(by_configurations(of).iter().chain(&usages).map(|usage| usage.composed(&taken)));
    }
    resources
}

/// Kinds and names of everything that the cluster has, without Usages.
pub(super) fn names_of(of: &Rc<ClusterInputs>) -> BTreeSet<((&'static str, &'static str), String)> {
    let rows = AREAS.iter().flat_map(|rows| rows.iter());
    let kind = |row: &ObjectRow| (row.kind.api_version, row.kind.kind);
    set(rows.flat_map(|row| row.parts(of).into_iter().map(move |part| (kind(row), part.object))))
}

/// Whether a cluster with this name may have an object with this composition resource name.
pub(super) fn is_ours(name: &str, key: &str) -> bool {
    let mut rows = AREAS.iter().flat_map(|rows| rows.iter());
    rows.any(|row| row.may_have(name, key))
        || key.starts_with(name) && (key.ends_with("-usage") || key.ends_with("_usage"))
}

/// Whether a key is that of a Release or an Object, which an application is made of.
pub(super) fn is_software(object: &serde_json::Value) -> bool {
    let kinds = [&kinds::RELEASES, &toolbox::resources::OBJECTS];
    kinds.iter().any(|kind| object["kind"] == kind.kind && object["apiVersion"] == kind.api_version)
}

/// Whether it is of the network, or an identity: what control plane and nodes stand on.
pub(super) fn is_ground(object: &serde_json::Value) -> bool {
    let kinds = [&kinds::VPCS, &kinds::IAM_ROLES, &kinds::RESOURCE_GROUPS];
    kinds.iter().any(|kind| object["apiVersion"] == kind.api_version)
}

/// Whether it leads to the new cluster, and its provider can say that it does not.
pub(super) fn is_access(object: &serde_json::Value) -> bool {
    object["kind"] == kinds::CLUSTER_AUTHS.kind && object["apiVersion"] == kinds::CLUSTER_AUTHS.api_version
}
