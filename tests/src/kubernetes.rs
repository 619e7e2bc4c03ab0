//! Checks objects of Kubernetes' own groups with the types of Kubernetes 1.35 (`k8s-openapi`).

use k8s_openapi::Resource;
use k8s_openapi::api::{
    admissionregistration::v1 as admissionregistration, apps::v1 as apps, autoscaling::v2 as autoscaling,
    batch::v1 as batch, coordination::v1 as coordination, core::v1 as core, discovery::v1 as discovery,
    networking::v1 as networking, policy::v1 as policy, rbac::v1 as rbac, resource::v1 as resource,
    scheduling::v1 as scheduling, storage::v1 as storage,
};
use k8s_openapi::apiextensions_apiserver::pkg::apis::apiextensions::v1 as apiextensions;
use k8s_openapi::kube_aggregator::pkg::apis::apiregistration::v1 as apiregistration;
use k8s_openapi::serde::de::value::Error;
use k8s_openapi::serde::de::{DeserializeOwned, Deserializer, Error as _, Visitor};
use k8s_openapi::serde::{Serialize, forward_to_deserialize_any};
use serde_json::Value;

/// The groups of Kubernetes itself. Other groups may end in `.k8s.io` too; these have CustomResourceDefinitions.
const GROUPS: &[&str] = &[
    "",
    "admissionregistration.k8s.io",
    "apiextensions.k8s.io",
    "apiregistration.k8s.io",
    "apps",
    "authentication.k8s.io",
    "authorization.k8s.io",
    "autoscaling",
    "batch",
    "certificates.k8s.io",
    "coordination.k8s.io",
    "discovery.k8s.io",
    "events.k8s.io",
    "flowcontrol.apiserver.k8s.io",
    "networking.k8s.io",
    "node.k8s.io",
    "policy",
    "rbac.authorization.k8s.io",
    "resource.k8s.io",
    "scheduling.k8s.io",
    "storage.k8s.io",
    "storagemigration.k8s.io",
];

/// A kind that we compose or ship, or that other APIs may compose.
struct CoreKind {
    api_version: &'static str,
    kind: &'static str,
    /// Reads an object into the kind's type and writes it again.
    through: fn(&Value) -> serde_json::Result<Value>,
}

const KINDS: &[CoreKind] = &[
    row::<admissionregistration::MutatingWebhookConfiguration>(),
    row::<admissionregistration::ValidatingAdmissionPolicy>(),
    row::<admissionregistration::ValidatingAdmissionPolicyBinding>(),
    row::<admissionregistration::ValidatingWebhookConfiguration>(),
    row::<apiextensions::CustomResourceDefinition>(),
    row::<apiregistration::APIService>(),
    row::<apps::DaemonSet>(),
    row::<apps::Deployment>(),
    row::<apps::StatefulSet>(),
    row::<autoscaling::HorizontalPodAutoscaler>(),
    row::<batch::CronJob>(),
    row::<batch::Job>(),
    row::<coordination::Lease>(),
    row::<core::ConfigMap>(),
    row::<core::LimitRange>(),
    row::<core::Namespace>(),
    row::<core::PersistentVolume>(),
    row::<core::PersistentVolumeClaim>(),
    row::<core::Pod>(),
    row::<core::ResourceQuota>(),
    row::<core::Secret>(),
    row::<core::Service>(),
    row::<core::ServiceAccount>(),
    row::<discovery::EndpointSlice>(),
    row::<networking::Ingress>(),
    row::<networking::IngressClass>(),
    row::<networking::NetworkPolicy>(),
    row::<policy::PodDisruptionBudget>(),
    row::<rbac::ClusterRole>(),
    row::<rbac::ClusterRoleBinding>(),
    row::<rbac::Role>(),
    row::<rbac::RoleBinding>(),
    row::<resource::DeviceClass>(),
    row::<resource::ResourceClaim>(),
    row::<resource::ResourceClaimTemplate>(),
    row::<resource::ResourceSlice>(),
    row::<scheduling::PriorityClass>(),
    row::<storage::StorageClass>(),
];

