//! Previews the manifests of a command.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::time::{SystemTime, UNIX_EPOCH};

use anyhow::{Context as _, Result, bail, ensure};
use serde_json::Value;

use super::advice::{self, Advised};
use super::cluster::{Cluster, text};
use super::composition::Composition;
use super::files::{self, File, Filenames};
use super::manifests::{Manifests, kind_of};
use super::report::Texts;
use crate::engine::Engine;
use crate::wit::preview::{Capacity, Diagnostic, Gravity, Pipeline, RenderedComposite, Request, Step, StepInput};
use crate::wit::types::KindRef;

/// The name of the only step, with `--input`.
const ONLY_STEP: &str = "sailplane";

/// The most bytes of the inputs of all steps together. Each has the whole text of its file.
const MOST_INPUTS: usize = 32 << 20;

/// The flags that select what is previewed.
#[derive(clap::Args, Debug)]
pub(super) struct Subjects {
    /// Composites; perhaps a Composition and its Functions too. Files, folders, or `-` for standard input
    ///
    /// What a file holds is told from its content, so the order does not matter.
    #[arg(value_name = "PATH", required_unless_present = "filenames")]
    pub(super) paths: Vec<PathBuf>,

    #[command(flatten)]
    pub(super) filenames: Filenames,

    /// Namespace of composites that state none
    #[arg(short = 'n', long, value_name = "NAMESPACE")]
    pub(super) namespace: Option<String>,

    /// File with the input of the pipeline step, instead of a Composition
    #[arg(long, value_name = "FILE")]
    pub(super) input: Option<PathBuf>,

    /// Pass over a Composition's steps that run other functions
    #[arg(long)]
    pub(super) skip_foreign_steps: bool,

    /// Compose what is composed too where it is a composite itself, down to the leaves
    #[arg(long)]
    pub(super) cascade: bool,

    /// Cascade, take what is composed as ready, and compose again until nothing changes
    ///
    /// Shows what there will be once everything is up, in numbered phases, and what each phase waits for. Values that only a
    /// provider knows, e.g. addresses, are examples.
    #[arg(long)]
    pub(super) settled: bool,

    /// Time to compose at, e.g. `2026-01-31T12:00:00Z`; `none` tells compositions no time [default: that of this machine]
    #[arg(long, value_name = "TIME", value_parser = time)]
    now: Option<At>,

    #[command(flatten)]
    pub(super) cluster: Cluster,
}

/// The result of a preview.
pub(super) struct Preview {
    pub(super) composites: Vec<Composite>,
    /// In a cascade: the places that what is composed competes for.
    pub(super) capacities: Vec<Capacity>,
    pub(super) diagnostics: Vec<Diagnostic>,
    pub(super) texts: Texts,
}

/// A rendered composite.
pub(super) struct Composite {
    pub(super) rendered: RenderedComposite,
    pub(super) object: Value,
    /// The composite as it is in the file. `None` when another composite composed it.
    pub(super) written: Option<Value>,
}

impl Subjects {
    /// Whether what is composed is composed too where it is a composite itself.
    const fn cascades(&self) -> bool {
        self.cascade || self.settled
    }

    /// The time that compositions are told, in seconds since 1970.
    fn now(&self) -> Option<u64> {
        match self.now {
            Some(At::Seconds(seconds)) => Some(seconds),
            Some(At::Untold) => None,
            None => SystemTime::now().duration_since(UNIX_EPOCH).ok().map(|since| since.as_secs()),
        }
    }

