//! Explains one of the platform's options, from the schema of the step input.

use std::fmt::Write as _;

use anyhow::{Result, bail};
use serde_json::{Value, json};

use crate::engine::Engine;
use crate::foreign::visible_lines;

/// A field of the step input, and its schema.
pub(super) struct ExplainedOption {
    /// The kind of the step input and the path of the field, e.g. `options.llmInference.gpuMemory`.
    path: String,
    schema: Value,
}

/// Finds the field that `name` names: the kind of a step input, in any case, and then the path of a field, e.g.
/// `options.llmInference.gpuMemory`. `None` when `name` does not begin with the kind of a step input.
///
/// # Errors
/// When the kind has no such field.
pub(super) fn find(engine: &Engine, name: &str) -> Result<Option<ExplainedOption>> {
    let mut segments = name.split('.');
    let kind = segments.next().unwrap_or_default();
    let mut inputs = engine.contents().flat_map(|contents| &contents.inputs);
    let Some(input) = inputs.find(|input| input.kind.kind.eq_ignore_ascii_case(kind)) else { return Ok(None) };
    let definition: Value = serde_json::from_str(&input.definition)?;
    let mut schema = definition["spec"]["versions"][0]["schema"]["openAPIV3Schema"].clone();
    let mut path = kind.to_lowercase();
    for segment in segments {
        let field = segment.trim_end_matches("[]");
        schema = match within(&schema).get(field) {
            Some(found) => found.clone(),
            None => {
                let known: Vec<_> = within(&schema).as_object().into_iter().flat_map(|it| it.keys()).collect();
                bail!("`{path}` has no field `{field}`; {}", advice(&known, field));
            }
        };
        path = format!("{path}.{field}");
    }
    Ok(Some(ExplainedOption { path, schema }))
}

impl ExplainedOption {
    /// The text for people.
    pub(super) fn to_text(&self) -> String {
        let mut text = format!("{}: {}\n", self.path, type_of(&self.schema));
        if let Some(description) = self.schema["description"].as_str() {
            let _ = write!(text, "\n{description}\n");
        }
        let mut facts = String::new();
        for (key, word) in [("default", "default"), ("minimum", "least"), ("maximum", "most"), ("pattern", "pattern")] {
            if let Some(fact) = self.schema.get(key) {
                let fact = fact.as_str().map_or_else(|| fact.to_string(), str::to_owned);
                let _ = writeln!(facts, "  {word:<8}{fact}");
            }
        }
        let fields = within(&self.schema);
        let fields = fields.as_object().into_iter().flatten();
        let fields: Vec<_> =
            fields.filter(|(name, _)| !["apiVersion", "kind", "metadata"].contains(&name.as_str())).collect();
        let width = fields.iter().map(|(name, _)| name.len()).max().unwrap_or_default();
        for (name, schema) in fields {
            let first = schema["description"].as_str().unwrap_or_default().split(". ").next().unwrap_or_default();
            let first = first.lines().next().unwrap_or_default().trim_end_matches('.');
            let _ = writeln!(facts, "  {name:<width$}  {:<8}  {first}", type_of(schema));
        }
        if !facts.is_empty() {
            let _ = write!(text, "\n{facts}");
        }
        visible_lines(&text).into_owned()
    }

    /// The JSON for programs.
    pub(super) fn to_json(&self) -> Value {
        json!({"path": self.path, "schema": self.schema})
    }
}

/// The fields of an object, or of the items of a list.
fn within(schema: &Value) -> &Value {
    match schema["type"].as_str() {
        Some("array") => &schema["items"]["properties"],
        _ => &schema["properties"],
    }
}

fn type_of(schema: &Value) -> String {
    let kind = schema["type"].as_str().unwrap_or("anything");
    match (kind, schema["items"]["type"].as_str()) {
        ("array", Some(item)) => format!("[]{item}"),
        _ => kind.to_owned(),
    }
}

fn advice(known: &[&String], field: &str) -> String {
    match quantity::nearest(known.iter().map(|name| name.as_str()), field) {
        Some(near) => format!("the nearest is `{near}`"),
        None if known.is_empty() => "it has no fields".to_owned(),
        None => format!("it has {}", known.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ")),
    }
}
