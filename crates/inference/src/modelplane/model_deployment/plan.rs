//! Plans the places of deployments: how many more replicas fit, and what would become of them if the fleet changed.
//!
//! The scheduler does the arithmetic ([`schedule::plan`]). Replicas that belong to no deployment that can be read stay where they
//! are.

use std::collections::{BTreeMap, BTreeSet};

use contract::compose::{Amount, ComposeRequest, NearMiss, Share};
use contract::plan::{Change, Headroom, Moved, PlanResponse, Planned, Seat, Stock};
use contract::preview::{Diagnostic, Gravity};
use contract::types::{Code, KindRef, MatchBy, ObservedObject, Problem};
use schedule::plan::{self, Deployed, Difference, Edit, Settled, World};
use schedule::{Accounting, Demand, Placement, Replica, Strategy};
use serde_json::{Value, json};
use toolbox::entries::{by_key, set};
use toolbox::path;

use super::decisions;
use super::read::{CACHE, CLUSTERS, Deployment, DeploymentRead, read};
use crate::modelplane::labels;
use crate::modelplane::options::CachePlacement;
use crate::modelplane::refusals::{self, NamedCluster};
use crate::modelplane::resources::{
    INFERENCE_CLASSES, INFERENCE_CLUSTERS, MODEL_CACHES, MODEL_DEPLOYMENTS, MODEL_REPLICAS, kind,
};
use crate::modelplane::scheduling::neighbours::{Neighbour, Neighbours, Sources};
use crate::modelplane::scheduling::place::{self, Asked, BadSelector, JudgedSelectors, MOST_STEPS, Wanted};

/// The most further replicas of a deployment that are tried.
const MOST_MORE: usize = 100;

/// Plans the places of deployments, which choose in the order in which they are given.
pub(super) fn plan(deployments: &[Value], others: &[Value], input: Option<&Value>, changes: &[Change]) -> PlanResponse {
    let mut response = PlanResponse::default();
    let objects = Objects::of(others);
    let requests: Vec<_> = deployments.iter().map(|deployment| objects.request(deployment, input)).collect();
    let mut reads = Vec::new();
    for (request, deployment) in requests.iter().zip(deployments) {
        match read(request) {
            Ok(read) => reads.push(read),
            Err(fault) => {
                response.diagnostics.extend(fault.problems.into_iter().map(|problem| about(deployment, problem)));
            }
        }
    }
    response.diagnostics.extend(reads.iter().filter_map(|read| objects.about_cache(read)));
    let asked: Vec<_> = reads.iter().map(DeploymentRead::asked).collect();
    let added = objects.added(changes);
    let sources = Sources::of(&objects.clusters, &objects.replicas, &[]);
    let mut neighbours = Neighbours::read(&sources, "", "");
    let lists = by_key(added.iter().filter_map(|(class, text)| Some((*class, neighbours.devices.add(text)?))));
    for malformed in &neighbours.malformed {
        let message = format!("{} `{}` cannot be read and is left out", malformed.kind, malformed.name);
        response.diagnostics.push(finding(Gravity::Warning, Problem::new("", Code::Invalid, message)));
    }
    let accounting = asked.first().map_or(Accounting::Nodes, |asked| asked.accounting);
    let mut fleet = place::fleet(&neighbours);
    let mut replicas = replicas_of(place::there(accounting, &neighbours, &mut fleet, |replica| !replica.evicted));
    let mut wanted = Vec::new();
    for (read, asked) in reads.iter().zip(&asked) {
        match Wanted::read(asked) {
            Ok(it) => wanted.push((read, asked, it)),
            Err(bad) => response.diagnostics.push(about_selector(asked, &bad)),
        }
    }
    let mut judged = Vec::new();
    for (read, asked, wanted) in &wanted {
        match wanted.judge(asked, &neighbours, &fleet) {
            Ok(it) => judged.push((*read, *asked, wanted, it)),
            Err(bad) => response.diagnostics.push(about_selector(asked, &bad)),
        }
    }
    let mut deployed = Vec::new();
    for (read, asked, wanted, judged) in &judged {
        deployed.push(Deployed {
            demand: wanted.demand().clone(),
            clusters: objects.selected(read),
            staged: asked.staged.clone(),
            fit: judged.fit.clone(),
            replicas: replicas.remove(&(asked.namespace, asked.name)).unwrap_or_default(),
        });
    }
    let rest: Vec<_> = replicas.into_values().flatten().map(|replica| Replica { held: true, ..replica }).collect();
    deployed.push(Deployed {
        demand: Demand { replicas: rest.len(), ..Demand::default() },
        clusters: None,
        staged: None,
        fit: schedule::Fit::default(),
        replicas: rest,
    });
    let world = World {
        fleet,
        deployments: deployed,
        accounting,
        strategy: asked.first().map_or(Strategy::FirstFit, |asked| asked.strategy),
        budget: MOST_STEPS,
    };
    let before = plan::settle(&world);
    let keys: Vec<_> = judged.iter().map(|(_, asked, ..)| (asked.namespace, asked.name)).collect();
    let edits: Vec<_> = changes.iter().map(|change| edit(change, &keys, &lists, &world)).collect();
    let wrong: Vec<_> = edits.iter().filter_map(|edit| edit.as_ref().err().cloned()).collect();
    if !wrong.is_empty() {
        let errors = wrong.into_iter().map(|message| Problem::new("", Code::NotFound, message));
        response.diagnostics.extend(errors.map(|problem| finding(Gravity::Error, problem)));
        return response;
    }
    let edits: Vec<_> = edits.into_iter().flatten().collect();
    let changed = match plan::edited(&world, &before, &edits) {
        Ok(changed) => changed,
        Err(index) => {
            let message = changes.get(index).map(|change| misfit(change, &objects)).unwrap_or_default();
            let problem = Problem::new("", Code::NotFound, message);
            response.diagnostics.push(finding(Gravity::Error, problem));
            return response;
        }
    };
    let after = plan::settle(&changed);
    let differences = plan::difference(&changed, &before, &after);
    for (index, ((_, asked, _, judged), difference)) in judged.iter().zip(&differences).enumerate() {
        let both = Both { world: &world, changed: &changed, before: &before, after: &after };
        response.subjects.push(both.planned(index, asked, judged, difference, &objects));
    }
    response.stock = Both { world: &world, changed: &changed, before: &before, after: &after }.stock(&objects, &added);
    response
}

