//! The ValidatingAdmissionPolicies, which may take the place of the webhooks.

use serde_json::json;

use super::common::{FOLDER, kustomize, labels};
use super::parameters;
use crate::files::File;

const COMMENT: &str = "Not for itself: `package/admission-policies` writes the parameters into it.";

const OVERLAY_COMMENT: &str = "\
Policies in the place of the webhooks: kubectl apply -k package/admission-policies
Change the parameter here, or in an overlay of your own.";

/// The policies, what Kustomize needs to write a parameter into them, and the overlay that does it.
pub(super) fn files() -> Vec<File> {
    let base = json!({
        "resources": ["policies.yaml", "parameters.yaml"],
        // The parameters find the objects by their labels.
        "labels": [{"pairs": labels()}],
    });
    let overlay = json!({
        "resources": ["../admission/policies"],
        "components": ["../admission/parameters"],
        "configMapGenerator": [parameters::generator(&["crossplaneNamespace"])],
    });
    vec![
        File::new(format!("{FOLDER}/policies/policies.yaml"), printed()),
        parameters::defaults(&format!("{FOLDER}/policies")),
        File::yaml(format!("{FOLDER}/policies/kustomization.yaml"), COMMENT, &[kustomize("Kustomization", base)]),
        File::yaml(
            format!("{FOLDER}-policies/kustomization.yaml"),
            OVERLAY_COMMENT,
            &[kustomize("Kustomization", overlay)],
        ),
    ]
}

/// The names of the bindings for objects of the whole cluster, which select no namespaces.
pub(super) fn bindings_of_cluster_scope() -> Vec<String> {
    let printed = tests::golden::documents(&printed()).expect("the policies are YAML");
    let bindings = printed.into_iter().filter(|it| it["kind"] == "ValidatingAdmissionPolicyBinding");
    let of_cluster_scope = bindings.filter(|binding| binding["spec"].get("matchResources").is_none());
    of_cluster_scope.map(|binding| binding["metadata"]["name"].as_str().unwrap_or_default().to_owned()).collect()
}

/// As `sailplane definitions --admission-policies` prints them.
fn printed() -> String {
    let printed = tests::command::run(&["definitions", "--admission-policies"]);
    assert!(printed.ok, "{}", printed.err);
    format!("# Printed by `sailplane definitions --admission-policies`: run `make generate`.\n{}", printed.out)
}
