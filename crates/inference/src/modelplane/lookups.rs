//! Answers to lookups, and readers that borrow from them.

use std::cell::OnceCell;

use contract::compose::ComposeRequest;
use contract::types::ObservedObject;
use serde::{Deserialize, Deserializer};
use serde_json::Value;
use serde_json::value::RawValue;
use toolbox::fields;

/// The answer to a lookup.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Answer<'a> {
    /// Nobody has looked yet. What runs must not be deleted on account of it.
    Unresolved,
    /// Somebody has looked, and there is no such object.
    Absent,
    /// The objects, at least one.
    Present(&'a [ObservedObject]),
}

impl<'a> Answer<'a> {
    /// The answer to the lookup `name`.
    pub fn of(request: &'a ComposeRequest, name: &str) -> Self {
        match request.lookups.get(name).map(Vec::as_slice) {
            None => Self::Unresolved,
            Some([]) => Self::Absent,
            Some(objects) => Self::Present(objects),
        }
    }

    /// The objects. Empty unless they are present.
    pub fn all(self) -> &'a [ObservedObject] {
        match self {
            Self::Unresolved | Self::Absent => &[],
            Self::Present(objects) => objects,
        }
    }

    /// The first object, where one is expected.
    pub fn first(self) -> Option<&'a ObservedObject> {
        self.all().first()
    }

    /// Whether somebody has looked.
    pub fn is_resolved(self) -> bool {
        self != Self::Unresolved
    }
}

/// The text of an object from the cluster. What is read from it may borrow texts, lists and objects (see [`raw`]).
///
/// `toolbox::fields::read` reads the same without it, but then nothing may be a [`raw`] text.
#[derive(Debug)]
pub struct Source<'a> {
    object: &'a ObservedObject,
    /// The text of an object that was given as a value, or whose text cannot be borrowed from.
    spelled: OnceCell<String>,
}

impl<'a> Source<'a> {
    /// The text of an object.
    pub fn of(object: &'a ObservedObject) -> Self {
        Self { object, spelled: OnceCell::new() }
    }

    /// Reads the fields of `T`. `None` when the object is not JSON.
    pub fn read<'s, T: Deserialize<'s> + Default>(&'s self) -> Option<T> {
        if let Some(Ok(read)) = self.object.text().map(fields::read_text) {
            return Some(read);
        }
        let spell = |object: &Value| self.spelled.get_or_init(|| object.to_string()).as_str();
        let text = self.object.object().ok().map(spell)?;
        fields::read_text(text).ok()
    }
}

/// Reads a field as the JSON text that it is (`deserialize_with`), so that who has many equal ones can parse one of them. The
/// text is empty when the field is null.
///
/// # Errors
/// When the text is not JSON, and when it is not borrowed from a [`Source`].
pub fn raw<'de, D: Deserializer<'de>>(from: D) -> Result<&'de str, D::Error> {
    let text: Option<&RawValue> = Option::deserialize(from)?;
    Ok(text.map(RawValue::get).unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use contract::types::ConnectionDetails;
    use serde_json::json;

    use super::*;

    #[test]
    fn answers() {
        let object = ObservedObject::from(json!({"kind": "ModelCache"}));
        let answers = [("cache", vec![object.clone()]), ("clusters", Vec::new())];
        let lookups: BTreeMap<_, _> = answers.into_iter().map(|(name, found)| (name.to_owned(), found)).collect();
        let request = ComposeRequest { lookups, ..ComposeRequest::default() };
        let check = |name, want: Answer<'_>, resolved, first: Option<&ObservedObject>| {
            let answer = Answer::of(&request, name);
            assert_eq!((answer, answer.is_resolved(), answer.first()), (want, resolved, first), "{name}");
        };
        check("cache", Answer::Present(std::slice::from_ref(&object)), true, Some(&object));
        check("clusters", Answer::Absent, true, None);
        check("all-replicas", Answer::Unresolved, false, None);
    }

    #[derive(Debug, Default, PartialEq, Deserialize)]
    #[serde(default)]
    struct ReadDevices<'a> {
        #[serde(deserialize_with = "fields::field")]
        name: &'a str,
        #[serde(borrow, deserialize_with = "raw")]
        devices: &'a str,
    }

    #[test]
    fn texts_and_values_read_alike() {
        #[track_caller]
        fn check(text: &str, want: Option<(&str, &str)>) {
            let written = ObservedObject::from_text(text.to_owned(), ConnectionDetails::new());
            let parsed = serde_json::from_str::<Value>(text).ok().map(ObservedObject::from);
            for object in std::iter::once(written).chain(parsed) {
                let source = Source::of(&object);
                let read: Option<ReadDevices<'_>> = source.read();
                assert_eq!(read.map(|it| (it.name, it.devices)), want, "{text}");
            }
        }
        check(r#"{"devices":[{"name":"gpu"}],"name":"a"}"#, Some(("a", r#"[{"name":"gpu"}]"#)));
        check(r#"{"devices":null,"other":"\n"}"#, Some(("", "")));
        check("{}", Some(("", "")));
        check("[]", Some(("", "")));
        check(r#"{"devices":["#, None);
        // A name with an escape that another spelling does without.
        check(r#"{"devices":[1],"name":"a\u0026b"}"#, Some(("a&b", "[1]")));
    }
}
