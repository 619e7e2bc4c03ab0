//! The rights that documents name are those that the manifests grant.

use std::collections::BTreeSet;

use serde_json::Value;
use tests::documents;
use tests::real::installed;

/// How a row begins, the manifest that grants what stands in it, and what else is named there.
const ROWS: &[(&str, &str, &[&str])] = &[
    ("| webhooks |", "package/admission/base/rbac.yaml", &["--no-lookups"]),
    ("| Job for the certificate |", "package/admission/certificate-job/rbac.yaml", &[]),
];

#[test]
fn are_those_of_the_manifests() {
    let text = documents::read("docs/security.md").text;
    let (_, rights) = text.split_once("\n## Rights\n").expect("a section");
    for (begins, manifest, besides) in ROWS {
        let row = rights.lines().find(|line| line.starts_with(begins)).unwrap_or_else(|| panic!("no row {begins}"));
        let told: BTreeSet<_> = row.split('`').skip(1).step_by(2).filter(|it| !besides.contains(it)).collect();
        let objects = installed::read(manifest).expect("a manifest");
        let rules = objects.iter().flat_map(|object| object["rules"].as_array().into_iter().flatten());
        let lists = rules.flat_map(|rule| ["verbs", "resources", "resourceNames"].map(|key| &rule[key]));
        let granted: BTreeSet<_> = lists.filter_map(Value::as_array).flatten().filter_map(Value::as_str).collect();
        assert_eq!(told, granted, "{begins} and {manifest}");
    }
}
