//! A module with the kind `Child`.

/// The module.
pub type Children = cascade::Module<true, false>;

#[cfg(target_arch = "wasm32")]
cascade::wit::export!(Children with_types_in cascade::wit);
