//! Quantities that change during an evaluation.

use std::collections::BTreeMap;
use std::sync::Arc;

use quantity::Quantity;

use crate::error::RunError;
use crate::fuel::{ALLOCATION, ELEMENT, Fuel};
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
    ///
    /// # Errors
    /// When there is not enough fuel to go over the value.
    pub(crate) fn current<'a>(&self, value: &Value<'a>, fuel: &mut Fuel) -> Result<Value<'a>, RunError> {
        if self.changed.is_empty() {
            return Ok(value.clone());
        }
        fuel.spend(ELEMENT)?;
        Ok(match value {
            Value::Quantity(amount) => {
                fuel.spend(ALLOCATION + self.get(amount).digits())?;
                Value::Quantity(Amount { shared: Arc::new(self.get(amount).clone()), computed: amount.computed })
            }
            Value::List(List::Values(values)) => {
                Value::list(values.iter().map(|value| self.current(value, fuel)).collect::<Result<_, _>>()?)
            }
            Value::Map(Map::Values(entries)) => {
                let current = entries.iter().map(|(key, value)| Ok((key.clone(), self.current(value, fuel)?)));
                Value::map(current.collect::<Result<_, RunError>>()?)
            }
            Value::Optional(Some(inner)) => Value::some(self.current(inner, fuel)?),
            _ => value.clone(),
        })
    }
}

fn address(amount: &Amount) -> usize {
    Arc::as_ptr(&amount.shared).addr()
}