/// The objects beside the deployments.
struct Objects<'o> {
    all: &'o [Value],
    clusters: Vec<ObservedObject>,
    replicas: Vec<ObservedObject>,
}

impl<'o> Objects<'o> {
    fn of(all: &'o [Value]) -> Self {
        let observed = |of| named(all, of).cloned().map(ObservedObject::from).collect();
        Self { all, clusters: observed(kind(&INFERENCE_CLUSTERS)), replicas: observed(kind(&MODEL_REPLICAS)) }
    }

    /// A request about a deployment, with its cache.
    fn request(&self, deployment: &Value, input: Option<&Value>) -> ComposeRequest {
        let cache = text(deployment, "spec.template.spec.modelCacheRef.name");
        let found = self.cache(text(deployment, "metadata.namespace"), cache).cloned();
        let found = found.map(|cache| if has_status(&cache) { cache } else { self.staged_everywhere(cache) });
        let found = found.map(ObservedObject::from).into_iter().collect();
        ComposeRequest {
            composite: Some(deployment.clone().into()),
            input: input.cloned(),
            lookups: [(CACHE.to_owned(), found)].into(),
            ..ComposeRequest::default()
        }
    }

    fn cache(&self, namespace: &str, name: &str) -> Option<&'o Value> {
        let mut caches = named(self.all, kind(&MODEL_CACHES));
        caches.find(|it| text(it, "metadata.name") == name && text(it, "metadata.namespace") == namespace)
    }

    /// A cache without a status was written by somebody who asks what would be once the weights are there.
    fn staged_everywhere(&self, mut cache: Value) -> Value {
        let clusters = self.clusters.iter().filter_map(|it| it.object().ok()).map(|it| &it["metadata"]["name"]);
        let staged: Vec<_> = clusters.map(|name| json!({"name": name, "phase": "Ready"})).collect();
        if let Some(cache) = cache.as_object_mut() {
            cache.insert("status".to_owned(), json!({"clusters": staged}));
        }
        cache
    }

    /// What to say of the cache of a deployment: what keeps its new replicas from all clusters, or what is assumed.
    fn about_cache(&self, read: &DeploymentRead<'_>) -> Option<Diagnostic> {
        let Deployment { name, namespace, spec, options, .. } = &read.deployment;
        let cache = &spec.template.spec.model_cache_ref.as_ref()?.name;
        let said = match self.cache(namespace, cache) {
            None => format!("there is no ModelCache `{namespace}/{cache}`, so nothing new is placed"),
            Some(_) if let Some(conflict) = read.conflict() => format!("nothing new is placed: {}", conflict.message()),
            Some(found) if options.modelplane.cache_placement == CachePlacement::Staged && !has_status(found) => {
                format!("ModelCache `{namespace}/{cache}` without a status counts as staged on every cluster")
            }
            Some(_) => return None,
        };
        let message = format!("ModelDeployment `{namespace}/{name}`: {said}");
        Some(finding(Gravity::Warning, Problem::new("spec.template.spec.modelCacheRef", Code::NotFound, message)))
    }

    /// The clusters that a deployment may use. `None` for all.
    fn selected(&self, read: &DeploymentRead<'_>) -> Option<BTreeSet<&str>> {
        let lookups = read.lookups();
        let Some(MatchBy::Labels(labels)) = lookups.get(CLUSTERS).map(|selector| &selector.match_by) else {
            return None;
        };
        if labels.is_empty() {
            return None;
        }
        let clusters = self.clusters.iter().filter_map(|it| it.object().ok());
        let has = |cluster: &&Value| {
            labels.iter().all(|(label, value)| cluster["metadata"]["labels"][label] == value.as_str())
        };
        Some(set(clusters.filter(has).map(|cluster| text(cluster, "metadata.name"))))
    }

    /// The devices of the classes that changes add, as JSON text.
    fn added<'c>(&self, changes: &'c [Change]) -> BTreeMap<&'c str, String> {
        let classes = changes.iter().filter_map(|change| match change {
            Change::Add { class, .. } => Some(class.as_str()),
            _ => None,
        });
        by_key(classes.filter_map(|name| Some((name, self.devices(name)?))))
    }

    /// The devices of a class, as the pools of a cluster publish them.
    fn devices(&self, class: &str) -> Option<String> {
        let object = named(self.all, kind(&INFERENCE_CLASSES)).find(|it| text(it, "metadata.name") == class)?;
        let mut devices = path::get(object, "spec.devices")?.clone();
        for device in devices.as_array_mut()?.iter_mut().filter_map(Value::as_object_mut) {
            device.entry("claim").or_insert_with(|| json!("DRA"));
            device.entry("count").or_insert_with(|| json!(1));
        }
        Some(devices.to_string())
    }

    /// The class of a pool, as the spec of its cluster has it. Empty when it says none.
    fn class(&self, cluster: &str, pool: &str) -> &str {
        let clusters = self.clusters.iter().filter_map(|it| it.object().ok());
        let cluster = clusters.filter(|it| text(it, "metadata.name") == cluster).last();
        let pools = cluster.and_then(|it| path::get(it, "spec.nodePools")).and_then(Value::as_array);
        let pool = pools.into_iter().flatten().find(|it| it["name"] == pool);
        pool.and_then(|it| it["className"].as_str()).unwrap_or_default()
    }
}

