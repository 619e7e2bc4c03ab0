//! A composition module for tests, with two kinds that compose each other.
//!
//! It is crate `preview` with two small [`kinds`]. The examples are modules with one of the kinds, or both. Cargo builds
//! each to a file of its own.

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

use wit::exports::sailplane::composition::{admit, catalog, compose, expressions, plan, preview};

/// The module, with one kind or both.
#[derive(Debug)]
pub struct Module<const CHILD: bool, const PARENT: bool>;

impl<const CHILD: bool, const PARENT: bool> Module<CHILD, PARENT> {
    const KINDS: Kinds = Kinds {
        rows: match (CHILD, PARENT) {
            (true, true) => &[kinds::CHILD, kinds::PARENT],
            (true, false) => &[kinds::CHILD],
            (false, true) => &[kinds::PARENT],
            (false, false) => &[],
        },
        // The step for composites of any kind is in the module of the parents.
        inputs: if PARENT { &[kinds::STAMP] } else { &[] },
    };
}

impl<const CHILD: bool, const PARENT: bool> catalog::Guest for Module<CHILD, PARENT> {
    fn describe() -> catalog::Contents {
        lower::contents(Contents {
            name: "cascade".to_owned(),
            version: env!("CARGO_PKG_VERSION").to_owned(),
            kinds: Self::KINDS.entries(),
            inputs: Self::KINDS.inputs.iter().map(Input::entry).collect(),
        })
    }
}

impl<const CHILD: bool, const PARENT: bool> compose::Guest for Module<CHILD, PARENT> {
    fn compose(request: compose::Request) -> Result<compose::Response, compose::Fault> {
        let request = lift::compose_request(request).map_err(lower::fault)?;
        Self::KINDS.compose(&request).map(lower::response).map_err(lower::fault)
    }
}

impl<const CHILD: bool, const PARENT: bool> admit::Guest for Module<CHILD, PARENT> {
    fn admit(request: admit::Request) -> Result<admit::Verdict, admit::Fault> {
        let judge = |request: AdmitRequest| -> Result<Verdict, Fault> {
            let kind = KindRef::of(request.operation.object());
            let row = Self::KINDS.find(&kind).ok_or_else(|| Self::KINDS.unknown(&kind))?;
            (row.admit)(&request)
        };
        lift::admit_request(request).and_then(judge).map(lower::verdict).map_err(lower::fault)
    }
}

impl<const CHILD: bool, const PARENT: bool> preview::Guest for Module<CHILD, PARENT> {
    fn preview(request: preview::Request) -> preview::Response {
        match lift::preview_request(request) {
            Ok(request) => lower::preview(::preview::preview(&request, &Self::KINDS)),
            Err(fault) => lower::unreadable(fault),
        }
    }

    fn check(sources: Vec<preview::Source>, input: Option<String>) -> preview::Findings {
        lower::findings(::preview::check(&lift::sources(sources), input.as_deref(), &Self::KINDS))
    }
}

impl<const CHILD: bool, const PARENT: bool> plan::Guest for Module<CHILD, PARENT> {
    fn plan(_request: plan::Request) -> plan::Response {
        plan::Response { subjects: Vec::new(), stock: Vec::new(), diagnostics: Vec::new() }
    }
}

impl<const CHILD: bool, const PARENT: bool> expressions::Guest for Module<CHILD, PARENT> {
    fn evaluate(_request: expressions::Request) -> Vec<expressions::Outcome> {
        Vec::new()
    }
}
