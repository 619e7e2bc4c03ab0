//! Kubernetes objects, and the words in which one object speaks of others.

use std::cell::OnceCell;

use serde_json::Value;

/// The type of an object.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct KindRef {
    /// Group and version, or `v1` for the core group.
    pub api_version: String,
    /// Kind in PascalCase.
    pub kind: String,
}

impl KindRef {
    /// The type that `object` states; empty strings stand for what it does not state.
    pub fn of(object: &Value) -> Self {
        let text = |key| object.get(key).and_then(Value::as_str).unwrap_or_default().to_owned();
        Self { api_version: text("apiVersion"), kind: text("kind") }
    }

    /// The API group; empty for the core group.
    pub fn group(&self) -> &str {
        self.api_version.split_once('/').map_or("", |(group, _)| group)
    }
}

/// An object as it is in the cluster, and its connection details.
///
/// A composition is shown more than it looks at, so that text is read at the first look.
#[derive(Clone, Debug, Default)]
pub struct Resource {
    /// What was not given as a value.
    text: String,
    object: OnceCell<Value>,
    /// Its connection details; empty when it has none.
    pub connection_details: ConnectionDetails,
}

impl Resource {
    /// The resource that `text` spells in JSON, which need not be read.
    pub fn from_text(text: String, connection_details: ConnectionDetails) -> Self {
        Self { text, object: OnceCell::new(), connection_details }
    }

    /// Whether `plain` may stand in the object, so that what has nothing to do with it is not read at all. It holds no
    /// character that JSON text escapes.
    pub fn may_mention(&self, plain: &str) -> bool {
        self.text.is_empty() || self.text.contains(plain)
    }

    /// The whole object.
    ///
    /// # Errors
    /// When the text is not JSON.
    pub fn object(&self) -> serde_json::Result<&Value> {
        match self.object.get() {
            Some(object) => Ok(object),
            None => {
                let object = serde_json::from_str(&self.text)?;
                Ok(self.object.get_or_init(|| object))
            }
        }
    }
}

impl From<Value> for Resource {
    /// A resource without connection details.
    fn from(object: Value) -> Self {
        Self { text: String::new(), object: object.into(), connection_details: ConnectionDetails::new() }
    }
}

impl PartialEq for Resource {
    fn eq(&self, other: &Self) -> bool {
        let same = match (self.object(), other.object()) {
            (Ok(one), Ok(other)) => one == other,
            (Err(_), Err(_)) => self.text == other.text,
            _ => false,
        };
        same && self.connection_details == other.connection_details
    }
}

/// Named secrets of a resource or a pipeline step.
pub type ConnectionDetails = std::collections::BTreeMap<String, Vec<u8>>;

/// Objects that a composition wants to see.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Selector {
    /// Their type.
    pub kind: KindRef,
    /// Which of them.
    pub match_by: MatchBy,
    /// Their namespace, if they are wanted from one only.
    pub namespace: Option<String>,
}

/// Which objects of a kind are wanted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MatchBy {
    /// The one with this name.
    Name(String),
    /// Those with all of these labels.
    Labels(std::collections::BTreeMap<String, String>),
}
