use serde_json::{Value, json};

use super::*;

const DEPLOYMENT: &str = "ModelDeployment";
/// The kinds that had another shape.
const KINDS: [&str; 6] =
    ["ModelDeployment", "ModelReplica", "InferenceClass", "InferenceCluster", "InferenceGateway", "ServingStack"];

fn deployment(spec: Value) -> Result<Option<Value>, Vec<Misshapen>> {
    let object = json!({"metadata": {"name": "llama"}, "spec": spec});
    let shaped = of(DEPLOYMENT, &object)?;
    Ok(shaped.map(|shaped| {
        assert_eq!(of(DEPLOYMENT, &shaped.object), Ok(None), "once is enough");
        shaped.object["spec"].clone()
    }))
}

fn workers(topology: Value) -> Value {
    let template =
        json!({"spec": {"containers": [{"name": "proxy", "image": "p"}, {"name": "engine", "image": "vllm"}]}});
    json!({"count": 2, "topology": topology, "template": template})
}

#[test]
fn the_shape_of_the_release_stays() {
    assert_eq!(deployment(json!({"replicas": 1, "template": {"spec": {"engines": []}}})), Ok(None));
    for kind in
        ["ModelService", "ModelEndpoint", "ModelCache", "InferenceCluster", "InferenceClass", "InferenceGateway"]
    {
        assert_eq!(of(kind, &json!({"spec": {"devices": []}})), Ok(None));
    }
    for odd in [json!(null), json!(1), json!({}), json!({"spec": 1}), json!([])] {
        for kind in KINDS {
            assert_eq!(of(kind, &odd), Ok(None), "{kind} {odd}");
        }
    }
}

#[test]
fn topologies() {
    #[track_caller]
    fn check(topology: Value, nodes: u64, devices: u64) {
        let spec =
            deployment(json!({"replicas": 1, "workers": workers(topology)})).expect("a shape").expect("an earlier one");
        let engine = &spec["template"]["spec"]["engines"][0];
        let members = engine["members"].as_array().expect("members");
        assert_eq!(members.len(), if nodes > 1 { 2 } else { 1 });
        assert_eq!(members.last().expect("a member")["worker"]["nodes"].as_u64().unwrap_or(0) + 1, nodes);
        for member in members {
            assert_eq!(member["nodeSelector"]["devices"][0]["count"], devices);
        }
        assert_eq!((&engine["name"], &engine["copies"]), (&json!("main"), &json!(2)));
    }
    check(json!({"tensor": 2}), 1, 2);
    check(json!({"tensor": 8, "pipeline": 2}), 2, 8);
    check(json!({"tensor": 1, "data": 16, "dataLocal": 8}), 2, 8);
    check(json!({"tensor": 2, "pipeline": 2, "data": 8, "dataLocal": 4}), 4, 8);
    check(json!({"strategy": "Tensor", "tensor": 4}), 1, 4);
    check(json!({"strategy": "TensorPipeline", "tensor": 4, "pipeline": 3}), 3, 4);
    check(json!({"strategy": "DataExpert", "tensor": 1, "data": 4, "dataLocal": 2}), 2, 2);
}

#[test]
fn roles() {
    let role = json!({"workers": workers(json!({"tensor": 1}))});
    let both =
        deployment(json!({"replicas": 1, "decode": role, "prefill": role})).expect("a shape").expect("an earlier one");
    let spec = &both["template"]["spec"];
    assert_eq!(spec["serving"], json!({"mode": "PrefillDecode"}));
    let phases: Vec<_> = spec["engines"].as_array().into_iter().flatten().map(|it| it["phase"].as_str()).collect();
    assert_eq!(phases, [Some("Prefill"), Some("Decode")]);
    let root = deployment(json!({"replicas": 1, "workers": role["workers"], "prefill": role}));
    assert_eq!(root, Ok(Some(both.clone())));
    let profile = deployment(json!({"replicas": 1, "serving": [{"decode": role, "prefill": role}]}));
    assert_eq!(profile, Ok(Some(both)));
}

