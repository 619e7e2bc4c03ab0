//! What was chosen among candidates, as text and as JSON.

use std::fmt::Write as _;

use serde_json::{Value, json};

use crate::foreign::visible;
use crate::wit::compose::{Amount, Choice, CrowdedPlace, Decision, PassedOver, Share};

/// The most choices of a decision in a text. With the reasons they are fewer lines than a screen has.
const MOST_CHOICES: usize = 12;

/// The most reasons of a decision in a text.
const MOST_REASONS: usize = 20;

/// The most overcommitted places of a decision in a text.
const MOST_CROWDED: usize = 3;

/// The most candidates of a reason in a text.
const MOST_NAMES: usize = 3;

/// Lines for decisions. Unless `all` is set their number has a limit, whatever the number of candidates.
pub(super) fn text(decisions: &[Decision], all: bool) -> String {
    let limit = |most: usize| if all { usize::MAX } else { most };
    let mut text = String::new();
    for decision in decisions {
        let (about, chosen, wanted) = (visible(&decision.about), decision.chosen.len(), decision.wanted);
        let _ = writeln!(text, "? {about}: {chosen} of {wanted}, from {} candidates", decision.candidates);
        let width = decision.chosen.iter().map(|choice| choice.resource_name.chars().count()).max().unwrap_or_default();
        for choice in decision.chosen.iter().take(limit(MOST_CHOICES)) {
            let name = visible(&choice.resource_name).into_owned();
            let _ = writeln!(text, "  {name:width$}  {}  {}", visible(&shares(choice)), visible(&choice.because));
        }
        rest(&mut text, chosen.saturating_sub(limit(MOST_CHOICES)), "choices");
        text.push_str(&passed_over(&decision.passed_over, all));
        for crowded in decision.overcommitted.iter().take(limit(MOST_CROWDED)) {
            let _ = writeln!(text, "  ! {}", visible(&overcommitted(crowded)));
        }
        rest(&mut text, decision.overcommitted.len().saturating_sub(limit(MOST_CROWDED)), "overcommitted places");
    }
    text
}

/// A line for each reason against candidates. Unless `all` is set their number has a limit.
pub(in crate::cli) fn passed_over(rows: &[PassedOver], all: bool) -> String {
    let limit = |most: usize| if all { usize::MAX } else { most };
    let mut text = String::new();
    for row in rows.iter().take(limit(MOST_REASONS)) {
        let _ = writeln!(text, "  × {}", visible(&reason(row, limit(MOST_NAMES))));
    }
    rest(&mut text, rows.len().saturating_sub(limit(MOST_REASONS)), "reasons");
    text
}

/// Decisions with every candidate.
pub(super) fn json(decisions: &[Decision]) -> Value {
    let share =
        |share: &Share| json!({ "place": share.place, "part": share.part, "takes": share.takes.as_ref().map(amount) });
    let choice = |choice: &Choice| {
        let shares: Vec<_> = choice.shares.iter().map(share).collect();
        json!({ "name": choice.resource_name, "shares": shares, "because": choice.because })
    };
    let overcommitted = |crowded: &CrowdedPlace| {
        json!({
            "place": crowded.place,
            "size": amount(&crowded.size),
            "taken": amount(&crowded.taken),
            "takers": crowded.takers,
            "by": crowded.by,
        })
    };
    let decisions = decisions.iter().map(|decision| {
        json!({
            "about": decision.about,
            "wanted": decision.wanted,
            "candidates": decision.candidates,
            "chosen": decision.chosen.iter().map(choice).collect::<Vec<_>>(),
            "passedOver": decision.passed_over.iter().map(passed_over_json).collect::<Vec<_>>(),
            "overcommitted": decision.overcommitted.iter().map(overcommitted).collect::<Vec<_>>(),
        })
    });
    decisions.collect()
}

/// All candidates with one reason.
pub(in crate::cli) fn passed_over_json(row: &PassedOver) -> Value {
    let nearest = row.nearest.as_ref();
    let nearest = nearest.map(|it| {
        let (needed, found) = (amount(&it.needed), amount(&it.found));
        json!({ "place": it.place, "needed": needed, "found": found, "because": it.because })
    });
    json!({
        "reason": row.reason,
        "because": row.because,
        "candidates": row.candidates,
        "nearest": nearest,
        "cause": row.cause,
    })
}

/// A number and its unit.
pub(in crate::cli) fn amount(amount: &Amount) -> Value {
    json!({ "value": amount.value, "unit": amount.unit })
}

fn rest(text: &mut String, left: usize, of: &str) {
    if left > 0 {
        let _ = writeln!(text, "  … {left} more {of} (--all)");
    }
}

fn shares(choice: &Choice) -> String {
    let share = |share: &Share| {
        let takes = share.takes.as_ref().map(|takes| format!(" ({})", counted(takes))).unwrap_or_default();
        let part = if share.part.is_empty() { String::new() } else { format!("{} on ", share.part) };
        format!("{part}{}{takes}", share.place.join("/"))
    };
    choice.shares.iter().map(share).collect::<Vec<_>>().join(", ")
}

