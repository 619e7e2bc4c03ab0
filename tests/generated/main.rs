//! Generated files: `package/`, from types and rows, and the reference pages in `docs/`, from tables.
//!
//! `make generate` writes them. Without `BLESS` in the environment, these tests fail when a file is stale.

#![expect(clippy::expect_used, reason = "a test that cannot go on fails")]

mod admission;
mod backstage;
mod files;
mod function;
mod gitops;
mod gpu_cluster;
mod inference_model;
mod install;
mod llm_inference;
mod modelplane;
mod monitoring;
mod names;
mod packages;
mod pods;
mod reference;
mod rows;
mod schema;
mod table;
mod tenants;

use std::collections::{BTreeMap, BTreeSet};

use files::File;
use inference::KINDS;
use inference::providers::{KUBERNETES, releases};
use serde_json::{Value, json};
use toolbox::published::Package;

/// All generated files.
fn generated() -> Vec<File> {
    let mut files = packages::files(KINDS.rows);
    files.extend(function::files());
    files.extend(install::files(KINDS.rows));
    files.extend(tenants::files(KINDS.rows));
    files.extend(gitops::files(KINDS.rows));
    files.extend(admission::files(KINDS.rows));
    files.extend(monitoring::files());
    files.extend(reference::files(KINDS.rows));
    files.extend(backstage::files(KINDS.rows));
    files
}

#[test]
fn is_current() {
    files::check("package", &generated());
}

/// Crossplane derives the name of a Function that it installs for a Configuration from the repository of the dependency.
/// The Compositions in that Configuration must call the Function by this name.
/// A preview without a Composition runs the steps of ours.
#[test]
fn what_follows_the_step_of_a_kind_is_in_its_compositions() {
    for kind in KINDS.rows {
        for composition in packages::compositions(kind, kind.api_version) {
            let steps = composition["spec"]["pipeline"].as_array().map_or(&[][..], Vec::as_slice);
            let further: Vec<_> = steps.iter().skip(1).map(|step| (&step["step"], &step["input"]["kind"])).collect();
            let following: Vec<_> = kind.followed_by.iter().map(|it| (json!(it.name), json!(it.input.kind))).collect();
            let following: Vec<_> = following.iter().map(|(name, input)| (name, input)).collect();
            assert_eq!(further, following, "{}", kind.kind);
        }
    }
}

#[test]
fn compositions_name_the_function_as_crossplane_does() {
    for (package, served) in packages::packages(KINDS.rows) {
        let metadata = packages::metadata(package);
        let dependencies = metadata["spec"]["dependsOn"].as_array().expect("a list");
        let function = dependencies.iter().find(|d| d["kind"] == "Function").expect("a Function");
        let installed = names::of_dependency(function["package"].as_str().expect("a package"));
        assert!(!served.is_empty());
        for composition in served.iter().flat_map(|(kind, api_version)| packages::compositions(kind, api_version)) {
            for step in composition["spec"]["pipeline"].as_array().expect("a pipeline") {
                assert_eq!(step["functionRef"]["name"], installed, "{}", composition["metadata"]["name"]);
            }
        }
    }
}

/// An old Configuration never gets a newer Function, Configuration or Provider that may break it.
#[test]
fn dependencies_have_an_upper_bound() {
    let own = packages::packages(KINDS.rows).into_iter().map(|(package, _)| packages::metadata(package));
    for metadata in own.chain([packages::metadata_of_all(KINDS.rows)]) {
        for dependency in metadata["spec"]["dependsOn"].as_array().expect("a list") {
            let version = dependency["version"].as_str().expect("text");
            let (from, below) = version.split_once(", ").unwrap_or_else(|| panic!("{dependency}"));
            assert!(from.starts_with(">=v") && below.starts_with("<v"), "{dependency}");
        }
    }
}

/// Not everybody has cloud providers, so who installs all APIs gets provider-kubernetes and no other one.
#[test]
fn the_package_of_all_brings_no_cloud_provider() {
    let all = packages::metadata_of_all(KINDS.rows);
    let named = |package: &Package| {
        let reference = names::reference(&names::repository(package));
        all["spec"]["dependsOn"].as_array().expect("a list").iter().any(|it| it["package"] == *reference)
    };
    let packages: Vec<_> = packages::packages(KINDS.rows).into_iter().map(|(package, _)| package).collect();
    let brought = packages.iter().filter(|package| named(package)).flat_map(|package| package.dependencies);
    assert_eq!(brought.map(|it| it.package).collect::<BTreeSet<_>>(), BTreeSet::from([KUBERNETES.package]));
    let others: Vec<_> = packages.iter().filter(|package| !named(package)).map(|package| package.name).collect();
    assert_eq!(others, ["gpu-cluster", "gpu-cluster-devopstoolkit", "modelplane"]);
    // Each release is of a provider that a package needs.
    let needed: BTreeSet<_> = packages.iter().flat_map(|package| package.dependencies).map(|it| it.package).collect();
    assert!(releases().all(|release| needed.contains(release.provider.package)), "{needed:?}");
}

