//! Kinds of Kubernetes and Crossplane that these tests read, with their paths in the API.

use contract::catalog::ApiResource;
use inference::otterscale::resources::{DESTINATION_RULES, POD_MONITORS, SERVICE_MONITORS};
use toolbox::resources::{cluster_scoped, namespaced};

/// Kinds that a cluster may not have: those of monitors and of the mesh. A scenario installs them.
pub(crate) const LATER: &[ApiResource] = &[POD_MONITORS, SERVICE_MONITORS, DESTINATION_RULES];

pub(crate) const AUTOSCALERS: &ApiResource =
    &namespaced("autoscaling/v2", "HorizontalPodAutoscaler", "horizontalpodautoscalers");
pub(crate) const EVENTS: &ApiResource = &namespaced("v1", "Event", "events");
pub(crate) const CONFIG_MAPS: &ApiResource = &namespaced("v1", "ConfigMap", "configmaps");
pub(crate) const DEFINITIONS: &ApiResource =
    &cluster_scoped("apiextensions.k8s.io/v1", "CustomResourceDefinition", "customresourcedefinitions");

pub(crate) const REPLICA_SETS: &ApiResource = &namespaced("apps/v1", "ReplicaSet", "replicasets");
pub(crate) const WEBHOOKS: &ApiResource = &cluster_scoped(
    "admissionregistration.k8s.io/v1",
    "ValidatingWebhookConfiguration",
    "validatingwebhookconfigurations",
);
pub(crate) const PODS: &ApiResource = &namespaced("v1", "Pod", "pods");
pub(crate) const CLUSTER_ROLES: &ApiResource =
    &cluster_scoped("rbac.authorization.k8s.io/v1", "ClusterRole", "clusterroles");

const PACKAGES: &str = "pkg.crossplane.io/v1";
pub(crate) const CONFIGURATIONS: &ApiResource = &cluster_scoped(PACKAGES, "Configuration", "configurations");
pub(crate) const FUNCTIONS: &ApiResource = &cluster_scoped(PACKAGES, "Function", "functions");
pub(crate) const PROVIDERS: &ApiResource = &cluster_scoped(PACKAGES, "Provider", "providers");
pub(crate) const CONFIGURATION_REVISIONS: &ApiResource =
    &cluster_scoped(PACKAGES, "ConfigurationRevision", "configurationrevisions");
pub(crate) const FUNCTION_REVISIONS: &ApiResource = &cluster_scoped(PACKAGES, "FunctionRevision", "functionrevisions");
pub(crate) const PROVIDER_REVISIONS: &ApiResource = &cluster_scoped(PACKAGES, "ProviderRevision", "providerrevisions");
pub(crate) const LOCKS: &ApiResource = &cluster_scoped("pkg.crossplane.io/v1beta1", "Lock", "locks");
pub(crate) const RUNTIME_CONFIGS: &ApiResource =
    &cluster_scoped("pkg.crossplane.io/v1beta1", "DeploymentRuntimeConfig", "deploymentruntimeconfigs");

pub(crate) const COMPOSITIONS: &ApiResource =
    &cluster_scoped("apiextensions.crossplane.io/v1", "Composition", "compositions");
pub(crate) const COMPOSITION_REVISIONS: &ApiResource =
    &cluster_scoped("apiextensions.crossplane.io/v1", "CompositionRevision", "compositionrevisions");
pub(crate) const MANAGED_DEFINITIONS: &ApiResource =
    &cluster_scoped("apiextensions.crossplane.io/v1alpha1", "ManagedResourceDefinition", "managedresourcedefinitions");
pub(crate) const COMPOSITE_DEFINITIONS: &ApiResource =
    &cluster_scoped("apiextensions.crossplane.io/v2", "CompositeResourceDefinition", "compositeresourcedefinitions");
