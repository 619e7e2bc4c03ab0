//! Certificates, replicas and the API server are replaced while clients send requests.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, ensure};
use tests::real::processes::{eventually, progress};
use tests::real::replica::Replica;

use crate::objects::{dry_run, named, sound};
use crate::site::{NAMESPACE, Site};

/// Clients that send one request after the other.
const CLIENTS: usize = 4;

pub(crate) fn all(site: &mut Site) -> Result<()> {
    rotation(site)?;
    rolling_restart(site)?;
    api_server_restart(site)?;
    killed(site)
}

/// A new certificate is served without a failed request.
fn rotation(site: &Site) -> Result<()> {
    under_load(site, || {
        for _ in 0..3 {
            reloaded(&site.replicas, || site.authority.issue(&site.certificates))?;
        }
        Ok(())
    })
    .map(|requests| progress(&format!("three certificates, {requests} requests, none failed")))
}

/// Makes a change, and waits until all replicas have loaded another certificate since.
pub(crate) fn reloaded(replicas: &[Replica], change: impl FnOnce() -> Result<()>) -> Result<()> {
    let loads = || replicas.iter().map(|it| reloads(&it.metrics()?)).collect::<Result<Vec<_>>>();
    let before = eventually("the replicas have metrics", Duration::from_secs(30), loads)?;
    change()?;
    eventually("the replicas serve the new certificate", Duration::from_secs(30), || {
        let loads = loads()?;
        ensure!(loads.iter().zip(&before).all(|(now, before)| now > before), "{loads:?}, before {before:?}");
        Ok(())
    })
}

/// The number of certificates that a replica has loaded since it started.
fn reloads(metrics: &str) -> Result<u64> {
    let is_it = |line: &&str| {
        line.starts_with("sailplane_admission_reloads_total{") && line.contains("certificate") && line.contains("taken")
    };
    let Some(line) = metrics.lines().find(is_it) else { return Ok(0) };
    let number = line.rsplit(' ').next().context("a metric has a value")?;
    Ok(number.parse::<f64>()? as u64)
}

/// Each replica is replaced by a new one without a failed request.
fn rolling_restart(site: &mut Site) -> Result<()> {
    let (old, new) = (site.replicas.len(), std::sync::Mutex::new(Vec::new()));
    let waiting = std::sync::Mutex::new(std::mem::take(&mut site.replicas));
    let site_ = &*site;
    let requests = under_load(site_, || {
        for _ in 0..old {
            let started = site_.replica(&[])?;
            let mut waiting = waiting.lock().expect("no panic");
            let mut new = new.lock().expect("no panic");
            new.push(started);
            let leaving = waiting.remove(0);
            // As for a Service: the endpoint is removed when the replica gets SIGTERM.
            site_.balancer.set(&waiting.iter().chain(&*new).map(|it| it.port).collect::<Vec<_>>());
            leaving.terminate()?;
        }
        Ok(())
    })?;
    site.replicas = new.into_inner().expect("no panic");
    site.balance();
    progress(&format!("{old} replicas replaced, {requests} requests, none failed"));
    Ok(())
}

/// After the API server restarts, the webhooks and their watches work again.
fn api_server_restart(site: &mut Site) -> Result<()> {
    site.server.restart()?;
    eventually("the webhooks refuse again", Duration::from_secs(60), || {
        let (status, answer) = site.server.client()?.send("POST", &dry_run(NAMESPACE), Some(&named("7b")))?;
        let refused = answer["message"].as_str().is_some_and(|message| message.contains("no Service can be named"));
        ensure!(refused, "{status} {answer}");
        Ok(())
    })?;
    // The watches report new changes.
    site.kubectl.apply(&crate::objects::provider_config("after"))?;
    crate::lookups::seen(site, "after")
}

/// Without any replica the failure policies count: no defaults are written, and validated objects are refused.
fn killed(site: &mut Site) -> Result<()> {
    for replica in std::mem::take(&mut site.replicas) {
        replica.kill();
    }
    let configurations = tests::real::installed::read("package/admission/base/webhooks.yaml")?;
    let policy = |kind: &str| {
        let found = configurations.iter().find(|it| it["kind"] == kind)?;
        found["webhooks"][0]["failurePolicy"].as_str()
    };
    ensure!(policy("MutatingWebhookConfiguration") == Some("Ignore"), "defaults are no reason to refuse anything");
    let fails = policy("ValidatingWebhookConfiguration") == Some("Fail");
    let (status, answer) = site.server.client()?.send("POST", &dry_run(NAMESPACE), Some(&sound()))?;
    ensure!((200..300).contains(&status) != fails, "{status} {answer}");
    if !fails {
        ensure!(answer["spec"]["targetNamespace"].is_null(), "who wrote this? {answer}");
    }
    for _ in 0..2 {
        let replica = site.replica(&[])?;
        site.replicas.push(replica);
    }
    site.balance();
    eventually("the webhooks are back", Duration::from_secs(30), || {
        let (status, answer) = site.server.client()?.send("POST", &dry_run(NAMESPACE), Some(&named("7b")))?;
        ensure!(!(200..300).contains(&status), "{status} {answer}");
        let (_, answer) = site.server.client()?.send("POST", &dry_run(NAMESPACE), Some(&sound()))?;
        ensure!(answer["spec"]["targetNamespace"] == NAMESPACE, "{answer}");
        Ok(())
    })
}

/// Runs `act` while clients send requests that need both webhooks. Every answer must be right. Returns the number of
/// requests.
pub(crate) fn under_load(site: &Site, act: impl FnOnce() -> Result<()>) -> Result<usize> {
    let (stop, count) = (AtomicBool::new(false), AtomicUsize::new(0));
    thread::scope(|scope| {
        let client = || -> Result<()> {
            let mut client = site.server.client()?;
            while !stop.load(Ordering::Relaxed) {
                let (status, answer) = client.send("POST", &dry_run(NAMESPACE), Some(&sound()))?;
                ensure!((200..300).contains(&status), "{status} {answer}");
                ensure!(answer["spec"]["targetNamespace"] == NAMESPACE, "nobody wrote the defaults: {answer}");
                let (status, answer) = client.send("POST", &dry_run(NAMESPACE), Some(&named("7b")))?;
                ensure!(status == 422, "{status} {answer}");
                count.fetch_add(2, Ordering::Relaxed);
            }
            Ok(())
        };
        let clients: Vec<_> = (0..CLIENTS).map(|_| scope.spawn(client)).collect();
        let start = Instant::now();
        while count.load(Ordering::Relaxed) == 0 && start.elapsed() < Duration::from_secs(10) {
            thread::sleep(Duration::from_millis(10));
        }
        let acted = act();
        stop.store(true, Ordering::Relaxed);
        clients.into_iter().try_for_each(|client| client.join().expect("no panic"))?;
        acted
    })?;
    Ok(count.into_inner())
}
