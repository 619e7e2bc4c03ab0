//! Settings that compiled code depends on. The build script reads this file too, so that what it compiles
//! is what the host loads.

/// Sets them.
pub(crate) fn tune(config: &mut wasmtime::Config) {
    // The wall-clock guard around the component's own, deterministic bounds.
    config.epoch_interruption(true);
    config.generate_address_map(false);
    config.native_unwind_info(false);
}
