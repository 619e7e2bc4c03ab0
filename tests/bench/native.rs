//! Native calls of the module's code. No other file here knows which crates it is in.

pub(crate) use component::Module;
pub(crate) use component::wit::exports::sailplane::composition::{admit, compose, expressions};
pub(crate) use inference::KINDS;
pub(crate) use toolbox::kind::Kind;

/// The row of `LLMInference`.
pub(crate) fn llm_inference() -> &'static Kind {
    KINDS.rows.iter().find(|kind| kind.kind == "LLMInference").expect("it is in the table")
}
