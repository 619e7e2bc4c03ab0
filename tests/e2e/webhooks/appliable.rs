//! Allowed means appliable: of many composites, with what people may write in their fields, the API server accepts every object that
//! one becomes, unless admission refuses the composite.

mod artifacts;
mod clusters;
mod models;
mod platform;
mod services;
mod subject;

use std::collections::BTreeMap;
use std::time::Instant;

use anyhow::{Context as _, Result, ensure};
use contract::catalog::{ApiResource, Scope};
use contract::types::KindRef;
use inference::KINDS;
use serde_json::{Value, json};
use tests::random::Random;
use tests::real::processes::{eventually, progress};
use tests::real::{access, others};
use tests::skipped::skip;

use self::subject::Subject;
use crate::lookups::SOON;
use crate::objects;
use crate::site::{NAMESPACE, Site};

/// How many composites are sent at once, until enough are allowed.
const BATCH: usize = 500;
/// The most composites that are sent for each that must be allowed.
const MOST: usize = 4;

/// Sends composites until enough of them are allowed, and all that those become.
pub(crate) fn all(site: &Site) -> Result<()> {
    let subjects = [services::SERVICES, artifacts::ARTIFACTS, clusters::CLUSTERS, models::MODELS, platform::CLUSTERS];
    subjects.iter().try_for_each(|subject| of(subject, site))
}

fn of(subject: &Subject, site: &Site) -> Result<()> {
    let start = Instant::now();
    let served = site.kubectl.run(&["api-resources", "--output=name"])?;
    let is_served = |it: &ApiResource| served.lines().any(|line| line.trim() == access::named(it));
    let mut others: Vec<_> = (subject.others)().into_iter().filter(|it| !is_served(it)).collect();
    others.sort_by_key(|it| (it.api_version, it.kind));
    others.dedup();
    if !others::are_there(&others) {
        skip(subject.allowed, subject.what, "the folder with schemas (`SAILPLANE_CRDS`)");
        return Ok(());
    }
    if !others.is_empty() {
        site.kubectl.apply_all(&others::definitions(&others)?)?;
        site.kubectl.run(&["wait", "--for=condition=Established", "crds", "--all", "--timeout=60s"])?;
    }
    name(subject, site)?;
    let mut numbers = Random::new(subject.allowed as u64);
    let (mut sent, mut allowed) = (0, 0);
    let mut becomes: BTreeMap<String, (Value, Value)> = BTreeMap::new();
    while allowed < subject.allowed && sent < MOST * subject.allowed {
        let batch = BATCH.min(subject.allowed);
        let composite = |_| Ok(objects::placed(NAMESPACE, &subject.composite(&mut numbers)?));
        let composites = (0..batch).map(composite).collect::<Result<Vec<_>>>()?;
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
            let options =
                json!({"apiVersion": "sailplane.fn.crossplane.io/v1alpha1", "kind": "Options", name: section});
            for object in (subject.becomes)(&stored, &options)? {
                let object = here(object);
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

/// Applies what composites of a subject name, and waits until the replicas know all of it.
fn name(subject: &Subject, site: &Site) -> Result<()> {
    let named = (subject.named)()?;
    site.kubectl.apply_all(&named.iter().map(|(object, _)| object.clone()).collect::<Vec<_>>())?;
    let mut client = site.server.client()?;
    for (object, composite) in &named {
        let path = objects::dry_run_of(composite, NAMESPACE)?;
        let name = object["metadata"]["name"].as_str().unwrap_or_default();
        let lacks = format!("{} `{name}` does not exist", KindRef::of(object).kind);
        eventually(&format!("{name} is known"), SOON, || {
            let (_, _, warnings) = client.send_with_warnings("POST", &path, Some(composite))?;
            ensure!(!warnings.iter().any(|it| it.contains(&lacks)), "{warnings:?}");
            Ok(())
        })?;
    }
    Ok(())
}

/// The object in a namespace that is here, as those of a target are not.
fn here(object: Value) -> Value {
    match object["metadata"]["namespace"] {
        Value::Null => object,
        _ => objects::within(NAMESPACE, object),
    }
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
