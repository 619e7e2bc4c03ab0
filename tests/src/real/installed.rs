//! The objects that a cluster has at the start of a suite.

use anyhow::{Context as _, Result};
use inference::KINDS;
use schema::sources;
use serde_json::{Value, json};

use crate::base64::encode;
use crate::files::workspace;
use crate::golden::documents;

/// The CustomResourceDefinitions that Crossplane makes of all our kinds, in each of their groups.
pub fn definitions() -> Vec<Value> {
    KINDS.entries().iter().map(|entry| custom_resource(&entry.definition)).collect()
}

/// The CustomResourceDefinition that Crossplane makes of the CompositeResourceDefinition in a package.
pub fn definition(name: &str) -> Result<Value> {
    let definition = read(&format!("package/{name}/definition-{name}.yaml"))?.pop().context("an XRD")?;
    Ok(custom_resource(&definition))
}

fn custom_resource(definition: &Value) -> Value {
    let spec = &definition["spec"];
    let versions = sources::find("", definition).into_iter().zip(spec["versions"].as_array().into_iter().flatten());
    let versions: Vec<_> = versions
        .map(|(source, version)| {
            let mut subresources = json!({"status": {}});
            if let Some(scale) = version["subresources"].get("scale") {
                subresources["scale"] = scale.clone();
            }
            json!({
                "name": source.version,
                "served": true,
                "storage": true,
                "schema": {"openAPIV3Schema": source.schema},
                "subresources": subresources,
                "additionalPrinterColumns": version["additionalPrinterColumns"],
            })
        })
        .collect();
    json!({
        "apiVersion": "apiextensions.k8s.io/v1",
        "kind": "CustomResourceDefinition",
        "metadata": {"name": definition["metadata"]["name"]},
        "spec": {"group": spec["group"], "scope": spec["scope"], "names": spec["names"], "versions": versions},
    })
}

/// Both webhook configurations as they are shipped, but with webhooks at `port` of loopback and certificates of the
/// authority `ca`.
pub fn webhooks(port: u16, ca: &str) -> Result<Vec<Value>> {
    let mut configurations = read("package/admission/base/webhooks.yaml")?;
    for webhook in configurations.iter_mut().filter_map(|it| it["webhooks"].as_array_mut()).flatten() {
        let path = webhook["clientConfig"]["service"]["path"].as_str().context("a path")?;
        let url = format!("https://127.0.0.1:{port}{path}");
        webhook["clientConfig"] = json!({"url": url, "caBundle": encode(ca.as_bytes())});
    }
    Ok(configurations)
}

/// The documents of a file in the project.
pub fn read(file: &str) -> Result<Vec<Value>> {
    let text = std::fs::read_to_string(workspace().join(file)).with_context(|| format!("cannot read {file}"))?;
    Ok(documents(&text)?.into_iter().filter(|document| !document.is_null()).collect())
}
