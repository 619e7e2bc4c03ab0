//! What objects are once they are up, for previews that ask what would be once everything is. What a provider makes up itself, e.g. an
//! address, is an example here.

use contract::types::KindRef;
use serde_json::{Map, Value, json};

use crate::builders::managed::{EXTERNAL_NAME, FOR_PROVIDER};
use crate::builders::remote;
use crate::path;
use crate::resources::OBJECT;

/// The conditions that are true of an object that is up, whatever its kind. What a kind does not know nobody reads.
const CONDITIONS: &[&str] = &["Available", "Ready", "Synced"];

/// What else the status of an object of a third party has.
struct More {
    group: &'static str,
    kind: &'static str,
    fields: fn(&Value) -> Value,
}

#[rustfmt::skip]
const ROWS: &[More] = &[
    More { group: "", kind: "PersistentVolumeClaim", fields: |_| json!({"phase": "Bound"}) },
    More { group: "apiextensions.k8s.io", kind: "CustomResourceDefinition", fields: |_| json!({"conditions": conditions(&["Established", "NamesAccepted"])}) },
    More { group: "batch", kind: "Job", fields: |_| json!({"conditions": conditions(&["Complete"]), "succeeded": 1}) },
    More { group: "cloudplatform.gcp.m.upbound.io", kind: "ServiceAccount", fields: |account| json!({"atProvider": {"email": format!("{}@{PROJECT}.iam.gserviceaccount.com", name(account))}}) },
    More { group: "eks.aws.m.upbound.io", kind: "Cluster", fields: |_| json!({"atProvider": {"vpcConfig": {"clusterSecurityGroupId": CLUSTER_SECURITY_GROUP}}}) },
    More { group: "gateway.networking.k8s.io", kind: "Gateway", fields: |_| json!({"addresses": [{"type": "IPAddress", "value": ADDRESS}], "conditions": conditions(&["Accepted", "Programmed"])}) },
    More { group: "gateway.networking.k8s.io", kind: "GatewayClass", fields: |_| json!({"conditions": conditions(&["Accepted"])}) },
    More { group: "gateway.networking.k8s.io", kind: "HTTPRoute", fields: |route| json!({"parents": parents(route)}) },
];

/// The examples in these tables, each a text that no provider gives.
pub const EXAMPLES: &[&str] = &[ADDRESS, PROJECT, SECURITY_GROUP, CLUSTER_SECURITY_GROUP, FILE_SYSTEM];

/// An address of a network for tests (RFC 2544).
const ADDRESS: &str = "198.18.0.1";
const PROJECT: &str = "example-project";
const SECURITY_GROUP: &str = "sg-example";
const CLUSTER_SECURITY_GROUP: &str = "sg-cluster-example";
const FILE_SYSTEM: &str = "fs-example";

/// What a cloud calls a resource, where it makes that up: group, kind, and an example. Other resources are called what they are.
const EXTERNAL_NAMES: &[(&str, &str, &str)] =
    &[("ec2.aws.m.upbound.io", "SecurityGroup", SECURITY_GROUP), ("efs.aws.m.upbound.io", "FileSystem", FILE_SYSTEM)];

/// What a provider configuration says that is not among the texts.
struct Configuration {
    group: &'static str,
    /// An example of its spec.
    spec: fn() -> Value,
    counts_as: &'static str,
}

#[rustfmt::skip]
const CONFIGURATIONS: &[Configuration] = &[
    Configuration { group: "gcp.m.upbound.io", spec: || json!({"projectID": PROJECT}), counts_as: "one of project `example-project`" },
    Configuration { group: "nebius.m.upbound.io", spec: || json!({"credentials": {"source": "Secret", "secretRef": {"namespace": "crossplane-system", "name": "nebius-credentials", "key": "credentials.json"}}}), counts_as: "one with Secret `nebius-credentials`" },
];

/// What is added to an object once it is up: conditions, what its kind reports, and the name that a cloud has for it.
pub fn added(object: &Value) -> Value {
    let mut added = json!({"status": status(object)});
    let is_managed = path::get(object, FOR_PROVIDER).is_some();
    if is_managed && path::get(object, EXTERNAL_NAME).is_none() {
        let (group, kind) = group_and_kind(object);
        let made_up = EXTERNAL_NAMES.iter().find(|row| (row.0, row.1) == (group, kind));
        path::set(&mut added, EXTERNAL_NAME, made_up.map_or_else(|| name(object), |(_, _, example)| example).into());
    }
    added
}

/// A provider configuration, where nobody wrote one, with what it counts as. `None` for other kinds.
pub fn configuration(kind: &KindRef) -> Option<(Value, &'static str)> {
    let is_one = matches!(kind.kind.as_str(), "ClusterProviderConfig" | "ProviderConfig");
    let row = CONFIGURATIONS.iter().find(|row| is_one && row.group == kind.group())?;
    Some((json!({"apiVersion": kind.api_version, "kind": kind.kind, "spec": (row.spec)()}), row.counts_as))
}
/// The status that an object has once it is up. An Object of provider-kubernetes has observed its manifest, which is up too.
fn status(object: &Value) -> Value {
    let (api_version, kind) = (text(object, "apiVersion"), text(object, "kind"));
    let mut status = Map::new();
    status.insert("conditions".to_owned(), conditions(CONDITIONS));
    if (api_version, kind) == OBJECT
        && let Some(manifest) = path::get(object, remote::MANIFEST)
    {
        let mut manifest = manifest.clone();
        let up = self::status(&manifest);
        if let Some(fields) = manifest.as_object_mut() {
            fields.insert("status".to_owned(), up);
        }
        status.insert("atProvider".to_owned(), json!({"manifest": manifest}));
    }
    let (group, kind) = group_and_kind(object);
    let row = ROWS.iter().find(|row| (row.group, row.kind) == (group, kind));
    if let Some(Value::Object(more)) = row.map(|row| (row.fields)(object)) {
        status.extend(more);
    }
    Value::Object(status)
}

