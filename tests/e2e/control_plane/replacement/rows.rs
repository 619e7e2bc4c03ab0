//! What functions of v0.3.1 compose, from the rows of the files in `answers`. The comments of each file say what its notation
//! means.

mod bundles;
mod names;
mod notation;
mod seen;

use anyhow::{Context as _, Result};
use serde::Deserialize;
use serde_json::{Map, Value, json};
use tests::golden::documents;

use self::notation::RowScope;

pub(super) use self::names::{child_name, opaque_name};
pub(super) use self::seen::SeenObjects;

/// The rows of a file, in the order of composition.
pub(super) struct AnswerRows(Vec<AnswerRow>);

/// Objects of one key, or of one key for each element of a list.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct AnswerRow {
    key: String,
    each: Option<String>,
    crds: Option<String>,
    only: Option<String>,
    with: Option<String>,
    #[serde(default)]
    when: Vec<String>,
    #[serde(default)]
    when_ready: Vec<String>,
    #[serde(default)]
    when_established: Vec<String>,
    kept_by: Option<Vec<String>>,
    ready: RowReady,
    object: Value,
}

/// When an object is ready.
#[derive(Deserialize)]
#[serde(rename_all = "lowercase")]
enum RowReady {
    Always,
    Ready,
    Established,
    Accepted,
}

/// What a pass is given.
pub(super) struct AnswerPass<'a> {
    pub(super) composite: &'a Value,
    pub(super) seen: &'a SeenObjects,
    /// A mapping: what the file's own placeholders stand for. `null` is missing.
    pub(super) values: Value,
}

/// A desired object.
pub(super) struct AnswerObject {
    pub(super) key: String,
    pub(super) object: Value,
    pub(super) ready: bool,
}

impl AnswerRows {
    /// Reads the text of a file.
    pub(super) fn read(text: &str) -> Result<Self> {
        let rows = documents(text)?.pop().context("no rows")?;
        Ok(Self(serde_json::from_value(rows)?))
    }

    /// The desired objects, of which no two have the same key.
    pub(super) fn composed(&self, pass: &AnswerPass<'_>) -> Result<Vec<AnswerObject>> {
        let values = pass.values();
        let outer = RowScope { values: &values, each: None, seen: pass.seen };
        let mut composed: Vec<AnswerObject> = Vec::new();
        for row in &self.0 {
            for element in row.elements(&outer)? {
                let scope = RowScope { each: element.as_ref(), ..outer };
                if let Some(next) = row.composed(&scope, &composed).with_context(|| row.key.clone())? {
                    composed.retain(|earlier| earlier.key != next.key);
                    composed.push(next);
                }
            }
        }
        Ok(composed)
    }
}

impl AnswerPass<'_> {
    fn values(&self) -> Map<String, Value> {
        let metadata = &self.composite["metadata"];
        let of_composite =
            json!({"name": metadata["name"], "namespace": metadata["namespace"], "spec": self.composite["spec"]});
        let all = [&self.values, &of_composite].into_iter().filter_map(Value::as_object).flatten();
        all.map(|(name, value)| (name.clone(), value.clone())).collect()
    }
}

impl AnswerRow {
    /// The elements for which there is one object each. A row without a list has one object, for no element.
    fn elements(&self, scope: &RowScope<'_>) -> Result<Vec<Option<Value>>> {
        if let Some(bundle) = &self.crds {
            let all = bundles::definitions(bundle)?.into_iter();
            return Ok(all.map(|it| Some(json!({"name": it["metadata"]["name"], "document": it}))).collect());
        }
        let Some(each) = &self.each else { return Ok(vec![None]) };
        let list = scope.list(each)?.unwrap_or_default();
        Ok(list.into_iter().map(Some).collect())
    }

    fn composed(&self, scope: &RowScope<'_>, earlier: &[AnswerObject]) -> Result<Option<AnswerObject>> {
        if let Some(only) = &self.only
            && !scope.there(only)?
        {
            return Ok(None);
        }
        let key = scope.text(&self.key)?.context("it has no key")?;
        if !self.goes_ahead(scope.seen, earlier) && !self.is_kept(&key, scope.seen) {
            return Ok(None);
        }
        let object = scope.filled(&self.object)?.context("nothing is left of the object")?;
        let ready = self.ready.holds(&key, scope.seen);
        Ok(Some(AnswerObject { key, object, ready }))
    }

    /// Whether all that it waits for is there.
    fn goes_ahead(&self, seen: &SeenObjects, earlier: &[AnswerObject]) -> bool {
        self.when.iter().all(|key| seen.has(key))
            && self.when_ready.iter().all(|key| seen.condition(key, "Ready"))
            && self.when_established.iter().all(|key| seen.condition(key, "Established"))
            && self.with.as_ref().is_none_or(|with| earlier.iter().any(|it| it.key == *with))
    }

    /// Whether it is composed though something that it waits for is not there.
    fn is_kept(&self, key: &str, seen: &SeenObjects) -> bool {
        match &self.kept_by {
            Some(keys) => keys.iter().any(|key| seen.matches(key)),
            None => self.with.is_none() && seen.has(key),
        }
    }
}

impl RowReady {
    fn holds(&self, key: &str, seen: &SeenObjects) -> bool {
        match self {
            Self::Always => true,
            Self::Ready => seen.condition(key, "Ready"),
            Self::Established => seen.condition(key, "Established"),
            Self::Accepted => seen.condition(key, "Accepted"),
        }
    }
}
