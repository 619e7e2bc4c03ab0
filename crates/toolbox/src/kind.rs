//! The row of a kind, and the table of kinds: everything that the interfaces of a module need to know about kinds.

use std::collections::BTreeMap;

use serde::de::IgnoredAny;
use serde_json::Value;

use contract::admit::{AdmitRequest, Verdict};
use contract::catalog::{self, Action, ActsOn, ApiResource, Entry, Example, Index, Scope};
use contract::compose::{ComposeRequest, ComposeResponse, Derivation};
use contract::plan::{Change, PlanResponse};
use contract::preview::Capacity;
use contract::types::{Cause, Code, Edit, Fault, KindRef, ObservedObject, Problem, Selector};

use crate::conditions::ConditionRow;
use crate::entries::set;
use crate::policy::{self, PolicyRule};
use crate::reasons::Reasons;
use crate::rule::Table;
use crate::validation::Validator;

/// Where a person finds the kinds.
const LIST: &str = "`sailplane definitions --list` names those there are";

/// The table of kinds of a module, and the kinds of step input that it takes.
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
    /// Its generated CustomResourceDefinition, which validates inputs. It is not installed in any cluster.
    pub definition: fn() -> &'static Validator,
    /// How a step with this input composes composites of any kind. `None` when the composite's own kind composes and reads
    /// the input.
    pub step: Option<StepFunction>,
}

/// How a pipeline step composes: composites of one kind, or, with an input of its own, composites of any kind. It gives the response
/// without derivations, and the reasons of its values if the request asks for them.
pub type StepFunction = fn(&ComposeRequest) -> Result<(ComposeResponse, Reasons), Fault>;

/// A step that follows the own step of a kind in each of its Compositions, and acts on what that desires.
#[derive(Clone, Copy, Debug)]
pub struct FollowingStep {
    /// Its name.
    pub name: &'static str,
    /// Its input, which says nothing but what kind it is of.
    pub input: &'static Input,
}

/// The row of a kind: everything about it that the interfaces of a module need.
#[derive(Clone, Copy, Debug)]
pub struct Kind {
    /// Group and version.
    pub api_version: &'static str,
    /// Kind in PascalCase.
    pub kind: &'static str,
    /// Plural name in lower case.
    pub plural: &'static str,
    /// Short names for kubectl.
    pub short_names: &'static [&'static str],
    /// Other API groups in which the same kind exists.
    pub further_groups: &'static [FurtherGroup],
    /// Its folder under `examples/` and in the golden corpus.
    pub api: &'static str,
    /// Its scope.
    pub scope: Scope,
    /// Its generated CompositeResourceDefinition, which validates objects.
    pub definition: fn() -> &'static Validator,
    /// Every kind that it may compose.
    pub composes: &'static [ApiResource],
    /// Every kind that it may create on target clusters, as the manifest inside a composed resource.
    pub wraps: &'static [ApiResource],
    /// Every kind that it may create in the same way on clusters that it makes itself. There, the rights of each cluster's own
    /// kubeconfig count, so that nothing is granted for them.
    pub wraps_on_own: &'static [ApiResource],
    /// Every kind that `compose` may look up.
    pub looks_up: &'static [ApiResource],
    /// What its objects are found by in lookups of `admit`, of this kind and of others, sorted by name.
    pub found_by: &'static [Index],
    /// The areas that people group what it composes by. `None` for a kind that composes few objects.
    pub areas: Option<Areas>,
    /// What a composed resource waits for before it is composed, for people, as it follows `waits for`, from the composite and its
    /// composition resource name. Empty when that is nothing that the kind names.
    pub waits_for: fn(&Value, &str) -> &'static str,
    /// Manifests for people to copy, the best introduction first.
    pub examples: &'static [Example],
    /// Its tables of rules, for documentation.
    pub rules: fn() -> Vec<Table>,
    /// The table of its conditions.
    pub conditions: &'static [ConditionRow],
    /// How it is composed. `None` for a kind that nothing composes: its objects are judged, and other kinds look them up.
    pub compose: Option<StepFunction>,
    /// The step that follows its own. A preview without a Composition runs it too.
    pub followed_by: Option<&'static FollowingStep>,
    /// Why fields of one of its composites have their values, where a preview has other objects that make what the fields name.
    /// The function that it gets answers lookups, by indexes too. `None` for a kind whose fields name nothing like that.
    pub linked: Option<fn(&Value, &Find<'_>) -> Vec<Derivation>>,
    /// Every kind whose objects its own name, or that make something which its own name. A check of documents finds them wherever
    /// they are: of two such documents neither has to be applied first.
    pub names: &'static [ApiResource],
    /// What a preview with a cascade makes of its objects without a status. `None` when they stay as they are.
    pub assumed: Option<Assumed>,
    /// The places that its objects are, or that they have memory of, in a preview with a cascade. `None` for a kind without places.
    pub capacities: Option<CapacityFunction>,
    /// Plans the places of its objects (interface `plan`). `None` for a kind whose objects want none.
    pub plan: Option<PlanFunction>,
    /// Judges an operation on its objects (interface `admit`).
    pub admit: fn(&AdmitRequest) -> Result<Verdict, Fault>,
    /// What `admit` does.
    pub admission: AdmissionRow,
    /// How clusters get it: package, columns, Compositions.
    #[cfg(feature = "generate")]
    pub published: crate::published::Published,
}

