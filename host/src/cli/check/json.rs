//! What a check found, for programs.

use anyhow::{Context as _, Result};
use serde_json::{Value, json};

use super::found::{Found, rule};
use crate::problem;
use crate::wit::preview::{Checked, Diagnostic, Gravity};
use crate::wit::types::Edit;

/// One object, as the help describes it.
pub(super) fn spell(found: &Found) -> Result<Value> {
    let findings = found.diagnostics.iter().map(|diagnostic| finding(found, diagnostic));
    Ok(json!({
        "files": found.files,
        "errors": found.errors(),
        "warnings": found.warnings(),
        "unknown": found.unknown(),
        "objects": found.objects.iter().map(|checked| object(found, checked)).collect::<Vec<_>>(),
        "findings": findings.collect::<Result<Vec<_>>>()?,
    }))
}

fn object(found: &Found, object: &Checked) -> Value {
    json!({
        "file": found.name(object.location),
        "document": object.location.document,
        "line": object.location.line,
        "apiVersion": object.kind.api_version,
        "kind": object.kind.kind,
        "name": object.name,
        "checked": object.known,
    })
}

fn finding(found: &Found, diagnostic: &Diagnostic) -> Result<Value> {
    let problem = &diagnostic.problem;
    let severity = match diagnostic.gravity {
        Gravity::Error => "error",
        Gravity::Warning => "warning",
    };
    let mut finding = json!({"severity": severity, "code": rule(problem.code).1, "message": problem::line(problem)});
    if !problem.path.is_empty() {
        finding["path"] = problem.path.as_str().into();
    }
    if let Some(fix) = &problem.fix {
        finding["fix"] = match fix {
            Edit::Replace(value) => {
                let value: Value = serde_json::from_str(value).context("a module printed something that is no JSON")?;
                json!({ "replace": value })
            }
            Edit::Rename(key) => json!({ "rename": key }),
            Edit::Remove => json!({"remove": true}),
        };
    }
    if let Some(hint) = &problem.hint {
        finding["hint"] = hint.as_str().into();
    }
    if let Some(at) = diagnostic.location {
        finding["file"] = found.name(at).into();
        for (key, number) in [
            ("document", at.document),
            ("line", at.line),
            ("column", at.column),
            ("endLine", at.end_line),
            ("endColumn", at.end_column),
        ] {
            finding[key] = number.into();
        }
    }
    Ok(finding)
}
