//! Beside `prost_types`, whose messages are those of the protocol as prost itself decodes them to a tree.

use std::collections::BTreeMap;

use proptest::collection::{btree_map, vec};
use proptest::prelude::*;
use prost::Message as _;
use prost::bytes::Bytes;
use prost::encoding::{WireType, encode_key, encode_varint};
use prost_types::value::Kind;

use crate::{Struct, Value};

// What the tree says.

fn tree(kind: Kind) -> prost_types::Value {
    prost_types::Value { kind: Some(kind) }
}

fn text(value: &prost_types::Value) -> Option<String> {
    Some(match &value.kind {
        None | Some(Kind::NullValue(_)) => "null".to_owned(),
        Some(Kind::BoolValue(value)) => value.to_string(),
        Some(Kind::NumberValue(number)) if !number.is_finite() => return None,
        Some(Kind::NumberValue(number)) if number.fract() == 0.0 => format!("{:.0}", number + 0.0),
        Some(Kind::NumberValue(number)) => number.to_string(),
        Some(Kind::StringValue(text)) => quoted(text),
        Some(Kind::ListValue(list)) => {
            let items: Option<Vec<_>> = list.values.iter().map(text).collect();
            format!("[{}]", items?.join(","))
        }
        Some(Kind::StructValue(object)) => object_text(object)?,
    })
}

fn object_text(object: &prost_types::Struct) -> Option<String> {
    let fields = object.fields.iter().map(|(key, value)| Some(format!("{}:{}", quoted(key), text(value)?)));
    Some(format!("{{{}}}", fields.collect::<Option<Vec<_>>>()?.join(",")))
}

fn quoted(text: &str) -> String {
    let escaped = text.chars().map(|char| match char {
        '"' => "\\\"".to_owned(),
        '\\' => "\\\\".to_owned(),
        '\n' => "\\n".to_owned(),
        '\t' => "\\t".to_owned(),
        '\r' => "\\r".to_owned(),
        char if char < ' ' => format!("\\u{:04x}", u32::from(char)),
        char => char.to_string(),
    });
    format!("\"{}\"", escaped.collect::<String>())
}

// Any value, and any way to put it on the wire.

fn any_text() -> impl Strategy<Value = String> {
    prop_oneof![
        "[a-z]{0,3}",
        "[ -~]{0,40}",
        "\\PC{0,12}",
        vec(any::<char>(), 0..20).prop_map(|chars| chars.into_iter().collect()),
        "[a-z]{8,9}[\"\\\\\n\t\r\u{1}\u{7f}é🛩]{0,2}[a-z]{0,17}",
        "[a-z]{120,140}",
    ]
}

fn any_number() -> impl Strategy<Value = f64> {
    prop_oneof![
        any::<f64>(),
        any::<i32>().prop_map(f64::from),
        any::<i64>().prop_map(|number| number as f64),
        any::<u64>().prop_map(|number| number as f64),
        prop_oneof![Just(0.0), Just(-0.0), Just(1e21), Just(0.9), Just(1e-7), Just(9_007_199_254_740_993.0)],
    ]
}

fn any_value() -> impl Strategy<Value = prost_types::Value> {
    let scalar = prop_oneof![
        Just(tree(Kind::NullValue(0))),
        Just(prost_types::Value { kind: None }),
        any::<bool>().prop_map(|value| tree(Kind::BoolValue(value))),
        any_number().prop_map(|number| tree(Kind::NumberValue(number))),
        any_text().prop_map(|text| tree(Kind::StringValue(text))),
    ];
    scalar.prop_recursive(6, 80, 6, |inner| {
        prop_oneof![
            vec(inner.clone(), 0..6).prop_map(|values| tree(Kind::ListValue(prost_types::ListValue { values }))),
            btree_map(any_text(), inner, 0..6)
                .prop_map(|fields| tree(Kind::StructValue(prost_types::Struct { fields }))),
        ]
    })
}

fn any_object() -> impl Strategy<Value = prost_types::Struct> {
    btree_map(any_text(), any_value(), 0..6).prop_map(|fields| prost_types::Struct { fields })
}

