//! Rules that an API server can evaluate by itself. The messages are those of the other files.

use contract::catalog::Action::Warn;
use toolbox::policy::{PolicyRule, deny};

use crate::long_names;

/// The rules that CEL in an API server can state.
pub(super) const POLICIES: &[PolicyRule] = &[
    long_names::POLICY,
    deny(
        "!has(object.spec.containerImage) || object.spec.containerImage == object.spec.containerImage.trim() || request.operation == 'UPDATE' && has(oldObject.spec.containerImage) && oldObject.spec.containerImage != oldObject.spec.containerImage.trim()",
        "'no image is called so: the text has a blank at its start or end; remove it'",
    ),
    PolicyRule {
        action: Warn,
        only_new: false,
        holds: "!has(object.metadata.finalizers) || !('inference.eh-ops.io/finalizer' in object.metadata.finalizers)",
        says: "'`inference.eh-ops.io/finalizer` is that of the Inference Budget Controller, and nobody else removes it, so a deletion would wait for ever; remove it once the controller is gone'",
    },
];
