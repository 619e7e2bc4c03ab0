//! Names that a cloud refuses, with the endings that they get.

use super::inputs::ClusterInputs;
use crate::clouds::Cloud;

/// Why the cloud refuses the name of a cluster, with what would be right. `None` when it takes it.
pub fn refused(inputs: &ClusterInputs) -> Option<String> {
    let name = inputs.name.as_str();
    let service = inputs.provider.service();
    let most = most(inputs);
    let length = name.chars().count();
    let why = match inputs.provider {
        _ if name.contains('.') => "it has a dot, which no managed cluster may have".to_owned(),
        _ if length > most => {
            format!("it has {length} characters, and with the endings that names get there at most {most} fit")
        }
        Cloud::Aws if name.starts_with("sg-") => {
            "no security group may be named so; begin with something else".to_owned()
        }
        Cloud::Google if !name.starts_with(|first: char| first.is_ascii_lowercase()) => {
            "it must begin with a letter".to_owned()
        }
        _ => return None,
    };
    Some(format!("{service} refuses the name `{name}`: {why}"))
}

/// The most characters of a name. On AWS the label of a role ends at 63 with `-controlplane`; Azure names a group of its own after
/// the cluster twice and its region, which ends at 80; names of clusters and pools on Google Cloud end at 40.
fn most(inputs: &ClusterInputs) -> usize {
    match inputs.provider {
        Cloud::Aws => 50,
        Cloud::Azure => (75_usize.saturating_sub(inputs.region().len()) / 2).min(63),
        Cloud::Google if inputs.gpu().is_some() => 36,
        Cloud::Google => 40,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::gpu_cluster::read::assembled;
    use crate::options::Options;

    #[test]
    fn names() {
        #[track_caller]
        fn check(provider: &str, name: &str, parameters: serde_json::Value, want: Option<&str>) {
            let composite = json!({
                "metadata": {"name": name, "namespace": "a"},
                "spec": {
                    "crossplane": {"compositionSelector": {"matchLabels": {"provider": provider}}},
                    "parameters": parameters,
                },
            });
            let inputs = assembled(&composite, &Options::default()).expect("a cluster");
            let found = refused(&inputs);
            assert_eq!(found.is_some(), want.is_some(), "{found:?}");
            assert!(found.as_deref().unwrap_or_default().contains(want.unwrap_or_default()), "{found:?}");
        }
        let long = |length| "a".repeat(length);
        for provider in ["aws", "azure", "google"] {
            check(provider, "a", json!({}), None);
            check(provider, &long(63), json!({}), Some("at most"));
            check(provider, &long(253), json!({"gpu": {"enabled": true}}), Some("at most"));
        }
        check("aws", &long(50), json!({}), None);
        check("aws", &long(51), json!({}), Some("at most 50"));
        check("aws", "sg-a", json!({}), Some("security group"));
        check("aws", "a.b", json!({}), Some("a dot"));
        check("aws", "1a", json!({}), None);
        check("azure", &long(34), json!({}), None);
        check("azure", &long(35), json!({}), Some("at most 34"));
        check("azure", &long(32), json!({"region": "westeurope"}), None);
        check("azure", &long(33), json!({"region": "westeurope"}), Some("at most 32"));
        check("google", &long(36), json!({"gpu": {"enabled": true}}), None);
        check("google", &long(40), json!({}), None);
        check("google", &long(41), json!({}), Some("at most 40"));
        check("google", &long(37), json!({"gpu": {"enabled": true}}), Some("at most 36"));
        check("google", "1a", json!({}), Some("a letter"));
    }
}
