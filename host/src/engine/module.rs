//! A loaded module: its code, its catalog and its instances.

use std::ops::AddAssign;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context as _, Result, anyhow};
use wasmtime::component::{Component, Linker};
use wasmtime::{Config, Engine, InstanceAllocationStrategy, PoolingAllocationConfig};

use super::clock::Clock;
use super::compile::compile;
use super::idle::Idle;
use super::inspect::inspect;
use super::instance::{Failure, Instance, InstanceState, one_line};
use super::settings::{Settings, processors};
use super::share::Share;
use super::tuning;
use super::turns::Turns;
use crate::read;
use crate::traces::ModuleSpan;
use crate::wit::{CompositionModulePre, admit, catalog, compose, expressions, plan, preview, types};

/// The default module's code, compiled for the target by the build script.
static DEFAULT_CODE: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/component.cwasm"));

/// What it says of itself, in JSON. The build script has asked it.
static DEFAULT_CONTENTS: &str = include_str!(concat!(env!("OUT_DIR"), "/contents.json"));

/// The largest file of a component, in bytes.
const MAX_COMPONENT: usize = 64 << 20;

/// The largest number of core instances, memories or tables of an instance. Ours has one of each.
const PARTS: u32 = 4;

/// An instance with more memory than this is not reused, so that its memory is given back.
const KEEP_BELOW: usize = 16 << 20;

/// A loaded module.
pub(super) struct Module {
    pre: CompositionModulePre<InstanceState>,
    settings: Settings,
    clock: Arc<Clock>,
    share: Arc<Share>,
    contents: catalog::Contents,
    /// Empty when instances are not reused.
    idle: Arc<Idle>,
    turns: Turns,
}

/// What a module uses.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Usage {
    /// Instances with a call.
    pub(crate) busy: usize,
    /// Instances without a call.
    pub(crate) idle: usize,
    /// The memory of all instances, in bytes.
    pub(crate) memory: usize,
    /// Calls that wait for their turn.
    pub(crate) waiting: usize,
}

impl AddAssign for Usage {
    fn add_assign(&mut self, other: Self) {
        self.busy += other.busy;
        self.idle += other.idle;
        self.memory += other.memory;
        self.waiting += other.waiting;
    }
}

/// The wasmtime engine that so many modules run on, with space for the instances of each.
pub(super) fn engine(settings: &Settings, modules: usize) -> Result<Engine> {
    let instances = u32::try_from(modules.saturating_mul(instances(settings)))?;
    let parts = instances.saturating_mul(PARTS);
    let mut pool = PoolingAllocationConfig::default();
    pool.total_component_instances(instances)
        .total_core_instances(parts)
        .total_memories(parts)
        .total_tables(parts)
        .max_core_instances_per_component(PARTS)
        .max_memories_per_component(PARTS)
        .max_tables_per_component(PARTS)
        .max_memory_size(settings.memory);
    let mut config = Config::new();
    tuning::tune(&mut config);
    config.allocation_strategy(InstanceAllocationStrategy::Pooling(pool));
    Ok(Engine::new(&config)?)
}

/// The number of instances of a module: those with a call, and those that are idle.
fn instances(settings: &Settings) -> usize {
    settings.calls.saturating_add(most_idle())
}

/// The number of idle instances of a module. Not more than these can be busy with a processor each at once.
fn most_idle() -> usize {
    processors().clamp(2, 8)
}

impl Module {
    /// The default module.
    pub(super) fn embedded(engine: &Engine, clock: &Arc<Clock>, settings: Settings) -> Result<Self> {
        #[expect(unsafe_code, reason = "the bytes are this build's own output, compiled with the same settings")]
        // SAFETY: `DEFAULT_CODE` is what `precompile_component` gave the build script.
        let component = unsafe { Component::deserialize(engine, DEFAULT_CODE)? };
        #[cfg(target_os = "linux")]
        super::pages::give_back(DEFAULT_CODE);
        let contents = serde_json::from_str(DEFAULT_CONTENTS).context("its catalog is not as it was built")?;
        Self::new(clock, settings, &component, contents)
    }

    /// The component in a file.
    pub(super) fn from_file(engine: &Engine, clock: &Arc<Clock>, settings: Settings, file: &Path) -> Result<Self> {
        let bytes = read::file(file, MAX_COMPONENT).context("cannot read it")?;
        inspect(&bytes)?;
        let component = compile(engine, bytes, &settings).context("it cannot be compiled")?;
        let mut module = Self::new(clock, settings, &component, none())?;
        module.contents = module.describe()?;
        Ok(module)
    }

    fn new(clock: &Arc<Clock>, settings: Settings, component: &Component, contents: catalog::Contents) -> Result<Self> {
        let linked =
            Linker::new(component.engine()).instantiate_pre(component).map_err(|error| anyhow!(one_line(&error)));
        let linked = linked.context("it needs imports, and a module gets none")?;
        let pre = CompositionModulePre::new(linked).map_err(|error| anyhow!(one_line(&error)));
        let pre = pre.context("it does not export world `composition-module`")?;
        let module = Self {
            pre,
            clock: Arc::clone(clock),
            share: Share::new(instances(&settings), settings.memory_of_all),
            contents,
            idle: Arc::new(Idle::new(most_idle())),
            turns: Turns::new(settings.calls, settings.requests),
            settings,
        };
        clock.look_after(Arc::clone(&module.idle));
        Ok(module)
    }

