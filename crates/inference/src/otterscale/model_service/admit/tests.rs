use serde_json::json;
use toolbox::policy::PolicyRule;

use super::*;

/// The paths of refusals and warnings for a service with these fields.
#[track_caller]
fn check(spec: Value, denied: &[&str], warned: &[&str]) {
    let paths = |problems: Vec<Problem>| problems.into_iter().map(|problem| problem.path).collect::<Vec<_>>();
    let object = json!({"spec": spec});
    let found = (paths(denials(&object)), paths(advice::judge(&object)));
    assert_eq!(found, (listed(denied), listed(warned)), "{object}");
}

fn listed(texts: &[&str]) -> Vec<String> {
    texts.iter().map(|&text| text.to_owned()).collect()
}

#[test]
fn resources_of_containers() {
    let check = |requests: Value, limits: Value, denied: &[&str]| {
        check(json!({"decode": {"resources": {"requests": requests, "limits": limits}}}), denied, &[]);
    };
    check(json!({"cpu": "2"}), json!({"cpu": 2}), &[]);
    check(json!({"cpu": "2001m"}), json!({"cpu": 2}), &["spec.decode.resources.requests.cpu"]);
    check(json!({"memory": "9Gi"}), json!({"cpu": "1"}), &[]);
    check(json!({"cpu": -1}), json!({}), &["spec.decode.resources.requests.cpu"]);
    check(json!({"gpu": 1}), json!({}), &["spec.decode.resources.requests.gpu"]);
    let device = "spec.decode.resources.requests[example.org/nic]";
    check(json!({"example.org/nic": 2}), json!({"example.org/nic": "2"}), &[]);
    check(json!({"example.org/nic": 2}), json!({"example.org/nic": "1"}), &[device]);
    check(json!({"example.org/nic": 1}), json!({"example.org/nic": "2"}), &[device]);
    check(json!({"example.org/nic": 1}), json!({}), &[device]);
    check(json!({}), json!({"example.org/nic": 1}), &[]);
    check(json!({}), json!({"example.org/nic": "500m"}), &["spec.decode.resources.limits[example.org/nic]"]);
    check(json!({}), json!({"Example.org/nic": 1}), &["spec.decode.resources.limits[Example.org/nic]"]);
    check(
        json!({"hugepages-2Mi": "2Mi", "cpu": 1}),
        json!({"hugepages-2Mi": "4Mi"}),
        &["spec.decode.resources.requests.hugepages-2Mi"],
    );
    let pages = || json!({"hugepages-2Mi": "2Mi"});
    check(pages(), pages(), &["spec.decode.resources"]);
    let limits = |pages: &str, amount: &str| json!({pages: amount, "memory": "1Gi"});
    let limit = |pages: &str| format!("spec.decode.resources.limits.{pages}");
    check(json!({}), limits("hugepages-2Mi", "4Mi"), &[]);
    check(json!({}), limits("hugepages-2Mi", "3Mi"), &[&limit("hugepages-2Mi")]);
    check(json!({}), limits("hugepages-0", "0"), &[&limit("hugepages-0")]);
    check(json!({}), limits("hugepages-large", "2Mi"), &[&limit("hugepages-large")]);
    // Devices of its own are overwritten, and so is what is wrong with them.
    let own = json!({"requests": {"nvidia.com/gpu": 2}, "limits": {"nvidia.com/gpu": 1}});
    let both = |resources: &Value| json!({"accelerator": {"type": "nvidia"}, "decode": {"parallelism": {"tensor": 2}, "resources": resources}});
    super::tests::check(both(&own), &[], &["spec.decode.resources.limits[nvidia.com/gpu]"]);
    super::tests::check(
        json!({"inferencePool": {"endpointPicker": {"resources": {"claims": [{"name": "a"}]}}}}),
        &["spec.inferencePool.endpointPicker.resources.claims"],
        &[],
    );
}

