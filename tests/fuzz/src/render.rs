//! Bytes → YAML documents → render. Every text gets an answer, which is the same each time.
#![no_main]

use contract::preview::{PreviewRequest, Role, Source};
use libfuzzer_sys::{Corpus, fuzz_target};
use module::preview;

fuzz_target!(|bytes: &[u8]| -> Corpus {
    let Ok(text) = std::str::from_utf8(bytes) else { return Corpus::Reject };
    // The part after a form feed is the observed state, so that both inputs are fuzzed.
    let (subject, observed) = text.split_once('\u{c}').unwrap_or((text, ""));
    let source = |name: &str, role, text: &str| Source { name: name.to_owned(), role, text: text.to_owned() };
    let request = PreviewRequest {
        sources: vec![source("subject", Role::Subject, subject), source("observed", Role::Observed, observed)],
        cascade: true,
        explain: true,
        now: Some(1_769_860_800), // of the golden requests, from which fuzzing starts
        ..PreviewRequest::default()
    };
    let response = preview(&request);
    assert_eq!(response, preview(&request), "equal requests must have equal answers");
    for diagnostic in &response.diagnostics {
        assert!(!diagnostic.problem.message.is_empty(), "a problem must say what is wrong");
        if let Some(place) = diagnostic.location {
            assert!(
                (place.line, place.column) <= (place.end_line, place.end_column),
                "a place must not end before it begins"
            );
        }
    }
    // The host parses YAML too. A printed key `<<` would be parsed as a merge, as in the Kubernetes toolchain.
    for document in yaml::values(text).into_iter().flatten().filter(|_| !text.contains("<<")) {
        let printed = yaml::to_string(&document);
        // Aliases are replaced by their values, so the printed document may be longer than the limit.
        if printed.len() <= yaml::limits::MAX_DOCUMENT {
            assert_eq!(yaml::values(&printed), [Ok(document)], "what is printed must be read back");
        }
    }
    Corpus::Keep
});
