//! The type checker: finds the type of each node and the overloads of each call, as the checker of `cel-go` does.
//!
//! Here and in the other passes over the tree, the code for each kind of node is a function of its own that is not inlined:
//! expressions can be nested 250 deep, and the stack of a component is small.

use super::checked::{Callee, Checked, Reference};
use super::messages;
use super::scope::Scope;
use super::unify::{Bindings, most_general};
use crate::error::{CompileError, Problem, Problems, Stage};
use crate::libraries::functions;
use crate::libraries::signature::Function;
use crate::syntax::ast::{Comprehension, Element, Id, Literal, MapEntry, MessageField, NodeKind, Tree};
use crate::syntax::macros;
use crate::types::Type;
use quantity::nearest;

/// The deepest nesting of a type, so that no function over types overflows the stack.
const MOST_DEPTH: usize = 64;

pub(crate) fn check(scope: &Scope, source: &str, tree: &Tree, root: Id) -> Result<Checked, CompileError> {
    let nodes = tree.nodes.len();
    let mut checker = Checker {
        scope,
        source,
        tree,
        types: vec![Type::Error; nodes],
        references: vec![Reference::None; nodes],
        scopes: Vec::new(),
        bindings: Bindings::default(),
        problems: Problems::default(),
    };
    checker.check(root);
    for index in 0..nodes {
        checker.types[index] = checker.bindings.substitute(&checker.types[index], true);
    }
    if checker.problems.is_empty() {
        Ok(Checked { types: checker.types, references: checker.references })
    } else {
        Err(checker.problems.into_error())
    }
}

struct Checker<'c> {
    scope: &'c Scope,
    source: &'c str,
    tree: &'c Tree,
    types: Vec<Type>,
    references: Vec<Reference>,
    /// The variables of comprehensions, the innermost last.
    scopes: Vec<(&'c str, Type)>,
    bindings: Bindings,
    problems: Problems,
}

impl<'c> Checker<'c> {
    fn check(&mut self, id: Id) {
        let ty = match self.tree.kind(id) {
            NodeKind::Literal(literal) => match literal {
                Literal::Null => Type::Null,
                Literal::Bool(_) => Type::Bool,
                Literal::Int(_) => Type::Int,
                Literal::Uint(_) => Type::Uint,
                Literal::Double(_) => Type::Double,
                Literal::String(_) => Type::String,
                Literal::Bytes(_) => Type::Bytes,
            },
            NodeKind::Ident(name) => self.ident(id, name),
            NodeKind::Select { operand, field, test } => {
                let name = if *test { None } else { self.tree.qualified_name(id) };
                match name.and_then(|name| self.named(id, &name)) {
                    Some(ty) => ty,
                    None => {
                        let ty = self.field(id, *operand, field, false);
                        if *test { Type::Bool } else { self.bindings.substitute(&ty, false) }
                    }
                }
            }
            NodeKind::Call { function, target, arguments } => self.call(id, function, *target, arguments),
            NodeKind::List(elements) => self.list(elements),
            NodeKind::Map(entries) => self.map(entries),
            NodeKind::Message { name, fields } => self.message(id, name, fields),
            NodeKind::Comprehension(comprehension) => self.comprehension(comprehension),
        };
        let ty = if ty.depth() > MOST_DEPTH {
            self.report(id, "expression has a type that nests too deep".to_owned());
            Type::Error
        } else {
            ty
        };
        self.types[id as usize] = ty;
    }

    #[inline(never)]
    fn list(&mut self, elements: &[Element]) -> Type {
        let mut joined = None;
        for element in elements {
            self.check(element.value);
            let ty = self.element_type(element.value, element.optional);
            joined = Some(self.join(joined, ty));
        }
        Type::list(joined.unwrap_or_else(|| self.bindings.variable()))
    }

