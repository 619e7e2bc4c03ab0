//! What a cluster becomes, beyond the golden cases: totals, and each value of each table.

use std::collections::BTreeMap;

use contract::admit::Operation;
use serde_json::{Value, json};

use super::KIND;
use super::derive::{ROWS, tables};
use crate::clouds::aws;
use crate::clouds::fabrics::WITHOUT_EFA;
use crate::modelplane::platform::checks;

fn pool(name: &str) -> Value {
    json!({
        "name": name, "role": "GPU", "instanceType": "g6.12xlarge", "nodeCount": 2, "minNodeCount": 1, "maxNodeCount": 4,
        "diskSizeGb": 50, "zones": ["us-west-2a", "us-west-2b"], "gpu": {"acceleratorType": "nvidia-l4"},
    })
}

fn efa(name: &str) -> Value {
    let mut pool = pool(name);
    pool["instanceType"] = json!("p4d.24xlarge");
    pool["fabric"] = json!("EFA");
    pool
}

fn block(name: &str) -> Value {
    let mut pool = pool(name);
    pool["capacityBlock"] = json!({"capacityReservationId": "cr-0123456789abcdef0"});
    pool
}

fn spec(pools: &[Value]) -> Value {
    json!({"region": "us-west-2", "nodePools": pools})
}

/// What AWS has chosen, as providers report it.
fn chosen() -> BTreeMap<String, Value> {
    let external = |name: &str| json!({"metadata": {"annotations": {"crossplane.io/external-name": name}}});
    let cluster = json!({"status": {"atProvider": {"vpcConfig": {"clusterSecurityGroupId": "sg-cluster"}}}});
    let observed =
        [("cluster", cluster), ("efs-filesystem", external("fs-1")), ("efa-security-group", external("sg-efa"))];
    observed.into_iter().map(|(key, object)| (key.to_owned(), object)).collect()
}

fn made(spec: &Value) -> BTreeMap<String, Value> {
    checks::objects(checks::answer(&KIND, spec, &chosen()))
}

#[test]
fn totals() {
    #[track_caller]
    fn check(zones: usize, pools: &[Value], want: usize) {
        let ranges: Vec<_> = (0..zones).map(|index| format!("10.0.{}.0/24", index)).collect();
        let mut spec = spec(pools);
        spec["networking"] = json!({"subnetCidrs": ranges});
        assert_eq!(made(&spec).len(), want);
        assert_eq!(want, 36 + 5 * zones + pools.len() + extras(pools));
    }
    fn extras(pools: &[Value]) -> usize {
        let has = |pool: &&Value, field: &str| pool.get(field).is_some();
        let templates = pools.iter().filter(|pool| has(pool, "fabric") || has(pool, "capacityBlock")).count();
        templates + if pools.iter().any(|pool| has(&pool, "fabric")) { 4 } else { 0 }
    }
    check(3, &[pool("a")], 52);
    check(2, &[pool("a"), pool("b")], 48);
    check(6, &[block("a")], 68);
    check(3, &[efa("a"), efa("b"), pool("c")], 60);
    // Objects that wait: the StorageClass, the autoscaler, and with the fabric its driver.
    let first = |pools: &[Value]| checks::answer(&KIND, &spec(pools), &BTreeMap::new()).resources.len();
    assert_eq!((first(&[pool("a")]), first(&[efa("a")])), (50, 54));
    assert_eq!(made(&spec(&[pool("system")])).len(), 51, "it takes the place of the other");
}

#[test]
fn rows_are_documented() {
    checks::rows(&KIND, ROWS, &tables(), &made(&spec(&[efa("a"), pool("b")])));
}

#[test]
fn what_is_observed_stays() {
    let spec = spec(&[efa("a"), pool("b")]);
    checks::what_is_observed_stays(&KIND, &spec, &made(&spec));
}

