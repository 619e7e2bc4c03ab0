//! kubeconfigs, written as JSON, which every client accepts.

use std::fs;
use std::path::Path;

use anyhow::{Context as _, Result};
use serde_json::{Value, json};

use crate::base64::encode;

/// Writes a kubeconfig for the API server at `port` of loopback, whose certificate is `ca` (PEM).
pub fn write(file: &Path, port: u16, ca: &str, token: &str) -> Result<()> {
    // The certificate is part of the file, because provider-kubernetes gets the file in a Secret.
    let cluster =
        json!({"server": format!("https://127.0.0.1:{port}"), "certificate-authority-data": encode(ca.as_bytes())});
    let config = json!({
        "apiVersion": "v1",
        "kind": "Config",
        "clusters": [{"name": NAME, "cluster": cluster}],
        "users": [{"name": NAME, "user": {"token": token}}],
        "contexts": [{"name": NAME, "context": {"cluster": NAME, "user": NAME}}],
        "current-context": NAME,
    });
    Ok(fs::write(file, config.to_string())?)
}

/// Writes a copy of a kubeconfig with another token.
pub fn with_token(original: &Path, copy: &Path, token: &str) -> Result<()> {
    let mut config: Value = serde_json::from_str(&fs::read_to_string(original)?)?;
    *config.pointer_mut("/users/0/user/token").context("a kubeconfig of these tests")? = token.into();
    Ok(fs::write(copy, config.to_string())?)
}

const NAME: &str = "e2e";
