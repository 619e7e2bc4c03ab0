//! The platform's options, from a file that is read again when it changes.

use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::{Arc, PoisonError, RwLock};

use anyhow::{Context as _, Result};
use serde_json::json;

use super::metrics::Metrics;
use super::tls::LOOK_EVERY;
use crate::engine::Engine;
use crate::problem::{line_with_help, places};
use crate::read;
use crate::wit::admit::{Operation, Request};
use crate::wit::types::FaultCause;

/// The largest file of options, in bytes. A ConfigMap is no larger.
const MAX_OPTIONS: usize = 1 << 20;

/// The options as JSON, which every module accepts. Clones share them.
#[derive(Clone, Debug, Default)]
pub(super) struct Options(Arc<RwLock<Option<Arc<str>>>>);

impl Options {
    /// The current options. `None` stands for the defaults.
    pub(super) fn now(&self) -> Option<Arc<str>> {
        self.0.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn replace(&self, options: Arc<str>) {
        *self.0.write().unwrap_or_else(PoisonError::into_inner) = Some(options);
    }
}

/// Options that are not taken up.
#[derive(Debug)]
struct WrongOptions {
    /// The reason, for their author.
    message: String,
    /// Where they are wrong, without values.
    logged: String,
}

impl fmt::Display for WrongOptions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for WrongOptions {}

/// The file with the options.
#[derive(Debug)]
pub(super) struct OptionsFile {
    path: PathBuf,
    /// Its content when it was last read, valid or not.
    seen: Vec<u8>,
}

impl OptionsFile {
    /// Reads the options for the first time.
    ///
    /// # Errors
    /// When the file cannot be read, or a module does not accept the options.
    pub(super) fn open(path: &Path, engine: &Engine, options: &Options) -> Result<Self> {
        let seen =
            read::file(path, MAX_OPTIONS).with_context(|| format!("cannot read options from {}", path.display()))?;
        let file = Self { path: path.to_owned(), seen };
        options.replace(file.checked(engine)?);
        Ok(file)
    }

    /// Reads the file again and again, and takes up changes, until the process ends.
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
                    tracing::error!("the options stay as they were: {}", error.logged);
                }
            }
        }
    }

    /// Takes up the content of the file when it has changed. Returns whether it has. Wrong content changes nothing.
    ///
    /// # Errors
    /// When the new content is wrong. It is an error once, not at each later call.
    fn refresh(&mut self, engine: &Engine, options: &Options) -> Result<bool, WrongOptions> {
        // While a volume is updated, there may be no file for a moment.
        let Ok(now) = read::file(&self.path, MAX_OPTIONS) else { return Ok(false) };
        if now == self.seen {
            return Ok(false);
        }
        self.seen = now;
        options.replace(self.checked(engine)?);
        Ok(true)
    }

    /// The options as JSON, when modules accept them for every kind.
    fn checked(&self, engine: &Engine) -> Result<Arc<str>, WrongOptions> {
        let name = self.path.display();
        let wrong = |place: String, what: &str| WrongOptions { message: format!("{place}{what}"), logged: place };
        let text = std::str::from_utf8(&self.seen)
            .map_err(|error| wrong(name.to_string(), &format!(" is not UTF-8: {error}")))?;
        let documents: Result<Vec<_>, _> = yaml::values(text).into_iter().collect();
        let documents = documents.map_err(|yaml::Error { span, message, .. }| {
            wrong(format!("{name}:{}:{}", span.start.line, span.start.column), &format!(": {message}"))
        })?;
        let documents: Vec<_> = documents.into_iter().filter(|document| !document.is_null()).collect();
        let [options] = documents.as_slice() else {
            return Err(wrong(name.to_string(), &format!(" has {} documents; give one", documents.len())));
        };
        let options = options.to_string();
        for entry in engine.catalog() {
            let object = json!({"apiVersion": entry.kind.api_version, "kind": entry.kind.kind}).to_string();
            let operation = Operation::Create(object);
            let request = Request { operation, input: Some(options.clone()), lookups: Vec::new() };
            match engine.admit(&entry.kind, &request) {
                Ok(Err(fault)) if fault.cause == FaultCause::Input => {
                    let problems: Vec<_> = fault.problems.iter().map(line_with_help).collect();
                    let logged = format!("{name}: {}", places(&fault.problems));
                    return Err(WrongOptions { message: format!("{name}: {}", problems.join("; ")), logged });
                }
                Ok(_) => {} // problems of the object, which has no spec, do not matter
                Err(failure) => return Err(wrong(name.to_string(), &format!(": {failure}"))),
            }
        }
        Ok(options.into())
    }
}
