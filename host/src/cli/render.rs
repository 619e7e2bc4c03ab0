//! `sailplane render`: prints what `crossplane render` prints, without Docker, cluster or network.

mod dialect;

use std::path::PathBuf;
use std::time::Duration;

use anyhow::{Context as _, Result};
use serde_json::Value;

use super::cluster::text;
use super::preview::{Composite, Preview, Subjects};
use super::{files, report, stdout, tree};
use crate::engine::Engine;
use crate::foreign::visible;
use crate::modules::Modules;

/// Render what composites compose
///
/// Prints what `crossplane render` prints for the same composite through the same function: the composite,
/// then what it composes, with names, labels and owner references. Takes the same arguments and flags, so
/// scripts and golden files stay as they are. Composites are validated as an API server would; the exit code is 1
/// when one is invalid. What admission webhooks would warn of or refuse is a warning here.
#[derive(clap::Args, Debug)]
#[command(after_long_help = "\
Examples:
  Render a composite
    sailplane render llm.yaml
  Render every composite of a folder as its platform composes it, and show which resources there are
    sailplane render llms/ composition.yaml functions.yaml --output tree
  Render from standard input, with resources that exist already
    kubectl get llminference qwen -o yaml | sailplane render - --observed-resources observed.yaml
  Print what will be on the target cluster
    sailplane render llm.yaml --output manifests")]
pub(super) struct RenderArgs {
    /// How to print
    #[arg(long, value_name = "FORMAT", default_value = "yaml")]
    output: RenderFormat,

    /// Print what the function said too, as resources of kind Result
    #[arg(short = 'r', long)]
    include_function_results: bool,

    /// Print the whole composite, not only its status
    #[arg(short = 'x', long, alias = "include-full-XR")]
    include_full_xr: bool,

    /// Print the pipeline's context too, as a resource of kind Context
    #[arg(short = 'c', long)]
    include_context: bool,

    /// CompositeResourceDefinition of the composite. The built-in one is used; a difference is reported
    #[arg(long, value_name = "PATH")]
    xrd: Option<PathBuf>,

    /// Longest that a preview may take, e.g. `30s` or `1m`
    #[arg(long, value_name = "DURATION", default_value = "1m", value_parser = duration)]
    timeout: Duration,

    #[command(flatten)]
    subjects: Subjects,

    #[command(flatten)]
    ignored: Ignored,

    #[command(flatten)]
    modules: Modules,
}

#[derive(Clone, Copy, Debug, clap::ValueEnum)]
enum RenderFormat {
    /// YAML documents, as `crossplane render` prints them
    Yaml,
    /// A JSON array of the same documents
    Json,
    /// What belongs to what, for people
    Tree,
    /// The objects on the target clusters, as YAML documents for kubectl and other tools
    Manifests,
}

/// Flags of `crossplane render` about engines, containers and projects. They have no effect here.
#[derive(clap::Args, Debug)]
#[command(next_help_heading = "Accepted for crossplane render's sake, without effect")]
struct Ignored {
    #[arg(long, value_name = "VERSION")]
    crossplane_version: Option<String>,
    #[arg(long, value_name = "IMAGE")]
    crossplane_image: Option<String>,
    #[arg(long, value_name = "PATH")]
    crossplane_binary: Option<PathBuf>,
    #[arg(long, value_name = "NETWORK")]
    crossplane_docker_network: Option<String>,
    #[arg(short = 'a', long, value_name = "KEY=VALUE")]
    function_annotations: Vec<String>,
    #[arg(long, value_name = "DIR")]
    cache_dir: Option<PathBuf>,
    #[arg(long, value_name = "COUNT")]
    max_concurrency: Option<u32>,
    #[arg(long, value_name = "PATH")]
    project_file: Option<PathBuf>,
    #[arg(long, value_name = "PATH")]
    config: Option<PathBuf>,
    #[arg(long)]
    verbose: bool,
}

/// Renders. Returns false when there are errors.
pub(super) fn run(mut args: RenderArgs) -> Result<bool> {
    args.output = args.subjects.cluster.take_format().unwrap_or(args.output);
    let engine = args.modules.load(args.timeout)?;
    if let Some(file) = &args.xrd {
        compare(file, &engine)?;
    }
    // A tree also shows what composites take from one another, which is a part of the explanation.
    let explain = matches!(args.output, RenderFormat::Tree);
    let mut preview = args.subjects.preview(&engine, explain)?;
    if args.include_function_results {
        preview.leave_out_results();
    }
    let wrong = report::show(&preview.diagnostics, &preview.texts);
    print(&args, &preview)?;
    Ok(!wrong)
}