/// Replicas by namespace and deployment.
fn replicas_of<'n>(
    there: impl Iterator<Item = (&'n Neighbour<'n>, Replica<'n>)>,
) -> BTreeMap<(&'n str, &'n str), Vec<Replica<'n>>> {
    let mut replicas: BTreeMap<_, Vec<_>> = BTreeMap::new();
    for (known, replica) in there {
        let deployment = known.object.object().ok().map(|it| it["metadata"]["labels"][labels::DEPLOYMENT].as_str());
        replicas.entry((known.namespace, deployment.flatten().unwrap_or_default())).or_default().push(replica);
    }
    replicas
}

/// The change for the scheduler.
///
/// # Errors
/// What is wrong with it.
fn edit<'c>(
    change: &'c Change,
    deployments: &[(&str, &str)],
    lists: &BTreeMap<&str, usize>,
    world: &World<'_>,
) -> Result<Edit<'c>, String> {
    let place = |place: &'c [String]| match place {
        [cluster] => Ok((cluster.as_str(), None)),
        [cluster, pool] => Ok((cluster.as_str(), Some(pool.as_str()))),
        _ => Err(format!("`{}` is no place; write CLUSTER or CLUSTER/POOL", place.join("/"))),
    };
    match change {
        Change::Scale { namespace, name, number } => {
            let wanted = (namespace.as_str(), name.as_str());
            let deployment = deployments.iter().position(|it| *it == wanted);
            let deployment = deployment.ok_or_else(|| format!("there is no ModelDeployment `{namespace}/{name}`"))?;
            Ok(Edit::Scale { deployment, replicas: usize::try_from(*number).unwrap_or(usize::MAX) })
        }
        Change::Drain(at) => match place(at)? {
            (cluster, None) => Ok(Edit::Drain { cluster }),
            (cluster, Some(_)) => Err(format!("a cluster is drained as a whole; write `{cluster}`")),
        },
        Change::Lose(at) => place(at).map(|(cluster, pool)| Edit::Lose { cluster, pool }),
        Change::Add { place: at, class, number } => {
            let (cluster, Some(pool)) = place(at)? else {
                return Err(format!("`{}` is no pool; write CLUSTER/POOL", at.join("/")));
            };
            // A pool that is there has the devices that it publishes.
            let known = world.fleet.clusters.iter().find(|it| it.name == cluster);
            let known = known.and_then(|it| it.pools.iter().find(|it| it.name == pool)).map(|pool| pool.devices);
            let list = lists.get(class.as_str()).ok_or_else(|| format!("there is no InferenceClass `{class}`"))?;
            Ok(Edit::Add { cluster, pool, devices: known.unwrap_or(*list), nodes: u64::from(*number) })
        }
    }
}

