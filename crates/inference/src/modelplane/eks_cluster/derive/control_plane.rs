//! The control plane, its add-ons, what leads to it, and the autoscaler: devices that pods claim rule out those of AWS.

use serde_json::json;
use toolbox::builders::helm;
use toolbox::builders::managed::FOR_PROVIDER;
use toolbox::data;
use toolbox::rows::{Each, Gate, ObjectRow};
use toolbox::rule::{Rule, constant, rule};

use super::parts::{EksPart, EksReleases, EksRow, EksShared, IN_REGION, OF_CLUSTER, labelled, row};
use crate::clouds::resources::{ADDONS, CLUSTER_AUTHS, EKS_CLUSTERS};
use crate::modelplane::labels::IAM_ROLE;

/// Composition resource name of the control plane.
pub const CLUSTER_KEY: &str = "cluster";

/// The objects.
#[rustfmt::skip]
pub(super) const ROWS: &[EksRow] = &[
    row(&EKS_CLUSTERS, CLUSTER_KEY, &[("", EksShared::IN_CLOUD), ("", CLUSTER), (FOR_PROVIDER, IN_REGION)]),
    row(&CLUSTER_AUTHS, "cluster-auth", &[("", EksShared::IN_CLOUD), ("", EksShared::WITH_KUBECONFIG), (FOR_PROVIDER, IN_REGION), (FOR_PROVIDER, OF_CLUSTER)]),
    ObjectRow { each: Each::Of(&[("vpc-cni", &[]), ("kube-proxy", &[]), ("coredns", &[]), ("eks-pod-identity-agent", &[]), ("aws-efs-csi-driver", &[])]), ..row(&ADDONS, "addon-{e}", &[("", EksShared::IN_CLOUD), (FOR_PROVIDER, IN_REGION), (FOR_PROVIDER, OF_CLUSTER), (FOR_PROVIDER, ADDON)]) },
    EksShared::KUBERNETES_CONFIG,
    EksShared::HELM_CONFIG,
    ObjectRow { gate: Gate::Until("the control plane", |of| of.seen.has_cluster), tables: &[("", EksShared::ON_CLUSTER), ("", EksShared::LEFT_BEHIND), ("", EksReleases::RELEASE), (helm::VALUES, AUTOSCALER)], ..EksReleases::row(&[("cluster-autoscaler", &[])]) },
];

#[rustfmt::skip]
pub(super) const CLUSTER: &[Rule<EksPart>] = &[
    rule("metadata.name", "namespace and cluster: the autoscaler finds its groups by this name", &["metadata.namespace", "metadata.name"], |p| Some(json!(p.of.cluster_name()))),
    rule("spec.forProvider.version", "the version of Kubernetes", &["spec.kubernetesVersion"], |p| Some(json!(p.of.cluster.spec.kubernetes_version))),
    rule("spec.forProvider.roleArnSelector", "the role of the control plane", &[], |_| Some(labelled(IAM_ROLE, "cluster"))),
    constant("spec.forProvider.accessConfig", "always: who creates it may use it", data!({"authenticationMode": "API_AND_CONFIG_MAP", "bootstrapClusterCreatorAdminPermissions": true})),
    constant("spec.forProvider.vpcConfig", "always: nodes reach it inside the network, others from outside; it has the subnets of both tiers", data!({"endpointPrivateAccess": true, "endpointPublicAccess": true, "subnetIdSelector": {"matchControllerRef": true}})),
];

#[rustfmt::skip]
pub(super) const ADDON: &[Rule<EksPart>] = &[
    rule("addonName", "the add-on `{it}`", &[], |p| Some(json!(p.element))),
];

#[rustfmt::skip]
pub(super) const AUTOSCALER: &[Rule<EksPart>] = &[
    constant("cloudProvider", "always: AWS", data!("aws")),
    rule("awsRegion", "the region", &["spec.region"], |p| Some(json!(p.of.cluster.spec.region))),
    rule("autoDiscovery.clusterName", "the name of the cluster in AWS, which is in a tag of its groups", &["metadata.namespace", "metadata.name"], |p| Some(json!(p.of.cluster_name()))),
    constant("rbac.serviceAccount.name", "always: the ServiceAccount that has the role", data!("cluster-autoscaler")),
    constant("extraArgs.balance-similar-node-groups", "always: pools of one size grow alike", data!(true)),
];