fn print(args: &RenderArgs, preview: &Preview) -> Result<()> {
    match args.output {
        RenderFormat::Tree => return stdout::print(&tree::spell(&preview.composites)?),
        RenderFormat::Manifests => return print_wrapped(&preview.composites),
        RenderFormat::Yaml | RenderFormat::Json => {}
    }
    let parts = dialect::Parts {
        whole_composite: args.include_full_xr,
        results: args.include_function_results,
        context: args.include_context,
    };
    // There may be thousands, and as trees they take many times the memory of their texts. So they are printed one by one.
    let mut documents = preview.composites.iter().map(|composite| dialect::documents(composite, &parts));
    match args.output {
        RenderFormat::Json => print_json(documents),
        _ => documents.try_for_each(|documents| print_yaml(&documents?)),
    }
}

/// Prints an array. When there is nothing, it prints nothing.
fn print_json(documents: impl Iterator<Item = Result<Vec<Value>>>) -> Result<()> {
    let mut before = "[\n  ";
    for documents in documents {
        for document in documents? {
            stdout::print(before)?;
            // Texts have no line breaks in JSON, so each line is one of the array.
            stdout::print(&format!("{document:#}").replace('\n', "\n  "))?;
            before = ",\n  ";
        }
    }
    if before.starts_with(',') { stdout::print("\n]\n") } else { Ok(()) }
}

fn print_yaml(documents: &[Value]) -> Result<()> {
    // A document may be long, so its text is not copied.
    documents.iter().try_for_each(|document| {
        stdout::write(b"---\n")?;
        stdout::print(&yaml::to_string(document))
    })
}

/// Prints the objects that provider-kubernetes would create on target clusters. A note says which objects stay in the cluster
/// of Crossplane.
fn print_wrapped(composites: &[Composite]) -> Result<()> {
    let mut others = Vec::new();
    let resources = composites.iter().flat_map(|composite| &composite.rendered.resources);
    for resource in resources.filter(|resource| resource.composite.is_none()) {
        let object: Value =
            serde_json::from_str(&resource.object).context("a module printed something that is no JSON")?;
        match tree::manifest(&object) {
            Some(manifest) => print_yaml(std::slice::from_ref(manifest))?,
            None => others.push(tree::name(&object)),
        }
    }
    if !others.is_empty() {
        eprintln!("note: not on a target cluster, so left out: {}", others.join(", "));
    }
    Ok(())
}

/// Warns when a definition differs from the definition of the module that has its kind.
fn compare(file: &std::path::Path, engine: &Engine) -> Result<()> {
    let file = files::read(file)?;
    let definition = file.documents()?.into_iter().next().unwrap_or_default();
    let kind = text(&definition, "/kind");
    anyhow::ensure!(kind == "CompositeResourceDefinition", "{} holds no CompositeResourceDefinition", file.name);
    let (group, kind) = (text(&definition, "/spec/group"), text(&definition, "/spec/names/kind"));
    let known = engine
        .catalog()
        .find(|entry| entry.kind.kind == kind && entry.kind.api_version.starts_with(&format!("{group}/")));
    let known = known.with_context(|| format!("{} defines {kind} ({group}), which no module composes", file.name))?;
    let known: Value = serde_json::from_str(&known.definition).context("a module has a definition that is no JSON")?;
    if known.get("spec") != definition.get("spec") {
        let which = format!("{} differs from the definition of {kind} that its module brings", file.name);
        eprintln!("warning: {}; the module's is used", visible(&which));
    }
    Ok(())
}

/// Reads a duration in Go's format: `1m30s`, `500ms`.
fn duration(spelled: &str) -> Result<Duration, String> {
    let read = spelled.parse().ok().map(quantity::Duration::nanos);
    let nanos = read.and_then(|nanos| u64::try_from(nanos).ok()).filter(|nanos| *nanos > 0);
    nanos.map(Duration::from_nanos).ok_or_else(|| format!("`{spelled}` is no duration; write e.g. `30s` or `1m30s`"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations() {
        for (spelled, seconds) in [("1m", 60.0), ("1m30s", 90.0), ("500ms", 0.5), ("1.5h", 5400.0)] {
            assert_eq!(duration(spelled), Ok(Duration::from_secs_f64(seconds)), "{spelled}");
        }
        for spelled in ["", "0s", "5", "s", "1d", "1m3", "-1s", "1..5s"] {
            assert!(duration(spelled).is_err(), "{spelled}");
        }
    }
}
