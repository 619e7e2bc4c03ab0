//! Kubernetes quantities and semantic versions, exactly as `k8s.io/apimachinery` and the API server's CEL
//! libraries read, compare and print them. No floating point.
//!
//! ```
//! use quantity::{Quantity, Version};
//!
//! let memory: Quantity = "80Gi".parse()?;
//! assert!(memory > "80G".parse()?);
//! assert_eq!(memory.add(&"1024Mi".parse()?)?.to_string(), "81Gi");
//!
//! assert_eq!(Version::tolerant("v1.35")?, "1.35.0".parse()?);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod decimal;
mod quantity;
mod scan;
mod small;
mod spell;
mod version;

pub use quantity::{Mantissa, ParseError, Quantity, TooLong};
pub use version::{Version, VersionError};

#[cfg(test)]
mod tests;
