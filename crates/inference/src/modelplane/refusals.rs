//! Why clusters get no further replica of a deployment: in rows, one for each reason, and in a sentence.

use std::collections::BTreeMap;

use quantity::order::sorted_by_key;
use schedule::{Accounting, Refusal, Refused, Taint};
use serde::Serialize;

use super::engines::WantedEngine;

/// The most bytes of the sentence.
const LONGEST: usize = 1_000;

/// The rows of which it is said why selectors do not hold. Others only name the nearest device's pool.
const EXPLAINED: usize = 3;

/// The clusters with one reason.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RefusalRow<'f> {
    /// The reason, in PascalCase.
    pub reason: &'static str,
    /// What is against them, in words that follow a number of clusters, e.g. `lack nodes`.
    words: Words,
    /// The names of the clusters, sorted.
    pub clusters: Vec<&'f str>,
    /// The one that lacks least, where something can be counted.
    pub nearest: Option<Nearest<'f>>,
    /// The field of a deployment that the reason is about, as v0.3.1 spells it.
    pub cause: Option<String>,
}

/// The cluster that lacks least.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Nearest<'f> {
    /// Its name.
    pub cluster: &'f str,
    /// The pool that lacks least.
    pub pool: &'f str,
    /// What is needed: nodes, or devices of a node.
    pub needed: u64,
    /// What there is. Negative where more nodes are taken than there are.
    pub found: i128,
    /// The device that suits best, where none suits.
    missed: Option<(MissedRequest, MissedDevice)>,
    /// The selector that does not hold on it: its place among those of the request, and why.
    why: Option<(usize, String)>,
}

/// A row as the status has it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct StatedRefusal {
    /// The reason, in PascalCase.
    pub reason: &'static str,
    /// How many clusters.
    pub clusters: usize,
    /// What is against them.
    pub message: String,
    /// The cluster and pool that lack least.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub nearest: Option<String>,
    /// What is needed there.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub needed: Option<u64>,
    /// What there is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub found: Option<i64>,
}

/// Words for one cluster, and for several.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Words {
    one: String,
    several: String,
    /// Whether pods are counted that can be packed, and not nodes.
    packed: bool,
}

/// A cluster with its pools, by name.
pub struct NamedCluster<'f> {
    /// Its name.
    pub name: &'f str,
    /// The names of its pools.
    pub pools: Vec<&'f str>,
    /// Whether it is ready, and only counts as not ready because the weights of the cache are not there.
    pub lacks_weights: bool,
}

/// A request for devices: indices of engine, member and request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MissedRequest {
    /// The engine.
    pub engine: usize,
    /// The member of the engine.
    pub member: usize,
    /// The request of the member.
    pub request: usize,
}

/// A device on which not all selectors of a request hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MissedDevice {
    /// How many of the selectors are left from the first one that does not hold.
    pub missing: usize,
    /// The list of devices.
    pub list: usize,
    /// The entry in the list.
    pub device: usize,
}

/// What is known of selectors and devices.
pub trait Suitability {
    /// The first selector of a request that matches nothing because it has a wrong type: its place, and why.
    fn mistake(&self, request: MissedRequest) -> Option<(usize, String)>;

    /// The device in a pool of a cluster that is nearest to what a request selects.
    fn nearest(&self, cluster: usize, pool: usize, request: MissedRequest) -> Option<MissedDevice>;

    /// The first selector of a request that does not hold on a device: its place, and the term that decides, with its operands.
    fn why(&self, request: MissedRequest, missed: MissedDevice) -> Option<(usize, String)>;
}

