//! What Crossplane has asked of the API server, as that wrote it down.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, File};
use std::io::{BufRead as _, BufReader};
use std::path::{Path, PathBuf};

use anyhow::Result;
use serde_json::{Value, json};

use crate::granted::Resource;

/// Whose requests are written down.
const USER: &str = "system:serviceaccount:crossplane-system:crossplane";

/// The arguments of an API server that writes down what Crossplane asks about `resources`, in the folder.
pub(crate) fn arguments(dir: &Path, resources: &BTreeSet<Resource>) -> Result<Vec<String>> {
    let resources: Vec<_> = resources.iter().map(|it| json!({"group": it.group, "resources": [it.plural]})).collect();
    let policy = json!({
        "apiVersion": "audit.k8s.io/v1",
        "kind": "Policy",
        // A watch ends late.
        "omitStages": ["RequestReceived"],
        "rules": [{"level": "Metadata", "users": [USER], "resources": resources}, {"level": "None"}],
    });
    let file = dir.join("audit-policy.json");
    fs::write(&file, policy.to_string())?;
    Ok(vec![format!("--audit-policy-file={}", file.display()), format!("--audit-log-path={}", log(dir).display())])
}

/// The verbs that Crossplane has used, by resource.
pub(crate) fn asked(dir: &Path) -> Result<BTreeMap<Resource, BTreeSet<String>>> {
    let mut asked: BTreeMap<_, BTreeSet<_>> = BTreeMap::new();
    for line in BufReader::new(File::open(log(dir))?).lines() {
        let event: Value = serde_json::from_str(&line?)?;
        let text = |path: &str| event.pointer(path).and_then(Value::as_str).unwrap_or_default().to_owned();
        if event["responseStatus"]["code"] != 403 {
            let resource = Resource { group: text("/objectRef/apiGroup"), plural: text("/objectRef/resource") };
            asked.entry(resource).or_default().insert(text("/verb"));
        }
    }
    Ok(asked)
}

fn log(dir: &Path) -> PathBuf {
    dir.join("audit.jsonl")
}
