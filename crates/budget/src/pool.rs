//! Pools: models that share the memory of the same nodes.

use std::collections::BTreeMap;

/// The label that names a pool.
const LABEL: &str = "inference-pool";

/// The pool of a model that selects no nodes: that of one that says nothing, by the default in the definition. Both are one pool, or
/// an entry `default` of the totals would count once for each.
pub const DEFAULT: &str = "inference-pool=default";

/// The key of the pool of a model with this selector of nodes. It is the label `inference-pool` where there is one, all labels
/// otherwise, and without any the default of the definition.
pub fn key<'a>(selector: impl Iterator<Item = (&'a str, &'a str)> + Clone) -> String {
    let mut named = selector.clone().filter(|(label, _)| *label == LABEL);
    if let Some((label, value)) = named.next() {
        return format!("{label}={value}");
    }
    let pairs: BTreeMap<&str, &str> = selector.collect();
    if pairs.is_empty() {
        return DEFAULT.to_owned();
    }
    pairs.iter().map(|(label, value)| format!("{label}={value}")).collect::<Vec<_>>().join(",")
}

/// The labels that the key of a pool names: those of its nodes.
pub fn pairs(key: &str) -> impl Iterator<Item = (&str, &str)> + Clone {
    key.split(',').filter_map(|pair| pair.split_once('='))
}

/// The value at a pool's key in a map of totals, or at the value of its label `inference-pool`.
pub fn total_in<'t, T>(find: impl Fn(&str) -> Option<&'t T>, key: &str) -> Option<&'t T> {
    let by_value = || find(key.strip_prefix(LABEL)?.strip_prefix('=')?);
    find(key).or_else(by_value)
}

/// The memory of a pool.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Total {
    /// There is no limit.
    Unlimited,
    /// So many bytes.
    Bytes(i128),
    /// There is one, and nobody here knows it: nothing new fits.
    Unknown,
}

/// The memory that there is.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Limits {
    /// The totals of pools, by their keys, or by the values of their label `inference-pool`.
    pub pools: BTreeMap<String, Total>,
    /// Whether a pool without an entry has a total that only its own models know.
    pub others_unknown: bool,
    /// The memory of all pools together.
    pub ceiling: Option<i128>,
}

impl Limits {
    /// The memory of a pool.
    pub fn of(&self, pool: &str) -> Total {
        let otherwise = if self.others_unknown { Total::Unknown } else { Total::Unlimited };
        total_in(|key| self.pools.get(key), pool).copied().unwrap_or(otherwise)
    }

    /// Whether a model in this pool has any limit.
    pub fn limits(&self, pool: &str) -> bool {
        self.ceiling.is_some() || self.of(pool) != Total::Unlimited
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys() {
        #[track_caller]
        fn check(selector: &[(&str, &str)], want: &str, nodes: &[(&str, &str)]) {
            assert_eq!(key(selector.iter().copied()), want);
            assert_eq!(pairs(want).collect::<Vec<_>>(), nodes);
            assert_eq!(key(pairs(want)), want);
        }
        check(&[], "inference-pool=default", &[("inference-pool", "default")]);
        check(&[("inference-pool", "default")], "inference-pool=default", &[("inference-pool", "default")]);
        let both = [("gpu-type", "nvidia-a100"), ("inference-pool", "gpu-a100")];
        check(&both, "inference-pool=gpu-a100", &[("inference-pool", "gpu-a100")]);
        check(&[("zone", "b"), ("gpu", "a")], "gpu=a,zone=b", &[("gpu", "a"), ("zone", "b")]);
        check(&[("gpu", "")], "gpu=", &[("gpu", "")]);
    }

    #[test]
    fn totals() {
        let map = BTreeMap::from([("a", 1), ("inference-pool=b", 2), ("b", 3), ("gpu=a", 4)]);
        let total = |key: &str| total_in(|key| map.get(key), key).copied();
        assert_eq!(total("inference-pool=a"), Some(1));
        assert_eq!(total("inference-pool=b"), Some(2));
        assert_eq!(total("gpu=a"), Some(4));
        assert_eq!(total("gpu=b"), None);
        assert_eq!(total("inference-pool=c"), None);
    }
}
