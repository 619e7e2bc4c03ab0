//! YAML as the Kubernetes toolchain reads and prints it, with positions.
//!
//! kubectl, the API server and Crossplane read and print with sigs.k8s.io/yaml 1.6, whose core is
//! go.yaml.in/yaml/v2, a libyaml at heart; and what it reads becomes JSON. [`documents`] reads a text into trees
//! whose nodes know where they stand, [`values`] reads it into plain JSON values, and [`to_string`] prints a value to
//! the byte as the toolchain does. JSON is read too, since it is YAML.
//!
//! Each rule is stated once: `scalar` says what a scalar means, `mapping` which keys there may be and what `<<`
//! merges, [`limits`] what a text may cost, `order` and `style` how things are printed. The grammar is the parser
//! crate's. An error in the grammar ends the text, and so does a limit that the whole text is beyond; any other error
//! spoils only the document that it is in.
//!
//! # Where this differs from the toolchain
//!
//! These are errors here:
//! - A key that stands twice, `<<` among them. The toolchain refuses it only when it is strict, and never `<<`.
//! - `!!binary`, which the toolchain decodes.
//! - A text that is larger, deeper or has more documents than [`limits`] say.
//!
//! And these are read in another way:
//! - What a mapping says itself counts before what `<<` merges. In the toolchain the later of the two counts.
//! - A fractional number as a key is spelled in full. The toolchain rounds it to 32 bits.
//! - Integers from 2⁶³ may be keys. The toolchain refuses them.
//! - `!!int 1.0` is 1 and `!!timestamp` any text. The toolchain refuses a tag that does not fit.
//! - `.5_0` and `0b-10` are text. The toolchain reads numbers.
//! - The grammar is YAML 1.2's: U+0085, for instance, does not end a line.
//!
//! The printer leaves out what the toolchain gets wrong: it turns U+0085 into a space, and escapes whatever follows a
//! byte order mark.

mod error;
pub mod limits;
mod mapping;
mod node;
mod order;
mod print;
mod read;
mod scalar;
mod style;

pub use error::{Category, Error, Step};
pub use node::{Data, Entry, Node, Position, Span};
pub use print::to_string;
pub use read::{documents, values};
