//! Names with a hash that several kinds must agree on. Everything else gets its name from Crossplane.

use serde_json::Value;
use toolbox::builders::managed;
use toolbox::hashed::child;

/// The Secret with the kubeconfig of a cluster, and the two provider configurations that use it.
pub fn kubeconfig(cluster: &str) -> String {
    child(&[cluster, "kubeconfig"])
}

/// The Secret with the key of the service account of a cluster in Google Cloud.
pub fn service_account_key(cluster: &str) -> String {
    child(&[cluster, "sa-key"])
}

/// The ClusterProviderConfig of an InferenceCluster, by which the objects of models reach it.
pub fn cluster_provider_config(cluster: &str) -> String {
    child(&[cluster, "cluster-kubeconfig"])
}

/// The ServingStack of an InferenceCluster.
pub fn serving_stack(cluster: &str) -> String {
    child(&[cluster, "serving-stack"])
}

/// The two provider configurations of a ServingStack.
pub fn stack_provider_config(stack: &str) -> String {
    child(&[stack, "cluster"])
}

/// A cluster in EKS or AKS. The name is known before the cluster exists, and is one of the whole account.
pub fn cloud_cluster(namespace: &str, cluster: &str, service: &str) -> String {
    child(&[namespace, cluster, service])
}

/// A public subnet in a zone of AWS.
pub fn public_subnet(cluster: &str, zone: &str) -> String {
    child(&[cluster, &format!("subnet-{zone}")])
}

/// A private subnet in a zone of AWS.
pub fn private_subnet(cluster: &str, zone: &str) -> String {
    child(&[cluster, &format!("private-subnet-{zone}")])
}

/// The launch template of a pool in AWS.
pub fn launch_template(cluster: &str, pool: &str) -> String {
    child(&[cluster, &format!("lt-{pool}")])
}

/// The security group of Elastic Fabric Adapter.
pub fn efa_security_group(cluster: &str) -> String {
    child(&[cluster, "efa-sg"])
}

/// The Secret with what nodes of Nebius do when they start.
pub fn cloud_init(cluster: &str) -> String {
    child(&[cluster, "cloud-init"])
}

/// The longest name that Helm accepts for a release (`releaseNameMaxLen` in `pkg/action/install.go` of Helm 3).
const LONGEST_RELEASE: usize = 53;
/// The length of what Crossplane appends to the name of a composite to name what it composes.
const SUFFIX: usize = "-0123456789ab".len();

/// The external name of a Release, where the name that Crossplane gives it is too long for Helm. `None` where it is not, and for a
/// Release that exists under another name: it would be installed a second time.
pub fn release(composite: &str, chart: &str, observed: Option<&Value>) -> Option<String> {
    let short = format!("mp-{chart}");
    match observed {
        Some(observed) => (managed::external_name(observed) == Some(&short)).then_some(short),
        None => (composite.len() + SUFFIX > LONGEST_RELEASE).then_some(short),
    }
}

/// The most characters of the name of a service account (`account_id` of `CreateServiceAccountRequest` in Google's IAM API v1, read on
/// 2026-11-26). The provider takes the name of its object for it.
const LONGEST_ACCOUNT: usize = 30;

/// The most characters of a cluster's prefix in DNS in AKS (rule `Azure.AKS.DNSPrefix` of PSRule for Azure, read on 2026-11-26).
const LONGEST_PREFIX: usize = 54;

/// Why Google refuses names that Crossplane makes from that of the composite at the root: of what a cluster has there, service accounts
/// have the shortest names.
pub fn refused_by_google(root: &str) -> Option<String> {
    let (length, most) = (root.chars().count(), LONGEST_ACCOUNT - SUFFIX);
    let why = if length > most {
        format!(
            "it has {length} characters, and with those that Crossplane appends at most {most} fit into the name of a service account"
        )
    } else if root.starts_with(|first: char| !first.is_ascii_lowercase()) {
        "it must begin with a letter".to_owned()
    } else {
        return None;
    };
    Some(format!("Google refuses the name `{root}`: {why}"))
}

/// Why Azure refuses the name of a cluster.
pub fn refused_by_azure(namespace: &str, cluster: &str) -> Option<String> {
    let prefix = cloud_cluster(namespace, cluster, AKS);
    let length = prefix.chars().count();
    let message = format!(
        "Azure refuses the prefix `{prefix}` in DNS: it has {length} characters, and {LONGEST_PREFIX} fit; choose a shorter name"
    );
    (length > LONGEST_PREFIX).then_some(message)
}

/// What names of clusters in AKS have in them.
pub const AKS: &str = "aks";

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn limits_of_clouds() {
        let check = |root: &str, want: bool| assert_eq!(refused_by_google(root).is_some(), want, "{root}");
        check("a", false);
        check(&"a".repeat(17), false);
        check(&"a".repeat(18), true);
        check("1a", true);
        let check = |name: &str, want: bool| assert_eq!(refused_by_azure("modelplane-system", name).is_some(), want);
        check(&"a".repeat(26), false);
        check(&"a".repeat(27), true);
    }

    #[test]
    fn releases() {
        let named = |name: &str| json!({"metadata": {"annotations": {"crossplane.io/external-name": name}}});
        let (long, longest) = ("a".repeat(41), "a".repeat(40));
        let short = || Some("mp-traefik".to_owned());
        assert_eq!(release(&longest, "traefik", None), None);
        assert_eq!(release(&long, "traefik", None), short());
        assert_eq!(release(&long, "traefik", Some(&named("default-0123456789ab"))), None);
        assert_eq!(release(&long, "traefik", Some(&json!({}))), None);
        assert_eq!(release("a", "traefik", Some(&named("mp-traefik"))), short());
    }

    #[test]
    fn names() {
        let (xr, system) = ("test-cluster", "modelplane-system");
        let rows = [
            (kubeconfig(xr), "test-cluster-kubeconfig-55b57"),
            (service_account_key(xr), "test-cluster-sa-key-3295c"),
            (cluster_provider_config(xr), "test-cluster-cluster-kubeconfig-d0f89"),
            (serving_stack(xr), "test-cluster-serving-stack-fd00b"),
            (stack_provider_config("test-backend"), "test-backend-cluster-63fde"),
            (cloud_cluster(system, xr, "eks"), "modelplane-system-test-cluster-eks-0865f"),
            (cloud_cluster(system, xr, "aks"), "modelplane-system-test-cluster-aks-1173e"),
            (public_subnet(xr, "us-west-2a"), "test-cluster-subnet-us-west-2a-952dc"),
            (private_subnet(xr, "us-west-2a"), "test-cluster-private-subnet-us-west-2a-6a89f"),
            (efa_security_group(xr), "test-cluster-efa-sg-602a9"),
            (cloud_init(xr), "test-cluster-cloud-init-fd2f2"),
        ];
        rows.iter().for_each(|(name, want)| assert_eq!(name, want));
        let long = kubeconfig(&"a".repeat(60));
        assert_eq!((long.len(), long), (63, format!("{}-7af38", "a".repeat(57))));
    }
}
