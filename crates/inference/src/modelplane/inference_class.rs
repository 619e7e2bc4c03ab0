//! `InferenceClass`: a hardware type of nodes.
//!
//! A platform team states which devices a node of the class has, and optionally how a cloud creates such nodes. The devices
//! are what the scheduler matches and what pods claim. InferenceClusters name the classes of their pools.

use std::sync::LazyLock;

use contract::catalog::Example;
use toolbox::kind::Kind;
use toolbox::validation::Validator;

use super::resources::INFERENCE_CLASSES as CLASSES;

mod admit;
#[cfg(feature = "generate")]
mod published;
#[cfg(feature = "generate")]
mod spec;

/// The row of the kind. It is judged and looked up. Nothing is composed for it.
pub(crate) const KIND: Kind = Kind {
    short_names: &["icl"],
    api: "modelplane",
    scope: CLASSES.scope,
    examples: EXAMPLES,
    admit: admit::admit,
    admission: admit::ADMISSION,
    #[cfg(feature = "generate")]
    published: published::PUBLISHED,
    ..Kind::data(CLASSES.api_version, CLASSES.kind, CLASSES.plural, definition)
};

/// The definition of the kind, which validates objects.
fn definition() -> &'static Validator {
    static DEFINITION: LazyLock<Validator> =
        LazyLock::new(|| Validator::read(include_str!("inference_class/definition.json")));
    &DEFINITION
}

const EXAMPLES: &[Example] = &[
    Example {
        name: "class-h100",
        title: "eight H100 of a machine in a cloud",
        text: include_str!("../../../../examples/modelplane/class-h100.yaml"),
    },
    Example {
        name: "class-own",
        title: "hardware of one's own, with a fabric that is never claimed",
        text: include_str!("../../../../examples/modelplane/class-own.yaml"),
    },
];
