//! Which replicas an edit of a cluster or of a class moves: those that the scheduler would keep where they are before the
//! edit, and not after it.

use std::collections::{BTreeMap, BTreeSet};

use contract::admit::{LookupAnswers, Verdict};
use contract::types::ObservedObject;
use schedule::{Accounting, Effect, Strategy, Toleration};
use serde_json::Value;
use toolbox::entries::set;
use toolbox::{path, typed};

use super::neighbours::{Neighbours, Sources};
use super::place::{Asked, Wanted};
use crate::modelplane::engines::WantedEngine;
use crate::modelplane::found_by::{NAME, found_by};
use crate::modelplane::labels::DEPLOYMENT;
use crate::modelplane::mentions::ask;
use crate::modelplane::options::SelectorMode;
use crate::modelplane::resources::MODEL_DEPLOYMENTS;
use crate::modelplane::shapes;

/// A deployment with some of its replicas.
pub struct Dependent {
    namespace: String,
    name: String,
    spec: Value,
    engines: Vec<WantedEngine>,
    replicas: Vec<ObservedObject>,
}

/// The deployments of these replicas. `None` when nobody looked for them. Replicas without a deployment stay where they are
/// whatever is edited, and so do those of a deployment that cannot be read.
pub fn dependents(
    replicas: &[ObservedObject],
    answers: &LookupAnswers,
    verdict: &mut Verdict,
) -> Option<Vec<Dependent>> {
    let mut grouped: BTreeMap<(String, String), Vec<ObservedObject>> = BTreeMap::new();
    for replica in replicas {
        let Ok(object) = replica.object() else { continue };
        let metadata = &object["metadata"];
        if let (Some(namespace), Some(name)) = (metadata["namespace"].as_str(), metadata["labels"][DEPLOYMENT].as_str())
        {
            grouped.entry((namespace.to_owned(), name.to_owned())).or_default().push(replica.clone());
        }
    }
    if grouped.is_empty() {
        return Some(Vec::new());
    }
    let values = grouped.keys().map(|(namespace, name)| vec![namespace.clone(), name.clone()]);
    let selector = found_by(&MODEL_DEPLOYMENTS, None, &NAME, values);
    let found = ask(verdict, answers, "deployments", selector, "which replicas the edit moves")?;
    let read = found.iter().filter_map(|deployment| {
        let object = deployment.object().ok()?;
        let text = |field: &str| object["metadata"][field].as_str().map(str::to_owned);
        let (namespace, name) = (text("namespace")?, text("name")?);
        let spec = shapes::as_released(MODEL_DEPLOYMENTS.kind, object)["spec"]["template"]["spec"].clone();
        let engines = typed::read(spec["engines"].clone()).ok()?;
        let replicas = grouped.remove(&(namespace.clone(), name.clone()))?;
        Some(Dependent { namespace, name, spec, engines, replicas })
    });
    Some(read.collect())
}

impl Dependent {
    /// Its replicas.
    pub fn replicas(&self) -> &[ObservedObject] {
        &self.replicas
    }

    /// Whether it may use a cluster, by the labels that it selects itself.
    pub fn selects(&self, cluster: &Value) -> bool {
        let wanted = path::get(&self.spec, "clusterSelector.matchLabels").and_then(Value::as_object);
        wanted.into_iter().flatten().all(|(key, value)| cluster["metadata"]["labels"].get(key) == Some(value))
    }

    /// Its replicas that stay where they are with these clusters before an edit, and not with those after it.
    pub fn moved(&self, before: &[Value], after: &[Value]) -> Vec<&ObservedObject> {
        let asked = Asked {
            name: &self.name,
            namespace: &self.namespace,
            replicas: u32::try_from(self.replicas.len()).unwrap_or(u32::MAX),
            tolerations: self.tolerations(),
            engines: &self.engines,
            written: None,
            strategy: Strategy::FirstFit,
            // It does not matter for replicas that run.
            accounting: Accounting::Nodes,
            // What an edit of something else does is no question of which selectors are accepted.
            selectors: SelectorMode::Tolerant,
            // What an edit of something else does is no question of classes either.
            terms: None,
            // Nothing new is placed.
            staged: Some(BTreeSet::new()),
        };
        let Ok(wanted) = Wanted::read(&asked) else { return Vec::new() };
        let stays = |clusters: &[Value]| -> BTreeSet<String> {
            let clusters: Vec<_> = clusters.iter().cloned().map(ObservedObject::from).collect();
            let sources = Sources::of(&clusters, &self.replicas, &[]);
            let neighbours = Neighbours::read(&sources, &self.name, &self.namespace);
            let placements =
                wanted.place(&asked, &neighbours).map(|placed| placed.outcome.placements).unwrap_or_default();
            set(placements.iter().filter_map(|placement| placement.retained.map(str::to_owned)))
        };
        let (before, after) = (stays(before), stays(after));
        let goes = |replica: &&ObservedObject| {
            let name = replica.object().ok().and_then(|object| object["metadata"]["name"].as_str());
            name.is_some_and(|name| before.contains(name) && !after.contains(name))
        };
        self.replicas.iter().filter(goes).collect()
    }

    fn tolerations(&self) -> Vec<Toleration> {
        let stated = self.spec["tolerations"].as_array();
        let tolerated = |toleration: &Value| {
            let text = |field: &str| toleration[field].as_str().unwrap_or_default();
            Toleration {
                key: text("key").to_owned(),
                exists: text("operator") == "Exists",
                value: text("value").to_owned(),
                effect: match text("effect") {
                    "NoSchedule" => Some(Effect::NoSchedule),
                    "NoExecute" => Some(Effect::NoExecute),
                    _ => None,
                },
            }
        };
        stated.into_iter().flatten().map(tolerated).collect()
    }
}
