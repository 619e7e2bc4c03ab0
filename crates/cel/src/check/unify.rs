//! Assignability of types, and the values of type variables (`checker/types.go` of `cel-go`).

use crate::libraries::signature::Sig;
use crate::types::Type;

/// The types that are bound to type variables.
#[derive(Default)]
pub(crate) struct Bindings {
    bound: Vec<Option<Type>>,
    /// The bindings to restore when an attempt fails.
    trail: Vec<(u32, Option<Type>)>,
}

impl Bindings {
    pub(crate) fn variable(&mut self) -> Type {
        self.bound.push(None);
        Type::Variable(u32::try_from(self.bound.len() - 1).unwrap_or(u32::MAX))
    }

    /// The type of a signature. Each type parameter, of which there are at most two, becomes a new variable.
    pub(crate) fn instance(&mut self, sig: Sig, parameters: &mut [Option<Type>; 2]) -> Type {
        match sig {
            Sig::Dyn => Type::Dyn,
            Sig::Bool => Type::Bool,
            Sig::Int => Type::Int,
            Sig::Uint => Type::Uint,
            Sig::Double => Type::Double,
            Sig::String => Type::String,
            Sig::Bytes => Type::Bytes,
            Sig::Timestamp => Type::Timestamp,
            Sig::Duration => Type::Duration,
            Sig::Opaque(name) => Type::Opaque(name),
            Sig::List(element) => Type::list(self.instance(*element, parameters)),
            Sig::Map(key, value) => {
                let key = self.instance(*key, parameters);
                Type::map(key, self.instance(*value, parameters))
            }
            Sig::Optional(inner) => Type::optional(self.instance(*inner, parameters)),
            Sig::Type(inner) => Type::Type(Some(self.instance(*inner, parameters).into())),
            Sig::Param(index) => {
                let index = index as usize & 1;
                if let Some(known) = &parameters[index] {
                    return known.clone();
                }
                let fresh = self.variable();
                parameters[index] = Some(fresh.clone());
                fresh
            }
        }
    }

    /// Whether `from` can be assigned to `to`. If so, the bindings that this needs are kept.
    pub(crate) fn assign(&mut self, from: &Type, to: &Type) -> bool {
        self.attempt(|bindings| bindings.fits(from, to))
    }

    /// The same for several types; all must fit.
    pub(crate) fn assign_all(&mut self, from: &[Type], to: &[Type]) -> bool {
        self.attempt(|bindings| from.len() == to.len() && from.iter().zip(to).all(|(from, to)| bindings.fits(from, to)))
    }

    fn attempt(&mut self, attempt: impl FnOnce(&mut Self) -> bool) -> bool {
        let mark = self.trail.len();
        let done = attempt(self);
        if !done {
            while self.trail.len() > mark
                && let Some((variable, before)) = self.trail.pop()
            {
                self.bound[variable as usize] = before;
            }
        }
        done
    }

    fn bind(&mut self, variable: u32, ty: Type) {
        let before = self.bound[variable as usize].replace(ty);
        self.trail.push((variable, before));
    }

    fn find(&self, ty: &Type) -> Option<Type> {
        if let Type::Variable(variable) = ty { self.bound.get(*variable as usize)?.clone() } else { None }
    }

    /// The type with its variables replaced by the types that are bound to them. With `to_dyn`, unbound ones become `dyn`.
    pub(crate) fn substitute(&self, ty: &Type, to_dyn: bool) -> Type {
        if let Some(bound) = self.find(ty) {
            return self.substitute(&bound, to_dyn);
        }
        match ty {
            Type::Variable(_) if to_dyn => Type::Dyn,
            Type::List(element) if !element.is_plain() => Type::list(self.substitute(element, to_dyn)),
            Type::Optional(inner) if !inner.is_plain() => Type::optional(self.substitute(inner, to_dyn)),
            Type::Type(Some(inner)) if !inner.is_plain() => Type::Type(Some(self.substitute(inner, to_dyn).into())),
            Type::Map(pair) if !(pair.0.is_plain() && pair.1.is_plain()) => {
                Type::map(self.substitute(&pair.0, to_dyn), self.substitute(&pair.1, to_dyn))
            }
            _ => ty.clone(),
        }
    }

