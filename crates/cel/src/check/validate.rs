//! The validators of `cel-go`, which run after type checking. They refuse literals that are not valid patterns, times or
//! templates, and lists and maps with mixed types.

use super::checked::{Checked, Reference};
use crate::error::{CompileError, Problem, Problems, Stage};
use crate::libraries::template::{self, TemplatePart};
use crate::regex::Patterns;
use crate::syntax::ast::{Id, Literal, NodeKind, Tree};
use crate::time::{Duration, Timestamp};
use crate::types::Type;

/// Runs the validators. Returns the patterns of literals, compiled.
pub(crate) fn validate(source: &str, tree: &Tree, checked: &Checked, root: Id) -> Result<Patterns, CompileError> {
    let mut validator =
        Validator { source, tree, checked, problems: Problems::default(), patterns: Patterns::default() };
    validator.visit(root, false);
    if validator.problems.is_empty() { Ok(validator.patterns) } else { Err(validator.problems.into_error()) }
}

struct Validator<'v> {
    source: &'v str,
    tree: &'v Tree,
    checked: &'v Checked,
    problems: Problems,
    patterns: Patterns,
}

impl<'v> Validator<'v> {
    /// Validates a node and all nodes below. In the arguments of `format`, lists and maps may have `mixed` types.
    fn visit(&mut self, id: Id, mixed: bool) {
        match self.tree.kind(id) {
            NodeKind::Literal(_) | NodeKind::Ident(_) => {}
            NodeKind::Select { operand, .. } => self.visit(*operand, mixed),
            NodeKind::Call { function, target, arguments } => {
                self.literal(function, arguments);
                if function == "format" {
                    self.template(id, *target, arguments);
                }
                let namespaced =
                    matches!(&self.checked.references[id as usize], Reference::Call(callee) if callee.namespaced);
                for &child in target.iter().filter(|_| !namespaced).chain(arguments) {
                    self.visit(child, mixed || function == "format");
                }
            }
            NodeKind::List(elements) => {
                let types = elements.iter().map(|element| (element.value, self.inner(element.value, element.optional)));
                let types: Vec<(Id, &Type)> = types.collect();
                if !mixed {
                    self.same(&types);
                }
                elements.iter().for_each(|element| self.visit(element.value, mixed));
            }
            NodeKind::Map(entries) => {
                let keys: Vec<(Id, &Type)> = entries.iter().map(|entry| (entry.key, self.ty(entry.key))).collect();
                let values = entries.iter().map(|entry| (entry.value, self.inner(entry.value, entry.optional)));
                let values: Vec<(Id, &Type)> = values.collect();
                if !mixed {
                    self.same(&keys);
                    self.same(&values);
                }
                for entry in entries {
                    self.visit(entry.key, mixed);
                    self.visit(entry.value, mixed);
                }
            }
            NodeKind::Message { fields, .. } => fields.iter().for_each(|field| self.visit(field.value, mixed)),
            NodeKind::Comprehension(comprehension) => {
                for id in [
                    comprehension.range,
                    comprehension.start,
                    comprehension.condition,
                    comprehension.step,
                    comprehension.result,
                ] {
                    self.visit(id, mixed);
                }
            }
        }
    }

    /// Refuses a literal that its function does not accept.
    #[inline(never)]
    fn literal(&mut self, function: &str, arguments: &[Id]) {
        let function = function.strip_prefix('.').unwrap_or(function);
        let Some(&argument) = arguments.first() else { return };
        let NodeKind::Literal(Literal::String(text)) = self.tree.kind(argument) else { return };
        let valid = match function {
            "duration" => Duration::parse(text).is_some(),
            "timestamp" => Timestamp::parse(text).is_some(),
            "matches" => self.patterns.compile(text).is_ok(),
            _ => true,
        };
        if !valid {
            self.report(argument, format!("invalid {function} argument"));
        }
    }

    /// Compares a literal template with a literal list of arguments.
    #[inline(never)]
    fn template(&mut self, id: Id, target: Option<Id>, arguments: &[Id]) {
        let (Some(target), &[list]) = (target, arguments) else { return };
        let NodeKind::Literal(Literal::String(template)) = self.tree.kind(target) else { return };
        let NodeKind::List(elements) = self.tree.kind(list) else { return };
        let pieces = match template::pieces(template) {
            Ok(pieces) => pieces,
            Err(error) => return self.report(id, error),
        };
        let mut rest = elements.iter().enumerate();
        let mut used = 0;
        for piece in pieces {
            let TemplatePart::Clause { verb, .. } = piece else { continue };
            let Some((_, element)) = rest.next() else {
                return self.report(id, format!("index {used} out of range"));
            };
            used += 1;
            if let Err((node, words)) = self.accepted(verb, element.value) {
                let ty = self.ty(node).name();
                return self.report(node, format!("error during formatting: {words}, was given {ty}"));
            }
        }
        if elements.len() > used {
            let message =
                format!("too many arguments supplied to string.format (expected {used}, got {})", elements.len());
            self.report(id, message);
        }
    }

    /// Whether a clause accepts a node, and the elements of literal lists and maps in it.
    fn accepted(&self, verb: char, id: Id) -> Result<(), (Id, &'static str)> {
        if verb == 's' {
            match self.tree.kind(id) {
                NodeKind::List(elements) => {
                    return elements.iter().try_for_each(|element| self.accepted(verb, element.value));
                }
                NodeKind::Map(entries) => {
                    return entries.iter().try_for_each(|entry| {
                        self.accepted(verb, entry.key)?;
                        self.accepted(verb, entry.value)
                    });
                }
                _ => {}
            }
        }
        template::accepts(verb, self.ty(id)).map_err(|words| (id, words))
    }

    /// Refuses nodes that do not have the type of the first one.
    #[inline(never)]
    fn same(&mut self, types: &[(Id, &Type)]) {
        let Some((_, first)) = types.first() else { return };
        if let Some((id, other)) = types.iter().find(|(_, ty)| unwrapped(ty) != unwrapped(first)) {
            self.report(*id, format!("expected type '{first}' but found '{other}'"));
        }
    }

    fn ty(&self, id: Id) -> &'v Type {
        &self.checked.types[id as usize]
    }

    fn inner(&self, id: Id, optional: bool) -> &'v Type {
        match self.ty(id) {
            Type::Optional(inner) if optional => inner,
            ty => ty,
        }
    }

    #[inline(never)]
    fn report(&mut self, id: Id, message: String) {
        let place = Some(self.tree.at(id) as usize);
        self.problems.push(Problem::new(Stage::Check, self.source, place, message));
    }
}

/// The type that a wrapper wraps, or the type itself.
fn unwrapped(ty: &Type) -> &Type {
    if let Type::Wrapper(inner) = ty { inner } else { ty }
}