    /// Previews the manifests, and explains their values when `explain`.
    ///
    /// # Errors
    /// When a file cannot be read, when Composition and composite do not match, and when a call fails.
    pub(super) fn preview(&self, engine: &Engine, explain: bool) -> Result<Preview> {
        let manifests = Manifests::sort(files::read_all(&self.filenames.after(&self.paths))?);
        ensure!(!manifests.is_empty(), "nothing to render: no document in what was given is a composite");
        let compositions = manifests.compositions();
        let kinds = manifests.kinds(engine);
        self.check(&manifests, &compositions, &kinds)?;
        // In a cascade, composites of other kinds may be composed too.
        let composed =
            if self.cascades() { engine.catalog().map(|entry| entry.kind.clone()).collect() } else { kinds.clone() };
        let mut sources = manifests.sources();
        sources.extend(self.cluster.sources()?);
        let request = Request {
            sources,
            namespace: self.namespace.clone(),
            pipelines: self.pipelines(&manifests, &compositions, &composed)?,
            context: self.cluster.context()?,
            cascade: self.cascades(),
            settled: self.settled,
            explain,
            now: self.now(),
            foreign_kinds: Vec::new(),
            foreign_objects: Vec::new(),
            foreign_inputs: Vec::new(),
            foreign_steps: Vec::new(),
        };

        let texts = texts(&request);
        let names: Vec<_> = kinds.iter().map(|kind| kind.kind.as_str()).collect();
        let response = engine.preview(&kinds, &request);
        let response = response.with_context(|| format!("cannot preview {}", names.join(", ")))?;
        let mut diagnostics = response.diagnostics;
        let mut known: BTreeSet<_> = diagnostics.iter().map(|found| format!("{found:?}")).collect();
        for judged in self.judged(&response.composites, &manifests, &compositions)? {
            for advice in advice::of(engine, &request.sources, &judged).context("cannot judge the composites")? {
                let is_given = self.namespace.is_some() && advice::is_about_namespace(&advice);
                if !is_given && known.insert(format!("{advice:?}")) {
                    diagnostics.push(advice);
                }
            }
        }
        // Only now, because a module needs much memory to judge thousands, and so do thousands of objects.
        let written = manifests.written();
        let composites = response.composites.into_iter().map(|rendered| {
            let object = parsed(&rendered)?;
            let written = rendered.origin.and_then(|origin| written.get(origin, &object));
            Ok(Composite { rendered, object, written })
        });
        let composites = composites.collect::<Result<Vec<_>>>()?;
        Ok(Preview { composites, capacities: response.capacities, diagnostics, texts })
    }

