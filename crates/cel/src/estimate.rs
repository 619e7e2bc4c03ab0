//! Estimates of cost, from the declared sizes of variables (`checker/cost.go` of `cel-go`, and `library/cost.go` of
//! `k8s.io/apiserver`).

pub(crate) mod range;

use range::Estimate;

use crate::check::checked::{Callee, Checked, Reference};
use crate::check::scope::Scope;
use crate::libraries::cost::CHECK;
use crate::libraries::signature::{Cost, Overload, Sig};
use crate::syntax::ast::{Comprehension, Id, Literal, NodeKind, Tree};
use crate::types::Type;

pub(crate) fn estimate(scope: &Scope, tree: &Tree, checked: &Checked, root: Id) -> Estimate {
    let nodes = tree.nodes.len();
    let mut coster = Estimator {
        scope,
        tree,
        checked,
        steps: Vec::new(),
        paths: vec![None; nodes],
        sizes: vec![None; nodes],
        entries: vec![None; nodes],
        locals: Vec::new(),
    };
    coster.cost(root)
}

/// The sizes of the elements of a list, or of the keys and values of a map.
#[derive(Clone, Copy)]
struct ElementSizes {
    list: bool,
    key: Estimate,
    value: Estimate,
}

struct Local<'t> {
    name: &'t str,
    path: Option<usize>,
    size: Option<Estimate>,
    entry: Option<ElementSizes>,
}

/// A node that is an argument of a call.
#[derive(Clone, Copy)]
struct Argument<'t> {
    id: Id,
    path: Option<usize>,
    size: Option<Estimate>,
    ty: &'t Type,
}

impl Argument<'_> {
    #[inline(never)]
    fn size(&self) -> Estimate {
        self.size.unwrap_or(Estimate::UNKNOWN)
    }
}

struct Estimator<'t> {
    scope: &'t Scope,
    tree: &'t Tree,
    checked: &'t Checked,
    /// The steps of all paths, each with the index of the step before it.
    steps: Vec<(Option<usize>, &'t str)>,
    paths: Vec<Option<usize>>,
    sizes: Vec<Option<Estimate>>,
    entries: Vec<Option<ElementSizes>>,
    /// The variables of comprehensions, the innermost last.
    locals: Vec<Local<'t>>,
}

impl<'t> Estimator<'t> {
    fn cost(&mut self, id: Id) -> Estimate {
        let zero = Estimate::fixed(0);
        if let Reference::Type(_) | Reference::Variable(_) = &self.checked.references[id as usize]
            && !matches!(self.tree.kind(id), NodeKind::Message { .. })
        {
            return self.ident(id);
        }
        match self.tree.kind(id) {
            NodeKind::Literal(_) => zero,
            NodeKind::Ident(_) => self.ident(id),
            NodeKind::Select { operand, field, test } => {
                let mut cost = self.cost(*operand);
                if *test {
                    return cost;
                }
                if matches!(self.ty(*operand), Type::Map(_) | Type::Object(_) | Type::Variable(_)) {
                    cost = cost.plus(Estimate::fixed(1));
                }
                let path = self.path(*operand);
                self.paths[id as usize] = Some(self.step(path, field));
                cost
            }
            NodeKind::Call { target, arguments, .. } => match &self.checked.references[id as usize] {
                Reference::Call(callee) => self.call(id, callee, *target, arguments),
                _ => zero,
            },
            NodeKind::List(elements) => {
                let mut cost = zero;
                let mut value = Estimate { min: if elements.is_empty() { 0 } else { u64::MAX }, max: 0 };
                for element in elements {
                    cost = cost.plus(self.cost(element.value));
                    value = value.union(self.size_or_unknown(element.value));
                }
                self.entries[id as usize] = Some(ElementSizes { list: true, key: Estimate::fixed(1), value });
                cost.plus(Estimate::fixed(10))
            }
            NodeKind::Map(entries) => {
                let mut cost = zero;
                let least = if entries.is_empty() { 0 } else { u64::MAX };
                let (mut key, mut value) = (Estimate { min: least, max: 0 }, Estimate { min: least, max: 0 });
                for entry in entries {
                    cost = cost.plus(self.cost(entry.key)).plus(self.cost(entry.value));
                    key = key.union(self.size_or_unknown(entry.key));
                    value = value.union(self.size_or_unknown(entry.value));
                }
                self.entries[id as usize] = Some(ElementSizes { list: false, key, value });
                cost.plus(Estimate::fixed(30))
            }
            NodeKind::Message { fields, .. } => {
                fields.iter().fold(Estimate::fixed(40), |cost, field| cost.plus(self.cost(field.value)))
            }
            NodeKind::Comprehension(comprehension) => self.comprehension(id, comprehension),
        }
    }

