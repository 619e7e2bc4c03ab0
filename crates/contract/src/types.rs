//! Types that all interfaces share: objects and selectors of objects, conditions, results, problems and faults
//! (`wit/types.wit`).

use std::any::Any;
use std::cell::OnceCell;
use std::collections::BTreeMap;
use std::fmt;
use std::sync::{Arc, OnceLock};

use serde_json::Value;

/// The API version and kind of an object.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct KindRef {
    /// Group and version, e.g. `inference.devopstoolkit.ai/v1alpha1`, or `v1` for the core group.
    pub api_version: String,
    /// Kind in PascalCase, e.g. `LLMInference`.
    pub kind: String,
}

impl KindRef {
    /// The API version and kind that `object` states. A part that it does not state is empty.
    pub fn of(object: &Value) -> Self {
        let text = |key| object.get(key).and_then(Value::as_str).unwrap_or_default().to_owned();
        Self { api_version: text("apiVersion"), kind: text("kind") }
    }

    /// The API group. Empty for the core group.
    pub fn group(&self) -> &str {
        self.api_version.split_once('/').map_or("", |(group, _)| group)
    }
}

/// An object as it exists in the cluster, or as it would in a preview, and its connection details.
///
/// A module uses few of the objects that it gets, so the text of an object is parsed only when it is first used. A text also
/// takes much less memory.
#[derive(Clone, Default)]
pub struct ObservedObject {
    /// The JSON text, which copies share. `None` when the object was given as a value.
    text: Option<Arc<String>>,
    /// The value, which copies share once it is known.
    object: OnceCell<Arc<Value>>,
    /// What a reader made of it, where others have the object too.
    read: Option<MadeOnce>,
    /// Its connection details. Empty when it has none.
    pub connection_details: ConnectionDetails,
}

/// What a reader made of an object. Copies share it.
#[derive(Clone, Default)]
pub struct MadeOnce(Arc<OnceLock<Box<dyn Any + Send + Sync>>>);

impl ObservedObject {
    /// An object as JSON text, which is not parsed yet.
    pub fn from_text(text: String, connection_details: ConnectionDetails) -> Self {
        Self { text: Some(Arc::new(text)), connection_details, ..Self::default() }
    }

    /// An object without connection details as text and as value, which say the same, and which others have too, with what a reader
    /// made of it.
    pub fn from_parsed(text: Arc<String>, object: Arc<Value>, read: MadeOnce) -> Self {
        Self { text: Some(text), object: object.into(), read: Some(read), ..Self::default() }
    }

    /// What a reader makes of the object. Where others have the object too, it is made once for all of them, by the first reader:
    /// objects of a kind have one that uses this.
    pub fn read_once<T: Clone + Send + Sync + 'static>(&self, read: impl Fn() -> T) -> T {
        let made = self.read.as_ref().map(|made| made.0.get_or_init(|| Box::new(read())));
        made.and_then(|made| made.downcast_ref::<T>()).cloned().unwrap_or_else(read)
    }

    /// Whether the object may contain `plain`. `false` is certain, so the caller need not parse such an object. `plain`
    /// must not contain characters that JSON escapes.
    pub fn may_mention(&self, plain: &str) -> bool {
        self.text.as_ref().is_none_or(|text| text.contains(plain))
    }

    /// The JSON text, if the object was given as text: for readers that need only a few fields.
    pub fn text(&self) -> Option<&str> {
        self.text.as_ref().map(|text| text.as_str())
    }

    /// The value, if the object was given as one, or is parsed already.
    pub fn parsed(&self) -> Option<&Value> {
        self.object.get().map(|object| &**object)
    }

    /// The JSON text, if the object was given as text.
    pub fn shared_text(&self) -> Option<Arc<String>> {
        self.text.clone()
    }

    /// The JSON text.
    pub fn into_text(self) -> String {
        match (self.text, self.object.into_inner()) {
            (Some(text), _) => Arc::unwrap_or_clone(text),
            // Faster than `Display`. Writing a value cannot fail.
            (None, object) => serde_json::to_string(object.as_deref().unwrap_or(&Value::Null)).unwrap_or_default(),
        }
    }

    /// The whole object, which is parsed at the first call.
    ///
    /// # Errors
    /// When the text is not JSON.
    pub fn object(&self) -> serde_json::Result<&Value> {
        match self.object.get() {
            Some(object) => Ok(object),
            None => {
                let object = serde_json::from_str(self.text.as_ref().map_or("", |text| text.as_str()))?;
                Ok(self.object.get_or_init(|| Arc::new(object)))
            }
        }
    }
}

impl From<Value> for ObservedObject {
    /// An object without connection details.
    fn from(object: Value) -> Self {
        Self { object: Arc::new(object).into(), ..Self::default() }
    }
}

/// Whether the text is parsed already makes no difference.
impl fmt::Debug for ObservedObject {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut shown = f.debug_struct("ObservedObject");
        match &self.text {
            Some(text) => shown.field("text", text),
            None => shown.field("object", &self.object),
        };
        shown.field("connection_details", &self.connection_details).finish()
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

/// Connection details of a resource, or credentials of a pipeline step: values without any encoding, by their keys.
pub type ConnectionDetails = BTreeMap<String, Vec<u8>>;

/// Selects objects in the cluster.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Selector {
    /// Their API version and kind.
    pub kind: KindRef,
    /// Which of them.
    pub match_by: MatchBy,
    /// Their namespace. `None` for cluster-scoped kinds. With labels and values, `None` means all namespaces.
    pub namespace: Option<String>,
    /// The most objects that the module wants to see. `None` means all of them.
    pub limit: Option<u32>,
}

