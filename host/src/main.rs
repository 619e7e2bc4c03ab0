//! `sailplane`: the command line.

use std::process::ExitCode;

/// Requests become trees of small allocations, which one thread makes and another frees. The allocator of a static
/// binary (musl's) takes several times as long for this.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    // It fails only when a provider is installed already.
    let _ = rustls::crypto::aws_lc_rs::default_provider().install_default();
    host::cli::main()
}
