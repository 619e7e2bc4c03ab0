//! The row of a kind, and the table that rows make: all that the interfaces and the catalog need to know of kinds.

use serde::de::IgnoredAny;
use serde_json::Value;

use contract::admit::{AdmitRequest, Verdict};
use contract::catalog::{self, Action, ActsOn, ApiResource, Entry, Example, Scope};
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

/// What a step does: to composites of a kind, or with an input of its own to those of any kind.
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
    /// Short names that kubectl takes for it.
    pub short_names: &'static [&'static str],
    /// Other groups that have the same kind.
    pub further_groups: &'static [FurtherGroup],
    /// Its folder under `examples/` and in the golden corpus.
    pub api: &'static str,
    /// Where its objects live.
    pub scope: Scope,
    /// Its generated CompositeResourceDefinition, and what it says of objects.
    pub definition: fn() -> &'static Validator,
    /// All it may compose.
    pub composes: &'static [ApiResource],
    /// All it may have made in other clusters, inside of what it composes.
    pub wraps: &'static [ApiResource],
    /// All it may look up.
    pub looks_up: &'static [ApiResource],
    /// Manifests worth copying.
    pub examples: &'static [Example],
    /// The rules that it derives values by, for documentation.
    pub rules: fn() -> Vec<Table>,
    /// What its conditions can say.
    pub statements: &'static [Statement],
    /// How it is composed; absent for a kind that is only defined and judged, and that others look up.
    pub compose: Option<Step>,
    /// The door `admit`.
    pub admit: fn(&AdmitRequest) -> Result<Verdict, Fault>,
    /// What that door does.
    pub admission: AdmissionRow,
    /// How it is brought to a cluster.
    #[cfg(feature = "generate")]
    pub published: crate::published::Published,
}

/// Another group that has a kind, with the same plural name, fields and Compositions.
#[derive(Clone, Copy, Debug)]
pub struct FurtherGroup {
    /// Group and version.
    pub api_version: &'static str,
    /// The package that brings the kind in this group: a definition takes over a CRD of its name, so this is for those who
    /// want it.
    #[cfg(feature = "generate")]
    pub package: &'static crate::published::Package,
}

/// What the door `admit` does for a kind.
#[derive(Clone, Copy, Debug)]
pub struct AdmissionRow {
    /// What verdicts may look up, sorted.
    pub reads: &'static [ApiResource],
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
            short_names: &[],
            further_groups: &[],
            definition,
            composes: &[],
            wraps: &[],
            looks_up: &[],
            examples: &[],
            rules: Vec::new,
            statements: &[],
            compose: Some(Step { compose, explain: |_| Ok(Vec::new()) }),
            admit: |_| Ok(Verdict::default()),
            admission: AdmissionRow {
                reads: &[],
                defaults: || None,
                judges_deletion: false,
                policies: &[],
                concerns: &[],
            },
            #[cfg(feature = "generate")]
            published: crate::published::Published::NOT,
        }
    }

    /// Every group and version that has the kind, its own first.
    pub fn api_versions(&self) -> impl Iterator<Item = &'static str> + use<> {
        std::iter::once(self.api_version).chain(self.further_groups.iter().map(|further| further.api_version))
    }

    /// Its CompositeResourceDefinition as `api_version`, which is one of those that have it.
    pub fn definition_in(&self, api_version: &str) -> Value {
        moved((self.definition)().document().clone(), self.api_version, api_version)
    }

    /// The kind's entries in the catalog: one for each group that has it.
    pub fn entries(&self) -> impl Iterator<Item = Entry> + '_ {
        self.api_versions().map(|api_version| self.entry(api_version))
    }

    fn entry(&self, api_version: &str) -> Entry {
        Entry {
            kind: KindRef { api_version: api_version.to_owned(), kind: self.kind.to_owned() },
            plural: self.plural.to_owned(),
            short_names: self.short_names.iter().map(|&name| name.to_owned()).collect(),
            scope: self.scope,
            definition: self.definition_in(api_version),
            composed: self.compose.is_some(),
            composes: self.composes.to_vec(),
            wraps: self.wraps.to_vec(),
            looks_up: self.looks_up.to_vec(),
            admission: catalog::Admission {
                reads: self.admission.reads.to_vec(),
                writes_defaults: (self.admission.defaults)().is_some(),
                judges_deletion: self.admission.judges_deletion,
                policies: policy::policies(api_version, self.plural, self.admission.policies),
                beyond_policies: self.admission.concerns.iter().filter_map(Concern::beyond_policies).collect(),
            },
            // Each is of the kind's own group.
            examples: if api_version == self.api_version { self.examples.to_vec() } else { Vec::new() },
        }
    }

    /// How it is composed.
    ///
    /// # Errors
    /// A [`Fault`] when it is not.
    pub fn composed(&self) -> Result<Step, Fault> {
        self.compose.ok_or_else(|| {
            let message = format!("{} is not composed: others look it up", self.kind);
            Fault::new(Cause::UnknownKind, Problem::new("kind", Code::NotSupported, message))
        })
    }

    /// Everything that an API server would refuse `object` for under strict validation.
    pub fn validate(&self, object: &Value) -> Vec<Problem> {
        (self.definition)().validate(object)
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
        self.rows.iter().find(|row| row.kind == kind.kind && row.api_versions().any(|one| one == kind.api_version))
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
        row.composed()
    }

    /// The entries of the catalog, sorted by API version and kind.
    pub fn entries(&self) -> Vec<Entry> {
        let mut entries: Vec<_> = self.rows.iter().flat_map(Kind::entries).collect();
        entries.sort_by(|a, b| (&a.kind.api_version, &a.kind.kind).cmp(&(&b.kind.api_version, &b.kind.kind)));
        entries
    }

    /// The fault for an object of no kind in the table. It names the kind that was probably meant.
    pub fn unknown(&self, kind: &KindRef) -> Fault {
        let (version, name) = (kind.api_version.as_str(), kind.kind.as_str());
        let known = self.rows.iter().flat_map(|row| row.api_versions().map(|version| (version, row.kind)));
        let advice = match quantity::nearest_kind(known, version, name) {
            Some((version, kind)) => format!("the nearest is `{version}` {kind}"),
            None => "`sailplane definitions --list` names those there are".to_owned(),
        };
        let (code, what) = match name {
            "" => (Code::Required, "missing".to_owned()),
            name => (Code::NotSupported, format!("no kind `{version}` {name}")),
        };
        Fault::new(Cause::UnknownKind, Problem::new("kind", code, format!("{what}; {advice}")))
    }
}

/// What a Composition of a kind in the group and version `own` is called where it composes the kind in `wanted`: names
/// are unique in a cluster.
pub fn composition_name(own: &str, wanted: &str, name: &str) -> String {
    match wanted.split_once('/') {
        Some((group, _version)) if wanted != own => format!("{name}.{group}"),
        _ => name.to_owned(),
    }
}

/// The CompositeResourceDefinition of a kind in the group and version `own`, as it is in `wanted`.
pub(crate) fn moved(mut definition: Value, own: &str, wanted: &str) -> Value {
    let (Some((group, version)), true) = (wanted.split_once('/'), wanted != own) else { return definition };
    let spec = &mut definition["spec"];
    spec["group"] = group.into();
    spec["versions"][0]["name"] = version.into();
    if let Some(Value::String(default)) = spec.pointer_mut("/defaultCompositionRef/name") {
        *default = composition_name(own, wanted, default);
    }
    let plural = spec["names"]["plural"].as_str().unwrap_or_default();
    definition["metadata"]["name"] = format!("{plural}.{group}").into();
    definition
}
