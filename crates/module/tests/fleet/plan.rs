//! Plans of a fleet.

use contract::compose::Share;
use contract::plan::{Change, PlanRequest, PlanResponse};
use contract::preview::{Role, Source};

use super::cascade::{places, preview};
use super::texts::{CLASS, EXAMPLE, cluster, deployment, replica};

fn plan(text: &str, changes: &[Change], input: Option<&str>) -> PlanResponse {
    let source = Source { name: "fleet.yaml".to_owned(), role: Role::Subject, text: text.to_owned() };
    let request = PlanRequest { sources: vec![source], changes: changes.to_vec(), input: input.map(str::to_owned) };
    let response = module::plan(&request);
    assert_eq!(module::plan(&request), response);
    response
}

fn place(shares: &[Share]) -> String {
    shares.iter().map(|share| share.place.join("/")).collect::<Vec<_>>().join("+")
}

fn parts(text: &str) -> Vec<String> {
    text.split('/').map(str::to_owned).collect()
}

/// Each deployment with its numbers; then what differs; then the classes.
fn outline(response: &PlanResponse) -> Vec<String> {
    let mut lines = Vec::new();
    for it in &response.subjects {
        let head = &it.headroom;
        let scarce = head.scarce.as_ref().map(|near| {
            format!(" {}: {} of {} {}", near.place.join("/"), near.found.value, near.needed.value, head.class)
        });
        lines.push(format!(
            "{}/{} {}: {} {} more {}{} +{}",
            it.namespace,
            it.name,
            it.wanted,
            it.before,
            it.after,
            head.more,
            scarce.unwrap_or_default(),
            head.with_one_more
        ));
        lines.extend(it.moves.iter().map(|it| format!("  {} -> {}", place(&it.before), place(&it.after))));
        lines.extend(it.gone.iter().map(|it| format!("  gone {}", place(it))));
        lines.extend(it.new.iter().map(|it| format!("  new {}", place(it))));
        lines.extend(it.passed_over.iter().map(|it| format!("  {} {}", it.reason, it.candidates.len())));
        lines.extend((it.lost > 0).then(|| format!("  lost {}", it.lost)));
    }
    lines.extend(response.stock.iter().map(|it| {
        let [before, free_before, after, free_after] = [&it.before, &it.free_before, &it.after, &it.free_after];
        format!("{}: {}/{} {}/{}", it.class, free_before.value, before.value, free_after.value, after.value)
    }));
    lines.extend(response.diagnostics.iter().map(|it| it.problem.message.clone()));
    lines
}

#[track_caller]
fn check(text: &str, changes: &[Change], want: &[&str]) {
    let found = outline(&plan(text, changes, None));
    assert_eq!(found, want, "{changes:?}");
}

/// A fleet of two clusters with one pool each, and two deployments. All of `u` run; of `v` nothing does yet.
fn small() -> String {
    let documents = [
        CLASS.to_owned(),
        cluster("a", 3),
        cluster("b", 2),
        deployment("u", 2),
        deployment("v", 1),
        replica("u-1", "u", "a"),
        replica("u-2", "u", "b"),
    ];
    documents.join("---")
}

const UP: &str =
    "InferenceCluster without a status counts as up, with the pools of its classes and a made-up address: `a`, `b`";

#[test]
fn headroom() {
    check(
        &small(),
        &[],
        &["ml/u 2: 2 2 more 2 a/l4: 0 of 1 l4-1 +1", "ml/v 1: 1 1 more 2 a/l4: 0 of 1 l4-1 +1", "l4-1: 2/5 2/5", UP],
    );
}

