//! `package/install`: manifests for platform engineers: Configurations, provider-kubernetes with its rights, and provider
//! configurations.

use std::collections::{BTreeMap, BTreeSet};

use contract::catalog::ApiResource;
use inference::modelplane::labels::SYSTEM_NAMESPACE;
use inference::providers::{HELM, KUBERNETES, RELEASES_OF_MODELPLANE, releases};
use module::compose;
use serde_json::{Value, json};
use tests::golden::{cases, documents};
use toolbox::kind::Kind;
use toolbox::published::{Package, is_managed};

use crate::files::File;
use crate::names;
use crate::packages::packages;
use crate::pods::{container_security, pod_security};

const FOLDER: &str = "package/install";
/// The namespace of Crossplane and its providers.
const NAMESPACE: &str = "crossplane-system";
/// The name of the ServiceAccount of provider-kubernetes, and of the objects around it.
const IDENTITY: &str = "crossplane-provider-kubernetes";
/// The same for provider-helm.
const HELM_IDENTITY: &str = "crossplane-provider-helm";

/// All files. `docs/install.md` says when to apply each.
pub(crate) fn files(kinds: &[Kind]) -> Vec<File> {
    let mut files = manifests(kinds);
    files.push(File::new(format!("{FOLDER}/images.txt"), images(kinds)));
    files
}

/// The objects in all manifests.
pub(crate) fn installed(kinds: &[Kind]) -> Vec<Value> {
    manifests(kinds).iter().flat_map(|file| documents(&file.text).expect("YAML")).collect()
}

/// What a mirror needs: the packages that the manifests install, the providers that those bring, and provider-helm for kinds with
/// Releases, one in a line.
fn images(kinds: &[Kind]) -> String {
    let objects = installed(kinds);
    let installed = objects.iter().filter_map(|object| object["spec"]["package"].as_str()).map(str::to_owned);
    let needed: Vec<_> = packages(kinds).into_iter().flat_map(|(package, _)| package.dependencies).collect();
    let brought = releases().filter(|release| needed.contains(&&release.provider));
    let brought = brought.flat_map(|it| it.packages().map(|(name, tag)| format!("{name}:{tag}")));
    let has_releases = kinds.iter().flat_map(|kind| kind.composes).any(|it| it.group() == "helm.m.crossplane.io");
    let helm = has_releases.then(|| HELM.to_owned());
    installed
        .chain(brought)
        .chain(helm)
        .collect::<BTreeSet<_>>()
        .into_iter()
        .map(|package| format!("{package}\n"))
        .collect()
}

