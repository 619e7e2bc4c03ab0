//! What the interfaces share: Kubernetes objects, how one object speaks of others, what is said of them, and what is
//! wrong with an input (`wit/types.wit`).

use std::cell::OnceCell;
use std::collections::BTreeMap;

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
pub struct ObservedObject {
    /// What was not given as a value.
    text: String,
    object: OnceCell<Value>,
    /// Its connection details; empty when it has none.
    pub connection_details: ConnectionDetails,
}

impl ObservedObject {
    /// The resource that `text` spells in JSON, which need not be read.
    pub fn from_text(text: String, connection_details: ConnectionDetails) -> Self {
        Self { text, object: OnceCell::new(), connection_details }
    }

    /// Whether `plain` may stand in the object, so that what has nothing to do with it is not read at all. It holds no
    /// character that JSON text escapes.
    pub fn may_mention(&self, plain: &str) -> bool {
        self.text.is_empty() || self.text.contains(plain)
    }

    /// The text, as long as the whole object was neither given nor read: for readers that want little of it.
    pub fn text(&self) -> Option<&str> {
        if self.object.get().is_none() { Some(&self.text) } else { None }
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

impl From<Value> for ObservedObject {
    /// A resource without connection details.
    fn from(object: Value) -> Self {
        Self { text: String::new(), object: object.into(), connection_details: ConnectionDetails::new() }
    }
}

impl PartialEq for ObservedObject {
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
pub type ConnectionDetails = BTreeMap<String, Vec<u8>>;

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
    Labels(BTreeMap<String, String>),
}

/// Whether a desired resource serves its purpose.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Readiness {
    /// Not said; Crossplane counts it as not ready.
    #[default]
    Unspecified,
    /// Observed not to be ready.
    NotReady,
    /// Observed to be ready.
    Ready,
}

/// A status condition of the composite.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Condition {
    /// Type in PascalCase.
    pub condition_type: String,
    /// Whether it holds.
    pub status: ConditionStatus,
    /// Why, in PascalCase; never empty.
    pub reason: String,
    /// Why, for people.
    pub message: Option<String>,
    /// Who is told; the composite when absent.
    pub target: Option<Target>,
}

/// The status of a condition.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ConditionStatus {
    /// Not known, or not yet.
    Unknown,
    /// The condition holds.
    True,
    /// The condition does not hold.
    False,
}

impl ConditionStatus {
    /// How Kubernetes spells it.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Unknown => "Unknown",
            Self::True => "True",
            Self::False => "False",
        }
    }
}

/// Who is told about a condition or a result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Target {
    /// The composite alone.
    Composite,
    /// The composite and its claim.
    CompositeAndClaim,
}

/// Something that happened in a call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// How much it matters.
    pub severity: Severity,
    /// What happened, for people.
    pub message: String,
    /// What happened, in PascalCase.
    pub reason: Option<String>,
    /// Who is told; the composite when absent.
    pub target: Option<Target>,
}

/// How much a result matters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Severity {
    /// For information.
    Normal,
    /// Something should be looked at.
    Warning,
}

/// One thing that is wrong.
#[derive(Clone, Debug, PartialEq)]
pub struct Problem {
    /// Where, as the API server spells field paths; empty for the whole object.
    pub path: String,
    /// What sort of mistake it is.
    pub code: Code,
    /// What is wrong and what would be right: lower case, no final period, one line.
    pub message: String,
    /// A change that would solve it.
    pub fix: Option<Edit>,
    /// What would be right, for people, where neither the message nor the change says it.
    pub hint: Option<String>,
}

impl Problem {
    /// A problem without an obvious fix.
    pub fn new(path: impl Into<String>, code: Code, message: impl Into<String>) -> Self {
        Self { path: path.into(), code, message: message.into(), fix: None, hint: None }
    }

    /// The same problem with words on what would be right.
    #[must_use]
    pub fn with_hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }

    /// The same problem with a change that would solve it.
    #[must_use]
    pub fn with_fix(mut self, fix: Edit) -> Self {
        self.fix = Some(fix);
        self
    }
}

/// What sort of mistake a problem is, in the vocabulary of the API server's field errors.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Code {
    /// A required value is missing.
    Required,
    /// A value has the wrong type.
    TypeInvalid,
    /// A value is malformed or out of its bounds.
    Invalid,
    /// A value is not one of the allowed ones.
    NotSupported,
    /// A value occurs twice where it must be unique.
    Duplicate,
    /// A value is longer than it may be.
    TooLong,
    /// A list or map has more items than it may have.
    TooMany,
    /// A value is sound by itself but may not be set here.
    Forbidden,
    /// A value refers to something that does not exist.
    NotFound,
    /// A field is not part of the type.
    UnknownField,
    /// A text is not well-formed, or exceeds a limit on texts.
    Syntax,
}

/// A change that would solve a problem.
#[derive(Clone, Debug, PartialEq)]
pub enum Edit {
    /// Put this value at the problem's path.
    Replace(Value),
    /// Rename the last key of the problem's path.
    Rename(String),
    /// Remove what is at the problem's path.
    Remove,
}

/// Why a call has no answer. Nothing is changed on account of it.
#[derive(Clone, Debug, PartialEq)]
pub struct Fault {
    /// What it is about.
    pub cause: Cause,
    /// Everything that is wrong; never empty.
    pub problems: Vec<Problem>,
    /// Conditions that hold all the same.
    pub conditions: Vec<Condition>,
}

impl Fault {
    /// A fault of one problem.
    pub fn new(cause: Cause, problem: Problem) -> Self {
        Self::many(cause, vec![problem])
    }

    /// A fault of a request in which `what` is not the JSON text that it should be.
    pub fn not_json(what: &str, error: &serde_json::Error) -> Self {
        Self::new(Cause::Request, Problem::new(what, Code::Syntax, format!("not JSON text: {error}")))
    }

    /// A fault of several problems.
    pub fn many(cause: Cause, problems: Vec<Problem>) -> Self {
        Self { cause, problems, conditions: Vec::new() }
    }
}

/// What a fault is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cause {
    /// The call itself.
    Request,
    /// The composite's type is not in the catalog.
    UnknownKind,
    /// The composite is invalid.
    Composite,
    /// The step's input is invalid.
    Input,
    /// Something observed or looked up is unusable.
    State,
    /// The call would take too much work.
    Budget,
}