/// Every selector matches one object of its kind; but for subnets, of which a control plane and its nodes have many.
#[test]
fn selectors_match_what_they_are_meant_for() {
    let objects = made(&spec(&[efa("a"), pool("b")]));
    let kinds = [
        ("allocationIdSelector", "EIP"),
        ("clusterNameSelector", "Cluster"),
        ("fileSystemIdSelector", "FileSystem"),
        ("gatewayIdSelector", "InternetGateway"),
        ("natGatewayIdSelector", "NATGateway"),
        ("nodeRoleArnSelector", "Role"),
        ("policyArnSelector", "Policy"),
        ("referencedSecurityGroupIdSelector", "SecurityGroup"),
        ("roleArnSelector", "Role"),
        ("roleSelector", "Role"),
        ("routeTableIdSelector", "RouteTable"),
        ("securityGroupIdSelector", "SecurityGroup"),
        ("securityGroupsSelector", "SecurityGroup"),
        ("vpcIdSelector", "VPC"),
    ];
    let matching = |kind: &str, selector: &Value| {
        let labels = selector["matchLabels"].as_object().cloned().unwrap_or_default();
        let has = |it: &&Value| labels.iter().all(|(name, value)| it["metadata"]["labels"].get(name) == Some(value));
        objects.values().filter(|it| it["kind"] == kind).filter(has).count()
    };
    let mut selected = 0;
    for (key, object) in &objects {
        let fields = &object["spec"]["forProvider"];
        for (selector, kind) in kinds {
            let Some(selector) = fields.get(selector) else { continue };
            assert_eq!(matching(kind, selector), 1, "{key} selects {kind}");
            selected += 1;
        }
        let subnets = fields.get("subnetIdSelector").or_else(|| fields["vpcConfig"].get("subnetIdSelector"));
        let want = match key.as_str() {
            "cluster" => 6,
            "nodegroup-system" => 3,
            _ => 1,
        };
        assert!(subnets.is_none_or(|selector| matching("Subnet", selector) == want), "{key}");
    }
    assert!(selected > 40, "only {selected} selectors");
}

