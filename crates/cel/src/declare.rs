//! The type of `self` in a rule, from a structural schema, with the sizes that cost estimates need.
//!
//! The mapping is that of `SchemaDeclType` of `k8s.io/apiserver/pkg/cel/common`:
//!
//! | schema | type of CEL |
//! |---|---|
//! | `x-kubernetes-int-or-string` | `dyn` |
//! | `type: string` | `string`; `bytes`, `duration`, `timestamp` for the formats `byte`, `duration`, `date` and `date-time` |
//! | `type: integer`, `number`, `boolean` | `int`, `double`, `bool` |
//! | `type: array` | a list, unless its items have no type |
//! | `type: object` with `additionalProperties` | a map from `string`, unless its values have no type |
//! | `type: object` with `properties`, or with nothing | an object; properties without a type are left out |
//! | anything else, also unknown fields | no type: expressions cannot access it |

use std::collections::BTreeMap;
use std::sync::Arc;

use serde_json::{Map, Value as Json};

use crate::names;
use crate::types::Type;

/// The bytes of the largest request that the API server accepts. It limits the size of values without a limit of their own.
const LARGEST_REQUEST: u64 = 3 * 1024 * 1024;

/// A type declared by a schema, with the sizes of its values. Cheap to clone.
#[derive(Clone, Debug)]
pub struct Declared(pub(crate) Arc<Declaration>);

#[derive(Debug)]
pub(crate) struct Declaration {
    pub(crate) ty: Type,
    pub(crate) shape: Shape,
    /// The largest size: elements of a list or map, characters of a string; 0 for values without a size.
    pub(crate) most: u64,
    /// The bytes of the shortest JSON value of this type.
    pub(crate) least_bytes: u64,
    pub(crate) nullable: bool,
}

#[derive(Debug)]
pub(crate) enum Shape {
    Bool,
    Integer,
    Number,
    Text(TextFormat),
    IntOrString,
    List {
        items: Declared,
        kind: ListKind,
    },
    Map {
        keys: u64,
        values: Declared,
    },
    /// The value of an attribute of a device.
    Attribute,
    /// A Kubernetes quantity.
    Quantity,
    /// Fields, by the names that expressions use.
    Object(BTreeMap<String, DeclaredField>),
}

/// The formats of text that have a type or a size of their own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TextFormat {
    Plain,
    Byte,
    Duration,
    Date,
    DateTime,
}

/// `x-kubernetes-list-type`, which decides how `==` and `+` work.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum ListKind {
    Atomic,
    Set,
    Map(Vec<String>),
}

#[derive(Debug)]
pub(crate) struct DeclaredField {
    /// The name in JSON.
    pub(crate) property: String,
    pub(crate) declared: Declared,
}

impl Declared {
    /// The type of the values of a schema, or `None` if expressions cannot access them.
    ///
    /// `root` means that the schema is that of a whole resource, which always has `apiVersion`, `kind`, `metadata.name` and
    /// `metadata.generateName`.
    pub fn from_schema(schema: &Json, root: bool) -> Option<Self> {
        declare(schema, root, "selfType")
    }

    /// The type in CEL.
    pub fn ty(&self) -> &Type {
        &self.0.ty
    }

    /// How many such values fit into one request at most. This is how often a rule can be evaluated that is below a list or
    /// map without a limit.
    pub fn most_in_a_request(&self) -> u64 {
        LARGEST_REQUEST / (self.0.least_bytes + 1)
    }

    /// The largest size: elements of a list or map, characters of a string; 0 for values without a size.
    pub fn most_elements(&self) -> u64 {
        self.0.most
    }

    pub(crate) fn new(ty: Type, shape: Shape, most: u64, least_bytes: u64, nullable: bool) -> Self {
        Self(Arc::new(Declaration { ty, shape, most, least_bytes, nullable }))
    }

    /// The type that a step of a path leads to: `@items`, `@values`, `@keys` or the name of a field.
    pub(crate) fn step(&self, name: &str) -> Option<SchemaStep<'_>> {
        match (&self.0.shape, name) {
            (Shape::List { items, .. }, "@items" | "@values") => Some(SchemaStep::Declared(items)),
            (Shape::Map { values, .. }, "@items" | "@values") => Some(SchemaStep::Declared(values)),
            (Shape::Map { keys, .. }, "@keys") => Some(SchemaStep::Key(*keys)),
            (Shape::Object(fields), _) => fields.get(name).map(|field| SchemaStep::Declared(&field.declared)),
            _ => None,
        }
    }

    /// Calls `visit` for each object type in this type, with its fields.
    pub(crate) fn objects(&self, visit: &mut impl FnMut(&Arc<str>, &BTreeMap<String, DeclaredField>)) {
        match &self.0.shape {
            Shape::List { items: inner, .. } | Shape::Map { values: inner, .. } => inner.objects(visit),
            Shape::Object(fields) => {
                if let Type::Object(name) = &self.0.ty {
                    visit(name, fields);
                }
                fields.values().for_each(|field| field.declared.objects(visit));
            }
            _ => {}
        }
    }
}

pub(crate) enum SchemaStep<'d> {
    Declared(&'d Declared),
    /// The keys of a map, with their greatest length.
    Key(u64),
}

