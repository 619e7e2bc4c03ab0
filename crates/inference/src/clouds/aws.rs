//! What roles in AWS are for, as its API says it.

/// The service that EKS is.
pub const EKS: &str = "eks.amazonaws.com";
/// The service that nodes are.
pub const EC2: &str = "ec2.amazonaws.com";
/// The service by which pods get the rights of a role (EKS Pod Identity).
pub const PODS: &str = "pods.eks.amazonaws.com";
/// What a service does that takes a role.
pub const ASSUME_ROLE: &str = "sts:AssumeRole";
/// What pods do besides: their names become tags of the session.
pub const TAG_SESSION: &str = "sts:TagSession";

/// What the names of AWS' own policies begin with.
pub const POLICY_PREFIX: &str = "arn:aws:iam::aws:policy/";
/// The rights of a control plane.
pub const CLUSTER_POLICY: &str = "AmazonEKSClusterPolicy";
/// The rights of a node.
pub const WORKER_NODE_POLICY: &str = "AmazonEKSWorkerNodePolicy";
/// The rights of the network of pods on a node.
pub const CNI_POLICY: &str = "AmazonEKS_CNI_Policy";
/// The rights of a node to pull images.
pub const REGISTRY_POLICY: &str = "AmazonEC2ContainerRegistryReadOnly";
/// The rights of the driver for EFS.
pub const EFS_POLICY: &str = "service-role/AmazonEFSCSIDriverPolicy";

/// The trust document of a role of EKS, byte for byte as Modelplane v0.3.1 writes it.
pub const EKS_TRUST: &str = r#"{"Version":"2012-10-17","Statement":[{"Effect":"Allow","Principal":{"Service":"eks.amazonaws.com"},"Action":"sts:AssumeRole"}]}"#;
/// The trust document of a role of nodes, as Modelplane v0.3.1 writes it.
pub const EC2_TRUST: &str = r#"{"Version":"2012-10-17","Statement":[{"Effect":"Allow","Principal":{"Service":"ec2.amazonaws.com"},"Action":"sts:AssumeRole"}]}"#;
/// The trust document of a role of pods, as Modelplane v0.3.1 writes it.
pub const PODS_TRUST: &str = r#"{"Version":"2012-10-17","Statement":[{"Effect":"Allow","Principal":{"Service":"pods.eks.amazonaws.com"},"Action":["sts:AssumeRole","sts:TagSession"]}]}"#;
/// The policy of the cluster autoscaler, as Modelplane v0.3.1 writes it.
pub const AUTOSCALER_POLICY: &str = concat!(
    r#"{"Version":"2012-10-17","Statement":[{"Effect":"Allow","Action":["autoscaling:DescribeAutoScalingGroups","#,
    r#""autoscaling:DescribeAutoScalingInstances","autoscaling:DescribeLaunchConfigurations","#,
    r#""autoscaling:DescribeScalingActivities","ec2:DescribeImages","ec2:DescribeInstanceTypes","#,
    r#""ec2:DescribeLaunchTemplateVersions","ec2:GetInstanceTypesFromInstanceRequirements","eks:DescribeNodegroup"],"#,
    r#""Resource":["*"]},{"Effect":"Allow","Action":["autoscaling:SetDesiredCapacity","#,
    r#""autoscaling:TerminateInstanceInAutoScalingGroup"],"Resource":["*"]}]}"#,
);

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    /// What a document says. Its text has no blanks, and says what it is for with the names above.
    #[test]
    fn documents() {
        #[track_caller]
        fn check(text: &str, statements: Value) {
            let document: Value = serde_json::from_str(text).expect("JSON");
            assert_eq!(document, json!({"Version": "2012-10-17", "Statement": statements}));
            assert!(text.starts_with(r#"{"Version":"2012-10-17","Statement":[{"Effect":"Allow",""#));
            assert!(!text.contains([' ', '\n']));
        }
        let trust = |service: &str, action: Value| json!([{"Effect": "Allow", "Principal": {"Service": service}, "Action": action}]);
        check(EKS_TRUST, trust(EKS, json!(ASSUME_ROLE)));
        check(EC2_TRUST, trust(EC2, json!(ASSUME_ROLE)));
        check(PODS_TRUST, trust(PODS, json!([ASSUME_ROLE, TAG_SESSION])));
        let statement = |actions: Value| json!({"Effect": "Allow", "Action": actions, "Resource": ["*"]});
        let reads = [
            "autoscaling:DescribeAutoScalingGroups",
            "autoscaling:DescribeAutoScalingInstances",
            "autoscaling:DescribeLaunchConfigurations",
            "autoscaling:DescribeScalingActivities",
            "ec2:DescribeImages",
            "ec2:DescribeInstanceTypes",
            "ec2:DescribeLaunchTemplateVersions",
            "ec2:GetInstanceTypesFromInstanceRequirements",
            "eks:DescribeNodegroup",
        ];
        let writes = ["autoscaling:SetDesiredCapacity", "autoscaling:TerminateInstanceInAutoScalingGroup"];
        check(AUTOSCALER_POLICY, json!([statement(json!(reads)), statement(json!(writes))]));
        // In each statement the keys are in this order.
        for (text, keys) in [
            (EKS_TRUST, ["Effect", "Principal", "Action"]),
            (EC2_TRUST, ["Effect", "Principal", "Action"]),
            (PODS_TRUST, ["Effect", "Principal", "Action"]),
            (AUTOSCALER_POLICY, ["Effect", "Action", "Resource"]),
        ] {
            let places: Vec<_> = keys.iter().map(|key| text.find(&format!(r#""{key}":"#))).collect();
            assert!(places.is_sorted() && places.iter().all(Option::is_some), "{text}");
        }
    }
}
