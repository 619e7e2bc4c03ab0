//! `sailplane check`: checks documents as an API server would, without one.

mod batches;
mod github;
mod json;
mod parallel;
mod result;
mod sarif;
mod schemas;
mod unknown;

use std::path::PathBuf;
use std::time::{Duration, Instant};

use anyhow::{Result, ensure};

use super::files::{self, Exclusions, Filenames, Pattern};
use super::{report, stdout};
use crate::modules::Modules;
use result::CheckResult;

/// The deadline for a batch of files.
const TIMEOUT: Duration = Duration::from_secs(60);

/// Check documents as an API server would
///
/// Says of each object what an API server would have against it under strict validation: unknown fields, wrong types,
/// values out of bounds, broken rules. Sailplane's own kinds are always known, the inputs of pipeline steps too; others
/// when their CustomResourceDefinition, CompositeResourceDefinition or JSON schema is among the schemas. Objects without
/// a schema are named and not checked; a kind that is nearly one of Sailplane's is an error.
///
/// Documents are judged as if they were applied in their order: of two composites that cannot exist at the same time, the
/// second one is an error.
///
/// Of folders, Helm charts are left out, and what a file `.sailplaneignore` in a folder lists, as `.gitignore` does. A
/// file that cannot be read or checked is an error, and the other files are checked all the same. Of a document, at
/// most 1,000 problems are listed.
///
/// Exits with 0 when nothing is wrong, and with 1 when something is, when a file cannot be read, or when there is no
/// document at all.
#[derive(clap::Args, Debug)]
#[command(after_long_help = "\
Examples:
  Check one file
    sailplane check llm.yaml
  Check a folder in GitHub Actions, with the definitions that are in it and those of another folder
    sailplane check manifests/ --schemas manifests/ --schemas schemas/ --output github
  Check what a cluster has
    kubectl get llminference qwen -o yaml | sailplane check -
  Check that everything is known, without what a tool generates
    sailplane check . --schemas schemas/ --require-schema --ignore 'generated/**'
  Check what composites become on the target cluster
    sailplane render llm.yaml --output manifests | sailplane check - --schemas schemas/

JSON for programs (--output json) is one object:
  files     how many files were checked
  errors    how many findings are errors
  warnings  how many are warnings
  unknown   how many objects have no schema
  objects   what was looked at: file, document (from 0), line, apiVersion, kind, namespace, name,
            and checked, which is false without a schema
  findings  what is wrong, without what does not apply:
            file, document, line, column, endLine, endColumn   where, from 1 but for document, in
                                                               characters, to after the last one
            severity   error or warning
            code       what sort of mistake it is, e.g. unknown-field
            path       the field
            message    the API server's line
            fix        {\"replace\": value}, {\"rename\": key} or {\"remove\": true}")]
pub(super) struct CheckArgs {
    /// What to check: files, folders with their folders, or `-` for standard input
    #[arg(value_name = "PATH", required_unless_present = "filenames")]
    paths: Vec<PathBuf>,

    #[command(flatten)]
    filenames: Filenames,

    /// File or folder with schemas of further kinds. May be repeated; the last schema of a kind counts
    ///
    /// Of a folder all YAML and JSON files are read, in its folders too: CustomResourceDefinitions,
    /// CompositeResourceDefinitions, and JSON schemas called `GROUP/KIND_VERSION.json`, in lower case, with `core` for
    /// the group without a name; or as kubeconform has them, `KIND-GROUP-VERSION.json` and `KIND-VERSION.json`.
    #[arg(long, value_name = "DIR|FILE")]
    schemas: Vec<PathBuf>,

    /// Fail on objects without a schema
    #[arg(long)]
    require_schema: bool,

    /// Leave out files and folders with this name or path, as a line of `.gitignore` does. May be repeated
    #[arg(long, value_name = "GLOB")]
    ignore: Vec<Pattern>,

    /// File with the platform's options, as the input of the pipeline step has them
    #[arg(long, value_name = "FILE")]
    input: Option<PathBuf>,

    /// How to print
    #[arg(short, long, value_name = "FORMAT", default_value = "text")]
    output: CheckFormat,

    /// Fail on warnings too
    #[arg(long)]
    strict: bool,

    #[command(flatten)]
    modules: Modules,
}

#[derive(Clone, Copy, Debug, clap::ValueEnum)]
enum CheckFormat {
    /// Reports with the lines concerned, for people
    Text,
    /// One JSON object, for programs
    Json,
    /// SARIF 2.1.0, for code scanning
    Sarif,
    /// Workflow commands that annotate a pull request on GitHub
    Github,
}

/// Checks. Returns false when there are errors, with `--strict` also when there are warnings.
pub(super) fn run(args: &CheckArgs) -> Result<bool> {
    let start = Instant::now();
    let engine = args.modules.load(TIMEOUT)?;
    let subjects = files::read_each(&args.filenames.after(&args.paths), &Exclusions::of(&args.ignore)?);
    let schemas = schemas::read(&args.schemas);
    let input = args.input.as_deref().map(files::read).transpose()?;
    let mut result = batches::check(&engine, subjects, schemas, input);
    if args.require_schema {
        result.require_schemas();
    }
    ensure!(!result.is_empty(), "nothing to check: there is no document in what was given");
    match args.output {
        CheckFormat::Text => {
            report::print(&result.diagnostics, &result.texts)?;
        }
        CheckFormat::Json => stdout::print(&format!("{:#}\n", json::spell(&result)?))?,
        CheckFormat::Sarif => stdout::print(&format!("{:#}\n", sarif::spell(&result)))?,
        CheckFormat::Github => stdout::print(&github::spell(&result))?,
    }
    eprint!("{}", unknown::list(&result.objects));
    eprintln!("{}, {} ms", summary(&result), start.elapsed().as_millis());
    Ok(result.errors() == 0 && !(args.strict && result.warnings() > 0))
}

fn summary(result: &CheckResult) -> String {
    let count = |number: usize, what: &str| format!("{number} {what}{}", if number == 1 { "" } else { "s" });
    format!(
        "checked {}, {}: {}, {}, {} without a schema",
        count(result.files, "file"),
        count(result.objects.len(), "object"),
        count(result.errors(), "error"),
        count(result.warnings(), "warning"),
        count(result.unknown(), "object"),
    )
}