#[test]
fn every_value() {
    let same = json!({"matchControllerRef": true});
    let labelled = |label: &str, value: &str| json!({"matchControllerRef": true, "matchLabels": {format!("modelplane.ai/{label}"): value}});
    let tier = |tier: &str| labelled("subnet-tier", tier);
    let role = |role: &str| labelled("iam-role", role);
    let zone = |zone: &str, tier: &str| json!({"matchControllerRef": true, "matchLabels": {"modelplane.ai/zone": zone, "modelplane.ai/subnet-tier": tier}});
    let kubeconfig = "test-cluster-kubeconfig-55b57";
    let name = "modelplane-system-test-cluster-eks-0865f";
    let policy = |name: &str| json!(format!("arn:aws:iam::aws:policy/{name}"));
    let system =
        json!({"name": "cpu", "role": "System", "instanceType": "m6i.large", "gpu": {"acceleratorType": "odd"}});
    let mut wanted = spec(&[pool("l4"), efa("a100"), block("h200"), system]);
    wanted["credentials"] = json!({"type": "ProviderConfig", "name": "aws"});
    let made = made(&wanted);
    let in_region = |key: &str| !key.starts_with("iam-");
    for (key, object) in
        made.iter().filter(|(_, it)| it["apiVersion"].as_str().is_some_and(|it| it.contains(".aws.m.")))
    {
        assert_eq!(object["spec"]["providerConfigRef"], json!({"kind": "ProviderConfig", "name": "aws"}), "{key}");
        assert_eq!(object["spec"]["forProvider"].get("region").is_some(), in_region(key), "{key}");
    }
    #[rustfmt::skip]
    checks::values(&made, &[
        ("vpc", "spec.forProvider", json!({"region": "us-west-2", "cidrBlock": "10.0.0.0/16", "enableDnsHostnames": true, "enableDnsSupport": true})),
        ("subnet-0", "metadata", json!({"name": "test-cluster-subnet-us-west-2a-952dc", "labels": {"modelplane.ai/zone": "us-west-2a", "modelplane.ai/subnet-tier": "public"}})),
        ("subnet-0", "spec.forProvider", json!({"region": "us-west-2", "availabilityZone": "us-west-2a", "cidrBlock": "10.0.0.0/20", "mapPublicIpOnLaunch": true, "tags": {"kubernetes.io/role/elb": "1"}, "vpcIdSelector": same})),
        ("subnet-2", "spec.forProvider.cidrBlock", json!("10.0.32.0/20")),
        ("private-subnet-0", "metadata", json!({"name": "test-cluster-private-subnet-us-west-2a-6a89f", "labels": {"modelplane.ai/zone": "us-west-2a", "modelplane.ai/subnet-tier": "private"}})),
        ("private-subnet-0", "spec.forProvider", json!({"region": "us-west-2", "availabilityZone": "us-west-2a", "cidrBlock": "10.0.48.0/20", "mapPublicIpOnLaunch": false, "vpcIdSelector": same})),
        ("private-subnet-1", "spec.forProvider.cidrBlock", json!("10.0.64.0/20")),
        ("private-subnet-2", "spec.forProvider.cidrBlock", json!("10.0.80.0/20")),
        ("internet-gateway", "spec.forProvider", json!({"region": "us-west-2", "vpcIdSelector": same})),
        ("nat-eip", "spec.forProvider", json!({"region": "us-west-2", "domain": "vpc"})),
        ("nat-gateway", "spec.forProvider", json!({"region": "us-west-2", "allocationIdSelector": same, "subnetIdSelector": zone("us-west-2a", "public")})),
        ("route-table", "metadata.labels", json!({"modelplane.ai/subnet-tier": "public"})),
        ("route-table", "spec.forProvider", json!({"region": "us-west-2", "vpcIdSelector": same})),
        ("route-default", "spec.forProvider", json!({"region": "us-west-2", "destinationCidrBlock": "0.0.0.0/0", "gatewayIdSelector": same, "routeTableIdSelector": tier("public")})),
        ("private-route-table", "metadata.labels", json!({"modelplane.ai/subnet-tier": "private"})),
        ("private-route-default", "spec.forProvider", json!({"region": "us-west-2", "destinationCidrBlock": "0.0.0.0/0", "natGatewayIdSelector": same, "routeTableIdSelector": tier("private")})),
        ("route-table-association-1", "spec.forProvider", json!({"region": "us-west-2", "routeTableIdSelector": tier("public"), "subnetIdSelector": zone("us-west-2b", "public")})),
        ("private-route-table-association-1", "spec.forProvider", json!({"region": "us-west-2", "routeTableIdSelector": tier("private"), "subnetIdSelector": zone("us-west-2b", "private")})),

        ("iam-role-cluster", "metadata.labels", json!({"modelplane.ai/iam-role": "cluster"})),
        ("iam-role-cluster", "spec.forProvider", json!({"assumeRolePolicy": aws::EKS_TRUST})),
        ("iam-role-node", "spec.forProvider", json!({"assumeRolePolicy": aws::EC2_TRUST})),
        ("iam-role-efs-csi", "spec.forProvider", json!({"assumeRolePolicy": aws::PODS_TRUST})),
        ("iam-role-cluster-autoscaler", "spec.forProvider", json!({"assumeRolePolicy": aws::PODS_TRUST})),
        ("iam-attach-cluster-policy", "spec.forProvider", json!({"policyArn": policy("AmazonEKSClusterPolicy"), "roleSelector": role("cluster")})),
        ("iam-attach-node-worker", "spec.forProvider", json!({"policyArn": policy("AmazonEKSWorkerNodePolicy"), "roleSelector": role("node")})),
        ("iam-attach-node-cni", "spec.forProvider", json!({"policyArn": policy("AmazonEKS_CNI_Policy"), "roleSelector": role("node")})),
        ("iam-attach-node-ecr", "spec.forProvider", json!({"policyArn": policy("AmazonEC2ContainerRegistryReadOnly"), "roleSelector": role("node")})),
        ("iam-attach-efs-csi", "spec.forProvider", json!({"policyArn": policy("service-role/AmazonEFSCSIDriverPolicy"), "roleSelector": role("efs-csi")})),
        ("iam-attach-cluster-autoscaler", "spec.forProvider", json!({"policyArnSelector": role("cluster-autoscaler"), "roleSelector": role("cluster-autoscaler")})),
        ("iam-policy-cluster-autoscaler", "metadata.labels", json!({"modelplane.ai/iam-role": "cluster-autoscaler"})),
        ("iam-policy-cluster-autoscaler", "spec.forProvider", json!({"policy": aws::AUTOSCALER_POLICY})),
        ("pod-identity-efs-csi", "spec.forProvider", json!({"region": "us-west-2", "namespace": "kube-system", "serviceAccount": "efs-csi-controller-sa", "clusterNameSelector": same, "roleArnSelector": role("efs-csi")})),
        ("pod-identity-cluster-autoscaler", "spec.forProvider.serviceAccount", json!("cluster-autoscaler")),

        ("cluster", "metadata", json!({"name": name})),
        ("cluster", "spec.forProvider", json!({
            "region": "us-west-2", "version": "1.36", "roleArnSelector": role("cluster"),
            "accessConfig": {"authenticationMode": "API_AND_CONFIG_MAP", "bootstrapClusterCreatorAdminPermissions": true},
            "vpcConfig": {"endpointPrivateAccess": true, "endpointPublicAccess": true, "subnetIdSelector": same},
        })),
        ("cluster-auth", "spec.forProvider", json!({"region": "us-west-2", "clusterNameSelector": same})),
        ("cluster-auth", "spec.writeConnectionSecretToRef", json!({"name": kubeconfig})),
        ("addon-vpc-cni", "spec.forProvider", json!({"region": "us-west-2", "clusterNameSelector": same, "addonName": "vpc-cni"})),
        ("addon-kube-proxy", "spec.forProvider.addonName", json!("kube-proxy")),
        ("addon-coredns", "spec.forProvider.addonName", json!("coredns")),
        ("addon-eks-pod-identity-agent", "spec.forProvider.addonName", json!("eks-pod-identity-agent")),
        ("addon-aws-efs-csi-driver", "spec.forProvider.addonName", json!("aws-efs-csi-driver")),
        ("provider-config-kubernetes", "spec.identity", json!(null)),
        ("provider-config-helm", "metadata", json!({"name": kubeconfig})),
        ("release-cluster-autoscaler", "metadata", json!({"namespace": "modelplane-system"})),
        ("release-cluster-autoscaler", "spec", json!({
            "providerConfigRef": {"kind": "ProviderConfig", "name": kubeconfig}, "managementPolicies": ["Observe", "Create", "Update"],
            "forProvider": {
                "chart": {"name": "cluster-autoscaler", "repository": "https://kubernetes.github.io/autoscaler", "version": "9.57.0"},
                "namespace": "kube-system",
                "values": {
                    "cloudProvider": "aws", "awsRegion": "us-west-2", "autoDiscovery": {"clusterName": name},
                    "rbac": {"serviceAccount": {"name": "cluster-autoscaler"}}, "extraArgs": {"balance-similar-node-groups": true},
                },
            },
        })),

        ("nodegroup-system", "spec.managementPolicies", json!(["Observe", "Create", "Update", "Delete"])),
        ("nodegroup-system", "spec.initProvider", json!({"scalingConfig": {"desiredSize": 1}})),
        ("nodegroup-system", "spec.forProvider", json!({
            "region": "us-west-2", "amiType": "AL2023_x86_64_STANDARD", "instanceTypes": ["m6i.xlarge"], "clusterNameSelector": same,
            "nodeRoleArnSelector": role("node"), "scalingConfig": {"minSize": 1, "maxSize": 2}, "subnetIdSelector": tier("private"),
            "labels": {"modelplane.ai/pool": "system"},
        })),
        ("nodegroup-l4", "spec.initProvider", json!({"scalingConfig": {"desiredSize": 2}})),
        ("nodegroup-l4", "spec.forProvider", json!({
            "region": "us-west-2", "amiType": "AL2023_x86_64_NVIDIA", "instanceTypes": ["g6.12xlarge"], "diskSize": 50,
            "clusterNameSelector": same, "nodeRoleArnSelector": role("node"), "scalingConfig": {"minSize": 1, "maxSize": 4},
            "subnetIdRefs": [{"name": "test-cluster-private-subnet-us-west-2a-6a89f"}, {"name": crate::modelplane::platform::names::private_subnet("test-cluster", "us-west-2b")}],
            "labels": {"modelplane.ai/pool": "l4", "modelplane.ai/gpu": "nvidia-l4"},
            "taint": [{"key": "nvidia.com/gpu", "value": "true", "effect": "NO_SCHEDULE"}],
        })),
        ("nodegroup-cpu", "spec.forProvider.amiType", json!("AL2023_x86_64_STANDARD")),
        ("nodegroup-cpu", "spec.forProvider.subnetIdRefs", json!(null)),
        ("nodegroup-cpu", "spec.forProvider.subnetIdSelector", tier("private")),
        ("nodegroup-cpu", "spec.forProvider.labels", json!({"modelplane.ai/pool": "cpu"})),
        ("nodegroup-cpu", "spec.forProvider.taint", json!(null)),
        ("nodegroup-a100", "spec.forProvider.instanceTypes", json!(null)),
        ("nodegroup-a100", "spec.forProvider.diskSize", json!(null)),
        ("nodegroup-a100", "spec.forProvider.launchTemplate", json!({"name": crate::modelplane::platform::names::launch_template("test-cluster", "a100"), "version": "$Latest"})),
        ("nodegroup-a100", "spec.forProvider.capacityType", json!(null)),
        ("nodegroup-h200", "spec.forProvider.capacityType", json!("CAPACITY_BLOCK")),
        ("nodegroup-h200", "spec.forProvider.diskSize", json!(null)),
        ("launch-template-h200", "metadata", json!(null)),
        ("launch-template-h200", "spec.forProvider", json!({
            "region": "us-west-2", "name": crate::modelplane::platform::names::launch_template("test-cluster", "h200"), "instanceType": "g6.12xlarge",
            "blockDeviceMappings": [{"deviceName": "/dev/xvda", "ebs": {"volumeSize": 50}}],
            "instanceMarketOptions": {"marketType": "capacity-block"},
            "capacityReservationSpecification": {"capacityReservationPreference": "capacity-reservations-only", "capacityReservationTarget": {"capacityReservationId": "cr-0123456789abcdef0"}},
        })),
        ("launch-template-a100", "spec.forProvider.instanceMarketOptions", json!(null)),
        ("launch-template-a100", "spec.forProvider.networkInterfaces", json!([
            {"networkCardIndex": 0, "deviceIndex": 0, "interfaceType": "efa", "securityGroups": ["sg-efa", "sg-cluster"]},
            {"networkCardIndex": 1, "deviceIndex": 1, "interfaceType": "efa-only", "securityGroups": ["sg-efa", "sg-cluster"]},
            {"networkCardIndex": 2, "deviceIndex": 1, "interfaceType": "efa-only", "securityGroups": ["sg-efa", "sg-cluster"]},
            {"networkCardIndex": 3, "deviceIndex": 1, "interfaceType": "efa-only", "securityGroups": ["sg-efa", "sg-cluster"]},
        ])),

        ("efa-security-group", "metadata", json!({"name": "test-cluster-efa-sg-602a9", "labels": {"modelplane.ai/fabric": "EFA"}})),
        ("efa-security-group", "spec.forProvider", json!({"region": "us-west-2", "name": "test-cluster-efa", "description": "EFA OS-bypass traffic between gang nodes", "vpcIdSelector": same})),
        ("efa-security-group-ingress", "spec.forProvider", json!({"region": "us-west-2", "ipProtocol": "-1", "securityGroupIdSelector": labelled("fabric", "EFA"), "referencedSecurityGroupIdSelector": labelled("fabric", "EFA")})),
        ("efa-security-group-egress", "spec.forProvider", json!({"region": "us-west-2", "ipProtocol": "-1", "securityGroupIdSelector": labelled("fabric", "EFA"), "referencedSecurityGroupIdSelector": labelled("fabric", "EFA")})),
        ("release-efa-dra-driver", "spec.forProvider", json!({
            "chart": {"name": "aws-dranet", "repository": "https://aws.github.io/eks-charts", "version": "1.0.0"}, "namespace": "kube-system",
            "values": {"tolerations": [{"key": "nvidia.com/gpu", "operator": "Exists", "effect": "NoSchedule"}]},
        })),

        ("efs-filesystem", "spec.forProvider", json!({"region": "us-west-2", "throughputMode": "elastic", "encrypted": true})),
        ("efs-security-group", "metadata.labels", json!({"modelplane.ai/sg-role": "efs"})),
        ("efs-security-group", "spec.forProvider", json!({"region": "us-west-2", "name": "test-cluster-efs", "description": "NFS access to the ModelCache EFS mount targets", "vpcIdSelector": same})),
        ("efs-security-group-ingress", "spec.forProvider", json!({"region": "us-west-2", "ipProtocol": "tcp", "fromPort": 2049, "toPort": 2049, "cidrIpv4": "10.0.0.0/16", "securityGroupIdSelector": labelled("sg-role", "efs")})),
        ("efs-mount-target-0", "spec.forProvider", json!({"region": "us-west-2", "fileSystemIdSelector": same, "subnetIdRef": {"name": "test-cluster-private-subnet-us-west-2a-6a89f"}, "securityGroupsSelector": labelled("sg-role", "efs")})),
        ("storage-class-rwx-efs", "metadata", json!({"namespace": "modelplane-system"})),
        ("storage-class-rwx-efs", "spec.forProvider.manifest", json!({
            "apiVersion": "storage.k8s.io/v1", "kind": "StorageClass", "metadata": {"name": "modelplane-rwx-efs"}, "provisioner": "efs.csi.aws.com",
            "parameters": {"provisioningMode": "efs-ap", "fileSystemId": "fs-1", "directoryPerms": "700"}, "volumeBindingMode": "Immediate",
        })),
    ]);
}