fn manifests(kinds: &[Kind]) -> Vec<File> {
    let file =
        |name: &str, comment: &str, objects: &[Value]| File::yaml(format!("{FOLDER}/{name}.yaml"), comment, objects);
    let all = names::package(names::CONFIGURATION);
    let mut files = vec![file(
        "configuration",
        "Sailplane with all of its APIs. Crossplane installs the packages that it depends on.",
        &[configuration(names::CONFIGURATION, all)],
    )];
    files.extend(packages(kinds).into_iter().map(|(package, _)| {
        file(
            &format!("configuration-{}", package.name),
            if package.apart {
                APART_COMMENT
            } else {
                "One API of Sailplane. Crossplane installs the packages that it depends on."
            },
            &[configuration(&names::repository(package), &names::configuration(package))],
        )
    }));
    files.extend(packages(kinds).into_iter().filter_map(|(package, _)| {
        let roles: Vec<_> =
            [composing_role(kinds, package), scaling_role(kinds, package)].into_iter().flatten().collect();
        (!roles.is_empty()).then(|| file(&format!("rbac-crossplane-{}", package.name), COMPOSING_COMMENT, &roles))
    }));
    files.extend([
        file(
            "provider-kubernetes",
            "provider-kubernetes with an identity of its own. Apply this first: a Configuration cannot bring a\n\
             DeploymentRuntimeConfig. The name is the one that Crossplane would give the dependency, since two Providers of\n\
             one package never become healthy.",
            &[service_account(IDENTITY), runtime_config(IDENTITY), provider()],
        ),
        file("function", FUNCTION_COMMENT, &[function_runtime_config(), function()]),
        file(
            "rbac-cluster-admin",
            "For a target that is the cluster of Crossplane itself: provider-kubernetes may do anything there.",
            &[binding("cluster-admin")],
        ),
        file(
            "rbac-least-privilege",
            "Instead of rbac-cluster-admin.yaml: provider-kubernetes may do what Sailplane's kinds need and no more.",
            &[targets_role(kinds), binding(IDENTITY)],
        ),
        file(
            "rbac-crossplane",
            "What Crossplane itself needs: composites, what it composes of them, and what composing looks up. Its RBAC manager\n\
             grants this by itself. Apply it where that is not installed; providers then need rights to their own kinds too.",
            &[crossplane_role(kinds), crossplane_binding()],
        ),
        file("provider-config-incluster", "The cluster of Crossplane itself, as a target.", &[in_cluster()]),
        file(
            "provider-config-gpu-cluster",
            "Another cluster, through the kubeconfig in a Secret:\n\
             kubectl create secret generic gpu-cluster --namespace crossplane-system --from-file=kubeconfig=FILE",
            &[remote("gpu-cluster")],
        ),
    ]);
    files.extend([
        file(
            "prerequisites-modelplane",
            MODELPLANE_COMMENT,
            &[
                json!({"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": SYSTEM_NAMESPACE}}),
                modelplane_helm_identity(),
                role_binding(MODELPLANE_HELM, "cluster-admin", MODELPLANE_HELM),
                modelplane_helm_image(),
            ],
        ),
        file(
            "configuration-modelplane-beside",
            BESIDE_COMMENT,
            &packages(kinds)
                .into_iter()
                .filter(|(it, _)| it.name == "modelplane")
                .map(|(it, _)| beside(it))
                .collect::<Vec<_>>(),
        ),
    ]);
    files.extend([
        file(
            "provider-helm",
            "provider-helm with an identity of its own, which installs the software of GPU clusters. No package brings it.",
            &[service_account(HELM_IDENTITY), runtime_config(HELM_IDENTITY), helm_provider()],
        ),
        file(
            "rbac-cluster-admin-helm",
            "For charts on the cluster of Crossplane itself: provider-helm may do anything there. GPU clusters do not need it.",
            &[role_binding(HELM_IDENTITY, "cluster-admin", HELM_IDENTITY)],
        ),
        file("activation-policy-namespaced", ACTIVATION_COMMENT, &[activation_policy()]),
    ]);
    files.extend(
        CREDENTIALS.iter().map(|it| file(&format!("provider-config-{}", it.cloud), it.comment, &[cloud_config(it)])),
    );
    files
}

/// The credentials for a cloud.
struct Credentials {
    cloud: &'static str,
    /// The group of its configurations.
    group: &'static str,
    secret: &'static str,
    /// The key of the Secret.
    key: &'static str,
    /// What is beside the credentials.
    more: &'static str,
    comment: &'static str,
}

