//! Compares how documents are read with sigs.k8s.io/yaml, with which kubectl, the API server and Crossplane read them.
//! The documents are known ones, random ones, and random ones with mistakes. Both must give the same value, or both must
//! refuse the document; what differs on purpose has a row in `differences`, with the reason.
//!
//! The random generator has a fixed seed. With another one, in the variable `SAILPLANE_RANDOM`, other documents are
//! generated. `make -C tests/e2e/tools yaml` builds what reads them in Go.

mod compare;
mod differences;
mod documents;
mod equal;
mod random;
mod toolchain;

use crate::compare::Tally;
use crate::random::Random;

const START: u64 = 0x5a11_91a7_e000_0003;

#[test]
#[ignore = "it needs real components: `make e2e`"]
fn the_toolchain_reads_the_same_values() {
    let start = std::env::var("SAILPLANE_RANDOM").map_or(START, |start| start.parse().expect("a number"));
    let documents = documents::all(&mut Random::new(start));
    let answers = toolchain::read(&documents);
    let mut tally = Tally::default();
    for (document, answer) in documents.iter().zip(&answers) {
        tally.add(document, answer);
    }
    println!("{tally}");
    tally.samples().for_each(|sample| println!("{sample}"));
    assert!(documents.len() >= 10_000, "only {} documents", documents.len());
    assert_eq!(tally.disagreements(), 0, "documents that are read differently");
    let (by_grammar, mistaken) = (tally.by_grammar(), documents.iter().filter(|document| document.mistaken).count());
    assert!(by_grammar * 20 < mistaken, "{by_grammar} of {mistaken} documents with mistakes");
    assert_eq!(tally.idle_rows(), [""; 0], "differences that no document shows");
}