/// Groups what is against clusters by reason: the reason with most clusters first, of equals by name.
pub fn rows<'f>(
    refused: &[Refused],
    clusters: &[NamedCluster<'f>],
    (engines, accounting): (&[WantedEngine], Accounting),
    suitability: &dyn Suitability,
) -> Vec<RefusalRow<'f>> {
    let mut rows: BTreeMap<(&'static str, Words), RefusalRow<'f>> = BTreeMap::new();
    for Refused { cluster: index, why } in refused {
        let Some(cluster) = clusters.get(*index) else { continue };
        let (reason, words) = reason(why, cluster, (engines, accounting), suitability);
        let row = rows.entry((reason, words.clone())).or_insert_with(|| RefusalRow {
            reason,
            words,
            clusters: Vec::new(),
            nearest: None,
            cause: None,
        });
        // The first one, whatever the order of the clusters.
        row.cause = match (row.cause.take(), cause(why, suitability)) {
            (Some(known), Some(next)) => Some(known.min(next)),
            (known, next) => known.or(next),
        };
        row.clusters.push(cluster.name);
        row.nearest = match (row.nearest.take(), nearest(why, (*index, cluster), suitability)) {
            (Some(known), Some(next)) if next.order() < known.order() => Some(next),
            (known, next) => known.or(next),
        };
    }
    let rows = rows.into_values().map(|row| RefusalRow { clusters: sorted_by_key(row.clusters, |name| *name), ..row });
    let mut rows = sorted_by_key(rows.collect(), |row| std::cmp::Reverse(row.clusters.len()));
    let missed = |row: &RefusalRow<'_>| row.nearest.as_ref().is_some_and(|it| it.missed.is_some());
    for row in rows.iter_mut().filter(|row| missed(row)).take(EXPLAINED) {
        let Some((nearest, (request, device))) =
            row.nearest.as_mut().and_then(|it| it.missed.map(|missed| (it, missed)))
        else {
            continue;
        };
        nearest.why = suitability.why(request, device);
        if let Some((place, _)) = nearest.why {
            row.cause = Some(of_selector(request, place));
        }
    }
    rows
}

/// One sentence: how many replicas have a place, and what is against the clusters.
///
/// `1 of 3 replicas scheduled; of 1,000 clusters 612 lack nodes (nearest gpu-west/h200: 2 free, 4 needed), 88 are not ready`
pub fn sentence(placed: usize, wanted: u32, clusters: usize, rows: &[RefusalRow<'_>]) -> String {
    if rows.is_empty() {
        return format!("{placed} of {wanted} replicas scheduled");
    }
    let noun = if clusters == 1 { "cluster" } else { "clusters" };
    let mut sentence = format!("{placed} of {wanted} replicas scheduled; of {} {noun} ", grouped(clusters));
    let parts: Vec<_> = rows.iter().map(|row| format!("{} {}", grouped(row.clusters.len()), row.message())).collect();
    for (index, part) in parts.iter().enumerate() {
        let separator = if index == 0 { "" } else { ", " };
        let rest = parts.len() - index;
        let tail = format!("{separator}and {rest} more reasons");
        let room = LONGEST.saturating_sub(sentence.len());
        // What follows this part needs room for the tail too, unless it is the last one.
        let needed = separator.len() + part.len() + if rest > 1 { tail.len() + 4 } else { 0 };
        if needed > room {
            sentence.push_str(&tail);
            break;
        }
        sentence.push_str(separator);
        sentence.push_str(part);
    }
    sentence
}

impl RefusalRow<'_> {
    /// What is against the clusters, as it follows their number.
    pub fn words(&self) -> &str {
        if self.clusters.len() == 1 { &self.words.one } else { &self.words.several }
    }

    /// What the nearest miss counts.
    pub fn unit(&self) -> &'static str {
        if self.words.packed {
            "pods"
        } else if self.reason == NODES_SHORT {
            "nodes"
        } else {
            "devices"
        }
    }

    /// What is against the clusters, with the nearest miss.
    pub fn message(&self) -> String {
        let words = self.words();
        let Some(nearest) = &self.nearest else { return words.to_owned() };
        let Nearest { cluster, pool, needed, found, missed, .. } = nearest;
        let what = match (missed, nearest.because()) {
            (Some(_), Some(why)) => format!(", {why}"),
            (Some(_), None) => String::new(),
            (None, _) if self.reason != NODES_SHORT => format!(": {found} suitable, {needed} needed"),
            (None, _) if self.words.packed => format!(": {found} of {needed} pods can be packed"),
            (None, _) => format!(": {found} free, {needed} needed"),
        };
        format!("{words} (nearest {cluster}/{pool}{what})")
    }

    /// The row as the status has it.
    pub fn stated(&self) -> StatedRefusal {
        StatedRefusal {
            reason: self.reason,
            clusters: self.clusters.len(),
            message: self.message(),
            nearest: self.nearest.as_ref().map(|it| format!("{}/{}", it.cluster, it.pool)),
            needed: self.nearest.as_ref().map(|it| it.needed),
            found: self.nearest.as_ref().map(|it| i64::try_from(it.found).unwrap_or(i64::MIN)),
        }
    }
}

