//! The names that an environment declares.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::declare::{Declared, SchemaStep, Shape};
use crate::libraries::signature::Function;
use crate::libraries::{functions, tolerant};
use crate::names;
use crate::syntax::Dialect;
use crate::types::Type;

/// Variables, and the fields of their types. [`Environment`](crate::Environment) shares it.
pub(crate) struct Scope {
    variables: Vec<Variable>,
    /// The fields of object types, by the name of the type.
    objects: BTreeMap<Arc<str>, BTreeMap<String, Type>>,
    pub(crate) dialect: Dialect,
}

/// A variable of an environment.
pub(crate) struct Variable {
    pub(crate) name: &'static str,
    pub(crate) ty: Type,
    pub(crate) declared: Declared,
}

impl Scope {
    pub(crate) fn new(dialect: Dialect, variables: Vec<Variable>) -> Self {
        let mut objects = BTreeMap::new();
        for variable in &variables {
            variable.declared.objects(&mut |name, fields| {
                let types = fields.iter().map(|(name, field)| (name.clone(), field.declared.ty().clone()));
                let mut named = BTreeMap::new();
                named.extend(types);
                objects.insert(name.clone(), named);
            });
        }
        Self { variables, objects, dialect }
    }

    pub(crate) fn variable(&self, name: &str) -> Option<&Type> {
        self.variables.iter().find(|variable| variable.name == name).map(|variable| &variable.ty)
    }

    pub(crate) fn variables(&self) -> impl Iterator<Item = &'static str> {
        self.variables.iter().map(|variable| variable.name)
    }

    /// The type of an object's field. A reserved word also finds the field with its escaped name.
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

    /// A type of the declarations. The checker knows it by this name; programs do not.
    pub(crate) fn declared(&self, name: &str) -> Option<Type> {
        match name {
            "duration" => Some(Type::Duration),
            "timestamp" => Some(Type::Timestamp),
            _ => self.objects.contains_key(name).then(|| Type::object(name)),
        }
    }

    /// The function with this name, if the environment has it.
    pub(crate) fn function(&self, name: &str) -> Option<&'static Function> {
        let tolerant = if self.dialect == Dialect::TolerantDevice { tolerant::lookup(name) } else { None };
        tolerant.or_else(|| functions::lookup(name).filter(|function| self.has(function)))
    }

    /// Whether the environment has a function.
    pub(crate) fn has(&self, function: &Function) -> bool {
        self.dialect != Dialect::Rule || function.name != "includes"
    }

    /// The largest size, in elements or characters, of the value at a path. `None` if there is no such path.
    pub(crate) fn most(&self, path: &[&str]) -> Option<u64> {
        let (root, steps) = path.split_first()?;
        let root = match self.dialect {
            Dialect::Device | Dialect::TolerantDevice => {
                self.variables.iter().find(|variable| variable.name == *root)?
            }
            // Kubernetes reads every path of a rule as a path from `self`.
            Dialect::Rule => self.variables.first()?,
        };
        let mut current = &root.declared;
        for (index, step) in steps.iter().enumerate() {
            match current.step(step) {
                Some(SchemaStep::Declared(next)) => current = next,
                Some(SchemaStep::Key(most)) => return (index + 1 == steps.len()).then_some(most),
                // All attributes of a domain have the same limit, and any name.
                None => match &current.0.shape {
                    Shape::Map { values, .. } if matches!(values.0.shape, Shape::Attribute) => current = values,
                    _ => return None,
                },
            }
        }
        Some(current.0.most)
    }
}
