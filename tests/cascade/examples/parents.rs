//! A module with the kind `Parent`, and the step for composites of any kind.

/// The module.
pub type Parents = cascade::Module<false, true>;

#[cfg(target_arch = "wasm32")]
cascade::wit::export!(Parents with_types_in cascade::wit);
