//! Compares `sailplane render` with the real `crossplane render`. Both use the same function.
//!
//! Both must print the same bytes. The order of Results is the exception: the real one prints them in the random order
//! of a map, so they are compared without their order. Both must refuse the same inputs. Here the exception is what
//! only an API server would refuse, because the real one has none.

mod cascades;
mod cases;
mod corpus;
mod kinds;
mod real;
mod surroundings;

use std::collections::BTreeMap;
use std::num::NonZero;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::{iter, thread};

use cases::{Case, Fate};
use real::{Printed, Real};

/// What a command printed, or why it refused.
type Outcome = Result<Printed, String>;

#[test]
#[ignore = "it needs real components: `make e2e`"]
fn prints_what_crossplane_prints() {
    let real = Real::start();
    let dir = real.dir("cases");
    let (mut printed, mut refused, mut api_server, mut completed, mut different) = (0, 0, 0, 0, Vec::new());
    let mut cases = cases();
    cases.extend(cascades::cases(&real, &dir.join("cascades")));
    let rendered = render(&cases, &dir, &real);
    for (case, (theirs, ours)) in cases.iter().zip(rendered.values()) {
        let alike = match (theirs, ours, case.fate) {
            (Ok(theirs), Ok(ours), Fate::Printed) => same(theirs, ours),
            (Err(_), Err(why), Fate::Refused(part)) => one_line(why).contains(part),
            (Ok(_), Err(why), Fate::RefusedByApiServer(part)) => one_line(why).contains(part),
            (Err(_), Ok(ours), Fate::Completed(part)) => ours.0.contains(part),
            _ => false,
        };
        match case.fate {
            _ if !alike => {
                let (name, fate) = (&case.name, case.fate);
                different.push(format!(
                    "{name}: {fate:?}\n--- crossplane\n{}\n--- sailplane\n{}",
                    show(theirs),
                    show(ours)
                ));
            }
            Fate::Printed => printed += 1,
            Fate::Refused(_) => refused += 1,
            Fate::RefusedByApiServer(_) => api_server += 1,
            Fate::Completed(_) => completed += 1,
        }
    }
    let (levels, wrong) =
        cascades::faults(&cases, |place| rendered.get(&place).and_then(|(theirs, _)| theirs.as_ref().ok()));
    different.extend(wrong);
    println!(
        "render parity: {} cases; {printed} printed alike, {refused} refused alike, {api_server} refused as an API server would, \
         {completed} completed as kubectl would; {levels} levels of cascades",
        cases.len()
    );
    assert!(different.is_empty(), "{} of {} cases differ\n{}", different.len(), cases.len(), different.join("\n\n"));
    assert!(printed >= 100, "only {printed} cases printed something to compare");
}

/// Every case.
fn cases() -> Vec<Case> {
    let mut cases = corpus::examples();
    cases.extend(corpus::golden());
    cases.extend(kinds::variations());
    cases.extend(surroundings::cases());
    cases
}

/// What `crossplane` and `sailplane` print for each case, by its place. A case for each processor is rendered at a time.
fn render(cases: &[Case], dir: &Path, real: &Real) -> BTreeMap<usize, (Outcome, Outcome)> {
    let next = AtomicUsize::new(0);
    let take = || {
        let place = next.fetch_add(1, Ordering::Relaxed);
        cases.get(place).map(|case| (place, case))
    };
    let render = || {
        let rendered = iter::from_fn(take).map(|(place, case)| {
            // Two cases may have one name.
            // What the commands may take for something else in a path.
            let name: String = case.name.chars().map(|it| if it.is_alphanumeric() { it } else { '-' }).collect();
            let arguments = real.write(case, &dir.join(format!("{place}-{name}")));
            (place, (real.crossplane(&arguments), real.sailplane(&arguments)))
        });
        rendered.collect::<Vec<_>>()
    };
    let processors = thread::available_parallelism().map_or(1, NonZero::get);
    thread::scope(|scope| {
        let threads: Vec<_> = (0..processors).map(|_| scope.spawn(render)).collect();
        threads.into_iter().flat_map(|thread| thread.join().expect("every case can be rendered")).collect()
    })
}

fn same(theirs: &Printed, ours: &Printed) -> bool {
    let split = |printed: &Printed| {
        let documents = printed.0.split_inclusive("---\n").map(str::to_owned);
        let (mut results, others): (Vec<_>, Vec<_>) =
            documents.partition(|document| document.contains("\nkind: Result\n"));
        // The separator is part of the next document.
        results.sort_unstable_by_key(|result| result.trim_end_matches("---\n").to_owned());
        let results: Vec<_> = results.iter().map(|result| result.trim_end_matches("---\n").to_owned()).collect();
        (results, others.iter().map(|document| document.trim_end_matches("---\n").to_owned()).collect::<Vec<_>>())
    };
    split(theirs) == split(ours)
}

/// The report on one line, because long lines are wrapped.
fn one_line(report: &str) -> String {
    report.split_whitespace().filter(|word| *word != "│").collect::<Vec<_>>().join(" ")
}

fn show(printed: &Outcome) -> String {
    match printed {
        Ok(Printed(text)) => text.clone(),
        Err(why) => format!("refused: {why}"),
    }
}
