//! The cluster-scoped grant of the endpoint picker: it may ask who reads its metrics.
//!
//! Nothing but names in it comes from the service.

use serde_json::json;
use toolbox::builders::managed::MANAGEMENT_POLICIES;
use toolbox::data;
use toolbox::rule::{Rule, Table, constant, rule};

use super::inputs::ServingInputs;
use super::picker::subjects;

const NAMES: &[&str] = &["metadata.namespace", "metadata.name"];
const OF_SERVICE: &[&str] = &["metadata.name"];
const CONFIG: &[&str] = &["input.modelService.providerConfigRef"];

/// Name of ClusterRole and ClusterRoleBinding.
#[rustfmt::skip]
pub const GRANT: &[Rule<ServingInputs>] = &[
    rule("metadata.name", "namespace of the service, and name of the endpoint picker", NAMES, |i| Some(json!(i.grant()))),
];

/// The ClusterRole.
#[rustfmt::skip]
pub const CLUSTER_ROLE: &[Rule<ServingInputs>] = &[
    constant("rules[]", "always: it asks whose token a request has", data!({"apiGroups": ["authentication.k8s.io"], "resources": ["tokenreviews"], "verbs": ["create"]})),
    constant("rules[]", "always: it asks what that account may do", data!({"apiGroups": ["authorization.k8s.io"], "resources": ["subjectaccessreviews"], "verbs": ["create"]})),
    constant("rules[]", "always: its own token reads metrics", data!({"nonResourceURLs": ["/metrics"], "verbs": ["get"]})),
];

/// The ClusterRoleBinding.
#[rustfmt::skip]
pub const CLUSTER_ROLE_BINDING: &[Rule<ServingInputs>] = &[
    rule("subjects", "the endpoint picker", NAMES, |i| Some(subjects(i))),
    rule("roleRef", "its ClusterRole", NAMES, |i| Some(json!({"apiGroup": "rbac.authorization.k8s.io", "kind": "ClusterRole", "name": i.grant()}))),
];

/// The Objects around both.
#[rustfmt::skip]
pub const OBJECT: &[Rule<ServingInputs>] = &[
    rule("spec.providerConfigRef", "the configuration of the cluster itself", CONFIG, |i| i.options.provider_config_ref.as_ref().map(|it| json!({"kind": it.kind.as_str(), "name": it.name}))),
    rule(MANAGEMENT_POLICIES, "another has a grant of that name, which stays as it is", &[], |i| i.grant_is_taken.then(|| json!(["Observe"]))),
];

/// Name of the Object around the ClusterRole. Crossplane would make one of the composite's, cut where a name may not end.
#[rustfmt::skip]
pub const CLUSTER_ROLE_OBJECT: &[Rule<ServingInputs>] = &[
    rule("metadata.name", "name of the endpoint picker, with what is in it", OF_SERVICE, |i| Some(json!(format!("{}-cluster-role", i.picker)))),
];

/// Name of the Object around the ClusterRoleBinding.
#[rustfmt::skip]
pub const CLUSTER_ROLE_BINDING_OBJECT: &[Rule<ServingInputs>] = &[
    rule("metadata.name", "name of the endpoint picker, with what is in it", OF_SERVICE, |i| Some(json!(format!("{}-cluster-role-binding", i.picker)))),
];

/// The tables, for documentation.
pub fn tables() -> Vec<Table> {
    vec![
        Table::of("ClusterRole and ClusterRoleBinding", GRANT),
        Table::of("ClusterRole", CLUSTER_ROLE),
        Table::of("ClusterRoleBinding", CLUSTER_ROLE_BINDING),
        Table::of("Object", OBJECT),
        Table::of("Object of the ClusterRole", CLUSTER_ROLE_OBJECT),
        Table::of("Object of the ClusterRoleBinding", CLUSTER_ROLE_BINDING_OBJECT),
    ]
}
