//! Reads a few fields of objects from the cluster, into types that borrow from the text of the object.
//!
//! A kind may look up a thousand objects in one call and needs some fields of each. The API server validated them when
//! they were stored, so this reader does not: a field that is missing, null or of the wrong type has the default of its
//! type. Fields that the type does not have are skipped.
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
use std::ops::ControlFlow;

use contract::types::ObservedObject;
use serde::de::value::{BorrowedStrDeserializer, MapAccessDeserializer, SeqAccessDeserializer};
use serde::de::{DeserializeSeed, Deserializer, Error, IgnoredAny, IntoDeserializer, MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, forward_to_deserialize_any};
use serde_json::Value;

/// Reads the fields of `T` from an object.
///
/// # Errors
/// When the object's text is not JSON.
pub fn read<'a, T: Deserialize<'a> + Default>(object: &'a ObservedObject) -> serde_json::Result<T> {
    let text = object.text().filter(|_| object.parsed().is_none());
    if let Some(Ok(read)) = text.map(read_text) {
        return Ok(read);
    }
    // The text is not JSON, has a field twice, or has escapes in a text that `T` borrows: parse the whole object.
    Ok(read_value(object.object()?))
}

/// Reads the fields of `T` from a parsed object.
pub fn read_value<'a, T: Deserialize<'a> + Default>(object: &'a Value) -> T {
    field(object).unwrap_or_default()
}

/// Reads a field (`deserialize_with`). It has the default of its type when it is null or of the wrong type.
///
/// # Errors
/// When the text is not JSON. A wrong type is no error.
pub fn field<'de, D: Deserializer<'de>, T: Deserialize<'de> + Default>(from: D) -> Result<T, D::Error> {
    optional(from).map(Option::unwrap_or_default)
}

/// Reads an optional field: `None` when it is null or of the wrong type.
///
/// # Errors
/// As [`field`].
pub fn optional<'de, D: Deserializer<'de>, T: Deserialize<'de>>(from: D) -> Result<Option<T>, D::Error> {
    from.deserialize_any(Lenient { list: false, of: PhantomData })
}

/// Reads a list. Items that are null or of the wrong type are skipped.
///
/// # Errors
/// As [`field`].
pub fn list<'de, D: Deserializer<'de>, T: Deserialize<'de>>(from: D) -> Result<Vec<T>, D::Error> {
    items(from)
}

/// Reads what matters of the items of a list. Items that are null or of the wrong type are skipped.
///
/// # Errors
/// As [`field`].
pub fn items<'de, D: Deserializer<'de>, C: Items<'de>>(from: D) -> Result<C, D::Error> {
    let items: Option<Fitting<C>> = from.deserialize_any(Lenient { list: true, of: PhantomData })?;
    Ok(items.map(|items| items.0).unwrap_or_default())
}

/// What matters of the items of a list.
pub trait Items<'de>: Default {
    /// An item.
    type Item: Deserialize<'de>;

    /// Takes the next item. Those after a break are not read.
    fn take(&mut self, item: Self::Item) -> ControlFlow<()>;
}

impl<'de, T: Deserialize<'de>> Items<'de> for Vec<T> {
    type Item = T;

    fn take(&mut self, item: T) -> ControlFlow<()> {
        self.push(item);
        ControlFlow::Continue(())
    }
}

/// Reads a map, e.g. labels. Entries that are null or of the wrong type are skipped.
///
/// # Errors
/// As [`field`].
pub fn map<'de, D: Deserializer<'de>, T: Deserialize<'de>>(from: D) -> Result<BTreeMap<&'de str, T>, D::Error> {
    let entries: Option<Entries<'de, T>> = optional(from)?;
    Ok(entries.map(|entries| entries.0).unwrap_or_default())
}

/// Reads the fields of `T` from JSON text. What `T` borrows is borrowed from this text.
///
/// # Errors
/// When the text is not JSON, has a field twice, or has escapes in a text that `T` borrows.
pub fn read_text<'a, T: Deserialize<'a> + Default>(text: &'a str) -> serde_json::Result<T> {
    let mut deserializer = serde_json::Deserializer::from_str(text);
    let read = field(&mut deserializer)?;
    deserializer.end()?;
    Ok(read)
}

