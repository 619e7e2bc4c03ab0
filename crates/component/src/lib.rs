//! The module as a WebAssembly component.
//!
//! [`lift`] converts WIT requests to the types of crate `contract`, and [`lower`] converts responses back. Each export
//! lifts, calls the function of crate `module`, and lowers. Nothing is decided here.

pub mod lift;
pub mod lower;
#[expect(missing_docs, reason = "generated from wit/, where it is documented")]
pub mod wit;

use wit::exports::sailplane::composition::{admit, catalog, compose, expressions, plan, preview};

/// The module: every export of the world.
#[derive(Debug)]
pub struct Module;

impl catalog::Guest for Module {
    fn describe() -> catalog::Contents {
        lower::contents(module::catalog())
    }
}

impl compose::Guest for Module {
    fn compose(request: compose::Request) -> Result<compose::Response, compose::Fault> {
        let request = lift::compose_request(request).map_err(lower::fault)?;
        module::compose(&request).map(lower::response).map_err(lower::fault)
    }
}

impl admit::Guest for Module {
    fn admit(request: admit::Request) -> Result<admit::Verdict, admit::Fault> {
        let request = lift::admit_request(request).map_err(lower::fault)?;
        module::admit(&request).map(lower::verdict).map_err(lower::fault)
    }
}

impl preview::Guest for Module {
    fn preview(request: preview::Request) -> preview::Response {
        match lift::preview_request(request) {
            Ok(request) => lower::preview(module::preview(&request)),
            Err(fault) => lower::unreadable(fault),
        }
    }

    fn check(sources: Vec<preview::Source>, input: Option<String>) -> preview::Findings {
        lower::findings(module::check(&lift::sources(sources), input.as_deref()))
    }
}

impl plan::Guest for Module {
    fn plan(request: plan::Request) -> plan::Response {
        lower::plan(module::plan(&lift::plan_request(request)))
    }
}

impl expressions::Guest for Module {
    fn evaluate(request: expressions::Request) -> Vec<expressions::Outcome> {
        let trials = request.trials.len();
        match lift::expressions_request(request) {
            Ok(request) => lower::outcomes(module::evaluate(&request)),
            Err(fault) => vec![lower::untried(fault); trials],
        }
    }
}

#[cfg(any(test, target_arch = "wasm32"))]
#[expect(unsafe_code, reason = "an allocator, which deals with memory before it has a type")]
mod memory;

#[cfg(target_arch = "wasm32")]
#[global_allocator]
static MEMORY: memory::Lists = memory::Lists::new();

#[cfg(target_arch = "wasm32")]
#[expect(
    unsafe_code,
    unreachable_pub,
    reason = "the glue of the canonical ABI: exported functions with fixed symbol names"
)]
mod exports {
    use crate::Module;

    crate::wit::export!(Module with_types_in crate::wit);
}
