//! The module's own code, called natively: the one place here that says in which crates it is.

pub(crate) use component::Module;
pub(crate) use component::wit::exports::sailplane::composition::{admit, compose, expressions};
pub(crate) use inference::KINDS;
pub(crate) use toolbox::kind::Kind;

/// The row of `LLMInference`.
pub(crate) fn llm_inference() -> &'static Kind {
    KINDS.rows.iter().find(|kind| kind.kind == "LLMInference").expect("it is in the table")
}
