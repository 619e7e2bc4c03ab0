//! Judges a service beside the ModelArtifact that pushes what it serves.

use contract::admit::{LookupAnswers, Verdict};
use contract::types::{Code, Problem};
use serde_json::Value;
use toolbox::asked::ask;
use toolbox::path;

use crate::otterscale::model_service::weights::{IMAGE, Importer, Pushed, importer, lookup};

/// The lookup of artifacts with the image as their target.
const PUSHED_BY: &str = "artifact";

/// Warns of an image that a ModelArtifact pushes, and has not pushed yet.
pub(super) fn judge(object: &Value, old: Option<&Value>, answers: &LookupAnswers, verdict: &mut Verdict) {
    if old.is_some_and(|old| path::get(old, IMAGE) == path::get(object, IMAGE)) {
        return;
    }
    let Some((image, by_target)) = lookup(object) else { return };
    let whether = format!("whether a ModelArtifact pushes `{image}`");
    let found = ask(verdict, answers, PUSHED_BY, by_target, &whether).unwrap_or_default();
    let Some(Importer { pushed, name }) = importer(found.iter().filter_map(|it| it.object().ok())) else { return };
    let what = match pushed {
        Pushed::Done => return,
        Pushed::NotYet => "which has not pushed it yet",
        Pushed::Failed => "which failed to push it",
    };
    let message = format!("the image comes from ModelArtifact `{name}`, {what}, so pods cannot start until it has");
    verdict.warnings.push(Problem::new(IMAGE, Code::NotFound, message));
}

#[cfg(test)]
mod tests {
    use contract::types::{MatchBy, ObservedObject, Selector};
    use serde_json::json;

    use super::*;
    use crate::otterscale::found_by::TARGET;

    #[test]
    fn artifacts() {
        #[track_caller]
        fn check(image: &str, artifacts: &[(&str, Value, Value)], want: Option<&str>) {
            let object = json!({"spec": {"model": {"image": image}}});
            let existing = artifacts.iter().map(|(name, target, status)| {
                json!({"metadata": {"namespace": "ml", "name": name}, "spec": {"target": target}, "status": status})
            });
            let existing: Vec<_> = existing.collect();
            let mut asked = Verdict::default();
            judge(&object, None, &LookupAnswers::new(), &mut asked);
            assert_eq!(asked.warnings, []);
            let answer = |selector: &Selector| {
                let MatchBy::Values(by) = &selector.match_by else { panic!("no values") };
                let found = existing.iter().filter(|it| toolbox::index::has_one_of(&TARGET, it, &by.values));
                found.map(|it| ObservedObject::from(it.clone())).collect::<Vec<_>>()
            };
            let answers = asked.lookups.iter().map(|(name, selector)| (name.clone(), answer(selector))).collect();
            let mut verdict = Verdict::default();
            judge(&object, None, &answers, &mut verdict);
            let said: Vec<_> = verdict.warnings.iter().map(|it| it.message.as_str()).collect();
            assert_eq!(said.len(), usize::from(want.is_some()), "{said:?}");
            assert!(said.iter().zip(want).all(|(said, want)| said.contains(want)), "{said:?}");
            // What stays is not judged again.
            let mut verdict = Verdict::default();
            judge(&object, Some(&object), &answers, &mut verdict);
            assert_eq!((verdict.warnings.len(), verdict.lookups.len()), (0, 0));
        }
        let target = |tag: Value| json!({"registry": "ghcr.io", "repository": "org/model", "tag": tag});
        let v1 = || target(json!("v1"));
        let phase = |phase: &str| json!({"phase": phase});
        let pending = Some("ModelArtifact `ml/a`, which has not pushed it yet");
        check("ghcr.io/org/model:v1", &[], None);
        check("ghcr.io/org/model:v1", &[("a", v1(), json!(null))], pending);
        check("ghcr.io/org/model:v1", &[("a", v1(), phase("Running"))], pending);
        check("ghcr.io/org/model:v1", &[("a", v1(), phase("Failed"))], Some("which failed to push it"));
        check("ghcr.io/org/model:v1", &[("a", v1(), phase("Succeeded"))], None);
        check("ghcr.io/org/model:v1", &[("a", v1(), phase("Failed")), ("b", v1(), phase("Succeeded"))], None);
        check("ghcr.io/org/model:v2", &[("a", v1(), json!(null))], None);
        check("ghcr.io/org/model", &[("a", target(json!(null)), json!(null))], pending);
        check("ghcr.io/org/model:latest", &[("a", target(json!("latest")), json!(null))], pending);
        check("model", &[("a", v1(), json!(null))], None);
    }
}