impl Nearest<'_> {
    /// The selector that does not hold there, and the term that decides: `selector 2: memory: 80Gi < 141Gi`. `None` where the
    /// numbers say it, and where nobody knows.
    pub fn because(&self) -> Option<String> {
        self.why.as_ref().map(|(place, why)| format!("selector {}: {why}", place + 1))
    }

    /// Those that lack less come first, of equals by name.
    fn order(&self) -> (usize, i128, &str, &str) {
        let missing = self.missed.map_or(0, |(_, device)| device.missing);
        (missing, i128::from(self.needed) - self.found, self.cluster, self.pool)
    }
}

const NODES_SHORT: &str = "NodesShort";

/// What a reason means, and what helps: the rows of the reference page.
#[cfg(any(test, feature = "generate"))]
pub struct ReasonRow {
    /// The reason.
    pub reason: &'static str,
    /// What is against a cluster.
    pub meaning: &'static str,
    /// What people can do.
    pub remedy: &'static str,
}

/// The reasons, in the order in which they are looked for.
#[cfg(any(test, feature = "generate"))]
#[rustfmt::skip]
pub const REASONS: &[ReasonRow] = &[
    about("NotReady", "its condition `Ready` is not True", "what the other conditions of the InferenceCluster ask for"),
    about("CacheNotReady", "with `modelplane.cachePlacement: staged`: the ModelCache is not `Ready` there", "wait; `status.clusters` of the ModelCache says how far it is"),
    about("NoGateway", "its `status.gateway.address` is empty", "wait until the gateway of the cluster has an address"),
    about("Taint", "it has a taint that the deployment does not tolerate", "a toleration, or a cluster without the taint"),
    about("NoDevice", "no pool has devices for all requests of an engine", "the selector that decides at the nearest pool, or the number of devices that the request asks of one node"),
    about("Stranded", "the pools that suit only describe their devices (`claim: Synthetic`), so the pods would claim nothing", "a request for devices of the claim `DRA`"),
    about("NodesShort", "pools suit, and none has enough free nodes; with `modelplane.accounting: devices` not all pods can be packed", "nodes for the nearest pool, or fewer copies; `sailplane plan` says what one more node gives"),
    about("NotTogether", "there is room for each engine alone, and not for all at once", "one more node in a pool that suits several engines; without `modelplane.placement: complete` perhaps that option"),
    about("Budget", "the search for a place was ended before it was complete", "fewer engines or requests, or a `clusterSelector` that selects fewer clusters"),
];

#[cfg(any(test, feature = "generate"))]
const fn about(reason: &'static str, meaning: &'static str, remedy: &'static str) -> ReasonRow {
    ReasonRow { reason, meaning, remedy }
}

