//! The packages of the providers, made of the schemas of their kinds.

use anyhow::Result;
use contract::catalog::ApiResource;
use inference::KINDS;
use inference::modelplane::resources::{API_VERSION, INFRASTRUCTURE};
use serde_json::json;
use tests::real::access::named;
use tests::real::watching::Which;
use toolbox::resources::{CLUSTER_KUBERNETES_CONFIGS, KUBERNETES_CONFIGS};

use crate::clusters::providers::{TAG, granted, row, write};
use crate::clusters::schemas::Schemas;
use crate::names::SOON;
use crate::packages::{name_of_dependency, package};
use crate::plane::Plane;
use crate::resources::{DEFINITIONS, PROVIDERS};
use crate::runtime::announce_provider;

/// The groups of the providers that Modelplane's API depends on. Each is a provider here.
const GROUPS: &[&str] = &[
    "aws.m.upbound.io",
    "azure.m.upbound.io",
    "cloudplatform.gcp.m.upbound.io",
    "compute.gcp.m.upbound.io",
    "compute.nebius.m.upbound.io",
    "container.gcp.m.upbound.io",
    "containerservice.azure.m.upbound.io",
    "ec2.aws.m.upbound.io",
    "efs.aws.m.upbound.io",
    "eks.aws.m.upbound.io",
    "gcp.m.upbound.io",
    "helm.m.crossplane.io",
    "iam.aws.m.upbound.io",
    "mk8s.nebius.m.upbound.io",
    "nebius.m.upbound.io",
    "network.azure.m.upbound.io",
    "vke.vultr.m.upbound.io",
    "vpc.nebius.m.upbound.io",
];

/// Installs them, and waits until Crossplane may use the kinds that are composed.
pub(crate) fn install(plane: &Plane, schemas: &Schemas) -> Result<()> {
    let administrator = &plane.administrator;
    let folder = plane.folder("platform-packages")?;
    for group in GROUPS {
        let folder = folder.join(group);
        let repository = repository(group);
        // Who takes what is in a package does not need the name for longer.
        write(&folder, &row(String::leak(repository.clone()), group, ""), &schemas.of_group(group)?)?;
        plane.publish_folder(&folder, &repository, TAG)?;
        administrator.apply(&package("Provider", &installed(group), &repository, TAG))?;
    }
    for group in GROUPS {
        announce_provider(administrator, &installed(group))?;
    }
    for group in GROUPS {
        administrator.condition("Healthy", Which::all(PROVIDERS).named(&installed(group)), SOON)?;
    }
    granted(plane, brought())
}

/// Lets the configurations of provider-kubernetes name the identity of clusters in Nebius, as those of Upbound's 1.3 do.
pub(crate) fn know_nebius(plane: &Plane) -> Result<()> {
    const TYPES: &str =
        "/spec/versions/0/schema/openAPIV3Schema/properties/spec/properties/identity/properties/type/enum/-";
    let patch = json!([{"op": "add", "path": TYPES, "value": "NebiusServiceAccountCredentials"}]).to_string();
    [&KUBERNETES_CONFIGS, &CLUSTER_KUBERNETES_CONFIGS].iter().try_for_each(|kind| {
        let arguments = ["patch", DEFINITIONS.plural, &named(kind), "--type=json", "-p", &patch];
        plane.administrator.run(&arguments).map(drop)
    })
}

/// Uninstalls them: scenarios that come later know nothing of them.
pub(crate) fn uninstall(plane: &Plane) -> Result<()> {
    let administrator = &plane.administrator;
    for group in GROUPS {
        administrator.run(&["delete", "--ignore-not-found", "providers.pkg.crossplane.io", &installed(group)])?;
    }
    brought().iter().try_for_each(|kind| administrator.gone(Which::all(DEFINITIONS).named(&named(kind)), SOON))
}

/// What clusters of the fleet compose, of the groups of these providers.
pub(super) fn brought() -> Vec<&'static ApiResource> {
    composed().into_iter().filter(|kind| GROUPS.contains(&kind.group())).collect()
}

/// What clusters of the fleet compose, and the gateway of the control plane.
pub(super) fn composed() -> Vec<&'static ApiResource> {
    let kinds = KINDS.rows.iter().filter(|kind| {
        let platform = ["InferenceCluster", "InferenceGateway"];
        kind.api_version == INFRASTRUCTURE || kind.api_version == API_VERSION && platform.contains(&kind.kind)
    });
    let mut composed: Vec<_> = kinds.flat_map(|kind| kind.composes).collect();
    composed.sort_by_key(|kind| named(kind));
    composed.dedup();
    composed
}

fn repository(group: &str) -> String {
    format!("platform/provider-{}", group.replace('.', "-"))
}

fn installed(group: &str) -> String {
    name_of_dependency(&format!("registry/{}", repository(group)))
}
