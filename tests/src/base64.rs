//! Base64 with padding (RFC 4648), as in the Kubernetes API.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

/// Encodes.
pub fn encode(bytes: &[u8]) -> String {
    STANDARD.encode(bytes)
}

/// Decodes valid Base64.
pub fn decode(text: &str) -> Vec<u8> {
    STANDARD.decode(text).expect("it is Base64")
}
