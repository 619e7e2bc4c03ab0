//! The component's memory: lists of free blocks before the allocator of the standard library.
//!
//! A call makes thousands of small texts, lists and maps, and frees them when it ends. The allocator of the standard
//! library looks for a block that fits best, and joins it with its neighbours when it is freed. Here a small block
//! returns to the list of its size, and the next one of this size is taken from there. Lists keep their blocks as long
//! as the instance lives, which the host ends when it has much memory.

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::ptr::null_mut;

/// Sizes of blocks are multiples of this, which is their alignment too.
const STEP: usize = 16;

/// Larger blocks are the standard library's.
const LARGEST: usize = 1024;

/// How much is taken from the standard library at once.
const CHUNK: usize = 32 << 10;

/// The allocator.
pub(crate) struct Lists {
    /// The first free block of each size.
    free: [Cell<*mut Block>; LARGEST / STEP],
    /// What is left of the last chunk.
    rest: Cell<*mut u8>,
    left: Cell<usize>,
}

/// A free block: it contains the next one of its size.
struct Block {
    next: *mut Block,
}

impl Lists {
    pub(crate) const fn new() -> Self {
        Self {
            free: [const { Cell::new(null_mut()) }; LARGEST / STEP],
            rest: Cell::new(null_mut()),
            left: Cell::new(0),
        }
    }

    /// The list of blocks for a layout, if it is small.
    #[inline(always)]
    fn list(&self, layout: Layout) -> Option<&Cell<*mut Block>> {
        if layout.align() > STEP {
            return None;
        }
        self.free.get(layout.size().wrapping_sub(1) / STEP)
    }

    /// A block from a chunk.
    #[cold]
    #[inline(never)]
    fn carve(&self, layout: Layout) -> *mut u8 {
        let size = layout.size().next_multiple_of(STEP);
        if self.left.get() < size {
            let Ok(chunk) = Layout::from_size_align(CHUNK, STEP) else { return null_mut() };
            // SAFETY: a chunk is not empty.
            let start = unsafe { System.alloc(chunk) };
            if start.is_null() {
                return start;
            }
            self.rest.set(start);
            self.left.set(CHUNK);
        }
        let block = self.rest.get();
        self.rest.set(block.wrapping_add(size));
        self.left.set(self.left.get() - size);
        block
    }
}

// SAFETY: a component has one thread.
unsafe impl Sync for Lists {}

// SAFETY: a block is in a list, or in use, or not carved yet; and its layout gives the same list when it is freed.
unsafe impl GlobalAlloc for Lists {
    #[inline]
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        let Some(list) = self.list(layout) else {
            // SAFETY: as for this function.
            return unsafe { System.alloc(layout) };
        };
        let block = list.get();
        if block.is_null() {
            return self.carve(layout);
        }
        // SAFETY: a block in a list is free, and was written when it came there.
        list.set(unsafe { (*block).next });
        block.cast()
    }

    #[inline]
    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        let Some(list) = self.list(layout) else {
            // SAFETY: as for this function.
            return unsafe { System.dealloc(pointer, layout) };
        };
        let block: *mut Block = pointer.cast();
        // SAFETY: a block has room for this, and nobody uses it any more.
        unsafe { (*block).next = list.get() };
        list.set(block);
    }

    #[inline]
    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // SAFETY: as for this function.
        let new = unsafe { Layout::from_size_align_unchecked(size, layout.align()) };
        match (self.list(layout), self.list(new)) {
            // SAFETY: as for this function.
            (None, None) => unsafe { System.realloc(pointer, layout, size) },
            (Some(one), Some(other)) if std::ptr::eq(one, other) => pointer,
            _ => {
                // SAFETY: as for this function: neither block is smaller than what is copied.
                unsafe {
                    let moved = self.alloc(new);
                    if !moved.is_null() {
                        pointer.copy_to_nonoverlapping(moved, layout.size().min(size));
                        self.dealloc(pointer, layout);
                    }
                    moved
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A block that holds its own mark.
    struct Held {
        pointer: *mut u8,
        layout: Layout,
        mark: u8,
    }

    impl Held {
        fn fill(&self) {
            // SAFETY: the block has so many bytes.
            unsafe { self.pointer.write_bytes(self.mark, self.layout.size()) };
        }

        /// Whether the first `size` bytes are what was written.
        fn is_whole(&self, size: usize) -> bool {
            // SAFETY: the block has so many bytes, and they were written.
            (0..size).all(|index| unsafe { self.pointer.add(index).read() } == self.mark)
        }
    }

    fn layout(size: usize, align: usize) -> Layout {
        Layout::from_size_align(size, align).expect("a layout")
    }

    #[test]
    fn blocks_never_overlap() {
        let lists = Lists::new();
        let mut held: Vec<Held> = Vec::new();
        for step in 0..20_000usize {
            let (size, align) = (1 + step * 37 % 2_500, [1, 4, 8, 16, 64][step % 5]);
            match step % 7 {
                0..=3 => {
                    // SAFETY: the size is not zero.
                    let pointer = unsafe { lists.alloc(layout(size, align)) };
                    assert_eq!(pointer.align_offset(align), 0, "{size} bytes at {align}");
                    held.push(Held { pointer, layout: layout(size, align), mark: step as u8 });
                }
                4 => {
                    let index = step * 13 % held.len();
                    let block = &mut held[index];
                    // SAFETY: the block is of this allocator, with this layout, and the size is not zero.
                    block.pointer = unsafe { lists.realloc(block.pointer, block.layout, size) };
                    assert!(block.is_whole(size.min(block.layout.size())), "step {step}");
                    block.layout = layout(size, block.layout.align());
                }
                _ => {
                    let block = held.swap_remove(step * 17 % held.len());
                    assert!(block.is_whole(block.layout.size()), "step {step}");
                    // SAFETY: the block is of this allocator, with this layout.
                    unsafe { lists.dealloc(block.pointer, block.layout) };
                    continue;
                }
            }
            let index = if step % 7 == 4 { step * 13 % held.len() } else { held.len() - 1 };
            held[index].fill();
        }
        for block in held {
            assert!(block.is_whole(block.layout.size()));
            // SAFETY: the block is of this allocator, with this layout.
            unsafe { lists.dealloc(block.pointer, block.layout) };
        }
    }

    #[test]
    fn a_freed_block_is_the_next_one_of_its_size() {
        let lists = Lists::new();
        // SAFETY: the sizes are not zero, and a block is freed with its layout.
        unsafe {
            let first = lists.alloc(layout(40, 8));
            lists.dealloc(first, layout(40, 8));
            assert_eq!(lists.alloc(layout(48, 1)), first);
            assert_ne!(lists.alloc(layout(48, 1)), first);
        }
    }
}
