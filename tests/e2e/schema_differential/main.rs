//! Compares the crate `schema` with the real API server. Random objects for every keyword are created and updated with
//! `dryRun=All` and strict field validation. Both must agree whether an object is accepted, how it would be stored, and
//! on every error with its field, reason and text.
//!
//! The random generator has a fixed seed. A share of a run has fewer objects, and those of another share are others. `make -C tests/e2e/tools` builds the API server. The CRDs of other projects
//! are in the folder that `SAILPLANE_CRDS` names, or in `../shared/crds`; they are left out when there is no such
//! folder.

mod compare;
mod definitions;
mod rules;
mod schemas;
mod served;
mod values;

use std::path::Path;

use anyhow::{Result, ensure};

use crate::compare::Tally;
use crate::definitions::Definition;
use crate::served::Served;
use tests::random::Random;
use tests::real::api_server::RealApiServer;
use tests::real::processes::{empty, progress};
use tests::real::tools::Tools;
use tests::share::Share;

/// The seed. With another one, in the variable `SAILPLANE_RANDOM`, other schemas and objects are generated.
const START: u64 = 0x5a11_91a7_e000_0001;
/// The number of definitions with random schemas, and of the schemas in each.
const RANDOM_DEFINITIONS: usize = 14;
const SCHEMAS_EACH: usize = 24;
/// The number of definitions with random rules, and of the fields with rules in each.
const RULE_DEFINITIONS: usize = 8;
const FIELDS_EACH: usize = 60;
/// The number of objects for each definition.
const RANDOM_OBJECTS: usize = 1_000;
const REAL_OBJECTS: usize = 400;

#[test]
#[ignore = "it needs real components: `make e2e`"]
fn the_api_server_agrees() -> Result<()> {
    let dir = Path::new(env!("CARGO_TARGET_TMPDIR")).join("schema-differential");
    empty(&dir)?;
    progress("starting etcd and the API server");
    let server = Served(RealApiServer::start(&Tools::find()?, &dir, &[])?);

    let share = Share::of_this_run();
    let start = std::env::var("SAILPLANE_RANDOM").ok().map_or(Ok(START), |start| start.parse())?;
    let mut random = Random::new(start + u64::try_from(share.rest)?);
    let mut definitions: Vec<(Definition, usize)> = Vec::new();
    let mut tally = Tally::default();
    for number in 0..RANDOM_DEFINITIONS {
        let kind = format!("Random{number}");
        let schema = schemas::many(&mut random, SCHEMAS_EACH);
        let unsound = server.judge_schema(&kind, &schema, &mut tally)?;
        let sound = Definition::new("random.sailplane.test", &kind, rules::without(&schema, &unsound), false)?;
        definitions.push((sound, RANDOM_OBJECTS));
    }
    for number in 0..RULE_DEFINITIONS {
        let kind = format!("Rules{number}");
        let schema = rules::many(&mut random, FIELDS_EACH);
        let unsound = server.judge_schema(&kind, &schema, &mut tally)?;
        let sound = Definition::new("rules.sailplane.test", &kind, rules::without(&schema, &unsound), false)?;
        definitions.push((sound, RANDOM_OBJECTS));
    }
    progress(&format!("schemas as they are read: {tally}"));
    for definition in definitions::real()? {
        definitions.push((definition, REAL_OBJECTS));
    }

    for (definition, count) in &definitions {
        server.install(definition)?;
        let cases = values::cases(&mut random, definition, *count / share.of);
        let before = tally.clone();
        server.compare(definition, &cases, &mut tally)?;
        progress(&format!("{}: {}", definition.kind, tally.since(&before)));
        server.remove(definition)?;
    }
    progress(&format!("in all: {tally}"));
    for sample in tally.samples() {
        progress(sample);
    }
    ensure!(tally.disagreements() == 0, "{tally}");
    Ok(())
}
