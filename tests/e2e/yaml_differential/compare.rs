//! Compares what both read.

use std::collections::BTreeMap;
use std::fmt;

use serde_json::Value;
use yaml::{Error, values};

use crate::differences::{DIFFERENCES, Difference};
use crate::documents::Document;
use crate::equal::same;
use crate::toolchain::Answer;

/// How many disagreements are printed.
const SAMPLES: usize = 20;

/// The documents so far, by outcome.
#[derive(Default)]
pub(crate) struct Tally {
    equal: usize,
    refused: usize,
    /// Documents that a row explains, by its name.
    meant: BTreeMap<&'static str, usize>,
    different: Vec<String>,
}

impl Tally {
    /// Adds a document with the toolchain's answer.
    pub(crate) fn add(&mut self, document: &Document, theirs: &Answer) {
        let ours = read(&document.text);
        match (&ours, theirs) {
            (Ok(ours), Ok(theirs)) if same(ours, theirs) => self.equal += 1,
            (Err(_), Err(_)) => self.refused += 1,
            _ => match DIFFERENCES.iter().find(|row| row.explains(document, &ours, theirs)) {
                Some(row) => *self.meant.entry(row.name).or_default() += 1,
                None => self.different.push(format!(
                    "{:?}\n  ours:   {}\n  theirs: {}",
                    document.text,
                    shown(&ours),
                    shown(theirs)
                )),
            },
        }
    }

    pub(crate) fn disagreements(&self) -> usize {
        self.different.len()
    }

    pub(crate) fn samples(&self) -> impl Iterator<Item = &str> {
        self.different.iter().map(String::as_str).take(SAMPLES)
    }

    /// How many documents with mistakes a row explains that explains no others.
    pub(crate) fn by_grammar(&self) -> usize {
        DIFFERENCES.iter().filter(|row| row.mistaken).filter_map(|row| self.meant.get(row.name)).sum()
    }

    /// The rows that explain no document.
    pub(crate) fn idle_rows(&self) -> Vec<&'static str> {
        let idle = |row: &&Difference| !self.meant.contains_key(row.name);
        DIFFERENCES.iter().filter(idle).map(|row| row.name).collect()
    }
}

impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { equal, refused, meant, different } = self;
        writeln!(
            f,
            "{equal} documents with equal values, {refused} that both refuse, {} that differ",
            different.len()
        )?;
        let rows = DIFFERENCES.iter().filter_map(|row| Some((meant.get(row.name)?, row)));
        rows.into_iter().try_for_each(|(count, row)| writeln!(f, "{count:6} {}: {}", row.name, row.reason))
    }
}

/// The first document, where the toolchain stops.
fn read(text: &str) -> Result<Value, Error> {
    values(text).into_iter().next().unwrap_or(Ok(Value::Null))
}

fn shown<E: fmt::Display>(answer: &Result<Value, E>) -> String {
    match answer {
        Ok(value) => value.to_string(),
        Err(error) => format!("error: {error}"),
    }
}
