//! Names that more than one kind speaks of, and what they may look like.

use crate::resources::OBJECTS;

/// API version and kind of provider-kubernetes' namespaced wrapper.
pub const OBJECT: (&str, &str) = (OBJECTS.api_version, OBJECTS.kind);

/// API version and kind of provider-helm's namespaced release of a chart.
pub const RELEASE: (&str, &str) = ("helm.m.crossplane.io/v1beta1", "Release");

/// API version and kind of what protects an object while another one uses it.
pub const USAGE: (&str, &str) = ("protection.crossplane.io/v1beta1", "Usage");

/// API version and kind of the same for objects without a namespace.
pub const CLUSTER_USAGE: (&str, &str) = ("protection.crossplane.io/v1beta1", "ClusterUsage");

/// Length that the name of a Service, and most labels, must not exceed.
pub const LONGEST_LABEL: usize = 63;

/// Whether a host name stands for many, as `*.example.org` does.
pub fn is_wildcard(host: &str) -> bool {
    host.starts_with("*.")
}

/// Whether `text` is a DNS-1123 subdomain, as names of objects are.
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

/// Why something named `name` cannot have a Service of its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ServiceName {
    /// It has more characters than a Service may have in its name.
    TooLong,
    /// It has a dot.
    HasDot,
    /// It starts with a digit.
    StartsWithDigit,
}

impl ServiceName {
    /// All that is wrong with `name`. A name that an object has is taken for well-formed otherwise.
    pub fn problems(name: &str) -> Vec<Self> {
        let found = [
            (name.chars().count() > LONGEST_LABEL, Self::TooLong),
            (name.contains('.'), Self::HasDot),
            (name.starts_with(|first: char| first.is_ascii_digit()), Self::StartsWithDigit),
        ];
        found.into_iter().filter_map(|(holds, problem)| holds.then_some(problem)).collect()
    }

    /// What is wrong, after "the name".
    pub fn words(self) -> &'static str {
        match self {
            Self::TooLong => "is longer than 63 characters",
            Self::HasDot => "contains a dot",
            Self::StartsWithDigit => "starts with a digit",
        }
    }
}