#[test]
fn variables() {
    let check = |variable: Value, denied: &[&str]| check(json!({"engine": {"env": [variable]}}), denied, &[]);
    check(json!({"name": "A", "value": "1"}), &[]);
    check(json!({"name": "a b-1.é"}), &["spec.engine.env[0].name"]);
    check(json!({"name": "A=B"}), &["spec.engine.env[0].name"]);
    let from = |source: &str, it: Value| json!({"name": "A", "valueFrom": {source: it}});
    let at = |rest: &str| format!("spec.engine.env[0].valueFrom{rest}");
    check(json!({"name": "A", "valueFrom": {}}), &[&at("")]);
    check(json!({"name": "A", "value": "1", "valueFrom": {"fieldRef": {"fieldPath": "metadata.name"}}}), &[&at("")]);
    check(from("secretKeyRef", json!({"name": "a", "key": "b"})), &[]);
    check(from("secretKeyRef", json!({"name": "", "key": "b"})), &[&at(".secretKeyRef.name")]);
    check(from("secretKeyRef", json!({"name": "A b", "key": "b"})), &[&at(".secretKeyRef.name")]);
    check(from("configMapKeyRef", json!({"name": "a_b", "key": "b"})), &[&at(".configMapKeyRef.name")]);
    check(from("configMapKeyRef", json!({"name": "a.b-c", "key": "b"})), &[]);
    check(from("configMapKeyRef", json!({"name": "a", "key": "b/c"})), &[&at(".configMapKeyRef.key")]);
    check(from("fieldRef", json!({"fieldPath": "metadata.labels['a b']"})), &[&at(".fieldRef.fieldPath")]);
    check(from("fieldRef", json!({"fieldPath": "metadata.labels['example.org/b']"})), &[]);
    check(from("fieldRef", json!({"fieldPath": "metadata.labels['Example.org/b']"})), &[&at(".fieldRef.fieldPath")]);
    check(from("fieldRef", json!({"fieldPath": "metadata.annotations['Example.org/B']"})), &[]);
    check(from("fieldRef", json!({"fieldPath": "spec.containers"})), &[&at(".fieldRef.fieldPath")]);
    check(from("resourceFieldRef", json!({"resource": "limits.memory"})), &[]);
    check(from("resourceFieldRef", json!({"resource": "limits.gpu"})), &[&at(".resourceFieldRef.resource")]);
    let divided =
        |resource: &str, divisor: Value| from("resourceFieldRef", json!({"resource": resource, "divisor": divisor}));
    check(divided("limits.cpu", json!("1m")), &[]);
    check(divided("limits.cpu", json!("1000m")), &[]);
    check(divided("limits.cpu", json!("0")), &[]);
    check(divided("limits.cpu", json!(7)), &[&at(".resourceFieldRef.divisor")]);
    check(divided("limits.cpu", json!("1Mi")), &[&at(".resourceFieldRef.divisor")]);
    check(divided("requests.memory", json!("1Mi")), &[]);
    check(divided("requests.memory", json!("1m")), &[&at(".resourceFieldRef.divisor")]);
    check(from("fieldRef", json!({"fieldPath": "metadata.name", "apiVersion": "v1"})), &[]);
    check(from("fieldRef", json!({"fieldPath": "metadata.name", "apiVersion": "v2"})), &[&at(".fieldRef.apiVersion")]);
    check(from("fileKeyRef", json!({"volumeName": "a"})), &[&at(".fileKeyRef.volumeName")]);
}

