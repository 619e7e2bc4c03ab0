//! YAML as the Kubernetes toolchain has it.
//!
//! kubectl, the API server and Crossplane read and print with sigs.k8s.io/yaml, whose core is go.yaml.in/yaml/v2, a
//! libyaml at heart: YAML 1.1's idea of what a plain scalar means, keys printed in a natural order of its own, lists
//! not indented, lines folded after 80 columns, double quotes around text that would be read as something else.
//! People compare what `crossplane render` prints with golden files, as text. No Rust crate prints that, so this
//! module does, to the byte; a test holds it against the real one. Left out is what the toolchain gets wrong: it turns
//! U+0085 into a space, and escapes whatever follows a byte order mark.
//!
//! What composites say is a module's to read, and to say what is wrong with; the host reads what stands around
//! them: Compositions, Functions, Secrets and context values.

mod order;
mod print;
mod read;
mod scalar;
mod style;

pub use print::to_string;
pub use read::{Flaw, documents};