fn reason(row: &PassedOver, most: usize) -> String {
    let count = row.candidates.len();
    let names = row.candidates.iter().take(most).map(String::as_str).collect::<Vec<_>>().join(", ");
    let more = count.saturating_sub(most);
    let more = if more > 0 { format!(" and {more} more") } else { String::new() };
    let nearest = row.nearest.as_ref().map(|it| {
        let place = it.place.join("/");
        if it.because.is_empty() {
            format!("; nearest {place}: {} of {}", it.found.value, counted(&it.needed))
        } else {
            format!("; nearest {place}, {}", it.because)
        }
    });
    format!("{count} {}: {names}{more}{}", row.because, nearest.unwrap_or_default())
}

fn overcommitted(CrowdedPlace { place, size, taken, takers, by }: &CrowdedPlace) -> String {
    let named: Vec<_> = by.iter().take(MOST_NAMES).map(String::as_str).collect();
    let more = usize::try_from(*takers).unwrap_or(usize::MAX).saturating_sub(named.len());
    let more = if more > 0 { format!(" and {more} more") } else { String::new() };
    format!(
        "{} has {} of the {} that are taken: {}{more}",
        place.join("/"),
        size.value,
        counted(taken),
        named.join(", ")
    )
}

/// A number and its unit. One of several things is one thing.
pub(in crate::cli) fn counted(Amount { value, unit }: &Amount) -> String {
    match unit.strip_suffix('s') {
        Some(one) if *value == 1 => format!("1 {one}"),
        _ => format!("{value} {unit}"),
    }
}

#[cfg(test)]
mod tests {
    use crate::wit::compose::NearMiss;

    use super::*;

    fn nodes(value: i64) -> Amount {
        Amount { value, unit: "nodes".to_owned() }
    }

    /// A decision with many candidates.
    fn decision(choices: usize, reasons: usize, candidates: usize) -> Decision {
        let share = |part: &str| Share {
            place: vec!["gpu-west".to_owned(), "h200".to_owned()],
            part: part.to_owned(),
            takes: Some(nodes(1)),
        };
        let choice = |index: usize| Choice {
            resource_name: format!("replica-gpu-west-{index}"),
            shares: vec![share("engine prefill"), share("")],
            because: "it is there".to_owned(),
        };
        let passed_over = |index: usize| PassedOver {
            reason: format!("R{index}"),
            because: "lack nodes".to_owned(),
            candidates: (0..candidates).map(|it| format!("c-{index}-{it}")).collect(),
            nearest: (index == 0).then(|| NearMiss {
                place: vec!["c-0-7".to_owned(), "l4".to_owned()],
                needed: nodes(4),
                found: nodes(2),
                because: if candidates == 1 { "selector 2: memory: 80Gi < 141Gi".to_owned() } else { String::new() },
            }),
            cause: None,
        };
        Decision {
            about: "clusters for replicas".to_owned(),
            wanted: 3,
            candidates: u32::try_from(reasons * candidates).expect("few"),
            chosen: (0..choices).map(choice).collect(),
            passed_over: (0..reasons).map(passed_over).collect(),
            overcommitted: Vec::new(),
        }
    }

    /// A pool with so many replicas on one node.
    fn crowded(takers: u32) -> CrowdedPlace {
        CrowdedPlace {
            place: vec!["gpu-west".to_owned(), "h200".to_owned()],
            size: nodes(1),
            taken: nodes(takers.into()),
            takers,
            by: (0..takers.min(10)).map(|it| format!("ml/u-{it}")).collect(),
        }
    }

    #[test]
    fn a_decision() {
        let want = "\
? clusters for replicas: 1 of 3, from 10 candidates
  replica-gpu-west-0  engine prefill on gpu-west/h200 (1 node), gpu-west/h200 (1 node)  it is there
  × 5 lack nodes: c-0-0, c-0-1, c-0-2 and 2 more; nearest c-0-7/l4: 2 of 4 nodes
  × 5 lack nodes: c-1-0, c-1-1, c-1-2 and 2 more
";
        assert_eq!(text(&[decision(1, 2, 5)], false), want);
        let want = "\
? clusters for replicas: 0 of 3, from 1 candidates
  × 1 lack nodes: c-0-0; nearest c-0-7/l4, selector 2: memory: 80Gi < 141Gi
";
        assert_eq!(text(&[decision(0, 1, 1)], false), want);
        let overcommitted = vec![crowded(2), crowded(12)];
        let crowded = Decision { overcommitted, ..decision(0, 0, 0) };
        let want = "\
? clusters for replicas: 0 of 3, from 0 candidates
  ! gpu-west/h200 has 1 of the 2 nodes that are taken: ml/u-0, ml/u-1
  ! gpu-west/h200 has 1 of the 12 nodes that are taken: ml/u-0, ml/u-1, ml/u-2 and 9 more
";
        assert_eq!(text(std::slice::from_ref(&crowded), false), want);
        assert_eq!(json(&[crowded])[0]["overcommitted"][1]["by"].as_array().map(Vec::len), Some(10));
    }

    #[test]
    fn the_lines_have_a_limit() {
        let overcommitted = (2..12).map(crowded).collect();
        let large = [Decision { overcommitted, ..decision(100, 100, 100) }];
        let short = text(&large, false);
        assert!(short.lines().count() <= 40, "{short}");
        assert!(short.contains("… 88 more choices (--all)") && short.contains("… 80 more reasons (--all)"), "{short}");
        let whole = text(&large, true);
        assert_eq!(whole.lines().count(), 211);
        assert!(whole.contains("c-99-99") && json(&large).to_string().contains("c-99-99"));
    }
}
