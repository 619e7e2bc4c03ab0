//! The functions, by library.

pub(crate) mod amounts;
pub(crate) mod call;
pub(crate) mod convert;
pub(crate) mod cost;
pub(crate) mod format;
pub(crate) mod functions;
pub(crate) mod lists;
pub(crate) mod network;
pub(crate) mod operators;
pub(crate) mod optionals;
pub(crate) mod quantity;
pub(crate) mod regex;
pub(crate) mod signature;
pub(crate) mod strings;
pub(crate) mod template;
pub(crate) mod time;
pub(crate) mod tolerant;
pub(crate) mod url;
pub(crate) mod version;