    fn ident(&mut self, id: Id) -> Estimate {
        let name = self.name(id);
        self.paths[id as usize] = match self.local(name) {
            Some(local) => local.path,
            None => Some(self.step(None, name)),
        };
        Estimate::fixed(1)
    }

    #[inline(never)]
    fn comprehension(&mut self, id: Id, comprehension: &'t Comprehension) -> Estimate {
        let mut cost = self.cost(comprehension.range).plus(self.cost(comprehension.start));
        let start = Local {
            name: &comprehension.accumulator,
            path: self.path(comprehension.start),
            size: self.size(comprehension.start),
            entry: self.entry(comprehension.start),
        };
        let outside = self.locals.len();
        self.locals.push(start);
        let nothing = matches!(self.tree.kind(comprehension.range), NodeKind::List(elements) if elements.is_empty());
        if nothing && matches!(self.tree.kind(comprehension.condition), NodeKind::Literal(Literal::Bool(false))) {
            // `cel.bind`
            cost = cost.plus(self.cost(comprehension.result));
            self.locals.truncate(outside);
            self.sizes[id as usize] = self.size(comprehension.result);
            self.entries[id as usize] = self.entry(comprehension.result);
            return cost;
        }
        let range = self.entry(comprehension.range);
        let list = range.map_or(matches!(self.ty(comprehension.range), Type::List(_)), |range| range.list);
        let path = self.path(comprehension.range);
        let (key, value) = (range.map(|range| range.key), range.map(|range| range.value));
        let (keys, values) = if list { ("@indices", "@items") } else { ("@keys", "@values") };
        let mut push = |name, step, size| {
            let path = Some(self.step(path, step));
            self.locals.push(Local { name, path, size, entry: None });
        };
        match &comprehension.second {
            Some(second) => {
                push(&comprehension.variable, keys, key);
                push(second, values, value);
            }
            None if list => push(&comprehension.variable, values, value),
            None => push(&comprehension.variable, keys, key),
        }
        let turn = self.cost(comprehension.condition);
        let turn = self.cost(comprehension.step).plus(turn);
        self.locals.truncate(outside + 1);
        cost = cost.plus(self.cost(comprehension.result));
        self.locals.truncate(outside);
        let count = self.size_or_unknown(comprehension.range);
        cost = cost.plus(count.times(turn));
        match self.tree.kind(comprehension.start) {
            NodeKind::Literal(_) => self.sizes[id as usize] = self.size(comprehension.start),
            NodeKind::List(_) | NodeKind::Map(_) => {
                self.sizes[id as usize] = Some(count);
                if let Some(entry) = self.entry(comprehension.step) {
                    self.entries[id as usize] = Some(entry);
                }
            }
            _ => {}
        }
        cost
    }

    #[inline(never)]
    fn call(&mut self, id: Id, callee: &Callee, target: Option<Id>, arguments: &[Id]) -> Estimate {
        let target = target.filter(|_| !callee.namespaced);
        if let ("dyn", &[argument]) = (callee.function.name, arguments) {
            let cost = self.cost(argument);
            self.sizes[id as usize] = self.size(argument);
            self.entries[id as usize] = self.entry(argument);
            return cost.plus(Estimate::fixed(1));
        }
        let mut costs = Vec::with_capacity(arguments.len());
        let mut nodes = Vec::with_capacity(arguments.len());
        for &argument in arguments {
            costs.push(self.cost(argument));
            nodes.push(self.node(argument));
        }
        let mut own = Estimate::fixed(0);
        let target = target.map(|target| {
            own = self.cost(target);
            self.node(target)
        });
        let mut total = Estimate { min: u64::MAX, max: 0 };
        let mut size = None;
        for &candidate in &callee.candidates {
            let overload = &callee.function.overloads[candidate];
            let (cost, found) = self.overload(id, callee.function.name, overload, target, &nodes, &costs);
            total = total.union(cost);
            size = match (size, found) {
                (Some(size), Some(found)) => Some(Estimate::union(size, found)),
                (size, found) => size.or(found),
            };
            if callee.function.name == "_[_]"
                && let Some(&container) = arguments.first()
            {
                let step = match overload.parameters.first() {
                    Some(Sig::List(_)) => Some("@items"),
                    Some(Sig::Map(..)) => Some("@values"),
                    _ => None,
                };
                if let Some(step) = step {
                    size = self.entry(container).map(|entry| entry.value);
                    let path = self.path(container);
                    self.paths[id as usize] = Some(self.step(path, step));
                }
            }
            size = size.or_else(|| self.size(id));
        }
        if size.is_some() {
            self.sizes[id as usize] = size;
        }
        own.plus(total)
    }