#[test]
fn changes() {
    let scale = |name: &str, number| Change::Scale { namespace: "ml".to_owned(), name: name.to_owned(), number };
    let add = |place: &str, class: &str, number| Change::Add { place: parts(place), class: class.to_owned(), number };
    let [u, v] = ["ml/u 2: 2 2", "ml/v 1: 1 1"];
    // What is wanted more is new.
    check(
        &small(),
        &[scale("v", 3)],
        &[
            &format!("{u} more 0 a/l4: 0 of 1 l4-1 +1"),
            "ml/v 3: 1 3 more 0 a/l4: 0 of 1 l4-1 +1",
            "  new a/l4",
            "  new b/l4",
            "l4-1: 2/5 0/5",
            UP,
        ],
    );
    // What is on a cluster leaves it, if there is room elsewhere.
    check(
        &small(),
        &[Change::Drain(parts("b"))],
        &[
            &format!("{u} more 0 a/l4: 0 of 1 l4-1 +1"),
            "  b/l4 -> a/l4",
            &format!("{v} more 0 a/l4: 0 of 1 l4-1 +1"),
            "l4-1: 2/5 2/5",
            UP,
        ],
    );
    // Without room it is lost.
    check(
        &small(),
        &[Change::Lose(parts("a"))],
        &[
            "ml/u 2: 2 2 more 0 b/l4: 0 of 1 l4-1 +1",
            "  a/l4 -> b/l4",
            "ml/v 1: 1 0 more 0 b/l4: 0 of 1 l4-1 +1",
            "  gone a/l4",
            "  NodesShort 1",
            "  lost 1",
            "l4-1: 2/5 0/2",
            UP,
        ],
    );
    // The changes are made in their order.
    check(
        &small(),
        &[add("b/l4", "l4-1", 4), add("b/other", "l4-1", 1), Change::Lose(parts("a"))],
        &[
            "ml/u 2: 2 2 more 4 b/l4: 0 of 1 l4-1 +1",
            "  a/l4 -> b/l4",
            "ml/v 1: 1 1 more 4 b/l4: 0 of 1 l4-1 +1",
            "  a/l4 -> b/l4",
            "l4-1: 2/5 4/7",
            UP,
        ],
    );
    let wrong = |change: Change, message: &str| check(&small(), &[change], &[message, UP]);
    wrong(scale("w", 1), "there is no ModelDeployment `ml/w`");
    wrong(Change::Drain(parts("c")), "there is no InferenceCluster `c` at this point");
    wrong(Change::Lose(parts("a/h100")), "InferenceCluster `a` has no pool `h100` at this point");
    wrong(Change::Drain(parts("a/l4")), "a cluster is drained as a whole; write `a`");
    wrong(add("a/l4", "h100-8", 1), "there is no InferenceClass `h100-8`");
}

/// Replicas of deployments that are not there stay where they are, and what they take is taken.
#[test]
fn replicas_of_others() {
    let without =
        small().replace("kind: ModelDeployment\nmetadata: {name: u,", "kind: ModelDeployment\nmetadata: {name: w,");
    check(
        &without,
        &[scale_w(), Change::Drain(parts("b"))],
        &[
            "ml/w 0: 2 0 more 1 a/l4: 0 of 1 l4-1 +1",
            "  gone a/l4",
            "  gone b/l4",
            "ml/v 1: 1 1 more 1 a/l4: 0 of 1 l4-1 +1",
            "l4-1: 0/5 2/5",
            UP,
        ],
    );
}

fn scale_w() -> Change {
    Change::Scale { namespace: "ml".to_owned(), name: "w".to_owned(), number: 0 }
}

/// What kubectl prints is a list.
#[test]
fn lists() {
    let items: Vec<_> = small().split("---").map(|it| it.trim().replace('\n', "\n  ")).collect();
    let list = format!("apiVersion: v1\nkind: List\nitems:\n- {}\n", items.join("\n- "));
    assert_eq!(outline(&plan(&list, &[], None)), outline(&plan(&small(), &[], None)));
}

/// What competes for room is placed in one order in plans and in cascades, so each deployment gets as much in one as in the other.
#[test]
fn the_order_is_that_of_a_cascade() {
    #[track_caller]
    fn check(documents: &[String], want: Option<&[(&str, usize)]>) {
        let cascade = places(&preview(documents, true));
        let response = plan(&documents.join("---"), &[], None);
        let found: Vec<_> = response.subjects.iter().map(|it| (it.name.as_str(), it.after as usize)).collect();
        let placed: Vec<_> = found.iter().map(|(name, _)| (*name, cascade[*name].len())).collect();
        assert_eq!(found, placed);
        assert_eq!(found.len(), cascade.len());
        assert!(want.is_none_or(|want| found == want), "{found:?}");
    }
    let of = |deployments: &[(&str, u32)]| {
        let wanted = deployments.iter().map(|(name, replicas)| deployment(name, *replicas));
        [CLASS.to_owned(), cluster("a", 2)].into_iter().chain(wanted).collect::<Vec<_>>()
    };
    check(&of(&[("u", 2), ("v", 1)]), Some(&[("u", 2), ("v", 0)]));
    check(&of(&[("v", 1), ("u", 2)]), Some(&[("v", 1), ("u", 1)]));
    check(&[EXAMPLE.to_owned()], None);
}

