//! Which Composition composes a composite, as Crossplane chooses among those that are given.

use contract::preview::{Composition, Pipeline};
use contract::types::{Code, KindRef, Problem};
use serde_json::Value;
use toolbox::kind::Kind;

use super::fields::{get, text};

/// Where a composite names its Composition.
const REFERENCE: &str = "spec.crossplane.compositionRef.name";

/// The pipeline that a composite of `kind` chooses, and a warning about the choice. `None` when none is given for its kind.
///
/// # Errors
/// When the composite wants another one, and when it does not say which of several.
pub(super) fn choose<'p>(
    pipelines: &'p [Pipeline],
    composite: &Value,
    kind: &Kind,
) -> Result<(Option<&'p Pipeline>, Option<Problem>), Problem> {
    // A kind may exist in several groups, and each has Compositions of its own.
    let api_version = text(composite, &["apiVersion"]);
    let wanted = KindRef { api_version: api_version.to_owned(), kind: kind.kind.to_owned() };
    let given: Vec<_> = pipelines.iter().filter(|pipeline| pipeline.kind == wanted).collect();
    let named = |name: &str| given.iter().copied().find(|pipeline| name_of(pipeline) == name);
    let listed = || given.iter().map(|pipeline| format!("`{}`", name_of(pipeline))).collect::<Vec<_>>().join(", ");
    let only = given.first().copied().filter(|_| given.len() == 1);
    if given.is_empty() {
        return Ok((None, None)); // it is so in most previews, and to read the definition takes long
    }

    let name = text(composite, &["spec", "crossplane", "compositionRef", "name"]);
    if !name.is_empty() && given.iter().any(|pipeline| pipeline.composition.is_some()) {
        if let Some(pipeline) = named(name) {
            return Ok((Some(pipeline), None));
        }
        let Some(only) = only else {
            let message = format!("no Composition `{name}` is given; there are {}", listed());
            return Err(Problem::new(REFERENCE, Code::NotFound, message));
        };
        let message = format!("no Composition `{name}` is given; the only one, `{}`, is taken", name_of(only));
        return Ok((Some(only), Some(Problem::new(REFERENCE, Code::NotFound, message))));
    }
    if let Some(labels) = get(composite, &["spec", "crossplane", "compositionSelector", "matchLabels"]) {
        let fitting = given.iter().copied().filter(|pipeline| misfit(pipeline, labels).is_none());
        return match (fitting.min_by_key(|&pipeline| name_of(pipeline)), given.first()) {
            (None, Some(first)) => {
                let message = misfit(first, labels).filter(|_| only.is_some());
                let message =
                    message.unwrap_or_else(|| format!("no Composition has these labels; there are {}", listed()));
                Err(Problem::new("spec.crossplane.compositionSelector.matchLabels", Code::NotFound, message))
            }
            (first, _) => Ok((first, None)),
        };
    }
    let by_default = || {
        let definition = kind.definition_in(api_version);
        named(text(&definition, &["spec", "defaultCompositionRef", "name"]))
    };
    match only.or_else(by_default) {
        None => {
            let message = format!("several Compositions compose {}: {}; name one", kind.kind, listed());
            Err(Problem::new(REFERENCE, Code::Required, message))
        }
        found => Ok((found, None)),
    }
}

/// The name of the Composition with a pipeline.
pub(super) fn name(pipeline: &Pipeline) -> Option<String> {
    pipeline.composition.as_ref().map(|composition| composition.name.clone())
}

fn name_of(pipeline: &Pipeline) -> &str {
    pipeline.composition.as_ref().map_or("", |composition| composition.name.as_str())
}

/// Why the labels of a Composition do not match, in Crossplane's words. `None` when they do.
fn misfit(pipeline: &Pipeline, wanted: &Value) -> Option<String> {
    let Composition { name, labels } = pipeline.composition.as_ref()?;
    wanted.as_object()?.iter().find_map(|(label, value)| match labels.get(label) {
        None => Some(format!("composition `{name}` is missing required label `{label}`")),
        Some(has) if value == has => None,
        Some(has) => {
            Some(format!("composition `{name}` has label `{label}` \"{has}\", and the composite wants {value}"))
        }
    })
}
