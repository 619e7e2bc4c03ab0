//! `sailplane definitions`: prints the XRDs of the kinds that modules compose, or admission policies for their objects.

mod policies;

use std::time::Duration;

use anyhow::{Context as _, Result};
use serde_json::Value;

use super::{kinds, stdout};
use crate::modules::Modules;
use crate::wit::catalog::{Entry, Scope};

/// The deadline of a call for the catalog.
const TIMEOUT: Duration = Duration::from_secs(10);

/// Print CompositeResourceDefinitions
///
/// They are what Crossplane needs to know the kinds, and `crossplane render --xrd` to set their defaults.
#[derive(clap::Args, Debug)]
#[command(after_long_help = "\
Examples:
  Print every definition
    sailplane definitions
  Teach a cluster one kind
    sailplane definitions LLMInference | kubectl apply -f -
  Which kinds there are
    sailplane definitions --list
  Have its API server refuse what its expressions can tell to be wrong, without a webhook
    sailplane definitions --admission-policies | kubectl apply -f -")]
pub(super) struct DefinitionsArgs {
    /// Kind, plural name or short name, with `.GROUP` after it where groups share it; every kind when absent
    kind: Option<String>,

    /// Print the names of the kinds instead, a line each
    #[arg(long, conflicts_with = "admission_policies")]
    list: bool,

    /// Print ValidatingAdmissionPolicies and their bindings instead, with the rules that they cannot state as comments
    #[arg(long)]
    admission_policies: bool,

    #[command(flatten)]
    modules: Modules,
}

/// Prints them.
pub(super) fn run(args: &DefinitionsArgs) -> Result<bool> {
    let engine = args.modules.load(TIMEOUT)?;
    let entries = match &args.kind {
        Some(kind) => kinds::named(&engine, kind)?,
        None => engine.catalog().collect(),
    };
    if args.list {
        stdout::print(&list(&entries))?;
        return Ok(true);
    }
    for entry in entries {
        let text = if args.admission_policies {
            policies::print(entry)?
        } else {
            let definition: Value =
                serde_json::from_str(&entry.definition).context("a module has a definition that is no JSON")?;
            format!("---\n{}", yaml::to_string(&definition))
        };
        stdout::print(&text)?;
    }
    Ok(true)
}

/// A table: plural name with group, short names, API version, kind, and scope.
fn list(entries: &[&Entry]) -> String {
    let rows = entries.iter().map(|entry| {
        let scope = match entry.scope {
            Scope::Namespaced => "namespaced",
            Scope::Cluster => "cluster",
        };
        let short = entry.short_names.join(",");
        [kinds::full(entry), short, entry.kind.api_version.clone(), entry.kind.kind.clone(), scope.to_owned()]
    });
    let head = ["NAME", "SHORTNAMES", "APIVERSION", "KIND", "SCOPE"].map(str::to_owned);
    let rows: Vec<_> = std::iter::once(head).chain(rows).collect();
    let widths: [usize; 5] = std::array::from_fn(|column| rows.iter().map(|row| row[column].len()).max().unwrap_or(0));
    let line = |row: &[String; 5]| {
        let cells = row.iter().zip(widths).map(|(cell, width)| format!("{cell:width$}"));
        format!("{}\n", cells.collect::<Vec<_>>().join("   ").trim_end())
    };
    rows.iter().map(line).collect()
}
