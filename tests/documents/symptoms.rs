//! Texts that docs/troubleshooting.md says people see are texts that something prints.

use std::fs;
use std::path::Path;

use tests::documents;
use tests::files::workspace;

use crate::none_wrong;

const PAGE: &str = "docs/troubleshooting.md";

/// Where our own texts are.
const SOURCES: &[&str] = &["host/src", "crates"];

/// What is no text that is printed, or is printed by something that no transcript shows.
const OTHERS: &[(&str, &str)] = &[
    ("SYNCED", "a column of kubectl"),
    ("401", "a status of HTTP"),
    ("403", "a status of HTTP"),
    ("False", "a status of a condition"),
    ("True", "a status of a condition"),
    ("Pending", "a phase of a pod"),
    ("Terminating", "a phase of a namespace"),
    ("Object", "a kind"),
    ("VLLMRuntime", "a kind"),
    ("/readyz", "a path"),
    ("sailplane-admission-tls", "the name of a Secret"),
    ("no matches for kind", "Kubernetes, in k8s.io/apimachinery/pkg/api/meta/errors.go"),
    ("missing dependencies", "Crossplane, in internal/controller/pkg/revision/dependency.go"),
    ("cannot unpack package", "Crossplane, in internal/controller/pkg/manager/reconciler.go"),
    ("cannot establish control of object", "Crossplane, in internal/controller/pkg/revision/reconciler.go"),
    ("failed calling webhook", "Kubernetes, in k8s.io/apiserver/pkg/admission/plugin/webhook/errors/statuserror.go"),
];

#[test]
fn are_printed() {
    let page = documents::read(PAGE);
    let transcripts: String = page.blocks.iter().filter(|it| it.language == "console").map(|it| &*it.text).collect();
    let sources: String = SOURCES.iter().map(|folder| read(&workspace().join(folder))).collect();
    let (_, tables) = page.text.split_once("\n## ").expect("sections");
    let rows = tables.lines().filter(|line| line.starts_with("| "));
    let first_cells = rows.filter_map(|line| line.split(" | ").next());
    let shown = first_cells.flat_map(|cell| cell.split('`').skip(1).step_by(2));
    let is_printed = |text: &str| {
        let mut parts = text.split('…').map(str::trim).filter(|part| !part.is_empty());
        parts.all(|part| transcripts.contains(part) || sources.contains(part))
    };
    let (mut wrong, mut checked) = (Vec::new(), 0);
    for text in shown.filter(|text| OTHERS.iter().all(|(other, _)| other != text)) {
        checked += 1;
        if !is_printed(text) {
            wrong.push(format!("{PAGE}: nothing prints `{text}`"));
        }
    }
    none_wrong(&wrong);
    assert!(checked > 10, "{checked}");
}

/// The Rust sources below a folder.
fn read(folder: &Path) -> String {
    let mut text = String::new();
    for entry in fs::read_dir(folder).into_iter().flatten() {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            text += &read(&path);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            text += &fs::read_to_string(&path).expect("a text");
        }
    }
    text
}
