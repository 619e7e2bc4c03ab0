//! Prints the result of a check as JSON.

use anyhow::{Context as _, Result};
use serde_json::{Value, json};

use super::result::{CheckResult, rule};
use crate::problem;
use crate::wit::preview::{Checked, Diagnostic, Gravity};
use crate::wit::types::Edit;

/// A JSON object, as the command's help describes it.
pub(super) fn spell(result: &CheckResult) -> Result<Value> {
    let findings = result.diagnostics.iter().map(|diagnostic| finding(result, diagnostic));
    Ok(json!({
        "files": result.files,
        "errors": result.errors(),
        "warnings": result.warnings(),
        "unknown": result.unknown(),
        "objects": result.objects.iter().map(|checked| object(result, checked)).collect::<Vec<_>>(),
        "findings": findings.collect::<Result<Vec<_>>>()?,
    }))
}

fn object(result: &CheckResult, object: &Checked) -> Value {
    json!({
        "file": result.name(object.location),
        "document": object.location.document,
        "line": object.location.line,
        "apiVersion": object.kind.api_version,
        "kind": object.kind.kind,
        "namespace": object.namespace,
        "name": object.name,
        "checked": object.known,
    })
}

fn finding(result: &CheckResult, diagnostic: &Diagnostic) -> Result<Value> {
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
        finding["file"] = result.name(at).into();
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