/// The groups of interfaces, with a template that has some.
#[test]
fn security_groups() {
    #[track_caller]
    fn check(efa_group: Option<&str>, cluster_group: Option<&str>, has: &[&str], want: Value) {
        let mut observed = BTreeMap::new();
        if let Some(id) = efa_group {
            let object = json!({"metadata": {"annotations": {"crossplane.io/external-name": id}}});
            observed.insert("efa-security-group".to_owned(), object);
        }
        if let Some(id) = cluster_group {
            let object = json!({"status": {"atProvider": {"vpcConfig": {"clusterSecurityGroupId": id}}}});
            observed.insert("cluster".to_owned(), object);
        }
        let template = json!({"spec": {"forProvider": {"networkInterfaces": [{"securityGroups": has}]}}});
        observed.insert("launch-template-a".to_owned(), template);
        let objects = checks::objects(checks::answer(&KIND, &spec(&[efa("a")]), &observed));
        checks::values(
            &objects,
            &[("launch-template-a", "spec.forProvider.networkInterfaces[1].securityGroups", want)],
        );
    }
    check(None, None, &[], json!(null));
    check(Some("e"), None, &[], json!(["e"]));
    check(None, Some("c"), &[], json!(["c"]));
    check(Some("e"), Some("c"), &[], json!(["e", "c"]));
    check(None, None, &["e", "c"], json!(["e", "c"]));
    check(None, None, &["c"], json!(["c"]));
    check(None, Some("c"), &["e", "c"], json!(["e", "c"]));
    check(None, Some("c"), &["c"], json!(["c"]));
    check(Some("e"), None, &["e", "c"], json!(["e", "c"]));
    check(Some("e"), None, &["e"], json!(["e"]));
    check(Some("new"), Some("c"), &["e", "c"], json!(["new", "c"]));
}