const fn row<T: Resource + DeserializeOwned + Serialize>() -> CoreKind {
    CoreKind { api_version: T::API_VERSION, kind: T::KIND, through: through::<T> }
}

fn through<T: DeserializeOwned + Serialize>(object: &Value) -> serde_json::Result<Value> {
    let read: T = serde_json::from_value(object.clone())?;
    serde_json::to_value(&read)
}

/// Whether an object is in a group of Kubernetes itself.
pub fn is_core(object: &Value) -> bool {
    GROUPS.contains(&group(object))
}

/// Checks that an object of such a group stays unchanged when it is read into the type of its kind and written again.
/// An unknown field is lost, a missing required field is added, and a field with a wrong type is an error.
///
/// # Errors
/// The differences, a line for each.
pub fn check(object: &Value) -> Result<(), String> {
    let of = |name: &str| object[name].as_str().unwrap_or_default();
    let (api_version, kind) = (of("apiVersion"), of("kind"));
    let row = KINDS.iter().find(|row| (row.api_version, row.kind) == (api_version, kind));
    let row = row.ok_or_else(|| format!("`{api_version}` {kind} has no row in tests/src/kubernetes.rs"))?;
    let written = (row.through)(object).map_err(|error| error.to_string())?;
    let mut differences = Vec::new();
    compare("", object, &written, &mut differences);
    if differences.is_empty() { Ok(()) } else { Err(differences.join("\n")) }
}

/// An object and the objects that it wraps: the manifest in an Object of provider-kubernetes, and the manifest in that.
pub fn with_manifests(object: &Value) -> Vec<&Value> {
    let inner = object.pointer("/spec/forProvider/manifest").map(with_manifests).unwrap_or_default();
    std::iter::once(object).chain(inner).collect()
}

/// The names of the fields that a type of Kubernetes reads, sorted.
pub fn fields<T: DeserializeOwned>() -> Vec<&'static str> {
    let mut found = Vec::new();
    // It asks the deserializer for a struct with its fields; only these are needed.
    T::deserialize(Asked(&mut found)).err();
    found.sort_unstable();
    found
}

/// A deserializer without data. It records the fields that a type asks for.
struct Asked<'a>(&'a mut Vec<&'static str>);

impl<'de> Deserializer<'de> for Asked<'_> {
    type Error = Error;

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        fields: &'static [&'static str],
        _: V,
    ) -> Result<V::Value, Error> {
        self.0.extend(fields);
        Err(Error::custom("nothing to read"))
    }

    fn deserialize_any<V: Visitor<'de>>(self, _: V) -> Result<V::Value, Error> {
        Err(Error::custom("no struct"))
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf option unit unit_struct
        newtype_struct seq tuple tuple_struct map enum identifier ignored_any
    }
}

fn group(object: &Value) -> &str {
    let api_version = object["apiVersion"].as_str().unwrap_or_default();
    api_version.split_once('/').map_or("", |(group, _)| group)
}

/// Collects the differences of two values.
fn compare(path: &str, before: &Value, after: &Value, differences: &mut Vec<String>) {
    match (before, after) {
        (Value::Object(old), Value::Object(new)) => {
            for (name, value) in old {
                let path = format!("{path}.{name}");
                match new.get(name) {
                    Some(other) => compare(&path, value, other, differences),
                    None => differences.push(format!("{path} is no field of the kind")),
                }
            }
            let added = new.keys().filter(|name| !old.contains_key(*name));
            differences.extend(added.map(|name| format!("{path}.{name} is missing")));
        }
        (Value::Array(old), Value::Array(new)) if old.len() == new.len() => {
            for (index, (value, other)) in old.iter().zip(new).enumerate() {
                compare(&format!("{path}[{index}]"), value, other, differences);
            }
        }
        // The type has bounds of a schema as doubles.
        (Value::Number(old), Value::Number(new)) if old.as_f64() == new.as_f64() => (),
        (before, after) if before == after => (),
        (before, after) => differences.push(format!("{path} is {before}, and comes back as {after}")),
    }
}
