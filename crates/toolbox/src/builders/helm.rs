//! Releases of provider-helm: a Helm chart on another cluster.

use serde_json::{Value, json};

use crate::entries::object;
use crate::resources::RELEASE;
use crate::rule::Plan;

/// Path of the chart.
pub const CHART: &str = "spec.forProvider.chart";

/// Path of the namespace on the other cluster.
pub const NAMESPACE: &str = "spec.forProvider.namespace";

/// Path of the chart's values. Rules may set all of them or single ones.
pub const VALUES: &str = "spec.forProvider.values";

/// Path that appends a value as `helm --set` does.
pub const SET: &str = "spec.forProvider.set[]";

/// A chart. Empty fields are left out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Chart {
    /// Its name in the repository.
    pub name: &'static str,
    /// The URL of its repository, with `https://` or `oci://`.
    pub repository: &'static str,
    /// Its version.
    pub version: &'static str,
    /// The URL of an archive of it, instead of a repository.
    pub url: &'static str,
}

impl Chart {
    /// The value at [`CHART`].
    pub fn to_value(&self) -> Value {
        let fields =
            [("name", self.name), ("repository", self.repository), ("version", self.version), ("url", self.url)];
        let fields = fields.into_iter().filter(|(_, text)| !text.is_empty());
        Value::Object(object(fields.map(|(key, text)| (key.to_owned(), Value::from(text)))))
    }
}

/// The plan of a Release, to add rules to.
pub fn release() -> Plan {
    Plan::of_kind(RELEASE)
}

/// A value for [`SET`].
pub fn set(name: &str, value: &str) -> Value {
    json!({"name": name, "value": value})
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data;
    use crate::rule::{Rule, constant, rule};

    const OPERATOR: Chart =
        Chart { name: "operator", repository: "https://charts.example.org", version: "1.2.3", url: "" };

    #[rustfmt::skip]
    const RULES: &[Rule<Chart>] = &[
        rule(CHART, "the platform's catalogue", &[], |chart| Some(chart.to_value())),
        constant(NAMESPACE, "the operator's own", data!("operator-system")),
        constant(VALUES, "the pools bring the driver", data!({"driver": {"enabled": false}})),
        constant("spec.forProvider.values.toleration", "its nodes are tainted", data!("all")),
        rule(SET, "pods route natively", &[], |_| Some(set("routing", "native"))),
        constant("spec.rollbackLimit", "always", data!(3)),
    ];

    #[test]
    fn a_release_of_a_chart() {
        let want = json!({
            "apiVersion": "helm.m.crossplane.io/v1beta1",
            "kind": "Release",
            "spec": {
                "forProvider": {
                    "chart": {"name": "operator", "repository": "https://charts.example.org", "version": "1.2.3"},
                    "namespace": "operator-system",
                    "values": {"driver": {"enabled": false}, "toleration": "all"},
                    "set": [{"name": "routing", "value": "native"}],
                },
                "rollbackLimit": 3,
            },
        });
        assert_eq!(*release().and(RULES, &OPERATOR).object(), want);
    }

    #[test]
    fn a_chart_may_be_an_archive() {
        let chart = Chart { name: "functions", url: "https://example.org/functions.tgz", ..Chart::default() };
        assert_eq!(chart.to_value(), json!({"name": "functions", "url": "https://example.org/functions.tgz"}));
    }
}
