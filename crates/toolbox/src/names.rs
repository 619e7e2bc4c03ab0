//! Rules for the names of objects.

use std::borrow::Cow;

use serde_json::Value;

use crate::path;

/// The largest length of a DNS label (RFC 1123), in characters. It holds for names of Services and for label values.
pub const LONGEST_LABEL: usize = 63;

/// The object with `generateName` as its name, if it has no name yet: its name will start with it.
pub fn named(object: &Value) -> Cow<'_, Value> {
    let text = |path: &str| path::get(object, path).and_then(Value::as_str).filter(|text| !text.is_empty());
    match (text("metadata.name"), text("metadata.generateName")) {
        (None, Some(prefix)) => {
            let mut named = object.clone();
            path::set(&mut named, "metadata.name", prefix.into());
            Cow::Owned(named)
        }
        _ => Cow::Borrowed(object),
    }
}

/// Whether a host name has a wildcard, as `*.example.org` has.
pub fn is_wildcard(host: &str) -> bool {
    host.starts_with("*.")
}

/// Whether `text` is a DNS-1123 subdomain, as most names of objects must be.
pub fn is_subdomain(text: &str) -> bool {
    let alphanumeric = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit();
    let is_label = |label: &str| {
        let bytes = label.as_bytes();
        bytes.iter().all(|&byte| alphanumeric(byte) || byte == b'-')
            && bytes.first().is_some_and(|&byte| alphanumeric(byte))
            && bytes.last().is_some_and(|&byte| alphanumeric(byte))
    };
    text.len() <= 253 && text.split('.').all(is_label)
}

/// Why a name is not a valid name of a Service.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ServiceName {
    /// It has more than 63 characters.
    TooLong,
    /// It has a dot.
    HasDot,
    /// It starts with a digit.
    StartsWithDigit,
}

impl ServiceName {
    /// Everything that is wrong with `name`, which is a valid name of an object of another kind.
    pub fn problems(name: &str) -> Vec<Self> {
        let found = [
            (name.chars().count() > LONGEST_LABEL, Self::TooLong),
            (name.contains('.'), Self::HasDot),
            (name.starts_with(|first: char| first.is_ascii_digit()), Self::StartsWithDigit),
        ];
        found.into_iter().filter_map(|(holds, problem)| holds.then_some(problem)).collect()
    }

    /// The problem in words, to follow "the name".
    pub fn words(self) -> &'static str {
        match self {
            Self::TooLong => "is longer than 63 characters",
            Self::HasDot => "contains a dot",
            Self::StartsWithDigit => "starts with a digit",
        }
    }
}
