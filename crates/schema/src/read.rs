//! Reads a schema as it stands in a CustomResourceDefinition (apiextensions `JSONSchemaProps`).

use std::collections::BTreeMap;

use serde_json::{Map, Value};

use crate::error::{FieldError, Kind};
use crate::format::Format;
use crate::node::{Additional, ListType, Node, Type};
use crate::number::decoded;
use crate::path::Place;
use crate::pattern::Pattern;
use crate::prune;

/// Reads `value`, which stands at `at`; what is wrong with it goes to `errors`.
pub(crate) fn read(value: &Value, at: &Place<'_>, errors: &mut Vec<FieldError>) -> Node {
    let Value::Object(fields) = value else {
        errors.push(FieldError::at(at, Kind::Invalid, Some(value.clone()), "must be an object"));
        return Node::default();
    };
    let mut keywords = Keywords { fields, at, errors };
    let mut node = keywords.node();
    node.default = fields.get("default").filter(|default| !default.is_null()).map(|default| {
        let mut default = decoded(default);
        prune::prune_default(&mut default, &node);
        default
    });
    node
}

/// The keywords of one schema, read by type.
struct Keywords<'a, 'e> {
    fields: &'a Map<String, Value>,
    at: &'a Place<'a>,
    errors: &'e mut Vec<FieldError>,
}

impl<'a> Keywords<'a, '_> {
    fn node(&mut self) -> Node {
        let int_or_string = self.flag("x-kubernetes-int-or-string");
        let format_name = self.text("format").unwrap_or_default().to_owned();
        Node {
            types: if int_or_string { vec![Type::Integer, Type::String] } else { self.types() },
            nullable: self.flag("nullable"),
            default: None,
            format: Format::named(&format_name),
            format_name,
            minimum: self.number("minimum"),
            maximum: self.number("maximum"),
            exclusive_minimum: self.flag("exclusiveMinimum"),
            exclusive_maximum: self.flag("exclusiveMaximum"),
            multiple_of: self.number("multipleOf"),
            min_length: self.count("minLength"),
            max_length: self.count("maxLength"),
            pattern: self.pattern(),
            min_items: self.count("minItems"),
            max_items: self.count("maxItems"),
            unique_items: self.flag("uniqueItems"),
            min_properties: self.count("minProperties"),
            max_properties: self.count("maxProperties"),
            allowed: self.list("enum").iter().map(decoded).collect(),
            required: self.texts("required"),
            properties: self.properties(),
            additional: self.additional(),
            items: self.child("items").map(Box::new),
            all_of: self.children("allOf"),
            any_of: self.children("anyOf"),
            one_of: self.children("oneOf"),
            not: self.child("not").map(Box::new),
            preserve_unknown: self.flag("x-kubernetes-preserve-unknown-fields"),
            embedded: self.flag("x-kubernetes-embedded-resource"),
            list_type: self.list_type(),
            list_map_keys: self.texts("x-kubernetes-list-map-keys"),
        }
    }

    /// The keyword's value, when it is there and not null.
    fn get(&self, keyword: &str) -> Option<&'a Value> {
        self.fields.get(keyword).filter(|value| !value.is_null())
    }

    /// What `take` finds in the keyword's value; an error when that is nothing.
    fn take<T>(&mut self, keyword: &'a str, wanted: &str, take: impl Fn(&'a Value) -> Option<T>) -> Option<T> {
        let value = self.get(keyword)?;
        let taken = take(value);
        if taken.is_none() {
            self.refuse(keyword, value, format!("must be {wanted}"));
        }
        taken
    }

    fn refuse(&mut self, keyword: &str, value: &Value, detail: impl Into<String>) {
        self.errors.push(FieldError::at(&self.at.field(keyword), Kind::Invalid, Some(value.clone()), detail));
    }

    fn flag(&mut self, keyword: &'a str) -> bool {
        self.take(keyword, "a boolean", Value::as_bool).unwrap_or_default()
    }

    fn text(&mut self, keyword: &'a str) -> Option<&'a str> {
        self.take(keyword, "a string", Value::as_str)
    }

    fn number(&mut self, keyword: &'a str) -> Option<f64> {
        self.take(keyword, "a number", Value::as_f64)
    }

    fn count(&mut self, keyword: &'a str) -> Option<i64> {
        self.take(keyword, "an integer", |value| decoded(value).as_i64())
    }

    fn list(&mut self, keyword: &'a str) -> &'a [Value] {
        self.take(keyword, "an array", |value| value.as_array().map(Vec::as_slice)).unwrap_or_default()
    }

    fn texts(&mut self, keyword: &'a str) -> Vec<String> {
        let strings = |value: &Value| -> Option<Vec<String>> {
            value.as_array()?.iter().map(|item| item.as_str().map(str::to_owned)).collect()
        };
        self.take(keyword, "an array of strings", strings).unwrap_or_default()
    }

    /// `type`: one name, or a list of names as plain JSON schemas may have it.
    fn types(&mut self) -> Vec<Type> {
        let named = |value: &Value| {
            let name = value.as_str()?;
            Type::ALL.iter().find(|(known, _)| *known == name).map(|(_, known)| *known)
        };
        let types = |value: &Value| match value {
            Value::String(name) if name.is_empty() => Some(Vec::new()),
            Value::Array(names) => names.iter().map(named).collect(),
            name => named(name).map(|only| vec![only]),
        };
        self.take("type", "object, array, string, integer, number or boolean", types).unwrap_or_default()
    }

    fn pattern(&mut self) -> Option<Pattern> {
        let text = self.text("pattern").filter(|text| !text.is_empty())?;
        let pattern = Pattern::new(text);
        if let Some(error) = pattern.error() {
            let detail = format!("must be a valid regular expression, but isn't: {error}");
            self.refuse("pattern", &Value::from(text), detail);
        }
        Some(pattern)
    }

    fn list_type(&mut self) -> ListType {
        let named = |value: &Value| match value.as_str()? {
            "atomic" => Some(ListType::Atomic),
            "set" => Some(ListType::Set),
            "map" => Some(ListType::Map),
            _ => None,
        };
        self.take("x-kubernetes-list-type", "atomic, set or map", named).unwrap_or_default()
    }

    fn child(&mut self, keyword: &'a str) -> Option<Node> {
        let value = self.get(keyword)?;
        Some(read(value, &self.at.field(keyword), self.errors))
    }

    fn children(&mut self, keyword: &'a str) -> Vec<Node> {
        let schemas = self.list(keyword);
        let at = self.at.field(keyword);
        schemas.iter().enumerate().map(|(index, schema)| read(schema, &at.index(index), self.errors)).collect()
    }

    fn properties(&mut self) -> BTreeMap<String, Node> {
        let Some(properties) = self.take("properties", "an object", Value::as_object) else { return BTreeMap::new() };
        let at = self.at.field("properties");
        let node = |(name, schema): (&String, &Value)| (name.clone(), read(schema, &at.key(name), self.errors));
        properties.iter().map(node).collect()
    }

    fn additional(&mut self) -> Additional {
        match self.get("additionalProperties") {
            None => Additional::Unsaid,
            Some(Value::Bool(allowed)) => Additional::Allowed(*allowed),
            Some(schema) => {
                Additional::Schema(Box::new(read(schema, &self.at.field("additionalProperties"), self.errors)))
            }
        }
    }
}
