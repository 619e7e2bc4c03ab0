//! A module with both kinds.

/// The module.
pub type ParentsAndChildren = cascade::Module<true, true>;

#[cfg(target_arch = "wasm32")]
cascade::wit::export!(ParentsAndChildren with_types_in cascade::wit);
