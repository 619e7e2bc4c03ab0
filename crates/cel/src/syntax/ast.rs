//! The syntax tree: nodes in one vector, each with its place in the source.

/// A node's index in [`Tree`].
pub(crate) type Id = u32;

#[derive(Debug, Default)]
pub(crate) struct Tree {
    pub(crate) nodes: Vec<Node>,
}

#[derive(Debug, Clone)]
pub(crate) struct Node {
    /// The byte of the source at which mistakes in it are reported.
    pub(crate) at: u32,
    pub(crate) kind: Kind,
}

#[derive(Debug, Clone)]
pub(crate) enum Kind {
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
    Map(Vec<Entry>),
    Message {
        name: String,
        fields: Vec<Field>,
    },
    Fold(Box<Fold>),
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
pub(crate) struct Entry {
    pub(crate) key: Id,
    pub(crate) value: Id,
    pub(crate) optional: bool,
}

#[derive(Debug, Clone)]
pub(crate) struct Field {
    /// Where mistakes about the field are reported.
    pub(crate) at: u32,
    pub(crate) name: String,
    pub(crate) value: Id,
    pub(crate) optional: bool,
}

/// What all macros with variables become: a loop over a range that folds into an accumulator.
#[derive(Debug, Clone)]
pub(crate) struct Fold {
    pub(crate) range: Id,
    pub(crate) variable: String,
    pub(crate) second: Option<String>,
    pub(crate) accumulator: String,
    pub(crate) start: Id,
    pub(crate) condition: Id,
    pub(crate) step: Id,
    pub(crate) result: Id,
}

/// The accumulator of all macros but `cel.bind`; no source can spell it.
pub(crate) const RESULT: &str = "@result";

impl Tree {
    pub(crate) fn add(&mut self, at: u32, kind: Kind) -> Id {
        self.nodes.push(Node { at, kind });
        u32::try_from(self.nodes.len() - 1).unwrap_or(u32::MAX)
    }

    pub(crate) fn kind(&self, id: Id) -> &Kind {
        &self.nodes[id as usize].kind
    }

    pub(crate) fn at(&self, id: Id) -> u32 {
        self.nodes[id as usize].at
    }

    /// `a.b.c`, if the node is only names and dots.
    pub(crate) fn qualified_name(&self, id: Id) -> Option<String> {
        match self.kind(id) {
            Kind::Ident(name) => Some(name.clone()),
            Kind::Select { operand, field, test: false } => Some(self.qualified_name(*operand)? + "." + field),
            _ => None,
        }
    }
}
