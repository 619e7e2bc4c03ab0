//! Limits on the size of a text. With them it is safe to read texts from anybody: they also bound what aliases expand to.

/// The most bytes of one text. The largest are schemas and lists of observed objects.
pub const MAX_TEXT: usize = 32 << 20;

/// The most characters of one document: as many as an API server accepts in one request.
pub const MAX_DOCUMENT: usize = 3 << 20;

/// The most documents in one text.
pub const MAX_DOCUMENTS: usize = 10_000;

/// The deepest nesting. JSON readers accept a little more (128).
pub const MAX_DEPTH: usize = 100;

/// The most bytes of the keys on the way to a list or mapping. Messages repeat them.
pub const MAX_PATH: usize = 16 << 10;

/// The most nodes of a text, when each alias counts as what it refers to. Each 64 bytes of a scalar count as one more
/// node, and so does each [`DEEP`] levels around a node.
pub const MAX_WEIGHT: usize = 1_000_000;

/// The levels that count as one more node. The grammar looks at all of them for each value, and a printer indents by them.
/// Few objects of Kubernetes have so many.
pub const DEEP: usize = 32;

/// The most nodes, counted like this, that are copies: what an alias refers to, for each alias, and what has an anchor, for
/// each anchor.
pub const MAX_COPIES: usize = 50_000;
