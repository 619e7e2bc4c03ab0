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

/// As `sailplane definitions --admission-policies` prints them.
fn printed() -> String {
    let printed = tests::command::run(&["definitions", "--admission-policies"]);
    assert!(printed.ok, "{}", printed.err);
    format!("# Printed by `sailplane definitions --admission-policies`: run `make generate`.\n{}", printed.out)
}
