//! Reads a few fields of objects that are in the cluster, into types that borrow from them.
//!
//! A kind may look at a thousand objects in one call, and wants some fields of each. They were judged when they were
//! stored, so nothing is validated here: a field that is missing, null or of the wrong type has the default of its
//! type. Fields that the type does not name are passed over without being kept.
//!
//! ```
//! use contract::types::{ConnectionDetails, ObservedObject};
//! use serde::Deserialize;
//! use toolbox::fields;
//!
//! #[derive(Default, Deserialize)]
//! #[serde(default)]
//! struct Cluster<'a> {
//!     #[serde(borrow, deserialize_with = "fields::field")]
//!     metadata: Metadata<'a>,
//! }
//!
//! #[derive(Default, Deserialize)]
//! #[serde(default)]
//! struct Metadata<'a> {
//!     #[serde(deserialize_with = "fields::field")]
//!     name: &'a str,
//!     #[serde(deserialize_with = "fields::field")]
//!     generation: i64,
//! }
//!
//! let text = r#"{"metadata": {"name": "eu-west", "generation": "odd", "labels": {"region": "eu"}}}"#;
//! let object = ObservedObject::from_text(text.to_owned(), ConnectionDetails::new());
//! let cluster: Cluster<'_> = fields::read(&object)?;
//! assert_eq!((cluster.metadata.name, cluster.metadata.generation), ("eu-west", 0));
//! # Ok::<(), serde_json::Error>(())
//! ```

use std::collections::BTreeMap;
use std::fmt;
use std::marker::PhantomData;

use contract::types::ObservedObject;
use serde::Deserialize;
use serde::de::value::{self, BorrowedStrDeserializer, MapAccessDeserializer, SeqAccessDeserializer};
use serde::de::{DeserializeSeed, Deserializer, Error, IgnoredAny, IntoDeserializer, MapAccess, SeqAccess, Visitor};
use serde_json::Value;

/// What `T` names of an object.
///
/// # Errors
/// When the object's text is not JSON.
pub fn read<'a, T: Deserialize<'a> + Default>(object: &'a ObservedObject) -> serde_json::Result<T> {
    if let Some(Ok(read)) = object.text().map(read_text) {
        return Ok(read);
    }
    // The text is not JSON, says a field twice, or escapes what `T` borrows: the whole object settles it.
    Ok(read_value(object.object()?))
}

/// What `T` names of an object that was read before.
pub fn read_value<'a, T: Deserialize<'a> + Default>(object: &'a Value) -> T {
    field(object).unwrap_or_default()
}

/// Reads a field (`deserialize_with`): the default of its type when it is null or of the wrong type.
///
/// # Errors
/// When what is read is no JSON; never because of a type.
pub fn field<'de, D: Deserializer<'de>, T: Deserialize<'de> + Default>(from: D) -> Result<T, D::Error> {
    optional(from).map(Option::unwrap_or_default)
}

/// Reads a field where absence matters: nothing when it is null or of the wrong type.
///
/// # Errors
/// As [`field`].
pub fn optional<'de, D: Deserializer<'de>, T: Deserialize<'de>>(from: D) -> Result<Option<T>, D::Error> {
    from.deserialize_any(Lenient { list: false, of: PhantomData })
}

/// Reads a list, without the items that are null or of the wrong type.
///
/// # Errors
/// As [`field`].
pub fn list<'de, D: Deserializer<'de>, T: Deserialize<'de>>(from: D) -> Result<Vec<T>, D::Error> {
    let items: Option<Items<T>> = from.deserialize_any(Lenient { list: true, of: PhantomData })?;
    Ok(items.map(|items| items.0).unwrap_or_default())
}

/// Reads a map, as labels are, without the entries that are null or of the wrong type.
///
/// # Errors
/// As [`field`].
pub fn map<'de, D: Deserializer<'de>, T: Deserialize<'de>>(from: D) -> Result<BTreeMap<&'de str, T>, D::Error> {
    let entries: Option<Entries<'de, T>> = optional(from)?;
    Ok(entries.map(|entries| entries.0).unwrap_or_default())
}

fn read_text<'a, T: Deserialize<'a> + Default>(text: &'a str) -> serde_json::Result<T> {
    let mut deserializer = serde_json::Deserializer::from_str(text);
    let read = field(&mut deserializer)?;
    deserializer.end()?;
    Ok(read)
}

/// Takes whatever value there is, and gives it to `T` if it may fit.
struct Lenient<T> {
    /// Whether `T` is a list. Other types are not: `derive` would read a list as the fields of a struct.
    list: bool,
    of: PhantomData<T>,
}