    /// The cost of a call of one overload, with its arguments, and the size of its result if it is known.
    #[inline(never)]
    fn overload(
        &mut self,
        id: Id,
        name: &str,
        overload: &Overload,
        target: Option<Argument<'t>>,
        nodes: &[Argument<'t>],
        costs: &[Estimate],
    ) -> (Estimate, Option<Estimate>) {
        let arguments = costs.iter().fold(Estimate::fixed(0), |sum, cost| sum.plus(*cost));
        let size_of = |index: usize| nodes.get(index).map_or(Estimate::UNKNOWN, Argument::size);
        let (first, second) = (size_of(0), size_of(1));
        let subject = target.map_or(first, |target| target.size());
        let one = Estimate::fixed(1);
        let (cost, size) = match overload.cost {
            Cost::Free if matches!(name, "_&&_" | "_||_") => {
                let least = costs.first().map_or(0, |cost| cost.min);
                return (Estimate { min: least, ..arguments }, None);
            }
            Cost::Free if name == "_?_:_" => {
                let &[condition, truthy, falsy] = costs else { return (arguments, None) };
                let (left, right) = (nodes.get(1), nodes.get(2));
                self.unite(id, left, right);
                return (condition.plus(truthy.union(falsy)), Some(second.union(size_of(2))));
            }
            Cost::Traverse => {
                let kept = target.is_some() || name == "url";
                (subject.scaled(0.1), kept.then_some(subject))
            }
            Cost::TraverseOnly => {
                let size = match name {
                    "bytes" => Some(Estimate { max: subject.max.wrapping_mul(4), ..subject }),
                    "string" => Some(Estimate { min: subject.min / 4, ..subject }),
                    "strings.quote" => Some(Estimate {
                        min: subject.min.wrapping_add(2),
                        max: subject.max.wrapping_mul(2).wrapping_add(2),
                    }),
                    _ => None,
                };
                (subject.scaled(0.1), size)
            }
            Cost::TraverseArgument => (first.scaled(0.1), None),
            Cost::TraverseTwice => {
                let size = match name {
                    "replace" => Some(replaced(subject, first, second)),
                    "split" => {
                        let most = self.int(nodes.get(1)).map_or(subject.max, i64::cast_unsigned);
                        Some(Estimate { min: 0, max: most })
                    }
                    _ => None,
                };
                (subject.scaled(0.2), size)
            }
            Cost::Join => {
                let mut size = target.map_or(Estimate::UNKNOWN, |target| subject.times(self.element(&target)));
                if let Some(separator) = nodes.first() {
                    let gaps = Estimate { min: subject.min.saturating_sub(1), max: subject.max.saturating_sub(1) };
                    size = size.plus(separator.size().times(gaps));
                }
                (size.scaled(0.1), Some(size))
            }
            Cost::Find => {
                let cost = subject.plus(one).scaled(0.1).times(first.scaled(0.25));
                (cost, Some(Estimate { min: 0, max: subject.max }))
            }
            Cost::Match => (subject.plus(one).scaled(0.1).times(first.scaled(0.25)), None),
            Cost::Contains => (subject.scaled(0.1).times(first.scaled(0.1)), None),
            Cost::InList => (second.scaled(1.0), None),
            Cost::Equal if self.is_opaque(nodes) => (one, None),
            Cost::Equal if self.both_are(nodes, &["kubernetes.URL"]) => {
                // Kubernetes uses the size of the right side for both sides.
                let max = nodes.get(1).and_then(|node| node.size).map_or(1, |size| size.max);
                (Estimate { min: 1, max }.scaled(0.1), None)
            }
            Cost::Equal if self.is_format(nodes) => (Estimate { min: 1, max: 64 }.scaled(0.1), None),
            Cost::Equal | Cost::Compare => {
                let max = first.max.min(second.max);
                (Estimate { min: u64::from(max > 0), max }.scaled(0.1), None)
            }
            Cost::Concatenate => {
                self.unite(id, nodes.first(), nodes.get(1));
                let size = first.plus(second);
                (size.scaled(0.1), Some(size))
            }
            Cost::One if name == "_+_" && matches!(overload.parameters[0], Sig::List(_)) => {
                self.unite(id, nodes.first(), nodes.get(1));
                (one, Some(first.plus(second)))
            }
            Cost::Elements => {
                let Some(target) = target else { return (one.plus(arguments), None) };
                let cost = match element_type(target.ty) {
                    Some(Type::String | Type::Bytes) => subject.times(one.plus(self.element(&target).scaled(0.1))),
                    Some(_) => subject.times(one),
                    None => subject.scaled(0.1),
                };
                (cost, None)
            }
            Cost::MakeList => {
                let size = match name {
                    "lists.range" => Estimate::fixed(self.count(nodes.first(), u64::MAX)),
                    "slice" => {
                        let (start, end) = (self.count(nodes.first(), 0), self.count(nodes.get(1), subject.max));
                        Estimate::fixed(end.wrapping_sub(start))
                    }
                    _ => subject,
                };
                (made(1.0, size), Some(size))
            }
            Cost::Flatten => {
                let depth = if nodes.is_empty() { 1 } else { self.count(nodes.first(), u64::MAX) };
                (made(depth as f64, subject), Some(subject))
            }
            Cost::SelfCompare => {
                let text = name == "sort" && is_text(overload.parameters[0]);
                let size = subject.times(subject);
                (made(if text { 2.1 } else { 2.0 }, size), Some(size))
            }
            Cost::SelfCompareKeys => {
                let size = first.times(first);
                (made(if is_text(overload.parameters[1]) { 2.1 } else { 2.0 }, size), Some(size))
            }
            Cost::Product(times) => (first.times(second).scaled(f64::from(times)).plus(one), None),
            Cost::ContainsIp { text } => {
                let base = Estimate { min: 8, max: 32 }.scaled(0.1);
                (if text { base.plus(first.scaled(0.1)) } else { base }, None)
            }
            Cost::ContainsCidr { text } => {
                let base =
                    Estimate { min: 8, max: 32 }.scaled(0.1).plus(Estimate { min: 4, max: 16 }.scaled(0.1)).plus(one);
                (if text { base.plus(first.scaled(0.1)) } else { base }, None)
            }
            Cost::Check => (Estimate::fixed(CHECK), None),
            Cost::Select => {
                let requirements = first.scaled(0.5).scaled(50.0);
                (Estimate::fixed(10).plus(first.scaled(0.1)).plus(requirements), None)
            }
            Cost::Validate => (first.scaled(0.1).scaled(32.0), None),
            Cost::One | Cost::OneByName | Cost::Free => (one, None),
        };
        (cost.plus(arguments), size)
    }

    /// Gives a node the element sizes of two other nodes, if both are known.
    fn unite(&mut self, id: Id, left: Option<&Argument<'_>>, right: Option<&Argument<'_>>) {
        let (Some(left), Some(right)) = (left, right) else { return };
        if let (Some(left), Some(right)) = (self.entry(left.id), self.entry(right.id)) {
            let united =
                ElementSizes { list: left.list, key: left.key.union(right.key), value: left.value.union(right.value) };
            self.entries[id as usize] = Some(united);
        }
    }

    fn is_opaque(&self, nodes: &[Argument<'_>]) -> bool {
        const NAMES: [&str; 4] = ["net.IP", "net.CIDR", "kubernetes.Quantity", "kubernetes.Semver"];
        self.both_are(nodes, &NAMES)
    }

    fn is_format(&self, nodes: &[Argument<'_>]) -> bool {
        self.both_are(nodes, &["kubernetes.NamedFormat"])
    }

    fn both_are(&self, nodes: &[Argument<'_>], names: &[&str]) -> bool {
        matches!(nodes, [left, right] if left.ty == right.ty && matches!(left.ty, Type::Opaque(name) if names.contains(name)))
    }

    /// The size of the elements of a list.
    fn element(&mut self, list: &Argument<'_>) -> Estimate {
        let Some(path) = list.path else { return Estimate::UNKNOWN };
        let path = self.step(Some(path), "@items");
        self.declared(Some(path)).unwrap_or(Estimate::UNKNOWN)
    }

    /// The value of a literal integer; 0 for a negative one, and `default` for anything else.
    fn count(&self, node: Option<&Argument<'_>>, default: u64) -> u64 {
        self.int(node).map_or(default, |int| u64::try_from(int).unwrap_or(0))
    }

    fn int(&self, node: Option<&Argument<'_>>) -> Option<i64> {
        match self.tree.kind(node?.id) {
            NodeKind::Literal(Literal::Int(int)) => Some(*int),
            _ => None,
        }
    }

    #[inline(never)]
    fn node(&mut self, id: Id) -> Argument<'t> {
        Argument { id, path: self.path(id), size: self.size(id), ty: self.ty(id) }
    }

    fn ty(&self, id: Id) -> &'t Type {
        &self.checked.types[id as usize]
    }

    /// The name of a variable, or of a type that is used as a value.
    fn name(&self, id: Id) -> &'t str {
        match (&self.checked.references[id as usize], self.tree.kind(id)) {
            (Reference::Variable(name), _) | (_, NodeKind::Ident(name)) => name,
            _ => "",
        }
    }

    fn local(&self, name: &str) -> Option<&Local<'t>> {
        self.locals.iter().rev().find(|local| local.name == name)
    }