/// Puts a value on the wire as any encoder might: keys in any order, some twice, fields that nobody knows.
struct Wild(u64);

impl Wild {
    fn below(&mut self, n: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % n
    }

    fn object(&mut self, object: &prost_types::Struct, wire: &mut Vec<u8>) {
        let mut fields: Vec<_> = object.fields.iter().map(|(key, value)| (key, value.clone())).collect();
        for index in 0..fields.len() {
            let other = index + self.below((fields.len() - index) as u64) as usize;
            fields.swap(index, other);
        }
        for (key, value) in &fields {
            if self.below(8) == 0 {
                self.entry(key, &tree(Kind::StringValue("superseded".to_owned())), wire);
            }
            self.entry(key, value, wire);
            self.stranger(7, wire);
        }
    }

    fn entry(&mut self, key: &str, value: &prost_types::Value, wire: &mut Vec<u8>) {
        let mut entry = Vec::new();
        let mut inner = Vec::new();
        self.value(value, &mut inner);
        let key_first = self.below(4) > 0;
        if key_first && (!key.is_empty() || self.below(2) == 0) {
            field(1, key.as_bytes(), &mut entry);
        }
        self.stranger(3, &mut entry);
        if !inner.is_empty() || self.below(2) == 0 {
            field(2, &inner, &mut entry);
        }
        if !key_first {
            field(1, key.as_bytes(), &mut entry);
        }
        field(1, &entry, wire);
    }

    fn value(&mut self, value: &prost_types::Value, wire: &mut Vec<u8>) {
        match &value.kind {
            Some(Kind::StructValue(object)) => {
                let mut inner = Vec::new();
                self.object(object, &mut inner);
                field(5, &inner, wire);
            }
            Some(Kind::ListValue(list)) => {
                let mut items = Vec::new();
                for item in &list.values {
                    let mut inner = Vec::new();
                    self.value(item, &mut inner);
                    field(1, &inner, &mut items);
                    self.stranger(2, &mut items);
                }
                field(6, &items, wire);
            }
            _ => value.encode_raw(wire),
        }
        self.stranger(9, wire);
    }

    /// Now and then a field that is not known, of any type.
    fn stranger(&mut self, tag: u32, wire: &mut Vec<u8>) {
        match self.below(24) {
            0 => field(tag, b"stranger", wire),
            1 => {
                encode_key(tag, WireType::Varint, wire);
                encode_varint(u64::MAX, wire);
            }
            2 => {
                encode_key(tag, WireType::SixtyFourBit, wire);
                wire.extend([7; 8]);
            }
            3 => {
                encode_key(tag, WireType::ThirtyTwoBit, wire);
                wire.extend([7; 4]);
            }
            4 => {
                encode_key(tag, WireType::StartGroup, wire);
                field(1, b"in a group", wire);
                encode_key(tag, WireType::EndGroup, wire);
            }
            _ => {}
        }
    }
}

fn field(tag: u32, bytes: &[u8], wire: &mut Vec<u8>) {
    encode_key(tag, WireType::LengthDelimited, wire);
    encode_varint(bytes.len() as u64, wire);
    wire.extend_from_slice(bytes);
}

fn wild(object: &prost_types::Struct, seed: u64) -> Vec<u8> {
    let mut wire = Vec::new();
    Wild(seed).object(object, &mut wire);
    wire
}

/// The JSON text of an object on the wire, or why there is none.
fn ours(wire: &[u8]) -> Result<String, String> {
    let object = Struct::decode(Bytes::copy_from_slice(wire)).map_err(|error| error.to_string())?;
    object.to_json().map_err(|error| error.to_string())
}

