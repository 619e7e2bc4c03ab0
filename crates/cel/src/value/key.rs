//! The keys of maps.

use std::cmp::Ordering;

use super::number;
use super::text::Text;

/// A key of a map.
#[derive(Clone, Debug)]
pub enum Key<'a> {
    /// `true`, `false`.
    Bool(bool),
    /// `1`.
    Int(i64),
    /// `1u`.
    Uint(u64),
    /// `1.0`, as its bits.
    Double(u64),
    /// `"text"`.
    String(Text<'a>),
}

impl Key<'_> {
    /// The keys of other types that equal this one and are found with it. An integer does not find a double.
    pub(crate) fn others(&self) -> [Option<Key<'static>>; 2] {
        match *self {
            Self::Int(key) => [u64::try_from(key).ok().map(Key::Uint), None],
            Self::Uint(key) => [i64::try_from(key).ok().map(Key::Int), None],
            Self::Double(bits) => {
                let key = f64::from_bits(bits);
                [number::exact_int(key).map(Key::Int), number::exact_uint(key).map(Key::Uint)]
            }
            Self::Bool(_) | Self::String(_) => [None, None],
        }
    }

    /// All keys of other types that equal this one.
    pub(crate) fn equals(&self) -> [Option<Key<'static>>; 2] {
        let [first, second] = self.others();
        let double = match *self {
            Self::Int(key) => Some(Key::Double((key as f64).to_bits())),
            Self::Uint(key) => Some(Key::Double((key as f64).to_bits())),
            _ => second,
        };
        [first, double]
    }

    /// The order of keys: by type, then by value.
    pub(crate) fn order(&self, other: &Key<'_>) -> Ordering {
        match (self, other) {
            (Self::String(left), Key::String(right)) => (**left).cmp(&**right),
            (Self::Bool(left), Key::Bool(right)) => left.cmp(right),
            (Self::Int(left), Key::Int(right)) => left.cmp(right),
            (Self::Uint(left), Key::Uint(right)) => left.cmp(right),
            (Self::Double(left), Key::Double(right)) => f64::from_bits(*left).total_cmp(&f64::from_bits(*right)),
            _ => self.rank().cmp(&other.rank()),
        }
    }

    /// The bytes that comparing the key goes over.
    pub(crate) fn bytes(&self) -> usize {
        if let Self::String(text) = self { text.len() } else { 0 }
    }

    /// The key as text, for messages.
    pub(crate) fn spelled(&self) -> String {
        match self {
            Self::Bool(key) => key.to_string(),
            Self::Int(key) => key.to_string(),
            Self::Uint(key) => key.to_string(),
            Self::Double(bits) => number::shortest(f64::from_bits(*bits)),
            Self::String(key) => key.to_string(),
        }
    }

    /// The order of types; text comes last.
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
    fn cmp(&self, other: &Self) -> Ordering {
        self.order(other)
    }
}

impl PartialOrd for Key<'_> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Key<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Key<'_> {}
