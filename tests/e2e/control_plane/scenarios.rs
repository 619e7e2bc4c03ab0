//! The table of scenarios, and how they are run: some side by side, as far as they do not disturb one another, on control planes
//! that run side by side too. More at once would not end earlier, since they fill the processors, and each would miss its time.

use std::sync::{Condvar, Mutex, PoisonError};
use std::time::{Duration, Instant};
use std::{env, iter, thread};

use anyhow::{Context as _, Result, ensure};
use tests::real::processes::progress;
use tests::share::Share;

use crate::plane::Plane;
use crate::{
    chainsaw, clusters, documents, endpoint, fleet, hand_over, import, inference_clusters, inference_models as models,
    lifecycle, lost_engine, quiet, replacement, restart, rights, rules, serving, succession, symptoms, take_over,
    upgrade, without_manager as no_manager,
};

/// A scenario. It uses its own namespace, and its own names for objects without a namespace.
struct Scenario {
    name: &'static str,
    needs: Needs,
    runs: Runs,
    run: fn(&Plane) -> Result<()>,
}

/// Which runs have a scenario.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Runs {
    /// Every run.
    All,
    /// One of several shares: it takes long. Those that need one another have the same number.
    Share(usize),
}

/// When a scenario can run.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Needs {
    /// At any time, side by side with others.
    Nothing,
    /// After this other scenario has ended, side by side with others.
    After(&'static str),
    /// After all others on its control plane have ended, because it would disturb them. These scenarios run one by one, in the
    /// order of the table.
    Alone,
}

/// For scenarios that create a Composition. Crossplane gives any matching one to composites that name none, as in the
/// quick start, so these scenarios wait until that has ended.
const OTHER_COMPOSITIONS: Needs = Needs::After("quick start");

/// A control plane, and what runs on it.
pub(crate) struct Stage {
    /// The name of its folder.
    pub(crate) name: &'static str,
    /// How many scenarios run at a time.
    together: usize,
    scenarios: &'static [Scenario],
}

/// Every scenario. Both control planes take about as long. What takes longest begins first.
#[rustfmt::skip]
const STAGES: &[Stage] = &[
    Stage { name: "general", together: 4, scenarios: &[
        row("quick start", Needs::Nothing, documents::quick_start),
        long(0, "clusters", Needs::Nothing, clusters::clusters),
        long(1, "fleet", Needs::Nothing, fleet::fleet),
        row("serving", Needs::Nothing, serving::serving),
        row("chainsaw", Needs::Nothing, chainsaw::chainsaw),
        row("quiet", OTHER_COMPOSITIONS, quiet::quiet),
        row("restart", OTHER_COMPOSITIONS, restart::restart),
        row("documents", Needs::Nothing, documents::others),
        row("hand-over", OTHER_COMPOSITIONS, hand_over::hand_over),
        row("import", Needs::Nothing, import::import),
        row("symptoms", OTHER_COMPOSITIONS, symptoms::symptoms),
        row("rights", Needs::Nothing, rights::rights),
        row("lifecycle", Needs::Nothing, lifecycle::lifecycle),
        row("endpoint", Needs::Nothing, endpoint::endpoint),
        row("lost engine", Needs::Alone, lost_engine::lost_engine),
        long(1, "models contention", Needs::Alone, models::contention::contention),
        row("take-over", Needs::Alone, take_over::take_over),
        long(0, "upgrade", Needs::Alone, upgrade::upgrade),
        row("without RBAC manager", Needs::Alone, no_manager::without_manager),
        row("succession", Needs::Alone, succession::succession),
        row("uninstall", Needs::Alone, upgrade::uninstall),
    ]},
    Stage { name: "platform", together: 2, scenarios: &[
        long(2, "platform", Needs::Nothing, inference_clusters::platform),
        row("models life", Needs::Nothing, models::life::life),
        row("models dependencies", Needs::Nothing, models::dependencies::dependencies),
        row("models totals", Needs::Nothing, models::totals::totals),
        row("models samples", Needs::Nothing, models::samples::samples),
        row("models shown", Needs::Nothing, models::shown::shown),
        row("models lost", Needs::Alone, models::lost::lost),
        long(1, "models engine lost", Needs::Alone, models::contention::engine_lost),
        long(1, "models polled", Needs::Alone, models::contention::polled),
        long(0, "models moved", Needs::Alone, models::moved::moved),
        long(2, "replacement", Needs::Alone, replacement::replacement),
        long(2, "rules", Needs::Alone, rules::rules),
    ]},
];