/// A mirror has what packages depend on too, in a version that goes with them.
#[test]
fn images_have_every_dependency() {
    let list = install::files(KINDS.rows).into_iter().find(|file| file.path.ends_with("/images.txt")).expect("a list");
    let listed: BTreeMap<_, _> = list.text.lines().filter_map(|line| line.rsplit_once(':')).collect();
    let version = |text: &str| -> Vec<u64> {
        text.split('.').map(|part| part.parse().unwrap_or_else(|_| panic!("{text}"))).collect()
    };
    let own = packages::packages(KINDS.rows).into_iter().map(|(package, _)| packages::metadata(package));
    for metadata in own.chain([packages::metadata_of_all(KINDS.rows)]) {
        for dependency in metadata["spec"]["dependsOn"].as_array().expect("a list") {
            let tag =
                listed.get(dependency["package"].as_str().expect("text")).unwrap_or_else(|| panic!("{dependency}"));
            let (from, below) = dependency["version"].as_str().and_then(|it| it.split_once(", ")).expect("two bounds");
            let [from, tag, below] = [(from, ">=v"), (*tag, "v"), (below, "<v")]
                .map(|(text, sign)| version(text.strip_prefix(sign).expect(sign)));
            assert!(from <= tag && tag < below, "{dependency}: {tag:?}");
        }
    }
}

/// A definition takes over a CRD of its name that has no owner, so the package for all APIs contains no definition.
#[test]
fn the_package_of_all_holds_dependencies_alone() {
    let folder = format!("package/{}/", names::package(names::CONFIGURATION));
    let held: Vec<_> = packages::files(KINDS.rows).into_iter().filter(|file| file.path.starts_with(&folder)).collect();
    let names: Vec<_> = held.iter().map(|file| &file.path[folder.len()..]).collect();
    assert_eq!(names, ["crossplane.yaml"]);
}

/// The ServiceAccount of the serving pods is bound to rights to read, and to none of them for Secrets. A patch file has one document:
/// the Kustomize of kubectl 1.32 ends with a panic when there are more.
#[test]
fn serving_pods_write_nothing() {
    let files = admission::files(KINDS.rows);
    let objects: Vec<_> = files.iter().flat_map(|file| tests::golden::documents(&file.text).expect("YAML")).collect();
    let of_kind = |kind: &'static str| objects.iter().filter(move |object| object["kind"] == kind);
    let serving: Vec<_> =
        of_kind("Deployment").map(|it| &it["spec"]["template"]["spec"]["serviceAccountName"]).collect();
    assert!(!serving.is_empty());
    let bindings = of_kind("ClusterRoleBinding").chain(of_kind("RoleBinding"));
    let bound =
        bindings.filter(|it| it["subjects"].as_array().into_iter().flatten().any(|it| serving.contains(&&it["name"])));
    let roles: Vec<_> = bound.map(|binding| (&binding["roleRef"]["kind"], &binding["roleRef"]["name"])).collect();
    assert!(!roles.is_empty());
    for role in objects.iter().filter(|object| roles.contains(&(&object["kind"], &object["metadata"]["name"]))) {
        for rule in role["rules"].as_array().into_iter().flatten() {
            assert_eq!(rule["verbs"], json!(["get", "list", "watch"]), "{role}");
            // Nor those of everything, which would have them too.
            let of_core = rule["apiGroups"].as_array().expect("a list").iter().any(|it| it == "" || it == "*");
            let resources = rule["resources"].as_array().expect("a list");
            let secret = resources.iter().any(|it| it == "secrets" || it == "*");
            assert!(!(of_core && secret), "{role}");
        }
    }
    for patch in objects.iter().flat_map(|object| object["patches"].as_array().into_iter().flatten()) {
        let path = patch["path"].as_str().expect("a file");
        let file =
            files.iter().find(|file| file.path.ends_with(&format!("/cert-manager/{path}"))).expect("it is there");
        assert!(!file.text.contains("\n---\n"), "{path} has several documents");
    }
}

