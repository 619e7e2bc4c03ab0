//! A composition module for tests, with two kinds that compose each other.
//!
//! It is crate `preview` with two small [`kinds`]. Features decide which of them it has.

mod kinds;
/// Shared with the default module.
#[path = "../../../crates/component/src/lift.rs"]
pub mod lift;
/// Shared with the default module.
#[path = "../../../crates/component/src/lower.rs"]
pub mod lower;
/// The contract's types, generated from `wit/`.
#[expect(missing_docs, reason = "generated from wit/, where it is documented")]
#[path = "../../../crates/component/src/wit.rs"]
pub mod wit;

use contract::admit::{AdmitRequest, Verdict};
use contract::catalog::Contents;
use contract::types::{Fault, KindRef};
use toolbox::kind::{Input, Kinds};

use wit::exports::sailplane::composition::{admit, catalog, compose, expressions, preview};

/// The kinds that the module was built with.
const KINDS: Kinds = Kinds {
    rows: match (cfg!(feature = "child"), cfg!(feature = "parent")) {
        (true, true) => &[kinds::CHILD, kinds::PARENT],
        (true, false) => &[kinds::CHILD],
        (false, true) => &[kinds::PARENT],
        (false, false) => &[],
    },
    inputs: if cfg!(feature = "parent") { &[kinds::STAMP] } else { &[] },
};

struct Module;

impl catalog::Guest for Module {
    fn describe() -> catalog::Contents {
        lower::contents(Contents {
            name: "cascade".to_owned(),
            version: env!("CARGO_PKG_VERSION").to_owned(),
            kinds: KINDS.entries(),
            inputs: KINDS.inputs.iter().map(Input::entry).collect(),
        })
    }
}

impl compose::Guest for Module {
    fn compose(request: compose::Request) -> Result<compose::Response, compose::Fault> {
        let request = lift::compose_request(request).map_err(lower::fault)?;
        let step = KINDS.step(&request).map_err(lower::fault)?;
        (step.compose)(&request).map(lower::response).map_err(lower::fault)
    }
}

impl admit::Guest for Module {
    fn admit(request: admit::Request) -> Result<admit::Verdict, admit::Fault> {
        let judge = |request: AdmitRequest| -> Result<Verdict, Fault> {
            let kind = KindRef::of(request.operation.object());
            let row = KINDS.find(&kind).ok_or_else(|| KINDS.unknown(&kind))?;
            (row.admit)(&request)
        };
        lift::admit_request(request).and_then(judge).map(lower::verdict).map_err(lower::fault)
    }
}

impl preview::Guest for Module {
    fn preview(request: preview::Request) -> preview::Response {
        match lift::preview_request(request) {
            Ok(request) => lower::preview(::preview::preview(&request, &KINDS)),
            Err(fault) => lower::unreadable(fault),
        }
    }

    fn run_step(request: compose::Request) -> Result<preview::StepResponse, compose::Fault> {
        let request = lift::compose_request(request).map_err(lower::fault)?;
        KINDS.run_step(&request).map(lower::step_response).map_err(lower::fault)
    }

    fn check(sources: Vec<preview::Source>, input: Option<String>) -> preview::Findings {
        lower::findings(::preview::check(&lift::sources(sources), input.as_deref(), &KINDS))
    }
}

impl expressions::Guest for Module {
    fn evaluate(_request: expressions::Request) -> Vec<expressions::Outcome> {
        Vec::new()
    }
}

#[cfg(target_arch = "wasm32")]
#[expect(unsafe_code, reason = "the glue of the canonical ABI: exported functions with fixed symbol names")]
mod exports {
    use crate::Module;

    crate::wit::export!(Module with_types_in crate::wit);
}