    fn step(&mut self, before: Option<usize>, name: &'t str) -> usize {
        self.steps.push((before, name));
        self.steps.len() - 1
    }

    fn path(&self, id: Id) -> Option<usize> {
        if let NodeKind::Ident(_) = self.tree.kind(id)
            && let Some(local) = self.local(self.name(id))
        {
            return local.path;
        }
        self.paths[id as usize]
    }

    fn size_or_unknown(&mut self, id: Id) -> Estimate {
        self.size(id).unwrap_or(Estimate::UNKNOWN)
    }

    /// The size of a node: that of the value it makes, of the declaration for its path, or of its type.
    fn size(&mut self, id: Id) -> Option<Estimate> {
        if let Some(size) = self.sizes[id as usize] {
            return Some(size);
        }
        match self.tree.kind(id) {
            NodeKind::Literal(Literal::String(text)) => return Some(Estimate::fixed(text.chars().count() as u64)),
            NodeKind::Literal(Literal::Bytes(bytes)) => return Some(Estimate::fixed(bytes.len() as u64)),
            NodeKind::Literal(_) => return Some(Estimate::fixed(1)),
            NodeKind::List(elements) => return Some(Estimate::fixed(elements.len() as u64)),
            NodeKind::Map(entries) => return Some(Estimate::fixed(entries.len() as u64)),
            _ => {}
        }
        if let Some(size) = self.declared(self.path(id)) {
            self.sizes[id as usize] = Some(size);
            return Some(size);
        }
        if self.ty(id).is_scalar() {
            return Some(Estimate::fixed(1));
        }
        if let NodeKind::Ident(_) = self.tree.kind(id) { self.local(self.name(id))?.size } else { None }
    }

