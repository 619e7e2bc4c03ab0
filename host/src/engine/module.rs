//! A loaded module: its code, its catalog and its instances.

use std::path::Path;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use anyhow::{Context as _, Result, anyhow};
use wasmtime::component::{Component, Linker};
use wasmtime::{Config, Engine, InstanceAllocationStrategy, PoolingAllocationConfig};

use super::instance::{Failure, Instance, InstanceState, Settings, one_line};
use super::tuning;
use crate::read;
use crate::wit::{CompositionModulePre, admit, catalog, compose, expressions, preview, types};

/// The default module's code, compiled for the target by the build script.
static DEFAULT_CODE: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/component.cwasm"));

/// The largest number of instances at once. Each call in flight needs one.
const INSTANCES: u32 = 256;

/// The largest file of a component, in bytes.
const MAX_COMPONENT: usize = 256 << 20;

/// A loaded module.
pub(super) struct Module {
    pre: CompositionModulePre<InstanceState>,
    settings: Settings,
    contents: catalog::Contents,
    /// Instances without a call, which may serve another one. Empty when instances are not reused.
    idle: Mutex<Vec<Instance>>,
}

/// The wasmtime engine that modules run on.
pub(super) fn engine(settings: &Settings) -> Result<Engine> {
    let mut pool = PoolingAllocationConfig::default();
    pool.total_component_instances(INSTANCES)
        .total_core_instances(INSTANCES)
        .total_memories(INSTANCES)
        .total_tables(INSTANCES)
        .max_memory_size(settings.memory);
    let mut config = Config::new();
    tuning::tune(&mut config);
    config.allocation_strategy(InstanceAllocationStrategy::Pooling(pool));
    Ok(Engine::new(&config)?)
}

impl Module {
    /// The default module.
    pub(super) fn embedded(engine: &Engine, settings: Settings) -> Result<Self> {
        #[expect(unsafe_code, reason = "the bytes are this build's own output, compiled with the same settings")]
        // SAFETY: `DEFAULT_CODE` is what `precompile_component` gave the build script.
        let component = unsafe { Component::deserialize(engine, DEFAULT_CODE)? };
        #[cfg(target_os = "linux")]
        super::pages::give_back(DEFAULT_CODE);
        Self::new(engine, settings, &component)
    }

    /// The component in a file.
    pub(super) fn from_file(engine: &Engine, settings: Settings, file: &Path) -> Result<Self> {
        let bytes = read::file(file, MAX_COMPONENT).context("cannot read it")?;
        let component = Component::new(engine, bytes).map_err(|error| anyhow!(one_line(&error)));
        let component = component.context("it is not a WebAssembly component")?;
        Self::new(engine, settings, &component)
    }

    fn new(engine: &Engine, settings: Settings, component: &Component) -> Result<Self> {
        let linked = Linker::new(engine).instantiate_pre(component).map_err(|error| anyhow!(one_line(&error)));
        let linked = linked.context("it needs imports, and a module gets none")?;
        let pre = CompositionModulePre::new(linked).map_err(|error| anyhow!(one_line(&error)));
        let pre = pre.context("it does not export world `composition-module`")?;
        let contents = Instance::new(&pre, &settings)?.describe()?;
        Ok(Self { pre, settings, contents, idle: Mutex::default() })
    }

    /// The module's catalog, read when the module was loaded.
    pub(super) fn contents(&self) -> &catalog::Contents {
        &self.contents
    }

    pub(super) fn compose(
        &self,
        request: &compose::Request,
    ) -> Result<Result<compose::Response, types::Fault>, Failure> {
        self.call(|instance| instance.compose(request))
    }

    /// Judges within `time`.
    pub(super) fn admit(
        &self,
        request: &admit::Request,
        time: Duration,
    ) -> Result<Result<admit::Verdict, types::Fault>, Failure> {
        self.call(|instance| instance.admit(request, time))
    }

    pub(super) fn preview(&self, request: &preview::Request) -> Result<preview::Response, Failure> {
        self.call(|instance| instance.preview(request))
    }

    pub(super) fn check(&self, sources: &[preview::Source], input: Option<&str>) -> Result<preview::Findings, Failure> {
        self.call(|instance| instance.check(sources, input))
    }

    pub(super) fn evaluate(&self, request: &expressions::Request) -> Result<Vec<expressions::Outcome>, Failure> {
        self.call(|instance| instance.evaluate(request))
    }

    /// Makes one call on an instance. An instance whose call fails is thrown away, since its state is unknown.
    fn call<T>(&self, call: impl FnOnce(&mut Instance) -> Result<T, Failure>) -> Result<T, Failure> {
        let idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner).pop();
        let mut instance = match idle {
            Some(instance) => instance,
            None => Instance::new(&self.pre, &self.settings)?,
        };
        let answer = call(&mut instance)?;
        if self.settings.may_reuse(&instance) {
            self.idle.lock().unwrap_or_else(PoisonError::into_inner).push(instance);
        }
        Ok(answer)
    }
}
