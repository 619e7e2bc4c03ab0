//! Reads a schema as it stands in a CustomResourceDefinition (apiextensions `JSONSchemaProps`).

use std::sync::Arc;

use serde_json::{Map, Value};

use crate::error::{FieldError, Kind};
use crate::format::Format;
use crate::node::{Additional, ListType, Node, Type};
use crate::number::decoded;
use crate::path::Place;
use crate::pattern::Pattern;
use crate::prune::META_FIELDS;
use crate::rules::{self, Costs, Scope};
use crate::{embedded, prune, validate};

/// What becomes of rules in CEL.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Expressions {
    /// They are compiled, and run for every object.
    Compiled,
    /// They are left out, as if the schema had none.
    LeftOut,
}

/// Reads the schema of a whole resource; what is wrong with it goes to `errors`.
pub(crate) fn read(schema: &Value, expressions: Expressions, errors: &mut Vec<FieldError>) -> Node {
    let (mut costs, mut rule_errors) = (Costs::default(), Vec::new());
    let scope = Scope { at: &Place::ROOT, resource: true, times: Some(1), uncorrelated: None };
    let mut reader = Reader { expressions, errors, rule_errors: &mut rule_errors, costs: &mut costs };
    let node = reader.schema(schema, scope, Position::Spine);
    errors.extend(rule_errors);
    errors.extend(costs.errors());
    node
}

/// Where a schema stands among others.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Position {
    /// Where it says what values are.
    Spine,
    /// The same, below `additionalProperties`, where nobody looks at defaults.
    Additional,
    /// In a field that every resource has at its top, where there can be no defaults.
    Meta(&'static str),
    /// In `allOf` and its like, where it only says what values must be.
    Junctor,
}

/// Gathers what is wrong.
struct Reader<'e> {
    expressions: Expressions,
    errors: &'e mut Vec<FieldError>,
    rule_errors: &'e mut Vec<FieldError>,
    costs: &'e mut Costs,
}

impl Reader<'_> {
    fn schema(&mut self, schema: &Value, scope: Scope<'_>, position: Position) -> Node {
        let Value::Object(fields) = schema else {
            self.errors.push(FieldError::at(scope.at, Kind::Invalid, Some(schema.clone()), "must be an object"));
            return Node::default();
        };
        let before = self.errors.len();
        let scope = Scope {
            resource: scope.resource || fields.get("x-kubernetes-embedded-resource") == Some(&Value::Bool(true)),
            ..scope
        };
        let mut node = Keywords { fields, scope, position, reader: self }.node();
        let default = fields.get("default").filter(|default| !default.is_null());
        node.default = default.map(|default| self.default(default, &node, scope.at, position));
        if self.expressions == Expressions::Compiled {
            self.errors.extend(rules::words(fields, &node, scope));
            // Expressions are only compiled where everything inside is sound.
            if position != Position::Junctor && self.errors.len() == before {
                node.rules = rules::read(fields, &node, scope, self.costs, self.rule_errors).map(Arc::new);
            }
        }
        let mut inside = node.properties.values().chain(node.items.as_deref()).chain(node.additional.schema());
        node.has_rules = node.rules.is_some() || inside.any(|node| node.has_rules);
        node
    }

    /// A default, pruned. It must be a value that the schema takes (`pkg/apiserver/schema/defaulting/validation.go`).
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

/// The keywords of one schema, read by type.
struct Keywords<'a, 'r, 'e> {
    fields: &'a Map<String, Value>,
    scope: Scope<'a>,
    position: Position,
    reader: &'r mut Reader<'e>,
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
            not: self.get("not").map(|not| Box::new(self.part(not, &self.scope.at.field("not")))),
            preserve_unknown: self.flag("x-kubernetes-preserve-unknown-fields"),
            embedded: self.flag("x-kubernetes-embedded-resource"),
            list_type: self.list_type(),
            list_map_keys: self.texts("x-kubernetes-list-map-keys"),
            ..Node::default()
        };
        self.inside(&mut node);
        node
    }

    /// The schemas of what is inside values: properties, additional properties and items.
    fn inside(&mut self, node: &mut Node) {
        let position = self.position;
        let below = if position == Position::Spine { Position::Additional } else { position };
        let map = self.get("additionalProperties").is_some();
        let scope = Scope { resource: false, times: rules::inside(self.scope.times, node, map), ..self.scope };
        if let Some(properties) = self.take("properties", "an object", Value::as_object) {
            let at = self.scope.at.field("properties");
            for (name, schema) in properties {
                let at = at.key(name);
                let meta = META_FIELDS.into_iter().find(|meta| self.scope.at.is_root() && meta == name);
                let position = meta.map_or(position, Position::Meta);
                let read = self.reader.schema(schema, Scope { at: &at, ..scope }, position);
                node.properties.insert(name.clone(), read);
            }
        }
        node.additional = match self.get("additionalProperties") {
            None => Additional::Unsaid,
            Some(Value::Bool(allowed)) => Additional::Allowed(*allowed),
            Some(schema) => {
                let at = self.scope.at.field("additionalProperties");
                Additional::Schema(Box::new(self.reader.schema(schema, Scope { at: &at, ..scope }, below)))
            }
        };
        if let Some(schema) = self.get("items") {
            let at = self.scope.at.field("items");
            // Only items with keys can be found again in an old list.
            let here = (node.list_type != ListType::Map).then_some(self.scope.at);
            let scope = Scope { at: &at, uncorrelated: scope.uncorrelated.or(here), ..scope };
            node.items = Some(Box::new(self.reader.schema(schema, scope, position)));
        }
    }

    /// The schemas that a keyword combines.
    fn parts(&mut self, keyword: &'a str) -> Vec<Node> {
        let schemas = self.list(keyword);
        let at = self.scope.at.field(keyword);
        schemas.iter().enumerate().map(|(index, schema)| self.part(schema, &at.index(index))).collect()
    }

    fn part(&mut self, schema: &Value, at: &Place<'_>) -> Node {
        let scope = Scope { at, resource: false, times: None, uncorrelated: None };
        self.reader.schema(schema, scope, Position::Junctor)
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
        self.reader.errors.push(FieldError::at(
            &self.scope.at.field(keyword),
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
}
