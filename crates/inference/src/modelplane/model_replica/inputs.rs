//! What the rules read.

use toolbox::hashed::{child, child_within};
use toolbox::names::LONGEST_LABEL;

use super::spec::ReplicaSpec;
use crate::modelplane::engines::{Container, Phase, PlacedEngine, PlacedMember, Role, ServingMode, first_of, integer};
use crate::modelplane::options::Backend;
use crate::modelplane::queueing::Queueing;
use crate::options::Options;

/// The inputs of the rules.
#[derive(Clone, Debug, PartialEq)]
pub struct ReplicaInputs {
    /// Name of the replica.
    pub name: String,
    /// Its namespace.
    pub namespace: String,
    /// Its `spec`, with defaults.
    pub spec: ReplicaSpec,
    /// The platform's options.
    pub options: Options,
    /// What serves it.
    pub backend: Backend,
    /// What admits its pods on the cluster, besides Kubernetes.
    pub queueing: Queueing,
}

/// The longest name of a LeaderWorkerSet. Each copy has a StatefulSet, named after it and its index, and the pods of a
/// StatefulSet have a label with its name and a hash of up to ten characters. There are up to 64 copies.
const LONGEST_GANG: usize = 49;

/// The longest name with which at least the first copy can have pods. Such a gang may run, so it keeps its name.
const LONGEST_GANG_THAT_RUNS: usize = 50;

/// Arguments of engines for the size of a block in the cache of keys and values.
const BLOCK_SIZE: [&str; 2] = ["--block-size", "--page-size"];

/// The size of a block, in tokens, when no argument gives it.
const DEFAULT_BLOCK_SIZE: i64 = 16;

impl ReplicaInputs {
    /// The value of labels with the name of the replica.
    pub fn label(&self) -> String {
        within_label(&[&self.name])
    }

    /// The name of the InferencePool.
    pub fn pool(&self) -> String {
        within_label(&[&self.name, "pool"])
    }

    /// The name of the endpoint picker, and of all its objects.
    pub fn picker(&self) -> String {
        within_label(&[&self.name, "epp"])
    }

    /// The name of the workload of an engine. It is never that of the replica.
    pub fn workload(&self, engine: &PlacedEngine) -> String {
        let (parts, is_gang) = ([self.name.as_str(), &engine.name], engine.members.len() > 1);
        let name = child(&parts);
        if is_gang && name.len() > LONGEST_GANG_THAT_RUNS { child_within(&parts, LONGEST_GANG) } else { name }
    }

    /// The queue of the namespace, on a cluster with this kind of queues.
    pub fn queue(&self, queueing: Queueing) -> Option<String> {
        (self.queueing == queueing).then(|| within_label(&["modelplane", &self.namespace]))
    }

    /// The path of the replica at the gateway of its cluster.
    pub fn path(&self) -> String {
        Backend::Direct.path(&self.namespace, &self.name)
    }

    /// The name of the claim of the cache's volume. `None` without a cache.
    pub fn cache_claim(&self) -> Option<String> {
        let cache = self.spec.model_cache_ref.as_ref()?;
        Some(child(&["modelcache", &self.namespace, &cache.name]))
    }

    /// Whether different engines do prefill and decode.
    pub fn is_disaggregated(&self) -> bool {
        self.spec.serving.unwrap_or_default().mode == ServingMode::PrefillDecode
    }

    /// The size of a block in the cache of the engine that decodes, in tokens.
    pub fn block_size(&self) -> i64 {
        let decodes = |engine: &&PlacedEngine| !self.is_disaggregated() || engine.phase == Some(Phase::Decode);
        let container = self.spec.engines.iter().find(decodes).and_then(serving).and_then(|it| it.template.container());
        let arguments = container.map(Container::arguments).unwrap_or_default();
        first_of(&arguments, &BLOCK_SIZE).and_then(integer).unwrap_or(DEFAULT_BLOCK_SIZE)
    }

    /// The image of the first engine, for people.
    pub fn image(&self) -> &str {
        let member = self.spec.engines.first().and_then(|engine| engine.members.first());
        member.and_then(|member| member.template.container()).map_or("", Container::image)
    }
}

/// The member of an engine that serves.
fn serving(engine: &PlacedEngine) -> Option<&PlacedMember> {
    engine.members.iter().find(|member| member.role != Role::Worker)
}