/// The paths of the shape of v0.3.1, as they were written.
#[test]
fn paths() {
    #[track_caller]
    fn check(spec: Value, path: &str, want: &str) {
        let shaped = of(DEPLOYMENT, &json!({"spec": spec})).expect("a shape").expect("an earlier one");
        let mut path = path.to_owned();
        shaped.written.rename(&mut path);
        assert_eq!(path, want);
    }
    let template = "spec.template.spec";
    let member = format!("{template}.engines[0].members[0]");
    check(json!({"engines": []}), &format!("{template}.engines[0].name"), "spec.engines[0].name");
    check(json!({"engines": []}), &format!("{template}.enginesX"), &format!("{template}.enginesX"));
    let one = || json!({"workers": workers(json!({"tensor": 1, "pipeline": 2})), "nodeSelector": {"cel": "true"}});
    let container = "spec.containers[0].image";
    check(one(), &format!("{member}.template.{container}"), "spec.workers.template.spec.containers[1].image");
    check(one(), &format!("{member}.template.metadata.labels"), "spec.workers.template.metadata.labels");
    check(one(), &format!("{member}.nodeSelector.devices[0].selectors[1].cel"), "spec.nodeSelector.cel");
    check(one(), &format!("{member}.nodeSelector.devices[0].count"), "spec.workers.topology");
    check(one(), &format!("{template}.engines[0].members[1].worker.nodes"), "spec.workers.topology");
    check(one(), &format!("{template}.engines[0].copies"), "spec.workers.count");
    let prefill =
        json!({"workers": workers(json!({"tensor": 1})), "prefill": {"engine": {"image": "a"}, "instances": 1}});
    check(prefill.clone(), &format!("{member}.template.{container}"), "spec.prefill.engine.image");
    check(prefill.clone(), &format!("{template}.engines[0].copies"), "spec.prefill.instances");
    check(prefill, &format!("{template}.engines[1].copies"), "spec.workers.count");
    let profile = json!({"serving": [{"engine": {"image": "a"}, "parallelism": {"tensor": 1}}]});
    check(profile, &format!("{member}.template.{container}"), "spec.serving[0].engine.image");
}

#[test]
fn what_is_dropped() {
    #[track_caller]
    fn check(kind: &str, spec: Value, paths: &[&str]) {
        let shaped = of(kind, &json!({"spec": spec})).expect("a shape").expect("an earlier one");
        let dropped: Vec<_> = shaped.written.dropped.iter().map(|it| it.path.as_str()).collect();
        assert_eq!(dropped, paths);
    }
    let one = || workers(json!({"tensor": 1}));
    check(DEPLOYMENT, json!({"workers": one()}), &["spec.workers.template.spec.containers[0]"]);
    check(
        DEPLOYMENT,
        json!({"source": "HuggingFace", "huggingFace": {"repo": "a"}, "engines": []}),
        &["spec.source", "spec.huggingFace"],
    );
    let gateway = json!({"backend": "EnvoyGateway", "envoyGateway": {"version": "v1.3.0"}, "gateway": {"port": 80}});
    check("InferenceGateway", gateway, &["spec.gateway.port", "spec.backend"]);
    let versions = json!({"versions": {"kserve": "v0.16.0", "keda": "2.17.1"}});
    check("ServingStack", versions, &["spec.versions.kserve", "spec.versions.keda"]);
}

