//! An instance of a module, and its limits.

use std::time::Duration;
use std::{fmt, thread};

use wasmtime::{Engine, ResourceLimiter, Store, Trap};

use crate::wit::{CompositionModule, CompositionModulePre, admit, catalog, compose, expressions, preview, types};

/// How often a running call compares its deadline with the clock.
const TICK: Duration = Duration::from_millis(10);

/// An instance with more memory than this is not reused, so that its memory is given back.
const KEEP_BELOW: usize = 16 << 20;

/// Why a module gave no answer. Its instance is thrown away; other instances are not affected.
#[derive(Debug)]
pub enum Failure {
    /// The call took longer than the deadline.
    Deadline(Duration),
    /// The instance wanted more memory than the limit.
    Memory(usize),
    /// The module trapped, or broke the contract.
    Trap(String),
    /// The instance could not be created.
    Instance(String),
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Deadline(limit) => write!(f, "the module did not answer within {} s", limit.as_secs_f64()),
            Self::Memory(limit) => write!(f, "the module needs more than {} MiB of memory", limit >> 20),
            Self::Trap(what) => write!(f, "the module stopped: {what}"),
            Self::Instance(what) => write!(f, "no instance of the module could be made: {what}"),
        }
    }
}

impl std::error::Error for Failure {}

/// How modules are run.
#[derive(Clone, Debug)]
pub struct Settings {
    /// The largest memory of an instance, in bytes.
    pub memory: usize,
    /// The deadline of a call.
    pub deadline: Duration,
    /// Whether an instance serves many calls. This changes the speed and nothing else.
    pub reuse: bool,
}

impl Default for Settings {
    fn default() -> Self {
        Self { memory: 1 << 30, deadline: Duration::from_secs(10), reuse: true }
    }
}

impl Settings {
    /// Whether an instance that has answered a call may serve another one.
    pub(super) fn may_reuse(&self, instance: &Instance) -> bool {
        self.reuse && instance.store.data().memory <= KEEP_BELOW
    }
}

/// Starts the clock of `engine`, which ticks until the process ends.
pub(super) fn start_clock(engine: &Engine) -> std::io::Result<()> {
    let engine = engine.weak();
    let tick = move || {
        while let Some(engine) = engine.upgrade() {
            engine.increment_epoch();
            drop(engine);
            thread::sleep(TICK);
        }
    };
    thread::Builder::new().name("epoch".to_owned()).spawn(tick).map(drop)
}

/// What the host knows of an instance.
#[derive(Debug)]
pub(super) struct InstanceState {
    /// Bytes of its linear memories.
    memory: usize,
    /// The largest number of such bytes.
    limit: usize,
    /// Whether the instance asked for more.
    refused: bool,
}

impl ResourceLimiter for InstanceState {
    fn memory_growing(&mut self, current: usize, desired: usize, _maximum: Option<usize>) -> wasmtime::Result<bool> {
        let total = self.memory - current + desired;
        self.refused = total > self.limit;
        if !self.refused {
            self.memory = total;
        }
        Ok(!self.refused)
    }

    fn table_growing(&mut self, _current: usize, _desired: usize, _maximum: Option<usize>) -> wasmtime::Result<bool> {
        Ok(true)
    }
}

/// An instance, ready for a call.
pub(super) struct Instance {
    store: Store<InstanceState>,
    exports: CompositionModule,
    deadline: Duration,
}

impl Instance {
    pub(super) fn new(pre: &CompositionModulePre<InstanceState>, settings: &Settings) -> Result<Self, Failure> {
        let state = InstanceState { memory: 0, limit: settings.memory, refused: false };
        let mut store = Store::new(pre.engine(), state);
        store.limiter(|state| state);
        store.set_epoch_deadline(ticks(settings.deadline));
        let exports = pre.instantiate(&mut store).map_err(|error| Failure::Instance(one_line(&error)))?;
        Ok(Self { store, exports, deadline: settings.deadline })
    }

    pub(super) fn describe(&mut self) -> Result<catalog::Contents, Failure> {
        self.call(|exports, store| exports.sailplane_composition_catalog().call_describe(store))
    }

    pub(super) fn compose(
        &mut self,
        request: &compose::Request,
    ) -> Result<Result<compose::Response, types::Fault>, Failure> {
        self.call(|exports, store| exports.sailplane_composition_compose().call_compose(store, request))
    }

    /// Judges within `time`.
    pub(super) fn admit(
        &mut self,
        request: &admit::Request,
        time: Duration,
    ) -> Result<Result<admit::Verdict, types::Fault>, Failure> {
        let within = self.deadline.min(time);
        self.call_within(within, |exports, store| exports.sailplane_composition_admit().call_admit(store, request))
    }

    pub(super) fn preview(&mut self, request: &preview::Request) -> Result<preview::Response, Failure> {
        self.call(|exports, store| exports.sailplane_composition_preview().call_preview(store, request))
    }

    pub(super) fn check(
        &mut self,
        sources: &[preview::Source],
        input: Option<&str>,
    ) -> Result<preview::Findings, Failure> {
        self.call(|exports, store| exports.sailplane_composition_preview().call_check(store, sources, input))
    }

    pub(super) fn evaluate(&mut self, request: &expressions::Request) -> Result<Vec<expressions::Outcome>, Failure> {
        self.call(|exports, store| exports.sailplane_composition_expressions().call_evaluate(store, request))
    }

    fn call<T>(
        &mut self,
        call: impl FnOnce(&CompositionModule, &mut Store<InstanceState>) -> wasmtime::Result<T>,
    ) -> Result<T, Failure> {
        self.call_within(self.deadline, call)
    }

    fn call_within<T>(
        &mut self,
        deadline: Duration,
        call: impl FnOnce(&CompositionModule, &mut Store<InstanceState>) -> wasmtime::Result<T>,
    ) -> Result<T, Failure> {
        self.store.set_epoch_deadline(ticks(deadline));
        call(&self.exports, &mut self.store).map_err(|error| self.failure(deadline, &error))
    }

    fn failure(&self, deadline: Duration, error: &wasmtime::Error) -> Failure {
        let InstanceState { refused, limit, .. } = *self.store.data();
        match error.downcast_ref::<Trap>() {
            Some(Trap::Interrupt) => Failure::Deadline(deadline),
            _ if refused => Failure::Memory(limit),
            Some(trap) => Failure::Trap(trap.to_string()),
            None => Failure::Trap(one_line(error)),
        }
    }
}

/// The deadline in ticks, rounded up, plus one because the current tick has begun already.
fn ticks(deadline: Duration) -> u64 {
    u64::try_from(deadline.as_millis().div_ceil(TICK.as_millis())).unwrap_or(u64::MAX).saturating_add(1)
}

/// The error and its causes, in one line.
pub(super) fn one_line(error: &wasmtime::Error) -> String {
    let text = format!("{error:#}");
    text.lines().map(str::trim).collect::<Vec<_>>().join(" ")
}
