//! Labels of what the kinds compose. The operator has the same, so that selectors, which are immutable, stay.

use toolbox::data;
use toolbox::rule::{Rule, constant};

/// Label: the name of the service, or of its endpoint picker.
pub const NAME: &str = "[app.kubernetes.io/name]";
/// Label: the component.
pub const COMPONENT: &str = "[app.kubernetes.io/component]";
/// Label: the version of the platform.
pub const VERSION: &str = "[app.kubernetes.io/version]";
/// Why there is a label with the version.
pub const OF_PLATFORM: &str = "the version of the platform, unless it is empty";
/// What the label with the version depends on.
pub const VERSION_CAUSES: &[&str] = &["input.modelService.version"];

/// Label: what it is a part of.
pub const fn part_of<I>() -> Rule<I> {
    constant("[app.kubernetes.io/part-of]", "always: as the operator has it", data!("otterscale-system"))
}

/// Label: who made it. It is in selectors too, which are immutable.
pub const fn managed_by<I>() -> Rule<I> {
    constant("[app.kubernetes.io/managed-by]", "always: as the operator has it", data!("model-operator"))
}