    /// The composites in the texts, by the options that they get.
    fn judged(
        &self,
        composites: &[RenderedComposite],
        manifests: &Manifests,
        compositions: &[Composition<'_>],
    ) -> Result<Vec<Advised>> {
        let given = self.input.as_deref().map(files::read).transpose()?.map(|file| file.text);
        let mut judged: Vec<Advised> = Vec::new();
        for composite in composites {
            let Some(place) = composite.origin else { continue };
            let name = composite.composition.as_deref();
            let mut named = compositions.iter().filter(|it| Some(it.name()) == name).peekable();
            let object = named.peek().map(|_| parsed(composite)).transpose()?;
            let chosen = named.find(|it| object.as_ref().is_some_and(|object| it.kind() == kind_of(object)));
            let options = chosen.map_or(given.clone(), |chosen| chosen.options(&manifests.functions));
            match judged.iter_mut().find(|known| known.options == options) {
                Some(known) => known.places.push(place),
                None => judged.push(Advised { options, places: vec![place] }),
            }
        }
        Ok(judged)
    }

    /// Checks that composites of these kinds match their Compositions, as Crossplane does.
    fn check(&self, manifests: &Manifests, compositions: &[Composition<'_>], kinds: &[KindRef]) -> Result<()> {
        ensure!(
            compositions.is_empty() || self.input.is_none(),
            "give a Composition or --input, not both: a Composition brings the input of its steps"
        );
        let (mut known, mut composed) = (BTreeSet::new(), BTreeSet::new());
        for composition in compositions {
            let (KindRef { api_version, kind }, name) = (composition.kind(), composition.name());
            ensure!(
                known.insert((api_version.clone(), kind.clone(), name)),
                "two Compositions compose {kind}, both with the name `{name}`"
            );
            composed.insert((api_version, kind));
        }
        let Some(first) = compositions.first() else { return Ok(()) };
        for composite in manifests.objects() {
            let kind = kind_of(composite);
            if kind.kind.is_empty() || !kinds.contains(&kind) {
                continue;
            }
            if !composed.contains(&(kind.api_version.clone(), kind.kind.clone())) {
                let wanted = first.kind();
                bail!(
                    "Composition `{}` composes {} ({}), and {} `{}` is of {}",
                    first.name(),
                    wanted.kind,
                    wanted.api_version,
                    kind.kind,
                    text(composite, "/metadata/name"),
                    kind.api_version
                );
            }
        }
        Ok(())
    }

    fn pipelines(
        &self,
        manifests: &Manifests,
        compositions: &[Composition<'_>],
        kinds: &[KindRef],
    ) -> Result<Vec<Pipeline>> {
        if let Some(input) = &self.input {
            let File { name, text } = files::read(input)?;
            let input = StepInput { name, text, document: 0, path: String::new() };
            let step = Step { name: ONLY_STEP.to_owned(), input: Some(input), credentials: Vec::new() };
            let pipeline =
                |kind: &KindRef| Pipeline { kind: kind.clone(), composition: None, steps: vec![step.clone()] };
            return Ok(kinds.iter().map(pipeline).collect());
        }
        let secrets = self.cluster.secrets()?;
        ensure!(
            compositions.iter().map(Composition::input_bytes).sum::<usize>() <= MOST_INPUTS,
            "the Compositions have too many steps for the size of their files; give only those that are needed"
        );
        let pipelines = compositions
            .iter()
            .map(|composition| composition.pipeline(&manifests.functions, &secrets, self.skip_foreign_steps));
        let mut pipelines = pipelines.collect::<Result<Vec<_>>>()?;
        pipelines.sort_by_key(|pipeline| {
            let composition = pipeline.composition.as_ref().map(|composition| composition.name.clone());
            (pipeline.kind.api_version.clone(), pipeline.kind.kind.clone(), composition)
        });
        Ok(pipelines)
    }
}

impl Preview {
    /// Leaves out the warnings that are also results of the composites.
    pub(super) fn leave_out_results(&mut self) {
        let results = self.composites.iter().flat_map(|composite| &composite.rendered.results);
        let said: BTreeSet<_> = results.map(|result| result.outcome.message.as_str()).collect();
        self.diagnostics
            .retain(|found| found.gravity == Gravity::Error || !said.contains(found.problem.message.as_str()));
    }
}

fn parsed(composite: &RenderedComposite) -> Result<Value> {
    serde_json::from_str(&composite.object).context("a module printed something that is no JSON")
}

fn texts(request: &Request) -> Texts {
    let sources = request.sources.iter().map(|source| (source.name.clone(), source.text.clone()));
    let steps = request.pipelines.iter().flat_map(|pipeline| &pipeline.steps);
    let inputs = steps.filter_map(|step| step.input.as_ref()).map(|input| (input.name.clone(), input.text.clone()));
    sources.chain(inputs).collect()
}

/// The time to compose at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum At {
    /// So many seconds since 1970.
    Seconds(u64),
    /// Nobody says.
    Untold,
}

/// Reads a time in the format of RFC 3339, whose letters may be lower case.
fn time(spelled: &str) -> Result<At, String> {
    if spelled == "none" {
        return Ok(At::Untold);
    }
    let read: Option<quantity::Time> = spelled.to_ascii_uppercase().parse().ok();
    let seconds = read.and_then(|time| u64::try_from(time.seconds()).ok());
    seconds
        .map(At::Seconds)
        .ok_or_else(|| format!("`{spelled}` is no time since 1970; write e.g. `2026-01-31T12:00:00Z`, or `none`"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times() {
        //    written                             seconds since 1970
        for (spelled, seconds) in [
            ("1970-01-01T00:00:00Z", 0),
            ("2026-01-31T12:00:00Z", 1_769_860_800),
            ("2026-01-31T12:00:00.9Z", 1_769_860_800),
            ("2026-01-31t12:00:00z", 1_769_860_800),
            ("2026-01-31T14:00:00+02:00", 1_769_860_800),
        ] {
            assert_eq!(time(spelled), Ok(At::Seconds(seconds)), "{spelled}");
        }
        assert_eq!(time("none"), Ok(At::Untold));
        for spelled in ["", "now", "2026-01-31", "2026-01-31T12:00:00", "2026-02-31T12:00:00Z", "1969-12-31T23:59:59Z"]
        {
            assert!(time(spelled).is_err(), "{spelled}");
        }
    }
}
