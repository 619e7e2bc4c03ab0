//! Which types go together, and what the unknown ones among them become (`cel-go`'s `checker/types.go`).

use crate::libraries::signature::Sig;
use crate::types::Type;

/// What type variables stand for.
#[derive(Default)]
pub(crate) struct Bindings {
    bound: Vec<Option<Type>>,
    /// What to put back when an attempt fails.
    trail: Vec<(u32, Option<Type>)>,
}

impl Bindings {
    pub(crate) fn variable(&mut self) -> Type {
        self.bound.push(None);
        Type::Variable(u32::try_from(self.bound.len() - 1).unwrap_or(u32::MAX))
    }

    /// The type of a signature, with variables of its own for the parameters, of which there are two at most.
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

    /// Whether `from` may stand where `to` is asked for; if so, what that says about variables is kept.
    pub(crate) fn assign(&mut self, from: &Type, to: &Type) -> bool {
        self.attempt(|bindings| bindings.fits(from, to))
    }

    /// The same for several at once.
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

    /// The type with variables replaced by what they stand for; unbound ones become `dyn` if so wanted.
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
                Stands::Yes => return true,
                Stands::NoSinceBound => return false,
                Stands::No => {}
            }
        }
        if let Type::Variable(variable) = from {
            return self.stands_for(to, *variable) == Stands::Yes;
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

    /// Whether `ty` is, or may become, what a variable stands for.
    fn stands_for(&mut self, ty: &Type, variable: u32) -> Stands {
        if *ty == Type::Variable(variable) {
            return Stands::Yes;
        }
        let itself = Type::Variable(variable);
        if let Some(bound) = self.find(&itself) {
            if *ty == bound {
                return Stands::Yes;
            }
            if !self.fits(ty, &bound) {
                return Stands::NoSinceBound;
            }
            let general = if less_specific(ty, &bound) { ty.clone() } else { bound };
            if self.is_free_of(&itself, &general) {
                self.bind(variable, general);
            }
            return Stands::Yes;
        }
        if self.is_free_of(&itself, ty) {
            self.bind(variable, ty.clone());
            return Stands::Yes;
        }
        Stands::No
    }

    /// Whether a variable occurs nowhere in a type.
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
enum Stands {
    Yes,
    No,
    NoSinceBound,
}

/// The more general one of two types that go together.
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
    /// Whether there is nothing in it to substitute.
    fn is_plain(&self) -> bool {
        match self {
            Self::Variable(_) => false,
            Self::List(inner) | Self::Optional(inner) | Self::Type(Some(inner)) => inner.is_plain(),
            Self::Map(pair) => pair.0.is_plain() && pair.1.is_plain(),
            _ => true,
        }
    }

    /// Whether `null` may stand for it.
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
