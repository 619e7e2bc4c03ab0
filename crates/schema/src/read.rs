//! Reads a schema in the format of a CustomResourceDefinition (apiextensions `JSONSchemaProps`).

use std::sync::Arc;

use serde_json::{Map, Value};

use crate::error::{FieldError, Kind};
use crate::format::Format;
use crate::node::{Additional, ListType, Node, Type};
use crate::number::decoded;
use crate::path::Place;
use crate::pattern::{Pattern, Patterns};
use crate::prune::META_FIELDS;
use crate::rules::{self, Costs, SchemaContext};
use crate::{embedded, prune, validate};

/// How CEL rules are treated.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Expressions {
    /// They are compiled, and evaluated for every object.
    Compiled,
    /// They are ignored.
    LeftOut,
}

/// Reads the schema of a whole resource. Its errors are added to `errors`.
pub(crate) fn read(schema: &Value, expressions: Expressions, errors: &mut Vec<FieldError>) -> Node {
    let (mut costs, mut rule_errors) = (Costs::default(), Vec::new());
    let context = SchemaContext { at: &Place::ROOT, resource: true, times: Some(1), uncorrelated: None };
    let mut reader = SchemaReader {
        expressions,
        errors,
        rule_errors: &mut rule_errors,
        costs: &mut costs,
        patterns: Patterns::default(),
    };
    let node = reader.schema(schema, context, Position::Spine);
    errors.extend(rule_errors);
    errors.extend(costs.errors());
    node
}

/// The position of a schema in another one.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Position {
    /// It describes values.
    Spine,
    /// It describes values below `additionalProperties`, where the API server does not validate defaults.
    Additional,
    /// It describes a top-level field that every resource has. Such a field cannot have a default.
    Meta(&'static str),
    /// It is in `allOf`, `anyOf`, `oneOf` or `not`, and only restricts values.
    Junctor,
}

/// Reads schemas and collects their errors.
struct SchemaReader<'e> {
    expressions: Expressions,
    errors: &'e mut Vec<FieldError>,
    rule_errors: &'e mut Vec<FieldError>,
    costs: &'e mut Costs,
    patterns: Patterns,
}

impl SchemaReader<'_> {
    fn schema(&mut self, schema: &Value, context: SchemaContext<'_>, position: Position) -> Node {
        let Value::Object(fields) = schema else {
            self.errors.push(FieldError::at(context.at, Kind::Invalid, Some(schema.clone()), "must be an object"));
            return Node::default();
        };
        let before = self.errors.len();
        let context = SchemaContext {
            resource: context.resource || fields.get("x-kubernetes-embedded-resource") == Some(&Value::Bool(true)),
            ..context
        };
        let mut node = Keywords { fields, context, position, reader: self }.node();
        // Before the default, which is checked as an embedded object too.
        node.has_embedded = node.embedded || inside(&node).any(|node| node.has_embedded);
        let default = fields.get("default").filter(|default| !default.is_null());
        node.default = default.map(|default| self.default(default, &node, context.at, position));
        if self.expressions == Expressions::Compiled {
            self.errors.extend(rules::syntax_errors(fields, &node, context));
            // Expressions are only compiled if the schema has no other errors.
            if position != Position::Junctor && self.errors.len() == before {
                node.rules = rules::read(fields, &node, context, self.costs, self.rule_errors).map(Arc::new);
            }
        }
        node.has_rules = node.rules.is_some() || inside(&node).any(|node| node.has_rules);
        node
    }

    /// A default, pruned. It must be valid by its schema (`pkg/apiserver/schema/defaulting/validation.go`).
    fn default(&mut self, default: &Value, node: &Node, at: &Place<'_>, position: Position) -> Value {
        let given = decoded(default);
        let mut default = given.clone();
        prune::prune_default(&mut default, node);
        if let Position::Meta(field) = position {
            let detail = format!("must not be set in top-level {field}");
            self.errors.push(FieldError::at(&at.field("default"), Kind::Forbidden, None, detail));
        }
        if position == Position::Spine {
            let at = at.field("default");
            if default != given {
                let detail = "must not have unknown fields";
                self.errors.push(FieldError::at(&at, Kind::Invalid, Some(given), detail));
            }
            let wrong = embedded::check(&default, node).into_iter().chain(validate::check(&default, node, None));
            self.errors.extend(wrong.map(|error| error.below(&at)));
        }
        default
    }
}

/// The schemas of fields and items.
fn inside(node: &Node) -> impl Iterator<Item = &Node> {
    node.properties.values().chain(node.items.as_deref()).chain(node.additional.schema())
}

