//! The contract's types, generated from `wit/`.

wit_bindgen::generate!({
    path: "../../wit",
    world: "composition-module",
    additional_derives: [PartialEq, serde::Deserialize, serde::Serialize],
    generate_all,
    pub_export_macro: true, // for modules of tests, which share this file
});