/// Where a cache keeps new replicas from a cluster, it does so in a plan too.
#[test]
fn caches() {
    const STAGED: &str = "
apiVersion: sailplane.fn.crossplane.io/v1alpha1
kind: Options
modelplane: {cachePlacement: staged}
";
    let cache = |spec: &str, status: &str| {
        format!(
            "
apiVersion: modelplane.ai/v1alpha1
kind: ModelCache
metadata: {{name: weights, namespace: ml}}
spec: {{source: HuggingFace, huggingFace: {{repo: org/u, sizeGiB: 10}}{spec}}}
{status}
"
        )
    };
    let cached = deployment("u", 3).replace("    spec:\n", "    spec:\n      modelCacheRef: {name: weights}\n");
    let check = |cache: Option<String>, input: Option<&str>, want: (u32, &[&str]), said: &[&str]| {
        let fleet = [CLASS.to_owned(), cluster("a", 1), cluster("b", 3), replica("u-1", "u", "a"), cached.clone()];
        let response = plan(&fleet.into_iter().chain(cache).collect::<Vec<_>>().join("---"), &[], input);
        let planned = &response.subjects[0];
        let reasons: Vec<_> = planned.passed_over.iter().map(|row| row.reason.as_str()).collect();
        assert_eq!((planned.after, reasons), (want.0, want.1.to_vec()), "{response:#?}");
        let found = response.diagnostics.iter().filter_map(|it| it.problem.message.strip_prefix("ModelDeployment "));
        assert_eq!(found.collect::<Vec<_>>(), said);
    };
    let on = |clusters: &str| cache("", &format!("status: {{clusters: [{clusters}]}}"));
    let [ready, pending] = ["Ready", "Pending"].map(|phase| on(&format!("{{name: b, phase: {phase}}}")));
    check(Some(ready.clone()), Some(STAGED), (3, &[]), &[]);
    // What runs stays, and nothing new comes.
    check(Some(pending.clone()), Some(STAGED), (1, &["CacheNotReady"]), &[]);
    check(Some(on("{name: a, phase: Ready}")), Some(STAGED), (1, &["CacheNotReady", "NodesShort"]), &[]);
    check(Some(pending), None, (3, &[]), &[]);
    let assumed = "`ml/u`: ModelCache `ml/weights` without a status counts as staged on every cluster";
    check(Some(cache("", "")), Some(STAGED), (3, &[]), &[assumed]);
    check(Some(cache("", "")), None, (3, &[]), &[]);
    let missing = "`ml/u`: there is no ModelCache `ml/weights`, so nothing new is placed";
    check(None, None, (1, &["CacheNotReady"]), &[missing]);
}

#[test]
fn the_example() {
    let found = outline(&plan(EXAMPLE, &[], None));
    let want = [
        "chat/qwen 3: 3 3 more 8 eks-us/h200: 0 of 1 h200-8-efa +1",
        "chat/qwen-next 1: 1 1 more 4 eks-us/h200: 0 of 1 h200-8-efa +1",
        "search/embeddings 2: 2 2 more 3 nebius-eu/l40s: 1 of 2 l40s-1 +1",
        "search/reranker 1: 1 1 more 4 nebius-eu/l40s: 0 of 1 l40s-1 +1",
        "speech/whisper 1: 1 1 more 8 eks-us/h200: 0 of 1 h200-8-efa +1",
        "chat/gemma 1: 1 1 more 4 nebius-eu/l40s: 0 of 1 l40s-1 +1",
        "chat/gpt-oss 2: 2 2 more 1 eks-us/h200: 0 of 1 h200-8-efa +1",
        "code/coder 1: 0 0 more 0 eks-us/h200: 0 of 1 h200-8-efa +1",
        "  NoDevice 2",
        "  NodesShort 1",
    ];
    assert_eq!(found[..want.len()], want);
    let classes: Vec<_> = found.iter().rev().take(5).rev().map(String::as_str).collect();
    assert_eq!(
        classes,
        [
            "h100-8-infiniband: 1/8 1/8",
            "h100-8-own: 1/2 1/2",
            "h200-8-efa: 0/4 0/4",
            "l4-1: 4/8 4/8",
            "l40s-1: 3/6 3/6"
        ]
    );
}
