//! The provider configuration with the credentials for a cloud.

use contract::types::Selector;
use serde::Deserialize;
use serde_json::Value;
use toolbox::builders::managed;
use toolbox::builders::selectors::lookup_of;

/// Which provider configuration has the credentials for the cloud.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[cfg_attr(feature = "generate", derive(schemars::JsonSchema))]
pub struct Credentials {
    /// Kind of the provider configuration.
    #[serde(rename = "type", default = "cluster_wide")]
    #[cfg_attr(feature = "generate", schemars(extend("enum" = ["ProviderConfig", "ClusterProviderConfig"])))]
    pub config_kind: String,
    /// Its name.
    #[serde(default = "default_name")]
    #[cfg_attr(feature = "generate", schemars(length(min = 1, max = 253)))]
    pub name: String,
}

fn cluster_wide() -> String {
    "ClusterProviderConfig".to_owned()
}

fn default_name() -> String {
    "default".to_owned()
}

impl Default for Credentials {
    fn default() -> Self {
        Self { config_kind: cluster_wide(), name: default_name() }
    }
}

impl Credentials {
    /// The reference that every object in the cloud has.
    pub fn reference(&self) -> Value {
        managed::provider_config(&self.config_kind, &self.name)
    }

    /// A lookup of the provider configuration, in the namespace of the cluster where it has one. `api_version` is that of the
    /// family of providers.
    pub fn lookup(&self, api_version: &str, namespace: &str) -> Selector {
        let namespace = (self.config_kind == "ProviderConfig").then_some(namespace);
        lookup_of((api_version, &self.config_kind), namespace, &self.name)
    }
}

#[cfg(test)]
mod tests {
    use contract::types::MatchBy;
    use serde_json::json;

    use super::*;

    #[test]
    fn provider_configurations() {
        #[track_caller]
        fn check(credentials: Value, kind: &str, name: &str, namespace: Option<&str>) {
            let credentials: Credentials = serde_json::from_value(credentials).expect("valid credentials");
            assert_eq!(credentials.reference(), json!({"kind": kind, "name": name}));
            let found = credentials.lookup("gcp.m.upbound.io/v1beta1", "modelplane-system");
            assert_eq!((found.kind.kind.as_str(), found.namespace.as_deref()), (kind, namespace));
            assert_eq!(found.match_by, MatchBy::Name(name.to_owned()));
        }
        check(json!({}), "ClusterProviderConfig", "default", None);
        check(json!({"name": "prod"}), "ClusterProviderConfig", "prod", None);
        check(json!({"type": "ProviderConfig"}), "ProviderConfig", "default", Some("modelplane-system"));
        assert_eq!(Credentials::default(), serde_json::from_value(json!({})).expect("valid credentials"));
    }
}