#[test]
fn pods_and_routes() {
    check(json!({}), &[], &[]);
    let monitor = |field: &str, value: &str| json!({"monitoring": {"podMonitor": {field: value}}});
    check(monitor("interval", "30s"), &[], &[]);
    check(monitor("interval", "half a minute"), &[INTERVAL], &[]);
    check(monitor("portName", "fifteen-letters"), &[], &[]);
    check(monitor("portName", "sixteen--letters"), &[PORT_NAME], &[]);
    check(json!({"engine": {"imagePullPolicy": "Sometimes"}}), &[PULL_POLICY], &[]);
    check(json!({"engine": {"image": " a"}}), &["spec.engine.image"], &[]);
    let picker = |port: i64| json!({"inferencePool": {"endpointPicker": {"port": port}}});
    check(picker(9002), &[], &[]);
    check(picker(9003), &[PICKER_PORT], &[]);
    check(picker(9090), &[PICKER_PORT], &[]);
    let mounted = |path: &str, secrets: Value| json!({"model": {"mountPath": path, "imagePullSecrets": secrets}});
    check(mounted("/.docker", json!([])), &[], &[]);
    check(mounted("/.docker", json!([{"name": "a"}])), &[MOUNT_PATH], &[]);
    check(mounted("/tmp/model-oci", json!([])), &[MOUNT_PATH], &[]);
    check(mounted("c:", json!([])), &[MOUNT_PATH], &[]);
    let shared = |size: Value| json!({"engine": {"sharedMemory": size}, "model": {"mountPath": "/dev/shm"}});
    check(shared(json!("8Gi")), &[MOUNT_PATH], &[]);
    check(json!({"engine": {"sharedMemory": -1}}), &["spec.engine.sharedMemory"], &[]);
    let secret = json!({"name": "a"});
    check(json!({"routingProxy": {"certPath": "/a:b", "certSecretRef": secret}}), &["spec.routingProxy.certPath"], &[]);
    check(mounted("/models", json!([{}])), &["spec.model.imagePullSecrets[0]"], &[]);
    let route = |gateway: Value, hosts: Value| json!({"httpRoute": {"gatewayRef": gateway, "hostnames": hosts}});
    check(route(json!({"name": "gw", "namespace": ""}), json!(["a.org", "*.a.org"])), &[], &[]);
    check(route(json!({"name": "gw", "namespace": "A"}), json!([])), &["spec.httpRoute.gatewayRef.namespace"], &[]);
    check(route(json!({"name": "gw"}), json!(["A.org", "a"])), &["spec.httpRoute.hostnames[0]"], &[]);
    check(route(json!({"name": "gw"}), json!(vec!["a.org"; 17])), &[HOSTS], &[]);
    let role = |field: &str, value: Value| json!({"decode": {field: value}});
    check(
        role("nodeSelector", json!({"a/b": "c", "d": "e f"})),
        &["spec.decode.nodeSelector[a/b]", "spec.decode.nodeSelector.d"][1..],
        &[],
    );
    check(role("annotations", json!({"a b": "c"})), &["spec.decode.annotations.a b"], &[]);
    check(role("annotations", json!({"a": "c".repeat(262_144)})), &["spec.decode.annotations"], &[]);
}

#[test]
fn tolerations() {
    let check = |toleration: Value, denied: &[&str]| {
        let denied: Vec<_> = denied.iter().map(|field| format!("spec.prefill.tolerations[0].{field}")).collect();
        let denied: Vec<_> = denied.iter().map(String::as_str).collect();
        check(json!({"prefill": {"tolerations": [toleration]}, "routingProxy": {}}), &denied, &[]);
    };
    check(json!({"operator": "Exists"}), &[]);
    check(json!({"key": "nvidia.com/gpu", "operator": "Exists", "effect": "NoSchedule"}), &[]);
    check(json!({"key": "a", "effect": "NoExecute", "tolerationSeconds": 1}), &[]);
    check(json!({}), &["operator"]);
    check(json!({"key": "a b"}), &["key"]);
    check(json!({"key": "a", "operator": "Like"}), &["operator"]);
    check(json!({"key": "a", "operator": "Exists", "value": "b"}), &["value"]);
    check(json!({"key": "a", "value": "b/c"}), &["value"]);
    check(json!({"key": "a", "effect": "Never"}), &["effect"]);
    check(json!({"key": "a", "tolerationSeconds": 1}), &["effect"]);
}

