//! Environments: what expressions of one kind can name.

use std::collections::BTreeMap;
use std::sync::{Arc, LazyLock};

use crate::declare::{Declared, Shape, Step};
use crate::functions::Function;
use crate::names;
use crate::types::Type;

/// What an expression can name, and how large it can be. Cheap to clone.
///
/// The functions are the same for all environments but for two: devices have `cel.bind` and `includes`.
#[derive(Clone)]
pub struct Environment(pub(crate) Arc<Inner>);

pub(crate) struct Inner {
    variables: Vec<Variable>,
    /// The fields of object types, by the name of the type.
    objects: BTreeMap<Arc<str>, BTreeMap<String, Type>>,
    pub(crate) kind: Kind,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Device,
    Rule,
}

struct Variable {
    name: &'static str,
    ty: Type,
    declared: Declared,
}

impl Environment {
    /// For device selectors: `device`, with `driver`, `attributes`, `capacity` and `allowMultipleAllocations`.
    pub fn device() -> Self {
        static DEVICE: LazyLock<Environment> = LazyLock::new(|| {
            let declared = crate::device::declared();
            Environment::new(Kind::Device, vec![Variable { name: "device", ty: declared.ty().clone(), declared }])
        });
        DEVICE.clone()
    }

    /// For rules of `x-kubernetes-validations`: `self` and `oldSelf`, of the type that the schema declares around
    /// the rule. With `optional_old_self`, `oldSelf` is optional (`optionalOldSelf: true`).
    pub fn rule(this: &Declared, optional_old_self: bool) -> Self {
        let ty = this.ty().clone();
        let old = if optional_old_self { Type::optional(ty.clone()) } else { ty.clone() };
        let variable = |name, ty| Variable { name, ty, declared: this.clone() };
        Self::new(Kind::Rule, vec![variable("self", ty), variable("oldSelf", old)])
    }

    fn new(kind: Kind, variables: Vec<Variable>) -> Self {
        let mut objects = BTreeMap::new();
        for variable in &variables {
            variable.declared.objects(&mut |name, fields| {
                let types = fields.iter().map(|(name, field)| (name.clone(), field.declared.ty().clone()));
                objects.insert(name.clone(), types.collect());
            });
        }
        Self(Arc::new(Inner { variables, objects, kind }))
    }
}

impl Inner {
    pub(crate) fn variable(&self, name: &str) -> Option<&Type> {
        self.variables.iter().find(|variable| variable.name == name).map(|variable| &variable.ty)
    }

    pub(crate) fn variables(&self) -> impl Iterator<Item = &'static str> {
        self.variables.iter().map(|variable| variable.name)
    }

    /// The type of an object's field. A reserved word finds the field that it is the escape of.
    pub(crate) fn field(&self, object: &str, field: &str) -> Option<&Type> {
        let fields = self.objects.get(object)?;
        fields.get(field).or_else(|| {
            let escaped = names::is_reserved(field).then(|| format!("__{field}__"))?;
            fields.get(&escaped)
        })
    }

    /// The names of an object's fields.
    pub(crate) fn fields(&self, object: &str) -> impl Iterator<Item = &str> {
        self.objects.get(object).into_iter().flat_map(|fields| fields.keys().map(String::as_str))
    }

    /// A type that declarations have, which the checker finds by this name and programs do not.
    pub(crate) fn declared(&self, name: &str) -> Option<Type> {
        match name {
            "duration" => Some(Type::Duration),
            "timestamp" => Some(Type::Timestamp),
            _ => self.objects.contains_key(name).then(|| Type::object(name)),
        }
    }

    /// Whether the environment has a function.
    pub(crate) fn has(&self, function: &Function) -> bool {
        self.kind == Kind::Device || function.name != "includes"
    }

    /// The most elements or characters that what a path leads to can have; `None` if it leads nowhere.
    pub(crate) fn most(&self, path: &[&str]) -> Option<u64> {
        let (root, steps) = path.split_first()?;
        let root = match self.kind {
            Kind::Device => self.variables.iter().find(|variable| variable.name == *root)?,
            // Upstream takes every path of a rule for one from `self`.
            Kind::Rule => self.variables.first()?,
        };
        let mut current = &root.declared;
        for (index, step) in steps.iter().enumerate() {
            match current.step(step) {
                Some(Step::Declared(next)) => current = next,
                Some(Step::Key(most)) => return (index + 1 == steps.len()).then_some(most),
                // The attributes of a domain are all as long, whatever their names.
                None => match &current.0.shape {
                    Shape::Map { values, .. } if matches!(values.0.shape, Shape::Attribute) => current = values,
                    _ => return None,
                },
            }
        }
        Some(current.0.most)
    }
}
