//! `package/install/tenants.yaml`: policies that keep the provider configurations of tenants apart.
//!
//! The policy for composites answers at once. The one for managed resources is what counts: a provider acts on nothing
//! else, whoever composed it.

use std::collections::{BTreeMap, BTreeSet};

use contract::catalog::ApiResource;
use serde_json::{Value, json};
use toolbox::kind::Kind;
use toolbox::published::is_managed;

use crate::files::File;

/// The annotation of a namespace with the names of the ClusterProviderConfigs that it may use.
const ANNOTATION: &str = "sailplane.fn.crossplane.io/provider-configs";

const COMMENT: &str = "\
A namespace may use the ClusterProviderConfigs in its annotation sailplane.fn.crossplane.io/provider-configs, e.g.
`team-a,shared`, and no others; `*` allows all. It may always use its own ProviderConfigs. Only users who may create
ClusterProviderConfigs can write those. An object that already names a configuration may keep it.";

/// The file.
pub(crate) fn files(kinds: &[Kind]) -> Vec<File> {
    let in_composites = Reference { name: "spec.providerConfigName", kind: "spec.?providerConfigKind" };
    let in_managed = Reference { name: "spec.providerConfigRef.name", kind: "spec.providerConfigRef.?kind" };
    let objects = [
        in_composites.policy("composites", composites(kinds)),
        in_managed.policy("managed-resources", of_providers(kinds, "*")),
        configurations(of_providers(kinds, "providerconfigs")),
    ];
    vec![File::yaml("package/install/tenants.yaml", COMMENT, &objects.concat())]
}

/// Where an object names a provider configuration.
struct Reference {
    /// The path of its name.
    name: &'static str,
    /// The path of its kind, which may be absent.
    kind: &'static str,
}

impl Reference {
    /// The policy for objects that name a configuration. Only a new name is judged, so that what runs can go on.
    fn policy(&self, what: &str, rules: Vec<Value>) -> [Value; 2] {
        let Self { name, kind } = self;
        let kind_of = |object: &str| format!("{object}.{kind}.orValue('ClusterProviderConfig')");
        let allowed = format!("namespaceObject.metadata.?annotations[?'{ANNOTATION}'].orValue('')");
        let unchanged = format!(
            "request.operation == 'UPDATE' && variables.name == oldObject.{name} && variables.kind == {}",
            kind_of("oldObject"),
        );
        let listed =
            "variables.kind == 'ProviderConfig' || '*' in variables.allowed || variables.name in variables.allowed";
        let says = format!(
            "'{name}: namespace `' + namespaceObject.metadata.name + '` may not use ' + variables.kind + ' `' + \
             variables.name + '`: the annotation {ANNOTATION} of the namespace lists what it may use'"
        );
        let spec = json!({
            // Not every kind of a provider names a configuration.
            "matchConditions": [{
                "name": "names-a-configuration",
                "expression": format!("object.?{}.hasValue()", name.replace('.', ".?")),
            }],
            "variables": [
                {"name": "name", "expression": format!("object.{name}")},
                {"name": "kind", "expression": kind_of("object")},
                {"name": "allowed", "expression": format!("{allowed}.split(',').map(name, name.trim())")},
            ],
            "validations": [validation(&format!("{unchanged} || {listed}"), &says)],
        });
        policy(what, rules, spec)
    }
}

/// The policy for the configurations of namespaces. Such a configuration can name the Secrets of all namespaces and the
/// identity of the provider itself.
fn configurations(rules: Vec<Value>) -> [Value; 2] {
    let trusted =
        "authorizer.group(request.resource.group).resource('clusterproviderconfigs').check('create').allowed()";
    let unchanged = "request.operation == 'UPDATE' && object.spec == oldObject.spec";
    let says = "'only who may create ClusterProviderConfigs may write a ProviderConfig: it can name any credentials'";
    policy("provider-configs", rules, json!({"validations": [validation(&format!("{unchanged} || {trusted}"), says)]}))
}

fn validation(holds: &str, says: &str) -> Value {
    json!({"expression": holds, "messageExpression": says, "reason": "Forbidden"})
}

/// A policy for the objects of `rules`, and its binding to all namespaces.
fn policy(what: &str, rules: Vec<Value>, mut spec: Value) -> [Value; 2] {
    let name = format!("sailplane-tenants-{what}");
    spec["failurePolicy"] = "Fail".into();
    spec["matchConstraints"] = json!({"matchPolicy": "Equivalent", "resourceRules": rules});
    let object = |kind: &str, spec: Value| {
        json!({
            "apiVersion": "admissionregistration.k8s.io/v1",
            "kind": kind,
            "metadata": {"name": name},
            "spec": spec,
        })
    };
    let binding = json!({"policyName": name, "validationActions": ["Deny"]});
    [object("ValidatingAdmissionPolicy", spec), object("ValidatingAdmissionPolicyBinding", binding)]
}

/// Composites that name a provider configuration.
fn composites(kinds: &[Kind]) -> Vec<Value> {
    let mut plurals: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for kind in kinds.iter().filter(|kind| names_configuration(kind)) {
        for api_version in kind.api_versions() {
            plurals.entry(api_version).or_default().insert(kind.plural);
        }
    }
    let rule = |(api_version, plurals): (&str, BTreeSet<&str>)| {
        let (group, version) = api_version.split_once('/').expect("a group and a version");
        rule(group, version, &plurals.into_iter().collect::<Vec<_>>())
    };
    plurals.into_iter().map(rule).collect()
}

fn names_configuration(kind: &Kind) -> bool {
    let field = "/spec/versions/0/schema/openAPIV3Schema/properties/spec/properties/providerConfigName";
    (kind.definition)().document().pointer(field).is_some()
}

/// Resources of the providers whose managed resources are composed.
fn of_providers(kinds: &[Kind], resource: &str) -> Vec<Value> {
    let managed = kinds.iter().flat_map(|kind| kind.composes).filter(|resource| is_managed(resource));
    let groups: BTreeSet<_> = managed.map(ApiResource::group).collect();
    groups.into_iter().map(|group| rule(group, "*", &[resource])).collect()
}

fn rule(group: &str, version: &str, resources: &[&str]) -> Value {
    json!({
        "apiGroups": [group],
        "apiVersions": [version],
        "operations": ["CREATE", "UPDATE"],
        "resources": resources,
        "scope": "Namespaced",
    })
}
