//! Plans: tables of rules, evaluated for one object.

use std::borrow::Cow;

use contract::compose::Derivation;
use serde_json::{Map, Value};

use super::table::{Element, HIDDEN, Rule, Stated, Target};
use crate::path;

#[cfg(test)]
mod tests;

/// The result of tables of rules for one object: the object, and the rule behind each of its values.
#[derive(Clone, Debug, PartialEq)]
pub struct Plan {
    object: Value,
    parts: Vec<TablePart>,
}

/// The result of one table.
#[derive(Clone, Debug, PartialEq)]
struct TablePart {
    /// The path in the object at which the paths of the rules start.
    under: String,
    element: Option<ElementName>,
    rows: Vec<Row>,
}

/// An element, as explanations name it.
#[derive(Clone, Debug, PartialEq)]
struct ElementName {
    word: &'static str,
    name: String,
    indexes: Vec<usize>,
}

/// A rule that gave a value. The value itself is only in the object.
#[derive(Clone, Debug, PartialEq)]
struct Row {
    stated: Stated,
    /// The index of the value in the list to which it was appended.
    appended: Option<usize>,
    /// Whether the value was an empty list or object, to which later rules may add.
    empty: bool,
    /// Whether explanations leave the value out.
    hidden: bool,
}

impl Default for Plan {
    /// A plan of an empty object.
    fn default() -> Self {
        Self::on(Value::Object(Map::new()))
    }
}

impl Plan {
    /// A plan that starts with `object`. Its fields, such as the kind, have no rule.
    pub fn on(object: Value) -> Self {
        Self { object, parts: Vec::new() }
    }

    /// A plan of an object with this API version and kind.
    pub fn of_kind((api_version, kind): (&str, &str)) -> Self {
        let fields = [("apiVersion", api_version), ("kind", kind)];
        Self::on(fields.into_iter().map(|(key, text)| (key, Value::from(text))).collect())
    }

    /// Evaluates every rule for `inputs`.
    pub fn of<I>(rules: &[Rule<I>], inputs: &I) -> Self {
        Self::default().and(rules, inputs)
    }

    /// Adds another table for the same object. Later rules overwrite earlier ones, and append after them.
    #[must_use]
    pub fn and<I>(self, rules: &[Rule<I>], inputs: &I) -> Self {
        self.at("", rules, inputs)
    }

    /// Adds a table whose paths start at `path`.
    #[must_use]
    pub fn at<I>(mut self, path: &str, rules: &[Rule<I>], inputs: &I) -> Self {
        self.evaluate(path.to_owned(), None, rules, inputs);
        self
    }

    /// Adds a table about one element.
    #[must_use]
    pub fn each<E: Element>(self, rules: &[Rule<E>], element: &E) -> Self {
        self.each_at("", rules, element)
    }

    /// Adds a table about one element, whose paths start at `path`.
    #[must_use]
    pub fn each_at<E: Element>(mut self, path: &str, rules: &[Rule<E>], element: &E) -> Self {
        let named = ElementName { word: E::WORD, name: element.name().to_owned(), indexes: element.indexes().to_vec() };
        self.evaluate(path.to_owned(), Some(named), rules, element);
        self
    }

    /// Adds a table about one element, as the next item of the list at `list`.
    #[must_use]
    pub fn item<E: Element>(self, list: &str, rules: &[Rule<E>], element: &E) -> Self {
        let next = path::get(&self.object, list).and_then(Value::as_array).map_or(0, Vec::len);
        self.each_at(&path::index(list, next), rules, element)
    }

    /// Adds a table about one element, as the value for its name in the map at `map`.
    #[must_use]
    pub fn entry<E: Element>(self, map: &str, rules: &[Rule<E>], element: &E) -> Self {
        self.each_at(&path::key(map, element.name()), rules, element)
    }

    /// Adds another plan at `path`, as an Object contains the manifest that it wraps.
    #[must_use]
    pub fn embed(mut self, path: &str, inner: Self) -> Self {
        path::set(&mut self.object, path, inner.object);
        let moved = |part: TablePart| TablePart { under: path::join(path, &part.under), ..part };
        self.parts.extend(inner.parts.into_iter().map(moved));
        self
    }

    /// The object.
    pub fn object(&self) -> &Value {
        &self.object
    }

    /// The object without the rules.
    pub fn into_object(self) -> Value {
        self.object
    }

    /// The rules that gave values, in order, each with the value at its path.
    pub fn values(&self) -> impl Iterator<Item = (&Stated, &Value)> {
        let of = |part: &'_ TablePart, row: &'_ Row| path::get(&self.object, &part.path(row));
        self.parts
            .iter()
            .flat_map(move |part| part.rows.iter().filter_map(move |row| Some((&row.stated, of(part, row)?))))
    }

