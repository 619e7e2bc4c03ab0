//! Text values.

use std::cmp::Ordering;
use std::fmt;
use std::ops::{Deref, Range};
use std::sync::Arc;

/// Text. It is cheap to clone, and to take a part of.
#[derive(Clone)]
pub struct Text<'a>(Source<'a>);

#[derive(Clone)]
enum Source<'a> {
    /// Text of the document that is evaluated.
    Borrowed(&'a str),
    /// Text that an evaluation has made, or that belongs to a program, or a part of such a text.
    Shared { whole: Arc<str>, start: u32, end: u32, characters: u32 },
}

impl<'a> Text<'a> {
    /// Text that borrows.
    pub fn borrowed(text: &'a str) -> Self {
        Self(Source::Borrowed(text))
    }

    /// Text that is shared.
    pub fn shared(text: impl Into<Arc<str>>) -> Self {
        let whole: Arc<str> = text.into();
        let (end, characters) = (number(whole.len()), number(whole.chars().count()));
        Self(Source::Shared { whole, start: 0, end, characters })
    }

    /// The part in a range of bytes, with the number of its characters.
    pub(crate) fn part(&self, range: Range<usize>, characters: usize) -> Self {
        match &self.0 {
            Source::Borrowed(text) => Self(Source::Borrowed(text.get(range).unwrap_or_default())),
            Source::Shared { whole, start, .. } => Self(Source::Shared {
                whole: whole.clone(),
                start: start.saturating_add(number(range.start)),
                end: start.saturating_add(number(range.end)),
                characters: number(characters),
            }),
        }
    }

    /// The number of characters (Unicode code points), if it is known without counting.
    pub(crate) fn known_characters(&self) -> Option<usize> {
        match &self.0 {
            Source::Borrowed(_) => None,
            Source::Shared { characters, .. } => Some(*characters as usize),
        }
    }
}

/// Texts are far shorter than four gigabytes: their cost limits them.
fn number(size: usize) -> u32 {
    u32::try_from(size).unwrap_or(u32::MAX)
}

impl Deref for Text<'_> {
    type Target = str;

    fn deref(&self) -> &str {
        match &self.0 {
            Source::Borrowed(text) => text,
            Source::Shared { whole, start, end, .. } => whole.get(*start as usize..*end as usize).unwrap_or_default(),
        }
    }
}

impl fmt::Debug for Text<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        (**self).fmt(f)
    }
}

impl<'a> From<&'a str> for Text<'a> {
    fn from(text: &'a str) -> Self {
        Self::borrowed(text)
    }
}

impl From<String> for Text<'_> {
    fn from(text: String) -> Self {
        Self::shared(text)
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
