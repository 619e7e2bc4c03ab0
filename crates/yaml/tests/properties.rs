//! A printed value reads as the same value, and every text can be read without a panic.

use proptest::prelude::*;
use serde_json::{Map, Number, Value};

/// Text that is hard to print and to read: words with a meaning, numbers, indicators, line breaks and blanks.
fn text() -> impl Strategy<Value = String> {
    prop_oneof![
        "[a-z .:#-]{0,12}",
        "[-+.0-9_exobEinfa:]{1,8}",
        "(yes|NO|on|null|~|true|\\.inf|<<|---|2026-02-18|1:30|0x1F)",
        "[ \t\n\r'\"\\\\a-c:#,\u{85}\u{2028}\u{feff}\u{0}\u{1b}äß漢😀]{0,10}",
        "([a-zäß]{1,9} {1,2}){8,30}",
        "[ \n]{0,3}([a-z:#-]{1,9}[ \n]{1,2}){1,9}",
        any::<String>(),
    ]
}

fn value() -> impl Strategy<Value = Value> {
    let number = prop_oneof![
        any::<i64>().prop_map(Number::from),
        any::<u64>().prop_map(Number::from),
        any::<i32>().prop_filter_map("is a float", |n| Number::from_f64(f64::from(n) + 0.5)),
    ];
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        number.prop_map(Value::Number),
        text().prop_map(Value::from),
    ];
    leaf.prop_recursive(4, 32, 6, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..5).prop_map(Value::from),
            // The toolchain does not quote `<<` either, and then reads it as a merge.
            prop::collection::vec((text().prop_filter("merges", |key| key != "<<"), inner), 0..5)
                .prop_map(|entries| Value::Object(entries.into_iter().collect::<Map<_, _>>())),
        ]
    })
}

proptest! {
    #[test]
    fn what_is_printed_is_read(value in value()) {
        let printed = yaml::to_string(&value);
        prop_assert_eq!(yaml::values(&printed), [Ok(value)], "{}", printed);
    }

    #[test]
    fn every_text_is_read(text in text()) {
        yaml::documents(&text);
    }
}
