//! Macros: calls that are expanded to other expressions before type checking.

use super::Dialect;
use super::ast::{Comprehension, Element, Id, Literal, MapEntry, MessageField, NodeKind, RESULT};
use super::draft::{Draft, Parsed};
use crate::error::{Problem, Stage};

/// The variable of a comprehension that needs none.
const UNUSED: &str = "#unused";
/// The variable to which `sortBy` binds its list.
const SORTED: &str = "@__sortBy_input__";

/// The names of the macros, for suggestions.
pub(crate) const NAMES: &[&str] = &[
    "all",
    "bind",
    "exists",
    "existsOne",
    "exists_one",
    "filter",
    "has",
    "map",
    "optFlatMap",
    "optMap",
    "sortBy",
    "transformList",
    "transformMap",
    "transformMapEntry",
];

/// Adds the call `function(arguments)`, with the receiver `target` if there is one, or the expansion of the macro with this
/// name.
#[inline(never)]
pub(crate) fn expand(
    draft: &mut Draft,
    dialect: Dialect,
    at: usize,
    function: &str,
    target: Option<Id>,
    arguments: Vec<Id>,
) -> Parsed<Id> {
    let mut build = Builder { draft, at };
    match (function, target, arguments.as_slice()) {
        ("has", None, &[field]) => build.has(field),
        ("all" | "exists" | "exists_one" | "map" | "filter", Some(range), &[variable, body]) => {
            build.over(function, range, (variable, None), None, body)
        }
        ("map", Some(range), &[variable, filter, body]) => {
            build.over(function, range, (variable, None), Some(filter), body)
        }
        (
            "all" | "exists" | "exists_one" | "existsOne" | "transformList" | "transformMap" | "transformMapEntry",
            Some(range),
            &[first, second, body],
        ) => build.over(function, range, (first, Some(second)), None, body),
        ("transformList" | "transformMap" | "transformMapEntry", Some(range), &[first, second, filter, body]) => {
            build.over(function, range, (first, Some(second)), Some(filter), body)
        }
        ("bind", Some(target), &[variable, value, body])
            if dialect != Dialect::Rule
                && matches!(build.draft.tree.kind(target), NodeKind::Ident(name) if name == "cel") =>
        {
            let name = build.name(variable, "cel.bind() variable names must be simple identifiers")?;
            build.bind(name, value, body)
        }
        ("optMap" | "optFlatMap", Some(target), &[variable, body]) => build.optional(function, target, variable, body),
        ("sortBy", Some(target), &[variable, body]) => build.sort_by(target, variable, body),
        _ => build.call(function, target, arguments),
    }
}

struct Builder<'b, 's> {
    draft: &'b mut Draft<'s>,
    at: usize,
}

impl Builder<'_, '_> {
    fn has(&mut self, field: Id) -> Parsed<Id> {
        let NodeKind::Select { operand, field: name, .. } = self.draft.tree.kind(field).clone() else {
            return Err(self.wrong(field, "invalid argument to has() macro"));
        };
        let height = self.draft.height(field);
        self.draft.node(self.at, NodeKind::Select { operand, field: name, test: true }, height)
    }

