//! Bytes → changes and YAML documents → plan. Every text gets an answer, which is the same each time.
#![no_main]

use contract::plan::{Change, PlanRequest};
use contract::preview::{Role, Source};
use libfuzzer_sys::{Corpus, fuzz_target};
use module::plan;

fuzz_target!(|bytes: &[u8]| -> Corpus {
    let Ok(text) = std::str::from_utf8(bytes) else { return Corpus::Reject };
    // The lines before a form feed are changes.
    let (changes, fleet) = text.split_once('\u{c}').unwrap_or(("", text));
    let request = PlanRequest {
        sources: vec![Source { name: "fleet".to_owned(), role: Role::Subject, text: fleet.to_owned() }],
        input: None,
        changes: changes.lines().filter_map(change).collect(),
    };
    let response = plan(&request);
    assert_eq!(response, plan(&request), "equal requests must have equal answers");
    for planned in &response.subjects {
        assert!(planned.lost <= planned.before, "what did not run cannot be lost");
    }
    Corpus::Keep
});

/// A change in a line: a word, a place, and what it needs besides.
fn change(line: &str) -> Option<Change> {
    let mut words = line.split(' ');
    let (verb, place) = (words.next()?, words.next()?);
    let place: Vec<_> = place.split('/').map(str::to_owned).collect();
    Some(match verb {
        "lose" => Change::Lose(place),
        "drain" => Change::Drain(place),
        "add" => Change::Add { place, class: words.next()?.to_owned(), number: words.next()?.parse().ok()? },
        "scale" => {
            let [namespace, name]: [String; 2] = place.try_into().ok()?;
            Change::Scale { namespace, name, number: words.next()?.parse().ok()? }
        }
        _ => return None,
    })
}
