//! Definitions of other projects that no Go module has.

use anyhow::Result;
use inference::modelplane::resources::LLM_INFERENCE_SERVICES;
use serde_json::Value;
use tests::files;
use tests::real::others;

/// The definition of KServe's kind that we compose, made of its schema. None without the folder with schemas.
pub(super) fn kserve() -> Result<Option<Value>> {
    if !files::schemas().exists() {
        return Ok(None);
    }
    Ok(others::definitions(&[LLM_INFERENCE_SERVICES])?.pop())
}
