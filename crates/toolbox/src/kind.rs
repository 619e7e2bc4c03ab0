//! The row of a kind, and the table that rows make: all that the interfaces and the catalog need to know of kinds.

use serde::de::IgnoredAny;
use serde_json::Value;

use contract::admit::{AdmitRequest, Verdict};
use contract::catalog::{self, Action, ActsOn, Entry, Example, Readable, Scope};
use contract::compose::{ComposeRequest, ComposeResponse};
use contract::preview::Derivation;
use contract::types::{Cause, Code, Fault, KindRef, Problem};

use crate::conditions::Statement;
use crate::policy::{self, PolicyRule};
use crate::rule::Table;
use crate::validation::Validator;

/// What a module composes: its kinds, and the inputs that a step may give them.
#[derive(Clone, Copy, Debug)]
pub struct Kinds {
    /// Every kind, sorted by API version and kind.
    pub rows: &'static [Kind],
    /// Every kind of step input.
    pub inputs: &'static [Input],
}

/// A kind of step input.
#[derive(Clone, Copy, Debug)]
pub struct Input {
    /// Group and version.
    pub api_version: &'static str,
    /// Kind in PascalCase.
    pub kind: &'static str,
    /// Its generated CustomResourceDefinition, which no cluster serves, and what it says of inputs.
    pub definition: fn() -> &'static Validator,
    /// What a step with such an input does to composites of any kind. Without it the composite's own kind composes, and
    /// reads the input.
    pub step: Option<Step>,
}

/// What a step does to composites of any kind.
#[derive(Clone, Copy, Debug)]
pub struct Step {
    /// The door `compose`.
    pub compose: fn(&ComposeRequest) -> Result<ComposeResponse, Fault>,
    /// Why each value of the response to the same request is what it is.
    pub explain: fn(&ComposeRequest) -> Result<Vec<Derivation>, Fault>,
}

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
    pub compose: fn(&ComposeRequest) -> Result<ComposeResponse, Fault>,
    /// Why each value of the response to the same request is what it is.
    pub explain: fn(&ComposeRequest) -> Result<Vec<Derivation>, Fault>,
    /// The door `admit`.
    pub admit: fn(&AdmitRequest) -> Result<Verdict, Fault>,
    /// What that door does.
    pub admission: AdmissionRow,
    /// The schema of its objects, out of the types; the definition is generated from it.
    #[cfg(feature = "generate")]
    pub schema: fn() -> Value,
}

/// What the door `admit` does for a kind.
#[derive(Clone, Copy, Debug)]
pub struct AdmissionRow {
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
    /// A namespaced kind of which nothing is known but how it is defined and composed. Admission allows all that the
    /// definition does.
    pub const fn bare(
        api_version: &'static str,
        kind: &'static str,
        plural: &'static str,
        definition: fn() -> &'static Validator,
        compose: fn(&ComposeRequest) -> Result<ComposeResponse, Fault>,
    ) -> Self {
        Self {
            api_version,
            kind,
            plural,
            api: "",
            scope: Scope::Namespaced,
            columns: &[],
            definition,
            composes: &[],
            looks_up: &[],
            examples: &[],
            rules: Vec::new,
            statements: &[],
            compose,
            explain: |_| Ok(Vec::new()),
            admit: |_| Ok(Verdict::default()),
            admission: AdmissionRow {
                reads: &[],
                defaults: || None,
                judges_deletion: false,
                policies: &[],
                concerns: &[],
            },
            #[cfg(feature = "generate")]
            schema: || Value::Null,
        }
    }

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
                policies: policy::policies(self.api_version, self.plural, self.admission.policies),
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

impl Input {
    /// The input's entry in the catalog.
    pub fn entry(&self) -> catalog::Input {
        catalog::Input {
            kind: KindRef { api_version: self.api_version.to_owned(), kind: self.kind.to_owned() },
            acts_on: if self.step.is_some() { ActsOn::AnyKind } else { ActsOn::OwnKinds },
            definition: (self.definition)().document().clone(),
        }
    }

    /// What is wrong with a step's input.
    ///
    /// # Errors
    /// Everything that is wrong with it.
    pub fn validate(&self, input: &Value) -> Result<(), Vec<Problem>> {
        (self.definition)().whole(input).map(|IgnoredAny| ())
    }
}

impl Kinds {
    /// The row of a kind.
    pub fn find(&self, kind: &KindRef) -> Option<&'static Kind> {
        self.rows.iter().find(|row| row.api_version == kind.api_version && row.kind == kind.kind)
    }

    /// The row of a kind of step input.
    pub fn input(&self, kind: &KindRef) -> Option<&'static Input> {
        self.inputs.iter().find(|row| row.api_version == kind.api_version && row.kind == kind.kind)
    }

    /// What composes the composite of `request`: the step that its input is of, where that acts on composites of any
    /// kind, and the composite's own kind otherwise.
    ///
    /// # Errors
    /// A [`Fault`] when there is no composite, and when its kind is not in the table.
    pub fn step(&self, request: &ComposeRequest) -> Result<Step, Fault> {
        let input = request.input.as_ref().map(KindRef::of);
        if let Some(step) = input.and_then(|kind| self.input(&kind)?.step) {
            return Ok(step);
        }
        let kind = KindRef::of(request.composite()?);
        let row = self.find(&kind).ok_or_else(|| self.unknown(&kind))?;
        Ok(Step { compose: row.compose, explain: row.explain })
    }

    /// The fault for an object of no kind in the table.
    pub fn unknown(&self, kind: &KindRef) -> Fault {
        let known: Vec<_> = self.rows.iter().map(|row| format!("`{}` {}", row.api_version, row.kind)).collect();
        let (code, what) = match (kind.api_version.as_str(), kind.kind.as_str()) {
            (_, "") => (Code::Required, "missing".to_owned()),
            (version, kind) => (Code::NotSupported, format!("no kind `{version}` {kind}")),
        };
        let problem = Problem::new("kind", code, format!("{what}; known are {}", known.join(", ")));
        Fault::new(Cause::UnknownKind, problem)
    }
}
