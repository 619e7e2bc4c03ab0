//! Names and uids, as Crossplane derives them (`internal/names` and `internal/render`).

use contract::types::KindRef;
use sha1::{Digest as _, Sha1};
use toolbox::hashed::{hex, sha256};

/// The largest length of the name of a composed resource.
const MAX_NAME: usize = 63;

/// The number of hexadecimal digits in its hash.
const HASH: usize = 12;

/// The uid for a composite without one: a version 5 UUID in the nil namespace.
pub(super) fn uid(kind: &KindRef, namespace: &str, name: &str) -> String {
    let (group, version) = kind.api_version.split_once('/').unwrap_or(("", &kind.api_version));
    let mut hash = Sha1::new();
    hash.update([0; 16]);
    hash.update(format!("{group}/{version}, Kind={}\0{namespace}\0{name}", kind.kind));
    let mut bytes = [0; 16];
    bytes.iter_mut().zip(hash.finalize()).for_each(|(byte, hashed)| *byte = hashed);
    bytes[6] = bytes[6] & 0x0f | 0x50;
    bytes[8] = bytes[8] & 0x3f | 0x80;
    let digits = hex(&bytes);
    let groups = [0..8, 8..12, 12..16, 16..20, 20..32].map(|range| digits.get(range).unwrap_or_default().to_owned());
    groups.join("-")
}

/// The name of a composed resource: the name of its composite, truncated if necessary, and a hash.
pub(super) fn child(parent: &str, parent_uid: &str, resource_name: &str) -> String {
    let mut hash = sha256([parent_uid, resource_name]);
    hash.truncate(HASH);
    let mut parent = parent.to_owned();
    if !parent.is_empty() && !parent.ends_with('-') {
        parent.push('-');
    }
    if parent.len() + HASH > MAX_NAME {
        let dashed = parent.as_bytes().get(MAX_NAME - HASH - 1) == Some(&b'-');
        let mut end = MAX_NAME - HASH - usize::from(!dashed);
        while !parent.is_char_boundary(end) {
            end -= 1;
        }
        parent.truncate(end);
        parent.push_str(if dashed { "" } else { "-" });
    }
    parent + &hash
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn uids() {
        let kind =
            KindRef { api_version: "inference.devopstoolkit.ai/v1alpha1".to_owned(), kind: "LLMInference".to_owned() };
        let uid = uid(&kind, "team-a", "my-llm");
        assert_eq!(uid.len(), 36);
        assert_eq!(uid.as_bytes()[14], b'5', "version");
    }

    #[test]
    fn children() {
        #[track_caller]
        fn check(parent: &str, start: &str, length: usize) {
            let name = child(parent, "uid", "resource");
            assert!(name.starts_with(start), "{name}");
            assert_eq!(name.len(), length, "{name}");
        }

        check("qwen-", "qwen-", 17);
        check("qwen", "qwen-", 17);
        check("", "", 12);
        check(&"a".repeat(51), &format!("{}-", "a".repeat(50)), 63);
        check(&"a".repeat(50), &format!("{}-", "a".repeat(50)), 63);
        check(&format!("{}-b-", "a".repeat(50)), &format!("{}-", "a".repeat(50)), 63);
        check(&format!("{}-bbb-", "a".repeat(49)), &format!("{}--", "a".repeat(49)), 63);
    }
}