const CREDENTIALS: &[Credentials] = &[
    Credentials {
        cloud: "aws",
        group: "aws.m.upbound.io",
        secret: "aws-creds",
        key: "creds",
        more: "{}",
        comment: "The credentials for AWS. The last two keys are what a secret store on EKS reads, by default:\n\
                  kubectl create secret generic aws-creds --namespace crossplane-system --from-file=creds=FILE \\\n\
                  \x20 --from-literal=accessKeyID=ID --from-literal=secretAccessKey=KEY",
    },
    Credentials {
        cloud: "azure",
        group: "azure.m.upbound.io",
        secret: "azure-creds",
        key: "creds",
        more: "{}",
        comment: "The credentials for Azure:\n\
                  kubectl create secret generic azure-creds --namespace crossplane-system --from-file=creds=FILE",
    },
    Credentials {
        cloud: "google",
        group: "gcp.m.upbound.io",
        secret: "gcp-creds",
        key: "creds",
        more: r#"{"projectID": "my-project"}"#,
        comment: "The credentials for Google Cloud, which also lead to each GKE cluster. Write your project here:\n\
                  kubectl create secret generic gcp-creds --namespace crossplane-system --from-file=creds=FILE",
    },
    Credentials {
        cloud: "nebius",
        group: "nebius.m.upbound.io",
        secret: "nebius-credentials",
        key: "credentials.json",
        more: r#"{"identity": {"type": "ServiceAccount"}, "projectID": "project-of-yours"}"#,
        comment: "The credentials of a service account in Nebius, which also lead to each cluster there. Write your project here:\n\
                  kubectl create secret generic nebius-credentials --namespace crossplane-system --from-file=credentials.json=FILE",
    },
    Credentials {
        cloud: "vultr",
        group: "vultr.m.upbound.io",
        secret: "vultr-credentials",
        key: "api-key",
        more: "{}",
        comment: "The key for the API of Vultr:\n\
                  kubectl create secret generic vultr-credentials --namespace crossplane-system --from-literal=api-key=KEY",
    },
];

/// The configuration with the name that every managed resource of the cloud names.
fn cloud_config(of: &Credentials) -> Value {
    let secret = json!({"namespace": NAMESPACE, "name": of.secret, "key": of.key});
    let mut spec: Value = serde_json::from_str(of.more).expect("JSON");
    spec["credentials"] = json!({"source": "Secret", "secretRef": secret});
    object(&format!("{}/v1beta1", of.group), "ClusterProviderConfig", "default", spec)
}

const ACTIVATION_COMMENT: &str = "\
All namespaced kinds of the providers of GPU clusters, where Crossplane is installed without default activations. Each Configuration
activates the kinds that it composes by itself; this is for more of them. A `*` stands for dots too, so the line of Azure is for
all of its groups.";

/// Every namespaced managed resource of the providers.
fn activation_policy() -> Value {
    let groups = [
        "eks.aws.m.upbound.io",
        "ec2.aws.m.upbound.io",
        "iam.aws.m.upbound.io",
        "azure.m.upbound.io",
        "container.gcp.m.upbound.io",
        "helm.m.crossplane.io",
        "kubernetes.m.crossplane.io",
    ];
    let activate: Vec<_> = groups.iter().map(|group| format!("*.{group}")).collect();
    let policy = "ManagedResourceActivationPolicy";
    object("apiextensions.crossplane.io/v1alpha1", policy, "namespace-scoped-only", json!({"activate": activate}))
}

const MODELPLANE_COMMENT: &str = "\
What Modelplane's API needs and no Configuration can bring, under the names of Modelplane v0.3.1: the namespace of clusters, and an
identity for provider-helm, which installs the gateway on the cluster of Crossplane itself and so may do anything there. Apply it
before configuration-modelplane.yaml.";

const BESIDE_COMMENT: &str = "\
Modelplane's API beside other APIs of Sailplane, whose Configurations take providers from another repository: two Providers with the
same kinds never become healthy. So this one brings none, nor the Function, and works with those that are installed. Use it instead
of configuration-modelplane.yaml.";

/// The identity of provider-helm, as Modelplane v0.3.1 names it.
const MODELPLANE_HELM: &str = "provider-helm-modelplane";

fn modelplane_helm_identity() -> Value {
    let template = json!({"metadata": {"name": MODELPLANE_HELM}});
    let spec = json!({"serviceAccountTemplate": template});
    object("pkg.crossplane.io/v1beta1", "DeploymentRuntimeConfig", MODELPLANE_HELM, spec)
}

