//! The ModelArtifact that pushes the weights of a service.

use contract::compose::Derivation;
use contract::types::Selector;
use serde_json::{Value, json};
use toolbox::builders::selectors::lookup_by;
use toolbox::kind::Find;
use toolbox::path;

use crate::otterscale::found_by::TARGET;
use crate::otterscale::resources::{MODEL_ARTIFACTS, kind};

/// Where the weights are.
pub(super) const IMAGE: &str = "spec.model.image";
/// The most artifacts that are looked at. One has pushed it, or none has.
const KNOWN: u32 = 10;

/// An artifact that pushes an image.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Importer {
    /// How far it is. The best comes first.
    pub(super) pushed: Pushed,
    /// Its namespace and name.
    pub(super) name: String,
}

/// How far an import is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Pushed {
    /// The image is in the registry.
    Done,
    /// It is on its way, or nobody has begun.
    NotYet,
    /// It failed, and is not tried again.
    Failed,
}

/// The image of a service, and the lookup of artifacts that have it as their target. `None` when no artifact can have it: one
/// with a digest is known only once it has been pushed.
pub(super) fn lookup(object: &Value) -> Option<(&str, Selector)> {
    let image = path::get(object, IMAGE).and_then(Value::as_str)?;
    let (registry, repository, tag) = parts(image)?;
    let target = |tag: &str| [registry, repository, tag].map(str::to_owned).to_vec();
    // An artifact without a tag has `latest`.
    let without = (tag == "latest").then(|| target(""));
    let targets = std::iter::once(target(tag)).chain(without).collect();
    Some((image, Selector { limit: Some(KNOWN), ..lookup_by(kind(&MODEL_ARTIFACTS), None, TARGET.name, targets) }))
}

/// The one of these artifacts that is furthest.
pub(super) fn importer<'a>(artifacts: impl Iterator<Item = &'a Value>) -> Option<Importer> {
    let of = |artifact: &Value| {
        let text = |field: &str| artifact["metadata"][field].as_str().unwrap_or_default();
        let pushed = match artifact["status"]["phase"].as_str() {
            Some("Succeeded") => Pushed::Done,
            Some("Failed") => Pushed::Failed,
            _ => Pushed::NotYet,
        };
        Importer { pushed, name: format!("{}/{}", text("namespace"), text("name")) }
    };
    artifacts.map(of).min()
}

/// Why the image is what it is, when one of the objects that there are pushes it.
pub(super) fn linked(object: &Value, find: &Find<'_>) -> Vec<Derivation> {
    let found = lookup(object).and_then(|(image, selector)| Some((image, importer(find(&selector).iter())?)));
    let derivation = |(image, Importer { pushed, name }): (&str, Importer)| {
        let how = match pushed {
            Pushed::Done => "has pushed it",
            Pushed::NotYet => "pushes it, and has not yet, so pods cannot start",
            Pushed::Failed => "failed to push it, so pods cannot start",
        };
        let (resource, path, because) = (String::new(), IMAGE.to_owned(), format!("ModelArtifact `{name}` {how}"));
        Derivation { resource, path, value: json!(image), because, causes: vec![IMAGE.to_owned()] }
    };
    found.map(derivation).into_iter().collect()
}

/// Registry, repository and tag of a reference. `None` when it has a digest.
fn parts(image: &str) -> Option<(&str, &str, &str)> {
    let (registry, rest) = image.split_once('/').filter(|_| !image.contains('@'))?;
    let (repository, tag) = rest.rsplit_once(':').unwrap_or((rest, "latest"));
    Some((registry, repository, tag))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn references() {
        assert_eq!(parts("ghcr.io/org/model:v1"), Some(("ghcr.io", "org/model", "v1")));
        assert_eq!(parts("registry.local:5001/model"), Some(("registry.local:5001", "model", "latest")));
        assert_eq!(parts("model:v1"), None);
        assert_eq!(parts("ghcr.io/org/model@sha256:00"), None);
    }

    #[test]
    fn links() {
        #[track_caller]
        fn check(image: &str, artifacts: &[(&str, &str)], want: Option<&str>) {
            let object = json!({"spec": {"model": {"image": image}}});
            let find = |_: &Selector| {
                let artifact = |(name, phase): &(&str, &str)| json!({"metadata": {"namespace": "ml", "name": name}, "status": {"phase": phase}});
                artifacts.iter().map(artifact).collect()
            };
            let found: Vec<_> = linked(&object, &find).into_iter().map(|it| it.because).collect();
            assert_eq!(found, want.into_iter().collect::<Vec<_>>());
        }
        let image = "ghcr.io/org/model:v1";
        check(image, &[], None);
        check("model", &[("a", "Succeeded")], None);
        check(image, &[("a", "Succeeded")], Some("ModelArtifact `ml/a` has pushed it"));
        check(image, &[("a", "")], Some("ModelArtifact `ml/a` pushes it, and has not yet, so pods cannot start"));
        check(image, &[("a", "Failed"), ("b", "Succeeded")], Some("ModelArtifact `ml/b` has pushed it"));
        check(
            image,
            &[("b", "Failed"), ("a", "Failed")],
            Some("ModelArtifact `ml/a` failed to push it, so pods cannot start"),
        );
    }
}
