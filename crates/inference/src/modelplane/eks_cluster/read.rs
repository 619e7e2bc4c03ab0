//! Reads a request into the inputs of the rules: the zones, and what AWS has chosen.

use std::sync::LazyLock;

use contract::compose::ComposeRequest;
use contract::types::{Cause, Code, Fault, Problem};
use serde_json::Value;
use toolbox::builders::managed;
use toolbox::entries::by_key;
use toolbox::observed::Observed;
use toolbox::path;
use toolbox::validation::Validator;

use super::derive::control_plane::CLUSTER_KEY;
use super::derive::{ROWS, fabric, storage};
use super::inputs::{EksInputs, EksSeen, EksZone, private_range, zones};
use super::spec::{EksClusterSpec, EksNetworking};
use crate::modelplane::platform::gates;
use crate::modelplane::platform::judge::root;
use crate::modelplane::platform::releases::shortened;
use crate::modelplane::subject::Subject;

/// The definition of the kind, which validates composites.
pub(super) fn definition() -> &'static Validator {
    static DEFINITION: LazyLock<Validator> = LazyLock::new(|| Validator::read(include_str!("definition.json")));
    &DEFINITION
}

/// Reads the inputs, and the composed resources.
pub(super) fn read(request: &ComposeRequest) -> Result<(EksInputs, Observed<'_>), Fault> {
    let cluster: Subject<EksClusterSpec> = Subject::read(request, definition())?;
    let networking = cluster.spec.networking.clone().unwrap_or_default();
    let zones = subnets(&cluster.spec.region, &networking)?;
    let observed = gates::observed(request, ROWS, &cluster.name)?;
    let inputs = EksInputs {
        credentials: cluster.spec.credentials.clone().unwrap_or_default(),
        seen: seen(&observed),
        shortened: shortened(root(request.composite()?), &observed),
        zones,
        networking,
        cluster,
    };
    Ok((inputs, observed))
}

fn subnets(region: &str, networking: &EksNetworking) -> Result<Vec<EksZone>, Fault> {
    let subnet = |(public, name): (&String, String)| match private_range(public) {
        Some(private) => Ok(EksZone { name, public: public.clone(), private }),
        None => {
            let message = format!("{public:?} is no range of IPv4 addresses; write one like `10.0.0.0/20`");
            Err(Fault::new(Cause::Composite, Problem::new("spec.networking.subnetCidrs", Code::Invalid, message)))
        }
    };
    networking.subnet_cidrs.iter().zip(zones(region, networking)).map(subnet).collect()
}

fn seen(observed: &Observed<'_>) -> EksSeen {
    let external = |key: &str| observed.get(key).and_then(managed::external_name).map(str::to_owned);
    let templates = observed.iter().filter(|(key, _)| key.starts_with("launch-template-"));
    let described = [fabric::GROUP_KEY, storage::GROUP_KEY].into_iter().filter_map(|key| {
        let description = text(observed.get(key)?, "spec.forProvider.description")?;
        Some((key.to_owned(), description))
    });
    EksSeen {
        has_cluster: observed.has(CLUSTER_KEY),
        file_system: external(storage::FILE_SYSTEM_KEY),
        efa_group: external(fabric::GROUP_KEY),
        cluster_group: observed
            .get(CLUSTER_KEY)
            .and_then(|cluster| text(cluster, "status.atProvider.vpcConfig.clusterSecurityGroupId")),
        template_groups: by_key(templates.map(|(key, template)| (key.to_owned(), groups(template)))),
        descriptions: by_key(described),
    }
}

/// The security groups of a launch template: all of its interfaces have the same.
fn groups(template: &Value) -> Vec<String> {
    let groups = path::get(template, "spec.forProvider.networkInterfaces[0].securityGroups").and_then(Value::as_array);
    groups.into_iter().flatten().filter_map(Value::as_str).map(str::to_owned).collect()
}

fn text(object: &Value, at: &str) -> Option<String> {
    path::get(object, at)?.as_str().filter(|text| !text.is_empty()).map(str::to_owned)
}