    fn fits(&mut self, from: &Type, to: &Type) -> bool {
        if let Type::Variable(variable) = to {
            match self.stands_for(from, *variable) {
                Substitution::Valid => return true,
                Substitution::InvalidSinceBound => return false,
                Substitution::Invalid => {}
            }
        }
        if let Type::Variable(variable) = from {
            return self.stands_for(to, *variable) == Substitution::Valid;
        }
        if from.is_dynamic_or_error() || to.is_dynamic_or_error() {
            return true;
        }
        match (from, to) {
            (Type::Null, other) | (other, Type::Null) => other.is_nullable(),
            (Type::List(from), Type::List(to)) | (Type::Optional(from), Type::Optional(to)) => self.fits(from, to),
            (Type::Map(from), Type::Map(to)) => self.fits(&from.0, &to.0) && self.fits(&from.1, &to.1),
            (Type::Type(_), Type::Type(_)) => true,
            (Type::Wrapper(from), Type::Wrapper(to)) => from == to,
            (from, Type::Wrapper(to)) => from == to.as_ref(),
            (Type::Wrapper(from), to) => from.as_ref() == to,
            (from, to) => from == to,
        }
    }

    /// Whether `ty` can be bound to a variable, or agrees with the type that is bound to it.
    fn stands_for(&mut self, ty: &Type, variable: u32) -> Substitution {
        if *ty == Type::Variable(variable) {
            return Substitution::Valid;
        }
        let itself = Type::Variable(variable);
        if let Some(bound) = self.find(&itself) {
            if *ty == bound {
                return Substitution::Valid;
            }
            if !self.fits(ty, &bound) {
                return Substitution::InvalidSinceBound;
            }
            let general = if less_specific(ty, &bound) { ty.clone() } else { bound };
            if self.is_free_of(&itself, &general) {
                self.bind(variable, general);
            }
            return Substitution::Valid;
        }
        if self.is_free_of(&itself, ty) {
            self.bind(variable, ty.clone());
            return Substitution::Valid;
        }
        Substitution::Invalid
    }

    /// Whether a variable does not occur in a type.
    fn is_free_of(&self, variable: &Type, within: &Type) -> bool {
        if variable == within {
            return false;
        }
        match within {
            Type::Variable(_) => self.find(within).is_none_or(|bound| self.is_free_of(variable, &bound)),
            Type::List(inner) | Type::Optional(inner) | Type::Type(Some(inner)) => self.is_free_of(variable, inner),
            Type::Map(pair) => self.is_free_of(variable, &pair.0) && self.is_free_of(variable, &pair.1),
            _ => true,
        }
    }
}

#[derive(PartialEq, Eq)]
enum Substitution {
    Valid,
    Invalid,
    InvalidSinceBound,
}

/// The more general of two types that can be assigned to each other.
pub(crate) fn most_general(left: Type, right: Type) -> Type {
    if less_specific(&left, &right) { left } else { right }
}

fn less_specific(left: &Type, right: &Type) -> bool {
    if left.is_dynamic() || matches!(left, Type::Variable(_)) {
        return true;
    }
    if right.is_dynamic() || matches!(right, Type::Variable(_)) {
        return false;
    }
    match (left, right) {
        (Type::List(left), Type::List(right)) | (Type::Optional(left), Type::Optional(right)) => {
            less_specific(left, right)
        }
        (Type::Map(left), Type::Map(right)) => less_specific(&left.0, &right.0) && less_specific(&left.1, &right.1),
        (Type::Type(_), Type::Type(_)) => true,
        _ => left == right,
    }
}

impl Type {
    /// Whether the type has no variables.
    fn is_plain(&self) -> bool {
        match self {
            Self::Variable(_) => false,
            Self::List(inner) | Self::Optional(inner) | Self::Type(Some(inner)) => inner.is_plain(),
            Self::Map(pair) => pair.0.is_plain() && pair.1.is_plain(),
            _ => true,
        }
    }

    /// Whether `null` can be assigned to it.
    fn is_nullable(&self) -> bool {
        matches!(
            self,
            Self::Null
                | Self::Optional(_)
                | Self::Opaque(_)
                | Self::Object(_)
                | Self::Timestamp
                | Self::Duration
                | Self::Wrapper(_)
        )
    }
}
