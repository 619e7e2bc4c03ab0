//! Compares device selectors with the real API server. DeviceClasses and ResourceClaims are created with `dryRun=All`.
//! Their selectors are known ones, random ones, and ones that are malformed, too long or too costly. Both must agree
//! whether a selector is accepted, and on the reason and the text of a refusal.
//!
//! The random generator has a fixed seed. With another one, in the variable `SAILPLANE_RANDOM`, other selectors are
//! generated. `make -C tests/e2e/tools` builds the API server.

mod compare;
#[path = "../../../crates/cel/tests/made_up/mod.rs"]
mod made_up;
mod objects;
mod selectors;

use std::path::Path;
use std::thread;

use anyhow::{Result, ensure};

use crate::compare::Tally;
use crate::made_up::Random;
use tests::real::api_server::RealApiServer;
use tests::real::processes::{empty, progress};
use tests::real::tools::Tools;

const START: u64 = 0x5a11_91a7_e000_0002;
/// Without this feature, `device.allowMultipleAllocations` is unknown in new objects, but known in stored ones.
const FEATURES: &str = "--feature-gates=DRAConsumableCapacity=true";

#[test]
#[ignore = "it needs real components: `make e2e`"]
fn the_api_server_takes_the_same_selectors() -> Result<()> {
    // Some selectors have 249 levels. Without optimisation this needs more stack than the thread of a test has.
    thread::Builder::new().stack_size(64 << 20).spawn(compare_all)?.join().expect("no panic")
}

fn compare_all() -> Result<()> {
    let dir = Path::new(env!("CARGO_TARGET_TMPDIR")).join("selector-differential");
    empty(&dir)?;
    progress("starting etcd and the API server");
    let server = RealApiServer::start(&Tools::find()?, &dir, &[FEATURES])?;

    let start = std::env::var("SAILPLANE_RANDOM").ok().map_or(Ok(START), |start| start.parse())?;
    let mut random = Random::new(start);
    let mut tally = Tally::default();
    for (name, texts) in selectors::all(&mut random)? {
        let before = tally.clone();
        let objects = objects::pack(&mut random, &texts);
        let answers =
            server.parallel(&objects, |client, _, object| client.send("POST", &object.path(), Some(&object.json())))?;
        for (object, (status, answer)) in objects.iter().zip(answers) {
            tally.add(object, status, &answer);
        }
        progress(&format!("{name}: {}", tally.since(&before)));
    }
    progress(&format!("in all: {tally}"));
    for sample in tally.samples() {
        progress(sample);
    }
    ensure!(tally.disagreements() == 0, "{tally}");
    Ok(())
}
