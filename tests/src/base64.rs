//! Base64 (RFC 4648), as far as tests need it.

const ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/// Encodes with padding.
pub fn encode(bytes: &[u8]) -> String {
    let encoded = |chunk: &[u8]| {
        let bits = chunk.iter().enumerate().fold(0, |bits, (at, byte)| bits | u32::from(*byte) << (16 - 8 * at));
        let sextet = |at: usize| char::from(ALPHABET[(bits >> (18 - 6 * at)) as usize & 63]);
        (0..4).map(|at| if at <= chunk.len() { sextet(at) } else { '=' }).collect::<String>()
    };
    bytes.chunks(3).map(encoded).collect()
}

/// Decodes what is padded and sound.
pub fn decode(text: &str) -> Vec<u8> {
    let decoded = |chunk: &[u8]| {
        let sextets: Vec<_> = chunk.iter().filter_map(|c| ALPHABET.iter().position(|it| it == c)).collect();
        let bits = sextets.iter().enumerate().fold(0, |bits, (at, six)| bits | (*six as u32) << (18 - 6 * at));
        bits.to_be_bytes()[1..sextets.len()].to_vec()
    };
    text.as_bytes().chunks(4).flat_map(decoded).collect()
}
