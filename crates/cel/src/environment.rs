//! Environments: the variables, types and functions that an expression can use.

use std::collections::BTreeMap;
use std::sync::{Arc, LazyLock};

use crate::check::scope::{Scope, Variable};
use crate::declare::{Declared, DeclaredField, Shape};
use crate::syntax::Dialect;
use crate::types::Type;

/// The variables that an expression can use, with their types and largest sizes. Cheap to clone.
///
/// All environments have the same functions, except that only device selectors have `cel.bind` and `includes`, and that the
/// tolerant one has further spellings of some.
#[derive(Clone)]
pub struct Environment(pub(crate) Arc<Scope>);

impl Environment {
    /// The environment of device selectors: the variable `device`, with `driver`, `attributes`, `capacity` and
    /// `allowMultipleAllocations`.
    pub fn device() -> Self {
        static DEVICE: LazyLock<Environment> = LazyLock::new(|| Environment::with_device(Dialect::Device));
        DEVICE.clone()
    }

    /// The same, and functions of quantities and versions may also be spelled as Modelplane v0.3.1 accepts them.
    pub fn tolerant_device() -> Self {
        static DEVICE: LazyLock<Environment> = LazyLock::new(|| Environment::with_device(Dialect::TolerantDevice));
        DEVICE.clone()
    }

    /// The environment of rules in `x-kubernetes-validations`: the variables `self` and `oldSelf`, of the type of the schema
    /// that has the rule. With `optional_old_self`, `oldSelf` is optional (`optionalOldSelf: true`).
    pub fn rule(this: &Declared, optional_old_self: bool) -> Self {
        let ty = this.ty().clone();
        let old = if optional_old_self { Type::optional(ty.clone()) } else { ty.clone() };
        let variable = |name, ty| Variable { name, ty, declared: this.clone() };
        Self(Arc::new(Scope::new(Dialect::Rule, vec![variable("self", ty), variable("oldSelf", old)])))
    }

    fn with_device(dialect: Dialect) -> Self {
        let declared = device();
        let variable = Variable { name: "device", ty: declared.ty().clone(), declared };
        Self(Arc::new(Scope::new(dialect, vec![variable])))
    }
}

/// The type of `device`, with the largest sizes of its parts.
fn device() -> Declared {
    const MOST_NAMES: u64 = 32;
    let text = |most| Declared::new(Type::String, Shape::Attribute, most, 2, false);
    let map = |keys, values: Declared, most| {
        let ty = Type::map(Type::String, values.ty().clone());
        Declared::new(ty, Shape::Map { keys, values }, most, 2, false)
    };
    let attribute = Declared::new(Type::Any, Shape::Attribute, 64, 1, false);
    let amount = Declared::new(Type::Opaque("kubernetes.Quantity"), Shape::Quantity, 0, 8, false);
    let domains = |values| map(63, map(32, values, MOST_NAMES), MOST_NAMES);
    let fields = [
        ("driver", text(63)),
        ("attributes", domains(attribute)),
        ("capacity", domains(amount)),
        ("allowMultipleAllocations", Declared::new(Type::Bool, Shape::Bool, 1, 4, false)),
    ];
    let field =
        |(name, declared): (&str, Declared)| (name.to_owned(), DeclaredField { property: name.to_owned(), declared });
    let mut declared = BTreeMap::new();
    declared.extend(fields.into_iter().map(field)); // to collect them would take the code of a sort of its own
    Declared::new(Type::object("kubernetes.DRADevice"), Shape::Object(declared), 0, 2, false)
}
