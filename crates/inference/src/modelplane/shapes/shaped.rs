//! What becomes of an object in an earlier shape.

use contract::types::{Code, Problem};
use serde_json::Value;
use toolbox::path;

/// An object in the shape of v0.3.1.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Shaped {
    /// The whole object.
    pub object: Value,
    /// What its author wrote, where that was something else.
    pub written: Written,
}

/// What the author of an object in an earlier shape wrote.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Written {
    /// What paths were called. Those of the inside come before those around it.
    pub paths: Vec<Place>,
    /// What v0.3.1 has nothing for.
    pub dropped: Vec<Dropped>,
    /// Expressions about the class of a pool, which no device can answer.
    pub terms: Vec<ClassTerm>,
}

/// A path in the shape of v0.3.1, and what was written for it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    new: String,
    old: String,
    /// Whether it was one value, whatever is inside now.
    ends: bool,
}

/// A field that v0.3.1 has nothing for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Dropped {
    /// The field.
    pub path: String,
    /// What is dropped, and what is there instead.
    pub message: String,
}

/// An expression about the class of the pool of an engine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClassTerm {
    /// The index of the engine.
    pub engine: usize,
    /// The expression, about `self`: an object with `capabilities`, `attributes` and `capacity`.
    pub text: String,
    /// The path that was written.
    pub path: String,
}

/// What no shape can have.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Misshapen {
    /// The field.
    pub path: String,
    /// What it is.
    pub code: Code,
    /// What is wrong, and what would be right.
    pub message: String,
}

impl Misshapen {
    /// A field beside one of another shape.
    pub(super) fn mixed(path: &str, other: &str) -> Self {
        let message = format!("a mixture of shapes: {path} beside {other}; remove one of them");
        Self { path: path.to_owned(), code: Code::Forbidden, message }
    }

    /// A value that is none.
    pub(super) fn invalid(path: impl Into<String>, message: impl Into<String>) -> Self {
        Self { path: path.into(), code: Code::Invalid, message: message.into() }
    }

    /// A field that is missing.
    pub(super) fn missing(path: &str) -> Self {
        Self { path: path.to_owned(), code: Code::Required, message: "Required value".to_owned() }
    }

    /// Whether the object is of several shapes, each of which may be valid.
    pub fn is_mixture(&self) -> bool {
        self.code == Code::Forbidden
    }

    /// The same as a problem of the contract. Nobody but the author knows which field of a mixture has to go.
    pub fn problem(&self) -> Problem {
        let Self { path, code, message } = self.clone();
        Problem { path, code, message, fix: None, hint: None }
    }
}

impl Written {
    /// Notes that a field has another path, and so has all that is inside it.
    pub(super) fn place(&mut self, new: impl Into<String>, old: impl Into<String>) {
        self.paths.push(Place { new: new.into(), old: old.into(), ends: false });
    }

    /// Notes that a field was made of one value.
    pub(super) fn made(&mut self, new: impl Into<String>, old: impl Into<String>) {
        self.paths.push(Place { new: new.into(), old: old.into(), ends: true });
    }

    /// The path that the author wrote for a path in the shape of v0.3.1. The first row that fits has the most of it.
    pub fn rename(&self, path: &mut String) {
        let inside = |rest: &str| rest.is_empty() || rest.starts_with(['.', '[']);
        let fits = |place: &&Place| path.strip_prefix(&*place.new).is_some_and(inside);
        if let Some(Place { new, old, ends }) = self.paths.iter().find(fits) {
            let end = if *ends { path.len() } else { new.len() };
            path.replace_range(..end, old);
        }
    }

    /// The same for the paths of problems.
    pub fn renamed(&self, mut problems: Vec<Problem>) -> Vec<Problem> {
        problems.iter_mut().for_each(|problem| self.rename(&mut problem.path));
        problems
    }
}

/// A field, unless it is absent or null.
pub(super) fn given<'v>(value: &'v Value, at: &str) -> Option<&'v Value> {
    path::get(value, at).filter(|found| !found.is_null())
}

/// Removes a field of an object, and the objects around it that it leaves empty, up to `spec`.
pub(super) fn remove(value: &mut Value, at: &str) -> Option<Value> {
    let (around, name) = at.rsplit_once('.')?;
    let parent = value.pointer_mut(&path::pointer(around))?.as_object_mut()?;
    let removed = parent.remove(name);
    if removed.is_some() && parent.is_empty() && around != "spec" {
        remove(value, around);
    }
    removed
}
