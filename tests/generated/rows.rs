//! Parts of a row that `LLMInference` does not use, tested with kinds of this test.

use std::sync::LazyLock;

use contract::admit::Verdict;
use contract::catalog::{ApiResource, Scope};
use contract::compose::ComposeResponse;
use contract::types::{Code, KindRef};
use serde_json::{Value, json};
use toolbox::kind::{AdmissionRow, FurtherGroup, Kind, Kinds, StepFunction};
use toolbox::published::{Column, Composition, Package, PipelineStep, Published, Scale};
use toolbox::reasons::Reasons;
use toolbox::resources::{INGRESSES, OBJECTS};
use toolbox::validation::Validator;

use crate::packages::{activation_policy, compositions, metadata_of_all, packages};
use crate::{admission, gitops, install, packages};

const CONFIG_MAPS: ApiResource =
    ApiResource { api_version: "v1", kind: "ConfigMap", plural: "configmaps", scope: Scope::Namespaced };
const VPCS: ApiResource =
    ApiResource { api_version: "ec2.aws.m.upbound.io/v1beta1", kind: "VPC", plural: "vpcs", scope: Scope::Namespaced };
const PROVIDER_CONFIGS: ApiResource = ApiResource {
    api_version: "kubernetes.m.crossplane.io/v1alpha1",
    kind: "ProviderConfig",
    plural: "providerconfigs",
    scope: Scope::Namespaced,
};
const NAMESPACES: ApiResource =
    ApiResource { api_version: "v1", kind: "Namespace", plural: "namespaces", scope: Scope::Cluster };
const FLEETS: ApiResource =
    ApiResource { api_version: "fleet.example.org/v1", kind: "Fleet", plural: "fleets", scope: Scope::Cluster };

const PACKAGE: Package = Package {
    name: "fleet",
    description: "Fleets",
    readme: "Fleets.",
    crossplane: ">=v2.3.0",
    dependencies: &[],
    apart: false,
    activation: None,
};
const FURTHER_PACKAGE: Package = Package { name: "fleet-old", ..PACKAGE };

/// A kind that uses every part of a row.
const CLUSTER: Kind = Kind {
    api_version: "fleet.example.org/v2",
    kind: "Cluster",
    plural: "clusters",
    short_names: &["cl"],
    further_groups: &[FurtherGroup { api_version: "old.example.org/v1", package: &FURTHER_PACKAGE }],
    api: "fleet",
    scope: Scope::Namespaced,
    definition: || {
        static DEFINITION: LazyLock<Validator> = LazyLock::new(|| generated(&CLUSTER));
        &DEFINITION
    },
    composes: &[VPCS, OBJECTS, PROVIDER_CONFIGS],
    wraps: &[INGRESSES, CONFIG_MAPS],
    wraps_on_own: &[NAMESPACES, CONFIG_MAPS],
    looks_up: &[OBJECTS, FLEETS],
    found_by: &[],
    areas: None,
    waits_for: |_, _| "",
    examples: &[],
    rules: Vec::new,
    conditions: &[],
    compose: None,
    followed_by: None,
    linked: None,
    names: &[],
    assumed: None,
    capacities: None,
    plan: None,
    admit: |_| Ok(Verdict::default()),
    admission: AdmissionRow {
        reads: &[],
        defaults: || None,
        judges_deletion: false,
        policies: &[],
        policy_variables: &[],
        rules: &[],
    },
    published: Published {
        package: &PACKAGE,
        labels: &[("idp", "true")],
        categories: &["crossplane", "fleet"],
        columns: &[
            Column { name: "nodes", column_type: "integer", path: ".status.nodes", priority: 0 },
            Column { name: "version", column_type: "string", path: ".status.version", priority: 1 },
        ],
        scale: Some(Scale {
            spec_replicas: ".spec.nodes",
            status_replicas: ".status.nodes",
            label_selector: Some(".status.selector"),
        }),
        compositions: &[
            Composition {
                name: "cluster-aws",
                labels: &[("provider", "aws")],
                default: true,
                steps: &[
                    PipelineStep { name: "cloud", input: Some(|_| json!({"kind": "Cloud"})) },
                    PipelineStep::COMPOSE,
                ],
            },
            Composition { name: "cluster-google", labels: &[("provider", "google")], default: false, steps: &[] },
        ],
        schema: || {
            let spec = json!({"type": "object", "properties": {"nodes": {"type": "integer", "minimum": 1}}});
            json!({"type": "object", "required": ["spec"], "properties": {"spec": spec}})
        },
    },
};

