//! What Modelplane v0.3.1 composes, object by object.

use serde_json::{Value, json};

use super::rows::{child_name, opaque_name};

/// The readiness of workloads.
const AVAILABLE: &str = r#"has(object.status.conditions) && object.status.conditions.exists(c, c.type == "Available" && c.status == "True")"#;
/// The readiness of claims.
pub(super) const BOUND: &str = r#"object.status.phase == "Bound""#;
/// The readiness of Jobs.
pub(super) const COMPLETE: &str = r#"object.status.conditions.exists(c, c.type == "Complete" && c.status == "True")"#;
/// No query: an object is ready when it is created.
const CREATED: &str = "";

const CLAIM: &str = "modelcache-ml-weights-5f3f2";

/// The name of the first replica of a deployment on a cluster, and of its endpoint.
pub(super) fn replica_name(deployment: &str, cluster: &str) -> String {
    opaque_name(deployment, &format!("{cluster}-0"))
}

/// The name of its workload, and of the template of its claims.
fn workload_names(replica: &str) -> (String, String) {
    (child_name(replica, "main"), child_name(replica, "main-standalone-devices"))
}

/// An Object with a manifest for a cluster.
pub(super) fn on_cluster(cluster: &Value, manifest: Value, query: Option<&str>) -> Value {
    let readiness = match query {
        None | Some(CREATED) => json!({"policy": "SuccessfulCreate"}),
        Some(query) => json!({"policy": "DeriveFromCelQuery", "celQuery": query}),
    };
    let config = &cluster["status"]["providerConfigRef"]["name"];
    json!({
        "apiVersion": "kubernetes.m.crossplane.io/v1alpha1",
        "kind": "Object",
        "spec": {
            "providerConfigRef": {"kind": "ClusterProviderConfig", "name": config},
            "readiness": readiness,
            "forProvider": {"manifest": manifest},
        },
    })
}

/// A child of a deployment on a cluster.
pub(super) fn child(kind: &str, namespace: &str, deployment: &str, cluster: &str, spec: Value) -> Value {
    let labels = json!({
        "modelplane.ai/deployment": deployment,
        "modelplane.ai/cluster": cluster,
        "modelplane.ai/replica-index": "0",
    });
    json!({
        "apiVersion": "modelplane.ai/v1alpha1",
        "kind": kind,
        "metadata": {"name": replica_name(deployment, cluster), "namespace": namespace, "labels": labels},
        "spec": spec,
    })
}

/// The replica of a deployment on a cluster.
pub(super) fn replica(deployment: &Value, cluster: &str) -> Value {
    let template = &deployment["spec"]["template"]["spec"];
    let member = &template["engines"][0]["members"][0];
    let device = &member["nodeSelector"]["devices"][0];
    let request = json!({
        "name": device["name"],
        "deviceClassName": "gpu.nvidia.com",
        "count": device["count"],
        "selectors": device["selectors"],
    });
    let member = json!({
        "role": "Standalone",
        "nodePoolName": "h200",
        "template": member["template"],
        "deviceRequests": [request],
    });
    let mut spec = json!({"clusterName": cluster, "engines": [{"name": "main", "copies": 1, "members": [member]}]});
    if template["modelCacheRef"].is_object() {
        spec["modelCacheRef"] = template["modelCacheRef"].clone();
    }
    let text = |field: &str| deployment["metadata"][field].as_str().unwrap_or_default();
    child("ModelReplica", text("namespace"), text("name"), cluster, spec)
}

