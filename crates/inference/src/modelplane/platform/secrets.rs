//! Secrets that lead to a cluster, as one kind publishes them in its status and another takes them.

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use toolbox::path;

/// The key of a kubeconfig in its Secret.
pub const KUBECONFIG_KEY: &str = "kubeconfig";
/// The key of the credentials of a service account of Google Cloud in its Secret.
pub const SERVICE_ACCOUNT_KEY: &str = "private_key";
/// The key of what nodes of Nebius do when they start.
pub const USER_DATA_KEY: &str = "userData";

/// What a kubeconfig is called.
pub const KUBECONFIG: &str = "Kubeconfig";
/// What an identity in Google Cloud is called.
pub const GOOGLE: &str = "GoogleApplicationCredentials";
/// What an identity in AWS is called.
pub const AWS: &str = "AWSWebIdentityCredentials";
/// What an identity in Nebius is called.
pub const NEBIUS: &str = "NebiusServiceAccountCredentials";
/// What an identity in Google Cloud was called before.
const EARLIER_GOOGLE: &str = "GCPServiceAccountKey";

/// What a type of an earlier version of the API is called today.
pub fn current_type(secret_type: &str) -> &str {
    if secret_type == EARLIER_GOOGLE { GOOGLE } else { secret_type }
}

/// A Secret that leads to a cluster.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize, Serialize)]
pub struct ClusterSecret {
    /// What is in it: [`KUBECONFIG`] or an identity.
    #[serde(rename = "type")]
    pub secret_type: String,
    /// Its name.
    pub name: String,
    /// The key in it.
    pub key: String,
    /// Its namespace. `None` where it is that of the composite.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub namespace: Option<String>,
}

impl ClusterSecret {
    /// A Secret in the namespace of the composite.
    pub fn new(secret_type: &str, name: impl Into<String>, key: &str) -> Self {
        Self { secret_type: secret_type.to_owned(), name: name.into(), key: key.to_owned(), namespace: None }
    }

    /// The Secrets in a list of an observed object. What is none is left out. Identities of an earlier version have their name of
    /// today.
    pub fn all(object: &Value, list: &str) -> Vec<Self> {
        let entries = path::get(object, list).and_then(Value::as_array).into_iter().flatten();
        let secrets = entries.filter_map(|entry| {
            let text = |field: &str| entry[field].as_str().filter(|text| !text.is_empty());
            let secret_type = text("type").map(current_type)?;
            let namespace = text("namespace").map(str::to_owned);
            Some(Self { namespace, ..Self::new(secret_type, text("name")?, text("key")?) })
        });
        secrets.collect()
    }

    /// The identity of a provider configuration of a composite in `namespace`. `None` where it has none in a Secret.
    pub fn of_identity(identity: &Value, namespace: &str) -> Option<Self> {
        let text = |at: &str| path::get(identity, at)?.as_str().filter(|text| !text.is_empty());
        let elsewhere = text("secretRef.namespace").filter(|it| *it != namespace).map(str::to_owned);
        let secret = Self::new(current_type(text("type")?), text("secretRef.name")?, text("secretRef.key")?);
        Some(Self { namespace: elsewhere, ..secret })
    }

    /// The first of a type.
    pub fn first<'s>(secrets: &'s [Self], secret_type: &str) -> Option<&'s Self> {
        secrets.iter().find(|secret| secret.secret_type == secret_type)
    }

    /// As lists of Secrets have it.
    pub fn to_value(&self) -> Value {
        let mut value = json!({"type": self.secret_type, "name": self.name, "key": self.key});
        if let Some(namespace) = &self.namespace {
            value["namespace"] = json!(namespace);
        }
        value
    }

    /// A reference to it from a provider configuration. `namespace` is that of the composite.
    pub fn reference(&self, namespace: &str) -> Value {
        json!({"namespace": self.namespace.as_deref().unwrap_or(namespace), "name": self.name, "key": self.key})
    }

    /// The identity in a provider configuration, beside the kubeconfig.
    pub fn identity(&self, namespace: &str) -> Value {
        json!({"type": self.secret_type, "source": "Secret", "secretRef": self.reference(namespace)})
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn secrets_of_a_status() {
        let status = json!({"status": {"secrets": [
            {"type": "Kubeconfig", "name": "a", "key": "kubeconfig"},
            {"type": "GCPServiceAccountKey", "name": "b", "key": "private_key"},
            {"type": "NebiusServiceAccountCredentials", "name": "c", "key": "d", "namespace": "crossplane-system"},
            {"type": "Kubeconfig", "name": "", "key": "kubeconfig"}, {"name": "a", "key": "b"}, 1, null,
        ]}});
        let secrets = ClusterSecret::all(&status, "status.secrets");
        let nebius =
            ClusterSecret { namespace: Some("crossplane-system".to_owned()), ..ClusterSecret::new(NEBIUS, "c", "d") };
        let want = [
            ClusterSecret::new(KUBECONFIG, "a", KUBECONFIG_KEY),
            ClusterSecret::new(GOOGLE, "b", SERVICE_ACCOUNT_KEY),
            nebius.clone(),
        ];
        assert_eq!(secrets, want);
        assert_eq!(ClusterSecret::first(&secrets, GOOGLE).map(|it| it.name.as_str()), Some("b"));
        assert_eq!(nebius.to_value(), status["status"]["secrets"][2]);
        let reference = json!({"namespace": "crossplane-system", "name": "c", "key": "d"});
        assert_eq!(nebius.identity("ns"), json!({"type": NEBIUS, "source": "Secret", "secretRef": reference}));
        assert_eq!(ClusterSecret::of_identity(&nebius.identity("ns"), "ns"), Some(nebius.clone()));
        assert_eq!(ClusterSecret::of_identity(&want[1].identity("ns"), "ns"), Some(want[1].clone()));
        assert_eq!(ClusterSecret::of_identity(&json!({"type": NEBIUS, "source": "InjectedIdentity"}), "ns"), None);
        assert_eq!(want[0].reference("ns"), json!({"namespace": "ns", "name": "a", "key": "kubeconfig"}));
        assert_eq!(ClusterSecret::all(&json!({"status": {"secrets": "odd"}}), "status.secrets"), []);
    }
}
