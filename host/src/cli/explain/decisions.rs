//! What was chosen among candidates, as text and as JSON.

use std::fmt::Write as _;

use serde_json::{Value, json};

use crate::foreign::visible;
use crate::wit::compose::{Amount, Choice, Decision, PassedOver, Share};

/// The most choices of a decision in a text. With the reasons they are fewer lines than a screen has.
const MOST_CHOICES: usize = 12;

/// The most reasons of a decision in a text.
const MOST_REASONS: usize = 20;

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
        for row in decision.passed_over.iter().take(limit(MOST_REASONS)) {
            let _ = writeln!(text, "  × {}", visible(&passed_over(row, limit(MOST_NAMES))));
        }
        rest(&mut text, decision.passed_over.len().saturating_sub(limit(MOST_REASONS)), "reasons");
    }
    text
}

/// Decisions with every candidate.
pub(super) fn json(decisions: &[Decision]) -> Value {
    let amount = |amount: &Amount| json!({ "value": amount.value, "unit": amount.unit });
    let share = |share: &Share| {
        json!({ "place": share.place, "part": share.part, "takes": share.takes.as_ref().map(amount) })
    };
    let choice = |choice: &Choice| {
        let shares: Vec<_> = choice.shares.iter().map(share).collect();
        json!({ "name": choice.resource_name, "shares": shares, "because": choice.because })
    };
    let passed_over = |row: &PassedOver| {
        let nearest = row.nearest.as_ref();
        let nearest = nearest
            .map(|it| json!({ "place": it.place, "needed": amount(&it.needed), "found": amount(&it.found) }));
        json!({
            "reason": row.reason,
            "because": row.because,
            "candidates": row.candidates,
            "nearest": nearest,
        })
    };
    let decisions = decisions.iter().map(|decision| {
        json!({
            "about": decision.about,
            "wanted": decision.wanted,
            "candidates": decision.candidates,
            "chosen": decision.chosen.iter().map(choice).collect::<Vec<_>>(),
            "passedOver": decision.passed_over.iter().map(passed_over).collect::<Vec<_>>(),
        })
    });
    decisions.collect()
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

fn passed_over(row: &PassedOver, most: usize) -> String {
    let count = row.candidates.len();
    let names = row.candidates.iter().take(most).map(String::as_str).collect::<Vec<_>>().join(", ");
    let more = count.saturating_sub(most);
    let more = if more > 0 { format!(" and {more} more") } else { String::new() };
    let nearest = row.nearest.as_ref().map(|it| {
        format!("; nearest {}: {} of {}", it.place.join("/"), it.found.value, counted(&it.needed))
    });
    format!("{count} {}: {names}{more}{}", row.because, nearest.unwrap_or_default())
}

/// A number and its unit. One of several things is one thing.
fn counted(Amount { value, unit }: &Amount) -> String {
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
            }),
        };
        Decision {
            about: "clusters for replicas".to_owned(),
            wanted: 3,
            candidates: u32::try_from(reasons * candidates).expect("few"),
            chosen: (0..choices).map(choice).collect(),
            passed_over: (0..reasons).map(passed_over).collect(),
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
    }

    #[test]
    fn the_lines_have_a_limit() {
        let large = [decision(100, 100, 100)];
        let short = text(&large, false);
        assert!(short.lines().count() <= 40, "{short}");
        assert!(short.contains("… 88 more choices (--all)") && short.contains("… 80 more reasons (--all)"), "{short}");
        let whole = text(&large, true);
        assert_eq!(whole.lines().count(), 201);
        assert!(whole.contains("c-99-99") && json(&large).to_string().contains("c-99-99"));
    }
}
