//! Stored objects: they can be edited, even when a newer rule refuses them, and a refused edit changes nothing.

use anyhow::{Result, ensure};
use serde_json::{Value, json};

use crate::lookups::warned_by;
use crate::objects::{named, sound, with, within};
use crate::site::{NAMESPACE, Site};

pub(crate) fn all(site: &Site) -> Result<()> {
    edits(site)?;
    older_than_the_webhooks(site)?;
    dry_runs(site)?;
    deletions(site)
}

fn edits(site: &Site) -> Result<()> {
    site.kubectl.apply_by_command(&within(NAMESPACE, sound()))?;
    let before = stored(site, "qwen")?;
    for (pointer, value) in [
        ("/spec/gpu", json!(0)),
        ("/spec/ingressHost", json!("A")),
        ("/spec/providerConfigName", json!("nowhere")),
        ("/spec/gpus", json!(1)),
    ] {
        let edited = within(NAMESPACE, with(sound(), pointer, value));
        ensure!(site.kubectl.apply_by_command(&edited).is_err(), "an invalid edit is taken: {edited}");
        let after = stored(site, "qwen")?;
        ensure!(before == after, "a refused edit changed {after}");
    }
    site.kubectl.apply_by_command(&within(NAMESPACE, with(sound(), "/spec/gpu", json!(2))))?;
    ensure!(stored(site, "qwen")?["spec"]["gpu"] == 2, "a valid edit is lost");
    site.kubectl.run(&["delete", "-n", NAMESPACE, "llminference", "qwen"]).map(drop)
}

/// Objects whose name the webhooks refuse, created before there were webhooks.
fn older_than_the_webhooks(site: &Site) -> Result<()> {
    site.deregister()?;
    let old = within(NAMESPACE, named("7b"));
    site.kubectl.apply_by_command(&old)?;
    site.register()?;
    site.kubectl.apply_by_command(&with(old.clone(), "/spec/gpu", json!(2)))?;
    let labels = json!({"metadata": {"labels": {"team": "a"}, "finalizers": ["sailplane.test/keep"]}});
    site.kubectl.patch(&["-n", NAMESPACE, "llminference", "7b"], &labels)?;
    ensure!(site.kubectl.apply_by_command(&with(old, "/spec/gpu", json!(0))).is_err(), "an invalid edit is taken");
    // It can be deleted, although it is invalid.
    site.kubectl.run(&["delete", "-n", NAMESPACE, "llminference", "7b", "--wait=false"])?;
    site.kubectl.patch(&["-n", NAMESPACE, "llminference", "7b"], &json!({"metadata": {"finalizers": null}}))?;
    let left = site.kubectl.run(&["get", "-n", NAMESPACE, "llminference", "7b", "--ignore-not-found"])?;
    ensure!(left.is_empty(), "left: {left}");
    Ok(())
}

fn dry_runs(site: &Site) -> Result<()> {
    let file = site.dir.join("dry-run.json");
    std::fs::write(&file, within(NAMESPACE, named("dry")).to_string())?;
    let file = file.display().to_string();
    let shown = site.kubectl.run(&["apply", "--dry-run=server", "-o", "json", "-f", &file])?;
    let shown: Value = serde_json::from_str(&shown)?;
    ensure!(shown["spec"]["targetNamespace"] == NAMESPACE, "defaults are not shown: {shown}");
    let left = site.kubectl.run(&["get", "-n", NAMESPACE, "llminference", "dry", "--ignore-not-found"])?;
    ensure!(left.is_empty(), "a dry run stored {left}");
    Ok(())
}

/// Two composites that compose the same objects, created before there were webhooks.
fn deletions(site: &Site) -> Result<()> {
    site.deregister()?;
    site.kubectl.apply_by_command(&within(NAMESPACE, named("twin")))?;
    site.kubectl.apply_by_command(&within("team-b", with(named("twin"), "/spec/targetNamespace", json!(NAMESPACE))))?;
    site.register()?;
    let path = format!("{}/twin?dryRun=All", crate::objects::collection(NAMESPACE));
    warned_by(site, "DELETE", &path, None, "LLMInference `team-b/twin` composes the same objects, `team-a/twin`")?;
    site.kubectl.run(&["delete", "-n", "team-b", "llminference", "twin"])?;
    site.kubectl.run(&["delete", "-n", NAMESPACE, "llminference", "twin"])?;
    Ok(())
}

fn stored(site: &Site, name: &str) -> Result<Value> {
    site.kubectl.get(&["-n", NAMESPACE, "llminference", name])
}