    #[inline(never)]
    fn map(&mut self, entries: &[MapEntry]) -> Type {
        let (mut keys, mut values) = (None, None);
        for entry in entries {
            self.check(entry.key);
            let key = self.ty(entry.key);
            keys = Some(self.join(keys, key));
            self.check(entry.value);
            let value = self.element_type(entry.value, entry.optional);
            values = Some(self.join(values, value));
        }
        let keys = keys.unwrap_or_else(|| self.bindings.variable());
        Type::map(keys, values.unwrap_or_else(|| self.bindings.variable()))
    }

    #[inline(never)]
    fn message(&mut self, id: Id, name: &str, fields: &[MessageField]) -> Type {
        let Some(message) = messages::lookup(name.trim_start_matches('.')) else {
            let known = self.lookup(name).is_some();
            let message = if known { format!("'{name}' is not a message type") } else { self.undeclared(name) };
            self.report(id, message);
            return Type::Error;
        };
        self.references[id as usize] = Reference::Type(message.ty());
        for field in fields {
            self.check(field.value);
            let found = self.element_type(field.value, field.optional);
            let Some(wanted) = message.field(&field.name) else {
                self.report_at(field.at, format!("undefined field '{}'", field.name));
                continue;
            };
            if !self.bindings.assign(&wanted, &found) {
                let name = &field.name;
                let message = format!("expected type of field '{name}' is '{wanted}' but provided type is '{found}'");
                self.report_at(field.at, message);
            }
        }
        message.ty()
    }

    #[inline(never)]
    fn ident(&mut self, id: Id, name: &str) -> Type {
        self.named(id, name).unwrap_or_else(|| {
            let message = self.undeclared(name);
            let mut known: Vec<&str> = self.scopes.iter().map(|scope| scope.0).collect();
            for variable in self.scope.variables() {
                known.push(variable);
            }
            let meant = self.meant(known.into_iter(), name);
            self.report_meant(id, message, meant);
            Type::Error
        })
    }

    /// The type of the variable or type with this name, if there is one. It is recorded as the node's reference.
    #[inline(never)]
    fn named(&mut self, id: Id, name: &str) -> Option<Type> {
        let (ty, reference) = self.lookup(name)?;
        self.references[id as usize] = reference;
        Some(ty)
    }

    #[inline(never)]
    fn lookup(&self, name: &str) -> Option<(Type, Reference)> {
        let name = name.strip_prefix('.').unwrap_or(name);
        let local = self.scopes.iter().rev().find(|scope| scope.0 == name).map(|scope| &scope.1);
        if let Some(ty) = local.or_else(|| self.scope.variable(name)) {
            return Some((ty.clone(), Reference::Variable(name.to_owned())));
        }
        if let Some(ty) = messages::type_named(name) {
            return Some((Type::Type(Some(ty.clone().into())), Reference::Type(ty)));
        }
        let ty = self.scope.declared(name)?;
        Some((Type::Type(Some(ty.into())), Reference::CheckedOnly(name.to_owned())))
    }

    #[inline(never)]
    fn field(&mut self, id: Id, operand: Id, field: &str, optional: bool) -> Type {
        self.check(operand);
        let operand = self.bindings.substitute(&self.types[operand as usize], false);
        let (target, inside) = match &operand {
            Type::Optional(inner) => (inner.as_ref(), true),
            other => (other, false),
        };
        let result = match target {
            Type::Map(pair) => pair.1.clone(),
            Type::Object(name) => match self.scope.field(name, field) {
                Some(ty) => ty.clone(),
                None => {
                    let meant = self.meant(self.scope.fields(name), field);
                    self.report_meant(id, format!("undefined field '{field}'"), meant);
                    Type::Error
                }
            },
            Type::Variable(_) => {
                self.bindings.assign(&Type::Dyn, target);
                Type::Dyn
            }
            target if target.is_dynamic_or_error() => Type::Dyn,
            Type::Opaque(name) if name.starts_with("kubernetes.") => {
                self.report(id, format!("unexpected failed resolution of '{name}'"));
                Type::Error
            }
            target => {
                self.report(id, format!("type '{target}' does not support field selection"));
                Type::Dyn
            }
        };
        if inside || optional { Type::optional(result) } else { result }
    }

