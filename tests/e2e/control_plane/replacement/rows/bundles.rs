//! The definitions of others that v0.3.1 composes. Only they come from our code, which has them from the same releases.

use anyhow::{Result, bail};
use inference::vendored::{GATEWAY_API, INFERENCE_EXTENSION};
use serde_json::{Value, json};

/// The definitions of a bundle.
pub(crate) fn definitions(bundle: &str) -> Result<Vec<Value>> {
    match bundle {
        "gateway-api" => {
            let mut all = (GATEWAY_API.objects)().to_vec();
            // Ours leave out the status, which the release has.
            for definition in &mut all {
                let names = json!({"kind": "", "plural": ""});
                definition["status"] = json!({"acceptedNames": names, "conditions": null, "storedVersions": null});
            }
            Ok(all)
        }
        "gaie" => Ok((INFERENCE_EXTENSION.objects)().to_vec()),
        _ => bail!("no bundle is called {bundle}"),
    }
}
