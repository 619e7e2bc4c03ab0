//! The Function package: its metadata, and the definitions of its inputs.

use serde_json::{Value, json};

use crate::files::File;
use crate::names;
use crate::packages::annotations;

const FOLDER: &str = "package/function";

/// The files of the package.
pub(crate) fn files() -> Vec<File> {
    let comment =
        "Crossplane never installs this: it is for editors and readers. The Function validates its input itself.";
    vec![
        File::yaml(format!("{FOLDER}/crossplane.yaml"), "", &[metadata()]),
        File::yaml(format!("{FOLDER}/input/options.yaml"), comment, &[inference::options::generated()]),
        File::yaml(
            format!("{FOLDER}/input/samples.yaml"),
            comment,
            &[inference::inference_model::samples::generated()],
        ),
        File::yaml(format!("{FOLDER}/input/usages.yaml"), comment, &[inference::modelplane::usages::generated()]),
    ]
}

fn metadata() -> Value {
    json!({
        "apiVersion": "meta.pkg.crossplane.io/v1",
        "kind": "Function",
        "metadata": {
            "name": names::package(names::FUNCTION),
            "annotations": annotations(
                "Composes LLM inference platforms",
                "Composes the kinds of the Configuration `sailplane`, which installs it by itself.",
            ),
        },
        "spec": {"capabilities": ["composition", "operation"], "crossplane": {"version": names::CROSSPLANE}},
    })
}
