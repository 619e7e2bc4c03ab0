//! Bytes → a schema and an object, as JSON texts on two lines. Both get an answer, the same each time, and an object
//! that is accepted is accepted again.
#![no_main]

use libfuzzer_sys::{Corpus, fuzz_target};
use schema::{Options, Schema};
use serde_json::Value;

fuzz_target!(|bytes: &[u8]| -> Corpus {
    let Ok(text) = std::str::from_utf8(bytes) else { return Corpus::Reject };
    let Some((schema, object)) = text.split_once('\n') else { return Corpus::Reject };
    let (Ok(source), Ok(object)) = (serde_json::from_str::<Value>(schema), serde_json::from_str::<Value>(object))
    else {
        return Corpus::Reject;
    };
    let Ok(schema) = Schema::read(&source) else { return Corpus::Keep };
    let options = Options::default();
    let (once, again) = (schema.admit(&object, &options), schema.admit(&object, &options));
    assert_eq!(once, again, "equal questions have equal answers");
    if let Err(errors) = once {
        assert!(errors.iter().all(|error| !error.to_string().is_empty()), "a refusal says why");
    }
    // An update validates the old and the new object.
    let stored = schema.stored(&object);
    let _ = schema.admit(&object, &Options { old: Some(&stored), ..options });
    Corpus::Keep
});
