//! Placeholders, and the mappings that stand for lists or are left out.

use anyhow::{Context as _, Result, bail};
use serde_json::{Map, Value};

use super::names::child_name;
use super::seen::SeenObjects;

/// Entries of a mapping that are no part of the object.
const ONLY: &str = "$only";
const EACH: &str = "$each";
const ITEM: &str = "$item";

/// What placeholders stand for.
#[derive(Clone, Copy)]
pub(crate) struct RowScope<'a> {
    /// What is known by a name.
    pub(crate) values: &'a Map<String, Value>,
    /// The element of the list for which a row or an item is.
    pub(crate) each: Option<&'a Value>,
    pub(crate) seen: &'a SeenObjects,
}

impl RowScope<'_> {
    /// A part of an object without placeholders. `None` where it is missing: its entry or item is then left out.
    pub(crate) fn filled(&self, part: &Value) -> Result<Option<Value>> {
        match part {
            Value::String(text) => self.value(text),
            Value::Object(mapping) if mapping.contains_key(EACH) => self.items(mapping),
            Value::Object(mapping) => self.mapping(mapping),
            Value::Array(list) => {
                let mut filled = Vec::new();
                for item in list {
                    filled.extend(self.filled(item)?);
                }
                Ok((list.is_empty() || !filled.is_empty()).then_some(Value::Array(filled)))
            }
            Value::Null | Value::Bool(_) | Value::Number(_) => Ok(Some(part.clone())),
        }
    }

    /// The text that a text with placeholders stands for.
    pub(crate) fn text(&self, text: &str) -> Result<Option<String>> {
        Ok(self.value(text)?.as_ref().map(shown))
    }

    /// The list that a placeholder stands for.
    pub(crate) fn list(&self, text: &str) -> Result<Option<Vec<Value>>> {
        match self.value(text)? {
            None => Ok(None),
            Some(Value::Array(list)) => Ok(Some(list)),
            Some(other) => bail!("{text} is no list, but {other}"),
        }
    }

    /// Whether the value of a placeholder is there.
    pub(crate) fn there(&self, text: &str) -> Result<bool> {
        Ok(is_there(self.value(text)?.as_ref()))
    }

    fn mapping(&self, mapping: &Map<String, Value>) -> Result<Option<Value>> {
        if let Some(only) = mapping.get(ONLY)
            && !self.there(only.as_str().context("no placeholder")?)?
        {
            return Ok(None);
        }
        let mut filled = Map::new();
        for (name, part) in mapping.iter().filter(|(name, _)| *name != ONLY) {
            if let Some(value) = self.filled(part)? {
                filled.insert(name.clone(), value);
            }
        }
        // One that is written out empty stays.
        Ok((mapping.is_empty() || !filled.is_empty()).then_some(Value::Object(filled)))
    }

    fn items(&self, mapping: &Map<String, Value>) -> Result<Option<Value>> {
        let (Some(each), Some(item), 2) = (mapping.get(EACH), mapping.get(ITEM), mapping.len()) else {
            bail!("{EACH} and {ITEM} go together, without anything else");
        };
        let Some(list) = self.list(each.as_str().context("no placeholder")?)? else { return Ok(None) };
        let mut items = Vec::new();
        for element in &list {
            items.extend(RowScope { each: Some(element), ..*self }.filled(item)?);
        }
        Ok(Some(Value::Array(items)))
    }

    /// The value of a text. A placeholder alone has any type, and one within a text is a part of it.
    fn value(&self, text: &str) -> Result<Option<Value>> {
        let alone = text.strip_prefix("${").and_then(|rest| rest.strip_suffix('}'));
        if let Some(expression) = alone.filter(|it| !it.contains('}')) {
            return self.expression(expression);
        }
        let (mut filled, mut rest) = (String::new(), text);
        while let Some((before, after)) = rest.split_once("${") {
            let (expression, after) = after.split_once('}').with_context(|| format!("no end in {text}"))?;
            let Some(value) = self.expression(expression)? else { return Ok(None) };
            filled.push_str(before);
            filled.push_str(&shown(&value));
            rest = after;
        }
        Ok(Some((filled + rest).into()))
    }

    /// What is between the braces. `?` binds less than all others.
    fn expression(&self, expression: &str) -> Result<Option<Value>> {
        match expression.split_once('?') {
            Some((condition, then)) if is_there(self.compared(condition)?.as_ref()) => {
                self.first(then, Self::placeholder_or_text)
            }
            Some(_) => Ok(None),
            None => self.compared(expression),
        }
    }

    fn compared(&self, expression: &str) -> Result<Option<Value>> {
        if let Some((place, text)) = expression.split_once("!=") {
            return Ok(Some((!self.is_text(place, text)?).into()));
        }
        if let Some((place, text)) = expression.split_once("==") {
            return Ok(Some(self.is_text(place, text)?.into()));
        }
        self.first(expression, Self::placeholder)
    }

    fn is_text(&self, place: &str, text: &str) -> Result<bool> {
        Ok(self.placeholder(place)?.is_some_and(|it| it == *text))
    }

    /// The first of the alternatives that is neither missing nor an empty text.
    fn first(&self, alternatives: &str, read: fn(&Self, &str) -> Result<Option<Value>>) -> Result<Option<Value>> {
        let mut alternatives = alternatives.split('|');
        let mut found = read(self, alternatives.next().unwrap_or_default())?;
        for alternative in alternatives {
            if found.as_ref().is_none_or(|it| it == "") {
                found = self.placeholder_or_text(alternative)?;
            }
        }
        Ok(found)
    }

    fn placeholder_or_text(&self, written: &str) -> Result<Option<Value>> {
        match written {
            "true" => Ok(Some(true.into())),
            _ if written.starts_with("spec.") || written.starts_with("each.") => self.placeholder(written),
            _ => Ok(Some(written.into())),
        }
    }

    /// The value of a plain placeholder. `null` is missing.
    fn placeholder(&self, written: &str) -> Result<Option<Value>> {
        let found = match written.split_once(':') {
            None => self.named(written)?,
            Some(("child", part)) => {
                let name = self.values.get("name").and_then(Value::as_str).context("the composite has no name")?;
                Some(child_name(name, part).into())
            }
            Some(("external_name", key)) => self.seen.external_name(key).map(Value::from),
            Some(("observed", of)) => {
                let (key, path) = of.split_once(':').with_context(|| format!("no path in {of}"))?;
                self.seen.get(key).and_then(|object| below(object, path.split('.')))
            }
            Some((other, _)) => bail!("no placeholder begins with {other}"),
        };
        Ok(found.filter(|it| !it.is_null()))
    }

    fn named(&self, path: &str) -> Result<Option<Value>> {
        let mut names = path.split('.');
        let found = match names.next() {
            Some("each") => self.each,
            first => first.and_then(|first| self.values.get(first)),
        };
        // A misspelled name would be missing for ever.
        Ok(below(found.with_context(|| format!("nothing is known as {path}"))?, names))
    }
}

