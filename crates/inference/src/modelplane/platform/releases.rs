//! Releases that belong to a cluster itself: their charts, and names for Helm.

use std::collections::BTreeSet;
use std::marker::PhantomData;

use serde_json::json;
use toolbox::builders::helm::{self, Chart};
use toolbox::builders::managed;
use toolbox::observed::Observed;
use toolbox::resources::RELEASES;
use toolbox::rows::{Each, ObjectRow, Part, RowTable};
use toolbox::rule::{Rule, rule};

use super::judge::APPENDED;
use super::tables::{CloudCluster, Shared};

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
    chart("efa-dra-driver", "aws-dranet", "https://aws.github.io/eks-charts", "1.0.0", "kube-system"),
    chart("network-operator", "network-operator", "https://helm.ngc.nvidia.com/nvidia", "26.4.0", "network-operator"),
];

/// The most characters of the name of a release, as Helm has it.
const LONGEST_RELEASE: usize = 53;

impl ClusterChart {
    /// The chart of a Release.
    pub fn of(release: &str) -> Option<&'static Self> {
        CHARTS.iter().find(|it| it.release == release)
    }

    /// The name for Helm where that of the Release is too long.
    fn short(&self) -> String {
        format!("mp-{}", self.chart.name)
    }

    fn key(&self) -> String {
        format!("release-{}", self.release)
    }
}

/// The Releases that have a short name for Helm: new ones that Helm would refuse otherwise, and those that have got it. A release
/// that exists keeps its name, because under another one it would be installed a second time. `root` is what Crossplane makes
/// names from.
pub fn shortened(root: &str, observed: &Observed<'_>) -> BTreeSet<&'static str> {
    let is_long = root.chars().count() + APPENDED > LONGEST_RELEASE;
    let has_short = |chart: &&ClusterChart| match observed.get(&chart.key()) {
        Some(release) => managed::external_name(release) == Some(&chart.short()),
        None => is_long,
    };
    let mut short = BTreeSet::new();
    short.extend(CHARTS.iter().filter(has_short).map(|chart| chart.release));
    short
}

/// A cluster with Releases of its own.
pub trait WithReleases: CloudCluster {
    /// The Releases that have a short name for Helm.
    fn shortened(&self) -> &BTreeSet<&'static str>;
}

/// The tables of Releases, for inputs `I`.
pub struct Released<I>(PhantomData<I>);

impl<I: WithReleases + 'static> Released<I> {
    /// What every Release has.
    #[rustfmt::skip]
    pub const RELEASE: &'static [Rule<Part<I>>] = &[
        rule(managed::EXTERNAL_NAME, "Helm takes 53 characters, and the name of the object has more", &["metadata.name"], |p| p.of.shortened().contains(p.element.as_str()).then(|| Some(json!(ClusterChart::of(&p.element)?.short())))?),
        rule(helm::CHART, "the chart of `{it}`", &[], |p| Some(ClusterChart::of(&p.element)?.chart.to_value())),
        rule(helm::NAMESPACE, "the namespace of `{it}`", &[], |p| Some(json!(ClusterChart::of(&p.element)?.namespace))),
    ];

    /// The tables of a Release without values.
    pub const TABLES: [RowTable<I>; 3] =
        [("", Shared::<I>::ON_CLUSTER), ("", Shared::<I>::LEFT_BEHIND), ("", Self::RELEASE)];

    /// A row for a Release that is left behind: add its tables.
    pub const fn row(releases: &'static [(&'static str, &'static [&'static str])]) -> ObjectRow<I> {
        ObjectRow { each: Each::Of(releases), ..ObjectRow::unnamed(&RELEASES, "release-{e}") }
    }
}

#[cfg(test)]
mod tests {
    use contract::compose::ComposeRequest;
    use serde_json::Value;

    use super::*;

    #[test]
    fn short_names() {
        #[track_caller]
        fn check(length: usize, exists: Option<Value>, want: bool) {
            let observed = exists.map(|object| ("release-network-operator".to_owned(), object.into()));
            let request = ComposeRequest { observed: observed.into_iter().collect(), ..ComposeRequest::default() };
            let observed = Observed::of(&request, |_| true).expect("valid objects");
            let found = shortened(&"a".repeat(length), &observed);
            assert_eq!(found.contains("network-operator"), want);
            assert_eq!(found.contains("cluster-autoscaler"), length > 40);
        }
        let named = |name: &str| Some(json!({"metadata": {"annotations": {"crossplane.io/external-name": name}}}));
        check(40, None, false);
        check(41, None, true);
        check(41, Some(json!({})), false);
        check(41, named("a-5c0b21"), false);
        check(41, named("mp-network-operator"), true);
        check(3, named("mp-network-operator"), true);
    }

    #[test]
    fn charts() {
        let rows = CHARTS.iter().map(|it| (it.release, it.chart.name, it.chart.version, it.namespace, it.short()));
        let want = [
            ("cluster-autoscaler", "cluster-autoscaler", "9.57.0", "kube-system", "mp-cluster-autoscaler".to_owned()),
            ("efa-dra-driver", "aws-dranet", "1.0.0", "kube-system", "mp-aws-dranet".to_owned()),
            ("network-operator", "network-operator", "26.4.0", "network-operator", "mp-network-operator".to_owned()),
        ];
        assert_eq!(rows.collect::<Vec<_>>(), want);
    }
}