    #[inline(never)]
    fn declared(&self, path: Option<usize>) -> Option<Estimate> {
        let mut names = Vec::new();
        let mut next = path;
        while let Some(step) = next {
            let (before, name) = self.steps[step];
            names.push(name);
            next = before;
        }
        names.reverse();
        self.scope.most(&names).map(|max| Estimate { min: 0, max })
    }

    fn entry(&self, id: Id) -> Option<ElementSizes> {
        if let Some(entry) = self.entries[id as usize] {
            return Some(entry);
        }
        if let NodeKind::Ident(_) = self.tree.kind(id) { self.local(self.name(id))?.entry } else { None }
    }
}

/// The element type of a list, or the first type parameter of another type.
fn element_type(ty: &Type) -> Option<&Type> {
    match ty {
        Type::List(inner) | Type::Optional(inner) | Type::Type(Some(inner)) => Some(inner),
        Type::Map(pair) => Some(&pair.0),
        _ => None,
    }
}

fn is_text(list: Sig) -> bool {
    matches!(list, Sig::List(Sig::String | Sig::Bytes))
}

/// The cost of a function that makes a list.
fn made(factor: f64, size: Estimate) -> Estimate {
    size.scaled(factor).plus(Estimate::fixed(11))
}

/// The size of `text` after a replacement of `old` by `new`.
fn replaced(text: Estimate, old: Estimate, new: Estimate) -> Estimate {
    let divided = |text: u64, by: u64| scaled_ceil(text as f64 / by as f64);
    let (most, most_kept) = if old.min == 0 {
        (text.max.saturating_add(1), text.max)
    } else if new.max <= old.min {
        (0, text.max)
    } else {
        (divided(text.max, old.min), 0)
    };
    let (least, least_kept) = if old.max == 0 {
        (text.min.saturating_add(1), text.min)
    } else if old.max <= new.min {
        (0, text.min)
    } else {
        (divided(text.min, old.max), 0)
    };
    let count = Estimate { min: least, max: most };
    count.times(new).plus(Estimate { min: least_kept, max: most_kept })
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "it is not negative, and ends at the largest"
)]
fn scaled_ceil(value: f64) -> u64 {
    value.ceil() as u64
}
