//! `sailplane admission` in a cluster with very many composites, with lookups, and with many reviews at once. A watch of a
//! real API server tells it of the others, where there is one.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::Result;
use serde_json::{Value, json};
use tests::api_server::ApiServer;
use tests::real::api_server::RealApiServer;
use tests::real::tools::Tools;

use crate::clock::{Rounds, in_turns, quantile};
use crate::report::{Bound, Report};
use crate::webhooks::{Bench, cluster, config, load, other, review};

/// The number of composites in the crowd.
const CROWD: usize = 20_000;
/// The number of reviews at once.
const AT_ONCE: usize = 50;
const ROUNDS: usize = 11;

pub(crate) fn measure(report: &mut Report) {
    let dir = Path::new(env!("CARGO_TARGET_TMPDIR")).join("bench-crowd");
    let _ = std::fs::remove_dir_all(&dir);
    let bench = Bench::new(&dir);
    let (one, crowd) = (cluster(1), Crowd::new(&dir));
    let (beside_one, beside_all) = (bench.looking_up(&one.kubeconfig()), bench.looking_up(&crowd.kubeconfig()));
    let known = format!("lookup_objects{{group=\"inference.devopstoolkit.ai\",kind=\"LLMInference\"}} {CROWD}\n");
    assert!(beside_all.metrics().expect("metrics").contains(&known), "the watch does not know all composites");

    let review = review().to_string();
    let mut slow = Vec::new();
    let [few, many] = in_turns(
        ROUNDS,
        [&mut || load(&bench, beside_one.port, &review, AT_ONCE).0, &mut || {
            let (rate, times) = load(&bench, beside_all.port, &review, AT_ONCE);
            slow.push(quantile(times, 0.99));
            rate
        }],
    );
    report.add("50 reviews at once, beside one composite", &few, "/s", Bound::None);
    report.add("50 reviews at once, beside 20,000 composites", &many, "/s", Bound::None);
    report.add("reviews beside 20,000 composites / beside one", &many.over(&few), "×", Bound::Least(0.5));
    let slow = Rounds::of(slow);
    report.add("50 reviews at once, 99 of 100 within", &slow, "ms", Bound::Most(25.0));
    let resident = beside_all.resident().expect("procfs");
    report.add("resident memory of admission, 20,000 composites", resident, "MB", Bound::Most(150.0));
}

/// A cluster with very many composites.
enum Crowd {
    Real(Box<RealApiServer>),
    Small(ApiServer),
}

impl Crowd {
    fn new(dir: &Path) -> Self {
        match Tools::find().and_then(|tools| RealApiServer::start(&tools, dir, &[])) {
            Ok(server) => {
                fill(&server).expect("the API server takes composites");
                Self::Real(Box::new(server))
            }
            Err(error) => {
                eprintln!("a watch of a real API server is left out, for want of one: {error}");
                Self::Small(cluster(CROWD))
            }
        }
    }

    fn kubeconfig(&self) -> PathBuf {
        match self {
            Self::Real(server) => server.kubectl().kubeconfig().to_owned(),
            Self::Small(server) => server.kubeconfig(),
        }
    }
}

/// Creates all composites, and what they refer to.
fn fill(server: &RealApiServer) -> Result<()> {
    let kubectl = server.kubectl();
    kubectl.apply(&tests::real::installed::definition("llm-inference")?)?;
    for (kind, scope) in [("ClusterProviderConfig", "Cluster"), ("ProviderConfig", "Namespaced")] {
        kubectl.apply(&definition(kind, scope))?;
    }
    kubectl.run(&["wait", "--for=condition=Established", "crds", "--all"])?;
    kubectl.apply(&config())?;
    let (begun, next) = (Instant::now(), AtomicUsize::new(0));
    let client = || -> Result<()> {
        let mut client = server.direct()?;
        loop {
            let index = next.fetch_add(1, Ordering::Relaxed);
            if index >= CROWD {
                return Ok(());
            }
            let path = "/apis/inference.devopstoolkit.ai/v1alpha1/namespaces/default/llminferences";
            let (status, answer) = client.send("POST", path, Some(&other(index)))?;
            anyhow::ensure!(status == 201, "{status} {answer}");
        }
    };
    thread::scope(|scope| {
        let clients: Vec<_> = (0..8).map(|_| scope.spawn(client)).collect();
        clients.into_iter().try_for_each(|client| client.join().expect("no panic"))
    })?;
    eprintln!("created {CROWD} composites in {:?}", Duration::from_secs(begun.elapsed().as_secs()));
    Ok(())
}

/// The definition of a configuration of provider-kubernetes, without its schema.
fn definition(kind: &str, scope: &str) -> Value {
    let (group, plural) = ("kubernetes.m.crossplane.io", format!("{}s", kind.to_lowercase()));
    let schema = json!({"type": "object", "x-kubernetes-preserve-unknown-fields": true});
    json!({
        "apiVersion": "apiextensions.k8s.io/v1",
        "kind": "CustomResourceDefinition",
        "metadata": {"name": format!("{plural}.{group}")},
        "spec": {
            "group": group,
            "scope": scope,
            "names": {"kind": kind, "plural": plural},
            "versions": [
                {"name": "v1alpha1", "served": true, "storage": true, "schema": {"openAPIV3Schema": schema}},
            ],
        },
    })
}