/// Another API group in which a kind exists, with the same plural name, fields and Compositions.
#[derive(Clone, Copy, Debug)]
pub struct FurtherGroup {
    /// Group and version.
    pub api_version: &'static str,
    /// The package with the kind in this group. It is a package of its own, because a definition takes over a CRD of its
    /// name that has no owner.
    #[cfg(feature = "generate")]
    pub package: &'static crate::published::Package,
}

/// Areas that people group the composed resources of a composite by.
#[derive(Clone, Copy, Debug)]
pub struct Areas {
    /// Their names, in the order for people.
    pub names: &'static [&'static str],
    /// The area of a composed resource, from the composite, its composition resource name and the object: an index in the names.
    /// `None` when it belongs to none.
    pub of: fn(&Value, &str, &Value) -> Option<usize>,
}

/// Answers a lookup.
pub type Find<'f> = dyn Fn(&Selector) -> Vec<Value> + 'f;

/// Answers a lookup of which many objects are found: they are texts, of which readers parse what they need.
pub type FindObserved<'f> = dyn Fn(&Selector) -> Vec<ObservedObject> + 'f;

/// Finds places: with a function that answers lookups, and the inputs of the steps that compose objects of the kind.
pub type CapacityFunction = fn(&FindObserved<'_>, &[Value]) -> Vec<Capacity>;

/// Plans the places of objects of a kind: those that are valid, with everything else that there is, the platform's options, and
/// the changes.
pub type PlanFunction = fn(&[Value], &[Value], Option<&Value>, &[Change]) -> PlanResponse;

/// What a preview assumes of objects that have no status, because nothing runs yet.
#[derive(Clone, Copy, Debug)]
pub struct Assumed {
    /// The status of an object once it is up. The function that it gets answers lookups. `None` when the object cannot be up.
    pub status: fn(&Value, &Find<'_>) -> Option<Value>,
    /// What such an object counts as, for people: `up, with …`.
    pub counts_as: &'static str,
}

/// What interface `admit` does for a kind.
#[derive(Clone, Copy, Debug)]
pub struct AdmissionRow {
    /// Every kind that `admit` may look up, sorted by API version and kind.
    pub reads: &'static [ApiResource],
    /// The table of the defaults that it writes, for documentation. `None` when it writes none.
    pub defaults: fn() -> Option<Table>,
    /// Whether a verdict about a deletion may have warnings.
    pub judges_deletion: bool,
    /// The rules that CEL in an API server can state.
    pub policies: &'static [PolicyRule],
    /// What those rules may use as `variables.NAME`, besides the name of the object: names with expressions, which may use earlier ones.
    pub policy_variables: &'static [(&'static str, &'static str)],
    /// The rules beyond the schema, in words.
    pub rules: &'static [AdmissionRule],
}

/// A rule of admission, in words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AdmissionRule {
    /// What happens when an object violates it.
    pub action: Action,
    /// The field that it is about.
    pub path: &'static str,
    /// What violates it, for people: lower case, no final period.
    pub meaning: &'static str,
    /// Why no ValidatingAdmissionPolicy states it. `None` when one does.
    pub beyond_policies: Option<&'static str>,
}

/// Why no policy states a rule about other objects.
pub const OTHERS: &str = "a policy sees no other objects";

/// A rule of admission, for tables of them.
pub const fn rule(
    action: Action,
    path: &'static str,
    meaning: &'static str,
    beyond_policies: Option<&'static str>,
) -> AdmissionRule {
    AdmissionRule { action, path, meaning, beyond_policies }
}

impl AdmissionRule {
    /// The rule and the reason why no policy states it, unless one does.
    fn beyond_policies(&self) -> Option<String> {
        self.beyond_policies.map(|why| format!("{}: {why}", self.meaning))
    }
}

impl Kind {
    /// A namespaced kind with a definition and a function that composes it, and with nothing else. The definition says all
    /// that there is to judge.
    pub const fn bare(
        api_version: &'static str,
        kind: &'static str,
        plural: &'static str,
        definition: fn() -> &'static Validator,
        compose: StepFunction,
    ) -> Self {
        Self { compose: Some(compose), ..Self::data(api_version, kind, plural, definition) }
    }

    /// A namespaced kind with a definition and with nothing else. Nothing composes it.
    pub const fn data(
        api_version: &'static str,
        kind: &'static str,
        plural: &'static str,
        definition: fn() -> &'static Validator,
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
            wraps_on_own: &[],
            looks_up: &[],
            found_by: &[],
            areas: None,
            waits_for: |_, _| "",
            examples: &[],
            rules: Vec::new,
            conditions: &[],
            compose: None,
            followed_by: None,
            linked: None,
            names: &[],
            assumed: None,
            capacities: None,
            plan: None,
            admit: |_| Ok(Verdict::default()),
            admission: AdmissionRow {
                reads: &[],
                defaults: || None,
                judges_deletion: false,
                policies: &[],
                policy_variables: &[],
                rules: &[],
            },
            #[cfg(feature = "generate")]
            published: crate::published::Published::NONE,
        }
    }

    /// Every API version in which the kind exists, its own first.
    pub fn api_versions(&self) -> impl Iterator<Item = &'static str> + use<> {
        std::iter::once(self.api_version).chain(self.further_groups.iter().map(|further| further.api_version))
    }

    /// Its CompositeResourceDefinition in `api_version`, which is one of [`Self::api_versions`].
    pub fn definition_in(&self, api_version: &str) -> Value {
        in_api_version((self.definition)().document().clone(), self.api_version, api_version)
    }

    /// The kind's entries in the catalog: one for each group in which it exists.
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
            wraps: self.wrapped(),
            looks_up: self.looks_up.to_vec(),
            found_by: self.found_by.to_vec(),
            admission: catalog::Admission {
                reads: self.admission.reads.to_vec(),
                writes_defaults: (self.admission.defaults)().is_some(),
                judges_deletion: self.admission.judges_deletion,
                policies: policy::policies(
                    api_version,
                    self.plural,
                    self.admission.policy_variables,
                    self.admission.policies,
                ),
                beyond_policies: self.admission.rules.iter().filter_map(AdmissionRule::beyond_policies).collect(),
            },
            // The examples are written in the kind's own group.
            examples: if api_version == self.api_version { self.examples.to_vec() } else { Vec::new() },
        }
    }

    /// Every kind that it may create in other clusters, sorted by API version and kind.
    fn wrapped(&self) -> Vec<ApiResource> {
        let wrapped = [self.wraps, self.wraps_on_own].concat();
        set(wrapped).into_iter().collect()
    }

    /// Returns how the kind is composed.
    ///
    /// # Errors
    /// A [`Fault`] when it is not composed.
    pub fn composed(&self) -> Result<StepFunction, Fault> {
        self.compose.ok_or_else(|| {
            let message = format!("{} is not composed: others look it up", self.kind);
            Fault::new(Cause::UnknownKind, Problem::new("kind", Code::NotSupported, message))
        })
    }

    /// Whether `object` is of this kind. It is for each call, so nothing is allocated.
    fn is_kind_of(&self, object: &Value) -> bool {
        object["kind"] == self.kind && self.api_versions().any(|version| object["apiVersion"] == version)
    }

    /// All errors that an API server would give for `object` under strict validation. Empty when it is valid.
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

    /// Whether `object` is of this kind.
    fn is_kind_of(&self, object: &Value) -> bool {
        object["kind"] == self.kind && object["apiVersion"] == self.api_version
    }

    /// Validates a step input.
    ///
    /// # Errors
    /// Everything that is wrong with it.
    pub fn validate(&self, input: &Value) -> Result<(), Vec<Problem>> {
        (self.definition)().whole(input).map(|IgnoredAny| ())
    }
}

