//! Asks modules for previews of what a command was given.

use std::path::PathBuf;

use anyhow::{Context as _, Result, bail, ensure};
use serde_json::Value;

use super::cluster::{Cluster, text};
use super::composition::Composition;
use super::files::{self, File};
use super::given::{Given, kind_of};
use super::report::Texts;
use crate::engine::Engine;
use crate::wit::preview::{Diagnostic, Location, Pipeline, RenderedComposite, Request, Step, StepInput};
use crate::wit::types::KindRef;

/// The step that `--input` is for.
const ONLY_STEP: &str = "sailplane";

/// The flags that say what is previewed.
#[derive(clap::Args, Debug)]
pub(super) struct Subjects {
    /// Composites; perhaps a Composition and its Functions too. Files, folders, or `-` for standard input
    ///
    /// What a file holds is told from its content, so the order does not matter.
    #[arg(value_name = "PATH", required = true)]
    pub(super) paths: Vec<PathBuf>,

    /// File with the input of the pipeline step, instead of a Composition
    #[arg(long, value_name = "FILE")]
    pub(super) input: Option<PathBuf>,

    /// Pass over a Composition's steps that run other functions
    #[arg(long)]
    pub(super) skip_foreign_steps: bool,

    /// Compose what is composed too where it is a composite itself, down to the leaves
    #[arg(long)]
    pub(super) cascade: bool,

    #[command(flatten)]
    pub(super) cluster: Cluster,
}

/// What a preview found.
pub(super) struct Preview {
    pub(super) composites: Vec<Composite>,
    pub(super) diagnostics: Vec<Diagnostic>,
    pub(super) texts: Texts,
}

/// A composite, rendered.
pub(super) struct Composite {
    pub(super) rendered: RenderedComposite,
    pub(super) object: Value,
    /// As it was written. Absent when another composite composed it.
    pub(super) written: Option<Value>,
    /// The name of the Composition that composes it, when one was given.
    pub(super) composition: Option<String>,
}

impl Subjects {
    /// Previews them.
    ///
    /// # Errors
    /// When something cannot be read, does not fit together, or a module gives no answer.
    pub(super) fn preview(&self, engine: &Engine) -> Result<Preview> {
        let given = Given::sort(files::read_all(&self.paths)?);
        ensure!(!given.is_void(), "nothing to render: no document in what was given is a composite");
        let compositions = given.compositions();
        let kinds = given.kinds(engine);
        self.check(&given, &compositions, &kinds)?;
        let mut sources = given.sources();
        sources.extend(self.cluster.sources()?);
        let request = Request {
            sources,
            pipelines: self.pipelines(&given, &compositions, &kinds)?,
            context: self.cluster.context()?,
            cascade: self.cascade,
            now: None,
            foreign_kinds: Vec::new(),
            foreign_objects: Vec::new(),
        };

        let texts = texts(&request);
        let mut preview = Preview { composites: Vec::new(), diagnostics: Vec::new(), texts };
        let mut rendered = Vec::new();
        for kind in &kinds {
            let response = engine.preview(kind, &request).with_context(|| format!("cannot preview {}", kind.kind))?;
            for diagnostic in response.diagnostics {
                if !preview.diagnostics.contains(&diagnostic) {
                    preview.diagnostics.push(diagnostic);
                }
            }
            rendered.extend(of_kind(response.composites, kind)?);
        }
        // A kind at a time is not the order of the texts.
        rendered.sort_by_key(|family| family.first().and_then(|root| place(root.0.origin)));
        preview.diagnostics.sort_by_key(|diagnostic| (diagnostic.location.is_none(), place(diagnostic.location)));
        for family in rendered {
            let offset = preview.composites.len();
            preview.composites.extend(family.into_iter().map(|(composite, object)| {
                let written = composite.origin.and_then(|origin| given.document(origin));
                let kind = kind_of(&object);
                let composition = compositions.iter().find(|composition| composition.kind() == kind);
                let composition = composition.map(|composition| composition.name().to_owned());
                Composite { rendered: shift(composite, offset), object, written, composition }
            }));
        }
        Ok(preview)
    }