/// A kind that is not composed: it contains data that other kinds look up.
const FLEET: Kind = Kind {
    api_version: FLEETS.api_version,
    kind: FLEETS.kind,
    plural: FLEETS.plural,
    short_names: &[],
    further_groups: &[],
    scope: FLEETS.scope,
    definition: || {
        static DEFINITION: LazyLock<Validator> = LazyLock::new(|| generated(&FLEET));
        &DEFINITION
    },
    composes: &[],
    wraps: &[],
    wraps_on_own: &[],
    looks_up: &[],
    published: Published {
        labels: &[],
        categories: &[],
        columns: &[],
        scale: None,
        compositions: &[],
        ..CLUSTER.published
    },
    ..CLUSTER
};

const KINDS: Kinds = Kinds { rows: &[FLEET, CLUSTER], inputs: &[] };

fn generated(kind: &Kind) -> Validator {
    Validator::read(&toolbox::definition::definition(kind).to_string())
}

#[test]
fn definitions() {
    let definition = (CLUSTER.definition)().document();
    let names =
        json!({"kind": "Cluster", "plural": "clusters", "shortNames": ["cl"], "categories": ["crossplane", "fleet"]});
    assert_eq!(definition["spec"]["names"], names);
    assert_eq!(definition["metadata"]["labels"], json!({"idp": "true"}));
    assert_eq!(definition["spec"]["defaultCompositionRef"], json!({"name": "cluster-aws"}));
    let version = &definition["spec"]["versions"][0];
    let scale = json!({
        "specReplicasPath": ".spec.nodes",
        "statusReplicasPath": ".status.nodes",
        "labelSelectorPath": ".status.selector",
    });
    assert_eq!(version["subresources"], json!({"scale": scale}));
    let columns = json!([
        {"name": "nodes", "type": "integer", "jsonPath": ".status.nodes"},
        {"name": "version", "type": "string", "jsonPath": ".status.version", "priority": 1},
    ]);
    assert_eq!(version["additionalPrinterColumns"], columns);

    let plain = (FLEET.definition)().document();
    assert_eq!(plain["spec"]["names"], json!({"kind": "Fleet", "plural": "fleets"}));
    assert_eq!(plain["spec"]["scope"], "Cluster");
    assert!(plain["spec"]["versions"][0].get("subresources").is_none());
}

#[test]
fn further_groups() {
    let moved = CLUSTER.definition_in("old.example.org/v1");
    let found = ["/metadata/name", "/spec/group", "/spec/versions/0/name", "/spec/defaultCompositionRef/name"];
    let found = found.map(|pointer| moved.pointer(pointer).and_then(Value::as_str).unwrap_or_default().to_owned());
    assert_eq!(found, ["clusters.old.example.org", "old.example.org", "v1", "cluster-aws.old.example.org"]);

    let entries: Vec<_> = KINDS.entries().into_iter().map(|it| (it.kind.api_version, it.kind.kind)).collect();
    let want =
        [("fleet.example.org/v1", "Fleet"), ("fleet.example.org/v2", "Cluster"), ("old.example.org/v1", "Cluster")];
    assert_eq!(entries, want.map(|(version, kind)| (version.to_owned(), kind.to_owned())));

    let old = KindRef { api_version: "old.example.org/v1".to_owned(), kind: "Cluster".to_owned() };
    let object =
        json!({"apiVersion": old.api_version, "kind": old.kind, "metadata": {"name": "a"}, "spec": {"nodes": 0}});
    let row = KINDS.find(&old).expect("it is known");
    let problems: Vec<_> = row.validate(&object).into_iter().map(|problem| problem.path).collect();
    assert_eq!(problems, ["spec.nodes"]);
}

#[test]
fn several_compositions() {
    let [aws, google] = &compositions(&CLUSTER, CLUSTER.api_version)[..] else { panic!("there are two") };
    assert_eq!(aws["metadata"], json!({"name": "cluster-aws", "labels": {"provider": "aws"}}));
    let function = json!({"name": "sailplane-function-sailplane"});
    let steps = json!([
        {"step": "cloud", "functionRef": function, "input": {"kind": "Cloud"}},
        {"step": "compose-resources", "functionRef": function},
    ]);
    assert_eq!(aws["spec"]["pipeline"], steps);
    assert_eq!(google["metadata"]["name"], "cluster-google");
    let old = &compositions(&CLUSTER, "old.example.org/v1")[0];
    assert_eq!(old["metadata"]["name"], "cluster-aws.old.example.org");
    assert_eq!(old["spec"]["compositeTypeRef"], json!({"apiVersion": "old.example.org/v1", "kind": "Cluster"}));
}

