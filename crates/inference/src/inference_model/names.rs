//! Names of Services, which are DNS labels. Those of models need not be.

use toolbox::names::{LONGEST_LABEL, ServiceName};

use crate::dns_labels::label;

/// The name of the Service of a model: that of the model, unless no Service can have it.
pub fn service(name: &str) -> String {
    if ServiceName::problems(name).is_empty() {
        return name.to_owned();
    }
    let cut: String = label(name).chars().take(LONGEST_LABEL).collect();
    cut.trim_end_matches('-').to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_services() {
        let check = |name: &str, want: &str| assert_eq!(service(name), want);
        check("qwen3", "qwen3");
        check("qwen3--a", "qwen3--a");
        check("qwen3-0.6b", "qwen3-0-6b");
        check("0.6b", "m-0-6b");
        check("1a", "m-1a");
        check(&"1".repeat(63), &format!("m-{}", "1".repeat(61)));
        check(&format!("1{}.a", "b".repeat(59)), &format!("m-1{}", "b".repeat(59)));
        check("...", "modelservice");
    }
}
