//! Devices of `resource.k8s.io`, and device selectors (`k8s.io/dynamic-resource-allocation/cel`).

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use quantity::{Quantity, Version};
use serde_json::Value as Json;

use crate::environment::Environment;
use crate::error::{CompileError, Reason, RunError};
use crate::explain::{self, Because};
use crate::fuel::{Limits, WORK};
use crate::program::Program;
use crate::types::Type;
use crate::value::key::Key;
use crate::value::text::Text;
use crate::value::{Entries, Map, Value};

/// The cost limit of evaluating one selector for one device, as in Kubernetes.
pub const BUDGET: u64 = 1_000_000;
/// The longest selector that the API server accepts, in bytes.
pub const MOST_BYTES: usize = 10 * 1024;

/// A device as selectors see it. It is converted once, and any number of selectors can then be evaluated for it.
#[derive(Clone, Debug)]
pub struct Device {
    /// The variable `device`. As in Kubernetes, an attribute that cannot be converted is an error of each evaluation.
    value: Result<Value<'static>, RunError>,
}

/// A compiled device selector.
pub struct Selector {
    program: Program,
    environment: Environment,
}

/// The result of evaluating a selector for a device.
#[derive(Clone, Debug)]
pub struct Match {
    /// Whether the selector matches the device. For the scheduler an error is not `false`: it ends the scheduling attempt.
    pub outcome: Result<bool, RunError>,
    /// The cost of the evaluation, in the units of the API server.
    pub cost: u64,
    /// The work that was counted, in units of about a nanosecond of native code.
    pub work: u64,
}

/// The JSON does not describe a device.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DeviceError {
    /// The path of the field, from the device (`capacity.memory.value`).
    pub path: String,
    /// What is wrong.
    pub message: String,
}

impl Selector {
    /// Compiles a selector. The type of its result must be boolean, or that of an attribute.
    ///
    /// # Errors
    /// [`CompileError`], as for [`Program::compile`].
    pub fn compile(text: &str) -> Result<Self, CompileError> {
        Self::compile_in(&Environment::device(), text)
    }

    /// Compiles a selector that may also be spelled as Modelplane v0.3.1 accepts it: every function of quantities and versions
    /// is both a global and a member function. A suffix without a number (`Mi`) is no quantity.
    ///
    /// # Errors
    /// As for [`compile`](Self::compile).
    pub fn compile_tolerant(text: &str) -> Result<Self, CompileError> {
        Self::compile_in(&Environment::tolerant_device(), text)
    }

    fn compile_in(environment: &Environment, text: &str) -> Result<Self, CompileError> {
        let accept = |ty: &Type| match ty {
            Type::Bool | Type::Any => Ok(()),
            other => Err(format!("must evaluate to bool or the unknown type, not {}", other.spelled())),
        };
        let program = Program::compile_if(environment, text, accept)?;
        Ok(Self { program, environment: environment.clone() })
    }

    /// Whether the selector matches the device. The cost limit is `budget`, but at most [`BUDGET`].
    pub fn matches(&self, device: &Device, budget: u64) -> Match {
        self.matches_within(device, Limits { cost: budget, work: WORK })
    }

    /// The same, with a limit of its own on the work too.
    pub fn matches_within(&self, device: &Device, limits: Limits) -> Match {
        let value = match &device.value {
            Ok(value) => value.clone(),
            Err(error) => return Match { outcome: Err(error.clone()), cost: 0, work: 0 },
        };
        let limits = Limits { cost: limits.cost.min(BUDGET), work: limits.work.min(WORK) };
        let run = self.program.run_within(&[("device", value)], limits);
        let outcome = run.outcome.and_then(|value| {
            value.as_bool().ok_or_else(|| RunError {
                reason: Reason::WrongType,
                message: format!("CEL result of type {} could not be converted to bool", value.ty()),
            })
        });
        Match { outcome, cost: run.cost, work: run.work }
    }

    /// Why the selector does not match the device, as [`explain`](explain::explain()) says it. `None` when it does, or when
    /// that is too much work.
    pub fn why_not(&self, device: &Device, budget: u64) -> Option<Because> {
        match &device.value {
            Ok(value) => {
                let bindings = [("device", value.clone())];
                explain::explain(&self.environment, self.program.source(), &bindings, budget.min(BUDGET))
            }
            Err(error) => Some(Because::failed("device", &error.to_string())),
        }
    }

    /// The estimated cost for the largest possible device. The API server refuses a selector with more than [`BUDGET`].
    pub fn worst_cost(&self) -> u64 {
        self.program.estimate().max
    }

    /// The compiled expression.
    pub fn program(&self) -> &Program {
        &self.program
    }
}