/// Which objects of a kind to look up.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum MatchBy {
    /// The object with this name.
    Name(String),
    /// The objects that have all of these labels. Empty means all objects of the kind.
    Labels(BTreeMap<String, String>),
    /// The objects that have one of these values in an index of the kind. Only lookups of `admit` ask like this.
    Values(IndexedValues),
}

/// Values in an index of a kind.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct IndexedValues {
    /// Name of the index, which the kind declares in its catalog entry.
    pub index: String,
    /// The values. Each has the parts of the index, in order, and may leave out the last ones.
    pub values: Vec<Vec<String>>,
}

/// Whether a desired resource is ready.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Readiness {
    /// The module does not say. For Crossplane the resource is then not ready.
    #[default]
    Unspecified,
    /// The observed resource is not ready.
    NotReady,
    /// The observed resource is ready.
    Ready,
}

/// A status condition of the composite. Programs use the reason, people read the message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Condition {
    /// Type in PascalCase, e.g. `Scheduled`. Never `Ready` or `Synced`, which Crossplane sets.
    pub condition_type: String,
    /// Whether it holds.
    pub status: ConditionStatus,
    /// Why, in PascalCase. Never empty.
    pub reason: String,
    /// Why, for people. `None` when the reason is enough.
    pub message: Option<String>,
    /// Where it is shown. `None` means on the composite.
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
    /// The status as Kubernetes writes it: `True`, `False`, `Unknown`.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Unknown => "Unknown",
            Self::True => "True",
            Self::False => "False",
        }
    }
}

/// Where a condition or a result is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Target {
    /// On the composite only.
    Composite,
    /// On the composite and on its claim. Only v1 composites of Crossplane have claims.
    CompositeAndClaim,
}

/// A result: something that happened in this call. Crossplane makes an event of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// How serious it is.
    pub severity: Severity,
    /// What happened, for people.
    pub message: String,
    /// What happened, in PascalCase. `None` means `ComposeResources`.
    pub reason: Option<String>,
    /// Where it is shown. `None` means on the composite.
    pub target: Option<Target>,
}

/// How serious a result is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Severity {
    /// Information.
    Normal,
    /// A warning: somebody should look at it. Composition goes on.
    Warning,
}

/// One mistake: where it is, what is wrong, and what would be right.
#[derive(Clone, Debug, PartialEq)]
pub struct Problem {
    /// Where it is: a field path as the API server writes it, e.g. `spec.rules[0].host`. Empty for the whole object.
    pub path: String,
    /// The sort of mistake.
    pub code: Code,
    /// What is wrong and what would be right: lower case, no final period, one line.
    pub message: String,
    /// A change that would solve it. `None` when no change is obvious.
    pub fix: Option<Edit>,
    /// What would be right, for people. `None` when the message or the fix says it.
    pub hint: Option<String>,
}

impl Problem {
    /// A problem without an obvious fix.
    pub fn new(path: impl Into<String>, code: Code, message: impl Into<String>) -> Self {
        Self { path: path.into(), code, message: message.into(), fix: None, hint: None }
    }

    /// The same problem with a hint.
    #[must_use]
    pub fn with_hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }

    /// The same problem with a fix.
    #[must_use]
    pub fn with_fix(mut self, fix: Edit) -> Self {
        self.fix = Some(fix);
        self
    }
}

/// The sort of a problem, in the terms of the API server's field errors.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Code {
    /// A required value is missing.
    Required,
    /// A value has the wrong type.
    TypeInvalid,
    /// A value is malformed or out of its bounds.
    Invalid,
    /// A value is not one of the allowed values.
    NotSupported,
    /// A value occurs twice where it must be unique.
    Duplicate,
    /// A value is longer than it may be.
    TooLong,
    /// A list or map has more items than it may have.
    TooMany,
    /// A value is valid by itself, but must not be set here.
    Forbidden,
    /// A value refers to something that does not exist.
    NotFound,
    /// A field is not part of the type.
    UnknownField,
    /// A text is not well-formed YAML or JSON, or exceeds a limit for such texts.
    Syntax,
}

/// A change that would solve a problem.
#[derive(Clone, Debug, PartialEq)]
pub enum Edit {
    /// Put this value at the problem's path.
    Replace(Value),
    /// Rename the last key of the problem's path to this name.
    Rename(String),
    /// Remove what is at the problem's path.
    Remove,
}

/// Why a call has no response. A fault changes nothing: what runs keeps running.
#[derive(Clone, Debug, PartialEq)]
pub struct Fault {
    /// What it is about.
    pub cause: Cause,
    /// Everything that is wrong. Never empty.
    pub problems: Vec<Problem>,
    /// Conditions to set on the composite although the call failed.
    pub conditions: Vec<Condition>,
}

impl Fault {
    /// A fault with one problem.
    pub fn new(cause: Cause, problem: Problem) -> Self {
        Self::many(cause, vec![problem])
    }

    /// The fault for a request in which the text called `what` is not JSON.
    pub fn not_json(what: &str, error: &serde_json::Error) -> Self {
        Self::new(Cause::Request, Problem::new(what, Code::Syntax, format!("not JSON text: {error}")))
    }

    /// A fault with several problems.
    pub fn many(cause: Cause, problems: Vec<Problem>) -> Self {
        Self { cause, problems, conditions: Vec::new() }
    }
}

/// What a fault is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cause {
    /// The call itself: a composite is missing, or JSON text does not parse.
    Request,
    /// The kind of the composite is not in the module's catalog.
    UnknownKind,
    /// The composite is invalid.
    Composite,
    /// The step input is invalid. Paths of problems are inside the input.
    Input,
    /// An object that is observed or looked up cannot be used. Paths of problems begin with its name.
    State,
    /// The call would need more work than the module's limit allows.
    Budget,
}
