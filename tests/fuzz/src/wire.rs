//! Bytes → an object of Crossplane's protocol: it is the JSON of the tree that prost's own types make of them, or refused
//! where that is; and the JSON can be read back.
#![no_main]

use libfuzzer_sys::{Corpus, fuzz_target};
use prost::Message as _;
use protobuf_json::Struct;
use serde_json::Value;

fuzz_target!(|bytes: &[u8]| -> Corpus {
    let Ok(object) = Struct::decode(bytes) else { return Corpus::Reject };
    assert_eq!(object.encode_to_vec().len(), object.encoded_len(), "it is as long as it says");
    let _ = (object.fields.len(), object == object.clone());
    let Ok(text) = object.to_json() else { return Corpus::Keep };
    let value: Option<Value> = serde_json::from_str(&text).ok();
    assert!(value.is_some(), "what is written is JSON: {text}");
    // A tree may be refused that text is not: prost counts three levels where JSON has one.
    if let Some(tree) = tests::tree::object(bytes) {
        assert_eq!(value, Some(tree));
    }
    if let Err(error) = Struct::from_json(&text) {
        assert!(error.to_string().contains("would be rounded"), "{error}: {text}");
    }
    Corpus::Keep
});