/// Why a change does not fit the fleet.
fn misfit(change: &Change, objects: &Objects<'_>) -> String {
    let place = match change {
        Change::Drain(place) | Change::Lose(place) | Change::Add { place, .. } => place.as_slice(),
        Change::Scale { .. } => &[],
    };
    let names = objects.clusters.iter().filter_map(|it| it.object().ok()).map(|it| text(it, "metadata.name"));
    let names: Vec<_> = names.collect();
    match place {
        [cluster, pool, ..] if names.contains(&cluster.as_str()) => {
            format!("InferenceCluster `{cluster}` has no pool `{pool}` at this point")
        }
        [cluster, ..] => format!("there is no InferenceCluster `{cluster}` at this point"),
        [] => "it does not fit the fleet".to_owned(),
    }
}

/// The fleet before and after the changes.
struct Both<'b, 'f> {
    world: &'b World<'f>,
    changed: &'b World<'f>,
    before: &'b Settled<'f>,
    after: &'b Settled<'f>,
}

impl Both<'_, '_> {
    fn planned(
        &self,
        index: usize,
        asked: &Asked<'_>,
        judged: &JudgedSelectors<'_>,
        difference: &Difference<'_>,
        objects: &Objects<'_>,
    ) -> Planned {
        let count = |settled: &Settled<'_>| number(settled.places.get(index).map_or(0, Vec::len));
        let was = |placement: &Placement<'_>| seat(self.world, asked, placement);
        let is = |placement: &Placement<'_>| seat(self.changed, asked, placement);
        let refused = self.after.refused.get(index).map(Vec::as_slice).unwrap_or_default();
        let clusters = self.changed.fleet.clusters.iter().map(|cluster| NamedCluster {
            name: cluster.name,
            pools: cluster.pools.iter().map(|pool| pool.name).collect(),
            lacks_weights: asked.lacks_weights(cluster.ready, cluster.name),
        });
        let counted = (asked.engines, asked.accounting);
        let list =
            |cluster: usize, pool: usize| Some(self.changed.fleet.clusters.get(cluster)?.pools.get(pool)?.devices);
        let rows = refusals::rows(refused, &clusters.collect::<Vec<_>>(), counted, &judged.suitability(list));
        let (api_version, kind) = kind(&MODEL_DEPLOYMENTS);
        let demanded = self.changed.deployments.get(index).map_or(0, |deployed| deployed.demand.replicas);
        Planned {
            kind: KindRef { api_version: api_version.to_owned(), kind: kind.to_owned() },
            namespace: asked.namespace.to_owned(),
            name: asked.name.to_owned(),
            wanted: number(demanded),
            before: count(self.before),
            after: count(self.after),
            moves: difference.moves.iter().map(|it| Moved { before: was(&it.from), after: is(&it.to) }).collect(),
            gone: difference.gone.iter().map(was).collect(),
            new: difference.new.iter().map(is).collect(),
            lost: number(difference.lost),
            passed_over: rows.iter().map(|row| decisions::passed_over(row, asked.written)).collect(),
            headroom: self.headroom(index, objects),
        }
    }

    fn headroom(&self, index: usize, objects: &Objects<'_>) -> Headroom {
        let found = plan::headroom(self.changed, self.after, index, MOST_MORE);
        let scarce = found.scarce.as_ref().and_then(|scarce| {
            let cluster = self.changed.fleet.clusters.get(scarce.cluster)?;
            Some((cluster.name, cluster.pools.get(scarce.pool)?.name, scarce))
        });
        Headroom {
            more: number(found.more),
            at_least: found.at_least,
            class: scarce.map(|(cluster, pool, _)| objects.class(cluster, pool).to_owned()).unwrap_or_default(),
            with_one_more: scarce.map_or(0, |(.., scarce)| number(scarce.with_one_more)),
            scarce: scarce.map(|(cluster, pool, scarce)| NearMiss {
                place: vec![cluster.to_owned(), pool.to_owned()],
                needed: nodes(scarce.needed.into()),
                found: nodes(scarce.found),
                because: String::new(),
            }),
        }
    }