    /// What the module says of itself.
    fn describe(&self) -> Result<catalog::Contents, Failure> {
        self.call("describe", Instance::describe)
    }

    /// What the module uses now.
    pub(super) fn usage(&self) -> Usage {
        let idle = self.idle.count();
        Usage {
            busy: self.share.instances().saturating_sub(idle),
            idle,
            memory: self.share.memory(),
            waiting: self.turns.waiting(),
        }
    }

    /// The number of the module's calls at once.
    pub(super) fn calls(&self) -> usize {
        self.settings.calls
    }

    /// The turns of the module's calls.
    pub(super) fn turns(&self) -> &Turns {
        &self.turns
    }

    /// The module's catalog, read when the module was loaded.
    pub(super) fn contents(&self) -> &catalog::Contents {
        &self.contents
    }

    /// Composes within `time`.
    pub(super) fn compose(
        &self,
        request: &compose::Request,
        time: Duration,
    ) -> Result<Result<compose::Response, types::Fault>, Failure> {
        self.call("compose", |instance| instance.compose(request, time))
    }

    /// Judges within `time`.
    pub(super) fn admit(
        &self,
        request: &admit::Request,
        time: Duration,
    ) -> Result<Result<admit::Verdict, types::Fault>, Failure> {
        self.call("admit", |instance| instance.admit(request, time))
    }

    pub(super) fn preview(&self, request: &preview::Request) -> Result<preview::Response, Failure> {
        self.call("preview", |instance| instance.preview(request))
    }

    pub(super) fn check(&self, sources: &[preview::Source], input: Option<&str>) -> Result<preview::Findings, Failure> {
        self.call("check", |instance| instance.check(sources, input))
    }

    pub(super) fn plan(&self, request: &plan::Request) -> Result<plan::Response, Failure> {
        self.call("plan", |instance| instance.plan(request))
    }

    pub(super) fn evaluate(&self, request: &expressions::Request) -> Result<Vec<expressions::Outcome>, Failure> {
        self.call("evaluate", |instance| instance.evaluate(request))
    }

    /// Calls a door.
    fn call<T>(
        &self,
        door: &'static str,
        call: impl FnOnce(&mut Instance) -> Result<T, Failure>,
    ) -> Result<T, Failure> {
        let span = ModuleSpan::begin(&self.contents.name, door);
        let answer = self.call_instance(call);
        if let Err(failure) = &answer {
            span.failed(failure.name());
        }
        answer
    }

    /// Makes one call on an instance. An instance whose call fails is thrown away, since its state is unknown.
    fn call_instance<T>(&self, call: impl FnOnce(&mut Instance) -> Result<T, Failure>) -> Result<T, Failure> {
        let _ticking = self.clock.tick();
        let mut instance = match self.idle.take() {
            Some(instance) => instance,
            None => self.instance()?,
        };
        let answer = call(&mut instance)?;
        if self.settings.reuse && instance.memory() <= KEEP_BELOW {
            self.idle.keep(instance);
        }
        Ok(answer)
    }

    fn instance(&self) -> Result<Instance, Failure> {
        let Settings { memory, deadline, .. } = self.settings;
        let place = self.share.place().ok_or_else(|| Failure::Instance("too many calls at once".to_owned()))?;
        Instance::new(&self.pre, place, memory, deadline)
    }
}

/// The catalog of a module that was not asked yet.
fn none() -> catalog::Contents {
    catalog::Contents { name: String::new(), version: String::new(), kinds: Vec::new(), inputs: Vec::new() }
}

#[cfg(test)]
mod tests {
    use std::time::Instant;

    use super::super::idle::KEPT_FOR;
    use super::*;

    #[test]
    fn the_default_module_says_what_the_build_has_kept() {
        let settings = Settings::default();
        let engine = engine(&settings, 1).unwrap();
        let clock = Arc::new(Clock::start(&engine).unwrap());
        let module = Module::embedded(&engine, &clock, settings).unwrap();
        assert!(!module.contents().kinds.is_empty());
        assert!(module.describe().unwrap() == *module.contents());
    }

    #[test]
    fn idle_instances_are_few_and_given_back() {
        let settings = Settings::default();
        let engine = engine(&settings, 1).unwrap();
        let clock = Arc::new(Clock::start(&engine).unwrap());
        let module = Module::embedded(&engine, &clock, settings).unwrap();
        let all: Vec<_> = (0..most_idle() + 2).map(|_| module.instance().unwrap()).collect();
        assert!(module.usage().memory > 0);
        for instance in all {
            module.idle.keep(instance);
        }
        let Usage { busy, idle, .. } = module.usage();
        assert_eq!((busy, idle), (0, most_idle()));
        let now = Instant::now();
        let next = module.idle.give_back(now).expect("some are idle");
        assert!(next > now && next <= now + KEPT_FOR);
        assert_eq!((module.idle.give_back(now + KEPT_FOR), module.usage().memory), (None, 0));
    }
}
