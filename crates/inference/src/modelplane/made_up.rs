//! What a preview makes up, because nobody can know it before it exists.

use toolbox::hashed::sha256;

/// An address of the network that RFC 2544 keeps for tests, so nobody has it. Different names have different ones, nearly
/// always.
pub fn address(name: &str) -> String {
    let digits = sha256([name]);
    let byte = |at: usize| digits.get(at..at + 2).and_then(|it| u8::from_str_radix(it, 16).ok()).unwrap_or_default();
    format!("198.{}.{}.{}", 18 + byte(0) % 2, byte(2), byte(4))
}