/// The reason, and its words.
fn reason(
    why: &Refusal,
    cluster: &NamedCluster<'_>,
    (engines, accounting): (&[WantedEngine], Accounting),
    suitability: &dyn Suitability,
) -> (&'static str, Words) {
    let engine = |index: usize| engines.get(index).map(|engine| engine.name.as_str()).unwrap_or_default();
    // With one engine its name says nothing.
    let of = |index: usize| if engines.len() > 1 { format!(" of engine {}", engine(index)) } else { String::new() };
    let to = |index: usize| if engines.len() > 1 { format!(" for engine {}", engine(index)) } else { String::new() };
    let words = |one: String, several: String| Words { one, several, packed: false };
    match why {
        Refusal::NotReady if cluster.lacks_weights => (
            "CacheNotReady",
            words("waits for the weights of the cache".into(), "wait for the weights of the cache".into()),
        ),
        Refusal::NotReady => ("NotReady", words("is not ready".into(), "are not ready".into())),
        Refusal::NoGateway => {
            ("NoGateway", words("has no gateway with an address".into(), "have no gateway with an address".into()))
        }
        Refusal::Taint(taint) => {
            let taint = shown(taint);
            ("Taint", words(format!("has the taint {taint}"), format!("have the taint {taint}")))
        }
        Refusal::NoDevice { engine: index, member, request, .. } => {
            let mistake = suitability.mistake(MissedRequest { engine: *index, member: *member, request: *request });
            let member = engines.get(*index).and_then(|engine| engine.members.get(*member));
            let devices = member.and_then(|member| member.node_selector.as_ref()).map(|it| it.devices.as_slice());
            let request = devices.and_then(|devices| devices.get(*request)).map(|request| request.name.as_str());
            let mistake = mistake.map(|(place, why)| format!(": selector {} matches nothing, {why}", place + 1));
            let (request, mistake) = (request.unwrap_or_default(), mistake.unwrap_or_default());
            let what = format!("no device for request {request}{}{mistake}", of(*index));
            ("NoDevice", words(format!("has {what}"), format!("have {what}")))
        }
        Refusal::NodesShort { engine, .. } => {
            let to = to(*engine);
            let words = match accounting {
                Accounting::Nodes => words(format!("lacks nodes{to}"), format!("lack nodes{to}")),
                Accounting::Devices => {
                    Words { packed: true, ..words(format!("has no room{to}"), format!("have no room{to}")) }
                }
            };
            (NODES_SHORT, words)
        }
        Refusal::Stranded { engine } => {
            let to = to(*engine);
            (
                "Stranded",
                words(
                    format!("only describes its devices{to}, so nothing could be claimed"),
                    format!("only describe their devices{to}, so nothing could be claimed"),
                ),
            )
        }
        Refusal::NotTogether => (
            "NotTogether",
            words(
                "has room for each engine alone, and not for all".into(),
                "have room for each engine alone, and not for all".into(),
            ),
        ),
        Refusal::Budget => {
            ("Budget", words("was not searched to the end".into(), "were not searched to the end".into()))
        }
    }
}

/// The field that a reason is about.
fn cause(why: &Refusal, suitability: &dyn Suitability) -> Option<String> {
    match *why {
        Refusal::NoDevice { engine, member, request, found, .. } => {
            let request = MissedRequest { engine, member, request };
            Some(match suitability.mistake(request) {
                Some((place, _)) => of_selector(request, place),
                None if found > 0 => format!("{}.count", of_request(request)),
                None => format!("{}.selectors", of_request(request)),
            })
        }
        Refusal::NodesShort { engine, .. } | Refusal::Stranded { engine } => Some(of_engine(engine)),
        _ => None,
    }
}

fn of_engine(engine: usize) -> String {
    format!("spec.template.spec.engines[{engine}]")
}

fn of_request(MissedRequest { engine, member, request }: MissedRequest) -> String {
    format!("{}.members[{member}].nodeSelector.devices[{request}]", of_engine(engine))
}

fn of_selector(request: MissedRequest, place: usize) -> String {
    format!("{}.selectors[{place}].cel", of_request(request))
}

