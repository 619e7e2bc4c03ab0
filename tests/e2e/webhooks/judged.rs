//! Refused objects get the same messages from the API server and from `sailplane check`.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use anyhow::{Context as _, Result, ensure};
use serde_json::{Value, json};
use tests::command::run_on;
use tests::files::{bless, workspace};
use tests::real::processes::progress;

use crate::objects;
use crate::site::{NAMESPACE, Site};

/// Objects that are refused. `refused.txt` has the exact messages.
pub(crate) fn refused(site: &Site) -> Result<()> {
    let rows: Vec<_> = objects::refused().into_iter().chain(objects::judged()).collect();
    let answers = site.server.parallel(&rows, |client, _, (_, object)| {
        client.send("POST", &objects::dry_run_of(object, NAMESPACE)?, Some(object))
    })?;
    let checked = checked(&rows.iter().map(|(_, object)| object).collect::<Vec<_>>())?;
    let mut told = String::new();
    for (((what, _), (status, answer)), ours) in rows.iter().zip(&answers).zip(&checked) {
        let message = answer["message"].as_str().unwrap_or_default();
        ensure!(!(200..300).contains(status), "{what}: accepted");
        ensure!(!ours.is_empty(), "{what}: `check` has nothing against it, and the API server says {message}");
        let theirs = lines(answer);
        ensure!(
            theirs.as_ref().is_none_or(|theirs| !theirs.is_empty() && theirs.is_subset(ours)),
            "{what}: the API server says {theirs:#?}, `check` says {ours:#?}"
        );
        // The API server prints several messages in any order.
        let message = match theirs.filter(|theirs| theirs.len() > 1) {
            Some(theirs) => theirs.into_iter().collect::<Vec<_>>().join("\n  "),
            None => message.replace('\n', "\\n"),
        };
        writeln!(told, "{what}\n  {status} {message}")?;
    }
    progress(&format!("{} refused alike", rows.len()));
    bless(&workspace().join("tests/e2e/webhooks/refused.txt"), &told).map_err(anyhow::Error::msg)?;
    as_kubectl_says_it(site)
}

/// The error messages of `sailplane check` for each object.
pub(crate) fn checked(objects: &[&Value]) -> Result<Vec<BTreeSet<String>>> {
    let texts: Vec<_> = objects.iter().map(|&object| objects::placed(NAMESPACE, object).to_string()).collect();
    let done = run_on(texts.join("\n---\n").as_bytes(), &["check", "--output", "json", "-"]);
    let report: Value = serde_json::from_str(&done.out).with_context(|| done.err.clone())?;
    let mut found: BTreeMap<u64, BTreeSet<String>> = BTreeMap::new();
    for finding in report["findings"].as_array().into_iter().flatten().filter(|it| it["severity"] == "error") {
        let document = finding["document"].as_u64().context("a finding is in a document")?;
        let messages = found.entry(document).or_default();
        let message = finding["message"].as_str().unwrap_or_default().to_owned();
        // The webhook's messages end with what would be right; those of the schema do not.
        messages.extend(finding["fix"].get("replace").map(|value| format!("{message} (write {value})")));
        messages.insert(message);
    }
    // An object of an unknown kind is not checked, and the API server has no path for it.
    for object in report["objects"].as_array().into_iter().flatten().filter(|it| it["checked"] == false) {
        let document = object["document"].as_u64().context("an object is a document")?;
        found.entry(document).or_default().insert("no kind that is known".to_owned());
    }
    Ok((0..objects.len() as u64).map(|document| found.remove(&document).unwrap_or_default()).collect())
}

/// The messages of a refusal. None when the API server refuses the request before it validates the object: some values
/// cannot be decoded, and some kinds are unknown.
pub(crate) fn lines(answer: &Value) -> Option<BTreeSet<String>> {
    if let Some((_, unknown)) = answer["message"].as_str()?.split_once("strict decoding error: ") {
        return Some(unknown.split(", ").map(str::to_owned).collect());
    }
    let causes = answer["details"]["causes"].as_array()?;
    let line = |cause: &Value| {
        let text = |key: &str| cause[key].as_str().unwrap_or_default();
        match text("field") {
            "" | "<nil>" => text("message").to_owned(),
            field => format!("{field}: {}", text("message")),
        }
    };
    Some(causes.iter().map(line).collect())
}

/// The messages as kubectl prints them.
fn as_kubectl_says_it(site: &Site) -> Result<()> {
    let says = |object: Value, want: &str| {
        let object = objects::within(NAMESPACE, object);
        let Err(error) = site.kubectl.apply_by_command(&object) else { anyhow::bail!("kubectl applied {object}") };
        let said = format!("{error:#}");
        ensure!(said.contains(want), "kubectl said {said}\nand not {want}");
        Ok(())
    };
    says(
        objects::named("7b"),
        "The LLMInference \"7b\" is invalid: metadata.name: no Service can be named `7b`: the name starts with a digit",
    )?;
    says(
        objects::with(objects::sound(), "/spec/gpu", json!(0)),
        "The LLMInference \"qwen\" is invalid: spec.gpu: Invalid value: 0: \
         spec.gpu in body should be greater than or equal to 1",
    )?;
    says(objects::with(objects::sound(), "/spec/gpus", json!(1)), "unknown field \"spec.gpus\"")
}