/// The package manager gives the provider its identity, because a dependency cannot name one.
fn modelplane_helm_image() -> Value {
    let helm = RELEASES_OF_MODELPLANE.iter().map(|it| it.provider.package).find(|it| it.ends_with("/provider-helm"));
    let spec = json!({
        "matchImages": [{"type": "Prefix", "prefix": helm.expect("a provider for charts")}],
        "runtime": {"configRef": {"name": MODELPLANE_HELM}},
    });
    object("pkg.crossplane.io/v1beta1", "ImageConfig", MODELPLANE_HELM, spec)
}

/// A Configuration that brings nothing that it depends on.
fn beside(package: &Package) -> Value {
    let mut configuration = configuration(&names::repository(package), &names::configuration(package));
    configuration["spec"]["skipDependencyResolution"] = true.into();
    configuration
}

const APART_COMMENT: &str = "\
One API of Sailplane, which configuration.yaml leaves out. Crossplane installs the packages that it depends on: its providers
come along.";

const COMPOSING_COMMENT: &str = "\
What Crossplane needs for this API besides what its RBAC manager grants, which knows composites and the objects of providers:
this API composes objects of other groups on the control plane itself. Beside it, where composites have a scale, what people
need for `kubectl scale`. Apply it with the Configuration.";

const FUNCTION_COMMENT: &str = "\
The Function with replicas, resources and probes of your own. Apply this before or after the Configurations, which install
the Function by themselves when it is not there. The name is the one that Crossplane would give the dependency.
To send traces, write the address of your collector beside `resources`:
  env: [{name: OTEL_EXPORTER_OTLP_ENDPOINT, value: \"http://collector.observability:4317\"}]";

/// The name of the Function in clusters, and of its DeploymentRuntimeConfig.
fn function_name() -> String {
    names::of_dependency(&names::reference(names::FUNCTION))
}

fn function() -> Value {
    let spec = json!({
        "package": format!("{}:{}", names::reference(names::FUNCTION), names::TAG),
        "runtimeConfigRef": runtime_config_ref(&function_name()),
    });
    object("pkg.crossplane.io/v1", "Function", &function_name(), spec)
}

/// The ports are those of `sailplane function`. Crossplane adds the image, the ports for calls and metrics, and the user.
fn function_runtime_config() -> Value {
    let probe = |path: &str| json!({"httpGet": {"path": path, "port": "health"}});
    let container = json!({
        "name": "package-runtime",
        "ports": [{"name": "health", "containerPort": 8081}],
        "livenessProbe": probe("/livez"),
        "readinessProbe": probe("/readyz"),
        "resources": {"requests": {"cpu": "100m", "memory": "64Mi"}, "limits": {"memory": "512Mi"}},
        "securityContext": container_security(),
    });
    let spread = json!({
        "labelSelector": {"matchLabels": {"pkg.crossplane.io/function": function_name()}},
        "maxSkew": 1,
        "topologyKey": "kubernetes.io/hostname",
        "whenUnsatisfiable": "ScheduleAnyway",
    });
    let pod = json!({
        "containers": [container],
        "securityContext": pod_security(),
        "topologySpreadConstraints": [spread],
    });
    let deployment = json!({
        "spec": {
            "replicas": 2,
            "selector": {},
            "strategy": {"type": "RollingUpdate", "rollingUpdate": {"maxSurge": 1, "maxUnavailable": 0}},
            "template": {"spec": pod},
        },
    });
    runtime_config_of(&function_name(), deployment)
}

fn configuration(repository: &str, name: &str) -> Value {
    let package = format!("{}:{}", names::reference(repository), names::TAG);
    object("pkg.crossplane.io/v1", "Configuration", name, json!({"package": package}))
}

fn provider() -> Value {
    let reference = KUBERNETES.package;
    let spec = json!({
        "package": format!("{reference}:{}", names::provider_tag()),
        "runtimeConfigRef": runtime_config_ref(IDENTITY),
    });
    object("pkg.crossplane.io/v1", "Provider", &names::of_dependency(reference), spec)
}

fn runtime_config_ref(name: &str) -> Value {
    json!({"apiVersion": "pkg.crossplane.io/v1beta1", "kind": "DeploymentRuntimeConfig", "name": name})
}

/// provider-helm, which no package depends on.
fn helm_provider() -> Value {
    let (reference, _tag) = HELM.rsplit_once(':').expect("it has a tag");
    let spec = json!({"package": HELM, "runtimeConfigRef": runtime_config_ref(HELM_IDENTITY)});
    object("pkg.crossplane.io/v1", "Provider", &names::of_dependency(reference), spec)
}

fn service_account(identity: &str) -> Value {
    json!({"apiVersion": "v1", "kind": "ServiceAccount", "metadata": {"name": identity, "namespace": NAMESPACE}})
}

fn runtime_config(identity: &str) -> Value {
    let pod = json!({"serviceAccountName": identity, "containers": [{"name": "package-runtime"}]});
    runtime_config_of(identity, json!({"spec": {"selector": {}, "template": {"spec": pod}}}))
}

/// A DeploymentRuntimeConfig: what Crossplane completes to the Deployment of a package.
fn runtime_config_of(name: &str, deployment: Value) -> Value {
    object("pkg.crossplane.io/v1beta1", "DeploymentRuntimeConfig", name, json!({"deploymentTemplate": deployment}))
}

/// Binds provider-kubernetes to a ClusterRole.
fn binding(role: &str) -> Value {
    role_binding(IDENTITY, role, IDENTITY)
}

/// Binds a ServiceAccount to a ClusterRole.
fn role_binding(name: &str, role: &str, account: &str) -> Value {
    json!({
        "apiVersion": "rbac.authorization.k8s.io/v1",
        "kind": "ClusterRoleBinding",
        "metadata": {"name": name},
        "roleRef": {"apiGroup": "rbac.authorization.k8s.io", "kind": "ClusterRole", "name": role},
        "subjects": [{"kind": "ServiceAccount", "name": account, "namespace": NAMESPACE}],
    })
}

/// The rights of provider-kubernetes to the kinds that Objects wrap for target clusters, and those that wrapped Roles grant. What a
/// kind creates on clusters of its own needs no right here.
pub(crate) fn targets_role(kinds: &[Kind]) -> Value {
    let mut all = rules(kinds.iter().flat_map(|kind| kind.wraps), ALL);
    all.extend(granted(kinds.iter(), |kind| kind.wraps, &all));
    if kinds.iter().any(|kind| kind.api == PROJECT.api) {
        all.push(PROJECT.rule());
    }
    cluster_role(IDENTITY, &json!({}), all)
}

/// What a secret store on Google Cloud copies the project from: the credentials of the platform, on the control plane.
const PROJECT: Granted = to_resources("gpu-cluster", "", ("gcp.m.upbound.io", &["clusterproviderconfigs"]), &["get"]);

/// What Roles and ClusterRoles of an API grant. Whoever creates them must have these rights.
struct Granted {
    api: &'static str,
    /// The kind that grants it: `Role` or `ClusterRole`.
    by: &'static str,
    /// The API group, and the plural names of resources.
    resources: Option<(&'static str, &'static [&'static str])>,
    /// Paths that are no resources.
    paths: &'static [&'static str],
    verbs: &'static [&'static str],
}

const GRANTED: &[Granted] = &[
    to_resources("modelplane", "Role", ("", &["pods"]), READ),
    to_resources("modelplane", "Role", ("inference.networking.k8s.io", &["inferencepools"]), READ),
    to_resources("modelplane", "Role", ("inference.networking.x-k8s.io", &["inferenceobjectives"]), READ),
    to_resources("otterscale", "Role", ("", &["pods"]), READ),
    to_resources("otterscale", "Role", ("", &["events"]), &["create", "patch"]),
    to_resources("otterscale", "Role", ("coordination.k8s.io", &["leases"]), ALL),
    to_resources("otterscale", "Role", ("inference.networking.k8s.io", &["inferencepools"]), READ),
    to_resources(
        "otterscale",
        "Role",
        ("inference.networking.x-k8s.io", &["inferencemodelrewrites", "inferenceobjectives"]),
        READ,
    ),
    to_resources("otterscale", "ClusterRole", ("authentication.k8s.io", &["tokenreviews"]), &["create"]),
    to_resources("otterscale", "ClusterRole", ("authorization.k8s.io", &["subjectaccessreviews"]), &["create"]),
    Granted { api: "otterscale", by: "ClusterRole", resources: None, paths: &["/metrics"], verbs: &["get"] },
];

impl Granted {
    fn rule(&self) -> Value {
        match self.resources {
            Some((group, plurals)) => json!({"apiGroups": [group], "resources": plurals, "verbs": self.verbs}),
            None => json!({"nonResourceURLs": self.paths, "verbs": self.verbs}),
        }
    }
}

const fn to_resources(
    api: &'static str,
    by: &'static str,
    resources: (&'static str, &'static [&'static str]),
    verbs: &'static [&'static str],
) -> Granted {
    Granted { api, by, resources: Some(resources), paths: &[], verbs }
}

/// What Roles and ClusterRoles of the golden cases grant is in the table, and nothing else is.
#[test]
fn what_roles_grant_is_in_the_table() {
    /// The kind, the API group and the resource, or nothing and a path, and the verb.
    type Right = (String, String, String, String);
    fn rights(kind: &str, rule: &Value) -> Vec<Right> {
        let texts = |key: &str| {
            let all = rule[key].as_array().into_iter().flatten();
            all.filter_map(Value::as_str).map(str::to_owned).collect::<Vec<_>>()
        };
        let groups = if rule["apiGroups"].is_null() { vec![String::new()] } else { texts("apiGroups") };
        let whats = || [texts("resources"), texts("nonResourceURLs")].concat();
        let pairs = groups.into_iter().flat_map(|group| whats().into_iter().map(move |what| (group.clone(), what)));
        let of_pair = |(group, what): (String, String)| {
            texts("verbs").into_iter().map(move |verb| (kind.to_owned(), group.clone(), what.clone(), verb))
        };
        pairs.flat_map(of_pair).collect()
    }
    for api in ["modelplane", "otterscale"] {
        let mut composed = BTreeSet::new();
        let cases =
            cases().expect("a readable corpus").into_iter().filter(|it| it.name.starts_with(&format!("{api}/")));
        for desired in cases.filter_map(|case| compose(&case.request).ok()).flat_map(|it| it.resources.into_values()) {
            let inside = desired.object.pointer("/spec/forProvider/manifest").cloned();
            for object in [Some(desired.object), inside].into_iter().flatten() {
                let kind = object["kind"].as_str().unwrap_or_default();
                if matches!(kind, "Role" | "ClusterRole") {
                    let rules = object["rules"].as_array().into_iter().flatten();
                    composed.extend(rules.flat_map(|rule| rights(kind, rule)));
                }
            }
        }
        let of_api = GRANTED.iter().filter(|row| row.api == api);
        let stated: BTreeSet<_> = of_api.flat_map(|row| rights(row.by, &row.rule())).collect();
        assert_eq!(stated, composed, "{api}");
    }
}

/// The rules that the Roles and ClusterRoles among the `made` of kinds grant, and that are not in `known`.
fn granted<'k>(
    kinds: impl Iterator<Item = &'k Kind>,
    made: fn(&Kind) -> &[ApiResource],
    known: &[Value],
) -> Vec<Value> {
    // Roles of clouds grant nothing here.
    let of_rbac = |resource: &&ApiResource| resource.group() == "rbac.authorization.k8s.io";
    let makes: BTreeSet<_> =
        kinds.flat_map(|kind| made(kind).iter().filter(of_rbac).map(|resource| (kind.api, resource.kind))).collect();
    let mut rules: Vec<Value> = Vec::new();
    for rule in GRANTED.iter().filter(|it| makes.contains(&(it.api, it.by))).map(Granted::rule) {
        if !rules.contains(&rule) && !known.iter().any(|known| covers(known, &rule)) {
            rules.push(rule);
        }
    }
    rules
}

/// Whether a rule grants all that another one grants.
fn covers(rule: &Value, other: &Value) -> bool {
    let has = |key: &str| {
        let all = rule[key].as_array().map(Vec::as_slice).unwrap_or_default();
        other[key].as_array().into_iter().flatten().all(|it| all.contains(it))
    };
    ["apiGroups", "resources", "nonResourceURLs", "verbs"].iter().all(|key| has(key))
}

/// The rights of Crossplane. Its own role takes them up by the label, but only where its RBAC manager is installed.
pub(crate) fn crossplane_role(kinds: &[Kind]) -> Value {
    let mut rules: Vec<_> = composites(kinds).into_iter().flat_map(composite_rules).collect();
    rules.extend(composing_rules(kinds, kinds.iter(), |_| true));
    cluster_role(&crossplane_role_name(), &aggregated(), rules)
}

/// The rights of Crossplane that its RBAC manager does not grant, for the kinds of one package. `None` when there are none.
pub(crate) fn composing_role(kinds: &[Kind], package: &Package) -> Option<Value> {
    let of_package = kinds.iter().filter(|kind| kind.published.package.name == package.name);
    // The groups of Crossplane, and definitions, are in its own role; those of its providers are granted with their packages.
    let of_crossplane = |group: &str| group.ends_with("crossplane.io") || group == "apiextensions.k8s.io";
    let foreign = |resource: &ApiResource| !of_crossplane(resource.group()) && !is_managed(resource);
    let rules = composing_rules(kinds, of_package, foreign);
    let name = format!("{}:aggregate-to-crossplane", names::configuration(package));
    (!rules.is_empty()).then(|| cluster_role(&name, &aggregated(), rules))
}

/// The rights to scale composites of one package, for people with the roles of Crossplane's chart. Its RBAC manager gives
/// these no rights to this subresource; the roles of autoscalers have rights to all of them. `None` when there are none.
pub(crate) fn scaling_role(kinds: &[Kind], package: &Package) -> Option<Value> {
    let scaled = |kind: &&Kind| kind.published.package.name == package.name && kind.published.scale.is_some();
    let rules = kinds.iter().filter(scaled).map(|kind| {
        let group = kind.api_version.split_once('/').map_or("", |(group, _)| group);
        let resource = format!("{}/scale", kind.plural);
        json!({"apiGroups": [group], "resources": [resource], "verbs": ["get", "update", "patch"]})
    });
    let rules: Vec<_> = rules.collect();
    let name = format!("{}:aggregate-to-edit", names::configuration(package));
    let labels =
        json!({"rbac.crossplane.io/aggregate-to-admin": "true", "rbac.crossplane.io/aggregate-to-edit": "true"});
    (!rules.is_empty()).then(|| cluster_role(&name, &labels, rules))
}

/// The rules for what `chosen` compose and look up, besides composites of any of `kinds`.
fn composing_rules<'k>(
    kinds: &[Kind],
    chosen: impl Iterator<Item = &'k Kind> + Clone,
    counts: impl Fn(&ApiResource) -> bool,
) -> Vec<Value> {
    let own = composites(kinds);
    let is_own = |it: &ApiResource| own.get(it.group()).is_some_and(|plurals| plurals.contains(it.plural));
    let counts = |it: &&ApiResource| !is_own(it) && counts(it);
    let composed: BTreeSet<_> = chosen.clone().flat_map(|kind| kind.composes).filter(counts).collect();
    let looked_up = chosen.clone().flat_map(|kind| kind.looks_up).filter(counts).filter(|it| !composed.contains(it));
    let looked_up: Vec<_> = looked_up.collect();
    let own = [rules(composed.iter().copied(), ALL), rules(looked_up.into_iter(), READ)].concat();
    let granted = granted(chosen, |kind| kind.composes, &own);
    [own, granted].concat()
}

fn aggregated() -> Value {
    json!({"rbac.crossplane.io/aggregate-to-crossplane": "true"})
}

/// Binds Crossplane itself to its role.
fn crossplane_binding() -> Value {
    role_binding("sailplane:crossplane", &crossplane_role_name(), "crossplane")
}

fn crossplane_role_name() -> String {
    format!("{}:aggregate-to-crossplane", names::package(names::CONFIGURATION))
}

/// The plural names of composites, by their group.
fn composites(kinds: &[Kind]) -> BTreeMap<&str, BTreeSet<&str>> {
    let mut plurals: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for kind in kinds {
        let further = kind.further_groups.iter().map(|group| group.api_version);
        for api_version in further.chain([kind.api_version]) {
            let group = api_version.split_once('/').map_or("", |(group, _)| group);
            plurals.entry(group).or_default().insert(kind.plural);
        }
    }
    plurals
}

/// What Crossplane does with composites: to own what is composed of them it also needs to set their finalizers.
fn composite_rules((group, plurals): (&str, BTreeSet<&str>)) -> [Value; 2] {
    let with = |subresource: &str| plurals.iter().map(|plural| format!("{plural}{subresource}")).collect::<Vec<_>>();
    let all = [with(""), with("/status")].concat();
    [
        json!({"apiGroups": [group], "resources": all, "verbs": ALL}),
        json!({"apiGroups": [group], "resources": with("/finalizers"), "verbs": ["update"]}),
    ]
}

fn cluster_role(name: &str, labels: &Value, rules: Vec<Value>) -> Value {
    let mut role = json!({
        "apiVersion": "rbac.authorization.k8s.io/v1",
        "kind": "ClusterRole",
        "metadata": {"name": name},
        "rules": rules,
    });
    if labels.as_object().is_some_and(|labels| !labels.is_empty()) {
        role["metadata"]["labels"] = labels.clone();
    }
    role
}

/// The verbs of a controller.
const ALL: &[&str] = &["get", "list", "watch", "create", "update", "patch", "delete"];
/// The verbs for reading.
const READ: &[&str] = &["get", "list", "watch"];

/// A rule for each API group.
fn rules<'k>(resources: impl Iterator<Item = &'k ApiResource>, verbs: &[&str]) -> Vec<Value> {
    let mut plurals: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for resource in resources {
        plurals.entry(resource.group()).or_default().insert(resource.plural);
    }
    let rule = |(group, plurals)| json!({"apiGroups": [group], "resources": plurals, "verbs": verbs});
    plurals.into_iter().map(rule).collect()
}

fn in_cluster() -> Value {
    provider_config("incluster", json!({"source": "InjectedIdentity"}))
}

fn remote(name: &str) -> Value {
    let secret = json!({"namespace": NAMESPACE, "name": name, "key": "kubeconfig"});
    provider_config(name, json!({"source": "Secret", "secretRef": secret}))
}

fn provider_config(name: &str, credentials: Value) -> Value {
    let spec = json!({"credentials": credentials});
    object("kubernetes.m.crossplane.io/v1alpha1", "ClusterProviderConfig", name, spec)
}

fn object(api_version: &str, kind: &str, name: &str, spec: Value) -> Value {
    json!({"apiVersion": api_version, "kind": kind, "metadata": {"name": name}, "spec": spec})
}
