//! Quantities that change during an evaluation.

use std::collections::BTreeMap;
use std::sync::Arc;

use quantity::Quantity;

use crate::value::{Amount, List, Map, Value};

/// The changed quantities of an evaluation.
///
/// Upstream, a quantity is a pointer. A comparison of a small quantity with a big one turns it into a big one, which has no
/// integer value any more; `add` and `sub` change a big quantity. An expression that uses a quantity twice can observe
/// both, so both happen here too, but only within one evaluation.
#[derive(Default)]
pub(crate) struct Amounts {
    /// The changed quantities by the address of the original, which is kept alive.
    changed: BTreeMap<usize, (Arc<Quantity>, Quantity)>,
}

impl Amounts {
    pub(crate) fn get<'q>(&'q self, amount: &'q Amount) -> &'q Quantity {
        match self.changed.get(&address(amount)) {
            Some((_, quantity)) => quantity,
            None => &amount.shared,
        }
    }

    pub(crate) fn set(&mut self, amount: &Amount, quantity: Quantity) {
        self.changed.insert(address(amount), (amount.shared.clone(), quantity));
    }

    /// The value with the current state of its quantities.
    pub(crate) fn current<'a>(&self, value: &Value<'a>) -> Value<'a> {
        if self.changed.is_empty() {
            return value.clone();
        }
        match value {
            Value::Quantity(amount) => {
                Value::Quantity(Amount { shared: Arc::new(self.get(amount).clone()), computed: amount.computed })
            }
            Value::List(List::Values(values)) => Value::list(values.iter().map(|value| self.current(value)).collect()),
            Value::Map(Map::Values(entries)) => {
                Value::map(entries.iter().map(|(key, value)| (key.clone(), self.current(value))).collect())
            }
            Value::Optional(Some(inner)) => Value::some(self.current(inner)),
            _ => value.clone(),
        }
    }
}

fn address(amount: &Amount) -> usize {
    Arc::as_ptr(&amount.shared).addr()
}
