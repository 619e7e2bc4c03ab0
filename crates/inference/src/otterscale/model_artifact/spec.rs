//! The fields that a user may write, and those of the status.

use serde::Deserialize;
use serde_json::Value;
#[cfg(feature = "generate")]
use toolbox::shapes::AnyQuantity;

/// A model from a hub as an OCI artifact in a registry.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[cfg_attr(feature = "generate", derive(schemars::JsonSchema))]
pub struct ArtifactSpec {
    /// Where the model comes from.
    pub source: ArtifactSource,

    /// Where the artifact goes.
    pub target: ArtifactTarget,

    /// The format of the artifact.
    #[serde(default)]
    pub format: ArtifactFormat,

    /// Where the import works.
    pub storage: ArtifactStorage,
}

/// Where a model comes from: exactly one source.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "generate", derive(schemars::JsonSchema))]
#[cfg_attr(
    feature = "generate",
    schemars(transform = toolbox::structural::rule(
        "[has(self.huggingFace)].filter(x, x).size() == 1",
        "exactly one source must be specified"
    ))
)]
pub struct ArtifactSource {
    /// A repository of Hugging Face.
    pub hugging_face: Option<HuggingFaceModel>,
}

/// A repository of Hugging Face.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "generate", derive(schemars::JsonSchema))]
pub struct HuggingFaceModel {
    /// The repository, e.g. `facebook/opt-125m`.
    #[cfg_attr(
        feature = "generate",
        schemars(length(min = 1, max = 253), regex(pattern = r"^[a-zA-Z0-9][a-zA-Z0-9._/-]*$"))
    )]
    pub model: String,

    /// Branch, tag or commit. The default is the default branch of the repository.
    #[cfg_attr(feature = "generate", schemars(length(min = 1, max = 253), regex(pattern = r"^[a-zA-Z0-9._/-]*$")))]
    pub revision: Option<String>,

    /// A token, which gated and private repositories need.
    pub token_secret_ref: Option<ArtifactToken>,
}

/// A key of a Secret in the namespace of the artifact.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[cfg_attr(feature = "generate", derive(schemars::JsonSchema))]
pub struct ArtifactToken {
    /// Name of the Secret.
    #[cfg_attr(feature = "generate", schemars(length(min = 1)))]
    pub name: String,

    /// The key in the Secret. The default is `token`.
    pub key: Option<String>,
}

/// Where an artifact goes.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "generate", derive(schemars::JsonSchema))]
pub struct ArtifactTarget {
    /// The registry, e.g. `ghcr.io` or `registry.local:5001`.
    #[cfg_attr(
        feature = "generate",
        schemars(length(min = 1, max = 253), regex(pattern = r"^[a-zA-Z0-9][a-zA-Z0-9._:-]*$"))
    )]
    pub registry: String,

    /// The repository, e.g. `org/model`.
    #[cfg_attr(
        feature = "generate",
        schemars(length(min = 1, max = 253), regex(pattern = r"^[a-zA-Z0-9][a-zA-Z0-9._/-]*$"))
    )]
    pub repository: String,

    /// The tag. The default is `latest`.
    #[cfg_attr(
        feature = "generate",
        schemars(length(min = 1, max = 128), regex(pattern = r"^[a-zA-Z0-9][a-zA-Z0-9._-]*$"))
    )]
    pub tag: Option<String>,

    /// The credentials for the registry.
    pub credentials_secret_ref: Option<ArtifactCredentials>,

    /// Whether the registry has no TLS.
    pub insecure: Option<bool>,
}

/// A Secret of type `kubernetes.io/dockerconfigjson` in the namespace of the artifact.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[cfg_attr(feature = "generate", derive(schemars::JsonSchema))]
pub struct ArtifactCredentials {
    /// Its name.
    #[cfg_attr(feature = "generate", schemars(length(min = 1)))]
    pub name: String,
}

/// A format of artifacts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[cfg_attr(feature = "generate", derive(schemars::JsonSchema, serde::Serialize))]
pub enum ArtifactFormat {
    /// The format of CNCF ModelPack.
    #[default]
    ModelPack,
    /// The format of KitOps.
    ModelKit,
}

impl ArtifactFormat {
    /// As the script knows it.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::ModelPack => "ModelPack",
            Self::ModelKit => "ModelKit",
        }
    }
}

/// Where an import works.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "generate", derive(schemars::JsonSchema))]
pub struct ArtifactStorage {
    /// The size of the volume, e.g. `20Gi`. It has the model several times.
    #[cfg_attr(feature = "generate", schemars(with = "AnyQuantity"))]
    pub size: Value,

    /// The storage class. The default is that of the cluster.
    pub storage_class_name: Option<String>,
}

/// The observed state of an artifact.
#[cfg(feature = "generate")]
#[derive(schemars::JsonSchema)]
#[schemars(rename_all = "camelCase")]
#[expect(dead_code, reason = "only its schema is needed: rules give the values")]
pub(super) struct ArtifactStatus {
    /// The generation that this status is about.
    observed_generation: Option<i64>,

    /// How far the import is.
    phase: Option<ArtifactPhase>,

    /// The digest of the artifact.
    digest: Option<String>,

    /// The reference of the artifact, once its digest is known.
    reference: Option<String>,

    /// The Job that imports.
    job_ref: Option<ArtifactJob>,

    /// When the Job started.
    #[schemars(extend("format" = "date-time"))]
    start_time: Option<String>,

    /// When the Job completed.
    #[schemars(extend("format" = "date-time"))]
    completion_time: Option<String>,

    /// Hash of what was imported, or failed to be. It is not imported again.
    content_hash: Option<String>,
}

/// A Job.
#[cfg(feature = "generate")]
#[derive(schemars::JsonSchema)]
#[expect(dead_code, reason = "only its schema is needed: rules give the values")]
struct ArtifactJob {
    /// Its name.
    name: String,

    /// Its namespace.
    namespace: Option<String>,
}

/// How far an import is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "generate", derive(schemars::JsonSchema))]
pub enum ArtifactPhase {
    /// It has not begun.
    Pending,
    /// It is under way.
    Running,
    /// The artifact is in the registry.
    Succeeded,
    /// It failed, and is not tried again.
    Failed,
}

impl ArtifactPhase {
    /// As the status has it.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Pending => "Pending",
            Self::Running => "Running",
            Self::Succeeded => "Succeeded",
            Self::Failed => "Failed",
        }
    }
}
