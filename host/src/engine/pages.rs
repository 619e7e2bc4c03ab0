//! Memory that constants take.

use std::ffi::c_void;

use rustix::mm::{Advice, madvise};

/// A multiple of every page size there is.
const PAGE: usize = 64 << 10;

/// Gives back the memory of a constant that has been read and will hardly be read again: its pages are the binary's,
/// and come back from there.
pub(super) fn give_back(constant: &'static [u8]) {
    let lead = constant.as_ptr().align_offset(PAGE);
    let Some(inside) = constant.get(lead..) else { return };
    let pages = inside.len() / PAGE * PAGE;
    #[expect(unsafe_code, reason = "advice about memory is about raw memory")]
    // SAFETY: the pages are whole, hold nothing but a constant without pointers, and so are as the binary's file has them.
    let advised = unsafe { madvise(inside.as_ptr().cast::<c_void>().cast_mut(), pages, Advice::LinuxDontNeed) };
    if let Err(error) = advised {
        tracing::debug!(%error, "the kernel keeps the compiled component's pages");
    }
}
