//! The result of a check.

use std::collections::BTreeSet;

use crate::cli::report::Texts;
use crate::wit::preview::{Checked, Diagnostic, Gravity, Location};
use crate::wit::types::{Problem, ProblemCode};

/// The findings about files, and the objects in them.
pub(super) struct CheckResult {
    /// The texts that locations refer to: the files, then the schemas, then the platform's options.
    pub(super) texts: Texts,
    /// How many files were checked.
    pub(super) files: usize,
    /// The findings, in the order of the texts.
    pub(super) diagnostics: Vec<Diagnostic>,
    /// The objects, in the order of the files.
    pub(super) objects: Vec<Checked>,
}

impl CheckResult {
    /// Whether there was no object and no finding.
    pub(super) fn is_empty(&self) -> bool {
        self.objects.is_empty() && self.diagnostics.is_empty()
    }

    pub(super) fn errors(&self) -> usize {
        self.diagnostics.iter().filter(|found| found.gravity == Gravity::Error).count()
    }

    pub(super) fn warnings(&self) -> usize {
        self.diagnostics.len() - self.errors()
    }

    /// How many objects have no schema.
    pub(super) fn unknown(&self) -> usize {
        self.objects.iter().filter(|object| !object.known).count()
    }

    /// Adds an error for each object without a schema, unless there is one about its kind already.
    pub(super) fn require_schemas(&mut self) {
        let is_about_kind = |problem: &Problem| {
            problem.code == ProblemCode::NotSupported
                && ["kind", "apiVersion"].iter().any(|it| problem.path.ends_with(it))
        };
        let mistaken = self.diagnostics.iter().filter(|found| is_about_kind(&found.problem));
        let mistaken: BTreeSet<_> =
            mistaken.filter_map(|found| found.location).map(|at| (at.text, at.document)).collect();
        let unknown = self.objects.iter().filter(|object| !object.known);
        let unknown = unknown.filter(|object| !mistaken.contains(&(object.location.text, object.location.document)));
        self.diagnostics.extend(unknown.map(|object| {
            let kind = &object.kind;
            let problem = Problem {
                path: "kind".to_owned(),
                code: ProblemCode::NotFound,
                message: format!("no schema of `{}` {}, so the object is not checked", kind.api_version, kind.kind),
                fix: None,
                hint: Some("give a folder with its schema by --schemas".to_owned()),
            };
            Diagnostic { gravity: Gravity::Error, problem, location: Some(object.location) }
        }));
        // What has no place, and what is about schemas and options, stays behind the files.
        self.diagnostics.sort_by_key(|found| found.location.map_or((u32::MAX, 0), |at| (at.text, at.document)));
    }

    /// The name of the text at a location.
    pub(super) fn name(&self, location: Location) -> &str {
        let text = usize::try_from(location.text).ok().and_then(|text| self.texts.get(text));
        text.map_or("", |(name, _)| name.as_str())
    }
}

/// Each code with its name for programs and its description.
pub(super) const RULES: &[(ProblemCode, &str, &str)] = &[
    (ProblemCode::Required, "required", "A required value is missing."),
    (ProblemCode::TypeInvalid, "type-invalid", "A value has the wrong type."),
    (ProblemCode::Invalid, "invalid", "A value is malformed, out of its bounds, or breaks a rule."),
    (ProblemCode::NotSupported, "not-supported", "A value is not one of the allowed ones."),
    (ProblemCode::Duplicate, "duplicate", "A value occurs twice where it must be unique."),
    (ProblemCode::TooLong, "too-long", "A value is longer than it may be."),
    (ProblemCode::TooMany, "too-many", "A list or map has more items than it may have."),
    (ProblemCode::Forbidden, "forbidden", "A value is sound by itself but may not be set here."),
    (ProblemCode::NotFound, "not-found", "A value refers to something that does not exist."),
    (ProblemCode::UnknownField, "unknown-field", "A field is not part of the type."),
    (ProblemCode::Syntax, "syntax", "A text is not well-formed YAML or JSON, or exceeds a limit on such texts."),
];

/// The index of a code in [`RULES`], and its name for programs.
pub(super) fn rule(code: ProblemCode) -> (usize, &'static str) {
    let found = RULES.iter().enumerate().find(|(_, (known, ..))| *known == code);
    found.map_or((0, ""), |(index, (_, name, _))| (index, name))
}