fn theirs(wire: &[u8]) -> Result<Option<String>, String> {
    prost_types::Struct::decode(wire).map(|object| object_text(&object)).map_err(|error| error.to_string())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(if cfg!(debug_assertions) { 300 } else { 30_000 }))]

    /// Of whatever order and with whatever strangers, the text is that of the tree.
    #[test]
    fn wire_to_text(object in any_object(), seed in any::<u64>()) {
        let wire = wild(&object, seed);
        let Ok(expected) = theirs(&wire) else { return Ok(()) }; // too deep for a tree
        prop_assert_eq!(ours(&wire).ok(), expected);
    }

    /// A text that is read where it stands is that of the tree.
    #[test]
    fn texts_in_the_wire(object in any_object(), seed in any::<u64>()) {
        let wire = wild(&object, seed);
        prop_assume!(theirs(&wire).is_ok()); // a tree is not as deep
        let ours = Struct::decode(Bytes::from(wire)).unwrap();
        let plain = |value: &prost_types::Value| match &value.kind {
            Some(Kind::StringValue(text)) => Some(text.clone()),
            _ => None,
        };
        for (key, value) in &object.fields {
            prop_assert_eq!(ours.text(&[key]), plain(value));
            prop_assert_eq!(ours.text(&[key, "no such key"]), None);
            let Some(Kind::StructValue(inner)) = &value.kind else { continue };
            for (deeper, value) in &inner.fields {
                prop_assert_eq!(ours.text(&[key, deeper]), plain(value));
            }
        }
        prop_assert_eq!((ours.text(&[]), ours.text(&["no such key"])), (None, None));
    }

    /// What nobody looks into leaves as it came; what somebody looked into, too.
    #[test]
    fn wire_to_wire(object in any_object()) {
        let wire = object.encode_to_vec();
        let object = Struct::decode(Bytes::from(wire.clone())).unwrap();
        prop_assert_eq!(object.encoded_len(), wire.len());
        prop_assert_eq!(&object.encode_to_vec(), &wire);
        for (_, value) in &object.fields {
            prop_assert_eq!(Value::decode(Bytes::from(value.encode_to_vec())).unwrap().to_json(), value.to_json());
        }
        prop_assert_eq!(&object.encode_to_vec(), &wire);
    }

    /// What was changed leaves as the tree would, and has the tree's text.
    #[test]
    fn changes(object in any_object(), key in any_text(), text in any_text()) {
        let mut ours = Struct::decode(Bytes::from(object.encode_to_vec())).unwrap();
        let mut theirs = object;
        let value = crate::value::Kind::StringValue(text.clone());
        let before = ours.fields.insert(key.clone(), value.into()).map(|value| value.to_json().ok());
        let was = theirs.fields.insert(key, tree(Kind::StringValue(text)));
        prop_assert_eq!(before, was.map(|value| super::tests::text(&value)));
        prop_assert_eq!(ours.encode_to_vec(), theirs.encode_to_vec());
        prop_assert_eq!(ours.encoded_len(), theirs.encoded_len());
        prop_assert_eq!(ours.to_json().ok(), object_text(&theirs));
    }

    /// Text becomes the bytes that the tree would become, whose keys are sorted too.
    #[test]
    fn text_to_wire(object in any_object()) {
        let Some(text) = object_text(&object) else { return Ok(()) };
        let read = match Struct::from_json(&text) {
            Ok(read) => read,
            Err(error) => {
                prop_assert!(error.to_string().contains("would be rounded"), "{}", error);
                return Ok(());
            }
        };
        let expected = prost_types::Struct { fields: object.fields.iter().map(|(key, it)| (key.clone(), settled(it))).collect() };
        prop_assert_eq!(read.encoded_len(), expected.encoded_len());
        prop_assert_eq!(read.encode_to_vec(), expected.encode_to_vec());
        prop_assert_eq!(read.to_json().ok(), object_text(&expected));
        prop_assert_eq!(Value::from_json(&text).unwrap().to_json().ok(), object_text(&expected));
    }

    /// Bytes that something has damaged have the text of the tree, or none.
    #[test]
    fn damaged(object in any_object(), seed in any::<u64>(), damage in vec((any::<usize>(), 0u8..4, any::<u8>()), 1..4)) {
        let mut wire = wild(&object, seed);
        for (at, how, byte) in damage {
            let at = at % (wire.len() + 1);
            match how {
                0 => wire.truncate(at),
                1 => wire.insert(at, byte),
                _ if at == wire.len() => {}
                2 => wire[at] ^= 1 << (byte % 8),
                _ => wire[at] = byte,
            }
        }
        same_judgement(&wire)?;
    }

    #[test]
    fn noise(wire in vec(prop_oneof![0u8..0x40, any::<u8>()], 0..60)) {
        same_judgement(&wire)?;
    }
}

