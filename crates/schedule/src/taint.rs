/// What a taint does to replicas that do not tolerate it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effect {
    /// New replicas are not placed.
    NoSchedule,
    /// New replicas are not placed, and those that run are dropped.
    NoExecute,
}

/// A taint of a cluster.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Taint {
    /// Its key.
    pub key: String,
    /// Its value. Empty when it has none.
    pub value: String,
    /// What it does.
    pub effect: Effect,
}

/// A toleration of a deployment.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Toleration {
    /// The key of the taint. Empty for every key, if the operator is `Exists`.
    pub key: String,
    /// Whether the operator is `Exists`, which ignores the value. Otherwise it is `Equal`.
    pub exists: bool,
    /// The value of the taint. Empty when there is none.
    pub value: String,
    /// The effect of the taint. `None` for every effect.
    pub effect: Option<Effect>,
}

impl Toleration {
    fn tolerates(&self, taint: &Taint) -> bool {
        if self.effect.is_some_and(|effect| effect != taint.effect) {
            return false;
        }
        if self.exists {
            return self.key.is_empty() || self.key == taint.key;
        }
        self.key == taint.key && self.value == taint.value
    }
}

/// The first taint that keeps new replicas away.
pub(crate) fn repelling<'t>(taints: &'t [Taint], tolerations: &[Toleration]) -> Option<&'t Taint> {
    taints.iter().find(|taint| !tolerations.iter().any(|it| it.tolerates(taint)))
}

/// Whether a taint drops the replicas that run.
pub(crate) fn evicts(taints: &[Taint], tolerations: &[Toleration]) -> bool {
    let tolerated = |taint: &Taint| tolerations.iter().any(|it| it.tolerates(taint));
    taints.iter().any(|taint| taint.effect == Effect::NoExecute && !tolerated(taint))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tolerations() {
        let taint = Taint { key: "team".to_owned(), value: "a".to_owned(), effect: Effect::NoExecute };
        let check = |key: &str, exists: bool, value: &str, effect: Option<Effect>, want: bool| {
            let toleration = Toleration { key: key.to_owned(), exists, value: value.to_owned(), effect };
            assert_eq!(toleration.tolerates(&taint), want, "{toleration:?}");
        };
        //     key    exists value effect                       tolerates
        check("team", false, "a", None, true);
        check("team", false, "b", None, false);
        check("team", false, "", None, false);
        check("team", true, "", None, true);
        check("other", true, "", None, false);
        check("", true, "", None, true);
        check("", false, "a", None, false);
        check("", true, "", Some(Effect::NoExecute), true);
        check("", true, "", Some(Effect::NoSchedule), false);
    }
}