    /// Expands a macro over a list or map, with one variable or two.
    fn over(
        &mut self,
        function: &str,
        range: Id,
        variables: (Id, Option<Id>),
        filter: Option<Id>,
        body: Id,
    ) -> Parsed<Id> {
        let simple = "argument must be a simple name";
        let words = if matches!(function, "map" | "filter") { "argument is not an identifier" } else { simple };
        let variable = self.variable(variables.0, words)?;
        let second = variables.1.map(|id| self.variable(id, simple)).transpose()?;
        if let Some(id) = variables.1
            && second.as_ref() == Some(&variable)
        {
            return Err(self.wrong(id, &format!("duplicate variable name: {variable}")));
        }
        let (start, condition, step, result) = match function {
            "all" => {
                let (start, result) = (self.literal(Literal::Bool(true))?, self.result()?);
                let condition = self.call_of_result("@not_strictly_false")?;
                (start, condition, self.with_result("_&&_", body)?, result)
            }
            "exists" => {
                let start = self.literal(Literal::Bool(false))?;
                let negated = self.call_of_result("!_")?;
                let condition = self.call("@not_strictly_false", None, vec![negated])?;
                (start, condition, self.with_result("_||_", body)?, self.result()?)
            }
            "exists_one" | "existsOne" => {
                let start = self.literal(Literal::Int(0))?;
                let one = self.literal(Literal::Int(1))?;
                let counted = self.with_result("_+_", one)?;
                let step = self.only_if(Some(body), counted)?;
                (start, self.literal(Literal::Bool(true))?, step, self.with_result("_==_", one)?)
            }
            "map" | "transformList" | "filter" => {
                let (filter, item) = if function == "filter" { (Some(body), variables.0) } else { (filter, body) };
                let start = self.node(NodeKind::List(Vec::new()))?;
                let item = self.node(NodeKind::List(vec![Element { value: item, optional: false }]))?;
                let appended = self.with_result("_+_", item)?;
                let step = self.only_if(filter, appended)?;
                (start, self.literal(Literal::Bool(true))?, step, self.result()?)
            }
            _ => {
                let start = self.node(NodeKind::Map(Vec::new()))?;
                let mut arguments = vec![self.result()?];
                if function == "transformMap" {
                    arguments.push(self.node(NodeKind::Ident(variable.clone()))?);
                }
                arguments.push(body);
                let inserted = self.call("cel.@mapInsert", None, arguments)?;
                let step = self.only_if(filter, inserted)?;
                (start, self.literal(Literal::Bool(true))?, step, self.result()?)
            }
        };
        let accumulator = RESULT.to_owned();
        self.node(NodeKind::Comprehension(Box::new(Comprehension {
            range,
            variable,
            second,
            accumulator,
            start,
            condition,
            step,
            result,
        })))
    }

    /// `body` with the variable `name` for `value`, which is evaluated when it is first used. It is a comprehension over an
    /// empty list.
    fn bind(&mut self, name: String, value: Id, body: Id) -> Parsed<Id> {
        let range = self.node(NodeKind::List(Vec::new()))?;
        let condition = self.literal(Literal::Bool(false))?;
        let step = self.node(NodeKind::Ident(name.clone()))?;
        let comprehension = Comprehension {
            range,
            variable: UNUSED.to_owned(),
            second: None,
            accumulator: name,
            start: value,
            condition,
            step,
            result: body,
        };
        self.node(NodeKind::Comprehension(Box::new(comprehension)))
    }

    /// `target.hasValue() ? optional.of(body with target.value()) : optional.none()`.
    fn optional(&mut self, function: &str, target: Id, variable: Id, body: Id) -> Parsed<Id> {
        let name = self.name(variable, &format!("{function}() variable name must be a simple identifier"))?;
        let again = self.copy(target)?;
        let has_value = self.call("hasValue", Some(target), Vec::new())?;
        let value = self.call("value", Some(again), Vec::new())?;
        let mut mapped = self.bind(name, value, body)?;
        if function == "optMap" {
            mapped = self.call("optional.of", None, vec![mapped])?;
        }
        let none = self.call("optional.none", None, Vec::new())?;
        self.call("_?_:_", None, vec![has_value, mapped, none])
    }

    fn sort_by(&mut self, target: Id, variable: Id, body: Id) -> Parsed<Id> {
        if !matches!(
            self.draft.tree.kind(target),
            NodeKind::List(_)
                | NodeKind::Select { .. }
                | NodeKind::Ident(_)
                | NodeKind::Comprehension(_)
                | NodeKind::Call { .. }
        ) {
            let message = "sortBy can only be applied to a list, identifier, comprehension, call or select expression";
            return Err(self.wrong(target, message));
        }
        let range = self.node(NodeKind::Ident(SORTED.to_owned()))?;
        let keys = self.over("map", range, (variable, None), None, body)?;
        let list = self.node(NodeKind::Ident(SORTED.to_owned()))?;
        let sorted = self.call("@sortByAssociatedKeys", Some(list), vec![keys])?;
        self.bind(SORTED.to_owned(), target, sorted)
    }

    /// `filter ? step : @result`, or `step` without a filter.
    fn only_if(&mut self, filter: Option<Id>, step: Id) -> Parsed<Id> {
        let Some(filter) = filter else { return Ok(step) };
        let unchanged = self.result()?;
        self.call("_?_:_", None, vec![filter, step, unchanged])
    }

    fn with_result(&mut self, function: &str, argument: Id) -> Parsed<Id> {
        let result = self.result()?;
        self.call(function, None, vec![result, argument])
    }

