//! The contract's types, generated from `wit/`.

wit_bindgen::generate!({
    path: "../../wit",
    world: "composition-module",
    additional_derives: [PartialEq, serde::Deserialize, serde::Serialize],
    generate_all,
    default_bindings_module: "crate::wit",
});
