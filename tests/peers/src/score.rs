//! How an engine does.

use std::hint::black_box;
use std::panic::{self, AssertUnwindSafe};
use std::time::{Duration, Instant};

use serde_json::{Map, Value as Json, json};

use crate::earlier::Earlier;
use crate::engine::{Engine, Outcome};
use crate::ours::Sailplane;
use crate::successor::Successor;
use crate::vectors::{Expected, Vector, Vectors};

/// How often something is done to find its time: the least counts.
const ROUNDS: usize = 15;
/// What a vector may cost to be timed.
const MOST_TIMED: u64 = 1_000;

/// What differs from machine to machine.
const TIMES: [&str; 3] = ["compileMicros", "runMicros", "longestMillis"];

/// What becomes of a vector.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    Agrees,
    /// Kubernetes refuses it.
    Accepts,
    /// Kubernetes accepts it.
    Refuses,
    /// There is no such function.
    NoFunction,
    /// An error, where Kubernetes has a value.
    Fails,
    /// A value, where Kubernetes has an error.
    Answers,
    /// Another value.
    Wrong,
    Panics,
}

const VERDICTS: &[(Verdict, &str)] = &[
    (Verdict::Agrees, "agrees"),
    (Verdict::Accepts, "accepts"),
    (Verdict::Refuses, "refuses"),
    (Verdict::NoFunction, "noFunction"),
    (Verdict::Fails, "fails"),
    (Verdict::Answers, "answers"),
    (Verdict::Wrong, "wrong"),
    (Verdict::Panics, "panics"),
];

/// How an engine does on all vectors, one by one.
pub struct Score {
    name: &'static str,
    verdicts: Vec<Verdict>,
    /// Vectors whose cost, and whose estimate, is that of Kubernetes.
    costs: usize,
    estimates: usize,
    /// What the longest vector took.
    longest: Duration,
}

/// Times in microseconds, the median of what all engines agree on.
pub struct Times {
    pub vectors: usize,
    compile: f64,
    run: f64,
}

/// Asks an engine everything.
pub fn of<E: Engine>(vectors: &Vectors) -> Score {
    let subjects: Vec<E::Subject> = vectors.subjects.iter().map(E::subject).collect();
    let mut score = Score { name: E::NAME, verdicts: Vec::new(), costs: 0, estimates: 0, longest: Duration::ZERO };
    for vector in &vectors.all {
        let subject = &subjects[vector.subject];
        let start = Instant::now();
        let found = panic::catch_unwind(AssertUnwindSafe(|| {
            let Some(program) = E::compile(subject, &vector.text) else { return (None, None) };
            let outcome = E::run(&program, subject);
            score.longest = score.longest.max(start.elapsed());
            (Some(outcome), E::costs(&program, subject))
        }));
        let verdict = match &found {
            Ok((found, _)) => verdict(vector.expected, *found),
            Err(_) => Verdict::Panics,
        };
        score.verdicts.push(verdict);
        if let Ok((_, Some(costs))) = found {
            score.costs += usize::from(vector.cost == Some(costs.cost));
            score.estimates += usize::from(vector.worst == Some(costs.worst));
        }
    }
    score
}

fn verdict(expected: Expected, found: Option<Outcome>) -> Verdict {
    match (expected, found) {
        (Expected::Refused, None) => Verdict::Agrees,
        (Expected::Refused, Some(_)) => Verdict::Accepts,
        (_, None) => Verdict::Refuses,
        (Expected::Value(value), Some(Outcome::Bool(found))) if value == found => Verdict::Agrees,
        (Expected::Value(_), Some(Outcome::Bool(_) | Outcome::Other)) => Verdict::Wrong,
        (Expected::Value(_), Some(Outcome::NoFunction)) => Verdict::NoFunction,
        (Expected::Value(_), Some(Outcome::Error)) => Verdict::Fails,
        (Expected::Error, Some(Outcome::Bool(_))) => Verdict::Answers,
        (Expected::Error, Some(Outcome::Other | Outcome::NoFunction | Outcome::Error)) => Verdict::Agrees,
    }
}

