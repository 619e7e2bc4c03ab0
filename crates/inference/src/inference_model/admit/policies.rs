//! Rules that an API server can evaluate by itself. The messages are those of the other files.

use contract::catalog::Action::Warn;
use toolbox::policy::{PolicyRule, deny};

use crate::long_names;
use crate::unless_stored::unless_stored;

/// An amount in a `spec`, where it states one that can be read; otherwise what counts then.
#[rustfmt::skip]
macro_rules! amount {
    ($spec:literal, $list:literal, $resource:literal, $otherwise:expr) => {
        concat!(
            "(has(", $spec, ".resources) && has(", $spec, ".resources.", $list, ") && has(", $spec, ".resources.", $list, ".", $resource,
            ") && isQuantity(", $spec, ".resources.", $list, ".", $resource, ") ? ", $spec, ".resources.", $list, ".", $resource,
            " : ", $otherwise, ")"
        )
    };
}

/// Memory that no model can have.
macro_rules! no_memory {
    () => {
        "!(quantity(it.memory).isGreaterThan(quantity('0')) && quantity(it.memory).isLessThan(quantity('8Ei')))"
    };
}

/// A request over its limit. One that is not stated counts as `$asked` or `$most`.
#[rustfmt::skip]
macro_rules! over {
    ($resource:literal, $asked:literal, $most:literal) => {
        concat!(
            "quantity(", amount!("it", "requests", $resource, $asked), ").isGreaterThan(quantity(",
            amount!("it", "limits", $resource, $most), "))"
        )
    };
}

#[rustfmt::skip]
macro_rules! says_over {
    ($resource:literal, $asked:literal, $most:literal) => {
        concat!(
            "'the request of ' + ", amount!("object.spec", "requests", $resource, $asked), " + ' is over the limit of ' + ",
            amount!("object.spec", "limits", $resource, $most), " + ', and no pod can have it; raise the limit or ask for less'"
        )
    };
}

/// A request of GPUs beside another limit. One of them is enough.
#[rustfmt::skip]
macro_rules! unequal_gpus {
    () => {
        concat!(
            "quantity(", amount!("it", "requests", "gpu", amount!("it", "limits", "gpu", "'0'")), ").compareTo(quantity(",
            amount!("it", "limits", "gpu", amount!("it", "requests", "gpu", "'0'")), ")) != 0"
        )
    };
}

/// An image with a blank at its start or end.
macro_rules! blank {
    () => {
        "has(it.containerImage) && it.containerImage != it.containerImage.trim()"
    };
}

/// A URL that is a list. An API server takes one for a text that has a format.
macro_rules! no_text {
    () => {
        "type(it.backendUrl) != string"
    };
}

/// What is refused of a `spec`, which is `it`, where the schema has its types.
#[cfg(test)]
pub(super) const BAD: [&str; 5] =
    [no_memory!(), over!("cpu", "'0'", "'8E'"), over!("memory", "it.memory", "it.memory"), unequal_gpus!(), blank!()];

/// The rules that CEL in an API server can state.
#[rustfmt::skip]
pub(super) const POLICIES: &[PolicyRule] = &[
    long_names::POLICY,
    deny(unless_stored!(no_memory!()),
        "'no amount of memory that a model can have; give more than 0 and less than 8Ei, like `80Gi`'"),
    deny(unless_stored!(over!("cpu", "'0'", "'8E'")), says_over!("cpu", "'0'", "'8E'")),
    deny(unless_stored!(over!("memory", "it.memory", "it.memory")), says_over!("memory", "object.spec.memory", "object.spec.memory")),
    deny(unless_stored!(unequal_gpus!()),
        "'the request of ' + object.spec.resources.requests.gpu + ' GPUs and their limit of ' + object.spec.resources.limits.gpu + ' differ, and pods cannot share GPUs; give the same number'"),
    deny(unless_stored!(no_text!()),
        "'a list, and not a text; give one URL like `http://qwen3.models.svc:8080`'"),
    deny(unless_stored!(blank!()),
        "'no image is called so: the text has a blank at its start or end; remove it'"),
    PolicyRule {
        action: Warn,
        only_new: false,
        holds: "!has(object.metadata.finalizers) || !('inference.eh-ops.io/finalizer' in object.metadata.finalizers)",
        says: "'`inference.eh-ops.io/finalizer` is that of the Inference Budget Controller, and nobody else removes it, so a deletion would wait for ever; remove it once the controller is gone'",
    },
];
