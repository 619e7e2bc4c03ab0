//! Text values.

use std::cmp::Ordering;
use std::ops::Deref;
use std::sync::Arc;

/// Text. Cheap to clone.
#[derive(Clone, Debug)]
pub enum Text<'a> {
    /// Text of the document that is evaluated.
    Borrowed(&'a str),
    /// Text that an evaluation has made, or that is part of a program.
    Shared(Arc<str>),
}

impl Text<'_> {
    /// The number of characters, as CEL counts them: Unicode code points.
    pub(crate) fn size(&self) -> usize {
        if self.is_ascii() { self.len() } else { self.chars().count() }
    }
}

impl Deref for Text<'_> {
    type Target = str;

    fn deref(&self) -> &str {
        match self {
            Self::Borrowed(text) => text,
            Self::Shared(text) => text,
        }
    }
}

impl<'a> From<&'a str> for Text<'a> {
    fn from(text: &'a str) -> Self {
        Self::Borrowed(text)
    }
}

impl From<String> for Text<'_> {
    fn from(text: String) -> Self {
        Self::Shared(text.into())
    }
}

impl PartialEq for Text<'_> {
    fn eq(&self, other: &Self) -> bool {
        **self == **other
    }
}

impl Eq for Text<'_> {}

impl PartialOrd for Text<'_> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Text<'_> {
    fn cmp(&self, other: &Self) -> Ordering {
        (**self).cmp(other)
    }
}
