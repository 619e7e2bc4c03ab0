//! Mappings while they are read: keys, duplicate keys, and `<<`.

use std::collections::{BTreeMap, BTreeSet};

use crate::error::{Error, shown};
use crate::node::{Data, Entry, Node, Span};
use crate::scalar;

/// A mapping that is being read.
#[derive(Default)]
pub(crate) struct Mapping {
    entries: Vec<Entry>,
    /// The place of each key.
    seen: BTreeMap<String, Span>,
    key: Option<Key>,
    merged: Vec<Entry>,
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
                let unmergeable = Error::invalid(node.span, "`<<` merges a mapping or a list of mappings");
                self.merged.extend(mergeable(node).ok_or(unmergeable)?);
                Ok(())
            }
            Some(Key { text, span, .. }) => {
                self.entries.push(Entry { key: text, key_span: span, value: node });
                Ok(())
            }
        }
    }

    /// The entries. The mapping's own entries win over merged ones, and of the merged ones the first wins.
    pub(crate) fn finish(self) -> Vec<Entry> {
        let mut entries = self.entries;
        let mut present: BTreeSet<String> = entries.iter().map(|entry| entry.key.clone()).collect();
        entries.extend(self.merged.into_iter().filter(|entry| present.insert(entry.key.clone())));
        entries
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

/// The entries that `<<` merges from a node.
fn mergeable(node: Node) -> Option<Vec<Entry>> {
    match node.data {
        Data::Mapping(entries) => Some(entries),
        Data::Sequence(items) => {
            let maps = items.into_iter().map(|item| match item.data {
                Data::Mapping(entries) => Some(entries),
                Data::Scalar(_) | Data::Sequence(_) => None,
            });
            Some(maps.collect::<Option<Vec<_>>>()?.into_iter().flatten().collect())
        }
        Data::Scalar(_) => None,
    }
}
