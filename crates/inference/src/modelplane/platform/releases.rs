//! Releases that belong to a cluster itself: their charts, and names for Helm.

use std::collections::BTreeMap;
use std::marker::PhantomData;

use serde_json::json;
use toolbox::builders::helm::{self, Chart};
use toolbox::builders::managed;
use toolbox::entries::by_key;
use toolbox::observed::Observed;
use toolbox::resources::RELEASES;
use toolbox::rows::{Each, ObjectRow, Part};
use toolbox::rule::{Rule, rule};

use super::names;
use super::tables::CloudCluster;

/// The chart of a Release.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ClusterChart {
    /// The Release: the end of its composition resource name.
    pub release: &'static str,
    /// The chart.
    pub chart: Chart,
    /// The namespace on the cluster.
    pub namespace: &'static str,
}

const fn chart(
    release: &'static str,
    name: &'static str,
    repository: &'static str,
    version: &'static str,
    namespace: &'static str,
) -> ClusterChart {
    ClusterChart { release, chart: Chart { name, repository, version, url: "" }, namespace }
}

/// The charts, with the versions of Modelplane v0.3.1.
#[rustfmt::skip]
pub const CHARTS: &[ClusterChart] = &[
    chart("cluster-autoscaler", "cluster-autoscaler", "https://kubernetes.github.io/autoscaler", "9.57.0", "kube-system"),
    chart("csi-mounted-fs-path", "csi-mounted-fs-path", "oci://cr.eu-north1.nebius.cloud/mk8s/helm", "0.1.6", "kube-system"),
    chart("efa-dra-driver", "aws-dranet", "https://aws.github.io/eks-charts", "1.0.0", "kube-system"),
    chart("network-operator", "network-operator", "https://helm.ngc.nvidia.com/nvidia", "26.4.0", "network-operator"),
];

impl ClusterChart {
    /// The chart of a Release.
    pub fn of(release: &str) -> Option<&'static Self> {
        CHARTS.iter().find(|it| it.release == release)
    }
}

/// Names for Helm, by Release.
pub type ShortNames = BTreeMap<&'static str, String>;

/// The names for Helm of those Releases whose own would be too long. `root` is what Crossplane makes names from.
pub fn shortened(root: &str, observed: &Observed<'_>) -> ShortNames {
    let short = |it: &ClusterChart| {
        let exists = observed.get(&format!("release-{}", it.release));
        Some((it.release, names::release(root, it.chart.name, exists)?))
    };
    by_key(CHARTS.iter().filter_map(short))
}

/// A cluster with Releases of its own.
pub trait WithReleases: CloudCluster {
    /// The names for Helm of Releases whose own would be too long.
    fn shortened(&self) -> &ShortNames;
}

/// The tables of Releases, for inputs `I`.
pub struct Released<I>(PhantomData<I>);

impl<I: WithReleases + 'static> Released<I> {
    /// What every Release has.
    #[rustfmt::skip]
    pub const RELEASE: &'static [Rule<Part<I>>] = &[
        rule(managed::EXTERNAL_NAME, "a short name, because Helm would refuse the one that Crossplane gives", &["metadata.name"], |p| p.of.shortened().get(p.element.as_str()).map(|name| json!(name))),
        rule(helm::CHART, "the chart of `{it}`", &[], |p| Some(ClusterChart::of(&p.element)?.chart.to_value())),
        rule(helm::NAMESPACE, "the namespace of `{it}`", &[], |p| Some(json!(ClusterChart::of(&p.element)?.namespace))),
    ];

    /// A row for a Release that is left behind: add its tables.
    pub const fn row(releases: &'static [(&'static str, &'static [&'static str])]) -> ObjectRow<I> {
        ObjectRow { each: Each::Of(releases), ..ObjectRow::unnamed(&RELEASES, "release-{e}") }
    }
}

#[cfg(test)]
mod tests {
    use contract::compose::ComposeRequest;

    use super::*;

    #[test]
    fn short_names() {
        #[track_caller]
        fn check(length: usize, exists: Option<&str>, want: &[&str]) {
            let named = |name| json!({"metadata": {"annotations": {"crossplane.io/external-name": name}}});
            let observed = exists.map(|name| ("release-network-operator".to_owned(), named(name).into()));
            let request = ComposeRequest { observed: observed.into_iter().collect(), ..ComposeRequest::default() };
            let observed = Observed::of(&request, |_| true).expect("valid objects");
            let found = shortened(&"a".repeat(length), &observed);
            assert_eq!(found.values().map(String::as_str).collect::<Vec<_>>(), want);
        }
        check(40, None, &[]);
        let others = ["mp-cluster-autoscaler", "mp-csi-mounted-fs-path", "mp-aws-dranet"];
        check(41, None, &[&others[..], &["mp-network-operator"]].concat());
        check(41, Some("a-0123456789ab"), &others);
        check(3, Some("mp-network-operator"), &["mp-network-operator"]);
    }

    #[test]
    fn charts() {
        let rows = CHARTS.iter().map(|it| (it.release, it.chart.name, it.chart.version, it.namespace));
        let want = [
            ("cluster-autoscaler", "cluster-autoscaler", "9.57.0", "kube-system"),
            ("csi-mounted-fs-path", "csi-mounted-fs-path", "0.1.6", "kube-system"),
            ("efa-dra-driver", "aws-dranet", "1.0.0", "kube-system"),
            ("network-operator", "network-operator", "26.4.0", "network-operator"),
        ];
        assert_eq!(rows.collect::<Vec<_>>(), want);
    }
}
