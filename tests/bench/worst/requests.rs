//! Requests of Crossplane's protocol and reviews of API servers that take long.

use serde_json::{Value, json};

use super::bytes::{filled, repeated};
use super::input::{Door, Input};

/// Values of the protocol in its encoding.
const NULL: &[u8] = &[8, 0];
const EMPTY_LIST: &[u8] = &[50, 0];
const EMPTY_OBJECT: &[u8] = &[42, 0];
/// 1e308, which has 309 digits as an integer.
const LARGE: &[u8] = &[17, 0xa0, 0xc8, 0xeb, 0x85, 0xf3, 0xcc, 0xe1, 0x7f];
/// An object with one field.
const OBJECT: &[u8] = &[42, 7, 10, 5, 10, 1, b'a', 18, 0];

pub(super) fn inputs() -> Vec<Input> {
    let call = |what, make| Input { what, make, door: Door::Function };
    let review = |what, make| Input { what, make, door: Door::Webhook("/validate") };
    vec![
        call("observed nulls", |size| with(observed(&object(&list(size, NULL))))),
        call("observed empty lists", |size| with(observed(&object(&list(size, EMPTY_LIST))))),
        call("observed empty objects", |size| with(observed(&object(&list(size, EMPTY_OBJECT))))),
        call("observed objects of a field", |size| with(observed(&object(&list(size, OBJECT))))),
        call("observed large numbers", |size| with(observed(&object(&list(size, LARGE))))),
        call("observed control characters", |size| with(observed(&object(&text(&"\u{1}".repeat(size)))))),
        call("a composite of nulls", |size| with(composite(&object(&list(size, NULL))))),
        call("a composite of objects of a field", |size| with(composite(&object(&list(size, OBJECT))))),
        call("a composite of large numbers", |size| with(composite(&object(&list(size, LARGE))))),
        call("a composite of control characters", |size| with(composite(&object(&text(&"\u{1}".repeat(size)))))),
        call("a context of objects of a field", |size| with(message(5, &object(&list(size, OBJECT))))),
        call("a context of large numbers", |size| with(message(5, &object(&list(size, LARGE))))),
        call("a context of many entries", |size| {
            with(message(5, &many(size, |at| message(1, &[message(1, &name(at)), message(2, NULL)].concat()))))
        }),
        call("an input of objects of a field", |size| with(message(4, &object(&list(size, OBJECT))))),
        call("an input of unknown fields", |size| {
            with(message(4, &many(size, |at| message(1, &[message(1, &name(at)), message(2, NULL)].concat()))))
        }),
        call("desired objects of a field", |size| with(message(3, &resource("other", &object(&list(size, OBJECT)))))),
        call("desired large numbers", |size| with(message(3, &resource("other", &object(&list(size, LARGE)))))),
        call("a desired status of objects of a field", |size| {
            let status =
                message(1, &[message(1, b"status"), message(2, &message(5, &object(&list(size, OBJECT))))].concat());
            with(message(3, &message(1, &message(1, &status))))
        }),
        call("many observed resources", |size| with(message(2, &many(size, |at| entry(&name(at), &[]))))),
        call("many desired resources", |size| with(message(3, &many(size, |at| entry(&name(at), &[]))))),
        call("many small observed objects", |size| {
            with(message(2, &many(size, |at| entry(&name(at), &message(1, &object(NULL))))))
        }),
        call("many small desired objects", |size| {
            with(message(3, &many(size, |at| entry(&name(at), &message(1, &object(NULL))))))
        }),
        call("many connection details", |size| {
            let detail = |at| message(2, &[message(1, &name(at)), message(2, b"")].concat());
            with(message(2, &entry(b"other", &many(size, detail))))
        }),
        call("many required resources", |size| {
            let empty = message(1, &message(1, &object(NULL)));
            with(message(8, &[message(1, b"same-host"), message(2, &empty.repeat(size / empty.len()))].concat()))
        }),
        call("a schema of objects of a field", |size| {
            let schema = message(1, &object(&list(size, OBJECT)));
            with(message(9, &[message(1, b"schema"), message(2, &schema)].concat()))
        }),
        call("unknown fields", |size| with([0xf8, 0x7f, 0].repeat(size / 3))),
        call("unknown groups", |size| with([0xfb, 0x7f, 0xfc, 0x7f].repeat(size / 4))),
        call("groups in groups", |size| with([0xfb, 0x7f].repeat(size / 2))),
        call("lists in lists", |size| {
            let deep = (0..110).fold(NULL.to_vec(), |inner, _| message(6, &message(1, &inner)));
            with(observed(&object(&list(size, &deep))))
        }),
        call("a long kind", |size| with(composite(&field("kind", &text(&"a".repeat(size)))))),
        call("a long kind of control characters", |size| {
            with(composite(&field("kind", &text(&"\u{1b}".repeat(size)))))
        }),
        call("a long tag", |size| with(message(1, &message(1, "a".repeat(size).as_bytes())))),
        call("many conditions", |size| {
            let condition = value(&json!({"type": "A", "status": "True", "reason": "B"}));
            let conditions = field("conditions", &list(size, &condition));
            with(composite(&field("status", &message(5, &conditions))))
        }),
        call("many labels", |size| {
            let labels = many(size, |at| message(1, &[message(1, &name(at)), message(2, &text("a"))].concat()));
            with(composite(&field("metadata", &message(5, &field("labels", &message(5, &labels))))))
        }),
        call("wrong fields of a spec", |size| {
            with(composite(&field(
                "spec",
                &message(5, &[field("gpu", &list(size, OBJECT)), field("model", &list(8, NULL))].concat()),
            )))
        }),
        review("a review of lists", |size| reviewed(size, "[],")),
        review("a review of objects of a field", |size| reviewed(size, "{\"a\":0},")),
        review("a review of numbers", |size| reviewed(size, "1e300,")),
        review("a review of escapes", |size| reviewed(size, "\"\\u001b\\u001b\\u001b\\u001b\",")),
        review("a review of lists in lists", |size| {
            reviewed(size, &format!("{}{},", "[".repeat(100), "]".repeat(100)))
        }),
        review("a review of many labels", |size| {
            filled(
                size,
                &head(r#""metadata":{"name":"a","labels":{"#),
                |at| format!("\"-{at}\":\"-\","),
                r#""a":"b"}}}}}"#,
            )
        }),
        review("a review of owners", |size| {
            repeated(size, &head(r#""metadata":{"name":"a","ownerReferences":["#), r#"{"controller":true},"#, "{}]}}}}")
        }),
        review("a review of managed fields", |size| {
            repeated(size, &head(r#""metadata":{"name":"a","managedFields":["#), r#"{"a":0},"#, "{}]}}}}")
        }),
        review("a review of unknown fields", |size| {
            filled(size, &head(r#""spec":{"#), |at| format!("\"a{at}\":0,"), r#""a":"b"}}}}"#)
        }),
        review("a review of one long text", |size| repeated(size, &head(r#""metadata":{"name":""#), "a", r#""}}}}"#)),
        review("a review of a long model", |size| repeated(size, &head(r#""spec":{"model":""#), "a/", r#""}}}}"#)),
        review("a review of a long host", |size| {
            repeated(size, &head(r#""spec":{"providerConfigName":"c","ingressHost":""#), "a.", r#""}}}}"#)
        }),
        review("a text that is no review", |size| repeated(size, "", "[", "")),
        Input {
            what: "defaults for objects of a field",
            make: |size| reviewed(size, "{\"a\":0},"),
            door: Door::Webhook("/mutate"),
        },
    ]
}

/// A field of a message with this number.
fn message(number: u8, bytes: &[u8]) -> Vec<u8> {
    let mut encoded = vec![number << 3 | 2];
    let mut length = bytes.len();
    while length >= 0x80 {
        encoded.push((length & 0x7f) as u8 | 0x80);
        length >>= 7;
    }
    encoded.push(length as u8);
    encoded.extend_from_slice(bytes);
    encoded
}

/// Pieces until there are so many bytes, but never more than a request may have.
fn many(size: usize, piece: impl Fn(usize) -> Vec<u8>) -> Vec<u8> {
    let mut bytes = Vec::new();
    for at in 0..90_000 {
        if bytes.len() >= size {
            break;
        }
        bytes.extend(piece(at));
    }
    bytes
}

fn name(at: usize) -> Vec<u8> {
    format!("{at:x}").into_bytes()
}

/// The value of a list that has so many bytes.
fn list(size: usize, item: &[u8]) -> Vec<u8> {
    let item = message(1, item);
    message(6, &item.repeat(size / item.len()))
}

fn text(text: &str) -> Vec<u8> {
    message(3, text.as_bytes())
}

fn field(name: &str, value: &[u8]) -> Vec<u8> {
    message(1, &[message(1, name.as_bytes()), message(2, value)].concat())
}

fn object(value: &[u8]) -> Vec<u8> {
    field("a", value)
}

/// A JSON value.
fn value(json: &Value) -> Vec<u8> {
    match json {
        Value::Object(fields) => {
            message(5, &fields.iter().flat_map(|(name, json)| field(name, &value(json))).collect::<Vec<_>>())
        }
        other => text(other.as_str().expect("these have only texts")),
    }
}

/// An entry of the resources of a state.
fn entry(name: &[u8], resource: &[u8]) -> Vec<u8> {
    message(2, &[message(1, name), message(2, resource)].concat())
}

fn resource(name: &str, object: &[u8]) -> Vec<u8> {
    entry(name.as_bytes(), &message(1, object))
}

fn observed(object: &[u8]) -> Vec<u8> {
    message(2, &resource("other", object))
}

/// Further fields of the composite, in place of those with the same names.
fn composite(fields: &[u8]) -> Vec<u8> {
    message(2, &message(1, &message(1, fields)))
}

/// The usual request, with something more. Fields of the same message are put together.
fn with(more: Vec<u8>) -> Vec<u8> {
    use prost::Message as _;
    [tests::workload::protobuf().encode_to_vec(), more].concat()
}

/// A review whose object has a list.
fn reviewed(size: usize, item: &str) -> Vec<u8> {
    repeated(size, &head(r#""spec":{"providerConfigName":"c","a":["#), item, "0]}}}}")
}

/// The start of a review, up to fields of its object. Three braces are left open, and that of the object.
fn head(fields: &str) -> String {
    let kind = r#"{"group":"inference.devopstoolkit.ai","version":"v1alpha1","kind":"LLMInference"}"#;
    let object = r#""apiVersion":"inference.devopstoolkit.ai/v1alpha1","kind":"LLMInference""#;
    format!(
        r#"{{"apiVersion":"admission.k8s.io/v1","kind":"AdmissionReview","request":{{"uid":"1","kind":{kind},"operation":"CREATE","namespace":"a","userInfo":{{"username":"a"}},"object":{{{object},{fields}"#
    )
}