#[test]
fn network_cards() {
    for (machine, cards) in [
        ("p5.48xlarge", 32),
        ("p5e.48xlarge", 32),
        ("p5en.48xlarge", 16),
        ("p4d.24xlarge", 4),
        ("p4de.24xlarge", 4),
        ("g6.12xlarge", 1),
    ] {
        let mut pool = efa("a");
        pool["instanceType"] = json!(machine);
        let interfaces = &made(&spec(&[pool]))["launch-template-a"]["spec"]["forProvider"]["networkInterfaces"];
        let interfaces = interfaces.as_array().expect("interfaces");
        assert_eq!(interfaces.len(), cards, "{machine}");
        assert!(interfaces.iter().all(|it| it.get("associatePublicIpAddress").is_none()));
    }
}

#[test]
fn the_status() {
    let status = checks::answer(&KIND, &spec(&[pool("l4")]), &BTreeMap::new()).composite.status;
    let secret = json!({"type": "Kubeconfig", "name": "test-cluster-kubeconfig-55b57", "key": "kubeconfig"});
    assert_eq!(status, Some(json!({"secrets": [secret], "cache": {"storageClassName": "modelplane-rwx-efs"}})));
}

#[test]
fn admission() {
    let create = |name: &str, spec: &Value| Operation::Create(checks::composite(&KIND, name, spec));
    let check = |spec: Value, denials: &[&str]| checks::admitted(&KIND, create("a", &spec), denials, &[]);
    let with = |at: &str, value: Value| {
        let mut spec = spec(&[pool("l4")]);
        toolbox::path::set(&mut spec, at, value);
        spec
    };
    check(spec(&[pool("l4"), efa("a")]), &[]);
    check(spec(&[pool("system")]), &["spec.nodePools[0].name"]);
    check(with("nodePools[0].maxNodeCount", json!(0)), &["spec.nodePools[0].minNodeCount"]);
    check(with("nodePools[0].zones", json!(["us-west-2d"])), &["spec.nodePools[0].zones"]);
    check(with("nodePools[0].zones", json!(["us-east-1a"])), &["spec.nodePools[0].zones"]);
    let ranges = |ranges: &[&str]| with("networking.subnetCidrs", json!(ranges));
    check(ranges(&["10.0.0.0/20", "10.0.16.0/20"]), &[]);
    check(
        ranges(&["10.0.0.0/20", "10.0.0.0/24"]),
        &["spec.networking.subnetCidrs[1]", "spec.networking.subnetCidrs[1]"],
    );
    check(ranges(&["10.0.0.0/20", "10.0.48.0/20"]), &["spec.networking.subnetCidrs[0]"]);
    check(
        ranges(&["10.0.0.0/20", "10.1.0.0/20"]),
        &["spec.networking.subnetCidrs[1]", "spec.networking.subnetCidrs[1]"],
    );
    check(ranges(&["10.0.0.0/20", "10.0.255.0/24"]), &["spec.networking.subnetCidrs[1]"]);
    check(ranges(&["10.0.0.0/20", "10.0.16.0/33"]), &["spec.networking.subnetCidrs[1]"]);
    check(ranges(&["10.0.0.0/20", "odd"]), &["spec.networking.subnetCidrs[1]"]);
    check(with("networking.vpcCidr", json!("odd")), &["spec.networking.vpcCidr"]);
    for machine in WITHOUT_EFA {
        let mut pool = efa("a");
        pool["instanceType"] = json!(machine);
        check(spec(&[pool]), &["spec.nodePools[0].fabric"]);
        assert!(super::admit::ADMISSION.policies.iter().any(|policy| policy.holds.contains(&format!("'{machine}'"))));
    }
    let stored = checks::composite(&KIND, "a", &with("nodePools[0].zones", json!(["us-west-2d"])));
    checks::admitted(&KIND, Operation::Update { old: stored.clone(), new: stored }, &[], &["spec.nodePools[0].zones"]);
    let within = |range: &str| checks::composite(&KIND, "a", &with("networking.vpcCidr", json!(range)));
    let moved = Operation::Update { old: within("10.0.0.0/16"), new: within("10.0.0.0/15") };
    checks::admitted(&KIND, moved, &[], &["spec.networking"]);
    checks::credentials(&KIND, &spec(&[pool("l4")]));
}