impl Device {
    /// Reads a device as a ResourceSlice publishes it, with the driver of the slice:
    /// `{driver, attributes: {name: {string|bool|int|version: v}}, capacity: {name: {value: "…"}}}`.
    ///
    /// # Errors
    /// [`DeviceError`] when the API server could not decode the device. An attribute of an unknown type, or with a malformed
    /// version, is not an error here, but one of every evaluation, as in Kubernetes.
    pub fn read(json: &Json) -> Result<Self, DeviceError> {
        let driver = json.get("driver").and_then(Json::as_str).unwrap_or_default();
        Self::of(driver, json)
    }

    /// The same for a device that does not contain the name of its driver.
    ///
    /// # Errors
    /// As for [`read`](Self::read).
    pub fn of(driver: &str, json: &Json) -> Result<Self, DeviceError> {
        let mut failed = None;
        let mut attributes = Domains::default();
        for (name, attribute) in objects(json, "attributes")? {
            match read_attribute(attribute) {
                Ok(value) => attributes.insert(driver, name, value),
                Err(error) => failed = failed.or(Some(RunError::failed(format!("attribute {name}: {error}")))),
            }
        }
        let mut capacity = Domains::default();
        for (name, amount) in objects(json, "capacity")? {
            let value = match amount.get("value") {
                None | Some(Json::Null) => Ok(Quantity::from(0)),
                Some(Json::String(text)) => text.trim().parse(),
                Some(Json::Number(number)) => number.to_string().parse(),
                Some(_) => Err(quantity::ParseError::Form),
            };
            let value = value
                .map_err(|error| DeviceError { path: format!("capacity.{name}.value"), message: error.to_string() })?;
            capacity.insert(driver, name, value.into());
        }
        let shared = json.get("allowMultipleAllocations").and_then(Json::as_bool).unwrap_or(false);
        let fields = [
            ("driver", Value::String(Text::shared(driver))),
            ("attributes", attributes.value()),
            ("capacity", capacity.value()),
            ("allowMultipleAllocations", Value::Bool(shared)),
        ];
        let text = |text| Key::String(Text::borrowed(text));
        let value = Value::map(fields.into_iter().map(|(name, value)| (text(name), value)).collect());
        Ok(Self { value: failed.map_or(Ok(value), Err) })
    }

    /// The value of the variable `device`.
    ///
    /// # Errors
    /// The error with which every evaluation for this device fails.
    pub fn value(&self) -> Result<Value<'static>, RunError> {
        self.value.clone()
    }
}

impl fmt::Display for DeviceError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.path, self.message)
    }
}

impl std::error::Error for DeviceError {}

/// Values by domain and identifier.
#[derive(Default)]
struct Domains(BTreeMap<String, Entries<'static>>);

impl Domains {
    /// Adds a value to its domain, which is the part of its name before the first slash, or else the driver. When two names
    /// mean the same attribute, the last one in the order of names wins; in Kubernetes it may be either.
    fn insert(&mut self, driver: &str, name: &str, value: Value<'static>) {
        let (domain, id) = name.split_once('/').unwrap_or((driver, name));
        let id = Key::String(Text::shared(id));
        match self.0.get_mut(domain) {
            Some(ids) => ids.insert(id, value),
            None => self.0.entry(domain.to_owned()).or_default().insert(id, value),
        }
    }

    fn value(self) -> Value<'static> {
        let domain = |(name, ids): (String, _)| (Key::String(name.into()), Value::map(ids));
        Value::Map(Map::Domains(Arc::new(self.0.into_iter().map(domain).collect())))
    }
}

/// The value of an attribute. When there are several, Kubernetes takes the first of these.
fn read_attribute(attribute: &Json) -> Result<Value<'static>, String> {
    if let Some(int) = attribute.get("int").and_then(Json::as_i64) {
        return Ok(Value::Int(int));
    }
    if let Some(value) = attribute.get("bool").and_then(Json::as_bool) {
        return Ok(Value::Bool(value));
    }
    if let Some(text) = attribute.get("string").and_then(Json::as_str) {
        return Ok(Value::String(Text::shared(text)));
    }
    match attribute.get("version").and_then(Json::as_str) {
        Some(text) => match text.parse::<Version>() {
            Ok(version) => Ok(Value::Version(Arc::new(version))),
            Err(error) => Err(format!("parse semantic version: {error}")),
        },
        None => Err("unsupported attribute value".to_owned()),
    }
}

fn objects<'j>(json: &'j Json, key: &str) -> Result<Vec<(&'j str, &'j Json)>, DeviceError> {
    match json.get(key) {
        None | Some(Json::Null) => Ok(Vec::new()),
        Some(Json::Object(object)) => Ok(object.iter().map(|(name, value)| (name.as_str(), value)).collect()),
        Some(_) => Err(DeviceError { path: key.to_owned(), message: "not an object".to_owned() }),
    }
}