    /// Checks that composites of these kinds and Compositions belong together, as Crossplane does.
    fn check(&self, given: &Given, compositions: &[Composition<'_>], kinds: &[KindRef]) -> Result<()> {
        ensure!(
            compositions.is_empty() || self.input.is_none(),
            "give a Composition or --input, not both: a Composition brings the input of its steps"
        );
        for (index, composition) in compositions.iter().enumerate() {
            let kind = composition.kind();
            if let Some(other) = compositions.iter().take(index).find(|other| other.kind() == kind) {
                bail!("two Compositions compose {}: `{}` and `{}`", kind.kind, other.name(), composition.name());
            }
        }
        let Some(first) = compositions.first() else { return Ok(()) };
        for composite in given.objects() {
            let kind = kind_of(composite);
            if kind.kind.is_empty() || !kinds.contains(&kind) {
                continue;
            }
            let Some(composition) = compositions.iter().find(|composition| composition.kind() == kind) else {
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
            };
            composition.suits(composite)?;
        }
        Ok(())
    }

    fn pipelines(&self, given: &Given, compositions: &[Composition<'_>], kinds: &[KindRef]) -> Result<Vec<Pipeline>> {
        if let Some(input) = &self.input {
            let File { name, text } = files::read(input)?;
            let input = StepInput { name, text, document: 0, path: String::new() };
            let step = Step { name: ONLY_STEP.to_owned(), input: Some(input), credentials: Vec::new() };
            let pipeline = |kind: &KindRef| Pipeline { kind: kind.clone(), steps: vec![step.clone()] };
            return Ok(kinds.iter().map(pipeline).collect());
        }
        let secrets = self.cluster.secrets()?;
        let mut warn = |message: String| eprintln!("warning: {message}");
        let pipelines = compositions.iter().map(|composition| {
            let skip: Option<&mut dyn FnMut(String)> = if self.skip_foreign_steps { Some(&mut warn) } else { None };
            composition.pipeline(&given.functions, &secrets, skip)
        });
        pipelines.collect()
    }
}

/// A composite and its object, followed by those it composes.
type Family = Vec<(RenderedComposite, Value)>;

/// The families whose first is of this kind; other modules render the others.
fn of_kind(composites: Vec<RenderedComposite>, kind: &KindRef) -> Result<Vec<Family>> {
    let mut families: Vec<Family> = Vec::new();
    for composite in composites {
        let object = serde_json::from_str(&composite.object).context("a module printed something that is no JSON")?;
        match families.last_mut() {
            Some(family) if composite.origin.is_none() => family.push((composite, object)),
            _ => families.push(vec![(composite, object)]),
        }
    }
    // Indices among composites count from the first of a family here.
    let mut before = 0;
    for family in &mut families {
        for resource in family.iter_mut().flat_map(|(composite, _)| &mut composite.resources) {
            resource.composite = resource.composite.map(|index| index - before);
        }
        before += u32::try_from(family.len()).unwrap_or(u32::MAX);
    }
    families.retain(|family| family.first().is_some_and(|(_, object)| kind_of(object) == *kind));
    Ok(families)
}

fn shift(mut composite: RenderedComposite, offset: usize) -> RenderedComposite {
    let offset = u32::try_from(offset).unwrap_or(u32::MAX);
    for resource in &mut composite.resources {
        resource.composite = resource.composite.map(|index| index.saturating_add(offset));
    }
    composite
}

fn texts(request: &Request) -> Texts {
    let sources = request.sources.iter().map(|source| (source.name.clone(), source.text.clone()));
    let steps = request.pipelines.iter().flat_map(|pipeline| &pipeline.steps);
    let inputs = steps.filter_map(|step| step.input.as_ref()).map(|input| (input.name.clone(), input.text.clone()));
    sources.chain(inputs).collect()
}

fn place(location: Option<Location>) -> Option<(u32, u32, u32, u32)> {
    location.map(|at| (at.text, at.document, at.line, at.column))
}