#[test]
fn what_is_no_shape() {
    #[track_caller]
    fn check(spec: Value, want: &[&str]) {
        let wrong = of(DEPLOYMENT, &json!({"spec": spec})).expect_err("no shape");
        let shown: Vec<_> = wrong.iter().map(|it| format!("{}: {}", it.path, it.message)).collect();
        assert_eq!(shown, want);
    }
    let mixed =
        |old: &str, other: &str| format!("{old}: a mixture of shapes: {old} beside {other}; remove one of them");
    let one = || workers(json!({"tensor": 1}));
    check(json!({}), &["spec.template: Required value"]);
    check(json!({"clusterSelector": {}}), &["spec.template: Required value"]);
    check(json!({"template": {}, "workers": one()}), &[&mixed("spec.workers", "spec.template")]);
    check(json!({"template": {}, "huggingFace": {}}), &[&mixed("spec.huggingFace", "spec.template")]);
    check(json!({"engines": [], "workers": one()}), &[&mixed("spec.workers", "spec.engines")]);
    check(json!({"engines": [], "serving": [{}]}), &[&mixed("spec.serving", "spec.engines")]);
    check(
        json!({"serving": {}, "decode": {}, "prefill": {}}),
        &[&mixed("spec.decode", "spec.serving"), &mixed("spec.prefill", "spec.serving")],
    );
    check(json!({"decode": {}, "prefill": {}, "workers": one()}), &[&mixed("spec.workers", "spec.decode")]);
    check(
        json!({"engines": [], "clusterSelector": {}, "environmentSelector": {}}),
        &[&mixed("spec.environmentSelector", "spec.clusterSelector")],
    );
    check(json!({"engine": {}, "workers": one()}), &[&mixed("spec.engine", "spec.workers.template")]);
    check(json!({"instances": 1, "workers": one()}), &[&mixed("spec.instances", "spec.workers.count")]);
    check(
        json!({"workers": one(), "nodeSelector": {"cel": "", "devices": []}}),
        &[&mixed("spec.nodeSelector.cel", "spec.nodeSelector.devices")],
    );
    check(json!({"decode": {}}), &["spec.decode: prefill and decode belong together; add spec.prefill"]);
    check(json!({"prefill": {}}), &["spec.prefill: prefill and decode belong together; add spec.decode"]);
    check(
        json!({"serving": []}),
        &[
            "spec.serving: 0 profiles, of which there can be one; make a ModelDeployment of each, behind one ModelService",
        ],
    );
    let of = |topology: Value| json!({"workers": workers(topology)});
    check(
        of(json!({"tensor": 1, "data": 9, "dataLocal": 2})),
        &["spec.workers.topology.dataLocal: 2 does not divide `data`, which is 9: each node has as many"],
    );
    check(of(json!({"tensor": 65})), &["spec.workers.topology: 65 devices on each node; at most 64 are possible"]);
    check(of(json!({"pipeline": 2})), &["spec.workers.topology.tensor: Required value"]);
    check(of(json!({"tensor": "2"})), &["spec.workers.topology.tensor: give a whole number of at least 1"]);
    check(
        of(json!({"tensor": 2, "strategy": "DataExpert"})),
        &["spec.workers.topology.strategy: the strategy needs data and dataLocal"],
    );
    check(
        of(json!({"tensor": 2, "strategy": "Expert"})),
        &["spec.workers.topology.strategy: give `Tensor`, `TensorPipeline` or `DataExpert`, or remove it"],
    );
    check(
        json!({"workers": one(), "nodeSelector": {"cel": "attributes[\"gpu\"].bool"}}),
        &["spec.nodeSelector.cel: a key of attributes must be like `gpu.nvidia.com/memory`, with the domain"],
    );
    let profile = json!({"poolSelector": {"perNode": 4}, "parallelism": {"tensor": 8}});
    check(
        json!({"serving": [profile]}),
        &["spec.serving[0].poolSelector.perNode: 4, while the topology has 8 devices on each node; remove it"],
    );
}

