//! Names of new composites after which Services are named, and which no Service can have.

use contract::catalog::Action::Deny;
use contract::types::{Code, Problem};
use serde_json::Value;
use toolbox::kind::AdmissionRule;
use toolbox::names::ServiceName;
use toolbox::policy::PolicyRule;

/// A kind with Services that are named after its composites.
#[derive(Clone, Copy, Debug)]
pub struct NamesServices {
    /// The longest name of a composite, in characters.
    longest: usize,
    /// The rules in CEL: a dot, a digit at the start, too many characters.
    pub policies: [PolicyRule; 3],
}

macro_rules! names_services {
    ($whose:literal, $longest:literal) => {
        NamesServices {
            longest: $longest,
            policies: [
                policy("!variables.name.contains('.')", says!("contains a dot", $whose, $longest)),
                policy("!variables.name.matches('^[0-9]')", says!("starts with a digit", $whose, $longest)),
                policy(
                    concat!("size(variables.name) <= ", $longest),
                    says!(concat!("is longer than ", $longest, " characters"), $whose, $longest),
                ),
            ],
        }
    };
}

macro_rules! says {
    ($what:expr, $whose:literal, $longest:literal) => {
        concat!(
            "'the name ",
            $what,
            ", and ",
            $whose,
            " is named after it; use at most ",
            $longest,
            " lower-case letters, digits and `-`, starting with a letter'"
        )
    };
}

const fn policy(holds: &'static str, says: &'static str) -> PolicyRule {
    PolicyRule { action: Deny, only_new: true, holds, says }
}

/// Deployments. A replica is called as its deployment, with `-` and five digits of a hash, and its endpoint picker as the
/// replica with `-epp`.
pub const OF_DEPLOYMENTS: NamesServices = names_services!("a Service of each replica", 53);
/// Replicas. The endpoint picker is called as the replica with `-epp`.
pub const OF_REPLICAS: NamesServices = names_services!("the Service of its endpoint picker", 59);
/// Endpoints. Crossplane calls the Service as the endpoint, which it truncates, with a hash.
pub const OF_ENDPOINTS: NamesServices = names_services!("its Service", 63);

/// The rule in words.
pub const RULE: AdmissionRule = AdmissionRule {
    action: Deny,
    path: "metadata.name",
    meaning: "a new name after which no Service can be named",
    beyond_policies: None,
};

impl NamesServices {
    /// What is wrong with the name of a new object.
    pub fn judge(&self, object: &Value) -> Vec<Problem> {
        let text = |field: &str| object["metadata"][field].as_str().filter(|text| !text.is_empty());
        let Some(name) = text("name").or_else(|| text("generateName")) else { return Vec::new() };
        let [dot, digit, long] = &self.policies;
        let found = ServiceName::problems(name).into_iter().filter_map(|problem| match problem {
            ServiceName::HasDot => Some((dot, Code::Invalid)),
            ServiceName::StartsWithDigit => Some((digit, Code::Invalid)),
            ServiceName::TooLong => None,
        });
        let long = (name.chars().count() > self.longest).then_some((long, Code::TooLong));
        let problem =
            |(policy, code): (&PolicyRule, Code)| Problem::new("metadata.name", code, policy.says.trim_matches('\''));
        found.chain(long).map(problem).collect()
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn names() {
        #[track_caller]
        fn check(kind: NamesServices, metadata: Value, want: &[&str]) {
            let found = kind.judge(&json!({"metadata": metadata}));
            assert_eq!(found.len(), want.len(), "{metadata}: {found:?}");
            for (found, want) in found.iter().zip(want) {
                assert!(found.message.starts_with(&format!("the name {want}, and ")), "{metadata}: {found:?}");
                assert_eq!(found.path, "metadata.name");
            }
        }
        let named = |name: &str| json!({"name": name});
        check(OF_DEPLOYMENTS, named("qwen-2-5"), &[]);
        check(OF_DEPLOYMENTS, named("qwen2.5"), &["contains a dot"]);
        check(OF_DEPLOYMENTS, named("7b"), &["starts with a digit"]);
        check(OF_DEPLOYMENTS, named("7.b"), &["contains a dot", "starts with a digit"]);
        for (kind, longest) in [(OF_DEPLOYMENTS, 53), (OF_REPLICAS, 59), (OF_ENDPOINTS, 63)] {
            check(kind, named(&"a".repeat(longest)), &[]);
            check(kind, named(&"a".repeat(longest + 1)), &[&format!("is longer than {longest} characters")]);
        }
        check(OF_REPLICAS, json!({"name": "", "generateName": "7b-"}), &["starts with a digit"]);
        check(OF_REPLICAS, json!({"generateName": "a-"}), &[]);
        check(OF_REPLICAS, json!({}), &[]);
    }

    /// The longest names are those whose endpoint picker has a name for a Service.
    #[test]
    fn longest_names() {
        use crate::modelplane::scheduling::keys;
        let picker = |deployment: usize| format!("{}-epp", keys::name(&"a".repeat(deployment), "gpu-east", 0)).len();
        assert_eq!([picker(OF_DEPLOYMENTS.longest), picker(OF_DEPLOYMENTS.longest + 1)], [63, 64]);
        assert_eq!(OF_REPLICAS.longest + "-epp".len(), 63);
    }
}
