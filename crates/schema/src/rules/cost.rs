//! Limits on the estimated cost of rules, as the API server checks them when a definition is created.

use serde_json::{Map, Value};

use crate::error::{FieldError, Kind};
use crate::node::{Node, Type};
use crate::path::Place;

/// The highest estimated cost of one expression (`StaticEstimatedCostLimit`).
const LIMIT: u64 = 10_000_000;
/// The highest estimated cost of all expressions of a schema (`StaticEstimatedCRDCostLimit`).
const TOTAL_LIMIT: u64 = 100_000_000;
/// How many expressions are reported when the total is too high. Those below a hundredth of the limit are left out.
const NAMED: usize = 4;

/// How often a value can occur in an object. `None` when a list or map above has no limit.
pub(crate) type Repetition = Option<u64>;

/// How often the values inside a value can occur. `map` means that the schema has additional properties.
pub(crate) fn inside(times: Repetition, node: &Node, map: bool) -> Repetition {
    let count = |most: Option<i64>| most.map(|most| u64::try_from(most).unwrap_or(0));
    let most = if node.is(Type::Array) {
        count(node.max_items)
    } else if node.is(Type::Object) && map {
        count(node.max_properties)
    } else {
        Some(1)
    };
    times?.checked_mul(most?).or(Some(u64::MAX))
}

/// The most values in all parts of a schema that have rules. A part is declared for its rules, also inside another such part.
const MOST_DECLARED: usize = 300_000;

/// The costs of all expressions of a schema.
#[derive(Default)]
pub(crate) struct Costs {
    declared: usize,
    total: u64,
    /// The most expensive first.
    expensive: Vec<(u64, FieldError)>,
}

impl Costs {
    /// Counts the expression at `at`, which is evaluated at most `times` times. Returns an error when its cost alone is too
    /// high.
    pub(crate) fn add(&mut self, what: &str, at: &Place<'_>, cost: u64, times: u64) -> Option<FieldError> {
        let cost = cost.saturating_mul(times);
        self.count(at, cost);
        let detail = (cost > LIMIT).then(|| too_much(&format!("estimated {what} cost"), cost, LIMIT))?;
        Some(FieldError::at(at, Kind::Forbidden, None, detail))
    }

    /// Counts the schema at `at`, whose rules are to be compiled. Returns an error when there were too many before.
    pub(crate) fn declare(&mut self, at: &Place<'_>, schema: &Map<String, Value>) -> Option<FieldError> {
        if self.declared <= MOST_DECLARED {
            self.declared += schema.values().map(size).sum::<usize>();
            return None;
        }
        Some(FieldError::at(at, Kind::Forbidden, None, "too many levels of a large schema have rules"))
    }

    fn count(&mut self, at: &Place<'_>, cost: u64) {
        self.total = self.total.saturating_add(cost);
        if cost >= TOTAL_LIMIT / 100 {
            let detail = "contributed to estimated rule cost total exceeding cost limit for entire OpenAPIv3 schema";
            let place = self.expensive.partition_point(|(known, _)| *known >= cost);
            self.expensive.insert(place, (cost, FieldError::at(at, Kind::Forbidden, None, detail)));
            self.expensive.truncate(NAMED);
        }
    }

    /// The errors when the total is too high.
    pub(crate) fn errors(self) -> Vec<FieldError> {
        if self.total <= TOTAL_LIMIT {
            return Vec::new();
        }
        let what = "x-kubernetes-validations estimated rule cost total for entire OpenAPIv3 schema";
        let total = FieldError::at(&Place::ROOT, Kind::Forbidden, None, too_much(what, self.total, TOTAL_LIMIT));
        self.expensive.into_iter().map(|(_, error)| error).chain([total]).collect()
    }
}

/// The number of values in a schema.
fn size(schema: &Value) -> usize {
    match schema {
        Value::Object(fields) => 1 + fields.values().map(size).sum::<usize>(),
        Value::Array(items) => 1 + items.iter().map(size).sum::<usize>(),
        _ => 1,
    }
}

fn too_much(what: &str, cost: u64, limit: u64) -> String {
    #[expect(clippy::cast_precision_loss, reason = "as the API server tells it")]
    let factor = cost as f64 / limit as f64;
    let factor = match factor {
        factor if factor > 100.0 => "more than 100x".to_owned(),
        factor if factor < 1.5 => format!("{factor:.6}x"),
        factor => format!("{factor:.1}x"),
    };
    format!(
        "{what} exceeds budget by factor of {factor} (try simplifying the rule, or adding maxItems, maxProperties, and \
         maxLength where arrays, maps, and strings are declared)"
    )
}