#[test]
fn classes() {
    #[track_caller]
    fn check(spec: Value, want: Result<Value, &[&str]>) {
        let found = of("InferenceClass", &json!({"spec": spec}));
        let found = found.map(|shaped| {
            let object = shaped.expect("an earlier shape").object;
            assert_eq!(of("InferenceClass", &object), Ok(None), "once is enough");
            object["spec"]["devices"].clone()
        });
        let found = found.map_err(|wrong| wrong.into_iter().map(|it| it.path).collect::<Vec<_>>());
        assert_eq!(found, want.map_err(|paths| paths.iter().map(|&path| path.to_owned()).collect()));
    }
    let gpu = |fields: Value| {
        let mut device =
            json!({"name": "gpu", "claim": "DRA", "driver": "gpu.nvidia.com", "deviceClassName": "gpu.nvidia.com"});
        fields.as_object().expect("fields").iter().for_each(|(key, value)| device[key] = value.clone());
        device
    };
    let memory = |amount: &str| json!({"memory": {"value": amount}});
    let resources = || json!({"gpu": {"count": 2, "memory": "24Gi"}});
    let two = || gpu(json!({"count": 2, "capacity": memory("24Gi")}));
    check(json!({"resources": resources()}), Ok(json!([two()])));
    check(json!({"resources": resources(), "devices": [two()]}), Ok(json!([two()])));
    check(json!({"resources": resources(), "devices": [gpu(json!({"count": 3}))]}), Err(&["spec.resources.gpu"]));
    check(json!({"resources": {"gpu": {"count": 2}}}), Err(&["spec.resources.gpu.memory"]));
    let said = |attributes: Value, capacity: Value| json!({"resources": resources(), "attributes": attributes, "capacity": capacity});
    let hopper = || json!({"gpu.nvidia.com/architecture": {"string": "Hopper"}});
    check(
        said(hopper(), json!({"gpu.nvidia.com/memory": "24Gi", "modelplane.ai/gpuCount": 2})),
        Ok(json!([gpu(
            json!({"count": 2, "capacity": memory("24Gi"), "attributes": {"architecture": {"string": "Hopper"}}})
        )])),
    );
    check(
        said(json!(null), json!({"gpu.nvidia.com/memory": "80Gi", "modelplane.ai/gpuCount": 3})),
        Err(&["spec.capacity[gpu.nvidia.com/memory]", "spec.capacity[modelplane.ai/gpuCount]"]),
    );
    check(
        said(json!({"dra.net/rdma": {"boolean": true}}), json!(null)),
        Ok(json!([
            two(),
            {"name": "dra.net", "claim": "DRA", "driver": "dra.net", "deviceClassName": "dra.net", "attributes": {"rdma": {"bool": true}}},
        ])),
    );
    let node = json!({
        "name": "node", "claim": "Synthetic", "driver": "modelplane.ai", "count": 1,
        "attributes": {"networkInterNode": {"string": "infiniband"}}, "capacity": {"networkBandwidth": {"value": "400G"}},
    });
    check(
        json!({
            "attributes": {
                "dra.net/rdma": {"boolean": true},
                "gpu.nvidia.com/architecture": {"string": "Hopper"}, "gpu.nvidia.com/x.y": {"integer": 3},
                "modelplane.ai/networkInterNode": {"string": "infiniband"},
            },
            "capacity": {
                "gpu.nvidia.com/memory": {"value": "80Gi"}, "modelplane.ai/gpuCount": "8",
                "modelplane.ai/networkBandwidth": {"value": "400G"},
            },
        }),
        Ok(json!([
            json!({"name": "gpu", "claim": "DRA", "driver": "dra.net", "deviceClassName": "dra.net", "attributes": {"rdma": {"bool": true}}}),
            json!({
                "name": "gpu.nvidia.com", "claim": "DRA", "driver": "gpu.nvidia.com", "deviceClassName": "gpu.nvidia.com", "count": 8,
                "attributes": {"architecture": {"string": "Hopper"}, "x.y": {"int": 3}}, "capacity": memory("80Gi"),
            }),
            node,
        ])),
    );
    check(
        json!({"capabilities": {
            "gpu.count": 8, "gpu.vramGiB": 141, "gpu.architecture": "Hopper", "gpu.product": {"type": "version", "value": "9.0.0"},
            "gpu.features": ["fp8"],
        }}),
        Ok(json!([gpu(json!({
            "count": 8, "capacity": memory("141Gi"),
            "attributes": {"architecture": {"string": "Hopper"}, "productName": {"version": "9.0.0"}},
        }))])),
    );
    check(json!({"attributes": {}, "devices": []}), Err(&["spec.attributes"]));
    check(json!({"attributes": {"gpu": {"string": "a"}}}), Err(&["spec.attributes.gpu"]));
}

#[test]
fn clusters_and_gateways() {
    #[track_caller]
    fn check(kind: &str, spec: Value, want: Result<Value, &[&str]>) {
        let found = of(kind, &json!({"spec": spec}));
        let found = found.map(|shaped| {
            let object = shaped.expect("an earlier shape").object;
            assert_eq!(of(kind, &object), Ok(None), "once is enough");
            object["spec"].clone()
        });
        let found = found.map_err(|wrong| wrong.into_iter().map(|it| it.path).collect::<Vec<_>>());
        assert_eq!(found, want.map_err(|paths| paths.iter().map(|&path| path.to_owned()).collect()));
    }
    let (cluster, gateway, replica) = ("InferenceCluster", "InferenceGateway", "ModelReplica");
    check(
        cluster,
        json!({"nodePools": [{"className": "a"}, {"class": "b", "maxNodes": 4}]}),
        Ok(json!({"nodePools": [{"className": "a"}, {"className": "b", "maxNodeCount": 4}]})),
    );
    check(cluster, json!({"nodePools": [{"class": "a", "className": "a"}]}), Err(&["spec.nodePools[0].class"]));
    let traefik = |fields: Value| json!({"backend": "Traefik", "traefik": fields});
    check(gateway, json!({"type": "Envoy", "gateway": {"port": 80}}), Ok(traefik(json!({"version": "40.2.0"}))));
    let metallb = || json!({"addressPool": "10.0.0.1-10.0.0.9"});
    check(
        gateway,
        json!({"backend": "EnvoyGateway", "envoyGateway": {"version": "v1.3.0", "loadBalancer": "MetalLB", "metallb": metallb()}}),
        Ok(traefik(json!({"version": "40.2.0", "loadBalancer": "MetalLB", "metallb": metallb()}))),
    );
    let stack = "ServingStack";
    let versions = json!({"versions": {"kserve": "v0.16.0", "keda": "2.17.1", "certManager": "v1.17.1"}});
    check(stack, versions, Ok(json!({"versions": {"certManager": "v1.17.1"}})));
    check(stack, json!({"versions": {"keda": "2.17.1"}}), Ok(json!({})));
    check(gateway, json!({"type": "Envoy", "backend": "Traefik"}), Err(&["spec.type"]));
    check(gateway, json!({"backend": "EnvoyGateway", "envoyGateway": {}, "traefik": {}}), Err(&["spec.envoyGateway"]));
    for old in ["inferenceClusterRef", "inferenceEnvironmentRef"] {
        check(replica, json!({old: {"name": "a"}, "engines": []}), Ok(json!({"clusterName": "a", "engines": []})));
    }
    check(
        replica,
        json!({"inferenceClusterRef": {"name": "a"}, "clusterName": "a"}),
        Err(&["spec.inferenceClusterRef.name"]),
    );
    check(replica, json!({"engines": []}), Err(&["spec.clusterName"]));
}

