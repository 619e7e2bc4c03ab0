//! Bytes as the API has them: in Base64 (RFC 4648), padded.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

/// Encodes.
pub fn encode(bytes: &[u8]) -> String {
    STANDARD.encode(bytes)
}

/// Decodes what is sound.
pub fn decode(text: &str) -> Vec<u8> {
    STANDARD.decode(text).expect("it is Base64")
}
