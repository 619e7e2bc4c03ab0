//! Runs composition modules: loads them and sends each call to the module that has the kind. When a module fails, the
//! host and other calls continue.

mod caller;
mod carried;
mod cascade;
mod clock;
mod compile;
mod findings;
mod idle;
mod inspect;
mod instance;
mod module;
#[cfg(target_os = "linux")]
mod pages;
mod settings;
mod share;
mod steps;
mod tuning;
mod turns;

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context as _, Result, ensure};

use crate::wit::{admit, catalog, compose, expressions, plan, preview, types};

pub(crate) use caller::Caller;
pub(crate) use clock::Clock;
pub use instance::Failure;
use module::{Module, Usage};
pub use settings::Settings;
pub(crate) use settings::processors;
pub(crate) use turns::{Busy, Turn};

/// The default module: the component that is built into this binary.
pub static DEFAULT_COMPONENT: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/component.wasm"));

/// Loaded modules, which any thread may call.
#[derive(Clone)]
pub struct Engine {
    modules: Arc<[Module]>,
    /// Which module has which kind, by API version and kind.
    routes: Arc<BTreeMap<(String, String), usize>>,
    /// Which module has which kind of step input that acts on composites of any kind.
    steps: Arc<BTreeMap<(String, String), usize>>,
    clock: Arc<Clock>,
}

impl Engine {
    /// Loads the default module, unless `skip_default`, and the components in `files`. When two modules have the same
    /// kind, the later module serves it.
    ///
    /// # Errors
    /// When a file cannot be read, is no component of this world or needs an import, when its catalog fails, and when
    /// there is no module at all.
    pub fn load(settings: &Settings, skip_default: bool, files: &[impl AsRef<Path>]) -> Result<Self> {
        ensure!(
            !skip_default || !files.is_empty(),
            "no module to run: without the default one, give at least one --module"
        );
        let engine = module::engine(settings, files.len() + usize::from(!skip_default))?;
        let clock = Arc::new(Clock::start(&engine)?);
        let mut modules = Vec::new();
        if !skip_default {
            modules
                .push(Module::embedded(&engine, &clock, settings.clone()).context("cannot load the default module")?);
        }
        for file in files {
            let file = file.as_ref();
            let module = Module::from_file(&engine, &clock, settings.clone(), file);
            modules.push(module.with_context(|| format!("cannot load module {}", file.display()))?);
        }
        let (mut routes, mut steps) = (BTreeMap::new(), BTreeMap::new());
        for (index, module) in modules.iter().enumerate() {
            for entry in &module.contents().kinds {
                routes.insert(route(&entry.kind), index);
            }
            let inputs = module.contents().inputs.iter().filter(|input| input.acts_on == catalog::ActsOn::AnyKind);
            steps.extend(inputs.map(|input| (route(&input.kind), index)));
        }
        Ok(Self { modules: modules.into(), routes: Arc::new(routes), steps: Arc::new(steps), clock })
    }

    /// The kinds that the modules serve: of each module those that no later module has.
    pub fn catalog(&self) -> impl Iterator<Item = &catalog::Entry> {
        self.modules.iter().enumerate().flat_map(move |(index, module)| {
            module.contents().kinds.iter().filter(move |entry| self.routes.get(&route(&entry.kind)) == Some(&index))
        })
    }

    /// The catalogs of the loaded modules, in the order of the modules.
    pub fn contents(&self) -> impl Iterator<Item = &catalog::Contents> {
        self.modules.iter().map(Module::contents)
    }

    /// Whether a module has `kind`.
    pub(crate) fn has(&self, kind: &types::KindRef) -> bool {
        self.routes.contains_key(&route(kind))
    }

    /// Waits for a turn to call the module that composes or judges a kind, with a request of so many bytes. Calls of one
    /// module do not wait for calls of others.
    ///
    /// # Errors
    /// When too many calls of the module wait already.
    pub(crate) async fn turn(
        &self,
        kind: &types::KindRef,
        input: Option<&types::KindRef>,
        bytes: usize,
    ) -> Result<Turn, Busy> {
        match self.composing(kind, input) {
            Ok(module) => module.turns().next(bytes).await,
            Err(_) => Ok(Turn::default()),
        }
    }

    /// The clock of the calls that run.
    pub(crate) fn clock(&self) -> &Arc<Clock> {
        &self.clock
    }

    /// What each module uses now, by its name.
    pub(crate) fn usage(&self) -> BTreeMap<&str, Usage> {
        let mut usage: BTreeMap<_, Usage> = BTreeMap::new();
        for module in self.modules.iter() {
            *usage.entry(module.contents().name.as_str()).or_default() += module.usage();
        }
        usage
    }

    /// The number of calls at once, of all modules together.
    pub(crate) fn calls(&self) -> usize {
        self.modules.iter().map(Module::calls).sum()
    }

    /// Composes. When a module has a step input of kind `input` that acts on composites of any kind, that module
    /// composes; otherwise the module that has `kind`.
    ///
    /// # Errors
    /// When the module traps, meets its deadline or runs out of memory.
    pub fn compose(
        &self,
        kind: &types::KindRef,
        input: Option<&types::KindRef>,
        request: &compose::Request,
    ) -> Result<Result<compose::Response, types::Fault>, Failure> {
        self.compose_within(Duration::MAX, kind, input, request)
    }

