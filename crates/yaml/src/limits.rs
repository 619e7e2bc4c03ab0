//! What a text may cost. Whoever reads texts of others is safe from bombs within these limits.

/// Most bytes in one text. Schemas and lists of observed objects are the large ones.
pub const MAX_TEXT: usize = 32 << 20;

/// Most characters in one document: what an API server accepts in one request.
pub const MAX_DOCUMENT: usize = 3 << 20;

/// Most documents in one text.
pub const MAX_DOCUMENTS: usize = 10_000;

/// Deepest nesting, below what JSON readers accept (128).
pub const MAX_DEPTH: usize = 100;

/// Most nodes that a text may expand to when each alias stands for what it refers to. 64 bytes of a scalar count as
/// one more.
pub const MAX_WEIGHT: usize = 1_000_000;
