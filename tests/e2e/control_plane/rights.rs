//! Each component has the rights that it needs, and no others.

use anyhow::{Context as _, Result};
use contract::catalog::ApiResource;
use inference::KINDS;
use tests::real::access::{named, until_allowed};
use tests::real::kubectl::Kubectl;
use tests::real::processes::progress;
use toolbox::resources::RELEASES;

use crate::names::SOON;
use crate::plane::{APIS, Plane};

/// Whose rights a row states.
#[derive(Clone, Copy, Debug)]
enum Who {
    Crossplane,
    Provider,
    Engineer,
}

/// Who, the verb, `PLURAL.GROUP` with an optional subresource, and whether it is allowed. More rows are made from the
/// kinds.
#[rustfmt::skip]
const ROWS: &[(Who, &str, &str, bool)] = &[
    // From the chart's role, and from the roles that the RBAC manager adds for definitions and providers.
    (Who::Crossplane, "create", "events", true),
    (Who::Crossplane, "update", "compositions.apiextensions.crossplane.io", true),
    (Who::Crossplane, "create", "customresourcedefinitions.apiextensions.k8s.io", true),
    (Who::Crossplane, "create", "providerconfigs.kubernetes.m.crossplane.io", true),
    // No rights to targets, and no way to get more rights.
    (Who::Crossplane, "create", "pods", false),
    (Who::Crossplane, "delete", "nodes", false),
    (Who::Crossplane, "create", "clusterroles.rbac.authorization.k8s.io", false),
    (Who::Crossplane, "create", "clusterrolebindings.rbac.authorization.k8s.io", false),
    (Who::Crossplane, "escalate", "roles.rbac.authorization.k8s.io", false),
    (Who::Crossplane, "bind", "roles.rbac.authorization.k8s.io", false),
    (Who::Crossplane, "impersonate", "users", false),
    // From the role that the RBAC manager creates for the package.
    (Who::Provider, "update", "objects.kubernetes.m.crossplane.io/status", true),
    (Who::Provider, "get", "providerconfigs.kubernetes.m.crossplane.io", true),
    (Who::Provider, "watch", "customresourcedefinitions.apiextensions.k8s.io", true),
    (Who::Provider, "get", "secrets", true),
    (Who::Provider, "create", "customresourcedefinitions.apiextensions.k8s.io", false),
    // Our role allows only the objects that our kinds wrap.
    (Who::Provider, "create", "deployments.apps", true),
    (Who::Provider, "get", "services", true),
    (Who::Provider, "create", "statefulsets.apps", false),
    (Who::Provider, "create", "pods", false),
    (Who::Provider, "get", "nodes", false),
    (Who::Provider, "get", "namespaces", false),
    // To create a Role with these rights it must have them.
    (Who::Provider, "list", "pods", true),
    (Who::Provider, "watch", "inferenceobjectives.inference.networking.x-k8s.io", true),
    (Who::Provider, "get", "compositions.apiextensions.crossplane.io", false),
    // For endpoint pickers. Without these two it creates none that grants more than it has itself.
    (Who::Provider, "escalate", "clusterroles.rbac.authorization.k8s.io", false),
    (Who::Provider, "bind", "clusterroles.rbac.authorization.k8s.io", false),
    // From the chart's role for administrators of Crossplane.
    (Who::Engineer, "create", "configurations.pkg.crossplane.io", true),
    (Who::Engineer, "create", "namespaces", true),
    (Who::Engineer, "create", "deployments.apps", false),
    (Who::Engineer, "create", "clusterroles.rbac.authorization.k8s.io", false),
];

/// What Crossplane may do by the chart's role although our kinds wrap it: packages have it too.
const OF_THE_CHART: &[&str] = &["configmaps", "deployments.apps", "secrets", "serviceaccounts", "services"];

/// The verbs for composed objects, and for objects on a target.
const VERBS: &[&str] = &["get", "list", "watch", "create", "update", "patch", "delete"];

pub(crate) fn rights(plane: &Plane) -> Result<()> {
    let mut rows: Vec<_> = ROWS.iter().map(|(who, verb, what, may)| (*who, *verb, (*what).to_owned(), *may)).collect();
    // Nobody has rights to what is not installed.
    let is_here = |it: &&ApiResource| !it.group().ends_with("upbound.io") && it.group() != RELEASES.group();
    for kind in KINDS.rows.iter().filter(|kind| APIS.contains(&kind.published.package.name)) {
        let group = kind.api_version.split('/').next().unwrap_or_default();
        let composites = format!("{}.{group}", kind.plural);
        for subresource in ["", "/status", "/finalizers"] {
            rows.push((Who::Crossplane, "update", format!("{composites}{subresource}"), true));
        }
        for subject in kind.looks_up.iter().filter(is_here) {
            rows.extend(["get", "list", "watch"].map(|verb| (Who::Crossplane, verb, named(subject), true)));
        }
        rows.push((Who::Provider, "get", composites.clone(), false));
        rows.push((Who::Engineer, "create", composites, true));
        for verb in VERBS {
            rows.extend(kind.composes.iter().filter(is_here).map(|it| (Who::Crossplane, *verb, named(it), true)));
            rows.extend(kind.wraps.iter().map(|it| (Who::Provider, *verb, named(it), true)));
        }
        let read =
            |it: &ApiResource| KINDS.rows.iter().any(|kind| kind.composes.contains(it) || kind.looks_up.contains(it));
        let targets = kind.wraps.iter().filter(|it| !read(it)).map(named);
        let targets = targets.filter(|it| !OF_THE_CHART.contains(&it.as_str()));
        rows.extend(targets.map(|it| (Who::Crossplane, "get", it, false)));
    }
    for (who, verb, what, may) in &rows {
        until_allowed(who.identity(plane), verb, what, *may, SOON).with_context(|| format!("{who:?}"))?;
    }
    progress(&format!("rights: {} as they are meant", rows.len()));
    Ok(())
}

impl Who {
    fn identity(self, plane: &Plane) -> &Kubectl {
        match self {
            Self::Crossplane => &plane.crossplane,
            Self::Provider => &plane.provider,
            Self::Engineer => &plane.kubectl,
        }
    }
}
