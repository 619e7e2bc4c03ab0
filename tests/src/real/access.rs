//! Who may do what, as the API server answers it.

use std::time::Duration;

use anyhow::{Result, ensure};
use contract::catalog::{ApiResource, Scope};
use serde_json::{Value, json};

use super::kubectl::Kubectl;
use super::processes::eventually;

/// Whether an identity may do something with `PLURAL.GROUP` or `PLURAL.GROUP/SUBRESOURCE`, in all namespaces.
///
/// # Errors
/// When the API server does not answer.
pub fn allowed(identity: &Kubectl, verb: &str, resource: &str) -> Result<bool> {
    allowed_in(identity, None, verb, resource)
}

/// The same in one namespace.
///
/// # Errors
/// When the API server does not answer.
fn allowed_in(identity: &Kubectl, namespace: Option<&str>, verb: &str, resource: &str) -> Result<bool> {
    let (resource, subresource) = resource.split_once('/').unwrap_or((resource, ""));
    let (plural, group) = resource.split_once('.').unwrap_or((resource, ""));
    let attributes = json!({
        "namespace": namespace, "verb": verb, "group": group, "resource": plural, "subresource": subresource,
    });
    let review = identity.watching()?.create(
        REVIEWS,
        &json!({
            "apiVersion": REVIEWS.api_version,
            "kind": REVIEWS.kind,
            "metadata": {},
            "spec": {"resourceAttributes": attributes},
        }),
    )?;
    Ok(review["status"]["allowed"] == Value::Bool(true))
}

/// Waits until an identity may do something with a resource, or may not: the API server learns of roles a moment after they are
/// stored.
///
/// # Errors
/// When it is not so within `limit`.
pub fn until_allowed(identity: &Kubectl, verb: &str, resource: &str, may: bool, limit: Duration) -> Result<()> {
    until_allowed_in(identity, None, verb, resource, may, limit)
}

/// The same in one namespace.
///
/// # Errors
/// When it is not so within `limit`.
pub fn until_allowed_in(
    identity: &Kubectl,
    namespace: Option<&str>,
    verb: &str,
    resource: &str,
    may: bool,
    limit: Duration,
) -> Result<()> {
    eventually(&format!("{verb} {resource} in {}: {may}", namespace.unwrap_or("all namespaces")), limit, || {
        ensure!(allowed_in(identity, namespace, verb, resource)? == may, "the answer is {}", !may);
        Ok(())
    })
}

/// `PLURAL.GROUP` of a kind.
pub fn named(resource: &ApiResource) -> String {
    name_of(resource.plural, resource.group())
}

/// The same, of the plural name and the group.
pub fn name_of(plural: &str, group: &str) -> String {
    if group.is_empty() { plural.to_owned() } else { format!("{plural}.{group}") }
}

const REVIEWS: &ApiResource = &ApiResource {
    api_version: "authorization.k8s.io/v1",
    kind: "SelfSubjectAccessReview",
    plural: "selfsubjectaccessreviews",
    scope: Scope::Cluster,
};