#[test]
fn packages_by_api() {
    let files: Vec<_> = packages::files(KINDS.rows).into_iter().map(|file| file.path).collect();
    let want = [
        "package/sailplane/crossplane.yaml",
        "package/fleet/crossplane.yaml",
        "package/fleet/definition-fleet.yaml",
        "package/fleet/definition-cluster.yaml",
        "package/fleet/composition-cluster-aws.yaml",
        "package/fleet/composition-cluster-google.yaml",
        "package/fleet/activation-policy.yaml",
        "package/fleet-old/crossplane.yaml",
        "package/fleet-old/definition-cluster.old.example.org.yaml",
        "package/fleet-old/composition-cluster-aws.old.example.org.yaml",
        "package/fleet-old/composition-cluster-google.old.example.org.yaml",
        "package/fleet-old/activation-policy.yaml",
    ];
    assert_eq!(files, want);
    // Another group's CRD is taken over by those alone who ask for it.
    let all = metadata_of_all(KINDS.rows);
    let brought: Vec<_> =
        all["spec"]["dependsOn"].as_array().expect("a list").iter().map(|it| &it["package"]).collect();
    assert_eq!(brought, ["xpkg.crossplane.io/sailplane/fleet"]);
}

/// Nobody gets a package that stands apart with another one, and nobody waits for it.
#[test]
fn packages_that_stand_apart() {
    const APART: Package = Package { name: "fleet-apart", apart: true, crossplane: ">=v2.9.0", ..PACKAGE };
    let apart = Kind { published: Published { package: &APART, ..CLUSTER.published }, further_groups: &[], ..CLUSTER };
    let kinds = [FLEET, apart];
    let all = metadata_of_all(&kinds);
    assert_eq!(all["spec"]["dependsOn"].as_array().map(Vec::len), Some(1));
    assert_eq!(all["spec"]["crossplane"]["version"], ">=v2.3.0");
    let installs = |name: &str| install::installed(&kinds).iter().any(|object| object["metadata"]["name"] == name);
    assert!(installs("sailplane-fleet-apart"), "it has a manifest of its own");
    let flux = gitops::files(&kinds).into_iter().find(|file| file.path.ends_with("/flux.yaml")).expect("a file");
    let awaits = |name: &str| flux.text.lines().any(|line| line.trim() == format!("name: {name}"));
    let names = ["sailplane-fleet", "fleets.fleet.example.org", "sailplane-fleet-apart", "clusters.fleet.example.org"];
    assert_eq!(names.map(awaits), [true, true, false, false]);
}