/// Nothing is granted for what a kind creates on clusters of its own only: the kubeconfigs of these have rights there.
#[test]
fn clusters_of_our_own_need_no_rights() {
    let role = install::targets_role(KINDS.rows);
    let rules = role["rules"].as_array().expect("a list");
    let has =
        |key: &str, rule: &Value, text: &str| rule[key].as_array().is_some_and(|it| it.iter().any(|it| it == text));
    let on_targets: BTreeSet<_> =
        KINDS.rows.iter().flat_map(|kind| kind.wraps).map(|it| (it.group(), it.plural)).collect();
    let mut looked_at = 0;
    for resource in KINDS.rows.iter().flat_map(|kind| kind.wraps_on_own) {
        let (group, plural) = (resource.group(), resource.plural);
        if !on_targets.contains(&(group, plural)) {
            let granted = rules.iter().find(|rule| has("apiGroups", rule, group) && has("resources", rule, plural));
            assert_eq!(granted, None, "{plural}.{group}");
            looked_at += 1;
        }
    }
    assert!(looked_at > 0, "no kind makes clusters");
}

/// Who creates a Role must have the rights in it: provider-kubernetes those in the Roles that we wrap for targets, and Crossplane
/// those in the Roles that we compose. What is wrapped for a cluster that the composite itself makes is created with the kubeconfig
/// of that cluster.
#[test]
fn who_creates_roles_may_grant_what_they_grant() {
    let texts = |rule: &Value, key: &str| -> Vec<String> {
        rule[key].as_array().into_iter().flatten().map(|it| it.as_str().expect("text").to_owned()).collect()
    };
    let rights = |role: &Value| -> BTreeSet<[String; 3]> {
        let mut rights = BTreeSet::new();
        for rule in role["rules"].as_array().into_iter().flatten() {
            let resources = texts(rule, "apiGroups")
                .into_iter()
                .flat_map(|group| texts(rule, "resources").into_iter().map(move |name| [group.clone(), name]));
            let paths = texts(rule, "nonResourceURLs").into_iter().map(|path| [String::new(), path]);
            for [group, name] in resources.chain(paths).collect::<Vec<_>>() {
                rights.extend(texts(rule, "verbs").into_iter().map(|verb| [group.clone(), name.clone(), verb]));
            }
        }
        rights
    };
    let provider = rights(&install::targets_role(KINDS.rows));
    let crossplane = rights(&install::crossplane_role(KINDS.rows));
    let is_role = |object: &Value| object["kind"] == "Role" || object["kind"] == "ClusterRole";
    let mut roles = [0, 0];
    for case in tests::golden::cases().expect("a readable corpus") {
        let composed = module::compose(&case.request).map(|response| response.resources).unwrap_or_default();
        let objects = || composed.values().map(|desired| &desired.object);
        let is_config = |it: &&Value| it["kind"] == "ProviderConfig" && it["apiVersion"] == PROVIDER_CONFIGS;
        let own: Vec<_> = objects().filter(is_config).map(|it| &it["metadata"]["name"]).collect();
        let is_on_own = |object: &&Value| {
            let to = &object["spec"]["providerConfigRef"];
            to["kind"] == "ProviderConfig" && own.contains(&&to["name"])
        };
        for object in objects().filter(|it| !is_on_own(it)) {
            // A namespaced composite cannot compose what is cluster-scoped, so Crossplane has no rights for that.
            let by_crossplane = (object["kind"] == "Role").then_some((object, &crossplane, 0));
            let wrapped = &object["spec"]["forProvider"]["manifest"];
            let by_provider = is_role(wrapped).then_some((wrapped, &provider, 1));
            for (role, granted, who) in by_crossplane.into_iter().chain(by_provider) {
                let wanted = rights(role);
                let missing: Vec<_> = wanted.difference(granted).collect();
                assert!(missing.is_empty(), "{}: {missing:?}", case.name);
                roles[who] += 1;
            }
        }
    }
    assert!(!roles.contains(&0), "a sort of Role is composed by no case: {roles:?}");
}

/// Group and version of the configurations of provider-kubernetes.
const PROVIDER_CONFIGS: &str = "kubernetes.m.crossplane.io/v1alpha1";

/// The webhooks may read the kinds that `admit` looks up according to the catalog, and nothing else.
#[test]
fn rights_are_those_of_the_catalog() {
    let reads = module::catalog().kinds.into_iter().flat_map(|entry| entry.admission.reads);
    let reads: BTreeSet<_> = reads
        .map(|read| (read.api_version.rsplit_once('/').map_or("", |it| it.0).to_owned(), read.plural.to_owned()))
        .collect();
    let mut granted = BTreeSet::new();
    for rule in admission::reader_rules(KINDS.rows) {
        let texts = |key: &str| -> Vec<String> {
            rule[key].as_array().expect("a list").iter().map(|it| it.as_str().expect("text").to_owned()).collect()
        };
        assert_eq!(texts("verbs"), ["get", "list", "watch"]);
        for group in texts("apiGroups") {
            granted.extend(texts("resources").into_iter().map(|plural| (group.clone(), plural)));
        }
    }
    assert_eq!(granted, reads);
    assert!(!granted.is_empty());
}