/// Numbers that differ from run to run of the generator, not of the test.
struct Random(u64);

impl Random {
    fn below(&mut self, most: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).unwrap_or_default() % most
    }

    fn value(&mut self) -> Value {
        let numbers = |random: &mut Self| json!({"tensor": random.below(4), "data": random.below(9), "dataLocal": random.below(4)});
        match self.below(13) {
            0 => json!(null),
            1 => json!(-1),
            2 => json!("a.b/c"),
            3 => json!([]),
            4 => json!([{"workers": {"topology": numbers(self)}}]),
            5 => json!({"cel": "attributes[\"a.b/c\"].bool && capabilities[\"d\"] == 1"}),
            6 => {
                json!({"count": self.below(3), "topology": numbers(self), "template": {"containers": [{"name": "engine"}, 1]}})
            }
            7 => json!({"workers": {"count": 2, "topology": numbers(self)}, "engine": {"image": "a"}}),
            8 => json!({"gpu": {"count": 2, "memory": "24Gi"}}),
            9 => json!({"gpu.nvidia.com/memory": {"value": "80Gi"}, "modelplane.ai/gpuCount": 8, "gpu.count": "8"}),
            10 => json!({"name": "a", "matchLabels": {}}),
            11 => json!({"kserve": "v0.16.0", "certManager": "v1.17.1"}),
            _ => json!([{"name": "gpu", "class": "a", "className": "b", "maxNodes": 1}]),
        }
    }
}

/// Whatever is written: nothing panics, what has several shapes is refused with the paths of both, and what has one becomes the
/// shape of v0.3.1 once.
#[test]
fn random_objects() {
    const FIELDS: &[&str] = &[
        "template",
        "engines",
        "serving",
        "clusterSelector",
        "environmentSelector",
        "modelCacheRef",
        "source",
        "huggingFace",
        "workers",
        "nodeSelector",
        "engine",
        "topology",
        "instances",
        "poolSelector",
        "decode",
        "prefill",
        "clusterName",
        "inferenceClusterRef",
        "inferenceEnvironmentRef",
        "devices",
        "resources",
        "attributes",
        "capacity",
        "capabilities",
        "nodePools",
        "type",
        "backend",
        "traefik",
        "envoyGateway",
        "gateway",
        "versions",
        "replicas",
    ];
    let (mut random, mut seen) = (Random(7), [0; 3]);
    for _ in 0..3_000 {
        let mut spec = json!({});
        for _ in 0..random.below(5) {
            spec[FIELDS[random.below(FIELDS.len())]] = random.value();
        }
        for kind in KINDS {
            let object = json!({"kind": kind, "spec": spec});
            match of(kind, &object) {
                Ok(None) => seen[0] += 1,
                Ok(Some(shaped)) => {
                    assert_ne!(shaped.object, object);
                    assert_eq!(of(kind, &shaped.object), Ok(None), "{kind} {object} becomes {}", shaped.object);
                    seen[1] += 1;
                }
                Err(wrong) => {
                    assert!(!wrong.is_empty());
                    for it in wrong.iter().filter(|it| it.is_mixture()) {
                        assert!(
                            it.message.matches("spec.").count() >= 2 && it.message.contains(&it.path),
                            "{}",
                            it.message
                        );
                    }
                    seen[2] += 1;
                }
            }
            let has = |field: &str| !spec[field].is_null();
            let roles = ["workers", "engine", "nodeSelector", "instances"].iter().any(|field| has(field));
            if kind == "ModelDeployment" && roles && (has("template") || has("engines") || has("decode")) {
                assert!(of(kind, &object).is_err(), "{object}");
            }
        }
    }
    assert!(seen.iter().all(|count| *count > 200), "{seen:?}");
}
