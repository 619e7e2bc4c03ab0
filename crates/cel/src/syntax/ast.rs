//! The syntax tree: a vector of nodes, each with its place in the source.

/// The index of a node in its [`Tree`].
pub(crate) type Id = u32;

#[derive(Debug, Default)]
pub(crate) struct Tree {
    pub(crate) nodes: Vec<Node>,
}

#[derive(Debug, Clone)]
pub(crate) struct Node {
    /// The byte offset in the source where problems with the node are reported.
    pub(crate) at: u32,
    pub(crate) kind: NodeKind,
}

#[derive(Debug, Clone)]
pub(crate) enum NodeKind {
    Literal(Literal),
    Ident(String),
    /// `operand.field`, or `has(operand.field)`.
    Select {
        operand: Id,
        field: String,
        test: bool,
    },
    Call {
        function: String,
        target: Option<Id>,
        arguments: Vec<Id>,
    },
    List(Vec<Element>),
    Map(Vec<MapEntry>),
    Message {
        name: String,
        fields: Vec<MessageField>,
    },
    Comprehension(Box<Comprehension>),
}

#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Literal {
    Null,
    Bool(bool),
    Int(i64),
    Uint(u64),
    Double(f64),
    String(String),
    Bytes(Vec<u8>),
}

#[derive(Debug, Clone, Copy)]
pub(crate) struct Element {
    pub(crate) value: Id,
    pub(crate) optional: bool,
}

#[derive(Debug, Clone, Copy)]
pub(crate) struct MapEntry {
    pub(crate) key: Id,
    pub(crate) value: Id,
    pub(crate) optional: bool,
}

#[derive(Debug, Clone)]
pub(crate) struct MessageField {
    /// The byte offset where problems with the field are reported.
    pub(crate) at: u32,
    pub(crate) name: String,
    pub(crate) value: Id,
    pub(crate) optional: bool,
}

/// A comprehension, to which all macros with variables expand: a loop over a range with an accumulator.
#[derive(Debug, Clone)]
pub(crate) struct Comprehension {
    pub(crate) range: Id,
    pub(crate) variable: String,
    pub(crate) second: Option<String>,
    pub(crate) accumulator: String,
    pub(crate) start: Id,
    pub(crate) condition: Id,
    pub(crate) step: Id,
    pub(crate) result: Id,
}

/// The accumulator of all macros but `cel.bind`. It is not a valid identifier in expressions.
pub(crate) const RESULT: &str = "@result";

impl Tree {
    pub(crate) fn add(&mut self, at: u32, kind: NodeKind) -> Id {
        self.nodes.push(Node { at, kind });
        u32::try_from(self.nodes.len() - 1).unwrap_or(u32::MAX)
    }

    pub(crate) fn kind(&self, id: Id) -> &NodeKind {
        &self.nodes[id as usize].kind
    }

    pub(crate) fn at(&self, id: Id) -> u32 {
        self.nodes[id as usize].at
    }

    /// `a.b.c`, if the node is only names and dots.
    pub(crate) fn qualified_name(&self, id: Id) -> Option<String> {
        match self.kind(id) {
            NodeKind::Ident(name) => Some(name.clone()),
            NodeKind::Select { operand, field, test: false } => Some(self.qualified_name(*operand)? + "." + field),
            _ => None,
        }
    }
}
