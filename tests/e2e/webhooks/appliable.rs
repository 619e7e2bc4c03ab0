//! Allowed means appliable: of many composites, with what people may write in their fields, the API server accepts every object that
//! one becomes, unless admission refuses the composite.

mod artifacts;
mod clusters;
mod models;
mod services;
mod subject;

use std::collections::BTreeMap;
use std::time::Instant;

use anyhow::{Context as _, Result, ensure};
use contract::catalog::Scope;
use contract::compose::ComposeRequest;
use contract::types::KindRef;
use inference::KINDS;
use module::compose;
use serde_json::{Value, json};
use tests::random::Random;
use tests::real::others;
use tests::real::processes::progress;

use self::subject::Subject;
use crate::objects;
use crate::site::{NAMESPACE, Site};

/// How many composites are sent at once, until enough are allowed.
const BATCH: usize = 500;
/// The most composites that are sent for each that must be allowed.
const MOST: usize = 4;

/// Sends composites until enough of them are allowed, and all that those become.
pub(crate) fn all(site: &Site) -> Result<()> {
    let subjects = [services::SERVICES, artifacts::ARTIFACTS, clusters::CLUSTERS, models::MODELS];
    subjects.iter().try_for_each(|subject| of(subject, site))
}

fn of(subject: &Subject, site: &Site) -> Result<()> {
    let start = Instant::now();
    if !subject.others.is_empty() {
        site.kubectl.apply_all(&others::definitions(subject.others)?)?;
        site.kubectl.run(&["wait", "--for=condition=Established", "crds", "--all", "--timeout=60s"])?;
    }
    let mut numbers = Random::new(subject.allowed as u64);
    let (mut sent, mut allowed) = (0, 0);
    let mut becomes: BTreeMap<String, (Value, Value)> = BTreeMap::new();
    while allowed < subject.allowed && sent < MOST * subject.allowed {
        let batch = BATCH.min(subject.allowed);
        let composites = (0..batch).map(|_| subject.composite(&mut numbers)).collect::<Result<Vec<_>>>()?;
        sent += composites.len();
        let answers = site.server.parallel(&composites, |client, _, composite| {
            client.send("POST", &objects::dry_run_of(composite, NAMESPACE)?, Some(composite))
        })?;
        for (status, stored) in answers.into_iter().filter(|(status, _)| (200..300).contains(status)) {
            ensure!(status == 201, "{status} {stored}");
            allowed += 1;
            let (name, sections) = subject.sections;
            let section: &&str = numbers.pick(sections);
            let section: Value = serde_json::from_str(section)?;
            for object in objects_of(&stored, name, &section)? {
                becomes.entry(object.to_string()).or_insert((object, stored["spec"].clone()));
            }
        }
    }
    let what = subject.what;
    ensure!(allowed >= subject.allowed, "{allowed} of {sent} {what} are allowed");
    let objects: Vec<_> = becomes.into_values().collect();
    let answers = site
        .server
        .parallel(&objects, |client, _, (object, _)| client.send("PATCH", &applied(object)?, Some(object)))?;
    let refused = objects.iter().zip(&answers).filter(|(_, (status, _))| !(200..300).contains(status));
    let refused: BTreeMap<String, &Value> = refused
        .map(|((_, spec), (_, answer))| {
            let message = answer["message"].as_str().unwrap_or_default();
            // Many are refused for one reason.
            (message.split_once(": ").map_or(message, |(_, why)| why).to_owned(), spec)
        })
        .collect();
    let shown: Vec<_> = refused.iter().map(|(why, spec)| format!("{why}\n  {spec}")).collect();
    ensure!(refused.is_empty(), "objects are refused for {} reasons:\n{}", refused.len(), shown.join("\n"));
    let took = start.elapsed().as_secs_f64();
    progress(&format!(
        "{allowed} of {sent} {what} are allowed, and {} different objects of them, in {took:.0} s",
        objects.len()
    ));
    Ok(())
}

/// What a composite becomes, and what is inside.
fn objects_of(stored: &Value, name: &str, section: &Value) -> Result<Vec<Value>> {
    let options = json!({"apiVersion": "sailplane.fn.crossplane.io/v1alpha1", "kind": "Options", name: section});
    let request =
        ComposeRequest { composite: Some(stored.clone().into()), input: Some(options), ..ComposeRequest::default() };
    let response = compose(&request).map_err(|fault| anyhow::anyhow!("{stored}: {fault:?}"))?;
    let all = response.resources.into_values().flat_map(|desired| {
        let inside = desired.object.pointer("/spec/forProvider/manifest").cloned();
        // The target's namespaces are not here.
        let inside = inside.map(|manifest| match manifest["metadata"]["namespace"] {
            Value::Null => manifest,
            _ => objects::within(NAMESPACE, manifest),
        });
        let object = objects::within(NAMESPACE, desired.object);
        std::iter::once(object).chain(inside)
    });
    Ok(all.collect())
}

/// The path to apply an object to without storing it, as Crossplane applies.
fn applied(object: &Value) -> Result<String> {
    let kind = KindRef::of(object);
    let resources = KINDS.rows.iter().flat_map(|row| row.composes.iter().chain(row.wraps).chain(row.wraps_on_own));
    let mut found = resources.filter(|it| (it.api_version, it.kind) == (&*kind.api_version, &*kind.kind));
    let resource = found.next().with_context(|| format!("no kind composes {kind:?}"))?;
    let root = if resource.group().is_empty() { "api" } else { "apis" };
    let place = match resource.scope {
        Scope::Namespaced => format!("namespaces/{NAMESPACE}/"),
        Scope::Cluster => String::new(),
    };
    let name = object["metadata"]["name"].as_str().context("a name")?;
    let (version, plural) = (resource.api_version, resource.plural);
    Ok(format!(
        "/{root}/{version}/{place}{plural}/{name}?dryRun=All&fieldValidation=Strict&fieldManager=tests&force=true"
    ))
}
