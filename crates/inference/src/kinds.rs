//! The one table of kinds. A new kind is a module here and a row in [`KINDS`].

use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use crate::admit::{self, DefaultValue, Verdict};
use crate::catalog::{Entry, Example, Scope};
use crate::compose::{self, Response};
use crate::conditions::Statement;
use crate::names;
use crate::object::KindRef;
use crate::options;
use crate::preview::Derivation;
use crate::problem::{Cause, Code, Fault, Problem};
use crate::rule::Table;
use crate::structural::{self, Unknown};

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
    /// Its generated CompositeResourceDefinition.
    pub definition: fn() -> &'static Value,
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
    /// The schema of its objects, out of the types; the definition is generated from it.
    #[cfg(feature = "schema")]
    pub schema: fn() -> Value,
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
            definition: (self.definition)().clone(),
            composes: refs(self.composes),
            looks_up: refs(self.looks_up),
            examples: self.examples.to_vec(),
        }
    }

    /// Everything that an API server would refuse `object` for under strict validation, unknown fields included.
    pub fn validate(&self, object: &Value) -> Vec<Problem> {
        let mut problems = names::metadata_problems(object);
        problems.extend(self.read::<Value>(object, Unknown::Refused).err().unwrap_or_default());
        problems
    }

    /// The `spec` of `object` with defaults applied.
    ///
    /// # Errors
    /// Everything that the schema has against the object.
    pub fn read<T: DeserializeOwned>(&self, object: &Value, unknown: Unknown) -> Result<T, Vec<Problem>> {
        let mut written: Value = structural::read(self.schema(), &written(object), "", unknown)?;
        serde_json::from_value(written["spec"].take())
            .map_err(|error| vec![Problem::new("spec", Code::Invalid, error.to_string())])
    }

    /// Writes what an API server would write by the schema's defaults.
    pub fn default(&self, object: &mut Value) {
        structural::settle(self.schema(), object);
    }

    /// The defaults that `object` lacks.
    pub fn defaults(&self, object: &Value) -> Vec<DefaultValue> {
        structural::defaults(self.schema(), object)
            .into_iter()
            .map(|(pointer, value)| DefaultValue { pointer, value, because: "default of the definition".to_owned() })
            .collect()
    }

    fn schema(&self) -> &'static Value {
        &(self.definition)()["spec"]["versions"][0]["schema"]["openAPIV3Schema"]
    }
}

/// The parts of an object that its own schema is about: not metadata, not the status, which is never read
/// from what people write, and not the fields that Crossplane keeps in the spec.
fn written(object: &Value) -> Value {
    let Some(fields) = object.as_object() else { return object.clone() };
    let own = |fields: &Map<String, Value>, others: &[&str]| {
        fields
            .iter()
            .filter(|(key, _)| !others.contains(&key.as_str()))
            .map(|(key, value)| (key.clone(), value.clone()))
            .collect()
    };
    let mut fields: Map<_, _> = own(fields, &["apiVersion", "kind", "metadata", "status", "spec"]);
    match object.get("spec") {
        Some(Value::Object(spec)) => drop(fields.insert("spec".to_owned(), Value::Object(own(spec, &["crossplane"])))),
        Some(other) => drop(fields.insert("spec".to_owned(), other.clone())),
        None => {}
    }
    Value::Object(fields)
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
    Some(options::definition().clone())
}