    #[inline(never)]
    fn call(&mut self, id: Id, name: &str, target: Option<Id>, arguments: &[Id]) -> Type {
        if name == "_?._" {
            return self.optional_field(id, arguments);
        }
        for argument in arguments {
            self.check(*argument);
        }
        let Some(target) = target else {
            return match self.scope.function(name.strip_prefix('.').unwrap_or(name)) {
                Some(function) => self.resolve(id, function, None, arguments, false),
                None => self.unknown(id, name),
            };
        };
        if let Some(prefix) = self.tree.qualified_name(target) {
            let qualified = format!("{}.{name}", prefix.strip_prefix('.').unwrap_or(&prefix));
            if let Some(function) = functions::lookup(&qualified) {
                return self.resolve(id, function, None, arguments, true);
            }
        }
        self.check(target);
        match self.scope.function(name) {
            Some(function) => self.resolve(id, function, Some(target), arguments, false),
            None => self.unknown(id, name),
        }
    }

    #[inline(never)]
    fn optional_field(&mut self, id: Id, arguments: &[Id]) -> Type {
        let [operand, field] = arguments else { return Type::Error };
        let NodeKind::Literal(Literal::String(name)) = self.tree.kind(*field) else { return Type::Error };
        self.types[*field as usize] = Type::String;
        let ty = self.field(id, *operand, name, true);
        if let Some(function) = functions::lookup("_?._") {
            self.references[id as usize] =
                Reference::Call(Callee { function, candidates: vec![0], namespaced: false, dynamic: false });
        }
        self.bindings.substitute(&ty, false)
    }

    #[inline(never)]
    fn resolve(
        &mut self,
        id: Id,
        function: &'static Function,
        target: Option<Id>,
        arguments: &[Id],
        namespaced: bool,
    ) -> Type {
        let mut found: Vec<Type> = target.iter().chain(arguments).map(|&argument| self.ty(argument)).collect();
        if matches!(function.name, "_&&_" | "_||_") {
            let mut fit = true;
            for (argument, ty) in arguments.iter().zip(&found) {
                if !self.bindings.assign(ty, &Type::Bool) {
                    self.report(*argument, format!("expected type 'bool' but found '{ty}'"));
                    fit = false;
                }
            }
            if !fit {
                return Type::Error;
            }
            self.references[id as usize] =
                Reference::Call(Callee { function, candidates: vec![0], namespaced, dynamic: false });
            return Type::Bool;
        }
        let (mut candidates, mut result) = (Vec::new(), None);
        for (index, overload) in function.overloads.iter().enumerate() {
            if overload.member != target.is_some() || overload.parameters.len() != found.len() {
                continue;
            }
            let mut variables = [None, None];
            let wanted: Vec<Type> =
                overload.parameters.iter().map(|sig| self.bindings.instance(*sig, &mut variables)).collect();
            if !self.bindings.assign_all(&found, &wanted) {
                continue;
            }
            candidates.push(index);
            let returned = self.bindings.instance(overload.result, &mut variables);
            let returned = self.bindings.substitute(&returned, false);
            result = Some(match result {
                None => returned,
                Some(result) if Type::is_dynamic(&result) || result == returned => result,
                Some(_) => Type::Dyn,
            });
        }
        let dynamic = found.iter().any(|ty| self.bindings.substitute(ty, true).is_dynamic());
        let Some(result) = result else {
            for ty in &mut found {
                *ty = self.bindings.substitute(ty, true);
            }
            let signature = signature(&found, target.is_some());
            self.report(id, format!("found no matching overload for '{}' applied to '{signature}'", function.name));
            return Type::Error;
        };
        self.references[id as usize] = Reference::Call(Callee { function, candidates, namespaced, dynamic });
        result
    }