    /// What there is of each class. Pools whose cluster names no class count by themselves.
    fn stock(&self, objects: &Objects<'_>, added: &BTreeMap<&str, String>) -> Vec<Stock> {
        let mut classes: BTreeMap<usize, String> = BTreeMap::new();
        for (world, is_new) in [(self.world, false), (self.changed, true)] {
            for cluster in &world.fleet.clusters {
                for pool in &cluster.pools {
                    let class = objects.class(cluster.name, pool.name);
                    let of_added = || added.keys().next().filter(|_| is_new && added.len() == 1).copied();
                    let own = || format!("{}/{}", cluster.name, pool.name);
                    let name = Some(class).filter(|class| !class.is_empty()).or_else(of_added);
                    classes.entry(pool.devices).or_insert_with(|| name.map_or_else(own, str::to_owned));
                }
            }
        }
        let (before, after) = (plan::stock(self.world, self.before), plan::stock(self.changed, self.after));
        let mut rows: BTreeMap<&str, [u64; 4]> = BTreeMap::new();
        for (list, class) in &classes {
            let row = rows.entry(class).or_default();
            let [was, is] = [&before, &after].map(|all| all.get(*list).copied().unwrap_or_default());
            for (sum, part) in row.iter_mut().zip([was.nodes, was.free, is.nodes, is.free]) {
                *sum = sum.saturating_add(part);
            }
        }
        let stock = |(class, row): (&str, [u64; 4])| {
            let [before, free_before, after, free_after] = row.map(|value| nodes(value.into()));
            Stock { class: class.to_owned(), before, free_before, after, free_after }
        };
        rows.into_iter().map(stock).collect()
    }
}

/// The place of a replica. One that is held has a cluster only.
fn seat(world: &World<'_>, asked: &Asked<'_>, placement: &Placement<'_>) -> Seat {
    let cluster = world.fleet.clusters.iter().rfind(|it| it.name == placement.cluster);
    let claims = |pool: &str, device: usize| {
        let list = cluster.and_then(|it| it.pools.iter().find(|it| it.name == pool)).map(|pool| pool.devices);
        let devices = list.and_then(|list| world.fleet.devices.get(list));
        devices.and_then(|devices| devices.get(device)).is_some_and(|device| device.claimed)
    };
    if placement.engines.is_empty() {
        return vec![Share { place: vec![placement.cluster.to_owned()], part: String::new(), takes: None }];
    }
    let shares = placement.engines.iter();
    shares.filter_map(|engine| decisions::share(asked.engines, placement.cluster, engine, claims)).collect()
}

fn named<'o>(objects: &'o [Value], (api_version, kind): (&'o str, &'o str)) -> impl Iterator<Item = &'o Value> {
    objects.iter().filter(move |object| object["apiVersion"] == api_version && object["kind"] == kind)
}

fn has_status(object: &Value) -> bool {
    object.get("status").and_then(Value::as_object).is_some_and(|status| !status.is_empty())
}

fn about_selector(asked: &Asked<'_>, bad: &BadSelector) -> Diagnostic {
    let message = format!("ModelDeployment `{}/{}`: {}", asked.namespace, asked.name, bad.why);
    finding(Gravity::Error, Problem::new(&bad.path, Code::Invalid, message))
}

fn about(object: &Value, problem: Problem) -> Diagnostic {
    let (namespace, name) = (text(object, "metadata.namespace"), text(object, "metadata.name"));
    let message = format!("ModelDeployment `{namespace}/{name}`: {}", problem.message);
    finding(Gravity::Error, Problem { message, ..problem })
}

fn finding(gravity: Gravity, problem: Problem) -> Diagnostic {
    Diagnostic { gravity, problem, location: None }
}

fn nodes(value: i128) -> Amount {
    let most = if value < 0 { i64::MIN } else { i64::MAX };
    Amount { value: i64::try_from(value).unwrap_or(most), unit: "nodes".to_owned() }
}

fn number(count: usize) -> u32 {
    u32::try_from(count).unwrap_or(u32::MAX)
}

fn text<'v>(object: &'v Value, at: &str) -> &'v str {
    path::get(object, at).and_then(Value::as_str).unwrap_or_default()
}