impl Kinds {
    /// The row of a kind, or `None` when it is not in the table.
    pub fn find(&self, kind: &KindRef) -> Option<&'static Kind> {
        self.rows.iter().find(|row| row.kind == kind.kind && row.api_versions().any(|one| one == kind.api_version))
    }

    /// The row of a kind of step input, or `None` when the module does not take it.
    pub fn input(&self, kind: &KindRef) -> Option<&'static Input> {
        self.inputs.iter().find(|row| row.api_version == kind.api_version && row.kind == kind.kind)
    }

    /// What composes the composite of `request`: the kind of its step input, if that acts on composites of any kind, and
    /// the composite's own kind otherwise.
    ///
    /// # Errors
    /// A [`Fault`] when there is no composite, and when its kind is not in the table.
    pub fn step(&self, request: &ComposeRequest) -> Result<StepFunction, Fault> {
        let input = request.input.as_ref().and_then(|input| self.inputs.iter().find(|row| row.is_kind_of(input)));
        if let Some(step) = input.and_then(|row| row.step) {
            return Ok(step);
        }
        let composite = request.composite()?;
        let row = self.rows.iter().find(|row| row.is_kind_of(composite));
        row.ok_or_else(|| self.unknown(&KindRef::of(composite)))?.composed()
    }

    /// Composes, and explains the values if the request asks for it.
    ///
    /// # Errors
    /// The [`Fault`] of what composes, and those of [`Self::step`].
    pub fn compose(&self, request: &ComposeRequest) -> Result<ComposeResponse, Fault> {
        let (response, reasons) = self.step(request)?(request)?;
        Ok(ComposeResponse { derivations: reasons.derivations(), ..response })
    }

    /// The entries of the catalog, sorted by API version and kind.
    pub fn entries(&self) -> Vec<Entry> {
        let mut entries = BTreeMap::new();
        for entry in self.rows.iter().flat_map(Kind::entries) {
            entries.insert((entry.kind.api_version.clone(), entry.kind.kind.clone()), entry);
        }
        entries.into_values().collect()
    }

    /// What is wrong with an object whose kind is not in the table, when a kind of the table was probably meant: its group
    /// and kind are nearly those of that kind, or its group has only kinds of the table. `None` for all other kinds.
    pub fn mistaken(&self, kind: &KindRef) -> Option<Problem> {
        let rows = self.rows.iter().flat_map(|row| row.api_versions().map(|version| (version, row.kind)));
        let known: Vec<_> = rows.chain(self.inputs.iter().map(|row| (row.api_version, row.kind))).collect();
        let what = format!("no kind `{}` {}", kind.api_version, kind.kind);
        let problem = |path: &str, message: String| Problem::new(path, Code::NotSupported, message);
        let Some((version, name)) = quantity::near_miss(known.iter().copied(), &kind.api_version, &kind.kind) else {
            let is_ours = known.iter().any(|(version, _)| version.split('/').next() == Some(kind.group()));
            return is_ours.then(|| problem("kind", format!("{what}; {LIST}")));
        };
        Some(if name == kind.kind {
            problem("apiVersion", what).with_fix(Edit::Replace(version.into()))
        } else if version == kind.api_version {
            problem("kind", what).with_fix(Edit::Replace(name.into()))
        } else {
            problem("kind", what).with_hint(format!("did you mean `{version}` {name}?"))
        })
    }

    /// The fault for an object whose kind is not in the table. It names the nearest kind of the table.
    pub fn unknown(&self, kind: &KindRef) -> Fault {
        let (version, name) = (kind.api_version.as_str(), kind.kind.as_str());
        let known = self.rows.iter().flat_map(|row| row.api_versions().map(|version| (version, row.kind)));
        let advice = match quantity::nearest_kind(known, version, name) {
            Some((version, kind)) => format!("the nearest is `{version}` {kind}"),
            None => LIST.to_owned(),
        };
        let (code, what) = match name {
            "" => (Code::Required, "missing".to_owned()),
            name => (Code::NotSupported, format!("no kind `{version}` {name}")),
        };
        Fault::new(Cause::UnknownKind, Problem::new("kind", code, format!("{what}; {advice}")))
    }
}

/// The name of a Composition for the API version `wanted` of a kind whose own API version is `own`. In another group
/// the group follows the name, because the names of Compositions are unique in a cluster.
pub fn composition_name(own: &str, wanted: &str, name: &str) -> String {
    match wanted.split_once('/') {
        Some((group, _version)) if wanted != own => format!("{name}.{group}"),
        _ => name.to_owned(),
    }
}

/// The CompositeResourceDefinition of a kind, which is in API version `own`, in API version `wanted`.
pub(crate) fn in_api_version(mut definition: Value, own: &str, wanted: &str) -> Value {
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