/// The objects of a replica: the key, the manifest, and the query for its readiness.
pub(super) fn of_replica(replica: &Value) -> Vec<(&'static str, Value, &'static str)> {
    let name = replica["metadata"]["name"].as_str().unwrap_or_default();
    let namespace = replica["metadata"]["namespace"].as_str().unwrap_or_default();
    let (picker, pool) = (format!("{name}-epp"), format!("{name}-pool"));
    let member = &replica["spec"]["engines"][0]["members"][0];
    let remote = |api_version: &str, kind: &str, name: &str, rest: Value| {
        let mut manifest = json!({
            "apiVersion": api_version, "kind": kind, "metadata": {"name": name, "namespace": "default"},
        });
        for (key, value) in rest.as_object().into_iter().flatten() {
            manifest[key] = value.clone();
        }
        manifest
    };
    let read = ["get", "watch", "list"];
    let rule = |group: &str, resource: &str| json!({"apiGroups": [group], "resources": [resource], "verbs": read});
    let rules = [
        rule("", "pods"),
        rule("inference.networking.k8s.io", "inferencepools"),
        rule("inference.networking.x-k8s.io", "inferenceobjectives"),
    ];
    let binding = json!({
        "roleRef": {"apiGroup": "rbac.authorization.k8s.io", "kind": "Role", "name": picker},
        "subjects": [{"kind": "ServiceAccount", "name": picker, "namespace": "default"}],
    });
    let rewrite = json!({"path": {"type": "ReplacePrefixMatch", "replacePrefixMatch": "/"}});
    let route = json!({
        "parentRefs": [{"name": "inference-gateway", "namespace": "modelplane-system"}],
        "rules": [{
            "matches": [{"path": {"type": "PathPrefix", "value": format!("/{namespace}/{name}/")}}],
            "timeouts": {"request": "0s"},
            "filters": [{"type": "URLRewrite", "urlRewrite": rewrite}],
            "backendRefs": [{"group": "inference.networking.k8s.io", "kind": "InferencePool", "name": pool}],
        }],
    });
    let pool_spec = json!({
        "selector": {"matchLabels": {"modelplane.ai/serving": name}},
        "targetPorts": [{"number": 8000}],
        "endpointPickerRef": {"name": picker, "port": {"number": 9002}, "failureMode": "FailOpen"},
    });
    let ports = json!([{"name": "grpc-ext-proc", "port": 9002, "targetPort": 9002, "appProtocol": "http2"}]);
    let request = &member["deviceRequests"][0];
    let selectors = request["selectors"].as_array().cloned().unwrap_or_default();
    let selectors: Vec<_> = selectors.iter().map(|it| json!({"cel": {"expression": it["cel"]}})).collect();
    let exactly =
        json!({"deviceClassName": request["deviceClassName"], "count": request["count"], "selectors": selectors});
    let devices = json!({"requests": [{"name": request["name"], "exactly": exactly}]});
    let (workload, claims) = workload_names(name);
    let spec = |spec: Value| json!({ "spec": spec });
    vec![
        ("model-serving-main", remote("apps/v1", "Deployment", &workload, engine(replica)), AVAILABLE),
        (
            "resource-claim-main-standalone",
            remote("resource.k8s.io/v1", "ResourceClaimTemplate", &claims, spec(json!({"spec": {"devices": devices}}))),
            CREATED,
        ),
        ("model-route", remote("gateway.networking.k8s.io/v1", "HTTPRoute", name, spec(route)), CREATED),
        ("inference-pool", remote("inference.networking.k8s.io/v1", "InferencePool", &pool, spec(pool_spec)), CREATED),
        ("epp-serviceaccount", remote("v1", "ServiceAccount", &picker, json!({})), CREATED),
        ("epp-role", remote("rbac.authorization.k8s.io/v1", "Role", &picker, json!({ "rules": rules })), CREATED),
        ("epp-rolebinding", remote("rbac.authorization.k8s.io/v1", "RoleBinding", &picker, binding), CREATED),
        ("epp-config", remote("v1", "ConfigMap", &picker, json!({"data": {"epp-config.yaml": CONFIG}})), CREATED),
        ("epp", remote("apps/v1", "Deployment", &picker, picker_deployment(&picker, &pool)), AVAILABLE),
        (
            "epp-service",
            remote("v1", "Service", &picker, spec(json!({"selector": {"app": picker}, "ports": ports}))),
            CREATED,
        ),
    ]
}

/// The Deployment of a standalone engine, with the cache if it has one.
fn engine(replica: &Value) -> Value {
    let name = replica["metadata"]["name"].as_str().unwrap_or_default();
    let (workload, claims) = workload_names(name);
    let container = &replica["spec"]["engines"][0]["members"][0]["template"]["spec"]["containers"][0];
    let probe = json!({
        "httpGet": {"path": "/health", "port": 8000},
        "initialDelaySeconds": 30,
        "periodSeconds": 10,
        "timeoutSeconds": 5,
    });
    let mut mounts = vec![json!({"name": "dshm", "mountPath": "/dev/shm"})];
    let mut volumes = vec![json!({"name": "dshm", "emptyDir": {"medium": "Memory"}})];
    if replica["spec"]["modelCacheRef"].is_object() {
        mounts.push(json!({"name": "model-cache", "mountPath": "/mnt/models"}));
        volumes.push(json!({"name": "model-cache", "persistentVolumeClaim": {"claimName": CLAIM}}));
    }
    let container = json!({
        "name": "engine",
        "image": container["image"],
        "args": container["args"],
        "ports": [{"containerPort": 8000}],
        "readinessProbe": probe,
        "resources": {"claims": [{"name": "devices"}]},
        "volumeMounts": mounts,
    });
    let pod = json!({
        "containers": [container],
        "nodeSelector": {"modelplane.ai/pool": "h200"},
        "resourceClaims": [{"name": "devices", "resourceClaimTemplateName": claims}],
        "tolerations": [{"key": "nvidia.com/gpu", "operator": "Exists", "effect": "NoSchedule"}],
        "volumes": volumes,
    });
    let labels = json!({"modelplane.ai/serving": name, "modelplane.ai/workload": workload});
    json!({"spec": {
        "replicas": 1,
        "selector": {"matchLabels": {"modelplane.ai/workload": workload}},
        "template": {"metadata": {"labels": labels}, "spec": pod},
    }})
}

