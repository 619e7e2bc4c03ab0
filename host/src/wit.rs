//! The types of the contract. They are generated from `wit/` and documented there.
#![expect(missing_docs, reason = "generated")]

wasmtime::component::bindgen!({
    path: "../wit",
    world: "composition-module",
    additional_derives: [Clone, PartialEq, serde::Deserialize, serde::Serialize],
});

pub use exports::sailplane::composition::{admit, catalog, compose, expressions, plan, preview, types};
