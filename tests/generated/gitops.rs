//! `package/gitops`: which health objects have, for Argo CD and for Flux.

use std::collections::BTreeSet;

use contract::catalog::ApiResource;
use serde_json::{Map, Value, json};
use toolbox::kind::Kind;
use toolbox::published::is_managed;

use crate::files::File;
use crate::install::installed;
use crate::packages::is_for_all;
use crate::{names, packages};

const FOLDER: &str = "package/gitops";

/// The health of what Crossplane and providers reconcile, for Argo CD.
const RECONCILED: &str = include_str!("gitops/reconciled.lua");
/// The health of packages, for Argo CD.
const PACKAGE: &str = include_str!("gitops/package.lua");

/// API version of packages.
const PACKAGES: &str = "pkg.crossplane.io/v1";

/// All files. `docs/gitops.md` says how to use them.
pub(crate) fn files(kinds: &[Kind]) -> Vec<File> {
    vec![
        File::yaml(format!("{FOLDER}/argocd-cm.yaml"), ARGO_COMMENT, &[argo(kinds)]),
        File::yaml(format!("{FOLDER}/flux.yaml"), FLUX_COMMENT, &flux(kinds)),
    ]
}

const ARGO_COMMENT: &str = "\
What Argo CD has to know: which health our objects have, and that it tracks objects by annotations. Add it to its ConfigMap:
kubectl patch configmap argocd-cm --namespace argocd --type=merge --patch-file package/gitops/argocd-cm.yaml";

const FLUX_COMMENT: &str = "\
Three folders of a repository: packages first, then the platform, then models. Each waits until the one before is healthy.
Change the paths and the name of the source. The packages are not pruned: to delete a Configuration deletes every composite.";

/// The kinds that have conditions of reconciliation, with their groups: those that are composed, and the managed resources
/// that are composed of them.
fn reconciled(kinds: &[Kind]) -> BTreeSet<(&str, &str)> {
    let managed = kinds.iter().flat_map(|kind| kind.composes).filter(|resource| is_managed(resource));
    let managed = managed.map(|resource: &ApiResource| (resource.group(), resource.kind));
    let composed = versions(kinds).filter(|(kind, _)| kind.compose.is_some());
    composed.map(|(kind, api_version)| (group(api_version), kind.kind)).chain(managed).collect()
}

/// Every kind in each of its API versions.
fn versions(kinds: &[Kind]) -> impl Iterator<Item = (&Kind, &'static str)> {
    kinds.iter().flat_map(|kind| kind.api_versions().map(move |api_version| (kind, api_version)))
}

fn group(api_version: &str) -> &str {
    api_version.split('/').next().unwrap_or_default()
}

