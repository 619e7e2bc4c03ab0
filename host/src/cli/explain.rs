//! `sailplane explain`: shows which objects a composite composes and why, or what an option means.

use std::fmt::Write as _;
use std::time::Duration;

use anyhow::{Context as _, Result};
use serde_json::{Value, json};

use super::preview::{Composite, Subjects};
use super::{report, stdout, tree};
use crate::foreign::{shortened, visible};
use crate::modules::Modules;
use crate::wit::compose::Derivation;
use crate::wit::preview::RenderedResource;
use crate::wit::types::Severity;

mod capacities;
pub(super) mod decisions;
mod narrowed;
mod option;

/// The deadline of a preview.
const TIMEOUT: Duration = Duration::from_secs(60);

/// The largest width of a value in a table. A longer value is cut; JSON has all of it.
const VALUE_WIDTH: usize = 48;

/// Explain what composites compose, or what an option means
///
/// Shows every derived value with the rule that gave it and, after an arrow, the fields it depends on. Lines that
/// start with `!` are warnings. A line that starts with `?` names a decision; the lines below it say what was chosen and, after
/// `×`, what was not. A PATH that is no file and starts with the kind of a pipeline step's input, like
/// `options.llmInference.gpuMemory`, stands for the option of that name: its type, its meaning, its default.
#[derive(clap::Args, Debug)]
#[command(after_long_help = "\
Examples:
  Show why a composite gets what it gets
    sailplane explain llm.yaml
  Show what another input of the pipeline step would make of it
    sailplane explain llm.yaml --input options.yaml
  Show why two of many composed resources are as they are
    sailplane explain cluster.yaml --resource ekscluster,eksnodegroup-gpu
  Show what an option means
    sailplane explain options.llmInference.gpuMemory")]
pub(super) struct ExplainArgs {
    /// How to print
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    output: ExplainFormat,

    /// In tables: every choice, every reason and every candidate of a decision. JSON always has them
    #[arg(long)]
    all: bool,

    /// Explain only these composed resources, by the names that `sailplane render --output tree` shows. May be repeated
    #[arg(long, value_name = "KEY", value_delimiter = ',')]
    resource: Vec<String>,

    #[command(flatten)]
    subjects: Subjects,

    #[command(flatten)]
    modules: Modules,
}

#[derive(Clone, Copy, Debug, clap::ValueEnum)]
enum ExplainFormat {
    /// Tables, for people
    Text,
    /// A JSON array with an item per composite, for programs. In a cascade the last item has the `capacities` of places
    Json,
}

/// Explains. Returns false when there are errors.
pub(super) fn run(mut args: ExplainArgs) -> Result<bool> {
    args.output = args.subjects.cluster.take_format().unwrap_or(args.output);
    let engine = args.modules.load(TIMEOUT)?;
    if let [path] = args.subjects.paths.as_slice()
        && !path.exists()
        && let Some(option) = path.to_str().map(|name| option::find(&engine, name)).transpose()?.flatten()
    {
        stdout::print(&match args.output {
            ExplainFormat::Json => format!("{:#}\n", option.to_json()),
            ExplainFormat::Text => option.to_text(),
        })?;
        return Ok(true);
    }
    let mut preview = args.subjects.preview(&engine, true)?;
    preview.leave_out_results();
    let wrong = report::show(&preview.diagnostics, &preview.texts);
    // There may be thousands, so they are explained one by one.
    let chosen = narrowed::narrowed(&preview.composites, &args.resource)?;
    let mut composites = chosen.map(|composite| ExplainedComposite::of(composite, &args.resource));
    match args.output {
        ExplainFormat::Json if preview.composites.is_empty() => {}
        ExplainFormat::Json => {
            let mut items = composites.map(|composite| composite?.to_json()).collect::<Result<Vec<_>>>()?;
            if !preview.capacities.is_empty() {
                items.push(json!({"capacities": capacities::json(&preview.capacities)}));
            }
            stdout::print(&format!("{:#}\n", Value::from(items)))?;
        }
        ExplainFormat::Text => {
            let mut between = "";
            composites.try_for_each(|composite| {
                stdout::print(&format!("{between}{}", composite?.to_text(args.all)))?;
                between = "\n";
                anyhow::Ok(())
            })?;
        }
    }
    Ok(!wrong)
}

/// A composite and its composed resources, with the derivations of each.
struct ExplainedComposite<'a> {
    composite: &'a Composite,
    /// Resource, object and derivations; the first is the composite itself, the others are in the order of their phases.
    parts: Vec<(Option<&'a RenderedResource>, Value, Vec<&'a Derivation>)>,
}

