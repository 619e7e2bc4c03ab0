//! What admission finds objects by, beside names and labels. The rows of the kinds declare these indexes.

use contract::catalog::Index;

/// ModelServices by namespace, so that one lookup finds those of several.
pub const NAMESPACE: Index = Index { name: "namespace", parts: &[&["/metadata/namespace"]] };

/// ModelArtifacts by what they push. One without a tag pushes `latest`.
pub const TARGET: Index =
    Index { name: "target", parts: &[&["/spec/target/registry"], &["/spec/target/repository"], &["/spec/target/tag"]] };
