//! Tables, settled for one object.

use std::borrow::Cow;

use contract::preview::Derivation;
use serde_json::{Map, Value};

use super::table::{Element, Rule, Stated, Target};
use crate::path;

#[cfg(test)]
mod tests;

/// Tables settled for one object: the object, and why it has each of its values.
#[derive(Clone, Debug, PartialEq)]
pub struct Plan {
    object: Value,
    parts: Vec<Part>,
}

/// A table settled for one thing.
#[derive(Clone, Debug, PartialEq)]
struct Part {
    /// Where in the object the paths of the rules begin.
    under: String,
    element: Option<Named>,
    rows: Vec<Row>,
}

/// An element, as explanations speak of it.
#[derive(Clone, Debug, PartialEq)]
struct Named {
    word: &'static str,
    name: String,
    places: Vec<usize>,
}

/// A rule that gave a value. The value itself stands in the object alone.
#[derive(Clone, Debug, PartialEq)]
struct Row {
    stated: Stated,
    /// The place that it got in a list that it was appended to.
    appended: Option<usize>,
    /// Whether the value was an empty list or object, which other rules may fill.
    empty: bool,
}

impl Default for Plan {
    /// A plan of nothing.
    fn default() -> Self {
        Self::on(Value::Object(Map::new()))
    }
}

impl Plan {
    /// A plan of an object that has some fields without a rule, such as its kind.
    pub fn on(object: Value) -> Self {
        Self { object, parts: Vec::new() }
    }

    /// A plan of an object of that API version and kind.
    pub fn of_kind((api_version, kind): (&str, &str)) -> Self {
        let fields = [("apiVersion", api_version), ("kind", kind)];
        Self::on(fields.into_iter().map(|(key, text)| (key, Value::from(text))).collect())
    }

    /// Settles every rule for `inputs`. This is where values are decided.
    pub fn of<I>(rules: &[Rule<I>], inputs: &I) -> Self {
        Self::default().and(rules, inputs)
    }

    /// The plan with another table, settled for the same object. Later rules win, and append after earlier ones.
    #[must_use]
    pub fn and<I>(self, rules: &[Rule<I>], inputs: &I) -> Self {
        self.at("", rules, inputs)
    }

    /// The plan with a table whose paths begin at `path`.
    #[must_use]
    pub fn at<I>(mut self, path: &str, rules: &[Rule<I>], inputs: &I) -> Self {
        self.settle(path.to_owned(), None, rules, inputs);
        self
    }

    /// The plan with a table about one element.
    #[must_use]
    pub fn each<E: Element>(self, rules: &[Rule<E>], element: &E) -> Self {
        self.each_at("", rules, element)
    }

    /// The plan with a table about one element, whose paths begin at `path`.
    #[must_use]
    pub fn each_at<E: Element>(mut self, path: &str, rules: &[Rule<E>], element: &E) -> Self {
        let named = Named { word: E::WORD, name: element.name().to_owned(), places: element.places().to_vec() };
        self.settle(path.to_owned(), Some(named), rules, element);
        self
    }

    /// The plan with a table about one element, which becomes the next item of a list.
    #[must_use]
    pub fn item<E: Element>(self, list: &str, rules: &[Rule<E>], element: &E) -> Self {
        let next = path::get(&self.object, list).and_then(Value::as_array).map_or(0, Vec::len);
        self.each_at(&path::index(list, next), rules, element)
    }

    /// The plan with a table about one element, which becomes what a map has under its name.
    #[must_use]
    pub fn entry<E: Element>(self, map: &str, rules: &[Rule<E>], element: &E) -> Self {
        self.each_at(&path::key(map, element.name()), rules, element)
    }

    /// The plan with the whole of another one at `path`, as an Object has the manifest that it wraps.
    #[must_use]
    pub fn embed(mut self, path: &str, inner: Self) -> Self {
        path::set(&mut self.object, path, inner.object);
        let moved = |part: Part| Part { under: path::join(path, &part.under), ..part };
        self.parts.extend(inner.parts.into_iter().map(moved));
        self
    }

    /// The object.
    pub fn object(&self) -> &Value {
        &self.object
    }

    /// The object by itself.
    pub fn into_object(self) -> Value {
        self.object
    }

