//! The CustomResourceDefinitions whose objects are compared.

use std::fs;

use anyhow::{Context as _, Result, anyhow};
use inference::KINDS;
use schema::{Scale, Schema, sources};
use serde_json::{Map, Value, json};
use tests::files::schemas;
use tests::real::processes::progress;

/// A kind with its schema.
pub(crate) struct Definition {
    group: String,
    pub(crate) kind: String,
    /// The schema as JSON.
    pub(crate) source: Value,
    pub(crate) schema: Schema,
    /// Whether it has the subresource `status`.
    pub(crate) status: bool,
    /// The subresource `scale`, if it has it.
    pub(crate) scale: Option<Scale>,
}

/// Real schemas, chosen because they have many rules and many different keywords.
const REAL: &[&str] = &[
    "gateway.envoyproxy.io/envoyproxy_v1alpha1.json",
    "gateway.envoyproxy.io/securitypolicy_v1alpha1.json",
    "gateway.envoyproxy.io/backendtrafficpolicy_v1alpha1.json",
    "gateway.envoyproxy.io/envoyextensionpolicy_v1alpha1.json",
    "gateway.envoyproxy.io/clienttrafficpolicy_v1alpha1.json",
    "serving.kserve.io/llminferenceservice_v1alpha2.json",
    "aigateway.envoyproxy.io/mcproute_v1beta1.json",
    "aigateway.envoyproxy.io/backendsecuritypolicy_v1beta1.json",
    "gateway.networking.k8s.io/httproute_v1.json",
    "gateway.networking.k8s.io/gateway_v1.json",
    "gateway.networking.k8s.io/listenerset_v1.json",
    "networking.istio.io/destinationrule_v1.json",
    "kueue.x-k8s.io/workload_v1beta2.json",
    "nvidia.com/dynamographdeployment_v1beta1.json",
];

impl Definition {
    pub(crate) fn new(group: &str, kind: &str, source: Value, status: bool) -> Result<Self> {
        let schema = Schema::read(&source).map_err(|errors| anyhow!("{kind}: {errors:#?}"))?;
        Ok(Self { group: group.to_owned(), kind: kind.to_owned(), source, schema, status, scale: None })
    }

    /// A definition whose schema may have mistakes, so its objects cannot be validated.
    pub(crate) fn unchecked(group: &str, kind: &str, source: Value) -> Result<Self> {
        Ok(Self { source, ..Self::new(group, kind, Self::lax(), false)? })
    }

    /// A schema that accepts every object.
    pub(crate) fn lax() -> Value {
        json!({"type": "object", "x-kubernetes-preserve-unknown-fields": true})
    }

    /// The CustomResourceDefinition with this schema.
    pub(crate) fn crd(&self, schema: &Value) -> Value {
        let plural = self.plural();
        let mut subresources = if self.status { json!({"status": {}}) } else { json!({}) };
        // Old objects may have any value.
        if let Some(scale) = self.scale.as_ref().filter(|_| *schema == self.source) {
            subresources["scale"] = json!({
                "specReplicasPath": scale.spec_replicas,
                "statusReplicasPath": scale.status_replicas,
                "labelSelectorPath": scale.label_selector,
            });
        }
        json!({
            "apiVersion": "apiextensions.k8s.io/v1",
            "kind": "CustomResourceDefinition",
            "metadata": {
                "name": self.name(),
                // Required for API groups of Kubernetes (*.k8s.io), which are protected.
                "annotations": {"api-approved.kubernetes.io": "unapproved, for a test"},
            },
            "spec": {
                "group": self.group,
                "scope": "Namespaced",
                "names": {"plural": plural, "singular": self.kind.to_lowercase(), "kind": self.kind},
                "versions": [{
                    "name": "v1",
                    "served": true,
                    "storage": true,
                    "schema": {"openAPIV3Schema": schema},
                    "subresources": subresources,
                }],
            },
        })
    }

    pub(crate) fn name(&self) -> String {
        format!("{}.{}", self.plural(), self.group)
    }

    fn plural(&self) -> String {
        format!("{}s", self.kind.to_lowercase())
    }

    /// The path of the collection.
    pub(crate) fn collection(&self) -> String {
        format!("/apis/{}/v1/namespaces/default/{}", self.group, self.plural())
    }

    /// The path of a dry run, which stores nothing: for a new object, or for an update of `old`.
    pub(crate) fn dry_run(&self, old: Option<&str>) -> String {
        let old = old.map(|old| format!("/{old}")).unwrap_or_default();
        format!("{}{old}?dryRun=All&fieldValidation=Strict", self.collection())
    }

    /// An object with these fields, and with a type and a name.
    pub(crate) fn object(&self, fields: &Value) -> Value {
        let mut object = json!({
            "apiVersion": format!("{}/v1", self.group),
            "kind": self.kind,
            "metadata": {"name": "case", "namespace": "default"},
        });
        if let (Some(object), Some(fields)) = (object.as_object_mut(), fields.as_object()) {
            object.extend(fields.clone());
        }
        object
    }
}

/// The definitions of this project and, when their folder exists, those of other projects.
pub(crate) fn real() -> Result<Vec<Definition>> {
    let own = KINDS.rows.iter().map(|row| {
        let own = sources::find("", (row.definition)().document()).into_iter().next();
        let own = own.context("a definition has a schema")?;
        Ok(Definition { scale: own.scale, ..Definition::new("own.sailplane.test", row.kind, own.schema, true)? })
    });
    let mut definitions = own.collect::<Result<Vec<_>>>()?;
    let folder = schemas();
    if !folder.exists() {
        progress(&format!("skipped: {} real definitions, for want of the folder with their schemas", REAL.len()));
        return Ok(definitions);
    }
    for file in REAL {
        let text = fs::read_to_string(folder.join(file)).with_context(|| format!("cannot read {file}"))?;
        let source: Value = serde_json::from_str(&text)?;
        let kind = file.split(['/', '_']).nth(1).context("a file is named by its kind")?;
        definitions.push(Definition::new("real.sailplane.test", &format!("R{kind}"), source, true)?);
    }
    Ok(definitions)
}

/// The object without the fields that the API server adds.
pub(crate) fn without_metadata(object: &Value) -> Map<String, Value> {
    let mut fields = object.as_object().cloned().unwrap_or_default();
    fields.remove("metadata");
    fields
}
