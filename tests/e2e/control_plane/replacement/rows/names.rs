//! The names that v0.3.1 gives to what it composes.

use sha2::{Digest as _, Sha256};

/// How much of the text is in a name, which has a hyphen and the hash beside it.
const LENGTH: usize = 57;

/// The name of a child: all parts, and a hash of them also where they are short enough.
pub(crate) fn child_name(parent: &str, part: &str) -> String {
    let text = format!("{parent}-{part}");
    with_hash(&text, &text)
}

/// A name that shows the first part only, and a hash of all.
pub(crate) fn opaque_name(visible: &str, part: &str) -> String {
    with_hash(visible, &format!("{visible}-{part}"))
}

fn with_hash(shown: &str, text: &str) -> String {
    let hash = Sha256::digest(text.as_bytes());
    let hash = format!("{:02x}{:02x}{:02x}", hash[0], hash[1], hash[2]);
    let beginning: String = shown.chars().take(LENGTH).collect();
    format!("{}-{}", beginning.trim_end_matches('-'), &hash[..5])
}

#[test]
fn names_from_rows() {
    let check = |parent: &str, part: &str, want: &str| assert_eq!(child_name(parent, part), want);
    check("test-cluster", "kubeconfig", "test-cluster-kubeconfig-55b57");
    check("test-cluster", "sa-key", "test-cluster-sa-key-3295c");
    check("test-cluster", "cluster-kubeconfig", "test-cluster-cluster-kubeconfig-d0f89");
    check("test-cluster", "serving-stack", "test-cluster-serving-stack-fd00b");
    check("test-backend", "cluster", "test-backend-cluster-63fde");
    check(&"a".repeat(60), "kubeconfig", &format!("{}-7af38", "a".repeat(57)));
    check("llama-09209", "main-standalone-devices", "llama-09209-main-standalone-devices-98cfe");
    assert_eq!(opaque_name("llama", "gpu-east-0"), "llama-09209");
    assert_eq!(opaque_name(&"a".repeat(70), "c-0"), format!("{}-6377a", "a".repeat(57)));
}