/// Another text than ours, with the same meaning: nobody knows how v0.3.1 would write it.
const CONFIG: &str = r#"{"apiVersion": "llm-d.ai/v1alpha1", "kind": "EndpointPickerConfig"}"#;

fn picker_deployment(picker: &str, pool: &str) -> Value {
    let arguments = [
        format!("--pool-name={pool}"),
        "--pool-namespace=default".to_owned(),
        "--pool-group=inference.networking.k8s.io".to_owned(),
        "--config-file=/config/epp-config.yaml".to_owned(),
        "--grpc-port=9002".to_owned(),
    ];
    let container = json!({
        "name": "epp",
        "image": "ghcr.io/llm-d/llm-d-router-endpoint-picker:v0.9.0",
        "args": arguments,
        "ports": [{"name": "grpc", "containerPort": 9002}, {"name": "grpc-health", "containerPort": 9003}],
        "volumeMounts": [{"name": "config", "mountPath": "/config"}],
    });
    let pod = json!({
        "serviceAccountName": picker,
        "containers": [container],
        "volumes": [{"name": "config", "configMap": {"name": picker}}],
    });
    let annotations = json!({"modelplane.ai/epp-config-checksum": "theirs"});
    json!({"spec": {
        "replicas": 1,
        "selector": {"matchLabels": {"app": picker}},
        "template": {"metadata": {"labels": {"app": picker}, "annotations": annotations}, "spec": pod},
    }})
}

/// The volume of the cache.
pub(super) fn claim() -> Value {
    let spec = json!({
        "accessModes": ["ReadWriteMany"],
        "storageClassName": "shared-rwx",
        "resources": {"requests": {"storage": "100Gi"}},
    });
    cached("v1", "PersistentVolumeClaim", CLAIM, spec)
}

/// The Job that fills it.
pub(super) fn job() -> Value {
    let script = "set -e; if [ -f /mnt/artifact/.modelplane-hydrated ]; then echo 'already hydrated, skipping'; exit 0; fi; \
                  pip install --quiet huggingface_hub; hf download meta/llama --local-dir /mnt/artifact; \
                  touch /mnt/artifact/.modelplane-hydrated";
    let container = json!({
        "name": "hydrate",
        "image": "python:3.11-slim",
        "command": ["/bin/sh", "-c", script],
        "env": [],
        "volumeMounts": [{"name": "artifact", "mountPath": "/mnt/artifact"}],
    });
    let pod = json!({
        "restartPolicy": "OnFailure",
        "containers": [container],
        "volumes": [{"name": "artifact", "persistentVolumeClaim": {"claimName": CLAIM}}],
    });
    let labels = json!({"modelplane.ai/modelcache": "weights"});
    let spec = json!({
        "backoffLimit": 3,
        "ttlSecondsAfterFinished": 180,
        "template": {"metadata": {"labels": labels}, "spec": pod},
    });
    cached("batch/v1", "Job", "modelcache-ml-weights-hydrate-517f5", spec)
}

fn cached(api_version: &str, kind: &str, name: &str, spec: Value) -> Value {
    let labels = json!({"modelplane.ai/modelcache": "weights"});
    json!({
        "apiVersion": api_version,
        "kind": kind,
        "metadata": {"name": name, "namespace": "default", "labels": labels},
        "spec": spec,
    })
}

/// The backend of a route for an endpoint, once it has one.
pub(super) fn backend(endpoint: &Value) -> Option<Value> {
    let name = endpoint["status"]["routing"]["backendName"].as_str()?;
    let path = json!({"type": "ReplacePrefixMatch", "replacePrefixMatch": endpoint["spec"]["rewritePath"]});
    let filter = json!({"type": "URLRewrite", "urlRewrite": {"path": path}});
    Some(json!({"name": name, "port": 80, "weight": 1, "filters": [filter]}))
}
