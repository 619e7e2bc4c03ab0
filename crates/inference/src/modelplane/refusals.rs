//! Why clusters get no further replica of a deployment: in rows, one for each reason, and in a sentence.

use std::collections::BTreeMap;

use schedule::{Refusal, Refused, Taint};
use serde::Serialize;

use super::engines::WantedEngine;

/// The most bytes of the sentence.
const LONGEST: usize = 1_000;

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
}

/// A cluster with its pools, by name.
pub struct NamedCluster<'f> {
    /// Its name.
    pub name: &'f str,
    /// The names of its pools.
    pub pools: Vec<&'f str>,
}

/// Groups what is against clusters by reason: the reason with most clusters first, of equals by name.
pub fn rows<'f>(refused: &[Refused], clusters: &[NamedCluster<'f>], engines: &[WantedEngine]) -> Vec<RefusalRow<'f>> {
    let mut rows: BTreeMap<(&'static str, Words), RefusalRow<'f>> = BTreeMap::new();
    for Refused { cluster, why } in refused {
        let Some(cluster) = clusters.get(*cluster) else { continue };
        let (reason, words) = reason(why, engines);
        let row = rows.entry((reason, words.clone())).or_insert_with(|| RefusalRow {
            reason,
            words,
            clusters: Vec::new(),
            nearest: None,
        });
        row.clusters.push(cluster.name);
        row.nearest = match (row.nearest.take(), nearest(why, cluster)) {
            (Some(known), Some(next)) if next.order() < known.order() => Some(next),
            (known, next) => known.or(next),
        };
    }
    let mut rows: Vec<_> = rows.into_values().collect();
    rows.iter_mut().for_each(|row| row.clusters.sort_unstable());
    rows.sort_by_key(|row| std::cmp::Reverse(row.clusters.len()));
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
        if self.reason == NODES_SHORT { "nodes" } else { "devices" }
    }

    /// What is against the clusters, with the nearest miss.
    pub fn message(&self) -> String {
        let words = self.words();
        match (&self.nearest, self.reason) {
            (Some(it), NODES_SHORT) => {
                format!("{words} (nearest {}/{}: {} free, {} needed)", it.cluster, it.pool, it.found, it.needed)
            }
            (Some(it), _) => {
                format!("{words} (nearest {}/{}: {} suitable, {} needed)", it.cluster, it.pool, it.found, it.needed)
            }
            (None, _) => words.to_owned(),
        }
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
    /// Those that lack less come first, of equals by name.
    fn order(&self) -> (i128, &str, &str) {
        (i128::from(self.needed) - self.found, self.cluster, self.pool)
    }
}

const NODES_SHORT: &str = "NodesShort";

/// The reason, and its words.
fn reason(why: &Refusal, engines: &[WantedEngine]) -> (&'static str, Words) {
    let engine = |index: usize| engines.get(index).map(|engine| engine.name.as_str()).unwrap_or_default();
    // With one engine its name says nothing.
    let of = |index: usize| if engines.len() > 1 { format!(" of engine {}", engine(index)) } else { String::new() };
    let to = |index: usize| if engines.len() > 1 { format!(" for engine {}", engine(index)) } else { String::new() };
    let words = |one: String, several: String| Words { one, several };
    match why {
        Refusal::NotReady => ("NotReady", words("is not ready".into(), "are not ready".into())),
        Refusal::NoGateway => {
            ("NoGateway", words("has no gateway with an address".into(), "have no gateway with an address".into()))
        }
        Refusal::Taint(taint) => {
            let taint = shown(taint);
            ("Taint", words(format!("has the taint {taint}"), format!("have the taint {taint}")))
        }
        Refusal::NoDevice { engine: index, member, request, .. } => {
            let member = engines.get(*index).and_then(|engine| engine.members.get(*member));
            let devices = member.and_then(|member| member.node_selector.as_ref()).map(|it| it.devices.as_slice());
            let request = devices.and_then(|devices| devices.get(*request)).map(|request| request.name.as_str());
            let what = format!("no device for request {}{}", request.unwrap_or_default(), of(*index));
            ("NoDevice", words(format!("has {what}"), format!("have {what}")))
        }
        Refusal::NodesShort { engine, .. } => {
            let to = to(*engine);
            (NODES_SHORT, words(format!("lacks nodes{to}"), format!("lack nodes{to}")))
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

fn nearest<'f>(why: &Refusal, cluster: &NamedCluster<'f>) -> Option<Nearest<'f>> {
    let (pool, needed, found) = match why {
        Refusal::NodesShort { pool, needed, found, .. } => (*pool, *needed, *found),
        // A pool without any device that suits is no near miss.
        Refusal::NoDevice { pool: Some(pool), needed, found: found @ 1.., .. } => (*pool, *needed, i128::from(*found)),
        _ => return None,
    };
    Some(Nearest { cluster: cluster.name, pool: cluster.pools.get(pool).copied().unwrap_or_default(), needed, found })
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

    fn clusters(number: usize) -> Vec<String> {
        (0..number).map(|index| format!("cluster-with-a-long-name-{index:04}")).collect()
    }

    fn named(names: &[String]) -> Vec<NamedCluster<'_>> {
        names.iter().map(|name| NamedCluster { name, pools: vec!["h200"] }).collect()
    }

    #[test]
    fn the_nearest_miss_is_named() {
        let names = clusters(1_000);
        let short = |found| Refusal::NodesShort { engine: 0, pool: 0, needed: 4, found };
        let why = |index: usize| if index < 100 { Refusal::NotReady } else { short(if index == 700 { 2 } else { -1 }) };
        let refused: Vec<_> = (0..1_000).map(|cluster| Refused { cluster, why: why(cluster) }).collect();
        let rows = rows(&refused, &named(&names), &[]);
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
        assert_eq!(rows(&one, &named(&names), &[]), rows(&other, &named(&names), &[]));
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
        let rows = rows(&refused, &named(&names), &[]);
        let sentence = sentence(0, 1, 200, &rows);
        assert!(sentence.len() <= LONGEST && sentence.len() > LONGEST - 200, "{}", sentence.len());
        assert!(sentence.ends_with(" more reasons"), "{sentence}");
    }

    #[test]
    fn no_sentence_without_clusters() {
        assert_eq!(sentence(0, 2, 0, &[]), "0 of 2 replicas scheduled");
    }
}
