//! CEL as in Kubernetes 1.35, for `x-kubernetes-validations` and device selectors: the same expressions are accepted, with
//! the same results, costs and estimates.
//!
//! ```
//! use cel::{Device, Selector};
//! use serde_json::json;
//!
//! let device = Device::read(&json!({
//!     "driver": "gpu.example.com",
//!     "attributes": {"model": {"string": "H100"}},
//!     "capacity": {"memory": {"value": "80Gi"}},
//! }))?;
//! let selector = Selector::compile(
//!     r#"device.capacity["gpu.example.com"].memory.compareTo(quantity("40Gi")) >= 0"#,
//! )?;
//! let found = selector.matches(&device, cel::device::BUDGET);
//! assert_eq!(found.outcome, Ok(true));
//! assert_eq!(found.cost, 7);
//!
//! let error = Selector::compile("device.nope == 1").map(|_| ()).unwrap_err();
//! assert_eq!(error.to_string(), "ERROR: <input>:1:7: undefined field 'nope'\n | device.nope == 1\n | ......^");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! ## From text to value
//! ```text
//! text ─ lex, parse, macros ─▶ tree ─ check, validate ─▶ types ─ plan ─▶ steps ─ eval ─▶ value and cost
//!                                                           └─ estimate ─▶ highest cost
//! ```
//! `libraries/functions.rs` has the table of all functions: overloads, types, costs, implementations.
//!
//! Each module uses only modules before it: `types` and `declare`, `value`, `libraries`, `syntax`, `check`, `plan` and
//! `estimate`, `eval`, `environment`, `program`, `explain`, `device`.
//!
//! In comments, *upstream* is the code that this crate reproduces: `cel-go`, and the CEL libraries of Kubernetes.
//!
//! ## Why not an interpreter from elsewhere
//! The crate `cel` (0.15) has a good parser, but the nodes of its tree have no places, so type errors could not be reported
//! with the messages of the API server. It also accepts `existsOne` with one variable, which Kubernetes does not, and
//! copies the arguments of each call. It has no type checker, cannot count costs as `cel-go` does, and its `==` cannot
//! fail. The grammar is small, so this crate has a parser of its own.
//!
//! ## What differs from Kubernetes
//! * A time zone by name (`"Europe/Vienna"`) is a runtime error: the zone database would double the size of the component.
//! * Comprehensions visit maps in the order of their keys; upstream in random order.
//! * An evaluation that does far more work than its cost expresses (comparing lists of lists, reading long texts at a cost
//!   of 1) ends with the error that the cost limit is exceeded. See [`Limits`].
//! * An expression that macros expand to more than 100,000 nodes is refused; upstream needs exponential time for it.

pub mod declare;
pub mod device;
pub mod explain;
pub mod names;

mod check;
mod environment;
mod error;
mod estimate;
mod eval;
mod fuel;
mod libraries;
mod plan;
mod program;
mod regex;
mod syntax;
mod time;
mod types;
mod value;

pub use declare::Declared;
pub use device::{Device, DeviceError, Match, Selector};
pub use environment::Environment;
pub use error::{CompileError, Place, Problem, Reason, RunError, Stage};
pub use estimate::range::Estimate;
pub use fuel::Limits;
pub use program::{Program, Run};
pub use regex::Pattern;
pub use time::{Duration, Timestamp};
pub use types::Type;
pub use value::cidr::Cidr;
pub use value::format::Format;
pub use value::ip::Ip;
pub use value::key::Key;
pub use value::text::Text;
pub use value::url::Url;
pub use value::{Amount, Entries, List, Map, Value};