    /// The rules that gave values, in order, and what stands where they lead to.
    pub fn values(&self) -> impl Iterator<Item = (&Stated, &Value)> {
        let of = |part: &'_ Part, row: &'_ Row| path::get(&self.object, &part.path(row));
        self.parts
            .iter()
            .flat_map(move |part| part.rows.iter().filter_map(move |row| Some((&row.stated, of(part, row)?))))
    }

    /// The plan as explanations of a resource in which the object stands at the path `under`: of every value as it is
    /// in the end. A rule that a later one has overwritten explains nothing, nor does one whose empty list was filled.
    pub fn derivations(&self, resource: &str, under: &str) -> Vec<Derivation> {
        let rows: Vec<_> = self.parts.iter().flat_map(|part| part.rows.iter().map(move |row| (part, row))).collect();
        let paths: Vec<String> = rows.iter().map(|(part, row)| part.path(row)).collect();
        let explained = rows.iter().enumerate().filter_map(|(at, (part, row))| {
            let path = paths.get(at)?;
            let later = rows.iter().zip(&paths).skip(at + 1);
            let mut overwriting = later.filter(|((_, later), _)| later.appended.is_none()).map(|(_, path)| path);
            let value = path::get(&self.object, path)?;
            let filled = row.empty && !is_empty(value);
            let gone = filled || overwriting.any(|later| path::leads_through(path, later));
            (!gone).then(|| Derivation {
                resource: resource.to_owned(),
                path: path::join(under, path),
                value: value.clone(),
                because: part.because(row.stated.because).into_owned(),
                causes: row.stated.causes.iter().map(|cause| part.cause(cause)).collect(),
            })
        });
        explained.collect()
    }

    fn settle<I>(&mut self, under: String, element: Option<Named>, rules: &[Rule<I>], inputs: &I) {
        let mut rows = Vec::with_capacity(rules.len());
        for rule in rules {
            let Some(value) = rule.value(inputs) else { continue };
            // Looked for only now: a table that gives nothing leaves nothing behind.
            let Some(object) = path::place(&mut self.object, &under) else { return };
            write(object, rule.stated, value, &mut rows);
        }
        if !rows.is_empty() {
            self.parts.push(Part { under, element, rows });
        }
    }
}

/// Writes the value of a rule into the object, and the rows that tell of it.
fn write(object: &mut Value, stated: Stated, value: Value, rows: &mut Vec<Row>) {
    match (stated.target(), value) {
        (Target::Field(path), value) => {
            rows.push(Row { stated, appended: None, empty: is_empty(&value) });
            path::set(object, path, value);
        }
        (Target::Items(path), Value::Array(items)) => {
            rows.extend(items.into_iter().filter_map(|item| append(object, stated, path, item)));
        }
        (Target::Item(path) | Target::Items(path), value) => rows.extend(append(object, stated, path, value)),
    }
}

/// Appends a value to the list at `path`; what stands there and is no list is replaced.
fn append(object: &mut Value, stated: Stated, path: &str, value: Value) -> Option<Row> {
    let place = path::place(object, path)?;
    if !place.is_array() {
        *place = Value::Array(Vec::new());
    }
    let list = place.as_array_mut()?;
    let row = Row { stated, appended: Some(list.len()), empty: is_empty(&value) };
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
    /// Where the value stands, from where the table begins.
    fn path(&self) -> Cow<'static, str> {
        match (self.stated.target(), self.appended) {
            (Target::Item(list) | Target::Items(list), Some(place)) => path::index(list, place).into(),
            _ => self.stated.path.into(),
        }
    }
}

impl Part {
    /// Where in the object the value of a row stands.
    fn path(&self, row: &Row) -> String {
        path::join(&self.under, &row.path())
    }

    /// A reason, with the name of the element.
    fn because(&self, stated: &'static str) -> Cow<'static, str> {
        match &self.element {
            Some(Named { word, name, .. }) if stated.contains('{') => {
                stated.replace(&format!("{{{word}}}"), name).into()
            }
            _ => stated.into(),
        }
    }

    /// A cause, with the places of the element.
    fn cause(&self, stated: &str) -> String {
        let places = self.element.iter().flat_map(|element| &element.places);
        places.fold(stated.to_owned(), |cause, place| cause.replacen("[]", &format!("[{place}]"), 1))
    }
}
