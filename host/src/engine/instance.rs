//! An instance of a module, and its limits.

use std::fmt;
use std::time::{Duration, Instant};

use wasmtime::{ResourceLimiter, Store, Trap, UpdateDeadline};

use super::caller::Caller;
use super::share::Place;
use crate::causes::joined;
use crate::wit::{CompositionModule, CompositionModulePre, admit, catalog, compose, expressions, plan, preview, types};

/// Why a module gave no answer. Its instance is thrown away; other instances are not affected.
#[derive(Debug)]
pub enum Failure {
    /// The call took longer than the deadline.
    Deadline(Duration),
    /// The instance wanted more memory than the limit.
    Memory(usize),
    /// The instance wanted more memory than the limit of all instances of the module together leaves.
    MemoryOfAll(usize),
    /// Nobody waits for the answer any more.
    GivenUp,
    /// The module trapped, or broke the contract.
    Trap(String),
    /// The instance could not be created.
    Instance(String),
}

impl Failure {
    /// The failure in a word, for traces.
    pub(super) fn name(&self) -> &'static str {
        match self {
            Self::Deadline(_) => "deadline",
            Self::Memory(_) | Self::MemoryOfAll(_) => "memory",
            Self::GivenUp => "given up",
            Self::Trap(_) => "trap",
            Self::Instance(_) => "no instance",
        }
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Deadline(limit) => write!(f, "the module did not answer within {} s", limit.as_secs_f64()),
            Self::Memory(limit) => write!(f, "the module needs more than {} MiB of memory", limit >> 20),
            Self::MemoryOfAll(limit) => {
                write!(f, "the calls of the module need more than {} MiB of memory together", limit >> 20)
            }
            Self::GivenUp => f.write_str("nobody waits for the answer any more"),
            Self::Trap(what) => write!(f, "the module stopped: {what}"),
            Self::Instance(what) => write!(f, "no instance of the module could be made: {what}"),
        }
    }
}

impl std::error::Error for Failure {}

/// What the host knows of an instance.
#[derive(Debug)]
pub(super) struct InstanceState {
    place: Place,
    /// The largest memory of the instance, in bytes.
    limit: usize,
    /// Why the instance did not get more memory, when it asked for more.
    refused: Option<Refused>,
    /// When the call must be done.
    deadline: Option<Instant>,
    caller: Caller,
    /// Why the call was ended.
    ended: Option<Ended>,
}

/// Why memory was refused.
#[derive(Clone, Copy, Debug)]
enum Refused {
    /// The limit of the instance.
    Limit,
    /// The limit of all instances of the module.
    Share,
}

/// Why a call was ended.
#[derive(Clone, Copy, Debug)]
enum Ended {
    Deadline,
    GivenUp,
}

impl InstanceState {
    /// Begins a call.
    fn begin(&mut self, deadline: Duration) {
        self.deadline = Instant::now().checked_add(deadline);
        self.caller = Caller::current();
        self.refused = None;
        self.ended = None;
    }

    /// Decides at each tick of the clock whether the call goes on.
    fn tick(&mut self) -> UpdateDeadline {
        self.ended = if self.caller.gave_up() {
            Some(Ended::GivenUp)
        } else if self.deadline.is_some_and(|deadline| deadline <= Instant::now()) {
            Some(Ended::Deadline)
        } else {
            None
        };
        match self.ended {
            Some(_) => UpdateDeadline::Interrupt,
            None => UpdateDeadline::Continue(1),
        }
    }
}

impl ResourceLimiter for InstanceState {
    fn memory_growing(&mut self, current: usize, desired: usize, _maximum: Option<usize>) -> wasmtime::Result<bool> {
        let more = desired.saturating_sub(current);
        self.refused = if self.place.memory().saturating_add(more) > self.limit {
            Some(Refused::Limit)
        } else if self.place.grow(more) {
            None
        } else {
            Some(Refused::Share)
        };
        Ok(self.refused.is_none())
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
    /// An instance with a place in the share of its module. It may have `limit` bytes of memory, and each call may take
    /// until `deadline`.
    pub(super) fn new(
        pre: &CompositionModulePre<InstanceState>,
        place: Place,
        limit: usize,
        deadline: Duration,
    ) -> Result<Self, Failure> {
        let caller = Caller::default();
        let state = InstanceState { place, limit, refused: None, deadline: None, caller, ended: None };
        let mut store = Store::new(pre.engine(), state);
        store.limiter(|state| state);
        store.epoch_deadline_callback(|mut store| Ok(store.data_mut().tick()));
        store.set_epoch_deadline(1);
        store.data_mut().begin(deadline);
        let exports =
            pre.instantiate(&mut store).map_err(|error| failure(store.data(), deadline, &error, Failure::Instance))?;
        Ok(Self { store, exports, deadline })
    }

    /// The memory of the instance, in bytes.
    pub(super) fn memory(&self) -> usize {
        self.store.data().place.memory()
    }

    pub(super) fn describe(&mut self) -> Result<catalog::Contents, Failure> {
        self.call(|exports, store| exports.sailplane_composition_catalog().call_describe(store))
    }

    /// Composes within `time`.
    pub(super) fn compose(
        &mut self,
        request: &compose::Request,
        time: Duration,
    ) -> Result<Result<compose::Response, types::Fault>, Failure> {
        let within = self.deadline.min(time);
        self.call_within(within, |exports, store| exports.sailplane_composition_compose().call_compose(store, request))
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

    pub(super) fn plan(&mut self, request: &plan::Request) -> Result<plan::Response, Failure> {
        self.call(|exports, store| exports.sailplane_composition_plan().call_plan(store, request))
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
        self.store.data_mut().begin(deadline);
        self.store.set_epoch_deadline(1);
        if self.store.data().caller.gave_up() {
            return Err(Failure::GivenUp);
        }
        call(&self.exports, &mut self.store)
            .map_err(|error| failure(self.store.data(), deadline, &error, Failure::Trap))
    }
}

/// Why a call failed. `other` makes the failure of an error that is no trap.
fn failure(
    state: &InstanceState,
    deadline: Duration,
    error: &wasmtime::Error,
    other: fn(String) -> Failure,
) -> Failure {
    match (state.ended, state.refused, error.downcast_ref::<Trap>()) {
        (Some(Ended::Deadline), ..) => Failure::Deadline(deadline),
        (Some(Ended::GivenUp), ..) => Failure::GivenUp,
        (None, Some(Refused::Limit), _) => Failure::Memory(state.limit),
        (None, Some(Refused::Share), _) => Failure::MemoryOfAll(state.place.most()),
        (None, None, Some(trap)) => Failure::Trap(trap.to_string()),
        (None, None, None) => other(one_line(error)),
    }
}

/// The error and its causes, in one line.
pub(super) fn one_line(error: &wasmtime::Error) -> String {
    joined(&format!("{error:#}"))
}