impl<'de, T: Deserialize<'de>> Visitor<'de> for Lenient<T> {
    type Value = Option<T>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("any value")
    }

    fn visit_unit<E: Error>(self) -> Result<Option<T>, E> {
        Ok(None)
    }

    fn visit_bool<E: Error>(self, value: bool) -> Result<Option<T>, E> {
        Ok(fitting(value.into_deserializer()))
    }

    fn visit_i64<E: Error>(self, value: i64) -> Result<Option<T>, E> {
        Ok(fitting(value.into_deserializer()))
    }

    fn visit_u64<E: Error>(self, value: u64) -> Result<Option<T>, E> {
        Ok(fitting(value.into_deserializer()))
    }

    fn visit_f64<E: Error>(self, value: f64) -> Result<Option<T>, E> {
        Ok(fitting(value.into_deserializer()))
    }

    fn visit_borrowed_str<E: Error>(self, value: &'de str) -> Result<Option<T>, E> {
        Ok(fitting(BorrowedStrDeserializer::new(value)))
    }

    /// A text with escapes. Whether it does not fit, or only cannot be borrowed, the whole object says.
    fn visit_str<E: Error>(self, value: &str) -> Result<Option<T>, E> {
        T::deserialize(value.into_deserializer()).map(Some)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Option<T>, A::Error> {
        if self.list {
            return T::deserialize(SeqAccessDeserializer::new(items)).map(Some);
        }
        while items.next_element::<IgnoredAny>()?.is_some() {}
        Ok(None)
    }

    fn visit_map<A: MapAccess<'de>>(self, mut fields: A) -> Result<Option<T>, A::Error> {
        let in_memory = fields.size_hint().is_some();
        let mut noted = Noted { fields: &mut fields, started: false };
        let read = match T::deserialize(MapAccessDeserializer::new(&mut noted)) {
            // Nobody knows where in a text reading stopped; the whole object is in memory.
            Err(error) if noted.started && !in_memory => return Err(error),
            read => read.ok(),
        };
        while fields.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {}
        Ok(read)
    }
}

fn fitting<'de, T: Deserialize<'de>>(from: impl Deserializer<'de, Error = value::Error>) -> Option<T> {
    T::deserialize(from).ok()
}

/// The fields of an object, and whether anybody has looked at them.
struct Noted<'a, A> {
    fields: &'a mut A,
    started: bool,
}

impl<'de, A: MapAccess<'de>> MapAccess<'de> for Noted<'_, A> {
    type Error = A::Error;

    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Result<Option<K::Value>, A::Error> {
        self.started = true;
        self.fields.next_key_seed(seed)
    }

    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, seed: V) -> Result<V::Value, A::Error> {
        self.fields.next_value_seed(seed)
    }
}

/// A value that may be absent.
struct Optional<T>(Option<T>);

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Optional<T> {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        optional(from).map(Self)
    }
}

/// The items of a list that fit.
struct Items<T>(Vec<T>);

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Items<T> {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let items: Vec<Optional<T>> = Deserialize::deserialize(from)?;
        Ok(Self(items.into_iter().filter_map(|item| item.0).collect()))
    }
}

/// The entries of a map that fit.
struct Entries<'de, T>(BTreeMap<&'de str, T>);

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Entries<'de, T> {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let entries: BTreeMap<&'de str, Optional<T>> = Deserialize::deserialize(from)?;
        Ok(Self(entries.into_iter().filter_map(|(key, value)| Some((key, value.0?))).collect()))
    }
}

#[cfg(test)]
mod tests {
    use contract::types::ConnectionDetails;
    use serde_json::json;

    use super::*;