fn group_and_kind(object: &Value) -> (&str, &str) {
    let group = text(object, "apiVersion").split_once('/').map_or("", |(group, _)| group);
    (group, text(object, "kind"))
}

fn name(object: &Value) -> &str {
    path::get(object, "metadata.name").and_then(Value::as_str).unwrap_or_default()
}

fn text<'v>(object: &'v Value, field: &str) -> &'v str {
    object.get(field).and_then(Value::as_str).unwrap_or_default()
}

fn conditions(types: &[&str]) -> Value {
    types.iter().map(|it| json!({"type": it, "status": "True", "reason": "Assumed"})).collect()
}

/// What each gateway says about a route that it has accepted.
fn parents(route: &Value) -> Value {
    let references = path::get(route, "spec.parentRefs").and_then(Value::as_array).into_iter().flatten();
    references.map(|it| json!({"parentRef": it, "conditions": conditions(&["Accepted", "ResolvedRefs"])})).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::builders::managed;

    #[test]
    fn names_in_clouds() {
        #[track_caller]
        fn check(api_version: &str, kind: &str, want: Option<&str>) {
            let metadata = json!({"name": "gpu"});
            let object =
                json!({"apiVersion": api_version, "kind": kind, "metadata": metadata, "spec": {"forProvider": {}}});
            assert_eq!(managed::external_name(&added(&object)), want, "{kind}");
        }
        check("compute.gcp.m.upbound.io/v1beta1", "Network", Some("gpu"));
        check("efs.aws.m.upbound.io/v1beta1", "FileSystem", Some("fs-example"));
        let map = json!({"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "gpu"}});
        assert_eq!(managed::external_name(&added(&map)), None);
        let called =
            json!({"metadata": {"annotations": {"crossplane.io/external-name": "own"}}, "spec": {"forProvider": {}}});
        assert_eq!(managed::external_name(&added(&called)), None, "it has a name");
    }

    #[test]
    fn configurations() {
        let kind =
            |api_version: &str, kind: &str| KindRef { api_version: api_version.to_owned(), kind: kind.to_owned() };
        let found = configuration(&kind("gcp.m.upbound.io/v1beta1", "ClusterProviderConfig"));
        let (found, counts_as) = found.expect("an example");
        assert_eq!(
            (&found["spec"]["projectID"], counts_as),
            (&json!("example-project"), "one of project `example-project`")
        );
        assert!(configuration(&kind("gcp.m.upbound.io/v1beta1", "ProviderConfigUsage")).is_none());
        assert!(configuration(&kind("aws.m.upbound.io/v1beta1", "ProviderConfig")).is_none());
    }

    #[test]
    fn statuses() {
        #[track_caller]
        fn check(object: Value, at: &str, want: Value) {
            assert_eq!(path::get(&status(&object), at), Some(&want), "{object}");
        }
        let is_true = |kind: &str| json!({"type": kind, "status": "True", "reason": "Assumed"});
        let object = |manifest: Value| {
            let (api_version, kind) = OBJECT;
            json!({"apiVersion": api_version, "kind": kind, "spec": {"forProvider": {"manifest": manifest}}})
        };
        let job = json!({"apiVersion": "batch/v1", "kind": "Job"});
        let volume = json!({"apiVersion": "v1", "kind": "PersistentVolumeClaim"});
        check(json!({"apiVersion": "v1", "kind": "Service"}), "conditions[1]", is_true("Ready"));
        check(job.clone(), "conditions[0]", is_true("Complete"));
        check(object(job), "atProvider.manifest.status.conditions[0]", is_true("Complete"));
        let definition = json!({"apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition"});
        check(definition, "conditions[0]", is_true("Established"));
        let gateway = |kind: &str| json!({"apiVersion": "gateway.networking.k8s.io/v1", "kind": kind});
        check(gateway("Gateway"), "conditions[1]", is_true("Programmed"));
        check(gateway("Gateway"), "addresses[0].value", json!(ADDRESS));
        let account = json!({
            "apiVersion": "cloudplatform.gcp.m.upbound.io/v1beta1", "kind": "ServiceAccount", "metadata": {"name": "gpu"},
        });
        check(account, "atProvider.email", json!("gpu@example-project.iam.gserviceaccount.com"));
        check(gateway("GatewayClass"), "conditions[0]", is_true("Accepted"));
        check(object(volume), "atProvider.manifest.status.phase", json!("Bound"));
        let route = json!({
            "apiVersion": "gateway.networking.k8s.io/v1", "kind": "HTTPRoute", "spec": {"parentRefs": [{"name": "g"}]},
        });
        check(route.clone(), "parents[0].parentRef", json!({"name": "g"}));
        check(route, "parents[0].conditions[0]", is_true("Accepted"));
    }
}
