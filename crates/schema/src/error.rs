//! Errors of fields, as data and in the words of the API server (apimachinery `pkg/util/validation/field/errors.go`).

use std::fmt;

use quantity::nearest;
use quantity::order::sorted;
use serde_json::Value;

use crate::go;
use crate::path::{NOWHERE, Place, Segment};

/// One error in an object.
#[derive(Clone, Debug, PartialEq)]
pub struct FieldError {
    /// The path of the value, for programs; empty for the whole object. For errors of `oneOf` and its like it is the path of
    /// the value too, though the API server reports them for the whole object.
    pub path: Vec<Segment>,
    /// The path as the API server prints it: `spec.ports[0].name`, or `<nil>` for the whole object.
    pub field: String,
    /// The kind of error.
    pub kind: Kind,
    /// The value that is wrong, where the message shows one.
    pub value: Option<Value>,
    /// The words of the API server after field, kind and value; may be empty.
    pub detail: String,
    /// A suggestion, which the API server does not make.
    pub hint: Option<Hint>,
}

/// The kinds of errors, with the names of the API server.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// A required value is missing.
    Required,
    /// A value has the wrong type.
    TypeInvalid,
    /// A value is malformed or out of its bounds.
    Invalid,
    /// A value is not one of those allowed.
    NotSupported,
    /// A value occurs twice, but must be unique.
    Duplicate,
    /// A text is too long.
    TooLong,
    /// A list or map has too many items.
    TooMany,
    /// A value may not be set here.
    Forbidden,
    /// A check failed with an internal error.
    Internal,
    /// The type has no such field. The object is refused when it is decoded, before validation.
    UnknownField,
    /// A value cannot be decoded. The object is refused before validation.
    Malformed,
}

impl Kind {
    /// The reason in a `StatusCause`; empty for errors of decoding, which have no cause.
    pub fn reason(self) -> &'static str {
        match self {
            Self::Required => "FieldValueRequired",
            Self::TypeInvalid => "FieldValueTypeInvalid",
            Self::Invalid => "FieldValueInvalid",
            Self::NotSupported => "FieldValueNotSupported",
            Self::Duplicate => "FieldValueDuplicate",
            Self::TooLong => "FieldValueTooLong",
            Self::TooMany => "FieldValueTooMany",
            Self::Forbidden => "FieldValueForbidden",
            Self::Internal => "InternalError",
            Self::UnknownField | Self::Malformed => "",
        }
    }

    /// Whether it is an error of decoding. The API server then answers with status 400 and only such errors.
    pub fn is_decoding(self) -> bool {
        matches!(self, Self::UnknownField | Self::Malformed)
    }

    /// Whether CEL rules are not evaluated because of such an error (apiextensions-apiserver
    /// `pkg/registry/customresource/strategy.go`).
    pub(crate) fn blocks_rules(self) -> bool {
        matches!(self, Self::NotSupported | Self::Required | Self::TooLong | Self::TooMany | Self::TypeInvalid)
    }

    fn words(self) -> &'static str {
        match self {
            Self::Required => "Required value",
            Self::TypeInvalid | Self::Invalid => "Invalid value",
            Self::NotSupported => "Unsupported value",
            Self::Duplicate => "Duplicate value",
            Self::TooLong => "Too long",
            Self::TooMany => "Too many",
            Self::Forbidden => "Forbidden",
            Self::Internal => "Internal error",
            Self::UnknownField => "unknown field",
            Self::Malformed => "malformed",
        }
    }
}

/// So many errors are kept whole. Of further ones there is only the kind: nobody reads so many, and each repeats its path.
pub(crate) const WHOLE: usize = 2_000;

/// Adds an error to others of the same sort.
pub(crate) fn add(errors: &mut Vec<FieldError>, error: FieldError) {
    errors.push(if errors.len() < WHOLE { error } else { FieldError::brief(error.kind) });
}

/// A value for a message, which nobody reads to its end.
pub(crate) fn short(value: &Value) -> Value {
    const LONGEST: usize = 8 << 10;
    match value {
        Value::String(text) if text.len() > LONGEST => {
            let start = text.floor_char_boundary(LONGEST / 2);
            let end = text.ceil_char_boundary(text.len() - LONGEST / 2);
            Value::String(format!("{}…{}", &text[..start], &text[end..]))
        }
        value => value.clone(),
    }
}

/// A suggestion for a field that is not known, or for its value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Hint {
    /// The name that was probably meant.
    Rename(String),
    /// The value that was probably meant.
    Replace(Value),
    /// All fields that are possible here, in order.
    OneOf(Vec<String>),
}

/// The most unknown fields of an object that get a hint. An object with more of them is of another kind, and comparing
/// each with all known names takes long.
const MAX_HINTS: usize = 1_000;
/// The most names that the unknown fields of an object are compared with, all together.
const MAX_COMPARED: usize = 200_000;
/// The most allowed values that a text is compared with.
const MAX_ALLOWED: usize = 200;

