//! Reads a request into the inputs of the rules.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use contract::compose::ComposeRequest;
use contract::types::{Cause, Code, Fault, Problem, Selector};
use serde_json::{Value, json};
use toolbox::builders::selectors::lookup_all;
use toolbox::hashed::sha256;
use toolbox::observed::Observed;
use toolbox::validation::Validator;

use super::derive::ArtifactInputs;
use super::progress::{Before, progress, said};
use super::render::job_key;
use super::spec::ArtifactSpec;
use crate::options::Options;
use crate::otterscale::resources::{PODS, kind};
use crate::served::Served;

/// The lookup of the pods of the Job.
const OF_JOB: &str = "pods";

/// The definition of the kind, which validates composites.
pub(super) fn definition() -> &'static Validator {
    static DEFINITION: LazyLock<Validator> = LazyLock::new(|| Validator::read(include_str!("definition.json")));
    &DEFINITION
}

/// Reads the composed resources of a request.
pub(super) fn observed(request: &ComposeRequest) -> Result<Observed<'_>, Fault> {
    Observed::of(request, |key| key.starts_with("job-") || key.starts_with("workspace-"))
}

/// The lookups: the pods of the Job, while what they said is wanted.
pub(super) fn lookups(inputs: &ArtifactInputs) -> BTreeMap<String, Selector> {
    let name = inputs.progress.job["jobRef"]["name"].as_str().filter(|_| inputs.progress.asks_pods);
    let pods = |name: &str| {
        lookup_all(kind(&PODS), Some(&inputs.artifact.namespace), &[("batch.kubernetes.io/job-name", name)])
    };
    let mut lookups = BTreeMap::new();
    lookups.extend(name.map(|name| (OF_JOB.to_owned(), pods(name))));
    lookups
}

/// Reads the inputs.
pub(super) fn read(request: &ComposeRequest, observed: &Observed<'_>) -> Result<ArtifactInputs, Fault> {
    let options = Options::read(request.input.as_ref())?;
    let artifact: Served<ArtifactSpec> = Served::read(request, definition())?;
    let Some(source) = artifact.spec.source.hugging_face.clone() else {
        let message = "missing: it is the only source that there is";
        return Err(Fault::new(Cause::Composite, Problem::new("spec.source.huggingFace", Code::Required, message)));
    };
    let composite = request.composite()?;
    let content = content(composite);
    let before = Before::of(composite, &content);
    let mut inputs = ArtifactInputs {
        progress: progress(None, &before, None),
        artifact,
        source,
        options: options.model_service,
        ttl: options.ttl,
        content,
    };
    if let Some(job) = observed.get(&job_key(&inputs)) {
        let pods = request.lookups.get(OF_JOB).map(Vec::as_slice).unwrap_or_default();
        let pods = pods.iter().filter_map(|pod| pod.object().ok());
        inputs.progress = progress(Some(job), &before, said(pods));
    }
    Ok(inputs)
}

/// Hash of what is imported. Fields of Crossplane do not count, and neither does what a release makes of it, so that nothing is
/// imported again because of either.
fn content(composite: &Value) -> String {
    let stated: Value = definition().spec(composite).unwrap_or_default();
    let parts = json!([stated["source"], stated["target"], stated["format"], stated["storage"]]);
    sha256([parts.to_string().as_str()])
}