#[test]
fn warnings() {
    let check = |spec: Value, warned: &[&str]| check(spec, &[], warned);
    let copies = |data: i64, local: i64| json!({"decode": {"parallelism": {"data": data, "dataLocal": local}}});
    check(copies(4, 2), &[]);
    check(copies(4, 3), &["spec.decode.parallelism.dataLocal"]);
    let devices = |family: &str, amount: Value| {
        let role = json!({"parallelism": {"tensor": 4}, "resources": {"limits": {"nvidia.com/gpu": amount}}});
        json!({"accelerator": {"type": family}, "decode": role})
    };
    check(devices("nvidia", json!(4)), &[]);
    check(devices("nvidia", json!("2")), &["spec.decode.resources.limits[nvidia.com/gpu]"]);
    check(devices("amd", json!("2")), &[]);
    check(
        json!({"engine": {"args": ["--max-model-len=1", "--port=1", "-tp", "2", "--served_model_name", "a"]}}),
        &["spec.engine.args[1]", "spec.engine.args[2]", "spec.engine.args[4]"],
    );
    let side_channel =
        |value: &str| json!({"engine": {"env": [{"name": "VLLM_NIXL_SIDE_CHANNEL_PORT", "value": value}]}});
    check(side_channel("5600"), &[]);
    check(side_channel("0"), &["spec.engine.env[0]"]);
    check(json!({"prefill": {}}), &["spec.prefill"]);
    check(json!({"prefill": {}, "routingProxy": {}}), &[]);
    check(json!({"routingProxy": {"certPath": "/certs"}}), &["spec.routingProxy.certPath"]);
    check(json!({"routingProxy": {"certPath": "/certs", "certSecretRef": {"name": "a"}}}), &[]);
    check(json!({"prefill": {"args": ["-dp=2"]}, "routingProxy": {}}), &["spec.prefill.args[0]"]);
}

/// What was stored before stays editable.
#[test]
fn what_is_stored_is_tolerated() {
    let object = |policy: &str| json!({"spec": {"engine": {"imagePullPolicy": policy}}});
    let denied = |old: &str, new: &str| {
        let operation = Operation::Update { old: object(old), new: object(new) };
        let request = AdmitRequest { operation, input: None, lookups: Default::default() };
        admit(&request).is_ok_and(|verdict| !verdict.denials.is_empty())
    };
    assert!(!denied("Sometimes", "Sometimes"));
    assert!(denied("Always", "Sometimes"));
}

/// The policies say what the webhook says.
#[test]
fn policies_say_the_same() {
    let spec = json!({
        "engine": {"imagePullPolicy": "Sometimes"},
        "inferencePool": {"endpointPicker": {"port": 9003}},
        "monitoring": {"podMonitor": {"interval": "half a minute", "portName": "sixteen--letters"}},
        "decode": {"parallelism": {"data": 4, "dataLocal": 3}},
        "prefill": {"parallelism": {"data": 5, "dataLocal": 3}},
        "routingProxy": {"certPath": "/certs"},
    });
    let object = json!({"spec": spec, "metadata": {"name": "a".repeat(64)}});
    let without_proxy = json!({"spec": {"prefill": {}}});
    let mut said: Vec<String> = long_names::judge(&object).into_iter().map(|it| it.message).collect();
    said.extend(denials(&object).into_iter().map(|it| it.message));
    said.extend([&object, &without_proxy].iter().flat_map(|it| advice::judge(it)).map(|it| it.message));
    let fixed = |rule: &PolicyRule| {
        rule.says.split('\'').filter(|part| !part.contains('+')).map(str::to_owned).collect::<Vec<_>>()
    };
    for rule in policies::POLICIES {
        let parts = fixed(rule);
        assert!(said.iter().any(|message| parts.iter().all(|part| message.contains(part.as_str()))), "{}", rule.says);
    }
    assert_eq!(policies::POLICIES.len(), said.len());
}
