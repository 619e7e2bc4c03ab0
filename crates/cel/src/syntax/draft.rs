//! A tree under construction, with the limit of `cel-go` on its height and our own limit on its size.

use super::ast::{Id, NodeKind, Tree};
use crate::error::{Problem, Stage};

/// The deepest nesting of expressions, and the longest chain of operators, as upstream.
pub(crate) const MOST_NESTING: u16 = 250;
/// The most nodes of a tree. Upstream has no such limit, and needs exponential time for `x.optMap(…).optMap(…)`.
const MOST_NODES: usize = 100_000;

/// Problems are boxed to keep stack frames small, since the parser is deeply recursive.
pub(crate) type Parsed<T> = Result<T, Box<Problem>>;

/// A tree under construction, and its source.
pub(crate) struct Draft<'s> {
    pub(crate) source: &'s str,
    pub(crate) tree: Tree,
    /// The height of each node: the number of operators, selections and calls on the longest path down from it.
    heights: Vec<u16>,
}

impl<'s> Draft<'s> {
    pub(crate) fn new(source: &'s str) -> Self {
        Self { source, tree: Tree::default(), heights: Vec::new() }
    }

    /// Adds the call of an operator, which is one higher than its arguments.
    #[inline(never)]
    pub(crate) fn operator(&mut self, at: usize, function: &str, arguments: Vec<Id>) -> Parsed<Id> {
        let height = arguments.iter().map(|&argument| self.height(argument)).max().unwrap_or(0) + 1;
        self.node(at, NodeKind::Call { function: function.to_owned(), target: None, arguments }, height)
    }

    pub(crate) fn node(&mut self, at: usize, kind: NodeKind, height: u16) -> Parsed<Id> {
        if height > MOST_NESTING {
            return Err(self.too_high());
        }
        if self.tree.nodes.len() >= MOST_NODES {
            let message = format!("expression has more than {MOST_NODES} parts");
            return Err(Problem::new(Stage::Syntax, self.source, None, message).into());
        }
        self.heights.push(height);
        Ok(self.tree.add(position(at), kind))
    }

    pub(crate) fn height(&self, id: Id) -> u16 {
        self.heights[id as usize]
    }

    #[inline(never)]
    pub(crate) fn problem(&self, at: usize, message: impl Into<String>) -> Box<Problem> {
        Problem::new(Stage::Syntax, self.source, Some(at), message).into()
    }

    /// The error of upstream for a tree that is too high.
    #[inline(never)]
    pub(crate) fn too_high(&self) -> Box<Problem> {
        Problem::new(Stage::Syntax, self.source, None, "max recursion depth exceeded").into()
    }
}

/// A byte offset as nodes store it.
pub(crate) fn position(at: usize) -> u32 {
    u32::try_from(at).unwrap_or(u32::MAX)
}
