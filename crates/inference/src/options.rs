//! The platform's options: the input of a pipeline step.
//!
//! With the defaults, kinds compose exactly what the references of their APIs describe. Options for all kinds are at the
//! top level. Each API has a section of its own.

use std::cell::RefCell;
use std::sync::LazyLock;

use contract::types::{Cause, Fault};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use toolbox::duration::Duration;
use toolbox::kind::Input;
use toolbox::validation::Validator;

use crate::gpu_cluster::options::ClusterOptions;
use crate::inference_model::options::InferenceModelOptions;
use crate::llm_inference::options::LlmInferenceOptions;
use crate::modelplane::options::ModelplaneOptions;
use crate::otterscale::options::ModelServiceOptions;

/// API version of the step input.
pub const API_VERSION: &str = "sailplane.fn.crossplane.io/v1alpha1";
/// Kind of the step input.
pub const KIND: &str = "Options";

/// The row of the step input.
pub(crate) const INPUT: Input = Input { api_version: API_VERSION, kind: KIND, definition, step: None };

/// Constants and switches of a platform.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
#[serde(rename_all = "camelCase", default)]
#[cfg_attr(feature = "generate", derive(schemars::JsonSchema))]
pub struct Options {
    /// How long Crossplane may keep a response when everything is ready, e.g. `1m`. It is always a minute for kinds of Modelplane,
    /// and for an `InferenceModel` the time until its answer changes, at most a minute.
    pub ttl: Duration,

    /// How long Crossplane may keep a response while something is not ready yet, e.g. `10s`. It is always a minute for kinds of
    /// Modelplane, and ten seconds for a `ModelArtifact`.
    pub ttl_waiting: Duration,

    /// Options for every `Cluster`.
    pub cluster: ClusterOptions,

    /// Options for every `InferenceModel`.
    pub inference_model: InferenceModelOptions,

    /// Options for every `LLMInference`.
    pub llm_inference: LlmInferenceOptions,

    /// Options for every kind of Modelplane.
    pub modelplane: ModelplaneOptions,

    /// Options for every `ModelService` and `ModelArtifact` of `model.otterscale.io`.
    pub model_service: ModelServiceOptions,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            ttl: Duration::from_millis(60_000),
            ttl_waiting: Duration::from_millis(10_000),
            cluster: ClusterOptions::default(),
            inference_model: InferenceModelOptions::default(),
            llm_inference: LlmInferenceOptions::default(),
            modelplane: ModelplaneOptions::default(),
            model_service: ModelServiceOptions::default(),
        }
    }
}

impl Options {
    /// Reads a step input. `None` gives the defaults.
    ///
    /// # Errors
    /// A [`Fault`] with everything that is wrong with the input, unknown fields included.
    pub fn read(input: Option<&Value>) -> Result<Self, Fault> {
        thread_local! {
            /// The last input that could be used. Most calls have that of the call before, and validating it takes longer than
            /// all that some kinds do with it.
            static LAST: RefCell<Option<(Value, Options)>> = const { RefCell::new(None) };
        }
        let Some(input) = input else { return Ok(Self::default()) };
        let same = |(known, options): &(Value, Self)| (known == input).then(|| options.clone());
        if let Some(options) = LAST.with_borrow(|last| last.as_ref().and_then(same)) {
            return Ok(options);
        }
        let options: Self = definition().whole(input).map_err(|problems| Fault::many(Cause::Input, problems))?;
        LAST.set(Some((input.clone(), options.clone())));
        Ok(options)
    }
}

/// The generated CustomResourceDefinition of the step input.
pub fn definition() -> &'static Validator {
    static DEFINITION: LazyLock<Validator> = LazyLock::new(|| Validator::read(include_str!("options.json")));
    &DEFINITION
}

/// Generates the CustomResourceDefinition of the step input from its types.
#[cfg(feature = "generate")]
pub fn generated() -> Value {
    use toolbox::definition::input_definition;
    use toolbox::structural::schema_of;
    input_definition(API_VERSION, KIND, "options", schema_of::<Options>())
}
