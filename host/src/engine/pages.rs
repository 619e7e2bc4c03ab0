//! Memory of large constants.

use std::ffi::c_void;

use rustix::mm::{Advice, madvise};

/// A multiple of all usual page sizes.
const PAGE: usize = 64 << 10;

/// Gives back the memory of a constant that is not needed any more. Its pages are part of the binary's file: if
/// somebody reads the constant again, the kernel loads them again.
pub(super) fn give_back(constant: &'static [u8]) {
    let lead = constant.as_ptr().align_offset(PAGE);
    let Some(inside) = constant.get(lead..) else { return };
    let pages = inside.len() / PAGE * PAGE;
    #[expect(unsafe_code, reason = "advice about memory is about raw memory")]
    // SAFETY: these are whole pages of a constant without pointers, so they never differ from the binary's file.
    let advised = unsafe { madvise(inside.as_ptr().cast::<c_void>().cast_mut(), pages, Advice::LinuxDontNeed) };
    if let Err(error) = advised {
        tracing::debug!(%error, "the kernel keeps the compiled component's pages");
    }
}
