//! The values of CEL.

use std::sync::Arc;

use quantity::{Quantity, Version};
use serde_json::{Map as JsonObject, Value as Json};

use crate::declare::{Declared, ListKind};
use crate::entries::Entries;
use crate::libraries::cidr::Cidr;
use crate::libraries::format::Format;
use crate::libraries::ip::Ip;
use crate::libraries::url::Url;
use crate::text::Text;
use crate::time::{Duration, Timestamp};
use crate::types::Type;

/// A value, cheap to clone. It may borrow from the document that is evaluated.
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
    /// A span of time.
    Duration(Duration),
    /// `[…]`.
    List(List<'a>),
    /// `{…}`, and objects.
    Map(Map<'a>),
    /// Something that may be missing.
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
    /// A network.
    Cidr(Cidr),
    /// A named format.
    Format(&'static Format),
    /// A message of `google.protobuf` without fields.
    Message(&'static str),
    /// Part of a document that its schema says nothing about; it can only be compared.
    Unknown(&'a Json),
    /// A part of a document that does not fit its schema, where that need not be an error: in a list that was made of
    /// its list, or on one side of `==`.
    Unfit(Arc<crate::RunError>),
}

/// A quantity as evaluation sees it.
///
/// Upstream's quantities change while they are used: comparing a small one with a big one makes it big, and a
/// sum of a big one is stored in it. So an evaluation keeps track of which it is (by the address of `shared`),
/// in `libraries::quantity`.
#[derive(Clone, Debug)]
pub struct Amount {
    pub(crate) shared: Arc<Quantity>,
    /// Whether `add` or `sub` made it: upstream gives another type to those, which `==` on the right refuses.
    pub(crate) computed: bool,
}

/// A list.
#[derive(Clone, Debug)]
pub enum List<'a> {
    /// Of values.
    Values(Arc<Vec<Value<'a>>>),
    /// Of a document, of the declared list type.
    Document(&'a [Json], &'a Declared),
    /// Of values that were added to a list of a document with the keys of a set or map.
    Keyed(Arc<Vec<Value<'a>>>, &'a Declared),
}

/// A map or an object.
#[derive(Clone, Debug)]
pub enum Map<'a> {
    /// Of values, in key order.
    Values(Arc<Entries<'a>>),
    /// The same, but looking up a missing key finds an empty map, as for the domains of a device.
    Domains(Arc<Entries<'a>>),
    /// Of a document, of the declared object or map type.
    Document(&'a JsonObject<String, Json>, &'a Declared),
}

/// A key of a map.
#[derive(Clone, Debug)]
pub enum Key<'a> {
    /// `true`, `false`.
    Bool(bool),
    /// `1`.
    Int(i64),
    /// `1u`.
    Uint(u64),
    /// `1.0`; by its bits.
    Double(u64),
    /// `"text"`.
    String(Text<'a>),
}

impl<'a> Value<'a> {
    /// A text value that borrows.
    pub fn text(text: &'a str) -> Self {
        Self::String(Text::Borrowed(text))
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

    /// A part of a document, whether or not it fits its schema.
    pub(crate) fn as_it_is(part: Result<Self, crate::RunError>) -> Self {
        part.unwrap_or_else(|error| Self::Unfit(Arc::new(error)))
    }

    /// The boolean, if it is one.
    pub fn as_bool(&self) -> Option<bool> {
        if let Self::Bool(value) = self { Some(*value) } else { None }
    }

    /// The text, if it is text.
    pub fn as_str(&self) -> Option<&str> {
        if let Self::String(text) = self { Some(text) } else { None }
    }

    /// The type that `type(value)` gives.
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

    /// What upstream calls the type of the value in Go, which some messages have.
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

    /// What `size()` gives for it; `None` for what has no size.
    pub(crate) fn size(&self) -> Option<u64> {
        let size = match self {
            Self::String(text) => text.size(),
            Self::Bytes(bytes) => bytes.len(),
            Self::List(list) => list.len(),
            Self::Map(map) => map.len(),
            Self::Ip(ip) => ip.bytes(),
            Self::Cidr(cidr) => cidr.bytes(),
            _ => return None,
        };
        Some(size as u64)
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
    /// How many elements it has.
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

    /// The element at `index`. An element that does not fit its schema is an error.
    pub(crate) fn get(&self, index: usize) -> Option<Result<Value<'a>, crate::RunError>> {
        match self {
            Self::Values(values) | Self::Keyed(values, _) => values.get(index).map(|value| match value {
                Value::Unfit(error) => Err((**error).clone()),
                value => Ok(value.clone()),
            }),
            Self::Document(elements, declared) => {
                elements.get(index).map(|element| crate::document::element(element, declared))
            }
        }
    }

    /// The elements in order, for another list.
    pub(crate) fn as_they_are(&self) -> impl DoubleEndedIterator<Item = Value<'a>> + use<'a, '_> {
        (0..self.len()).filter_map(|index| self.get(index).map(Value::as_it_is))
    }

    /// The elements in order. An element that does not fit its schema is an error.
    pub(crate) fn iter(&self) -> impl Iterator<Item = Result<Value<'a>, crate::RunError>> + use<'a, '_> {
        (0..self.len()).filter_map(|index| self.get(index))
    }

    /// How elements are told apart, for lists of documents that are sets or maps.
    pub(crate) fn kind(&self) -> &'a ListKind {
        match self {
            Self::Values(_) => &ListKind::Atomic,
            Self::Document(_, declared) | Self::Keyed(_, declared) => crate::document::list_kind(declared),
        }
    }
}

impl<'a> Map<'a> {
    /// How many entries it has.
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

    /// The value of a key that is text; `None` if there is none.
    pub(crate) fn get_text(&self, key: &str) -> Option<Result<Value<'a>, crate::RunError>> {
        match self {
            Self::Values(entries) | Self::Domains(entries) => entries.get_text(key).cloned().map(Ok),
            Self::Document(object, declared) => crate::document::property(object, declared, key),
        }
    }

    /// The value of a key: of one that equals it, if it is a number of another kind.
    pub(crate) fn find(&self, key: &Key<'_>) -> Option<Result<Value<'a>, crate::RunError>> {
        let found = match (self, key) {
            (Self::Document(..), Key::String(text)) => return self.get_text(text),
            (Self::Document(..), _) => return Some(Err(crate::RunError::no_overload())),
            (Self::Values(_) | Self::Domains(_), _) => self.get(key).or_else(|| self.get_number(key)),
        };
        match (found, self) {
            (None, Self::Domains(_)) => Some(Ok(Value::Map(Map::Values(Arc::default())))),
            (found, _) => found.map(Ok),
        }
    }

    /// Whether the key is there; unlike [`find`](Self::find), it does not see what is there by default.
    pub(crate) fn contains(&self, key: &Key<'_>) -> Result<bool, crate::RunError> {
        match self {
            Self::Domains(_) => Ok(self.get(key).or_else(|| self.get_number(key)).is_some()),
            _ => self.find(key).transpose().map(|found| found.is_some()),
        }
    }

    fn get(&self, key: &Key<'_>) -> Option<Value<'a>> {
        match self {
            Self::Values(entries) | Self::Domains(entries) => entries.get(key).cloned(),
            Self::Document(..) => None,
        }
    }

    fn get_number(&self, key: &Key<'_>) -> Option<Value<'a>> {
        key.others().into_iter().flatten().find_map(|key| self.get(&key))
    }

    /// The keys in order.
    pub(crate) fn keys(&self) -> Vec<Key<'a>> {
        match self {
            Self::Values(entries) | Self::Domains(entries) => entries.iter().map(|(key, _)| key.clone()).collect(),
            Self::Document(object, declared) => crate::document::keys(object, declared),
        }
    }
}

impl Key<'_> {
    /// The keys of other kinds that equal this one and are looked up for it: an integer finds no double.
    fn others(&self) -> [Option<Key<'static>>; 2] {
        match *self {
            Self::Int(key) => [u64::try_from(key).ok().map(Key::Uint), None],
            Self::Uint(key) => [i64::try_from(key).ok().map(Key::Int), None],
            Self::Double(bits) => {
                let key = f64::from_bits(bits);
                [crate::number::exact_int(key).map(Key::Int), crate::number::exact_uint(key).map(Key::Uint)]
            }
            Self::Bool(_) | Self::String(_) => [None, None],
        }
    }

    /// The keys of other kinds that equal this one.
    pub(crate) fn equals(&self) -> [Option<Key<'static>>; 2] {
        let [first, second] = self.others();
        let double = match *self {
            Self::Int(key) => Some(Key::Double((key as f64).to_bits())),
            Self::Uint(key) => Some(Key::Double((key as f64).to_bits())),
            _ => second,
        };
        [first, double]
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

    /// The order of keys: by kind, then by value.
    pub(crate) fn order(&self, other: &Key<'_>) -> std::cmp::Ordering {
        match (self, other) {
            (Self::String(left), Key::String(right)) => (**left).cmp(&**right),
            (Self::Bool(left), Key::Bool(right)) => left.cmp(right),
            (Self::Int(left), Key::Int(right)) => left.cmp(right),
            (Self::Uint(left), Key::Uint(right)) => left.cmp(right),
            (Self::Double(left), Key::Double(right)) => f64::from_bits(*left).total_cmp(&f64::from_bits(*right)),
            _ => self.rank().cmp(&other.rank()),
        }
    }

    /// The key as messages have it.
    pub(crate) fn spelled(&self) -> String {
        match self {
            Self::Bool(key) => key.to_string(),
            Self::Int(key) => key.to_string(),
            Self::Uint(key) => key.to_string(),
            Self::Double(bits) => crate::number::shortest(f64::from_bits(*bits)),
            Self::String(key) => key.to_string(),
        }
    }

    /// Kinds in order; text comes last.
    fn rank(&self) -> u8 {
        match self {
            Self::Bool(_) => 0,
            Self::Int(_) => 1,
            Self::Uint(_) => 2,
            Self::Double(_) => 3,
            Self::String(_) => 4,
        }
    }
}

impl Ord for Key<'_> {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.order(other)
    }
}

impl PartialOrd for Key<'_> {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Key<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Key<'_> {}