/// What is merged into the ConfigMap of Argo CD.
fn argo(kinds: &[Kind]) -> Value {
    let mut data = Map::new();
    data.insert("application.resourceTrackingMethod".to_owned(), "annotation".into());
    let health = |group: &str, kind: &str| format!("resource.customizations.health.{group}_{kind}");
    data.extend(reconciled(kinds).into_iter().map(|(group, kind)| (health(group, kind), RECONCILED.into())));
    let packages = packages(kinds).into_iter().map(|package| package.kind);
    data.extend(packages.map(|kind| (health(group(PACKAGES), &kind), PACKAGE.into())));
    // cert-manager, or the Job, writes it.
    let ignored = "jqPathExpressions:\n- .webhooks[]?.clientConfig.caBundle\n";
    for kind in ["MutatingWebhookConfiguration", "ValidatingWebhookConfiguration"] {
        let key = format!("resource.customizations.ignoreDifferences.admissionregistration.k8s.io_{kind}");
        data.insert(key, ignored.into());
    }
    json!({"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "argocd-cm"}, "data": data})
}

/// The Kustomizations of Flux.
fn flux(kinds: &[Kind]) -> [Value; 3] {
    let mut packages_spec = kustomization_spec("./packages", None);
    packages_spec["healthChecks"] = packages(kinds).iter().map(Package::check).chain(definitions(kinds)).collect();
    let kinds_of_packages: BTreeSet<_> = packages(kinds).into_iter().map(|package| package.kind).collect();
    packages_spec["healthCheckExprs"] =
        kinds_of_packages.iter().map(|kind| health(PACKAGES, kind, &OF_PACKAGE)).collect();
    let mut platform = kustomization_spec("./platform", Some("sailplane-packages"));
    platform["wait"] = true.into();
    let mut models = kustomization_spec("./models", Some("sailplane-platform"));
    models["prune"] = true.into();
    models["wait"] = true.into();
    let composed = versions(kinds).filter(|(kind, _)| kind.compose.is_some());
    models["healthCheckExprs"] =
        composed.map(|(kind, api_version)| health(api_version, kind.kind, &OF_RECONCILED)).collect();
    [
        kustomization("sailplane-packages", packages_spec),
        kustomization("sailplane-platform", platform),
        kustomization("sailplane-models", models),
    ]
}

/// CEL expressions that say in which state an object is. The first that holds counts, in this order.
struct Expressions {
    in_progress: &'static str,
    failed: &'static str,
    current: &'static str,
}

/// The same as [`RECONCILED`].
const OF_RECONCILED: Expressions = Expressions {
    in_progress: "status.?conditions.orValue([]).exists(c, c.type == 'Synced' && c.?observedGeneration.orValue(metadata.generation) != metadata.generation)",
    failed: "status.?conditions.orValue([]).exists(c, c.type == 'Synced' && c.status == 'False' && c.reason != 'ReconcilePaused')",
    current: "['Synced', 'Ready'].all(wanted, status.?conditions.orValue([]).exists(c, c.type == wanted && c.status == 'True'))",
};

/// The same as [`PACKAGE`].
const OF_PACKAGE: Expressions = Expressions {
    in_progress: "status.?conditions.orValue([]).exists(c, c.type == 'Installed' && c.?observedGeneration.orValue(metadata.generation) != metadata.generation)",
    failed: "status.?conditions.orValue([]).exists(c, c.type == 'Installed' && c.reason == 'UnpackingPackage' && has(c.message))",
    current: "['Installed', 'Healthy'].all(wanted, status.?conditions.orValue([]).exists(c, c.type == wanted && c.status == 'True'))",
};

fn health(api_version: &str, kind: &str, expressions: &Expressions) -> Value {
    json!({
        "apiVersion": api_version,
        "kind": kind,
        "inProgress": expressions.in_progress,
        "failed": expressions.failed,
        "current": expressions.current,
    })
}

fn kustomization(name: &str, spec: Value) -> Value {
    json!({
        "apiVersion": "kustomize.toolkit.fluxcd.io/v1",
        "kind": "Kustomization",
        "metadata": {"name": name, "namespace": "flux-system"},
        "spec": spec,
    })
}

fn kustomization_spec(path: &str, after: Option<&str>) -> Value {
    let mut spec = json!({
        "interval": "10m",
        "retryInterval": "1m",
        "timeout": "10m",
        "path": path,
        "prune": false,
        "sourceRef": {"kind": "GitRepository", "name": "flux-system"},
    });
    if let Some(name) = after {
        spec["dependsOn"] = json!([{ "name": name }]);
    }
    spec
}

/// A package that manifests install.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Package {
    kind: String,
    name: String,
}

impl Package {
    fn check(&self) -> Value {
        json!({"apiVersion": PACKAGES, "kind": self.kind, "name": self.name})
    }
}

/// The packages of `package/install` that there are after `configuration.yaml`: nobody may wait for another one.
fn packages(kinds: &[Kind]) -> BTreeSet<Package> {
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let own = packages::packages(kinds).into_iter().map(|(package, _)| package);
    let others: BTreeSet<_> = own.filter(|it| !is_for_all(kinds, it)).map(names::configuration).collect();
    let objects = installed(kinds).into_iter().filter(|object| object["apiVersion"] == PACKAGES);
    let objects = objects.filter(|it| it["metadata"]["name"].as_str().is_none_or(|name| !others.contains(name)));
    objects.map(|object| Package { kind: text(&object["kind"]), name: text(&object["metadata"]["name"]) }).collect()
}

/// The CRDs of composites in these packages: they exist some time after their Configuration is healthy.
fn definitions(kinds: &[Kind]) -> impl Iterator<Item = Value> {
    let own = packages::packages(kinds).into_iter().filter(move |(package, _)| is_for_all(kinds, package));
    own.flat_map(|(_, served)| served).map(|(kind, api_version)| {
        let name = format!("{}.{}", kind.plural, group(api_version));
        json!({"apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition", "name": name})
    })
}