    fn call_of_result(&mut self, function: &str) -> Parsed<Id> {
        let result = self.result()?;
        self.call(function, None, vec![result])
    }

    fn call(&mut self, function: &str, target: Option<Id>, arguments: Vec<Id>) -> Parsed<Id> {
        self.node(NodeKind::Call { function: function.to_owned(), target, arguments })
    }

    fn result(&mut self) -> Parsed<Id> {
        self.node(NodeKind::Ident(RESULT.to_owned()))
    }

    fn literal(&mut self, literal: Literal) -> Parsed<Id> {
        self.node(NodeKind::Literal(literal))
    }

    fn node(&mut self, kind: NodeKind) -> Parsed<Id> {
        let mut height = 0;
        children(&kind, |child| height = height.max(self.draft.height(child)));
        // As upstream, only calls with a receiver count for the height here; other nodes of an expansion do not.
        let counts = matches!(&kind, NodeKind::Call { target: Some(_), .. });
        self.draft.node(self.at, kind, height + u16::from(counts))
    }

    fn variable(&self, id: Id, words: &str) -> Parsed<String> {
        let name = self.name(id, words)?;
        if name == RESULT || name == "__result__" {
            return Err(self.wrong(id, "iteration variable overwrites accumulator variable"));
        }
        Ok(name)
    }

    fn name(&self, id: Id, words: &str) -> Parsed<String> {
        match self.draft.tree.kind(id) {
            NodeKind::Ident(name) => Ok(name.clone()),
            _ => Err(self.wrong(id, words)),
        }
    }

    /// The text is an expression. Its macro cannot take these arguments.
    fn wrong(&self, id: Id, message: &str) -> Box<Problem> {
        let mut problem = self.draft.problem(self.draft.tree.at(id) as usize, message);
        problem.stage = Stage::Check;
        problem
    }

    /// A copy of an expression, with nodes of its own.
    fn copy(&mut self, id: Id) -> Parsed<Id> {
        let mut kind = self.draft.tree.kind(id).clone();
        let mut failed = None;
        children_mut(&mut kind, |child| match self.copy(*child) {
            Ok(copied) => *child = copied,
            Err(problem) => failed = Some(problem),
        });
        match failed {
            Some(problem) => Err(problem),
            None => self.draft.node(self.draft.tree.at(id) as usize, kind, self.draft.height(id)),
        }
    }
}

fn children(kind: &NodeKind, mut visit: impl FnMut(Id)) {
    match kind {
        NodeKind::Literal(_) | NodeKind::Ident(_) => {}
        NodeKind::Select { operand, .. } => visit(*operand),
        NodeKind::Call { target, arguments, .. } => target.iter().chain(arguments).for_each(|id| visit(*id)),
        NodeKind::List(elements) => elements.iter().for_each(|element| visit(element.value)),
        NodeKind::Map(entries) => entries.iter().for_each(|entry| {
            visit(entry.key);
            visit(entry.value);
        }),
        NodeKind::Message { fields, .. } => fields.iter().for_each(|field| visit(field.value)),
        NodeKind::Comprehension(comprehension) => {
            [
                comprehension.range,
                comprehension.start,
                comprehension.condition,
                comprehension.step,
                comprehension.result,
            ]
            .into_iter()
            .for_each(visit);
        }
    }
}

fn children_mut(kind: &mut NodeKind, mut visit: impl FnMut(&mut Id)) {
    match kind {
        NodeKind::Literal(_) | NodeKind::Ident(_) => {}
        NodeKind::Select { operand, .. } => visit(operand),
        NodeKind::Call { target, arguments, .. } => target.iter_mut().chain(arguments).for_each(visit),
        NodeKind::List(elements) => elements.iter_mut().for_each(|Element { value, .. }| visit(value)),
        NodeKind::Map(entries) => entries.iter_mut().for_each(|MapEntry { key, value, .. }| {
            visit(key);
            visit(value);
        }),
        NodeKind::Message { fields, .. } => fields.iter_mut().for_each(|MessageField { value, .. }| visit(value)),
        NodeKind::Comprehension(comprehension) => {
            let Comprehension { range, start, condition, step, result, .. } = comprehension.as_mut();
            [range, start, condition, step, result].into_iter().for_each(visit);
        }
    }
}