fn nearest<'f>(
    why: &Refusal,
    (index, cluster): (usize, &NamedCluster<'f>),
    suitability: &dyn Suitability,
) -> Option<Nearest<'f>> {
    let (pool, needed, found, missed) = match *why {
        Refusal::NodesShort { pool, needed, found, .. } => (pool, needed, found, None),
        Refusal::NoDevice { pool: Some(pool), needed, found: found @ 1.., .. } => (pool, needed, found.into(), None),
        Refusal::NoDevice { engine, member, request, pool: Some(pool), needed, found } => {
            let request = MissedRequest { engine, member, request };
            // What matches nothing anywhere is near to nothing.
            if suitability.mistake(request).is_some() {
                return None;
            }
            (pool, needed, found.into(), Some((request, suitability.nearest(index, pool, request)?)))
        }
        _ => return None,
    };
    let pool = cluster.pools.get(pool).copied().unwrap_or_default();
    Some(Nearest { cluster: cluster.name, pool, needed, found, missed, why: None })
}

/// A taint as kubectl writes it.
fn shown(taint: &Taint) -> String {
    let value = if taint.value.is_empty() { String::new() } else { format!("={}", taint.value) };
    format!("{}{value}:{:?}", taint.key, taint.effect)
}

/// A number with a comma for each thousand.
fn grouped(number: usize) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Nothing is known of selectors.
    struct Nothing;

    impl Suitability for Nothing {
        fn mistake(&self, _: MissedRequest) -> Option<(usize, String)> {
            None
        }

        fn nearest(&self, _: usize, _: usize, _: MissedRequest) -> Option<MissedDevice> {
            None
        }

        fn why(&self, _: MissedRequest, _: MissedDevice) -> Option<(usize, String)> {
            None
        }
    }

    /// On each cluster a device lacks one selector less than on the one before.
    struct Nearer;

    impl Suitability for Nearer {
        fn mistake(&self, MissedRequest { request, .. }: MissedRequest) -> Option<(usize, String)> {
            (request == 9).then(|| (1, "1:1: no such field".to_owned()))
        }

        fn nearest(&self, cluster: usize, _: usize, _: MissedRequest) -> Option<MissedDevice> {
            Some(MissedDevice { missing: 8 - cluster, list: 0, device: cluster })
        }

        fn why(&self, MissedRequest { request, .. }: MissedRequest, missed: MissedDevice) -> Option<(usize, String)> {
            (request == 0).then(|| (1, format!("memory: {}Gi < 141Gi", missed.device)))
        }
    }

    #[test]
    fn the_deciding_term_is_named() {
        let names = clusters(4);
        let check = |request, want: &str, field: &str| {
            let why = Refusal::NoDevice { engine: 0, member: 0, request, pool: Some(0), needed: 8, found: 0 };
            let refused: Vec<_> = (0..4).map(|cluster| Refused { cluster, why: why.clone() }).collect();
            let rows = rows(&refused, &named(&names), (&[], Accounting::Nodes), &Nearer);
            assert_eq!(rows.iter().map(RefusalRow::message).collect::<Vec<_>>(), [want]);
            let place = "spec.template.spec.engines[0].members[0].nodeSelector.devices";
            let causes: Vec<_> = rows.iter().filter_map(|row| row.cause.clone()).collect();
            assert_eq!(causes, [format!("{place}[{request}].{field}")]);
        };
        check(
            0,
            "have no device for request  (nearest cluster-with-a-long-name-0003/h200, selector 2: memory: 3Gi < 141Gi)",
            "selectors[1].cel",
        );
        check(1, "have no device for request  (nearest cluster-with-a-long-name-0003/h200)", "selectors");
        check(9, "have no device for request : selector 2 matches nothing, 1:1: no such field", "selectors[1].cel");
    }

    #[test]
    fn pods_that_can_be_packed() {
        let names = clusters(1);
        let why = Refusal::NodesShort { engine: 0, pool: 0, needed: 4, found: 3 };
        let rows = rows(&[Refused { cluster: 0, why }], &named(&names), (&[], Accounting::Devices), &Nothing);
        let want = "has no room (nearest cluster-with-a-long-name-0000/h200: 3 of 4 pods can be packed)";
        assert_eq!(rows.iter().map(RefusalRow::message).collect::<Vec<_>>(), [want]);
    }

    fn clusters(number: usize) -> Vec<String> {
        (0..number).map(|index| format!("cluster-with-a-long-name-{index:04}")).collect()
    }

    fn named(names: &[String]) -> Vec<NamedCluster<'_>> {
        names.iter().map(|name| NamedCluster { name, pools: vec!["h200"], lacks_weights: false }).collect()
    }

    #[test]
    fn the_nearest_miss_is_named() {
        let names = clusters(1_000);
        let short = |found| Refusal::NodesShort { engine: 0, pool: 0, needed: 4, found };
        let why = |index: usize| if index < 100 { Refusal::NotReady } else { short(if index == 700 { 2 } else { -1 }) };
        let refused: Vec<_> = (0..1_000).map(|cluster| Refused { cluster, why: why(cluster) }).collect();
        let rows = rows(&refused, &named(&names), (&[], Accounting::Nodes), &Nothing);
        let want = "1 of 3 replicas scheduled; of 1,000 clusters 900 lack nodes (nearest cluster-with-a-long-name-0700/h200: \
                    2 free, 4 needed), 100 are not ready";
        assert_eq!(sentence(1, 3, 1_000, &rows), want);
    }

    #[test]
    fn the_order_of_clusters_is_irrelevant() {
        let names = clusters(9);
        let short = |cluster| Refused { cluster, why: Refusal::NodesShort { engine: 0, pool: 0, needed: 4, found: 2 } };
        let one: Vec<_> = (0..9).map(short).collect();
        let other: Vec<_> = (0..9).rev().map(short).collect();
        assert_eq!(
            rows(&one, &named(&names), (&[], Accounting::Nodes), &Nothing),
            rows(&other, &named(&names), (&[], Accounting::Nodes), &Nothing)
        );
    }

    #[test]
    fn the_sentence_is_bounded() {
        let names = clusters(200);
        let taint = |index: usize| Taint {
            key: format!("{}{index}", "k".repeat(60)),
            value: String::new(),
            effect: schedule::Effect::NoSchedule,
        };
        let refused: Vec<_> =
            (0..200).map(|cluster| Refused { cluster, why: Refusal::Taint(taint(cluster)) }).collect();
        let rows = rows(&refused, &named(&names), (&[], Accounting::Nodes), &Nothing);
        let sentence = sentence(0, 1, 200, &rows);
        assert!(sentence.len() <= LONGEST && sentence.len() > LONGEST - 200, "{}", sentence.len());
        assert!(sentence.ends_with(" more reasons"), "{sentence}");
    }

    /// Every reason has its row, in the order in which reasons are looked for.
    #[test]
    fn reasons_have_rows() {
        let taint = Taint { key: "a".to_owned(), value: String::new(), effect: schedule::Effect::NoSchedule };
        let none = Refusal::NoDevice { engine: 0, member: 0, request: 0, pool: None, needed: 8, found: 0 };
        let short = Refusal::NodesShort { engine: 0, pool: 0, needed: 4, found: 2 };
        let all = [
            (Refusal::NotReady, false),
            (Refusal::NotReady, true),
            (Refusal::NoGateway, false),
            (Refusal::Taint(taint), false),
            (none, false),
            (Refusal::Stranded { engine: 0 }, false),
            (short, false),
            (Refusal::NotTogether, false),
            (Refusal::Budget, false),
        ];
        let found = all.map(|(why, lacks_weights)| {
            let cluster = NamedCluster { name: "a", pools: vec!["p"], lacks_weights };
            rows(&[Refused { cluster: 0, why }], &[cluster], (&[], Accounting::Nodes), &Nothing)[0].reason
        });
        assert_eq!(found.as_slice(), REASONS.iter().map(|row| row.reason).collect::<Vec<_>>());
    }

    #[test]
    fn no_sentence_without_clusters() {
        assert_eq!(sentence(0, 2, 0, &[]), "0 of 2 replicas scheduled");
    }
}