#[test]
fn rights_and_activation() {
    let all = json!(["get", "list", "watch", "create", "update", "patch", "delete"]);
    let want = json!([
        {"apiGroups": ["fleet.example.org"], "resources": ["clusters", "fleets", "clusters/status", "fleets/status"], "verbs": all},
        {"apiGroups": ["fleet.example.org"], "resources": ["clusters/finalizers", "fleets/finalizers"], "verbs": ["update"]},
        {"apiGroups": ["old.example.org"], "resources": ["clusters", "clusters/status"], "verbs": all},
        {"apiGroups": ["old.example.org"], "resources": ["clusters/finalizers"], "verbs": ["update"]},
        {"apiGroups": ["ec2.aws.m.upbound.io"], "resources": ["vpcs"], "verbs": all},
        {"apiGroups": ["kubernetes.m.crossplane.io"], "resources": ["objects", "providerconfigs"], "verbs": all},
    ]);
    assert_eq!(install::crossplane_role(KINDS.rows)["rules"], want);
    // Crossplane's RBAC manager grants all of this.
    assert_eq!(install::composing_role(KINDS.rows, &PACKAGE), None);
    let route = Kind { composes: &[VPCS, CONFIG_MAPS], looks_up: &[FLEETS, CONFIG_MAPS, INGRESSES], ..CLUSTER };
    let role = install::composing_role(&[FLEET, route], &PACKAGE).expect("it composes a ConfigMap itself");
    assert_eq!(role["metadata"]["name"], "sailplane-fleet:aggregate-to-crossplane");
    let want = json!([
        {"apiGroups": [""], "resources": ["configmaps"], "verbs": all},
        {"apiGroups": ["networking.k8s.io"], "resources": ["ingresses"], "verbs": ["get", "list", "watch"]},
    ]);
    assert_eq!(role["rules"], want);
    let role = install::scaling_role(KINDS.rows, &PACKAGE).expect("one kind has a scale");
    assert_eq!(role["metadata"]["name"], "sailplane-fleet:aggregate-to-edit");
    let want = json!([
        {"apiGroups": ["fleet.example.org"], "resources": ["clusters/scale"], "verbs": ["get", "update", "patch"]},
    ]);
    assert_eq!(role["rules"], want);
    assert_eq!(install::scaling_role(&[FLEET], &PACKAGE), None);
    let want = json!([
        {"apiGroups": [""], "resources": ["configmaps"], "verbs": all},
        {"apiGroups": ["networking.k8s.io"], "resources": ["ingresses"], "verbs": all},
    ]);
    // There is no Namespace: a cluster of the kind's own has other rights.
    assert_eq!(install::targets_role(KINDS.rows)["rules"], want);
    let wrapped: Vec<_> = CLUSTER.entries().next().expect("an entry").wraps.iter().map(|it| it.plural).collect();
    assert_eq!(wrapped, ["ingresses", "configmaps", "namespaces"]);
    assert_eq!(admission::reader_rules(KINDS.rows), Vec::<Value>::new());

    let found = packages(KINDS.rows).into_iter().map(|(package, served)| activation_policy(package, &served));
    let activated: Vec<_> = found.map(|policy| policy.expect("a policy")["spec"]["activate"].clone()).collect();
    let want = json!(["objects.kubernetes.m.crossplane.io", "vpcs.ec2.aws.m.upbound.io"]);
    assert_eq!(activated, [want.clone(), want]);
}

/// Kinds that nothing composes have no conditions, and configurations of providers are no managed resources.
#[test]
fn health_checks() {
    const STEP: StepFunction = |_| Ok((ComposeResponse::default(), Reasons::default()));
    let composed = Kind { compose: Some(STEP), ..CLUSTER };
    let checked = |kinds: &[Kind]| -> Vec<String> {
        let files = gitops::files(kinds);
        let keys = files.iter().flat_map(|file| file.text.lines().filter_map(|line| line.split_once(".health.")));
        keys.filter_map(|(_, key)| key.split_once(':')).map(|(name, _)| name.to_owned()).collect()
    };
    let packages = ["Configuration", "Function", "Provider"].map(|kind| format!("pkg.crossplane.io_{kind}"));
    let managed = [
        "ec2.aws.m.upbound.io_VPC",
        "fleet.example.org_Cluster",
        "kubernetes.m.crossplane.io_Object",
        "old.example.org_Cluster",
    ];
    assert_eq!(checked(&[composed, FLEET]), [managed.map(str::to_owned).as_slice(), &packages].concat());
    assert!(!checked(&[CLUSTER]).iter().any(|name| name.ends_with("_Cluster")));
}

#[test]
fn kinds_that_are_not_composed() {
    let fault = FLEET.composed().expect_err("it is not composed");
    assert_eq!((fault.problems[0].code, fault.problems[0].path.as_str()), (Code::NotSupported, "kind"));
    assert!(KINDS.entries().iter().all(|entry| !entry.composed));
}

#[test]
fn nearest_kinds() {
    let check = |version: &str, kind: &str, want: &str| {
        let kind = KindRef { api_version: version.to_owned(), kind: kind.to_owned() };
        let fault = KINDS.unknown(&kind);
        assert_eq!(fault.problems[0].message, want);
    };
    check(
        "old.example.org/v2",
        "Cluster",
        "no kind `old.example.org/v2` Cluster; the nearest is `old.example.org/v1` Cluster",
    );
    check(
        "fleet.example.org/v1",
        "Fleets",
        "no kind `fleet.example.org/v1` Fleets; the nearest is `fleet.example.org/v1` Fleet",
    );
    check("v1", "ConfigMap", "no kind `v1` ConfigMap; `sailplane definitions --list` names those there are");
    check("v1", "", "missing; `sailplane definitions --list` names those there are");
}
