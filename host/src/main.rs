//! `sailplane`: the command line.

use std::process::ExitCode;

/// Requests become trees of small allocations, made on one thread and freed on another. The allocator of a static
/// binary (musl's) takes several times as long for that.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    // An error means that there is one already.
    let _ = rustls::crypto::aws_lc_rs::default_provider().install_default();
    host::cli::main()
}