    #[derive(Debug, Default, PartialEq, Deserialize)]
    #[serde(default)]
    struct Pool<'a> {
        #[serde(borrow, deserialize_with = "field")]
        metadata: Metadata<'a>,
        #[serde(borrow, deserialize_with = "field")]
        spec: Spec<'a>,
    }

    #[derive(Debug, Default, PartialEq, Deserialize)]
    #[serde(default)]
    struct Metadata<'a> {
        #[serde(deserialize_with = "field")]
        name: &'a str,
        #[serde(borrow, deserialize_with = "map")]
        labels: BTreeMap<&'a str, &'a str>,
    }

    #[derive(Debug, Default, PartialEq, Deserialize)]
    #[serde(default)]
    struct Spec<'a> {
        #[serde(deserialize_with = "field")]
        nodes: Nodes,
        #[serde(deserialize_with = "optional")]
        share: Option<f64>,
        #[serde(borrow, deserialize_with = "list")]
        zones: Vec<Zone<'a>>,
        /// Without leniency of its own.
        plain: u8,
    }

    #[derive(Debug, Default, PartialEq, Deserialize)]
    #[serde(default)]
    struct Zone<'a> {
        #[serde(deserialize_with = "field")]
        name: &'a str,
        #[serde(deserialize_with = "field")]
        spot: bool,
    }

    #[derive(Debug, PartialEq, Deserialize)]
    #[serde(transparent)]
    struct Nodes(u16);

    impl Default for Nodes {
        fn default() -> Self {
            Self(1)
        }
    }

    /// Both readers agree on the text, and on the object that it spells.
    #[track_caller]
    fn check(text: &str, want: &str) {
        let show = |Pool { metadata: Metadata { name, labels }, spec }: Pool<'_>| {
            let zones: Vec<_> = spec.zones.iter().map(|zone| format!("{}:{}", zone.name, zone.spot)).collect();
            format!("{name} {labels:?} {} {:?} [{}] {}", spec.nodes.0, spec.share, zones.join(" "), spec.plain)
        };
        let written = ObservedObject::from_text(text.to_owned(), ConnectionDetails::new());
        assert_eq!(show(read(&written).expect("JSON")), want, "{text} as text");
        let value: Value = serde_json::from_str(text).expect("JSON");
        assert_eq!(show(read(&ObservedObject::from(value)).expect("JSON")), want, "{text} as a value");
    }

    #[test]
    fn what_does_not_fit_counts_as_absent() {
        const NOTHING: &str = " {} 1 None [] 0";
        check("{}", NOTHING);
        check(r#"{"other": {"metadata": {"name": "a"}}}"#, NOTHING);
        check(r#"{"metadata": {"name": "a", "uid": [1, {"name": "b"}]}}"#, "a {} 1 None [] 0");
        for odd in
            ["null", "true", "-1", "1", "0.5", r#""a""#, r#""a\nb""#, "[]", r#"[["a"], "b"]"#, r#"{"a": {"b": 1}}"#]
        {
            check(odd, NOTHING);
            check(&format!(r#"{{"metadata": {odd}, "spec": {odd}}}"#), NOTHING);
            check(
                &format!(r#"{{"metadata": {{"labels": {odd}, "name": "a"}}, "spec": {{"zones": {odd}, "plain": 3}}}}"#),
                "a {} 1 None [] 3",
            );
        }
    }

    #[test]
    fn what_fits_stays_beside_what_does_not() {
        check(
            r#"{"metadata": {"name": 1, "labels": {"a": "b", "c": 1, "d": null}}, "spec": {"nodes": 2, "share": 1}}"#,
            r#" {"a": "b"} 2 Some(1.0) [] 0"#,
        );
        check(r#"{"spec": {"nodes": 70000, "share": "half"}}"#, " {} 1 None [] 0");
        check(
            r#"{"spec": {"zones": [{"name": "a", "spot": true}, 1, ["b", true], {"name": {}, "spot": true}]}}"#,
            " {} 1 None [a:true :true] 0",
        );
    }

    #[test]
    fn texts_may_hold_escapes() {
        check(
            r#"{"metadata": {"name": "a\u0026b", "labels": {"a\/b": "\"c\""}}}"#,
            r#"a&b {"a/b": "\"c\""} 1 None [] 0"#,
        );
        // Escapes where nobody looks cost nothing.
        check(r#"{"x": "\n", "metadata": {"y": "\n", "name": "a"}}"#, "a {} 1 None [] 0");
    }

    #[test]
    fn the_last_of_two_fields_counts() {
        check(r#"{"metadata": {"name": "a"}, "metadata": {"name": "b", "name": "c"}}"#, "c {} 1 None [] 0");
    }

    #[test]
    fn a_plain_field_takes_the_fields_beside_it_along() {
        check(
            r#"{"spec": {"nodes": 2, "plain": {"name": 1}, "share": 1}, "metadata": {"name": "a"}}"#,
            "a {} 1 None [] 0",
        );
        check(r#"{"spec": {"nodes": 2, "plain": 3}}"#, " {} 2 None [] 3");
    }

    #[test]
    fn only_texts_that_are_no_json_are_errors() {
        for text in
            ["", "{", r#"{"metadata": {"name": "a"}} x"#, r#"{"x": }"#, r#"{"metadata": {"name": "a"}, "x": [1,]}"#]
        {
            let object = ObservedObject::from_text(text.to_owned(), ConnectionDetails::new());
            assert!(read::<Pool<'_>>(&object).is_err(), "{text}");
        }
        assert_eq!(read_value::<Pool<'_>>(&json!(null)), Pool::default());
    }
}
