//! The values of CEL.

pub(crate) mod base64;
pub(crate) mod cidr;
pub(crate) mod document;
pub(crate) mod equal;
pub(crate) mod format;
pub(crate) mod ip;
pub(crate) mod key;
pub(crate) mod number;
pub(crate) mod order;
pub(crate) mod text;
pub(crate) mod url;

mod parts;

use std::cmp::Ordering;
use std::sync::Arc;

use quantity::{Quantity, Version};
use serde_json::{Map as JsonObject, Value as Json};

use cidr::Cidr;
use format::Format;
use ip::Ip;
use key::Key;
use text::Text;
use url::Url;

use crate::declare::Declared;
use crate::error::RunError;
use crate::fuel::Fuel;
use crate::time::{Duration, Timestamp};
use crate::types::Type;

/// A value. Cheap to clone. It may borrow from the document that is evaluated.
#[derive(Clone, Debug)]
pub enum Value<'a> {
    /// `null`.
    Null,
    /// `true`, `false`.
    Bool(bool),
    /// `1`.
    Int(i64),
    /// `1u`.
    Uint(u64),
    /// `1.0`.
    Double(f64),
    /// `"text"`.
    String(Text<'a>),
    /// `b"bytes"`.
    Bytes(Arc<[u8]>),
    /// A point in time.
    Timestamp(Timestamp),
    /// A duration.
    Duration(Duration),
    /// `[…]`.
    List(List<'a>),
    /// `{…}`, and objects.
    Map(Map<'a>),
    /// An optional value.
    Optional(Option<Arc<Value<'a>>>),
    /// A type, as `type(x)` gives it.
    Type(Type),
    /// A Kubernetes quantity.
    Quantity(Amount),
    /// A semantic version.
    Version(Arc<Version>),
    /// A URL.
    Url(Arc<Url>),
    /// An IP address.
    Ip(Ip),
    /// A network in CIDR notation.
    Cidr(Cidr),
    /// A named format.
    Format(&'static Format),
    /// A message of `google.protobuf` without fields.
    Message(&'static str),
    /// A part of a document without a schema. It can only be compared.
    Unknown(&'a Json),
    /// A part of a document that does not fit its schema, where this is not an error yet: in a list that was made of the
    /// document's list, or on one side of `==`.
    Unfit(Arc<RunError>),
}

/// A quantity during an evaluation.
///
/// Upstream, some functions change their arguments: a small quantity that is compared with a big one becomes big, and the
/// sum of a big one is stored in it. So the evaluation identifies quantities by the address of `shared`
/// (`libraries::amounts`).
#[derive(Clone, Debug)]
pub struct Amount {
    pub(crate) shared: Arc<Quantity>,
    /// Whether it is a result of `add` or `sub`. Such a quantity has another Go type upstream, and is refused on the right
    /// side of `==`.
    pub(crate) computed: bool,
}

/// A list.
#[derive(Clone, Debug)]
pub enum List<'a> {
    /// A list of values.
    Values(Arc<Vec<Value<'a>>>),
    /// A list of a document, with its declared type.
    Document(&'a [Json], &'a Declared),
    /// The sum of a list of a document and another list, with the declared type of the first one.
    Keyed(Arc<Vec<Value<'a>>>, &'a Declared),
}

/// A map or an object.
#[derive(Clone, Debug)]
pub enum Map<'a> {
    /// A map of values.
    Values(Arc<Entries<'a>>),
    /// The domains of a device: a map in which a missing key has an empty map as its value.
    Domains(Arc<Entries<'a>>),
    /// An object or map of a document, with its declared type.
    Document(&'a JsonObject<String, Json>, &'a Declared),
}

/// The entries of a map, in the order of keys.
#[derive(Clone, Debug, Default)]
pub struct Entries<'a>(Vec<(Key<'a>, Value<'a>)>);

impl<'a> Value<'a> {
    /// A text value that borrows its text.
    pub fn text(text: &'a str) -> Self {
        Self::String(Text::borrowed(text))
    }

    /// A list of values.
    pub fn list(values: Vec<Value<'a>>) -> Self {
        Self::List(List::Values(Arc::new(values)))
    }

    /// A map of values.
    pub fn map(entries: Entries<'a>) -> Self {
        Self::Map(Map::Values(Arc::new(entries)))
    }

    /// An optional with a value.
    pub fn some(value: Value<'a>) -> Self {
        Self::Optional(Some(Arc::new(value)))
    }

    /// A part of a document, or [`Unfit`](Self::Unfit) when it does not fit its schema.
    pub(crate) fn as_it_is(part: Result<Self, RunError>) -> Self {
        part.unwrap_or_else(|error| Self::Unfit(Arc::new(error)))
    }

    /// The boolean, if the value is one.
    pub fn as_bool(&self) -> Option<bool> {
        if let Self::Bool(value) = self { Some(*value) } else { None }
    }

    /// The text, if the value is text.
    pub fn as_str(&self) -> Option<&str> {
        if let Self::String(text) = self { Some(text) } else { None }
    }

    /// The result of `type(value)`.
    pub fn ty(&self) -> Type {
        match self {
            Self::Null => Type::Null,
            Self::Bool(_) => Type::Bool,
            Self::Int(_) => Type::Int,
            Self::Uint(_) => Type::Uint,
            Self::Double(_) => Type::Double,
            Self::String(_) => Type::String,
            Self::Bytes(_) => Type::Bytes,
            Self::Timestamp(_) => Type::Timestamp,
            Self::Duration(_) => Type::Duration,
            Self::List(_) => Type::list(Type::Dyn),
            Self::Map(_) => Type::map(Type::Dyn, Type::Dyn),
            Self::Optional(_) => Type::optional(Type::Dyn),
            Self::Type(_) => Type::Type(None),
            Self::Quantity(_) => Type::Opaque("kubernetes.Quantity"),
            Self::Version(_) => Type::Opaque("kubernetes.Semver"),
            Self::Url(_) => Type::Opaque("kubernetes.URL"),
            Self::Ip(_) => Type::Opaque("net.IP"),
            Self::Cidr(_) => Type::Opaque("net.CIDR"),
            Self::Format(_) => Type::Opaque("kubernetes.NamedFormat"),
            Self::Message(name) => Type::object(name),
            Self::Unknown(_) => Type::object("unknown"),
            Self::Unfit(_) => Type::Error,
        }
    }

    /// The name of the value's Go type upstream, which is in some messages.
    pub(crate) fn go_name(&self) -> &'static str {
        match self {
            Self::Null => "types.Null",
            Self::Bool(_) => "types.Bool",
            Self::Int(_) => "types.Int",
            Self::Uint(_) => "types.Uint",
            Self::Double(_) => "types.Double",
            Self::String(_) => "types.String",
            Self::Bytes(_) => "types.Bytes",
            Self::Timestamp(_) => "types.Timestamp",
            Self::Duration(_) => "types.Duration",
            Self::List(_) => "*types.baseList",
            Self::Map(_) => "*types.baseMap",
            Self::Optional(_) => "*types.Optional",
            Self::Type(_) => "*types.Type",
            Self::Quantity(Amount { computed: true, .. }) => "*cel.Quantity",
            Self::Quantity(_) => "cel.Quantity",
            Self::Version(_) => "cel.Semver",
            Self::Url(_) => "cel.URL",
            Self::Ip(_) => "cel.IP",
            Self::Cidr(_) => "cel.CIDR",
            Self::Format(_) => "cel.Format",
            Self::Message(_) => "*types.protoObj",
            Self::Unknown(_) => "*common.unknownPreserved",
            Self::Unfit(_) => "*types.Err",
        }
    }

    /// The result of `size()`, or for an IP address or network its number of bytes. `None` for values without a size.
    ///
    /// # Errors
    /// When there is not enough fuel to count the characters of a text.
    pub(crate) fn size(&self, fuel: &mut Fuel) -> Result<Option<u64>, RunError> {
        let size = match self {
            Self::String(text) => fuel.characters(text)?,
            Self::Bytes(bytes) => bytes.len(),
            Self::List(list) => list.len(),
            Self::Map(map) => map.len(),
            Self::Ip(ip) => ip.bytes(),
            Self::Cidr(cidr) => cidr.bytes(),
            _ => return Ok(None),
        };
        Ok(Some(size as u64))
    }
}

impl From<bool> for Value<'_> {
    fn from(value: bool) -> Self {
        Self::Bool(value)
    }
}

impl From<i64> for Value<'_> {
    fn from(value: i64) -> Self {
        Self::Int(value)
    }
}

impl From<f64> for Value<'_> {
    fn from(value: f64) -> Self {
        Self::Double(value)
    }
}

impl From<String> for Value<'_> {
    fn from(text: String) -> Self {
        Self::String(text.into())
    }
}

impl From<Quantity> for Value<'_> {
    fn from(quantity: Quantity) -> Self {
        Self::Quantity(Amount { shared: Arc::new(quantity), computed: false })
    }
}

impl<'a> List<'a> {
    /// The number of elements.
    pub fn len(&self) -> usize {
        match self {
            Self::Values(values) | Self::Keyed(values, _) => values.len(),
            Self::Document(elements, _) => elements.len(),
        }
    }

    /// Whether it has no elements.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

impl<'a> Map<'a> {
    /// The number of entries.
    pub fn len(&self) -> usize {
        match self {
            Self::Values(entries) | Self::Domains(entries) => entries.len(),
            Self::Document(object, _) => object.len(),
        }
    }

    /// Whether it has no entries.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

impl<'a> Entries<'a> {
    /// The number of entries.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there are no entries.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The value of a key.
    pub fn get(&self, key: &Key<'_>) -> Option<&Value<'a>> {
        self.position(|other| other.order(key)).ok().map(|index| &self.0[index].1)
    }

    /// The value of a text key.
    pub fn get_text(&self, key: &str) -> Option<&Value<'a>> {
        let order = |other: &Key<'a>| match other {
            Key::String(text) => (**text).cmp(key),
            _ => Ordering::Less,
        };
        self.position(order).ok().map(|index| &self.0[index].1)
    }

    /// The key at an index, in the order of keys.
    pub(crate) fn key_at(&self, index: usize) -> Option<&Key<'a>> {
        self.0.get(index).map(|entry| &entry.0)
    }

    /// Adds an entry, unless the key exists. Returns how many entries it has moved.
    pub(crate) fn add(&mut self, key: Key<'a>, value: Value<'a>) -> Option<usize> {
        let index = self.position(|other| other.order(&key)).err()?;
        self.0.insert(index, (key, value));
        Some(self.0.len() - index)
    }

    /// Sets the value of a key.
    pub fn insert(&mut self, key: Key<'a>, value: Value<'a>) {
        self.set(key, value);
    }

    /// Sets the value of a key. Returns how many entries it has moved.
    pub(crate) fn set(&mut self, key: Key<'a>, value: Value<'a>) -> usize {
        match self.position(|other| other.order(&key)) {
            Ok(index) => {
                self.0[index].1 = value;
                0
            }
            Err(index) => {
                self.0.insert(index, (key, value));
                self.0.len() - index
            }
        }
    }

    /// Removes a key and its value.
    pub fn remove(&mut self, key: &Key<'a>) {
        if let Ok(index) = self.position(|other| other.order(key)) {
            self.0.remove(index);
        }
    }

    /// The keys and values, in the order of keys.
    pub fn iter(&self) -> impl Iterator<Item = (&Key<'a>, &Value<'a>)> {
        self.0.iter().map(|(key, value)| (key, value))
    }

    fn position(&self, order: impl Fn(&Key<'a>) -> Ordering) -> Result<usize, usize> {
        self.0.binary_search_by(|(key, _)| order(key))
    }
}

impl<'a> FromIterator<(Key<'a>, Value<'a>)> for Entries<'a> {
    fn from_iter<I: IntoIterator<Item = (Key<'a>, Value<'a>)>>(entries: I) -> Self {
        let mut sorted = Self::default();
        for (key, value) in entries {
            sorted.insert(key, value);
        }
        sorted
    }
}

impl<'a> Key<'a> {
    /// The value as a key, if it can be one.
    pub(crate) fn of(value: &Value<'a>) -> Option<Self> {
        match value {
            Value::Bool(key) => Some(Self::Bool(*key)),
            Value::Int(key) => Some(Self::Int(*key)),
            Value::Uint(key) => Some(Self::Uint(*key)),
            Value::Double(key) => Some(Self::Double(key.to_bits())),
            Value::String(key) => Some(Self::String(key.clone())),
            _ => None,
        }
    }

    pub(crate) fn value(self) -> Value<'a> {
        match self {
            Self::Bool(key) => Value::Bool(key),
            Self::Int(key) => Value::Int(key),
            Self::Uint(key) => Value::Uint(key),
            Self::Double(bits) => Value::Double(f64::from_bits(bits)),
            Self::String(key) => Value::String(key),
        }
    }
}