    /// Composes as [`Self::compose`], within `time`.
    ///
    /// # Errors
    /// When the module traps, takes longer than `time` or a call may, or runs out of memory.
    pub fn compose_within(
        &self,
        time: Duration,
        kind: &types::KindRef,
        input: Option<&types::KindRef>,
        request: &compose::Request,
    ) -> Result<Result<compose::Response, types::Fault>, Failure> {
        match self.composing(kind, input) {
            Ok(module) => module.compose(request, time),
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

    /// Judges with the module that has `kind`, within `time`.
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

    /// Previews texts that hold composites of `kinds`. The module that has a composite's kind composes it. When no
    /// module has any of the kinds, the last module answers. A step of another module in a composite's pipeline is run by
    /// that module, as in [`Self::compose`]. A module is called more than once only because of such steps, or in a
    /// cascade, when other modules compose objects that concern it.
    ///
    /// # Errors
    /// When a module traps, meets its deadline or runs out of memory.
    pub fn preview(&self, kinds: &[types::KindRef], request: &preview::Request) -> Result<preview::Response, Failure> {
        let mut first: BTreeSet<_> = kinds.iter().filter_map(|kind| self.routes.get(&route(kind)).copied()).collect();
        if first.is_empty() {
            first.insert(self.modules.len() - 1);
        }
        let kinds_of_module: Vec<_> = (0..self.modules.len()).map(|index| self.kinds_of_module(index)).collect();
        cascade::preview(&kinds_of_module, first, request, |index, request| self.preview_in(index, request))
    }

    /// Previews with one module. The steps of other modules are run by those modules.
    fn preview_in(&self, index: usize, request: &preview::Request) -> Result<preview::Response, Failure> {
        let foreign = self.steps.iter().filter(|(_, module)| **module != index);
        let inputs = foreign
            .map(|((api_version, kind), _)| types::KindRef { api_version: api_version.clone(), kind: kind.clone() });
        let run = |step: &preview::ForeignStep| match self.steps.get(&route(&step.input)) {
            Some(&index) => self.modules[index].compose(&step.request, Duration::MAX),
            None => Ok(Err(self.unknown(&step.input))),
        };
        steps::preview(inputs.collect(), request, |request| self.modules[index].preview(request), run)
    }

    /// Checks texts, each document with the module that has its kind. The text `input` holds the platform's options.
    ///
    /// # Errors
    /// When a module traps, meets its deadline or runs out of memory.
    pub fn check(&self, sources: &[preview::Source], input: Option<&str>) -> Result<preview::Findings, Failure> {
        let answers = self.modules.iter().map(|module| module.check(sources, input)).collect::<Result<Vec<_>, _>>()?;
        Ok(findings::merge(answers, |kind| self.routes.get(&route(kind)).copied()))
    }

    /// Plans the places of what is in texts. Each module plans those of its own kinds.
    ///
    /// # Errors
    /// When a module traps, meets its deadline or runs out of memory.
    pub fn plan(&self, request: &plan::Request) -> Result<plan::Response, Failure> {
        let mut merged = plan::Response { subjects: Vec::new(), stock: Vec::new(), diagnostics: Vec::new() };
        for module in self.modules.iter() {
            let answer = module.plan(request)?;
            merged.subjects.extend(answer.subjects);
            merged.stock.extend(answer.stock);
            for diagnostic in answer.diagnostics {
                // Each module reads all texts.
                if !merged.diagnostics.contains(&diagnostic) {
                    merged.diagnostics.push(diagnostic);
                }
            }
        }
        Ok(merged)
    }

    /// Tries expressions with the last module.
    ///
    /// # Errors
    /// When the module traps, meets its deadline or runs out of memory.
    pub fn evaluate(&self, request: &expressions::Request) -> Result<Vec<expressions::Outcome>, Failure> {
        self.last().evaluate(request)
    }

    /// The module that composes `kind` with a step input of kind `input`.
    fn composing(&self, kind: &types::KindRef, input: Option<&types::KindRef>) -> Result<&Module, types::Fault> {
        match input.and_then(|input| self.steps.get(&route(input))) {
            Some(&index) => Ok(&self.modules[index]),
            None => self.serving(kind),
        }
    }

    /// The module that has `kind`. The last module serves requests without a composite. When there is only one module,
    /// it serves every kind: its own answer names the kinds that it knows.
    fn serving(&self, kind: &types::KindRef) -> Result<&Module, types::Fault> {
        match self.routes.get(&route(kind)) {
            Some(&index) => Ok(&self.modules[index]),
            None if kind.kind.is_empty() || self.modules.len() == 1 => Ok(self.last()),
            None => Err(self.unknown(kind)),
        }
    }

    /// The kinds that a module composes and looks up, and those of other modules.
    fn kinds_of_module(&self, index: usize) -> cascade::ModuleKinds {
        let (own, foreign): (Vec<_>, Vec<_>) = self.routes.iter().partition(|(_, module)| **module == index);
        let composes: BTreeSet<_> = own.into_iter().map(|(route, _)| route.clone()).collect();
        let entries = self.modules[index].contents().kinds.iter();
        let served = entries.filter(|entry| composes.contains(&route(&entry.kind)));
        let foreign = foreign
            .into_iter()
            .map(|((api_version, kind), _)| types::KindRef { api_version: api_version.clone(), kind: kind.clone() });
        cascade::ModuleKinds {
            sees: served
                .flat_map(|entry| entry.looks_up.iter().chain(&entry.composes))
                .map(|resource| route(&resource.kind))
                .collect(),
            foreign: foreign.collect(),
            composes,
        }
    }

    fn last(&self) -> &Module {
        &self.modules[self.modules.len() - 1]
    }

    /// The fault for a kind that none of several modules has.
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