    #[inline(never)]
    fn comprehension(&mut self, comprehension: &'c Comprehension) -> Type {
        self.check(comprehension.range);
        self.check(comprehension.start);
        let range = self.bindings.substitute(&self.types[comprehension.range as usize], false);
        let accumulated = self.ty(comprehension.start);
        self.scopes.push((&comprehension.accumulator, accumulated.clone()));
        let two = comprehension.second.is_some();
        let (first, second) = match &range {
            Type::List(element) if two => (Type::Int, element.as_ref().clone()),
            Type::List(element) => (element.as_ref().clone(), Type::Error),
            Type::Map(pair) => (pair.0.clone(), pair.1.clone()),
            Type::Dyn | Type::Error | Type::Variable(_) => {
                self.bindings.assign(&Type::Dyn, &range);
                (Type::Dyn, Type::Dyn)
            }
            range => {
                let message = format!(
                    "expression of type '{range}' cannot be range of a comprehension (must be list, map, or dynamic)"
                );
                self.report(comprehension.range, message);
                (Type::Error, Type::Error)
            }
        };
        let outside = self.scopes.len();
        self.scopes.push((&comprehension.variable, first));
        if let Some(name) = &comprehension.second {
            self.scopes.push((name, second));
        }
        self.check(comprehension.condition);
        self.assert(comprehension.condition, &Type::Bool);
        self.check(comprehension.step);
        self.assert(comprehension.step, &accumulated);
        self.scopes.truncate(outside);
        self.check(comprehension.result);
        self.scopes.truncate(outside - 1);
        self.bindings.substitute(&self.types[comprehension.result as usize], false)
    }

    fn assert(&mut self, id: Id, wanted: &Type) {
        let found = self.ty(id);
        if !self.bindings.assign(wanted, &found) {
            self.report(id, format!("expected type '{wanted}' but found '{found}'"));
        }
    }

    /// The type of an element; for an optional element, the type of its content.
    #[inline(never)]
    fn element_type(&mut self, id: Id, optional: bool) -> Type {
        match self.ty(id) {
            Type::Optional(inner) if optional => inner.as_ref().clone(),
            ty => {
                if optional && !ty.is_dynamic() {
                    self.report(id, format!("expected type 'optional_type({ty})' but found '{ty}'"));
                }
                ty
            }
        }
    }

    /// The common type of two elements; `dyn` if there is none, which the validators refuse later.
    #[inline(never)]
    fn join(&mut self, previous: Option<Type>, current: Type) -> Type {
        match previous {
            None => current,
            Some(previous) if self.bindings.assign(&previous, &current) => most_general(previous, current),
            Some(_) => Type::Dyn,
        }
    }

    fn ty(&self, id: Id) -> Type {
        self.types[id as usize].clone()
    }

    fn unknown(&mut self, id: Id, name: &str) -> Type {
        let message = self.undeclared(name);
        let known = functions::all().filter(|function| self.scope.has(function)).map(|function| function.name);
        let meant = self.meant(known.chain(macros::NAMES.iter().copied()), name);
        self.report_meant(id, message, meant);
        Type::Error
    }

    /// The known name that was probably meant. `None` when no more problems are reported anyway.
    fn meant<'n>(&self, known: impl Iterator<Item = &'n str>, name: &str) -> Option<String> {
        if self.problems.are_full() { None } else { nearest(known, name).map(str::to_owned) }
    }

    fn report_meant(&mut self, id: Id, message: String, meant: Option<String>) {
        let at = self.tree.at(id) as usize;
        let mut problem = Problem::new(Stage::Check, self.source, Some(at), message);
        problem.meant = meant;
        self.problems.push(problem);
    }

    fn undeclared(&self, name: &str) -> String {
        format!("undeclared reference to '{name}' (in container '')")
    }

    #[inline(never)]
    fn report(&mut self, id: Id, message: String) {
        self.report_at(self.tree.at(id), message);
    }

    fn report_at(&mut self, at: u32, message: String) {
        self.problems.push(Problem::new(Stage::Check, self.source, Some(at as usize), message));
    }
}

/// The types of arguments as Kubernetes prints them: `(int, string)`, or `string.(int)` with a receiver.
fn signature(types: &[Type], member: bool) -> String {
    let list = |types: &[Type]| types.iter().map(Type::to_string).collect::<Vec<_>>().join(", ");
    match types {
        [receiver, rest @ ..] if member => format!("{receiver}.({})", list(rest)),
        types => format!("({})", list(types)),
    }
}
