//! Runs composition modules: loads them, routes each call to the module that has the kind, and contains
//! what goes wrong inside.

mod cascade;
mod findings;
mod instance;
mod module;
#[cfg(target_os = "linux")]
mod pages;
mod settings;
mod tuning;

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context as _, Result};

use crate::wit::{admit, catalog, compose, expressions, preview, types};

pub use instance::Failure;
use instance::Limits;
use module::Module;
pub use settings::Settings;

/// The default module: the component that this binary was built with.
pub static DEFAULT_COMPONENT: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/component.wasm"));

/// Loaded modules, ready to be called from any thread.
#[derive(Clone)]
pub struct Engine {
    modules: Arc<[Module]>,
    /// Which module has which kind, by API version and kind.
    routes: Arc<BTreeMap<(String, String), usize>>,
    /// Which module has which kind of step input that acts on composites of any kind.
    steps: Arc<BTreeMap<(String, String), usize>>,
}

impl Engine {
    /// Loads the default module, unless `skip_default`, and the components in `files`. Where two modules
    /// have a kind, the later one serves it.
    ///
    /// # Errors
    /// When a file cannot be read, is no component of this world, needs an import, or its catalog fails;
    /// and when nothing is loaded at all.
    pub fn load(settings: &Settings, skip_default: bool, files: &[impl AsRef<Path>]) -> Result<Self> {
        let limits = Limits::new(settings);
        let engine = module::engine(settings)?;
        instance::start_clock(&engine)?;
        let mut modules = Vec::new();
        if !skip_default {
            modules.push(Module::embedded(&engine, limits.clone()).context("cannot load the default module")?);
        }
        for file in files {
            let file = file.as_ref();
            let module = Module::from_file(&engine, limits.clone(), file);
            modules.push(module.with_context(|| format!("cannot load module {}", file.display()))?);
        }
        anyhow::ensure!(!modules.is_empty(), "no module to run: without the default one, give at least one --module");
        let (mut routes, mut steps) = (BTreeMap::new(), BTreeMap::new());
        for (index, module) in modules.iter().enumerate() {
            for entry in &module.contents().kinds {
                routes.insert(route(&entry.kind), index);
            }
            let inputs = module.contents().inputs.iter().filter(|input| input.acts_on == catalog::ActsOn::AnyKind);
            steps.extend(inputs.map(|input| (route(&input.kind), index)));
        }
        Ok(Self { modules: modules.into(), routes: Arc::new(routes), steps: Arc::new(steps) })
    }

    /// What the modules can do: the kinds that each serves here.
    pub fn catalog(&self) -> impl Iterator<Item = &catalog::Entry> {
        self.modules.iter().enumerate().flat_map(move |(index, module)| {
            module.contents().kinds.iter().filter(move |entry| self.routes.get(&route(&entry.kind)) == Some(&index))
        })
    }

    /// The loaded modules, in the order they were given.
    pub fn contents(&self) -> impl Iterator<Item = &catalog::Contents> {
        self.modules.iter().map(Module::contents)
    }

    /// Composes with the module whose step acts on composites of any kind with an input of kind `input`, and otherwise
    /// with the module that has `kind`.
    ///
    /// # Errors
    /// When the module traps, meets its deadline or runs out of memory.
    pub fn compose(
        &self,
        kind: &types::KindRef,
        input: Option<&types::KindRef>,
        request: &compose::Request,
    ) -> Result<Result<compose::Response, types::Fault>, Failure> {
        if let Some(&index) = input.and_then(|input| self.steps.get(&route(input))) {
            return self.modules[index].compose(request);
        }
        match self.serving(kind) {
            Ok(module) => module.compose(request),
            Err(unknown) => Ok(Err(unknown)),
        }
    }

    /// Judges with the module that has `kind`.
    ///
    /// # Errors
    /// When the module traps, meets its deadline or runs out of memory.
    pub fn admit(
        &self,
        kind: &types::KindRef,
        request: &admit::Request,
    ) -> Result<Result<admit::Verdict, types::Fault>, Failure> {
        match self.serving(kind) {
            Ok(module) => module.admit(request, Duration::MAX),
            Err(unknown) => Ok(Err(unknown)),
        }
    }