impl Score {
    /// What differs.
    pub fn wrong(&self, vectors: &Vectors) -> Vec<String> {
        let pairs = self.verdicts.iter().zip(&vectors.all).filter(|(verdict, _)| **verdict != Verdict::Agrees);
        let mut wrong: Vec<String> = pairs.map(|(verdict, vector)| format!("{verdict:?}: {}", vector.text)).collect();
        for (found, all, what) in [
            (self.costs, vectors.all.iter().filter(|vector| vector.cost.is_some()).count(), "costs"),
            (self.estimates, vectors.all.iter().filter(|vector| vector.worst.is_some()).count(), "estimates"),
        ] {
            if found != all {
                wrong.push(format!("{found} of {all} {what} agree"));
            }
        }
        wrong
    }

    /// Prints the vectors with a verdict, by its name.
    pub fn show(&self, which: &str, vectors: &Vectors) {
        for (verdict, vector) in self.verdicts.iter().zip(&vectors.all) {
            if format!("{verdict:?}") == which {
                println!("{} {which}: {} ({:?})", self.name, vector.text, vector.expected);
            }
        }
    }

    pub fn json(&self, times: &Times) -> Json {
        let count = |verdict: Verdict| self.verdicts.iter().filter(|it| **it == verdict).count();
        let counts = VERDICTS.iter().map(|(verdict, name)| ((*name).to_owned(), count(*verdict).into()));
        let mut json = Json::Object(counts.collect::<Map<_, _>>());
        json["name"] = self.name.into();
        json["costs"] = self.costs.into();
        json["estimates"] = self.estimates.into();
        json["compileMicros"] = json!(rounded(times.compile));
        json["runMicros"] = json!(rounded(times.run));
        json["longestMillis"] = json!(rounded(self.longest.as_secs_f64() * 1e3));
        json
    }

    /// Whether a written score has the same outcomes.
    pub fn same_outcomes(&self, written: &Json) -> bool {
        let mut found = self.json(&Times { vectors: 0, compile: 0.0, run: 0.0 });
        for time in TIMES {
            found[time] = written[time].clone();
        }
        found == *written
    }
}

/// The time of each engine on the values that all agree on, of one vector after the other.
pub fn times(vectors: &Vectors, scores: &[Score]) -> Vec<Times> {
    let common = |(index, vector): &(usize, &Vector)| {
        matches!(vector.expected, Expected::Value(_))
            && vector.cost.is_some_and(|cost| cost <= MOST_TIMED)
            && scores.iter().all(|score| score.verdicts[*index] == Verdict::Agrees)
    };
    let common: Vec<&Vector> = vectors.all.iter().enumerate().filter(common).map(|(_, vector)| vector).collect();
    vec![
        of_engine::<Sailplane>(vectors, &common),
        of_engine::<Successor>(vectors, &common),
        of_engine::<Earlier>(vectors, &common),
    ]
}

fn of_engine<E: Engine>(vectors: &Vectors, common: &[&Vector]) -> Times {
    let subjects: Vec<E::Subject> = vectors.subjects.iter().map(E::subject).collect();
    let least = |done: &mut dyn FnMut()| {
        let time = |_| {
            let start = Instant::now();
            done();
            start.elapsed()
        };
        (0..ROUNDS).map(time).min().unwrap_or_default()
    };
    let of_vector = |vector: &&Vector| {
        let subject = &subjects[vector.subject];
        let program = E::compile(subject, &vector.text).expect("it agrees");
        let compile = least(&mut || drop(black_box(E::compile(subject, &vector.text))));
        (compile, least(&mut || _ = black_box(E::run(&program, subject))))
    };
    let (compile, run) = common.iter().map(of_vector).unzip();
    Times { vectors: common.len(), compile: median(compile), run: median(run) }
}

/// In microseconds.
fn median(mut times: Vec<Duration>) -> f64 {
    times.sort_unstable();
    times.get(times.len() / 2).map_or(0.0, |time| time.as_secs_f64() * 1e6)
}

fn rounded(micros: f64) -> f64 {
    (micros * 100.0).round() / 100.0
}