/// The parts as a name that can be the value of a label. Modelplane lets longer ones be refused; a name that is too long is
/// truncated here, as others are.
fn within_label(parts: &[&str]) -> String {
    let full = parts.join("-");
    if full.chars().count() > LONGEST_LABEL { child(parts) } else { full }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    fn inputs(name: &str, mode: &str, engines: Value) -> ReplicaInputs {
        let spec = json!({"clusterName": "c", "serving": {"mode": mode}, "engines": engines});
        let spec = serde_json::from_value(spec).expect("a spec");
        ReplicaInputs {
            name: name.to_owned(),
            namespace: "ml".to_owned(),
            spec,
            options: Options::default(),
            backend: Backend::Direct,
            queueing: Queueing::None,
        }
    }

    #[test]
    fn names_that_are_too_long_are_truncated() {
        #[track_caller]
        fn check(name: &str, label: &str, pool: &str, picker: &str) {
            let inputs = inputs(name, "Unified", json!([]));
            assert_eq!([inputs.label(), inputs.pool(), inputs.picker()], [label, pool, picker]);
            assert_eq!(inputs.path(), format!("/ml/{name}/"));
        }
        check("llama-09209", "llama-09209", "llama-09209-pool", "llama-09209-epp");
        let (fits, long) = ("a".repeat(59), "a".repeat(63));
        let start = "a".repeat(57);
        let hashed = |parts: &[&str]| child(parts)[57..].to_owned();
        check(&fits, &fits, &format!("{start}{}", hashed(&[&fits, "pool"])), &format!("{fits}-epp"));
        let pool = format!("{start}{}", hashed(&[&long, "pool"]));
        check(&long, &long, &pool, &format!("{start}{}", hashed(&[&long, "epp"])));
        let longer = "a".repeat(64);
        assert_eq!(inputs(&longer, "Unified", json!([])).label(), format!("{start}{}", hashed(&[&longer])));
    }

    /// Only a gang whose first copy could have no pods gets another name than in v0.3.1.
    #[test]
    fn names_of_gangs_leave_room_for_their_stateful_sets() {
        #[track_caller]
        fn check(replica: usize, members: usize, length: usize) {
            let member = json!({"nodePoolName": "p", "template": {}});
            let engine = json!({"name": "main", "members": vec![member; members]});
            let inputs = inputs(&"a".repeat(replica), "Unified", json!([engine]));
            let name = inputs.workload(&inputs.spec.engines[0]);
            let usual = child(&[&inputs.name, "main"]);
            assert_eq!(name.len(), length);
            assert_eq!(name == usual, length == usual.len());
            assert_eq!(name[name.len() - 5..], usual[usual.len() - 5..]);
        }
        check(39, 2, 50);
        check(40, 2, 49);
        check(40, 1, 51);
        check(63, 2, 49);
        check(63, 1, 63);
    }

    #[test]
    fn queues() {
        let mut inputs = inputs("a", "Unified", json!([]));
        assert_eq!(inputs.queue(Queueing::Kai), None);
        inputs.queueing = Queueing::Kai;
        assert_eq!(inputs.queue(Queueing::Kai).as_deref(), Some("modelplane-ml"));
        assert_eq!(inputs.queue(Queueing::Kueue), None);
        inputs.namespace = "n".repeat(63);
        assert_eq!(inputs.queue(Queueing::Kai).map(|queue| queue.len()), Some(63));
    }

    #[test]
    fn block_sizes() {
        #[track_caller]
        fn check(mode: &str, engines: &[(&str, &str, &[&str])], want: i64) {
            let engine = |(phase, role, arguments): &(&str, &str, &[&str])| {
                let container = json!({"name": "engine", "image": "vllm", "args": arguments});
                let member =
                    json!({"role": role, "nodePoolName": "p", "template": {"spec": {"containers": [container]}}});
                let phase = Some(*phase).filter(|phase| !phase.is_empty());
                json!({"name": "e", "phase": phase, "members": [member]})
            };
            assert_eq!(inputs("a", mode, engines.iter().map(engine).collect()).block_size(), want);
        }
        check("Unified", &[], 16);
        check("Unified", &[("", "Standalone", &["--model=a"])], 16);
        check("Unified", &[("", "Standalone", &["--block-size", "32"]), ("", "Standalone", &["--block-size=64"])], 32);
        check("Unified", &[("", "Leader", &["--page-size=64"])], 64);
        check("Unified", &[("", "Worker", &["--page-size=64"])], 16);
        check("Unified", &[("", "Standalone", &["--block-size=auto", "--page-size=64"])], 16);
        let both: &[(&str, &str, &[&str])] =
            &[("Prefill", "Standalone", &["--block-size=32"]), ("Decode", "Standalone", &["--block-size=128"])];
        check("PrefillDecode", both, 128);
        check("PrefillDecode", &both[..1], 16);
    }

    #[test]
    fn images() {
        let member = |image: &str| json!({"nodePoolName": "p", "template": {"spec": {"containers": [{"name": "engine", "image": image}]}}});
        let engines = json!([{"name": "a", "members": [member("x"), member("y")]}]);
        assert_eq!(inputs("a", "Unified", engines).image(), "x");
        assert_eq!(inputs("a", "Unified", json!([])).image(), "");
    }

    #[test]
    fn claims_of_caches() {
        let mut inputs = inputs("a", "Unified", json!([]));
        assert_eq!(inputs.cache_claim(), None);
        inputs.spec.model_cache_ref = serde_json::from_value(json!({"name": "weights"})).expect("a reference");
        assert_eq!(inputs.cache_claim().as_deref(), Some("modelcache-ml-weights-5f3f2"));
    }
}
