//! A comparison: what is rendered, and the expected outcome.

use contract::types::KindRef;
use quantity::Time;
use serde_json::{Value, json};
use tests::golden::documents;

/// One comparison.
pub(crate) struct Case {
    pub(crate) name: String,
    /// The kind of the composite.
    pub(crate) kind: KindRef,
    pub(crate) composite: String,
    pub(crate) composition: String,
    /// Further files, by name.
    pub(crate) files: Vec<(&'static str, String)>,
    /// Further arguments. `{name}` is replaced by the path of that file, and `{folder}` by the path of its folder.
    pub(crate) flags: Vec<String>,
    pub(crate) fate: Fate,
    /// Where its composite stands in a cascade, when it is one of those.
    pub(crate) level: Option<Level>,
}

/// Where a composite stands in a cascade.
pub(crate) struct Level {
    /// The name of the case of the level above. Empty for the highest one.
    pub(crate) above: String,
    /// The composite as the level above prints it.
    pub(crate) given: String,
    /// What the cascade shows of it and of what it composes. Empty when it shows another moment.
    pub(crate) shown: Vec<Value>,
}

/// The expected outcome of a case.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fate {
    /// Both print the same.
    Printed,
    /// Both refuse it. Our message contains this text.
    Refused(&'static str),
    /// Ours refuses it, as an API server would, with a message that contains this text. The real one accepts it.
    RefusedByApiServer(&'static str),
    /// The real one refuses it. Ours prints it, as kubectl would complete it, with this text.
    Completed(&'static str),
}

impl Case {
    /// A case with a composite and a Composition of its kind. Both commands are expected to print the same.
    pub(crate) fn new(name: impl Into<String>, kind: &KindRef, composite: impl Into<String>) -> Self {
        Self {
            name: name.into(),
            kind: kind.clone(),
            composite: composite.into(),
            composition: composition(kind, ""),
            files: Vec::new(),
            flags: Vec::new(),
            fate: Fate::Printed,
            level: None,
        }
    }

    pub(crate) fn flags(mut self, flags: &[&str]) -> Self {
        self.flags.extend(flags.iter().map(|flag| (*flag).to_owned()));
        self
    }

    pub(crate) fn file(mut self, name: &'static str, text: impl Into<String>) -> Self {
        self.files.push((name, text.into()));
        self
    }

    pub(crate) fn observed(self, text: impl Into<String>) -> Self {
        self.file("observed.yaml", text).flags(&["--observed-resources={observed.yaml}"])
    }

    pub(crate) fn composition(mut self, text: impl Into<String>) -> Self {
        self.composition = text.into();
        self
    }

    /// The Composition gets the name or the labels that the composite chooses by.
    pub(crate) fn selected(mut self) -> Self {
        let composite = documents(&self.composite).ok().and_then(|found| found.into_iter().next()).unwrap_or_default();
        if let Some(name) = composite["spec"]["crossplane"]["compositionRef"]["name"].as_str() {
            self.composition = self.composition.replacen("of-the-tests", name, 1);
        }
        let labels = &composite["spec"]["crossplane"]["compositionSelector"]["matchLabels"];
        if labels.is_object() {
            self.composition = self.composition.replacen("metadata:\n", &format!("metadata:\n  labels: {labels}\n"), 1);
        }
        self
    }

    pub(crate) fn fate(mut self, fate: Fate) -> Self {
        self.fate = fate;
        self
    }

    pub(crate) fn level(mut self, level: Level) -> Self {
        self.level = Some(level);
        self
    }

    pub(crate) fn refused(self, part: &'static str) -> Self {
        self.fate(Fate::Refused(part))
    }
}

/// The kinds whose answers depend on the time, with the section of the platform's options that fixes the clock.
const CLOCKS: &[(&str, &str)] = &[("InferenceModel", "inferenceModel")];
/// The time that is fixed where nothing says another one.
const NOW: Time = Time::from_seconds(1_769_860_800);

/// A Composition of a kind whose one step has this input.
pub(crate) fn composition(kind: &KindRef, input: &str) -> String {
    composition_at(kind, input, NOW)
}

/// The same, with a fixed clock for a kind whose answers depend on the time: both commands call the function at their own times.
pub(crate) fn composition_at(kind: &KindRef, input: &str, now: Time) -> String {
    let clock = CLOCKS.iter().find(|(of, _)| *of == kind.kind);
    let input = clock.map_or_else(|| input.to_owned(), |(_, section)| with_clock(input, section, now));
    let KindRef { api_version, kind } = kind;
    let input = match &*input {
        "" => String::new(),
        input => format!("    input:\n{}", input.lines().map(|line| format!("      {line}\n")).collect::<String>()),
    };
    format!(
        "apiVersion: apiextensions.crossplane.io/v1\nkind: Composition\nmetadata:\n  name: of-the-tests\n\
         spec:\n  compositeTypeRef:\n    apiVersion: {api_version}\n    kind: {kind}\n  mode: Pipeline\n  pipeline:\n  \
         - step: compose\n    functionRef:\n      name: sailplane-function-sailplane\n{input}"
    )
}

/// Options whose section says the time, where it says none. Text that is not that of options stays as it is.
fn with_clock(input: &str, section: &str, now: Time) -> String {
    let none = json!({"apiVersion": "sailplane.fn.crossplane.io/v1alpha1", "kind": "Options"});
    let mut options = match documents(input) {
        Ok(found) => found.into_iter().next().unwrap_or(none),
        Err(_) => return input.to_owned(),
    };
    if options["kind"] != "Options" {
        return input.to_owned();
    }
    let Some(options) = options.as_object_mut() else { return input.to_owned() };
    if let Some(section) = options.entry(section).or_insert_with(|| json!({})).as_object_mut() {
        section.entry("now").or_insert_with(|| now.to_string().into());
    }
    Value::from(options.clone()).to_string()
}