impl Hint {
    /// The hint for an unknown name: the nearest known name, or else all known names. There is no hint when the object
    /// has `earlier` unknown names already, and these are enough.
    pub(crate) fn for_unknown<'k>(known: impl Iterator<Item = &'k str>, unknown: &str, earlier: usize) -> Option<Self> {
        if earlier >= MAX_HINTS {
            return None;
        }
        let known: Vec<&str> = known.collect();
        if earlier.saturating_mul(known.len()) > MAX_COMPARED {
            return None;
        }
        if let Some(name) = nearest(known.iter().copied(), unknown) {
            return Some(Self::Rename(name.to_owned()));
        }
        (!known.is_empty()).then(|| Self::OneOf(known.into_iter().map(str::to_owned).collect()))
    }

    /// The hint for a value that should be a text: the text that was written without quotes. That of a number with a fraction is
    /// not known any more: `1.10` is the number of `1.1`.
    pub(crate) fn for_unquoted(value: &Value) -> Option<Self> {
        (value.is_boolean() || value.is_i64() || value.is_u64()).then(|| Self::Replace(value.to_string().into()))
    }

    /// The hint for a value that is not allowed: the nearest text that is.
    pub(crate) fn for_unsupported(value: &Value, allowed: &[Value]) -> Option<Self> {
        let near = nearest(allowed.iter().take(MAX_ALLOWED).filter_map(Value::as_str), value.as_str()?)?;
        Some(Self::Replace(near.into()))
    }
}

impl FieldError {
    /// An error at `place`, with its path printed as a `field.Path`.
    pub(crate) fn at(place: &Place<'_>, kind: Kind, value: Option<Value>, detail: impl Into<String>) -> Self {
        Self { path: place.segments(), field: place.bracketed(), kind, value, detail: detail.into(), hint: None }
    }

    /// An error of which there is only the kind.
    pub(crate) fn brief(kind: Kind) -> Self {
        Self { path: Vec::new(), field: String::new(), kind, value: None, detail: String::new(), hint: None }
    }

    /// The errors sorted by their printed paths. Those without one stay behind.
    pub(crate) fn sorted(errors: Vec<Self>) -> Vec<Self> {
        sorted(errors, |one, other| (one.field.is_empty(), &one.field).cmp(&(other.field.is_empty(), &other.field)))
    }

    /// The same error when the whole value is at `place` in a larger one.
    pub(crate) fn below(mut self, place: &Place<'_>) -> Self {
        self.field = match self.field.as_str() {
            NOWHERE => place.bracketed(),
            field if field.starts_with('[') => format!("{}{field}", place.bracketed()),
            field => format!("{}.{field}", place.bracketed()),
        };
        self.path.splice(0..0, place.segments());
        self
    }

    /// The message of the API server after the field, as in a `StatusCause`:
    /// `Invalid value: 0: spec.gpu in body should be greater than or equal to 1`.
    pub fn message(&self) -> String {
        let mut message = match self.kind {
            Kind::UnknownField => return format!("unknown field \"{}\"", self.field),
            Kind::Malformed => return self.detail.clone(),
            kind => kind.words().to_owned(),
        };
        let shows_value = !matches!(self.kind, Kind::Required | Kind::Forbidden | Kind::TooLong | Kind::Internal);
        if let (true, Some(value)) = (shows_value, &self.value) {
            message.push_str(": ");
            message.push_str(&shown(value));
        }
        if !self.detail.is_empty() {
            message.push_str(": ");
            message.push_str(&self.detail);
        }
        message
    }
}

/// The whole message of the API server: `spec.gpu: Invalid value: 0: …`, or `unknown field "spec.gpus"`.
impl fmt::Display for FieldError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.kind {
            Kind::UnknownField => f.write_str(&self.message()),
            _ => write!(f, "{}: {}", self.field, self.message()),
        }
    }
}

impl std::error::Error for FieldError {}

/// A value as messages show it: text in quotes, numbers as Go prints them, and other values as JSON.
fn shown(value: &Value) -> String {
    match value {
        Value::String(text) => go::quote(text),
        Value::Number(number) => go::float(number).map_or_else(|| number.to_string(), go::float_text),
        value => go::json(value),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn texts() {
        let check = |kind, value: Option<Value>, detail: &str, want: &str| {
            let error = FieldError::at(&Place::ROOT.field("spec"), kind, value, detail);
            assert_eq!(error.to_string(), want);
        };
        check(Kind::Required, Some(json!("")), "", "spec: Required value");
        check(Kind::Invalid, Some(json!(1.0)), "no", "spec: Invalid value: 1: no");
        check(Kind::Invalid, Some(json!("a\"b")), "no", "spec: Invalid value: \"a\\\"b\": no");
        check(Kind::Invalid, Some(json!({"b": 1, "a": "<"})), "no", r#"spec: Invalid value: {"a":"\u003c","b":1}: no"#);
        check(Kind::Invalid, None, "no", "spec: Invalid value: no");
        check(Kind::Duplicate, Some(json!(2)), "", "spec: Duplicate value: 2");
        check(
            Kind::TooLong,
            Some(json!("x")),
            "may not be more than 1 byte",
            "spec: Too long: may not be more than 1 byte",
        );
        check(Kind::UnknownField, None, "", "unknown field \"spec\"");
    }
}
