//! Suggestions ("did you mean"): the known name nearest to an unknown one. Kubernetes makes no suggestions.

/// The known name with the fewest differences to `unknown`. `None` when more than a third of the characters differ.
pub fn nearest<'k>(known: impl Iterator<Item = &'k str>, unknown: &str) -> Option<&'k str> {
    let length = unknown.chars().count();
    let allowed = length.div_ceil(3).min(MOST_EDITS);
    let unknown = folded(unknown);
    // A name needs as many edits as it is longer or shorter, so most names need no comparison.
    let near = known.filter(|name| name.chars().count().abs_diff(length) <= allowed);
    let ranked = near.map(|name| (distance(&folded(name), &unknown), name)).filter(|(edits, _)| *edits <= allowed);
    ranked.min_by_key(|(edits, _)| *edits).map(|(_, name)| name)
}

/// The known kind, as API version and kind, that was probably meant: the one with the nearest name. When several have this
/// name, the one with the nearest API version.
pub fn nearest_kind<'k>(
    known: impl Iterator<Item = (&'k str, &'k str)>,
    api_version: &str,
    kind: &str,
) -> Option<(&'k str, &'k str)> {
    let known: Vec<_> = known.collect();
    let name = nearest(known.iter().map(|&(_, name)| name), kind)?;
    let named = known.into_iter().filter(|&(_, known)| known == name);
    let api_version = folded(api_version);
    named.min_by_key(|&(version, _)| distance(&folded(version), &api_version))
}

/// The known kind, as API version and kind, that `api_version` and `kind` are a near miss of: both the group and the kind
/// are equal or nearly so. A kind that is written without a group counts when its name is known.
pub fn near_miss<'k>(
    known: impl Iterator<Item = (&'k str, &'k str)>,
    api_version: &str,
    kind: &str,
) -> Option<(&'k str, &'k str)> {
    let group_of = |version: &'k str| version.split('/').next().unwrap_or_default();
    let group = api_version.split('/').next().unwrap_or_default();
    let is_near = |&(version, name): &(&'k str, &'k str)| {
        let known = group_of(version);
        let without_group = !api_version.contains('.') && name.eq_ignore_ascii_case(kind);
        without_group || nearest([known].into_iter(), group).is_some()
    };
    nearest_kind(known.filter(is_near), api_version, kind)
}

/// With more edits than this it is another word.
const MOST_EDITS: usize = 4;

/// Longer names are only compared for equality, to limit the work.
const LONGEST: usize = 128;

/// The characters of a name, in lower case.
fn folded(name: &str) -> Vec<char> {
    name.chars().flat_map(char::to_lowercase).collect()
}

/// How many characters must be added, removed, replaced or swapped with the next one.
fn distance(one: &[char], other: &[char]) -> usize {
    if one.len() > LONGEST || other.len() > LONGEST {
        return if one == other { 0 } else { usize::MAX };
    }
    // Three rows of the usual table. The row before the last is for swaps.
    let mut before = vec![0; other.len() + 1];
    let mut last: Vec<usize> = (0..=other.len()).collect();
    for (i, a) in one.iter().enumerate() {
        let mut row = vec![i + 1];
        for (j, b) in other.iter().enumerate() {
            let mut edits = (last[j] + usize::from(a != b)).min(last[j + 1] + 1).min(row[j] + 1);
            if i > 0 && j > 0 && *a == other[j - 1] && one[i - 1] == *b {
                edits = edits.min(before[j - 1] + 1);
            }
            row.push(edits);
        }
        before = std::mem::replace(&mut last, row);
    }
    last.last().copied().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_were_meant() {
        let known = ["replicas", "model", "gpu", "ingressHost", "providerConfigName"];
        let check =
            |unknown: &str, want: Option<&str>| assert_eq!(nearest(known.into_iter(), unknown), want, "{unknown}");
        check("replica", Some("replicas"));
        check("relpicas", Some("replicas"));
        check("gpus", Some("gpu"));
        check("GPU", Some("gpu"));
        check("ingress_host", Some("ingressHost"));
        check("storage", None);
        check("x", None);
        check("", None);
    }

    #[test]
    fn near_misses() {
        let known = [("models.example.org/v1", "LLMInference"), ("fn.example.org/v1", "Options")];
        let check = |version: &str, kind: &str, want: Option<&str>| {
            let found = near_miss(known.into_iter(), version, kind).map(|(_, kind)| kind);
            assert_eq!(found, want, "{version} {kind}");
        };
        check("models.example.org/v1beta1", "LLMInference", Some("LLMInference"));
        check("models.example.com/v1", "LLMInference", Some("LLMInference"));
        check("models.example.org/v1", "LlmInference", Some("LLMInference"));
        check("model.example.org/v1", "LLMInferences", Some("LLMInference"));
        check("models.example.org", "LLMInference", Some("LLMInference"));
        check("v1", "LLMInference", Some("LLMInference"));
        check("fn.example.org/v1", "Option", Some("Options"));
        check("v1", "Option", None);
        check("models.example.org/v1", "Service", None);
        check("serving.kserve.io/v1", "LLMInference", None);
        check("apps/v1", "Deployment", None);
    }

    #[test]
    fn kinds_that_were_meant() {
        let known = [("example.org/v1", "Cluster"), ("example.com/v1", "Cluster"), ("example.com/v2", "ModelService")];
        let check = |version: &str, kind: &str, want: Option<(&str, &str)>| {
            assert_eq!(nearest_kind(known.into_iter(), version, kind), want, "{version} {kind}");
        };
        check("example.com/v1", "Clutser", Some(("example.com/v1", "Cluster")));
        check("example.org/v1", "clusters", Some(("example.org/v1", "Cluster")));
        check("example.com/v1", "ModelService", Some(("example.com/v2", "ModelService")));
        check("v1", "ConfigMap", None);
        check("", "", None);
    }
}