fn declare(schema: &Json, root: bool, name: &str) -> Option<Declared> {
    let number = |key: &str| schema.get(key).and_then(Json::as_i64).map(|it| u64::try_from(it).unwrap_or(0));
    let flag = |key: &str| schema.get(key).and_then(Json::as_bool).unwrap_or(false);
    let nullable = flag("nullable");
    let make = |ty, shape, most, least| Some(Declared::new(ty, shape, most, least, nullable));
    // A character has at most four bytes, and sizes are in bytes here.
    let characters = number("maxLength").map(|most| most.saturating_mul(4));
    if flag("x-kubernetes-int-or-string") {
        return make(Type::Dyn, Shape::IntOrString, characters.unwrap_or(LARGEST_REQUEST - 2), 1);
    }
    let kind = if root { "object" } else { schema.get("type").and_then(Json::as_str).unwrap_or_default() };
    match kind {
        "boolean" => make(Type::Bool, Shape::Bool, 0, 4),
        "integer" => make(Type::Int, Shape::Integer, 0, 1),
        "number" => make(Type::Double, Shape::Number, 0, 1),
        "string" => {
            let format = schema.get("format").and_then(Json::as_str).unwrap_or_default();
            let (ty, format, most, least) = match format {
                "byte" => (Type::Bytes, TextFormat::Byte, number("maxLength").unwrap_or(LARGEST_REQUEST - 2), 2),
                "duration" => (Type::Duration, TextFormat::Duration, 32, 3),
                "date" => (Type::Timestamp, TextFormat::Date, 12, 12),
                "date-time" => (Type::Timestamp, TextFormat::DateTime, 32, 21),
                _ => (Type::String, TextFormat::Plain, characters.unwrap_or_else(|| longest(schema)), 2),
            };
            make(ty, Shape::Text(format), most, least)
        }
        "array" => {
            let items = schema.get("items")?;
            let items = declare(items, embedded(items), &format!("{name}.@idx"))?;
            let most = number("maxItems").unwrap_or((LARGEST_REQUEST - 2) / (items.0.least_bytes + 1));
            let kind = match schema.get("x-kubernetes-list-type").and_then(Json::as_str) {
                Some("set") => ListKind::Set,
                Some("map") => {
                    ListKind::Map(strings(schema, "x-kubernetes-list-map-keys").map(str::to_owned).collect())
                }
                _ => ListKind::Atomic,
            };
            make(Type::list(items.ty().clone()), Shape::List { items, kind }, most, 2)
        }
        "object" => match schema.get("additionalProperties").filter(|values| values.is_object() && !root) {
            Some(values) => {
                let values = declare(values, embedded(values), &format!("{name}.@elem"))?;
                let most = number("maxProperties").unwrap_or((LARGEST_REQUEST - 2) / (values.0.least_bytes + 6));
                make(Type::map(Type::String, values.ty().clone()), Shape::Map { keys: 0, values }, most, 2)
            }
            None => {
                let (fields, least) = declare_fields(schema, root, name);
                make(Type::object(name), Shape::Object(fields), 0, least)
            }
        },
        _ => None,
    }
}

/// The fields of an object, and the bytes of its shortest JSON value: `{}` with the fields that are required and have no
/// default.
fn declare_fields(schema: &Json, root: bool, name: &str) -> (BTreeMap<String, DeclaredField>, u64) {
    let mut properties = schema.get("properties").and_then(Json::as_object).cloned().unwrap_or_default();
    if root {
        complete(&mut properties);
    }
    let (mut fields, mut least) = (BTreeMap::new(), 2);
    for (property, inner) in &properties {
        let escaped = names::escape(property);
        let place = format!("{name}.{}", escaped.as_deref().unwrap_or(property));
        let Some(declared) = declare(inner, embedded(inner), &place) else { continue };
        if strings(schema, "required").any(|required| required == property) && inner.get("default").is_none() {
            least += property.len() as u64 + declared.0.least_bytes + 4;
        }
        if let Some(escaped) = escaped {
            fields.insert(escaped, DeclaredField { property: property.clone(), declared });
        }
    }
    (fields, least)
}

/// Adds the fields that every resource has to the root of a resource, unless all of them are declared.
fn complete(properties: &mut Map<String, Json>) {
    let is =
        |schema: Option<&Json>, kind: &str| schema.and_then(|it| it.get("type")).and_then(Json::as_str) == Some(kind);
    let metadata = properties.get("metadata");
    let known = metadata.and_then(|it| it.get("properties"));
    let complete = is(properties.get("kind"), "string")
        && is(properties.get("apiVersion"), "string")
        && is(metadata, "object")
        && ["name", "generateName"].iter().all(|name| is(known.and_then(|it| it.get(name)), "string"));
    if !complete {
        let text = serde_json::json!({"type": "string"});
        let names = serde_json::json!({"type": "object", "properties": {"name": text, "generateName": text}});
        for (name, schema) in [("kind", &text), ("apiVersion", &text), ("metadata", &names)] {
            properties.insert(name.to_owned(), schema.clone());
        }
    }
}

fn embedded(schema: &Json) -> bool {
    schema.get("x-kubernetes-embedded-resource").and_then(Json::as_bool).unwrap_or(false)
}

fn strings<'s>(schema: &'s Json, key: &str) -> impl Iterator<Item = &'s str> {
    schema.get(key).and_then(Json::as_array).into_iter().flatten().filter_map(Json::as_str)
}

/// The most bytes of a string without a maximum length: those of the longest value of `enum`, if there is one.
fn longest(schema: &Json) -> u64 {
    match schema.get("enum").and_then(Json::as_array).filter(|values| !values.is_empty()) {
        Some(values) => values.iter().filter_map(Json::as_str).map(|value| value.len() as u64).max().unwrap_or(0),
        None => LARGEST_REQUEST - 2,
    }
}
