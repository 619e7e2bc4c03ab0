//! Mappings while they are read: keys, duplicate keys, and `<<`.

use std::collections::BTreeMap;

use crate::error::{Error, shown};
use crate::node::{Data, Entry, Node, Span};
use crate::scalar;

/// A mapping that is being read.
#[derive(Default)]
pub(crate) struct Mapping {
    entries: Vec<Entry>,
    /// The index of the entry of each key.
    indices: BTreeMap<String, usize>,
    /// The place of each key of the mapping's own.
    seen: BTreeMap<String, Span>,
    key: Option<Key>,
}

/// A key whose value has not been read yet.
struct Key {
    text: String,
    span: Span,
    /// Whether it is `<<`, whose value is merged into the mapping.
    merges: bool,
}

impl Mapping {
    /// Whether the next node is a key.
    pub(crate) fn expects_key(&self) -> bool {
        self.key.is_none()
    }

    /// The key whose value is being read, if any.
    pub(crate) fn key(&self) -> Option<&str> {
        self.key.as_ref().map(|key| key.text.as_str())
    }

    /// Whether the next node is the value of `<<`.
    pub(crate) fn merges(&self) -> bool {
        self.key.as_ref().is_some_and(|key| key.merges)
    }

    /// The error of a value that `<<` cannot merge. It belongs to the mapping.
    pub(crate) fn unmergeable(&mut self, at: Span) -> Error {
        self.key = None;
        Error::invalid(at, "`<<` merges a mapping or a list of mappings")
    }

    /// Adds the key `<<`.
    ///
    /// # Errors
    /// When there is already one.
    pub(crate) fn merge_key(&mut self, span: Span) -> Result<(), Error> {
        self.start(Key { text: scalar::MERGE.to_owned(), span, merges: true })
    }

    /// Adds the next key, or the value of the last key.
    ///
    /// # Errors
    /// When the node cannot be a key, or the value of `<<`.
    pub(crate) fn take(&mut self, node: Node) -> Result<(), Error> {
        match self.key.take() {
            None => {
                let text = match &node.data {
                    Data::Scalar(value) => scalar::key(value),
                    Data::Sequence(_) | Data::Mapping(_) => None,
                };
                let no_key = || Error::invalid(node.span, "a key is text, a number or a boolean");
                self.start(Key { text: text.ok_or_else(no_key)?, span: node.span, merges: false })
            }
            Some(Key { merges: true, .. }) => {
                let span = node.span;
                let entries = mergeable(node).ok_or_else(|| self.unmergeable(span))?;
                entries.into_iter().for_each(|entry| self.put(entry));
                Ok(())
            }
            Some(Key { text, span, .. }) => {
                self.put(Entry { key: text, key_span: span, value: node });
                Ok(())
            }
        }
    }

    /// The entries.
    pub(crate) fn finish(self) -> Vec<Entry> {
        self.entries
    }

    /// Adds an entry, in the place of an earlier one with its key. Own and merged entries are equal: the later one wins.
    fn put(&mut self, entry: Entry) {
        match self.indices.get(&entry.key).and_then(|index| self.entries.get_mut(*index)) {
            Some(earlier) => *earlier = entry,
            None => {
                self.indices.insert(entry.key.clone(), self.entries.len());
                self.entries.push(entry);
            }
        }
    }

    fn start(&mut self, new: Key) -> Result<(), Error> {
        let first = self.seen.insert(new.text.clone(), new.span);
        let duplicate = first.map(|first| {
            let message =
                format!("duplicate key {}, which stands on line {} already", shown(&new.text), first.start.line);
            Error::duplicate(new.span, message)
        });
        self.key = Some(new);
        duplicate.map_or(Ok(()), Err)
    }
}

/// The entries that `<<` merges from a node, those that win last: of the mappings in a list the first one wins.
fn mergeable(node: Node) -> Option<Vec<Entry>> {
    match node.data {
        Data::Mapping(entries) => Some(entries),
        Data::Sequence(items) => {
            let maps = items.into_iter().rev().map(|item| match item.data {
                Data::Mapping(entries) => Some(entries),
                Data::Scalar(_) | Data::Sequence(_) => None,
            });
            Some(maps.collect::<Option<Vec<_>>>()?.into_iter().flatten().collect())
        }
        Data::Scalar(_) => None,
    }
}