/// The same text as the tree's, or a refusal where the tree has one. Only here is refused what no encoder writes: one
/// field of a message twice, and a map's entry that is no message, which prost reads as if it were one. Only there is
/// refused what is nested deep.
fn same_judgement(wire: &[u8]) -> Result<(), TestCaseError> {
    const ONLY_HERE: [&str; 4] = ["two values for one field", "wire type", "wrong type", "a group"];
    match (ours(wire), theirs(wire)) {
        (Err(error), _) if ONLY_HERE.iter().any(|what| error.contains(what)) => {}
        (_, Err(error)) if error.contains("recursion limit") => {}
        (Ok(ours), Ok(Some(theirs))) => prop_assert_eq!(ours, theirs),
        (Err(_), Err(_) | Ok(None)) => {}
        (ours, theirs) => return Err(TestCaseError::fail(format!("{ours:?}, and the tree {theirs:?}"))),
    }
    Ok(())
}

/// A value as it is after a way through JSON: null is null, and zero has no sign.
fn settled(value: &prost_types::Value) -> prost_types::Value {
    tree(match &value.kind {
        None => Kind::NullValue(0),
        // What reads JSON takes some fractions for the number beside them.
        Some(Kind::NumberValue(_)) => Kind::NumberValue(serde_json::from_str(&text(value).unwrap()).unwrap()),
        Some(Kind::ListValue(list)) => {
            Kind::ListValue(prost_types::ListValue { values: list.values.iter().map(settled).collect() })
        }
        Some(Kind::StructValue(object)) => {
            let fields: BTreeMap<_, _> = object.fields.iter().map(|(key, it)| (key.clone(), settled(it))).collect();
            Kind::StructValue(prost_types::Struct { fields })
        }
        Some(kind) => kind.clone(),
    })
}

// Rows.

#[test]
fn numbers() {
    for (value, expected) in [
        (0.0, "0"),
        (-0.0, "0"),
        (3.0, "3"),
        (-7.0, "-7"),
        (0.9, "0.9"),
        (1e-7, "0.0000001"),
        (2f64.powi(31), "2147483648"),
        (2f64.powi(53) + 2.0, "9007199254740994"),
        (2f64.powi(63), "9223372036854775808"),
        (1e21, "1000000000000000000000"),
    ] {
        let number = |number: f64| Value::from(crate::value::Kind::NumberValue(number));
        assert_eq!(number(value).to_json().as_deref(), Ok(expected));
        assert_eq!(Value::from_json(expected).unwrap(), number(value + 0.0), "{expected}");
    }
}