fn below<'n>(value: &Value, mut names: impl Iterator<Item = &'n str>) -> Option<Value> {
    names.try_fold(value, |value, name| value.get(name)).cloned()
}

/// Not absent, not null, not empty, not false.
fn is_there(value: Option<&Value>) -> bool {
    match value {
        None | Some(Value::Null) => false,
        Some(Value::Bool(it)) => *it,
        Some(Value::Number(_)) => true,
        Some(Value::String(text)) => !text.is_empty(),
        Some(Value::Array(list)) => !list.is_empty(),
        Some(Value::Object(mapping)) => !mapping.is_empty(),
    }
}

/// A value within a text.
fn shown(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn placeholders_of_rows() {
        let observed = json!({
            "metadata": {"annotations": {"crossplane.io/external-name": "vpc-1"}},
            "status": {"email": "a@b"},
        });
        let seen = SeenObjects::from_iter([("network.a".to_owned(), observed)]);
        let spec =
            json!({"text": "here", "empty": "", "none": null, "number": 0, "no": false, "list": [{"n": 1}, {"n": 2}]});
        let values = json!({"name": "test-cluster", "spec": spec, "identity": null});
        let values = values.as_object().cloned().unwrap_or_default();
        let each = json!({"n": 3, "low": 1});
        let scope = RowScope { values: &values, each: Some(&each), seen: &seen };
        let check = |part: Value, want: Value| {
            let found = scope.filled(&part).unwrap_or_else(|error| panic!("{part}: {error:#}"));
            assert_eq!(found.unwrap_or_default(), want, "{part}");
        };
        // A placeholder alone keeps its type. Missing is `null` here.
        check(json!("${spec.number}"), json!(0));
        check(json!("${spec.none}"), json!(null));
        check(json!("${spec.other.deeper}"), json!(null));
        check(json!("${identity.name}"), json!(null));
        check(json!("a ${spec.text}, ${spec.number} $1 {}"), json!("a here, 0 $1 {}"));
        check(json!("a ${spec.none}"), json!(null));
        check(json!("${child:kubeconfig}"), json!("test-cluster-kubeconfig-55b57"));
        check(json!("${external_name:network.a}"), json!("vpc-1"));
        check(json!("${external_name:other}"), json!(null));
        check(json!("to:${observed:network.a:status.email}"), json!("to:a@b"));
        // Alternatives, conditions, and comparisons.
        check(json!("${spec.text|other}"), json!("here"));
        check(json!("${spec.empty|v1.0:0}"), json!("v1.0:0"));
        check(json!("${spec.none|/}"), json!("/"));
        check(json!("${spec.text?/home/it}"), json!("/home/it"));
        check(json!("${spec.no?it}"), json!(null));
        check(json!("${spec.empty?it}"), json!(null));
        check(json!("${spec.number?true}"), json!(true));
        check(json!("${each.n?each.low|each.n}"), json!(1));
        check(json!("${each.n?each.none|each.n}"), json!(3));
        check(json!("${each.none?each.low|each.n}"), json!(null));
        check(json!("${spec.text==here}"), json!(true));
        check(json!("${spec.text==there}"), json!(false));
        check(json!("${spec.text==here?EFA}"), json!("EFA"));
        check(json!("${spec.text==there?EFA}"), json!(null));
        check(json!("${spec.text!=/?spec.text}"), json!("here"));
        check(json!("${spec.text!=here?spec.text}"), json!(null));
        check(json!("${spec.none!=/?spec.none}"), json!(null));
        // Mappings and lists.
        check(json!({"a": "${spec.none}", "b": 1}), json!({"b": 1}));
        check(json!({"a": {"b": "${spec.none}"}, "c": {}, "d": [], "e": ["${spec.none}"]}), json!({"c": {}, "d": []}));
        check(json!({"a": {"$only": "${identity}", "b": 1}, "c": 1}), json!({"c": 1}));
        check(json!({"a": {"$only": "${spec.text}", "b": 1}}), json!({"a": {"b": 1}}));
        check(json!({"$each": "${spec.list}", "$item": {"m": "${each.n}"}}), json!([{"m": 1}, {"m": 2}]));
        // What is misspelled is not just missing.
        for wrong in ["${spek.text}", "${kid:a}", "a ${name", "${observed:network.a}"] {
            assert!(scope.filled(&json!(wrong)).is_err(), "{wrong}");
        }
        assert!(scope.filled(&json!({"$each": "${spec.list}"})).is_err());
        assert!(scope.list("${spec.text}").is_err());
    }
}
