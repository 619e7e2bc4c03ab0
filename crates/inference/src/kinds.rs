//! The one table of kinds. A new kind is a module here and a row in [`KINDS`].

use serde_json::Value;

use crate::admit::{self, Verdict};
use crate::catalog::{self, Action, Entry, Example, Readable, Scope};
use crate::compose::{self, Response};
use crate::conditions::Statement;
use crate::object::KindRef;
use crate::options;
use crate::policy::{self, PolicyRule};
use crate::preview::Derivation;
use crate::problem::{Cause, Code, Fault, Problem};
use crate::rule::Table;
use crate::validation::Validator;

pub mod llm_inference;

/// Every kind, sorted by API version and kind.
pub const KINDS: &[Kind] = &[llm_inference::KIND];

/// A kind of composite: what the doors and the catalog need of it.
#[derive(Clone, Copy, Debug)]
pub struct Kind {
    /// Group and version.
    pub api_version: &'static str,
    /// Kind in PascalCase.
    pub kind: &'static str,
    /// Plural name in lower case.
    pub plural: &'static str,
    /// Its folder under `examples/` and in the golden corpus.
    pub api: &'static str,
    /// Where its objects live.
    pub scope: Scope,
    /// What `kubectl get` shows of it.
    pub columns: &'static [Column],
    /// Its generated CompositeResourceDefinition, and what it says of objects.
    pub definition: fn() -> &'static Validator,
    /// API version and kind of all it may compose.
    pub composes: &'static [(&'static str, &'static str)],
    /// API version and kind of all it may look up.
    pub looks_up: &'static [(&'static str, &'static str)],
    /// Manifests worth copying.
    pub examples: &'static [Example],
    /// The rules that it derives values by, for documentation.
    pub rules: fn() -> Vec<Table>,
    /// What its conditions can say.
    pub statements: &'static [Statement],
    /// The door `compose`.
    pub compose: fn(&compose::Request) -> Result<Response, Fault>,
    /// Why each value of the response to the same request is what it is.
    pub explain: fn(&compose::Request) -> Result<Vec<Derivation>, Fault>,
    /// The door `admit`.
    pub admit: fn(&admit::Request) -> Result<Verdict, Fault>,
    /// What that door does.
    pub admission: Admission,
    /// The schema of its objects, out of the types; the definition is generated from it.
    #[cfg(feature = "generate")]
    pub schema: fn() -> Value,
}

/// What the door `admit` does for a kind.
#[derive(Clone, Copy, Debug)]
pub struct Admission {
    /// What verdicts may look up, sorted.
    pub reads: &'static [Readable],
    /// The values that it writes, for documentation; none when there is nothing to write.
    pub defaults: fn() -> Option<Table>,
    /// Whether deletions are worth judging.
    pub judges_deletion: bool,
    /// The rules that the API server's expressions can state.
    pub policies: &'static [PolicyRule],
    /// What is judged beyond the schema, in words.
    pub concerns: &'static [Concern],
}

/// Something that admission judges, in words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Concern {
    /// What follows.
    pub action: Action,
    /// The field concerned.
    pub path: &'static str,
    /// What is judged, for people: lower case, no final period.
    pub meaning: &'static str,
    /// Why no policy says it; absent when one does.
    pub beyond_policies: Option<&'static str>,
}

/// A column of `kubectl get`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Column {
    /// Its heading.
    pub name: &'static str,
    /// Type of its values.
    pub column_type: &'static str,
    /// Where the values are (JSONPath).
    pub path: &'static str,
}

impl Concern {
    /// What is judged and why no policy says it, if none does.
    fn beyond_policies(&self) -> Option<String> {
        self.beyond_policies.map(|why| format!("{}: {why}", self.meaning))
    }
}

impl Kind {
    /// The kind's entry in the catalog.
    pub fn entry(&self) -> Entry {
        let refs = |rows: &[(&str, &str)]| {
            rows.iter()
                .map(|&(api_version, kind)| KindRef { api_version: api_version.to_owned(), kind: kind.to_owned() })
                .collect()
        };
        Entry {
            kind: KindRef { api_version: self.api_version.to_owned(), kind: self.kind.to_owned() },
            plural: self.plural.to_owned(),
            scope: self.scope,
            definition: (self.definition)().document().clone(),
            composes: refs(self.composes),
            looks_up: refs(self.looks_up),
            admission: catalog::Admission {
                reads: self.admission.reads.to_vec(),
                writes_defaults: (self.admission.defaults)().is_some(),
                judges_deletion: self.admission.judges_deletion,
                policies: policy::policies(self),
                beyond_policies: self.admission.concerns.iter().filter_map(Concern::beyond_policies).collect(),
            },
            examples: self.examples.to_vec(),
        }
    }

    /// Everything that an API server would refuse `object` for under strict validation.
    pub fn validate(&self, object: &Value) -> Vec<Problem> {
        (self.definition)().admit(object, None).err().unwrap_or_default()
    }
}

/// The row of a kind.
pub fn find(kind: &KindRef) -> Option<&'static Kind> {
    KINDS.iter().find(|row| row.api_version == kind.api_version && row.kind == kind.kind)
}

/// The fault for an object of no kind in the table.
pub fn unknown(kind: &KindRef) -> Fault {
    let known: Vec<_> = KINDS.iter().map(|row| format!("`{}` {}", row.api_version, row.kind)).collect();
    let (code, what) = match (kind.api_version.as_str(), kind.kind.as_str()) {
        (_, "") => (Code::Required, "missing".to_owned()),
        (version, kind) => (Code::NotSupported, format!("no kind `{version}` {kind}")),
    };
    let problem = Problem::new("kind", code, format!("{what}; known are {}", known.join(", ")));
    Fault::new(Cause::UnknownKind, problem)
}

/// A CustomResourceDefinition that describes the input of a pipeline step.
pub fn input_definition() -> Option<Value> {
    Some(options::definition().document().clone())
}
