//! What Crossplane has asked of the API server, as that wrote it down.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, File};
use std::io::{BufRead as _, BufReader};
use std::path::{Path, PathBuf};

use anyhow::Result;
use serde_json::{Value, json};
use tests::real::access::name_of;

/// Whose requests are written down.
const USER: &str = "system:serviceaccount:crossplane-system:crossplane";

/// The arguments of an API server that writes down what Crossplane asks about `resources`, in the folder. They are named
/// `PLURAL.GROUP`.
pub(crate) fn arguments(dir: &Path, resources: &BTreeSet<String>) -> Result<Vec<String>> {
    let resources = resources.iter().map(|name| {
        let (plural, group) = name.split_once('.').unwrap_or((name, ""));
        json!({"group": group, "resources": [plural]})
    });
    let resources: Vec<_> = resources.collect();
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

/// The verbs that Crossplane has used, by resource, `PLURAL.GROUP`.
pub(crate) fn asked(dir: &Path) -> Result<BTreeMap<String, BTreeSet<String>>> {
    let mut asked: BTreeMap<_, BTreeSet<_>> = BTreeMap::new();
    for line in BufReader::new(File::open(log(dir))?).lines() {
        let event: Value = serde_json::from_str(&line?)?;
        let text = |path: &str| event.pointer(path).and_then(Value::as_str).unwrap_or_default();
        if event["responseStatus"]["code"] != 403 {
            let resource = name_of(text("/objectRef/resource"), text("/objectRef/apiGroup"));
            asked.entry(resource).or_default().insert(text("/verb").to_owned());
        }
    }
    Ok(asked)
}

fn log(dir: &Path) -> PathBuf {
    dir.join("audit.jsonl")
}
