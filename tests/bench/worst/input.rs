//! An input, and the door that reads it.

/// An input.
pub(crate) struct Input {
    pub(crate) what: &'static str,
    /// What a process reads: so many bytes of it, or a little more.
    pub(crate) make: fn(usize) -> Vec<u8>,
    pub(crate) door: Door,
}

/// What reads an input.
pub(crate) enum Door {
    /// A command, with the input in place of `FILE`.
    Command(&'static [&'static str]),
    /// `check`, with the input as a schema, and another file.
    Schema(&'static str, fn(usize) -> Vec<u8>),
    /// `sailplane function`.
    Function,
    /// `sailplane admission`, at a path.
    Webhook(&'static str),
}
