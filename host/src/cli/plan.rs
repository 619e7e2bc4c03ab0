//! `sailplane plan`: says how much more fits on a fleet, and what would become of what runs if the fleet changed.

mod changes;
mod tables;

use std::path::PathBuf;
use std::time::Duration;

use anyhow::{Context as _, Result, ensure};
use serde_json::{Value, json};

use super::explain::decisions::{amount, passed_over_json};
use super::files::{self, File, Filenames};
use super::{report, stdout};
use crate::modules::Modules;
use crate::wit::compose::{NearMiss, Share};
use crate::wit::plan::{Change, Planned, Request, Response, Stock};
use crate::wit::preview::{Gravity, Role, Source};
use changes::{addition, place, scaling};

/// The deadline of a plan.
const TIMEOUT: Duration = Duration::from_secs(60);

/// Say how much more fits on a fleet, and what a change would move
///
/// Reads clusters, classes, deployments, caches and replicas, from files or as `kubectl get -o yaml` prints them. Replicas that
/// are not there yet are placed first. Without a change the answer is how many more replicas of each deployment fit, what runs
/// out first, and what one more node of that would give. With changes it is what moves where, what finds no place and why, and
/// what is free before and after.
///
/// A cluster without a status counts as up. Exits with 1 when something that runs would have no place.
#[derive(clap::Args, Debug)]
#[command(after_long_help = "\
Examples:
  Say how many more replicas fit
    kubectl get inferenceclusters,inferenceclasses,modelcaches,modeldeployments,modelreplicas -A -o yaml | sailplane plan -
  Say what draining a cluster would move, once a deployment is larger
    sailplane plan fleet.yaml --scale chat/qwen=6 --drain gke-europe
  Say what would be left without a pool, with more nodes in another one
    sailplane plan fleet.yaml --lose eks-virginia/h200 --add gke-europe/l4=l4-1:4

JSON for programs (--output json) is one object:
  deployments  namespace, name, wanted, before, after (how many have a place), moves, gone, new (places),
               lost (how many that run would have no place), passedOver (why), and
               headroom: more, atLeast, scarce (place, needed, found), class, withOneMore
  classes      class, and before and after: size, free")]
pub(super) struct PlanArgs {
    /// The fleet: files, folders, or `-` for standard input
    #[arg(value_name = "FLEET", required_unless_present = "filenames")]
    paths: Vec<PathBuf>,

    #[command(flatten)]
    filenames: Filenames,

    /// A deployment gets another number of replicas. May be repeated, as every change
    #[arg(long, value_name = "NAMESPACE/NAME=NUMBER", value_parser = scaling)]
    scale: Vec<Change>,

    /// What is on a cluster leaves it, as with a taint that nobody tolerates
    #[arg(long, value_name = "CLUSTER", value_parser = |text: &str| place(text).map(Change::Drain))]
    drain: Vec<Change>,

    /// A cluster or one of its pools is gone
    #[arg(long, value_name = "CLUSTER[/POOL]", value_parser = |text: &str| place(text).map(Change::Lose))]
    lose: Vec<Change>,

    /// A pool gets more nodes, or is new
    #[arg(long, value_name = "CLUSTER/POOL=CLASS:NODES", value_parser = addition)]
    add: Vec<Change>,

    /// File with the platform's options, as the input of the pipeline step has them
    #[arg(long, value_name = "FILE")]
    input: Option<PathBuf>,

    /// How to print
    #[arg(short, long, value_name = "FORMAT", default_value = "text")]
    output: PlanFormat,

    /// In tables: every move, every reason and every cluster. JSON always has them
    #[arg(long)]
    all: bool,

    #[command(flatten)]
    modules: Modules,
}

#[derive(Clone, Copy, Debug, clap::ValueEnum)]
enum PlanFormat {
    /// Tables, for people
    Text,
    /// A JSON object, for programs
    Json,
}

/// Plans. Returns false when there are errors, and when something that runs would have no place.
pub(super) fn run(args: PlanArgs) -> Result<bool> {
    let engine = args.modules.load(TIMEOUT)?;
    let input = args.input.as_deref().map(files::read).transpose()?;
    let files = files::read_all(&args.filenames.after(&args.paths))?;
    let source = |file: &File| Source { name: file.name.clone(), role: Role::Subject, text: file.text.clone() };
    // First there is more room and more is wanted, and then something is taken away.
    let changes = [args.add, args.scale, args.lose, args.drain].concat();
    let request = Request {
        sources: files.iter().map(source).collect(),
        input: input.as_ref().map(|file| file.text.clone()),
        changes: changes.clone(),
    };
    let response = engine.plan(&request).context("cannot plan")?;
    let texts = files.into_iter().chain(input).map(|file| (file.name, file.text)).collect();
    let wrong = report::show(&response.diagnostics, &texts);
    if wrong && response.subjects.is_empty() {
        return Ok(false);
    }
    ensure!(
        !response.subjects.is_empty() || response.diagnostics.iter().any(|it| it.gravity == Gravity::Error),
        "nothing to plan: no document in what was given is a ModelDeployment"
    );
    stdout::print(&match args.output {
        PlanFormat::Json => format!("{:#}\n", to_json(&response)),
        PlanFormat::Text => tables::spell(&response, !changes.is_empty(), args.all),
    })?;
    Ok(!wrong && response.subjects.iter().all(|planned| planned.lost == 0))
}

fn to_json(response: &Response) -> Value {
    let class = |stock: &Stock| {
        json!({
            "class": stock.class,
            "before": {"size": amount(&stock.before), "free": amount(&stock.free_before)},
            "after": {"size": amount(&stock.after), "free": amount(&stock.free_after)},
        })
    };
    json!({
        "deployments": response.subjects.iter().map(planned).collect::<Vec<_>>(),
        "classes": response.stock.iter().map(class).collect::<Vec<_>>(),
    })
}

fn planned(planned: &Planned) -> Value {
    let share =
        |share: &Share| json!({"place": share.place, "part": share.part, "takes": share.takes.as_ref().map(amount)});
    let seat = |seat: &Vec<Share>| seat.iter().map(share).collect::<Value>();
    let near = |it: &NearMiss| json!({"place": it.place, "needed": amount(&it.needed), "found": amount(&it.found)});
    let moves = planned.moves.iter().map(|it| json!({"from": seat(&it.before), "to": seat(&it.after)}));
    let headroom = &planned.headroom;
    json!({
        "namespace": planned.namespace,
        "name": planned.name,
        "wanted": planned.wanted,
        "before": planned.before,
        "after": planned.after,
        "moves": moves.collect::<Vec<_>>(),
        "gone": planned.gone.iter().map(seat).collect::<Vec<_>>(),
        "new": planned.new.iter().map(seat).collect::<Vec<_>>(),
        "lost": planned.lost,
        "passedOver": planned.passed_over.iter().map(passed_over_json).collect::<Vec<_>>(),
        "headroom": {
            "more": headroom.more,
            "atLeast": headroom.at_least,
            "scarce": headroom.scarce.as_ref().map(near),
            "class": headroom.class,
            "withOneMore": headroom.with_one_more,
        },
    })
}