    /// The explanations of all values, for the resource `resource` in which the object is at the path `under`. A rule has
    /// no explanation if a later rule overwrote its value, or if it gave an empty list or object that is no longer empty.
    pub fn derivations(&self, resource: &str, under: &str) -> Vec<Derivation> {
        let rows: Vec<_> = self.parts.iter().flat_map(|part| part.rows.iter().map(move |row| (part, row))).collect();
        let paths: Vec<String> = rows.iter().map(|(part, row)| part.path(row)).collect();
        // Each path is compared with all later ones, so they are split once.
        let steps: Vec<Vec<_>> = paths.iter().map(|path| path::segments(path).collect()).collect();
        let explained = rows.iter().enumerate().filter_map(|(at, (part, row))| {
            let (path, own) = (paths.get(at)?, steps.get(at)?);
            let later = rows.iter().zip(&steps).skip(at + 1);
            let mut overwriting = later.filter(|((_, later), _)| later.appended.is_none()).map(|(_, steps)| steps);
            let value = path::get(&self.object, path)?;
            let filled = row.empty && !is_empty(value);
            let gone = filled || overwriting.any(|later| own.starts_with(later));
            (!gone).then(|| Derivation {
                resource: resource.to_owned(),
                path: path::join(under, path),
                value: if row.hidden { HIDDEN.into() } else { value.clone() },
                because: part.because(row.stated.because).into_owned(),
                causes: row.stated.causes.iter().map(|cause| part.cause(cause)).collect(),
            })
        });
        explained.collect()
    }

    fn evaluate<I>(&mut self, under: String, element: Option<ElementName>, rules: &[Rule<I>], inputs: &I) {
        let mut values = rules.iter().filter_map(|rule| Some((rule.stated, rule.hidden, rule.value(inputs)?)));
        self.add(under, element, &mut values);
    }

    /// Adds the values of a table, each with whether it is hidden. This code is there once, and not for each type of inputs.
    fn add(
        &mut self,
        under: String,
        element: Option<ElementName>,
        values: &mut dyn Iterator<Item = (Stated, bool, Value)>,
    ) {
        // Most rules of a large table give no value, so there is no room for all of them.
        let mut rows = Vec::new();
        for (stated, hidden, value) in values {
            let before = rows.len();
            // Created only now, so that a table without values does not create an empty object.
            let Some(object) = path::place(&mut self.object, &under) else { return };
            write(object, stated, value, &mut rows);
            rows.iter_mut().skip(before).for_each(|row| row.hidden = hidden);
        }
        if !rows.is_empty() {
            self.parts.push(TablePart { under, element, rows });
        }
    }
}

/// Writes the value of a rule into the object, and adds its rows.
fn write(object: &mut Value, stated: Stated, value: Value, rows: &mut Vec<Row>) {
    match (stated.target(), value) {
        (Target::Field(path), value) => {
            rows.push(Row { stated, appended: None, empty: is_empty(&value), hidden: false });
            path::set(object, path, value);
        }
        (Target::Items(path), Value::Array(items)) => {
            rows.extend(items.into_iter().filter_map(|item| append(object, stated, path, item)));
        }
        (Target::Item(path) | Target::Items(path), value) => rows.extend(append(object, stated, path, value)),
    }
}

/// Appends a value to the list at `path`. Anything else at `path` is replaced by a list.
fn append(object: &mut Value, stated: Stated, path: &str, value: Value) -> Option<Row> {
    let place = path::place(object, path)?;
    if !place.is_array() {
        *place = Value::Array(Vec::new());
    }
    let list = place.as_array_mut()?;
    let row = Row { stated, appended: Some(list.len()), empty: is_empty(&value), hidden: false };
    list.push(value);
    Some(row)
}

fn is_empty(value: &Value) -> bool {
    match value {
        Value::Array(items) => items.is_empty(),
        Value::Object(fields) => fields.is_empty(),
        _ => false,
    }
}

impl Row {
    /// The path of the value, from the start of the table.
    fn path(&self) -> Cow<'static, str> {
        match (self.stated.target(), self.appended) {
            (Target::Item(list) | Target::Items(list), Some(index)) => path::index(list, index).into(),
            _ => self.stated.path.into(),
        }
    }
}

impl TablePart {
    /// The path of the value of a row, from the root of the object.
    fn path(&self, row: &Row) -> String {
        path::join(&self.under, &row.path())
    }

    /// A reason or a cause, with the name of the element filled in.
    fn because(&self, stated: &'static str) -> Cow<'static, str> {
        match &self.element {
            Some(ElementName { word, name, .. }) if stated.contains('{') => {
                stated.replace(&format!("{{{word}}}"), name).into()
            }
            _ => stated.into(),
        }
    }

    /// A cause, with name and indexes of the element filled in.
    fn cause(&self, stated: &'static str) -> String {
        let stated = self.because(stated).into_owned();
        let indexes = self.element.iter().flat_map(|element| &element.indexes);
        indexes.fold(stated, |cause, index| cause.replacen("[]", &format!("[{index}]"), 1))
    }
}
