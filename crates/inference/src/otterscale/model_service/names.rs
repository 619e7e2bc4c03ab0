//! Names of what a service becomes.

use toolbox::hashed::sha256;
use toolbox::names::LONGEST_LABEL;

use crate::dns_labels::label;

/// What the name of an endpoint picker ends with.
const PICKER: &str = "-epp";
/// So much of a name stays when it is cut.
const KEPT: usize = 53;
/// The number of digits of the hash.
const DIGITS: usize = 5;

/// The name of the endpoint picker of the service `name`. One that is too long for a Service is cut, with a hash.
pub fn picker(name: &str) -> String {
    let stem = label(name);
    if stem.len() + PICKER.len() <= LONGEST_LABEL {
        return format!("{stem}{PICKER}");
    }
    let kept: String = stem.chars().take(KEPT).collect();
    let hash: String = sha256([name]).chars().take(DIGITS).collect();
    format!("{}-{hash}{PICKER}", kept.trim_end_matches('-'))
}

/// The name of the cluster-scoped grant of the endpoint picker.
pub fn grant(namespace: &str, name: &str) -> String {
    format!("{namespace}-{}", picker(name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_pickers() {
        assert_eq!(picker("qwen3"), "qwen3-epp");
        assert_eq!(picker("qwen3-0.6b-fp8-dynamic"), "qwen3-0-6b-fp8-dynamic-epp");
        assert_eq!(grant("my-namespace", "my-model"), "my-namespace-my-model-epp");
        // A name that fits is not changed.
        assert_eq!(picker(&"a".repeat(59)), format!("{}-epp", "a".repeat(59)));
        let cut = picker(&"a".repeat(60));
        assert_eq!((cut.len(), &cut[..54]), (63, format!("{}-", "a".repeat(53)).as_str()));
        assert_ne!(picker(&"a".repeat(60)), picker(&"a".repeat(61)));
        assert!(picker(&format!("{}-{}", "a".repeat(52), "b".repeat(9))).starts_with(&format!("{}-", "a".repeat(52))));
        assert!((1..=63).all(|length| picker(&"1".repeat(length)).len() <= 63));
    }
}
