//! The platform's options, from a file that may change.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, PoisonError, RwLock};

use anyhow::{Context as _, Result, bail};
use serde_json::json;

use super::metrics::Metrics;
use super::tls::LOOK_EVERY;
use crate::engine::Engine;
use crate::problem::said;
use crate::wit::admit::{Operation, Request};
use crate::wit::types::FaultCause;

/// Options that modules found no fault with, as JSON; shared by all who judge.
#[derive(Clone, Debug, Default)]
pub(super) struct Options(Arc<RwLock<Option<Arc<str>>>>);

impl Options {
    /// What counts now; nothing when the defaults do.
    pub(super) fn now(&self) -> Option<Arc<str>> {
        self.0.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn replace(&self, options: Arc<str>) {
        *self.0.write().unwrap_or_else(PoisonError::into_inner) = Some(options);
    }
}

/// The file that options come from.
#[derive(Debug)]
pub(super) struct Source {
    path: PathBuf,
    /// What it held when it was last looked at, sound or not.
    seen: Vec<u8>,
}

impl Source {
    /// Reads options for the first time.
    ///
    /// # Errors
    /// When the file cannot be read, or a module finds fault with it.
    pub(super) fn open(path: &Path, engine: &Engine, options: &Options) -> Result<Self> {
        let seen = fs::read(path).with_context(|| format!("cannot read options from {}", path.display()))?;
        let source = Self { path: path.to_owned(), seen };
        options.replace(source.checked(engine)?);
        Ok(source)
    }

    /// Takes up what the file holds, for as long as the process lives.
    pub(super) async fn watch(mut self, engine: Engine, options: Options, metrics: Metrics) {
        loop {
            tokio::time::sleep(LOOK_EVERY).await;
            match self.refresh(&engine, &options) {
                Ok(false) => {}
                Ok(true) => {
                    metrics.reloaded("options", true);
                    tracing::info!("took up changed options");
                }
                Err(error) => {
                    metrics.reloaded("options", false);
                    tracing::error!("the options stay as they were: {error:#}");
                }
            }
        }
    }

    /// Takes up what the file holds when that has changed, and says whether it has. What is wrong leaves the options
    /// as they were.
    ///
    /// # Errors
    /// When the new text is wrong. It is told once.
    fn refresh(&mut self, engine: &Engine, options: &Options) -> Result<bool> {
        // A volume that is being swapped has no file for a moment.
        let Ok(now) = fs::read(&self.path) else { return Ok(false) };
        if now == self.seen {
            return Ok(false);
        }
        self.seen = now;
        options.replace(self.checked(engine)?);
        Ok(true)
    }

    /// The options as JSON, when every kind can be judged with them.
    fn checked(&self, engine: &Engine) -> Result<Arc<str>> {
        let name = self.path.display();
        let text = std::str::from_utf8(&self.seen).with_context(|| format!("{name} is not UTF-8"))?;
        let documents: Result<Vec<_>, _> = yaml::values(text).into_iter().collect();
        let documents = documents.map_err(|yaml::Error { span, message, .. }| {
            anyhow::anyhow!("{name}:{}:{}: {message}", span.start.line, span.start.column)
        })?;
        let documents: Vec<_> = documents.into_iter().filter(|document| !document.is_null()).collect();
        let [options] = documents.as_slice() else { bail!("{name} has {} documents; give one", documents.len()) };
        let options = options.to_string();
        for entry in engine.catalog() {
            let object = json!({"apiVersion": entry.kind.api_version, "kind": entry.kind.kind}).to_string();
            let operation = Operation::Create(object);
            let request = Request { operation, input: Some(options.clone()), lookups: Vec::new() };
            match engine.admit(&entry.kind, &request)? {
                Err(fault) if fault.cause == FaultCause::Input => {
                    let problems: Vec<_> = fault.problems.iter().map(said).collect();
                    bail!("{name}: {}", problems.join("; "));
                }
                _ => {} // what is wrong with an object without a spec is of no interest
            }
        }
        Ok(options.into())
    }
}
