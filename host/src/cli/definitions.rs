//! `sailplane definitions`: the XRDs of the kinds that modules compose, and policies that judge their objects.

mod policies;

use std::time::Duration;

use anyhow::{Context as _, Result, bail};
use serde_json::Value;

use super::stdout;
use crate::modules::Modules;

/// Longest that a module may take to describe itself.
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
  Have its API server refuse what its expressions can tell to be wrong, without a webhook
    sailplane definitions --admission-policies | kubectl apply -f -")]
pub(super) struct Args {
    /// Kind, or plural name; every kind when absent
    kind: Option<String>,

    /// Print ValidatingAdmissionPolicies and their bindings instead, with the rules that they cannot state as comments
    #[arg(long)]
    admission_policies: bool,

    #[command(flatten)]
    modules: Modules,
}

/// Prints them.
pub(super) fn run(args: &Args) -> Result<bool> {
    let engine = args.modules.load(TIMEOUT)?;
    let wanted = |kind: &str, plural: &str| {
        args.kind.as_ref().is_none_or(|wanted| wanted.eq_ignore_ascii_case(kind) || wanted.eq_ignore_ascii_case(plural))
    };
    let entries: Vec<_> = engine.catalog().filter(|entry| wanted(&entry.kind.kind, &entry.plural)).collect();
    if let (Some(kind), []) = (&args.kind, entries.as_slice()) {
        let known: Vec<_> = engine.catalog().map(|entry| entry.kind.kind.as_str()).collect();
        bail!("no kind `{kind}`; known are {}", known.join(", "));
    }
    for entry in entries {
        let text = match args.admission_policies {
            true => policies::print(entry)?,
            false => {
                let definition: Value =
                    serde_json::from_str(&entry.definition).context("a module has a definition that is no JSON")?;
                format!("---\n{}", yaml::to_string(&definition))
            }
        };
        stdout::print(&text)?;
    }
    Ok(true)
}
