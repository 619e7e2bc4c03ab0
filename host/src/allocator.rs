//! The allocator of the binary, mimalloc. Each thread has pages of its own.

use mimalloc as _; // its library is linked

/// From now on, the kernel makes no huge pages for this process. The allocator keeps a few blocks of each size for each thread; in huge
/// pages they take 2 MB where 64 kB are used.
#[cfg(target_os = "linux")]
pub(crate) fn small_pages() {
    if let Err(error) = rustix::thread::disable_transparent_huge_pages(true) {
        tracing::debug!(%error, "the kernel makes huge pages");
    }
}

/// Elsewhere, the system decides.
#[cfg(not(target_os = "linux"))]
pub(crate) fn small_pages() {}

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
