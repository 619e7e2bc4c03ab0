//! A plan as tables.

use std::fmt::Write as _;

use crate::cli::explain::decisions::{self, counted};
use crate::foreign::visible;
use crate::wit::compose::Share;
use crate::wit::plan::{Headroom, Planned, Response, Stock};

/// The most moves of a deployment in a text.
const MOST_MOVES: usize = 8;

/// The tables: what becomes of the deployments, with the details of those that change, and the classes.
pub(super) fn spell(response: &Response, changed: bool, all: bool) -> String {
    let mut text = deployments(&response.subjects, changed);
    for planned in &response.subjects {
        text.push_str(&details(planned, all));
    }
    text.push('\n');
    text.push_str(&classes(&response.stock, changed));
    text
}

fn deployments(subjects: &[Planned], changed: bool) -> String {
    let mut rows = Vec::new();
    let first: &[&str] = if changed { &["before", "after"] } else { &["placed"] };
    let heads = [&["deployment", "wanted"], first, &["more fit", "runs out first", "class", "with one more"]].concat();
    rows.push(heads.into_iter().map(str::to_owned).collect());
    for planned in subjects {
        let Headroom { more, at_least, scarce, class, with_one_more } = &planned.headroom;
        let counts = if changed { vec![planned.before, planned.after] } else { vec![planned.after] };
        let mut row = vec![format!("{}/{}", planned.namespace, planned.name), planned.wanted.to_string()];
        row.extend(counts.iter().map(u32::to_string));
        row.push(if *at_least { format!("≥ {more}") } else { more.to_string() });
        match scarce {
            Some(it) => row.extend([
                format!("{}: {} of {}", it.place.join("/"), it.found.value, counted(&it.needed)),
                if class.is_empty() { "-".to_owned() } else { class.clone() },
                format!("+{with_one_more}"),
            ]),
            None => row.extend(["-", "-", "-"].map(str::to_owned)),
        }
        rows.push(row);
    }
    table(&rows)
}

/// What moves, what is gone or new, and what is against the clusters when there are too few places.
fn details(planned: &Planned, all: bool) -> String {
    let mut text = String::new();
    let limit = if all { usize::MAX } else { MOST_MOVES };
    let moves = planned.moves.iter().map(|it| format!("→ {} moves to {}", seat(&it.before), seat(&it.after)));
    let gone = planned.gone.iter().map(|it| format!("- {} is gone", seat(it)));
    let new = planned.new.iter().map(|it| format!("+ {} is new", seat(it)));
    let lines: Vec<_> = moves.chain(gone).chain(new).collect();
    for line in lines.iter().take(limit) {
        let _ = writeln!(text, "  {}", visible(line));
    }
    if lines.len() > limit {
        let _ = writeln!(text, "  … {} more (--all)", lines.len() - limit);
    }
    match planned.lost {
        0 => {}
        1 => text.push_str("  ! 1 replica that runs has no place\n"),
        lost => {
            let _ = writeln!(text, "  ! {lost} replicas that run have no place");
        }
    }
    text.push_str(&decisions::passed_over(&planned.passed_over, all));
    if text.is_empty() {
        return text;
    }
    format!("\n{}/{}: {} of {}\n{text}", planned.namespace, planned.name, planned.after, planned.wanted)
}

fn classes(stock: &[Stock], changed: bool) -> String {
    let mut rows: Vec<Vec<String>> = Vec::new();
    let heads: &[&str] =
        if changed { &["class", "before", "free", "after", "free"] } else { &["class", "there are", "free"] };
    rows.push(heads.iter().map(|&head| head.to_owned()).collect());
    for class in stock {
        let mut row = vec![class.class.clone()];
        if changed {
            row.extend([counted(&class.before), class.free_before.value.to_string()]);
        }
        row.extend([counted(&class.after), class.free_after.value.to_string()]);
        rows.push(row);
    }
    table(&rows)
}

/// The places of a replica.
fn seat(shares: &[Share]) -> String {
    let share = |share: &Share| {
        let part = if share.part.is_empty() { String::new() } else { format!(" ({})", share.part) };
        format!("{}{part}", share.place.join("/"))
    };
    shares.iter().map(share).collect::<Vec<_>>().join(", ")
}

/// Rows in columns, without spaces at the ends of lines.
fn table(rows: &[Vec<String>]) -> String {
    let rows: Vec<Vec<_>> = rows.iter().map(|row| row.iter().map(|cell| visible(cell)).collect()).collect();
    let columns = rows.iter().map(Vec::len).max().unwrap_or_default();
    let width = |column: usize| rows.iter().filter_map(|row| row.get(column)).map(|it| it.chars().count()).max();
    let widths: Vec<_> = (0..columns).map(|column| width(column).unwrap_or_default()).collect();
    rows.iter().fold(String::new(), |mut text, row| {
        let cells: Vec<_> = row.iter().zip(&widths).map(|(cell, width)| format!("{cell:width$}")).collect();
        let _ = writeln!(text, "{}", cells.join("  ").trim_end());
        text
    })
}
