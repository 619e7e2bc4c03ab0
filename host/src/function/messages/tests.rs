//! Beside the messages of the official SDK. They are spelled without `..`, so a field that a newer SDK has is noticed here.

use std::collections::HashMap;
use std::fmt::Debug;

use function_sdk_rust::proto;
use function_sdk_rust::proto::v1;
use pbjson_types::value::Kind;
use prost::Message;
use prost::bytes::Bytes;
use prost::encoding::{bytes, fixed32, fixed64, uint64};

use super::{Open, Resource, ResourceFields, RunFunctionRequest, RunFunctionResponse, State};

#[test]
fn the_description_is_that_of_the_sdk() {
    let ours = include_bytes!("description.bin");
    assert!(ours == proto::FILE_DESCRIPTOR_SET, "take its file `src/generated/fileset.bin` for description.bin");
}

/// What the SDK encodes is the same after it went through our message.
fn check<Ours: Message + Default, Theirs: Message + Default + PartialEq + Debug>(message: &Theirs) {
    let ours = Ours::decode(Bytes::from(message.encode_to_vec())).unwrap();
    let bytes = ours.encode_to_vec();
    assert_eq!((bytes.len(), &Theirs::decode(&*bytes).unwrap()), (ours.encoded_len(), message));
}

fn one<T>(value: T) -> HashMap<String, T> {
    HashMap::from([("one".to_owned(), value)])
}

fn object() -> pbjson_types::Struct {
    pbjson_types::Struct::from_iter([("a".to_owned(), Kind::BoolValue(true).into())])
}

fn resource() -> v1::Resource {
    v1::Resource { resource: Some(object()), connection_details: one(vec![0, 1, 255]), ready: 2 }
}

fn state() -> v1::State {
    v1::State { composite: Some(resource()), resources: one(resource()) }
}

fn text(text: &str) -> String {
    text.to_owned()
}

#[test]
fn requests() {
    let resources = v1::Resources { items: vec![resource(), v1::Resource::default()] };
    let data = v1::CredentialData { data: one(vec![1, 0]) };
    check::<RunFunctionRequest, _>(&v1::RunFunctionRequest {
        meta: Some(v1::RequestMeta { tag: text("tag"), capabilities: vec![1, 2, 3, 4, 5, 99] }),
        observed: Some(state()),
        desired: Some(state()),
        input: Some(object()),
        context: Some(object()),
        extra_resources: one(resources.clone()),
        credentials: one(v1::Credentials { source: Some(v1::credentials::Source::CredentialData(data)) }),
        required_resources: one(resources),
        required_schemas: one(v1::Schema { openapi_v3: Some(object()) }),
    });
    check::<RunFunctionRequest, _>(&v1::RunFunctionRequest::default());
}

#[test]
fn responses() {
    use v1::resource_selector::Match;
    let labels = v1::MatchLabels { labels: one(text("value")) };
    let selectors = [Match::MatchName(text("name")), Match::MatchLabels(labels)].map(|r#match| v1::ResourceSelector {
        api_version: text("v1"),
        kind: text("Secret"),
        namespace: Some(text("default")),
        r#match: Some(r#match),
    });
    let [by_name, by_labels] = selectors;
    check::<RunFunctionResponse, _>(&v1::RunFunctionResponse {
        meta: Some(v1::ResponseMeta {
            tag: text("tag"),
            ttl: Some(pbjson_types::Duration { seconds: 60, nanos: 500_000_000 }),
        }),
        desired: Some(state()),
        results: vec![v1::Result {
            severity: 3,
            message: text("message"),
            reason: Some(text("Reason")),
            target: Some(2),
        }],
        context: Some(object()),
        requirements: Some(v1::Requirements {
            extra_resources: one(by_name),
            resources: one(by_labels),
            schemas: one(v1::SchemaSelector { api_version: text("v1"), kind: text("Secret") }),
        }),
        conditions: vec![v1::Condition {
            r#type: text("Type"),
            status: 2,
            reason: text("Reason"),
            message: Some(String::new()),
            target: Some(1),
        }],
        output: Some(object()),
    });
    check::<RunFunctionResponse, _>(&v1::RunFunctionResponse::default());
}

#[test]
fn maps_are_sorted_on_the_wire() {
    let names = ["b", "a", "c", "é", "B", ""];
    let encoded = |names: &mut dyn Iterator<Item = &&str>| {
        let resources = names.map(|name| ((*name).to_owned(), Resource::default())).collect();
        State { composite: None, resources }.encode_to_vec()
    };
    let bytes = encoded(&mut names.iter());
    assert_eq!(bytes, encoded(&mut names.iter().rev()));
    let at = |name: &[u8]| bytes.windows(name.len()).position(|window| window == name);
    assert!(at(b"\x0a\x01B") < at(b"\x0a\x01a") && at(b"\x0a\x01a") < at(b"\x0a\x01b"));
}

#[test]
fn unknown_fields_of_a_resource_are_kept() {
    let mut wire =
        v1::Resource { resource: Some(object()), connection_details: HashMap::new(), ready: 1 }.encode_to_vec();
    uint64::encode(4, &300, &mut wire);
    fixed64::encode(5, &1, &mut wire);
    bytes::encode(1000, &vec![0xff; 3], &mut wire);
    fixed32::encode(6, &1, &mut wire);
    let resource = Resource::decode(&*wire).unwrap();
    assert_eq!((resource.ready, resource.encode_to_vec(), resource.encoded_len()), (1, wire.clone(), wire.len()));
    let mut composite = resource.clone();
    composite.ready = 2;
    let again = Resource::decode(&*composite.encode_to_vec()).unwrap();
    assert_eq!((again.ready, again.encoded_len()), (2, wire.len()));
    let fields = ResourceFields { ready: 1, ..ResourceFields::default() };
    assert_eq!(Open::from(fields.clone()).into_known(), fields);
    assert_ne!(Resource::from(resource.clone().into_known()), resource);
}

#[test]
fn unknown_fields_that_end_too_early() {
    for wire in [&b"\x22\x05ab"[..], b"\x20", b"\x29\x01", b"\x25\x01\x02"] {
        assert!(Resource::decode(wire).is_err(), "{wire:?}");
    }
}
