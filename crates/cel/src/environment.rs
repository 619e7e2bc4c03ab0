//! Environments: what expressions of one kind can name.

use std::sync::{Arc, LazyLock};

use crate::check::scope::{Scope, Variable};
use crate::declare::{Declared, Field, Shape};
use crate::syntax::Dialect;
use crate::types::Type;

/// What an expression can name, and how large it can be. Cheap to clone.
///
/// The functions are the same for all environments but for two: devices have `cel.bind` and `includes`.
#[derive(Clone)]
pub struct Environment(pub(crate) Arc<Scope>);

impl Environment {
    /// For device selectors: `device`, with `driver`, `attributes`, `capacity` and `allowMultipleAllocations`.
    pub fn device() -> Self {
        static DEVICE: LazyLock<Environment> = LazyLock::new(|| {
            let declared = device();
            Environment(Arc::new(Scope::new(
                Dialect::Device,
                vec![Variable { name: "device", ty: declared.ty().clone(), declared }],
            )))
        });
        DEVICE.clone()
    }

    /// For rules of `x-kubernetes-validations`: `self` and `oldSelf`, of the type that the schema declares around
    /// the rule. With `optional_old_self`, `oldSelf` is optional (`optionalOldSelf: true`).
    pub fn rule(this: &Declared, optional_old_self: bool) -> Self {
        let ty = this.ty().clone();
        let old = if optional_old_self { Type::optional(ty.clone()) } else { ty.clone() };
        let variable = |name, ty| Variable { name, ty, declared: this.clone() };
        Self(Arc::new(Scope::new(Dialect::Rule, vec![variable("self", ty), variable("oldSelf", old)])))
    }
}

/// The type of `device`, with the bounds of its parts.
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
    let field = |(name, declared): (&str, Declared)| (name.to_owned(), Field { property: name.to_owned(), declared });
    let fields = fields.into_iter().map(field).collect();
    Declared::new(Type::object("kubernetes.DRADevice"), Shape::Object(fields), 0, 2, false)
}
