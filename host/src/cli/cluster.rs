//! The flags that describe the cluster for a preview: everything beside the composites themselves.

use std::collections::BTreeMap;
use std::path::PathBuf;

use anyhow::{Context as _, Result};
use base64::Engine as _;
use clap::ValueEnum;
use serde_json::Value;

use super::files::{self, File};
use crate::wit::compose::{ContextEntry, Credential};
use crate::wit::preview::{Role, Source};
use crate::wit::types::ConnectionDetail;

/// The flags. `crossplane render` has the same.
#[derive(clap::Args, Debug)]
#[command(next_help_heading = "Cluster")]
pub(super) struct Cluster {
    /// File or folder with composed resources as observed. `-o json` is `--output json`, and so for each format
    #[arg(short, long, value_name = "PATH")]
    observed_resources: Option<PathBuf>,

    /// File or folder with objects that compositions may look up. May be repeated
    #[arg(short = 'e', long, value_name = "PATH", value_delimiter = ',')]
    required_resources: Vec<PathBuf>,

    /// Older name of --required-resources
    #[arg(long, value_name = "PATH", value_delimiter = ',')]
    extra_resources: Vec<PathBuf>,

    /// Folder with OpenAPI v3 documents, from `kubectl get --raw /openapi/v3/…`
    #[arg(short = 's', long, value_name = "DIR")]
    required_schemas: Option<PathBuf>,

    /// File with a value of the pipeline's context. May be repeated
    #[arg(long, value_name = "KEY=FILE", value_parser = pair)]
    context_files: Vec<(String, String)>,

    /// Value of the pipeline's context, JSON or YAML; wins over --context-files. May be repeated
    #[arg(long, value_name = "KEY=VALUE", value_parser = pair)]
    context_values: Vec<(String, String)>,

    /// File or folder with the Secrets that pipeline steps take credentials from
    #[arg(long, value_name = "PATH")]
    function_credentials: Option<PathBuf>,
}

fn pair(text: &str) -> Result<(String, String), String> {
    let (key, value) = text.split_once('=').ok_or_else(|| format!("`{text}` is no KEY=VALUE"))?;
    Ok((key.to_owned(), value.to_owned()))
}

impl Cluster {
    /// Takes the value of `-o` when it is a format, and no file or folder: with kubectl `-o` is `--output`, with
    /// `crossplane render` it is `--observed-resources`.
    pub(super) fn take_format<F: ValueEnum>(&mut self) -> Option<F> {
        let path = self.observed_resources.as_ref().filter(|path| !path.exists())?;
        let format = F::from_str(path.to_str()?, false).ok()?;
        self.observed_resources = None;
        Some(format)
    }

    /// The texts of the flags, with their roles.
    pub(super) fn sources(&self) -> Result<Vec<Source>> {
        let available = [self.required_resources.as_slice(), &self.extra_resources].concat();
        let rows = [
            (Role::Observed, self.observed_resources.as_slice()),
            (Role::Available, &available),
            (Role::Schema, self.required_schemas.as_slice()),
        ];
        let mut sources = Vec::new();
        for (role, paths) in rows {
            let files = files::read_all(paths)?;
            sources.extend(files.into_iter().map(|File { name, text }| Source { name, role, text }));
        }
        Ok(sources)
    }

    /// The context at the start of each pipeline.
    pub(super) fn context(&self) -> Result<Vec<ContextEntry>> {
        let mut files = BTreeMap::new();
        for (key, path) in &self.context_files {
            files.insert(key, files::read(path.as_ref())?);
        }
        for (key, text) in &self.context_values {
            files.insert(key, File { name: format!("--context-values={key}"), text: text.clone() });
        }
        let entry = |(key, file): (&String, File)| {
            let value = file.documents()?.into_iter().next().unwrap_or_default();
            Ok(ContextEntry { key: key.clone(), value: value.to_string() })
        };
        files.into_iter().map(entry).collect()
    }

    /// The Secrets with the credentials of pipeline steps.
    pub(super) fn secrets(&self) -> Result<Secrets> {
        let mut secrets = Vec::new();
        for file in files::read_all(self.function_credentials.as_slice())? {
            secrets.extend(file.documents()?);
        }
        Ok(Secrets(secrets))
    }
}

/// The Secrets with the credentials of pipeline steps.
pub(super) struct Secrets(Vec<Value>);

impl Secrets {
    /// The credentials that a Composition's step needs, sorted by name.
    pub(super) fn credentials(&self, step: &Value) -> Result<Vec<Credential>> {
        let wanted = step.get("credentials").and_then(Value::as_array).into_iter().flatten();
        let mut credentials = BTreeMap::new();
        for credential in wanted.filter(|wanted| text(wanted, "/source") == "Secret") {
            let name = text(credential, "/name");
            let (namespace, secret) = (text(credential, "/secretRef/namespace"), text(credential, "/secretRef/name"));
            let found = self.0.iter().rev().find(|known| {
                text(known, "/metadata/namespace") == namespace && text(known, "/metadata/name") == secret
            });
            let found = found.with_context(|| {
                let step = text(step, "/step");
                format!("step `{step}` takes credential `{name}` from Secret {namespace}/{secret}, which --function-credentials does not hold")
            })?;
            credentials.insert(name.to_owned(), data(found)?);
        }
        Ok(credentials.into_iter().map(|(name, data)| Credential { name, data }).collect())
    }
}

fn data(secret: &Value) -> Result<Vec<ConnectionDetail>> {
    let entries = secret.get("data").and_then(Value::as_object).into_iter().flatten();
    let mut data = BTreeMap::new();
    for (key, value) in entries {
        let value = base64::prelude::BASE64_STANDARD.decode(value.as_str().unwrap_or_default());
        let name = text(secret, "/metadata/name");
        data.insert(key, value.with_context(|| format!("entry `{key}` of Secret {name} is not base64"))?);
    }
    Ok(data.into_iter().map(|(key, value)| ConnectionDetail { key: key.clone(), value }).collect())
}

/// The string at a JSON pointer. Empty when there is no string.
pub(super) fn text<'a>(value: &'a Value, pointer: &str) -> &'a str {
    value.pointer(pointer).and_then(Value::as_str).unwrap_or_default()
}