/// Reads any value as `T`, if its type fits.
struct Lenient<T> {
    /// Whether `T` is a list. Other types must not get one, because a derived struct would read it as its fields.
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
        Ok(T::deserialize(Scalar::Bool(value)).ok())
    }

    fn visit_i64<E: Error>(self, value: i64) -> Result<Option<T>, E> {
        Ok(T::deserialize(Scalar::Signed(value)).ok())
    }

    fn visit_u64<E: Error>(self, value: u64) -> Result<Option<T>, E> {
        Ok(T::deserialize(Scalar::Unsigned(value)).ok())
    }

    fn visit_f64<E: Error>(self, value: f64) -> Result<Option<T>, E> {
        Ok(T::deserialize(Scalar::Float(value)).ok())
    }

    fn visit_borrowed_str<E: Error>(self, value: &'de str) -> Result<Option<T>, E> {
        Ok(T::deserialize(Scalar::Text(value)).ok())
    }

    /// A text with escapes. It may fail because `T` borrows, so an error here leads to parsing the whole object.
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
        let mut watched = Watched { fields: &mut fields, started: false };
        let read = match T::deserialize(MapAccessDeserializer::new(&mut watched)) {
            // It is unknown where in the text the reader stopped. A parsed object is in memory and has no such position.
            Err(error) if watched.started && !in_memory => return Err(error),
            read => read.ok(),
        };
        while fields.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {}
        Ok(read)
    }
}

/// A value that is no list and no object. With a deserializer for each sort of them, as serde has, the component would have the
/// code that reads a type once for each sort.
enum Scalar<'de> {
    Bool(bool),
    Signed(i64),
    Unsigned(u64),
    Float(f64),
    Text(&'de str),
}

impl<'de> Deserializer<'de> for Scalar<'de> {
    type Error = Misfit;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Misfit> {
        match self {
            Self::Bool(value) => visitor.visit_bool(value),
            Self::Signed(value) => visitor.visit_i64(value),
            Self::Unsigned(value) => visitor.visit_u64(value),
            Self::Float(value) => visitor.visit_f64(value),
            Self::Text(value) => visitor.visit_borrowed_str(value),
        }
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        name: &'static str,
        variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Misfit> {
        match self {
            Self::Text(value) => BorrowedStrDeserializer::new(value).deserialize_enum(name, variants, visitor),
            other => other.deserialize_any(visitor),
        }
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf option unit unit_struct newtype_struct
        seq tuple tuple_struct map struct identifier ignored_any
    }
}

/// A value does not fit a type. Nobody reads why, so nothing is written down.
#[derive(Debug)]
struct Misfit;

impl fmt::Display for Misfit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("another type")
    }
}

impl std::error::Error for Misfit {}

impl Error for Misfit {
    fn custom<T: fmt::Display>(_: T) -> Self {
        Self
    }
}

/// The fields of an object, and whether the reader has started on them.
struct Watched<'a, A> {
    fields: &'a mut A,
    started: bool,
}

impl<'de, A: MapAccess<'de>> MapAccess<'de> for Watched<'_, A> {
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

/// What matters of the items that fit.
struct Fitting<C>(C);

impl<'de, C: Items<'de>> Deserialize<'de> for Fitting<C> {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        from.deserialize_seq(Self(C::default()))
    }
}

impl<'de, C: Items<'de>> Visitor<'de> for Fitting<C> {
    type Value = Self;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a list")
    }

    fn visit_seq<A: SeqAccess<'de>>(mut self, mut items: A) -> Result<Self, A::Error> {
        while let Some(Optional(item)) = items.next_element()? {
            if item.is_some_and(|item| self.0.take(item).is_break()) {
                break;
            }
        }
        while items.next_element::<IgnoredAny>()?.is_some() {}
        Ok(self)
    }
}

impl<'de, T: Deserialize<'de>> Visitor<'de> for Entries<'de, T> {
    type Value = Self;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a map")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<Self, A::Error> {
        let Self(mut found) = self;
        while let Some((key, Optional(value))) = entries.next_entry()? {
            match value {
                Some(value) => drop(found.insert(key, value)),
                // Of two with the same key the later one is used, whatever it is.
                None => drop(found.remove(key)),
            }
        }
        Ok(Self(found))
    }
}

/// The entries of a map that fit.
struct Entries<'de, T>(BTreeMap<&'de str, T>);

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Entries<'de, T> {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        from.deserialize_map(Self(BTreeMap::new()))
    }
}

