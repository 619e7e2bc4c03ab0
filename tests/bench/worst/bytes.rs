//! What the generators share.

/// Pieces between head and tail, until there are so many bytes. The pieces are numbered.
pub(super) fn filled(size: usize, head: &str, piece: impl Fn(usize) -> String, tail: &str) -> Vec<u8> {
    let mut text = head.to_owned();
    for number in 0.. {
        if text.len() + tail.len() >= size {
            break;
        }
        text.push_str(&piece(number));
    }
    text.push_str(tail);
    text.into_bytes()
}

/// Like [`filled`], and all pieces are equal.
pub(super) fn repeated(size: usize, head: &str, piece: &str, tail: &str) -> Vec<u8> {
    let count = size.saturating_sub(head.len() + tail.len()) / piece.len();
    [head, &piece.repeat(count), tail].concat().into_bytes()
}
