//! Kubernetes-flavoured CEL: what `x-kubernetes-validations` and device selectors accept, what they evaluate to,
//! and what that costs, as Kubernetes 1.35 has it.
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
//! ## The way of an expression
//! ```text
//! text ─ lex, parse, macros ─▶ tree ─ check, validate ─▶ types ─ plan ─▶ steps ─ eval ─▶ value and cost
//!                                                           └─ estimate ─▶ cost at most
//! ```
//! `libraries/functions.rs` has the one table of functions: overloads, types, costs, implementations.
//!
//! Each part uses only those before it: `types` and `declare`, `value`, `libraries`, `syntax`, `check`, `plan` and
//! `estimate`, `eval`, `environment`, `program`, `device`.
//!
//! ## Why not an interpreter from elsewhere
//! The crate `cel` (0.15) has a good parser, and this crate was to be built over its tree. But what it returns has
//! lost the places of its nodes: a type error could not be shown at its place, and the API server's messages
//! could not be given. It also reads `existsOne` with one variable, which Kubernetes does not, and copies the
//! arguments of each call. It has no type checker, cannot count costs as `cel-go` does, and its `==` cannot fail.
//! The grammar is small, so all of it is here.
//!
//! ## What differs from Kubernetes
//! * Time zones by name (`"Europe/Vienna"`) are a runtime error: the zone database would double the size.
//! * Maps are walked in the order of their keys; upstream in any order.
//! * An evaluation that does far more work than Kubernetes prices (comparing lists of lists, adding up lists or
//!   quantities of thousands of digits) ends as if its cost were exceeded; so it is with expressions of more than
//!   100,000 nodes, which upstream would take for ever to expand.

pub mod declare;
pub mod device;
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
