//! The allocator of the binary, mimalloc. Each thread has pages of its own.

use mimalloc as _; // its library is linked

/// Gives back the memory of all pages of this thread in which nothing is used any more. A thread notices only when it
/// allocates again what other threads have freed in its pages, and it keeps a page of each size for the next time. So a
/// thread that sleeps keeps much.
pub(crate) fn collect() {
    #[expect(unsafe_code, reason = "a function of mimalloc that its crate does not have")]
    // SAFETY: it concerns the pages of this thread only, and may be called at any time. Where another allocator is the
    // global one, as in unit tests, it has nothing to do.
    unsafe {
        mi_collect(true);
    }
}

#[expect(unsafe_code, reason = "a function of mimalloc that its crate does not have")]
unsafe extern "C" {
    fn mi_collect(force: bool);
}