#[test]
fn what_json_cannot_spell() {
    let check = |object: &str, path: &str, number: f64| {
        let wire = Struct::from_json(object).unwrap().encode_to_vec();
        // A number that JSON has none of, in the place of 1.5.
        let at = wire.windows(8).position(|bytes| bytes == 1.5f64.to_le_bytes()).unwrap();
        let wire = [&wire[..at], &number.to_le_bytes(), &wire[at + 8..]].concat();
        let error = Struct::decode(Bytes::from(wire)).unwrap().to_json().unwrap_err();
        assert_eq!((error.path.as_str(), error.message), (path, "the number is not finite; JSON has no such number"));
    };
    check(r#"{"n": 1.5}"#, "n", f64::NAN);
    check(r#"{"spec": [1, 1.5]}"#, "spec[1]", f64::INFINITY);
    check(r#"{"metadata": {"example.org/key": {"x": 1.5}}}"#, "metadata[example.org/key].x", f64::NEG_INFINITY);
}

#[test]
fn what_protobuf_cannot_carry() {
    for (text, expected) in [
        (
            "9007199254740993",
            "9007199254740993 would be rounded to 9007199254740992 on the wire; use a string, or at most 2^53 at line 1 column 16",
        ),
        (
            "[-9007199254740993]",
            "-9007199254740993 would be rounded to -9007199254740992 on the wire; use a string, or at most 2^53 at line 1 column 18",
        ),
        ("{", "EOF while parsing an object at line 1 column 1"),
        ("1 2", "trailing characters at line 1 column 3"),
    ] {
        assert_eq!(Value::from_json(text).unwrap_err().to_string(), expected);
    }
    for text in ["[]", "\"{}\"", "1", "null"] {
        assert_eq!(Struct::from_json(text).unwrap_err().to_string(), "not an object");
    }
}

#[test]
fn what_is_left_out_is_not_read() {
    let check = |path: &[&str], object: &str, expected: &str| {
        assert_eq!(Struct::from_json(object).unwrap().to_json_without(path).as_deref(), Ok(expected));
    };
    let managed = ["metadata", "managedFields"];
    check(&managed, r#"{"metadata": {"managedFields": [1], "name": "a"}}"#, r#"{"metadata":{"name":"a"}}"#);
    check(&managed, r#"{"metadata": {"a": 1, "managedFields": [1]}, "z": 1}"#, r#"{"metadata":{"a":1},"z":1}"#);
    check(
        &managed,
        r#"{"managedFields": 1, "spec": {"managedFields": 1}}"#,
        r#"{"managedFields":1,"spec":{"managedFields":1}}"#,
    );
    check(
        &managed,
        r#"{"metadata": "a", "spec": {"metadata": {"managedFields": 1}}}"#,
        r#"{"metadata":"a","spec":{"metadata":{"managedFields":1}}}"#,
    );
    check(&["a"], r#"{"a": 1, "b": 2}"#, r#"{"b":2}"#);

    let mut inner = Vec::new();
    for part in [entry(b"managedFields", &[0xff; 20]), entry(b"name", &text_value(b"a"))] {
        field(1, &part, &mut inner);
    }
    let mut metadata = Vec::new();
    field(5, &inner, &mut metadata);
    let mut wire = Vec::new();
    field(1, &entry(b"metadata", &metadata), &mut wire);
    let object = Struct::decode(Bytes::from(wire)).unwrap();
    assert_eq!(object.to_json_without(&managed).as_deref(), Ok(r#"{"metadata":{"name":"a"}}"#));
    assert_eq!(object.to_json().unwrap_err().path, "metadata.managedFields");
}

fn entry(key: &[u8], value: &[u8]) -> Vec<u8> {
    let mut entry = Vec::new();
    field(1, key, &mut entry);
    field(2, value, &mut entry);
    entry
}

fn text_value(text: &[u8]) -> Vec<u8> {
    let mut value = Vec::new();
    field(3, text, &mut value);
    value
}

#[test]
fn malformed() {
    let check = |value: &[u8], expected: &str| {
        let mut wire = Vec::new();
        field(1, &entry(b"a", value), &mut wire);
        assert_eq!(ours(&wire), Err(format!("a: {expected}")), "{value:?}");
    };
    check(&[0x1a], "the protobuf message ends in the middle of a field");
    check(&[0x1a, 5, b'a'], "the protobuf message ends in the middle of a field");
    check(&[0x11, 0, 0], "the protobuf message ends in the middle of a field");
    check(
        &[0x1a, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01],
        "the protobuf message ends in the middle of a field",
    );
    check(
        &[0x1a, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x02],
        "the protobuf message has a number of more than 64 bits",
    );
    check(&[0x18, 1], "the protobuf message has a field of the wrong type");
    check(&[0x1f], "the protobuf message has a field with an invalid number or type");
    check(&[0x00, 1], "the protobuf message has a field with an invalid number or type");
    check(&[0x4b, 0x44], "the protobuf message has a group that does not end, or not where it should");
    check(&[0x4c], "the protobuf message has a group that does not end, or not where it should");
    check(&[0x1a, 1, 0xff], "the text is not UTF-8");
    check(&[0x1a, 9, b'a', b'a', b'a', b'a', b'a', b'a', b'a', 0xc3, b'"'], "the text is not UTF-8");
    check(&[0x20, 1, 0x20, 1], "the protobuf message has two values for one field");

    assert_eq!(ours(&[0x0a, 2, 0x0a, 9]), Err("the protobuf message ends in the middle of a field".to_owned()));
    let not_utf8 = ours(&[0x0a, 3, 0x0a, 1, 0xff]);
    assert_eq!(not_utf8, Err("the text is not UTF-8".to_owned()));
    let refused: [&[u8]; 4] = [&[0x0a, 5, 0x0a], &[0x0a, 0xff, 0xff, 0xff, 0xff, 0x0f], &[0x08, 1], &[0x12, 9]];
    for wire in refused {
        assert!(ours(wire).unwrap_err().starts_with("failed to decode Protobuf message"), "{wire:?}");
    }
}

#[test]
fn depth() {
    let objects = |depth: usize| format!("{}1{}", "{\"a\":".repeat(depth), "}".repeat(depth));
    let lists = |depth: usize| format!("{{\"a\":{}{}}}", "[".repeat(depth - 1), "]".repeat(depth - 1));
    for text in [objects(127), lists(127)] {
        assert_eq!(Struct::from_json(&text).unwrap().to_json().as_deref(), Ok(text.as_str()));
    }
    for text in [objects(128), lists(128)] {
        assert!(Struct::from_json(&text).unwrap_err().to_string().starts_with("recursion limit exceeded"));
    }
    let deeper = |times: usize, kind: u32| {
        let mut value = Vec::new();
        for _ in 0..times {
            let mut inner = Vec::new();
            field(1, &if kind == 5 { entry(b"", &value) } else { value }, &mut inner);
            value = Vec::new();
            field(kind, &inner, &mut value);
        }
        let mut wire = Vec::new();
        field(1, &entry(b"a", &value), &mut wire);
        wire
    };
    for kind in [5, 6] {
        assert!(ours(&deeper(126, kind)).is_ok());
        let error = Struct::decode(Bytes::from(deeper(127, kind))).unwrap().to_json().unwrap_err();
        assert_eq!(error.message, "objects and lists are nested deeper than 127 levels");
        // Nobody's stack grows with what came.
        let object = Struct::decode(Bytes::from(deeper(3_000, kind))).unwrap();
        assert!(object.to_json().is_err());
        assert_eq!(object, object.clone());
        assert!(!format!("{object:?}").is_empty() && object.fields.contains_key("a"));
    }
}

#[test]
fn looked_into() {
    let mut object = Struct::from_json(r#"{"b": {"c": [1, true, null, "x"]}, "a": 1}"#).unwrap();
    let wire = object.encode_to_vec();
    assert_eq!(object.fields.keys().collect::<Vec<_>>(), ["a", "b"]);
    let Some(crate::value::Kind::StructValue(inner)) = object.fields["b"].kind.as_ref() else { panic!("an object") };
    let Some(crate::value::Kind::ListValue(list)) = inner.fields["c"].kind.as_ref() else { panic!("a list") };
    assert_eq!(list.values.len(), 4);
    assert_eq!(object.encode_to_vec(), wire, "to look changes nothing");
    object.fields.remove("a");
    assert_eq!(object.to_json().as_deref(), Ok(r#"{"b":{"c":[1,true,null,"x"]}}"#));
    assert_eq!(object, Struct::from_json(r#"{"b":{"c":[1,true,null,"x"]}}"#).unwrap());
    object.merge(Bytes::from(wire)).unwrap();
    assert_eq!(object.to_json().as_deref(), Ok(r#"{"a":1,"b":{"c":[1,true,null,"x"]}}"#));
    object.clear();
    assert_eq!((object.to_json().as_deref(), object.encoded_len()), (Ok("{}"), 0));
}

/// Memory follows the bytes that came: entries of two bytes and announced lengths take no more.
#[test]
fn many_small_entries() {
    let wire = Bytes::from([0x0a, 0x00].repeat(1_000_000));
    let object = Struct::decode(wire.clone()).unwrap();
    assert_eq!(object.encoded_len(), wire.len());
    assert_eq!(object.to_json().as_deref(), Ok(r#"{"":null}"#));
}
