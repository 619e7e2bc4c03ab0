//! Settings that compiled code depends on. The build script includes this file, so the host can load the code that it
//! compiles.

/// Sets them.
pub(crate) fn tune(config: &mut wasmtime::Config) {
    // For the deadline. It is the guard around the component's own limits, which are deterministic.
    config.epoch_interruption(true);
    config.generate_address_map(false);
    config.native_unwind_info(false);
}
