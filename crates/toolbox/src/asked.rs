//! Lookups of admission.

use contract::admit::{LookupAnswers, Verdict};
use contract::types::{ObservedObject, Selector};

/// Adds a lookup to the verdict, and gives its answer. Without one, `whether` could not be judged.
pub fn ask<'a>(
    verdict: &mut Verdict,
    answers: &'a LookupAnswers,
    name: &str,
    selector: Selector,
    whether: &str,
) -> Option<&'a [ObservedObject]> {
    verdict.lookups.insert(name.to_owned(), selector);
    let answer = answers.get(name);
    if answer.is_none() {
        verdict.unjudged.push(format!("not looked up: {whether}"));
    }
    answer.map(Vec::as_slice)
}
