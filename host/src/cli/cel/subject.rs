//! The device or value that an expression is evaluated on.

use std::path::Path;

use anyhow::{Context as _, Result, bail, ensure};
use serde_json::{Map, Value, json};

use super::args::CelArgs;
use super::slices;
use crate::cli::cluster::text;
use crate::cli::files;
use crate::cli::manifests::kind_of;
use crate::wit::expressions::{Subject, Validated};

/// A subject, with its name when it is one of the devices of a ResourceSlice.
pub(super) struct NamedSubject {
    pub(super) device: Option<String>,
    pub(super) subject: Subject,
}

/// Reads the subjects from the files of the flags: all devices of ResourceSlices, and otherwise one subject.
pub(super) fn read(args: &CelArgs) -> Result<Vec<NamedSubject>> {
    if let Some(schema) = &args.schema {
        return Ok(vec![NamedSubject { device: None, subject: value(args, schema)? }]);
    }
    let device = args.device.as_ref().or(args.filename.as_ref()).context("give --device, or --self and --schema")?;
    let document = document(device)?;
    let devices = slices::devices(&document)?;
    if devices.is_empty() {
        return Ok(vec![NamedSubject { device: None, subject: Subject::Device(document.to_string()) }]);
    }
    let named = |(name, device): (String, Value)| NamedSubject {
        device: Some(name),
        subject: Subject::Device(device.to_string()),
    };
    Ok(devices.into_iter().map(named).collect())
}

fn value(args: &CelArgs, schema: &Path) -> Result<Subject> {
    let this = args.this.as_ref().or(args.filename.as_ref()).context("give --self beside --schema")?;
    let this = document(this)?;
    let before = args.old_self.as_deref().map(document).transpose()?;
    let schema = schema_of(&this, schema)?;
    Ok(Subject::Value(Validated {
        this: this.to_string(),
        before: before.map(|before| before.to_string()),
        schema: schema.to_string(),
    }))
}

/// The only document of a file.
fn document(path: &Path) -> Result<Value> {
    let file = files::read(path)?;
    let mut documents = file.documents()?;
    ensure!(documents.len() == 1, "{} has {} documents; give one", file.name, documents.len());
    documents.pop().context("a document is missing")
}

/// The schema in a file: the whole document, or the schema of the value's kind in a definition.
fn schema_of(value: &Value, path: &Path) -> Result<Value> {
    let file = files::read(path)?;
    let documents = file.documents()?;
    let defined: Vec<_> = documents.iter().filter(|document| is_definition(document)).flat_map(defined).collect();
    match (documents.as_slice(), defined.as_slice()) {
        ([schema], []) => Ok(schema.clone()),
        (documents, []) => {
            bail!("{} has {} documents, and none is a definition; give one schema", file.name, documents.len())
        }
        (_, defined) => {
            let kind = kind_of(value);
            let found = defined.iter().find(|one| one.api_version == kind.api_version && one.kind == kind.kind);
            let found = found.with_context(|| {
                let known: Vec<_> = defined.iter().map(|it| format!("`{}` {}", it.api_version, it.kind)).collect();
                let (version, kind, name, known) = (kind.api_version, kind.kind, &file.name, known.join(", "));
                format!("the value is of `{version}` {kind}, and {name} defines {known}")
            })?;
            Ok(found.whole())
        }
    }
}

fn is_definition(document: &Value) -> bool {
    matches!(text(document, "/kind"), "CustomResourceDefinition" | "CompositeResourceDefinition")
}

/// A kind in one version, from a definition.
struct Defined<'a> {
    api_version: String,
    kind: &'a str,
    schema: &'a Value,
}

/// The kinds of a definition, in all versions. A CompositeResourceDefinition may define a claim too.
fn defined(definition: &Value) -> Vec<Defined<'_>> {
    let group = text(definition, "/spec/group");
    let kinds = ["/spec/names/kind", "/spec/claimNames/kind"].map(|pointer| text(definition, pointer));
    let versions = definition.pointer("/spec/versions").and_then(Value::as_array).into_iter().flatten();
    let schemas = versions.filter_map(|version| {
        Some((format!("{group}/{}", text(version, "/name")), version.pointer("/schema/openAPIV3Schema")?))
    });
    let each_kind = |(api_version, schema): (String, _)| {
        let kinds = kinds.into_iter().filter(|kind| !kind.is_empty());
        kinds.map(move |kind| Defined { api_version: api_version.clone(), kind, schema }).collect::<Vec<_>>()
    };
    schemas.flat_map(each_kind).collect()
}

impl Defined<'_> {
    /// The schema with the fields that every object has. An API server adds them when they are missing.
    fn whole(&self) -> Value {
        let mut schema = self.schema.clone();
        let rows = [("apiVersion", "string"), ("kind", "string"), ("metadata", "object")];
        if let Some(schema) = schema.as_object_mut() {
            let properties = schema.entry("properties").or_insert_with(|| Value::Object(Map::new()));
            for (name, ty) in rows {
                if let Some(properties) = properties.as_object_mut() {
                    properties.entry(name).or_insert_with(|| json!({ "type": ty }));
                }
            }
        }
        schema
    }
}
