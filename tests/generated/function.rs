//! The Function package: its metadata, and the definition of its input.

use serde_json::{Value, json};

use crate::files::File;
use crate::packages::annotations;
use crate::{names, yaml};

const FOLDER: &str = "package/function";

/// Its files.
pub(crate) fn files() -> Vec<File> {
    let comment =
        "Crossplane never installs this: it is for editors and readers. The Function validates its input itself.";
    vec![
        File::new(format!("{FOLDER}/crossplane.yaml"), yaml::file("", &[metadata()])),
        File::new(format!("{FOLDER}/input/options.yaml"), yaml::file(comment, &[inference::options::generated()])),
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
        "spec": {"capabilities": ["composition"], "crossplane": {"version": names::CROSSPLANE}},
    })
}
