//! Composition resource names, and names of objects.

use toolbox::hashed::opaque;

/// What the keys of replicas start with.
const REPLICA: &str = "replica-";
/// What the keys of endpoints start with.
const ENDPOINT: &str = "endpoint-";

/// The key of the replica with an index on a cluster.
pub fn of_replica(cluster: &str, index: i64) -> String {
    format!("{REPLICA}{cluster}-{index}")
}

/// The key of its endpoint.
pub fn of_endpoint(cluster: &str, index: i64) -> String {
    format!("{ENDPOINT}{cluster}-{index}")
}

/// Whether a deployment has such keys.
pub fn is_ours(key: &str) -> bool {
    key.starts_with(REPLICA) || key.starts_with(ENDPOINT)
}

/// Whether it is the key of a replica.
pub fn is_of_replica(key: &str) -> bool {
    key.starts_with(REPLICA)
}

/// Cluster and index in the key of a replica. No name of a cluster ends with `-`, so that would be the sign of the index.
pub fn place(key: &str) -> Option<(&str, i64)> {
    let (cluster, index) = key.strip_prefix(REPLICA)?.rsplit_once('-')?;
    let index: i64 = index.parse().ok()?;
    let place = cluster.strip_suffix('-').map_or((cluster, index), |cluster| (cluster, -index));
    Some(place).filter(|(cluster, _)| !cluster.is_empty())
}

/// The name of a replica, and of its endpoint. What the replica has on its cluster is named after it.
pub fn name(deployment: &str, cluster: &str, index: i64) -> String {
    opaque(deployment, &[cluster, &index.to_string()])
}

/// Whether a replica of the deployment may have this name: whether it is the deployment's, except for the hash.
pub fn may_be_name(deployment: &str, name: &str) -> bool {
    let stem = |name: &str| name.rsplit_once('-').map(|(stem, _)| stem.len());
    let of_any = opaque(deployment, &[]);
    let Some(length) = stem(&of_any) else { return false };
    stem(name) == Some(length) && name.get(..length) == of_any.get(..length)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_keys() {
        assert_eq!(
            (of_replica("gpu-east", 1), of_endpoint("gpu-east", -1)),
            ("replica-gpu-east-1".to_owned(), "endpoint-gpu-east--1".to_owned())
        );
        assert_eq!([name("llama", "gpu-east", 0), name("llama", "gpu-west", 0)], ["llama-09209", "llama-6a11f"]);
        assert!(
            is_ours("replica-a-0") && is_ours("endpoint-a-0") && !is_ours("usage") && !is_of_replica("endpoint-a-0")
        );
        assert_eq!([place("replica-gpu-east-3"), place("replica-a--1")], [Some(("gpu-east", 3)), Some(("a", -1))]);
        assert_eq!([place("replica-a"), place("replica--1"), place("endpoint-a-0")], [None; 3]);
    }

    #[test]
    fn names_of_the_same_stem() {
        #[track_caller]
        fn check(deployment: &str, other: &str, want: bool) {
            assert_eq!(may_be_name(deployment, other), want, "{deployment}, {other}");
        }
        check("llama", "llama-09209", true);
        check("llama", "llama-big-09209", false);
        check("llama", "llama", false);
        check("llama", "lamas-09209", false);
        let long = "a".repeat(70);
        check(&long, &name(&long, "c", 0), true);
        check(&format!("{}-tail", "x".repeat(56)), &format!("{}-7c523", "x".repeat(56)), true);
    }
}