#[cfg(test)]
mod tests {
    use contract::types::ConnectionDetails;
    use serde_json::json;

    use super::*;

    #[derive(Debug, Default, PartialEq, Deserialize)]
    #[serde(default)]
    struct ReadPool<'a> {
        #[serde(borrow, deserialize_with = "field")]
        metadata: Metadata<'a>,
        #[serde(borrow, deserialize_with = "field")]
        spec: ReadSpec<'a>,
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
    struct ReadSpec<'a> {
        #[serde(deserialize_with = "field")]
        nodes: Nodes,
        #[serde(deserialize_with = "optional")]
        share: Option<f64>,
        #[serde(borrow, deserialize_with = "list")]
        zones: Vec<ReadZone<'a>>,
        /// A field without `deserialize_with`.
        plain: u8,
    }

    #[derive(Debug, Default, PartialEq, Deserialize)]
    #[serde(default)]
    struct ReadZone<'a> {
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

    /// Reads the same from the text and from the parsed object.
    #[track_caller]
    fn check(text: &str, want: &str) {
        let show = |ReadPool { metadata: Metadata { name, labels }, spec }: ReadPool<'_>| {
            let zones: Vec<_> = spec.zones.iter().map(|zone| format!("{}:{}", zone.name, zone.spot)).collect();
            format!("{name} {labels:?} {} {:?} [{}] {}", spec.nodes.0, spec.share, zones.join(" "), spec.plain)
        };
        let written = ObservedObject::from_text(text.to_owned(), ConnectionDetails::new());
        assert_eq!(show(read(&written).expect("JSON")), want, "{text} as text");
        let value: Value = serde_json::from_str(text).expect("JSON");
        assert_eq!(show(read(&ObservedObject::from(value)).expect("JSON")), want, "{text} as a value");
    }

    #[test]
    fn values_of_the_wrong_type_count_as_absent() {
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
    fn wrong_values_do_not_affect_others() {
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

    /// The name of the first spot zone.
    #[derive(Default)]
    struct FirstSpot<'a>(&'a str);

    impl<'a> Items<'a> for FirstSpot<'a> {
        type Item = ReadZone<'a>;

        fn take(&mut self, item: ReadZone<'a>) -> ControlFlow<()> {
            if !item.spot {
                return ControlFlow::Continue(());
            }
            self.0 = item.name;
            ControlFlow::Break(())
        }
    }

    #[derive(Default, Deserialize)]
    #[serde(default)]
    struct ReadFirst<'a> {
        #[serde(borrow, deserialize_with = "items")]
        zones: FirstSpot<'a>,
        #[serde(deserialize_with = "field")]
        after: u8,
    }

    #[test]
    fn items_after_the_last_one_that_matters_are_passed_over() {
        #[track_caller]
        fn check(zones: &str, want: &str) {
            let text = format!(r#"{{"zones": {zones}, "after": 3}}"#);
            let written = ObservedObject::from_text(text.clone(), ConnectionDetails::new());
            let parsed: Value = serde_json::from_str(&text).expect("JSON");
            for object in [written, parsed.into()] {
                let ReadFirst { zones, after } = read(&object).expect("JSON");
                assert_eq!((zones.0, after), (want, 3), "{text}");
            }
        }
        check("[]", "");
        check("1", "");
        check(
            r#"[1, {"name": "a"}, {"name": "b", "spot": true}, {"name": "c\n", "spot": true}, "x", [{"a": 1}]]"#,
            "b",
        );
        check(r#"[{"name": "a"}]"#, "");
    }

    #[test]
    fn texts_may_hold_escapes() {
        check(
            r#"{"metadata": {"name": "a\u0026b", "labels": {"a\/b": "\"c\""}}}"#,
            r#"a&b {"a/b": "\"c\""} 1 None [] 0"#,
        );
        // Escapes in other fields do not matter.
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
    fn only_invalid_json_is_an_error() {
        for text in
            ["", "{", r#"{"metadata": {"name": "a"}} x"#, r#"{"x": }"#, r#"{"metadata": {"name": "a"}, "x": [1,]}"#]
        {
            let object = ObservedObject::from_text(text.to_owned(), ConnectionDetails::new());
            assert!(read::<ReadPool<'_>>(&object).is_err(), "{text}");
        }
        assert_eq!(read_value::<ReadPool<'_>>(&json!(null)), ReadPool::default());
    }
}