const fn row(name: &'static str, needs: Needs, run: fn(&Plane) -> Result<()>) -> Scenario {
    Scenario { name, needs, runs: Runs::All, run }
}

const fn long(share: usize, name: &'static str, needs: Needs, run: fn(&Plane) -> Result<()>) -> Scenario {
    Scenario { name, needs, runs: Runs::Share(share), run }
}

impl Stage {
    /// The stages with scenarios to run: all, those of a share, or those that the variable `SCENARIOS` names.
    pub(crate) fn chosen() -> impl Iterator<Item = &'static Self> {
        STAGES.iter().filter(|stage| !stage.rows().is_empty())
    }

    /// Runs the scenarios. The error contains all failures.
    pub(crate) fn run(&self, plane: &Plane) -> Result<()> {
        let rows = self.rows();
        let ended = Ended::default();
        let waiting = Mutex::new(rows.iter().filter(|row| row.needs != Needs::Alone));
        let next = || waiting.lock().unwrap_or_else(PoisonError::into_inner).next();
        let one_by_one =
            || iter::from_fn(next).filter_map(|row| run_one(plane, row, &rows, &ended)).collect::<Vec<_>>();
        let mut failures = thread::scope(|scope| {
            let running: Vec<_> = (0..self.together).map(|_| scope.spawn(one_by_one)).collect();
            let join = |thread: thread::ScopedJoinHandle<'_, _>| thread.join().unwrap_or(vec!["a panic".to_owned()]);
            running.into_iter().flat_map(join).collect::<Vec<_>>()
        });
        for row in rows.iter().filter(|row| row.needs == Needs::Alone) {
            failures.extend(run_one(plane, row, &rows, &ended));
        }
        ensure!(failures.is_empty(), "{}", failures.join("\n"));
        Ok(())
    }

    fn rows(&self) -> Vec<&'static Scenario> {
        let (names, share) = (selection(), Share::of_this_run());
        let chosen = |row: &&Scenario| match (&names, row.runs) {
            (Some(names), _) => names.contains(row.name),
            (None, Runs::All) => true,
            (None, Runs::Share(place)) => share.has(place),
        };
        self.scenarios.iter().filter(chosen).collect()
    }
}

/// Whether all scenarios run.
pub(crate) fn are_all() -> bool {
    selection().is_none() && Share::of_this_run() == Share::ALL
}

/// The names of the scenarios to run. `None` for all, or for those of a share.
fn selection() -> Option<String> {
    env::var("SCENARIOS").ok()
}

/// Runs one scenario as soon as it can run, prints the outcome and the duration, and returns the failure.
fn run_one(plane: &Plane, row: &Scenario, rows: &[&Scenario], ended: &Ended) -> Option<String> {
    if let Needs::After(other) = row.needs
        && rows.iter().any(|row| row.name == other)
    {
        ended.wait_for(other);
    }
    let start = Instant::now();
    // After a panic too, the scenarios that wait for this one must go on.
    let outcome = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| (row.run)(plane)));
    let outcome = outcome.unwrap_or_else(|_| Err(anyhow::anyhow!("it panicked")));
    ended.add(row.name);
    let took = start.elapsed();
    let failure = outcome.with_context(|| format!("{} failed after {}", row.name, seconds(took))).err();
    let failure = failure.map(|error| format!("{error:#}"));
    progress(failure.as_deref().unwrap_or(&format!("{} passed in {}", row.name, seconds(took))));
    failure
}

fn seconds(duration: Duration) -> String {
    format!("{:.1} s", duration.as_secs_f64())
}

/// The scenarios that have ended.
#[derive(Default)]
struct Ended {
    names: Mutex<Vec<&'static str>>,
    changed: Condvar,
}

impl Ended {
    fn add(&self, name: &'static str) {
        self.names.lock().unwrap_or_else(PoisonError::into_inner).push(name);
        self.changed.notify_all();
    }

    fn wait_for(&self, name: &str) {
        let names = self.names.lock().unwrap_or_else(PoisonError::into_inner);
        let waited = self.changed.wait_while(names, |names| !names.contains(&name));
        drop(waited.unwrap_or_else(PoisonError::into_inner));
    }
}