    /// Judges with the module that has `kind`, in no more than `time`.
    ///
    /// # Errors
    /// When the module traps, takes longer than `time` or a call may, or runs out of memory.
    pub fn admit_within(
        &self,
        time: Duration,
        kind: &types::KindRef,
        request: &admit::Request,
    ) -> Result<Result<admit::Verdict, types::Fault>, Failure> {
        match self.serving(kind) {
            Ok(module) => module.admit(request, time),
            Err(unknown) => Ok(Err(unknown)),
        }
    }

    /// Previews texts that hold composites of `kinds`, each composite with the module that has its kind. When no module
    /// has any of them the last one answers. Only what a cascade passes from one module to another has a module asked
    /// more than once.
    ///
    /// # Errors
    /// When a module traps, meets its deadline or runs out of memory.
    pub fn preview(&self, kinds: &[types::KindRef], request: &preview::Request) -> Result<preview::Response, Failure> {
        let mut first: BTreeSet<_> = kinds.iter().filter_map(|kind| self.routes.get(&route(kind)).copied()).collect();
        if first.is_empty() {
            first.insert(self.modules.len() - 1);
        }
        let concerns: Vec<_> = (0..self.modules.len()).map(|index| self.concerns(index)).collect();
        cascade::preview(&concerns, first, request, |index, request| self.modules[index].preview(request))
    }

    /// Checks texts, each document with the module that has its kind, under the platform's options in the text `input`.
    ///
    /// # Errors
    /// When a module traps, meets its deadline or runs out of memory.
    pub fn check(&self, sources: &[preview::Source], input: Option<&str>) -> Result<preview::Findings, Failure> {
        let answers = self.modules.iter().map(|module| module.check(sources, input)).collect::<Result<Vec<_>, _>>()?;
        Ok(findings::merge(answers, |kind| self.routes.get(&route(kind)).copied()))
    }

    /// Tries expressions with the last module.
    ///
    /// # Errors
    /// When the module traps, meets its deadline or runs out of memory.
    pub fn evaluate(&self, request: &expressions::Request) -> Result<Vec<expressions::Outcome>, Failure> {
        self.last().evaluate(request)
    }

    /// The module that has `kind`. Requests without a composite are for the last one, and so is every kind when
    /// there is only one module: its own answer says what it knows.
    fn serving(&self, kind: &types::KindRef) -> Result<&Module, types::Fault> {
        match self.routes.get(&route(kind)) {
            Some(&index) => Ok(&self.modules[index]),
            None if kind.kind.is_empty() || self.modules.len() == 1 => Ok(self.last()),
            None => Err(self.unknown(kind)),
        }
    }

    /// What a module has to do with kinds.
    fn concerns(&self, index: usize) -> cascade::Concerns {
        let (own, foreign): (Vec<_>, Vec<_>) = self.routes.iter().partition(|(_, module)| **module == index);
        let composes: BTreeSet<_> = own.into_iter().map(|(route, _)| route.clone()).collect();
        let entries = self.modules[index].contents().kinds.iter();
        let served = entries.filter(|entry| composes.contains(&route(&entry.kind)));
        let foreign = foreign
            .into_iter()
            .map(|((api_version, kind), _)| types::KindRef { api_version: api_version.clone(), kind: kind.clone() });
        cascade::Concerns {
            looks_up: served.flat_map(|entry| &entry.looks_up).map(|resource| route(&resource.kind)).collect(),
            foreign: foreign.collect(),
            composes,
        }
    }

    fn last(&self) -> &Module {
        &self.modules[self.modules.len() - 1]
    }

    /// What several modules together answer to a kind that none of them has.
    fn unknown(&self, kind: &types::KindRef) -> types::Fault {
        let (version, kind) = (&kind.api_version, &kind.kind);
        let known = self.routes.keys().map(|(version, kind)| (version.as_str(), kind.as_str()));
        let advice = match quantity::nearest_kind(known, version, kind) {
            Some((version, kind)) => format!("the nearest is `{version}` {kind}"),
            None => "`sailplane definitions --list` names those there are".to_owned(),
        };
        let problem = types::Problem {
            path: "kind".to_owned(),
            code: types::ProblemCode::NotSupported,
            message: format!("no kind `{version}` {kind}; {advice}"),
            fix: None,
            hint: None,
        };
        types::Fault { cause: types::FaultCause::UnknownKind, problems: vec![problem], conditions: Vec::new() }
    }
}

fn route(kind: &types::KindRef) -> (String, String) {
    (kind.api_version.clone(), kind.kind.clone())
}
