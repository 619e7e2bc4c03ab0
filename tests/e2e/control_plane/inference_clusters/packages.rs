//! The packages of the providers, made of the schemas of their kinds.

use std::collections::BTreeSet;

use anyhow::{Result, ensure};
use contract::catalog::ApiResource;
use inference::KINDS;
use inference::modelplane::resources::{API_VERSION, INFRASTRUCTURE};
use tests::real::access::named;
use tests::real::watching::Which;

use crate::clusters::providers::{TAG, granted, row, write};
use crate::clusters::schemas::Schemas;
use crate::names::SOON;
use crate::packages::{name_of_dependency, package};
use crate::plane::Plane;
use crate::resources::{DEFINITIONS, MANAGED_DEFINITIONS, PROVIDERS};
use crate::runtime::announce_provider;

/// The groups of kinds that Modelplane's API depends on, by cloud. Each cloud is one provider here: with every package that
/// comes, Crossplane writes all that the others have brought again.
const PROVIDERS_OF: &[(&str, &[&str])] = &[
    (
        "aws",
        &[
            "aws.m.upbound.io",
            "ec2.aws.m.upbound.io",
            "efs.aws.m.upbound.io",
            "eks.aws.m.upbound.io",
            "iam.aws.m.upbound.io",
        ],
    ),
    ("azure", &["azure.m.upbound.io", "containerservice.azure.m.upbound.io", "network.azure.m.upbound.io"]),
    (
        "gcp",
        &[
            "cloudplatform.gcp.m.upbound.io",
            "compute.gcp.m.upbound.io",
            "container.gcp.m.upbound.io",
            "gcp.m.upbound.io",
        ],
    ),
    ("helm", &["helm.m.crossplane.io"]),
    (
        "nebius",
        &["compute.nebius.m.upbound.io", "mk8s.nebius.m.upbound.io", "nebius.m.upbound.io", "vpc.nebius.m.upbound.io"],
    ),
    ("vultr", &["vke.vultr.m.upbound.io"]),
];

/// Installs them, and waits until Crossplane may use the kinds that are composed.
pub(crate) fn install(plane: &Plane, schemas: &Schemas) -> Result<()> {
    let administrator = &plane.administrator;
    let folder = plane.folder("platform-packages")?;
    for (cloud, groups) in PROVIDERS_OF {
        let folder = folder.join(cloud);
        let repository = repository(cloud);
        let definitions = groups.iter().map(|group| schemas.of_group(group)).collect::<Result<Vec<_>>>()?.concat();
        // Who takes what is in a package does not need the name for longer.
        write(&folder, &row(String::leak(repository.clone()), cloud, ""), &definitions)?;
        plane.publish_folder(&folder, &repository, TAG)?;
        administrator.apply(&package("Provider", &installed(cloud), &repository, TAG))?;
    }
    for (cloud, _) in PROVIDERS_OF {
        announce_provider(administrator, &installed(cloud))?;
    }
    for (cloud, _) in PROVIDERS_OF {
        administrator.condition("Healthy", Which::all(PROVIDERS).named(&installed(cloud)), SOON)?;
    }
    granted(plane, brought())?;
    only_what_is_composed_is_active(plane)
}

/// Every kind of these providers that is composed is active, and no other one: Crossplane activates nothing by itself here.
fn only_what_is_composed_is_active(plane: &Plane) -> Result<()> {
    let is_ours = |name: &str| {
        PROVIDERS_OF.iter().flat_map(|(_, groups)| *groups).any(|group| name.ends_with(&format!(".{group}")))
    };
    // Configurations of providers are no managed resources.
    let composed = brought().into_iter().filter(|kind| !kind.kind.ends_with("ProviderConfig")).map(named);
    let composed: BTreeSet<_> = composed.collect();
    plane.administrator.until("what is composed is active", Which::all(MANAGED_DEFINITIONS), SOON, |definitions| {
        let active = definitions.values().filter(|it| it["spec"]["state"] == "Active");
        let active = active.filter_map(|it| it["metadata"]["name"].as_str()).filter(|name| is_ours(name));
        let active: BTreeSet<_> = active.map(str::to_owned).collect();
        ensure!(active == composed, "active are {active:?}, and composed {composed:?}");
        ensure!(
            definitions.values().filter(|it| it["metadata"]["name"].as_str().is_some_and(is_ours)).count()
                > active.len(),
            "nothing is inactive"
        );
        Ok(())
    })
}

/// Uninstalls them: scenarios that come later know nothing of them.
pub(crate) fn uninstall(plane: &Plane) -> Result<()> {
    let administrator = &plane.administrator;
    for (cloud, _) in PROVIDERS_OF {
        administrator.run(&["delete", "--ignore-not-found", "providers.pkg.crossplane.io", &installed(cloud)])?;
    }
    brought().iter().try_for_each(|kind| administrator.gone(Which::all(DEFINITIONS).named(&named(kind)), SOON))
}

/// What clusters of the fleet compose, of the groups of these providers.
pub(super) fn brought() -> Vec<&'static ApiResource> {
    let groups = || PROVIDERS_OF.iter().flat_map(|(_, groups)| *groups);
    composed().into_iter().filter(|kind| groups().any(|group| *group == kind.group())).collect()
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

fn repository(cloud: &str) -> String {
    format!("platform/provider-{cloud}")
}

fn installed(cloud: &str) -> String {
    name_of_dependency(&format!("registry/{}", repository(cloud)))
}
