//! A tree that grows, within the limits of `cel-go` on its height and of our own on its size.

use super::ast::{Id, Kind, Tree};
use crate::error::{Problem, Stage};

/// How deep expressions nest, and how long chains of operators get, as upstream.
pub(crate) const MOST_NESTING: u16 = 250;
/// Nodes of a tree. Upstream has no such limit, and takes exponential time over `x.optMap(…).optMap(…)`.
const MOST_NODES: usize = 100_000;

/// Problems are boxed, since what is nested deep should be small.
pub(crate) type Parsed<T> = Result<T, Box<Problem>>;

/// What has been read of a text.
pub(crate) struct Draft<'s> {
    pub(crate) source: &'s str,
    pub(crate) tree: Tree,
    /// For each node how many operators, selections and calls are on the longest way down from it.
    heights: Vec<u16>,
}

impl<'s> Draft<'s> {
    pub(crate) fn new(source: &'s str) -> Self {
        Self { source, tree: Tree::default(), heights: Vec::new() }
    }

    /// A node for an operator, which counts towards the depth of the tree.
    #[inline(never)]
    pub(crate) fn operator(&mut self, at: usize, function: &str, arguments: Vec<Id>) -> Parsed<Id> {
        let height = arguments.iter().map(|&argument| self.height(argument)).max().unwrap_or(0) + 1;
        self.node(at, Kind::Call { function: function.to_owned(), target: None, arguments }, height)
    }

    pub(crate) fn node(&mut self, at: usize, kind: Kind, height: u16) -> Parsed<Id> {
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

    /// What upstream says when its visitor goes too deep.
    #[inline(never)]
    pub(crate) fn too_high(&self) -> Box<Problem> {
        Problem::new(Stage::Syntax, self.source, None, "max recursion depth exceeded").into()
    }
}

/// A place, as nodes have it.
pub(crate) fn position(at: usize) -> u32 {
    u32::try_from(at).unwrap_or(u32::MAX)
}
