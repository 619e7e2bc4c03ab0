//! YAML as the Kubernetes toolchain reads and prints it, with positions.
//!
//! kubectl, the API server and Crossplane read and print YAML with sigs.k8s.io/yaml 1.6, which is built on
//! go.yaml.in/yaml/v2, a port of libyaml. They convert what they read to JSON. [`documents`] reads a text into trees whose
//! nodes have positions, [`values`] reads it into plain JSON values, and [`to_string`] prints a value as the toolchain does,
//! byte for byte. JSON can be read too, because it is YAML.
//!
//! Each rule has one place: `cause` has what people usually did when a text is not well-formed, `scalar` has the meaning of scalars, `mapping` the rules for keys and for `<<`, [`limits`] the
//! limits on a text, `order` and `style` the rules of printing. `part` has where documents begin. The grammar is that of the parser crate.
//! An error concerns only its own document, but for a limit on the whole text, which ends the reading.
//!
//! # Where this differs from the toolchain
//!
//! These are errors here:
//! - A duplicate key, also `<<`. The toolchain refuses duplicate keys only in strict mode, and accepts two `<<`.
//! - `!!binary`, which the toolchain decodes.
//! - What JSON cannot represent, also where a later entry of the mapping replaces it.
//! - A text that exceeds one of the [`limits`]: size, depth or number of documents.
//!
//! And these are read differently:
//! - A fractional number as a key is written in full. The toolchain rounds it to 32 bits.
//! - Integers from 2⁶³ may be keys. The toolchain refuses them.
//! - `!!int 1.0` is 1, and `!!timestamp` can be any text. The toolchain refuses a tag that does not fit.
//! - `.5_0` and `0b-10` are text. The toolchain reads numbers.
//! - Control characters are read. The toolchain refuses them.
//! - The grammar is that of YAML 1.2: for example, U+0085 does not end a line, and `\/` in quotes is `/`, as in JSON.
//!
//! `tests/e2e/yaml_differential` reads thousands of documents with the toolchain too, and has a row for each of these.
//!
//! The printer does not copy two bugs of the toolchain, which prints U+0085 as a space, and escapes everything after a byte
//! order mark.

mod cause;
mod error;
pub mod limits;
mod mapping;
mod node;
mod order;
mod part;
mod print;
mod read;
mod scalar;
mod style;

pub use error::{Category, Error, Step};
pub use node::{Data, Entry, Node, Position, Span};
pub use print::to_string;
pub use read::{documents, values};
