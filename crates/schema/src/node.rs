//! The structural schema that all steps use.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde_json::Value;

use crate::format::Format;
use crate::pattern::Pattern;
use crate::rules::rule::Rules;

/// The schema of one value. The meaning of a keyword is documented in the step that implements it.
#[derive(Clone, Debug, Default)]
pub(crate) struct Node {
    /// `type`. For `x-kubernetes-int-or-string` both integer and string, as in the API server.
    pub(crate) types: Vec<Type>,
    pub(crate) nullable: bool,
    /// `default`, pruned by this schema. `None` also for null.
    pub(crate) default: Option<Value>,
    /// `format` as written, even if it is not known. The types of CEL depend on it.
    pub(crate) format_name: String,
    /// The format, if the API server validates it.
    pub(crate) format: Option<Format>,
    pub(crate) minimum: Option<f64>,
    pub(crate) maximum: Option<f64>,
    pub(crate) exclusive_minimum: bool,
    pub(crate) exclusive_maximum: bool,
    pub(crate) multiple_of: Option<f64>,
    pub(crate) min_length: Option<i64>,
    pub(crate) max_length: Option<i64>,
    pub(crate) pattern: Option<Pattern>,
    pub(crate) min_items: Option<i64>,
    pub(crate) max_items: Option<i64>,
    pub(crate) unique_items: bool,
    pub(crate) min_properties: Option<i64>,
    pub(crate) max_properties: Option<i64>,
    /// `enum`; empty when all values are allowed.
    pub(crate) allowed: Vec<Value>,
    pub(crate) required: Vec<String>,
    pub(crate) properties: BTreeMap<String, Node>,
    /// The names of the properties with a default.
    pub(crate) defaulted: Vec<String>,
    pub(crate) additional: Additional,
    pub(crate) items: Option<Box<Node>>,
    pub(crate) all_of: Vec<Node>,
    pub(crate) any_of: Vec<Node>,
    pub(crate) one_of: Vec<Node>,
    pub(crate) not: Option<Box<Node>>,
    pub(crate) preserve_unknown: bool,
    pub(crate) embedded: bool,
    /// Whether this value is an embedded object, or has one inside.
    pub(crate) has_embedded: bool,
    pub(crate) list_type: ListType,
    pub(crate) list_map_keys: Vec<String>,
    /// `x-kubernetes-validations`.
    pub(crate) rules: Option<Arc<Rules>>,
    /// Whether this schema, or a schema of values inside, has rules.
    pub(crate) has_rules: bool,
}

/// `additionalProperties`.
#[derive(Clone, Debug, Default)]
pub(crate) enum Additional {
    #[default]
    Unspecified,
    Allowed(bool),
    Schema(Box<Node>),
}

/// `x-kubernetes-list-type`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum ListType {
    #[default]
    Atomic,
    Set,
    Map,
}

/// `type`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Type {
    Object,
    Array,
    String,
    Integer,
    Number,
    Boolean,
    Null,
}

impl Type {
    /// Every type by its name.
    pub(crate) const ALL: [(&'static str, Self); 7] = [
        ("object", Self::Object),
        ("array", Self::Array),
        ("string", Self::String),
        ("integer", Self::Integer),
        ("number", Self::Number),
        ("boolean", Self::Boolean),
        ("null", Self::Null),
    ];

    pub(crate) fn name(self) -> &'static str {
        Self::ALL.iter().find(|(_, known)| *known == self).map_or("", |(name, _)| name)
    }
}

impl Node {
    /// The schema of an object's field: that of its property, or else that of additional properties.
    pub(crate) fn field(&self, name: &str) -> Option<&Self> {
        self.properties.get(name).or_else(|| self.additional.schema())
    }

    pub(crate) fn is(&self, wanted: Type) -> bool {
        self.types.contains(&wanted)
    }
}

impl Additional {
    pub(crate) fn schema(&self) -> Option<&Node> {
        match self {
            Self::Schema(node) => Some(node),
            Self::Unspecified | Self::Allowed(_) => None,
        }
    }
}
