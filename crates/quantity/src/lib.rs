//! The small texts of Kubernetes: quantities, semantic versions, Go's durations, and times in RFC 3339. They are read,
//! compared and printed exactly as by `k8s.io/apimachinery`, the API server's CEL libraries and Go's `time`. Floating point
//! is used only for the fractions of durations, as in Go. The crate also finds the known name that is [`nearest`] to an
//! unknown one, which Kubernetes does not, and sorts lists in little code ([`order`]).
//!
//! ```
//! use quantity::{Duration, Quantity, Time, Version};
//!
//! let memory: Quantity = "80Gi".parse()?;
//! assert!(memory > "80G".parse()?);
//! assert_eq!(memory.add(&"1024Mi".parse()?)?.to_string(), "81Gi");
//!
//! assert_eq!(Version::tolerant("v1.35")?, "1.35.0".parse()?);
//!
//! let span: Duration = "90m".parse()?;
//! assert_eq!(span.to_string(), "1h30m0s");
//! assert!("2026-01-31T12:00:00Z".parse::<Time>()? < "2026-01-31T12:00:00-01:00".parse()?);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod date;
mod decimal;
mod digits;
mod duration;
pub mod order;
mod quantity;
mod small;
mod suggest;
mod text;
mod time;
mod version;

pub use date::{Date, TimeError};
pub use duration::{Duration, DurationError, Part};
pub use quantity::{Mantissa, ParseError, Quantity, TooLong};
pub use suggest::{near_miss, nearest, nearest_kind};
pub use time::{Moment, Time, is_date_time};
pub use version::{Version, VersionError};

#[cfg(test)]
mod tests;