/// The keywords of one schema, read by type.
struct Keywords<'a, 'r, 'e> {
    fields: &'a Map<String, Value>,
    context: SchemaContext<'a>,
    position: Position,
    reader: &'r mut SchemaReader<'e>,
}

impl<'a> Keywords<'a, '_, '_> {
    fn node(&mut self) -> Node {
        let int_or_string = self.flag("x-kubernetes-int-or-string");
        let format_name = self.text("format").unwrap_or_default().to_owned();
        let mut node = Node {
            types: if int_or_string { vec![Type::Integer, Type::String] } else { self.types() },
            nullable: self.flag("nullable"),
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
            all_of: self.parts("allOf"),
            any_of: self.parts("anyOf"),
            one_of: self.parts("oneOf"),
            not: self.get("not").map(|not| Box::new(self.part(not, &self.context.at.field("not")))),
            preserve_unknown: self.flag("x-kubernetes-preserve-unknown-fields"),
            embedded: self.flag("x-kubernetes-embedded-resource"),
            list_type: self.list_type(),
            list_map_keys: self.texts("x-kubernetes-list-map-keys"),
            ..Node::default()
        };
        self.inside(&mut node);
        node
    }

    /// Reads the schemas of the values inside: properties, additional properties and items.
    fn inside(&mut self, node: &mut Node) {
        let position = self.position;
        let below = if position == Position::Spine { Position::Additional } else { position };
        let map = self.get("additionalProperties").is_some();
        let context =
            SchemaContext { resource: false, times: rules::inside(self.context.times, node, map), ..self.context };
        if let Some(properties) = self.take("properties", "an object", Value::as_object) {
            let at = self.context.at.field("properties");
            for (name, schema) in properties {
                let at = at.key(name);
                let meta = META_FIELDS.into_iter().find(|meta| self.context.at.is_root() && meta == name);
                let position = meta.map_or(position, Position::Meta);
                let read = self.reader.schema(schema, SchemaContext { at: &at, ..context }, position);
                if read.default.is_some() {
                    node.defaulted.push(name.clone());
                }
                node.properties.insert(name.clone(), read);
            }
        }
        node.additional = match self.get("additionalProperties") {
            None => Additional::Unspecified,
            Some(Value::Bool(allowed)) => Additional::Allowed(*allowed),
            Some(schema) => {
                let at = self.context.at.field("additionalProperties");
                Additional::Schema(Box::new(self.reader.schema(schema, SchemaContext { at: &at, ..context }, below)))
            }
        };
        if let Some(schema) = self.get("items") {
            let at = self.context.at.field("items");
            // Only in a list of type map an item has an old value.
            let here = (node.list_type != ListType::Map).then_some(self.context.at);
            let context = SchemaContext { at: &at, uncorrelated: context.uncorrelated.or(here), ..context };
            node.items = Some(Box::new(self.reader.schema(schema, context, position)));
        }
    }

    /// The schemas of `allOf`, `anyOf` or `oneOf`.
    fn parts(&mut self, keyword: &'a str) -> Vec<Node> {
        let schemas = self.list(keyword);
        let at = self.context.at.field(keyword);
        schemas.iter().enumerate().map(|(index, schema)| self.part(schema, &at.index(index))).collect()
    }

    fn part(&mut self, schema: &Value, at: &Place<'_>) -> Node {
        let context = SchemaContext { at, resource: false, times: None, uncorrelated: None };
        self.reader.schema(schema, context, Position::Junctor)
    }

    /// The value of a keyword, if there is one and it is not null.
    fn get(&self, keyword: &str) -> Option<&'a Value> {
        self.fields.get(keyword).filter(|value| !value.is_null())
    }

    /// The value of a keyword, converted with `take`. Adds an error when `take` returns `None`.
    fn take<T>(&mut self, keyword: &'a str, wanted: &str, take: impl Fn(&'a Value) -> Option<T>) -> Option<T> {
        let value = self.get(keyword)?;
        let taken = take(value);
        if taken.is_none() {
            self.refuse(keyword, value, format!("must be {wanted}"));
        }
        taken
    }

    fn refuse(&mut self, keyword: &str, value: &Value, detail: impl Into<String>) {
        self.reader.errors.push(FieldError::at(
            &self.context.at.field(keyword),
            Kind::Invalid,
            Some(value.clone()),
            detail,
        ));
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

    /// `type`: one name, or a list of names, as JSON schemas can have it.
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
        let Some(pattern) = self.reader.patterns.get(text) else {
            self.refuse("pattern", &Value::from(text), "the patterns of the schema take too much memory");
            return None;
        };
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
}