impl<'a> ExplainedComposite<'a> {
    /// Explains the resources with these keys; all of them, and the composite, when there are no keys.
    fn of(composite: &'a Composite, keys: &[String]) -> Result<Self> {
        let derivations =
            |name: &str| composite.rendered.derivations.iter().filter(|it| it.resource_name == name).collect();
        let own = if keys.is_empty() { derivations("") } else { Vec::new() };
        let mut parts = vec![(None, composite.object.clone(), own)];
        for resource in tree::by_phase(composite.rendered.resources.iter().filter(|it| narrowed::is_among(keys, it))) {
            let object =
                serde_json::from_str(&resource.object).context("a module printed something that is no JSON")?;
            parts.push((Some(resource), object, derivations(&resource.name)));
        }
        Ok(Self { composite, parts })
    }

    fn to_json(&self) -> Result<Value> {
        let parts = self.parts.iter().map(|(resource, object, derivations)| {
            let derivations = derivations.iter().map(|derivation| {
                let value: Value =
                    serde_json::from_str(&derivation.value).context("a module printed something that is no JSON")?;
                Ok(json!({
                    "path": derivation.path,
                    "value": value,
                    "because": derivation.because,
                    "causes": derivation.causes,
                }))
            });
            Ok((resource, reference(object), derivations.collect::<Result<Vec<_>>>()?))
        });
        let mut parts = parts.collect::<Result<Vec<_>>>()?.into_iter();
        let (_, composite, derivations) = parts.next().context("a composite is missing")?;
        let resources = parts.filter_map(|(resource, object, derivations)| {
            let RenderedResource { name, phase, .. } = resource.as_ref()?;
            let mut item = json!({ "name": name, "object": object, "derivations": derivations });
            if let Some(phase) = phase {
                item["phase"] = json!({ "number": phase.number, "waitsFor": phase.waits_for });
            }
            Some(item)
        });
        let resources: Vec<_> = resources.collect();
        let results: Vec<_> = self.composite.rendered.results.iter().map(|result| &result.outcome.message).collect();
        Ok(json!({
            "composite": composite,
            "decisions": decisions::json(&self.composite.rendered.decisions),
            "derivations": derivations,
            "resources": resources,
            "results": results,
        }))
    }

    fn to_text(&self, all: bool) -> String {
        let mut text = format!("{}\n", tree::title(&self.composite.object));
        for result in self.composite.rendered.results.iter().filter(|result| !result.step.is_empty()) {
            let mark = if result.outcome.severity == Severity::Normal { '·' } else { '!' };
            let _ = writeln!(text, "{mark} {}", visible(&result.outcome.message));
        }
        text.push_str(&decisions::text(&self.composite.rendered.decisions, all));
        let parts: Vec<_> = self.parts.iter().filter(|(it, _, rows)| it.is_some() || !rows.is_empty()).collect();
        for (index, (resource, object, rows)) in parts.iter().enumerate() {
            let (branch, below) = if index + 1 == parts.len() { ("└─", "   ") } else { ("├─", "│  ") };
            let _ = match resource {
                None => writeln!(text, "{branch} itself"),
                Some(it) => {
                    writeln!(text, "{branch} {}: {}{}", visible(&it.name), tree::name(object), tree::phase(it))
                }
            };
            let (wrapped, own) = rows.iter().partition::<Vec<_>, _>(|row| row.path.starts_with(MANIFEST));
            text.push_str(&table(&own, below));
            if let Some(manifest) = tree::manifest(object) {
                let _ = writeln!(text, "{below}└─ manifest: {}", tree::name(manifest));
                text.push_str(&table(&wrapped, &format!("{below}   ")));
            }
        }
        text
    }
}

/// The beginning of paths inside the manifest of an `Object`.
const MANIFEST: &str = "spec.forProvider.manifest.";

/// A table with a row for each derivation.
fn table(rows: &[&&Derivation], indent: &str) -> String {
    let rows: Vec<[String; 3]> = rows
        .iter()
        .map(|row| {
            let causes = if row.causes.is_empty() { String::new() } else { format!(" ← {}", row.causes.join(", ")) };
            [
                row.path.strip_prefix(MANIFEST).unwrap_or(&row.path).to_owned(),
                shortened(&row.value, VALUE_WIDTH).into_owned(),
                format!("{}{causes}", row.because),
            ]
            .map(|cell| visible(&cell).into_owned())
        })
        .collect();
    let width = |column: usize| {
        let cells = rows.iter().filter_map(|row| row.get(column));
        cells.map(|cell| cell.chars().count()).max().unwrap_or_default()
    };
    let (path, value) = (width(0), width(1));
    rows.iter().fold(String::new(), |mut text, [field, is, why]| {
        let _ = writeln!(text, "{indent}  {field:path$}  {is:value$}  {why}");
        text
    })
}

fn reference(object: &Value) -> Value {
    let metadata = |key: &str| object.pointer(&format!("/metadata/{key}")).cloned().unwrap_or_default();
    json!({
        "apiVersion": object.get("apiVersion"),
        "kind": object.get("kind"),
        "namespace": metadata("namespace"),
        "name": metadata("name"),
    })
}
