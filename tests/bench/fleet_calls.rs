//! A ModelDeployment on a large fleet: the component beside native code, and what the time goes into.
//!
//! The parts are calls that end earlier: one that only takes the state, and one that reads it and places nothing.

use std::hint::black_box;

use contract::compose::ComposeRequest;
use host::engine::{Engine, Settings};
use host::wit::compose::Request;
use serde_json::json;
use tests::fleet::{Fleet, deployment};

use crate::clock::{in_turns, millis};
use crate::native::Module;
use crate::native::compose::{self, Guest as _};
use crate::report::{Bound, Report};

const ROUNDS: usize = 21;

pub(crate) fn measure(report: &mut Report) {
    let engine = Engine::load(&Settings::default(), false, &[] as &[&str]).expect("an engine");
    let whole = Fleet::of(1_000).new_replicas();
    let class = json!({
        "apiVersion": "modelplane.ai/v1alpha1",
        "kind": "InferenceClass",
        "metadata": {"name": "h200"},
        "spec": {"devices": [{"name": "gpu", "driver": "gpu.nvidia.com", "deviceClassName": "gpu.nvidia.com"}]},
    });
    // What mixes shapes is held: the fleet is read, and nothing is placed.
    let mut mixed = deployment();
    mixed["spec"]["workers"] = json!({"count": 1});
    let [taken, read] = [class, mixed].map(|it| ComposeRequest { composite: Some(it.into()), ..whole.clone() });
    let [taken, read, whole] = [&taken, &read, &whole].map(Both::of);
    let [taken_natively, taken, read_natively, read, natively, through] = in_turns(
        ROUNDS,
        [
            &mut || taken.natively(),
            &mut || taken.through(&engine),
            &mut || read.natively(),
            &mut || read.through(&engine),
            &mut || whole.natively(),
            &mut || whole.through(&engine),
        ],
    );
    report.add("compose ModelDeployment, 1,000 clusters, natively", &natively, "ms", Bound::None);
    report.add("compose ModelDeployment, component / native", &through.over(&natively), "×", Bound::Most(1.5));
    report.add("  of it natively, taking the state", &taken_natively, "ms", Bound::None);
    report.add("  of it natively, reading it", &read_natively.minus(&taken_natively), "ms", Bound::None);
    report.add("  of it natively, placing", &natively.minus(&read_natively), "ms", Bound::None);
    report.add("  of it in the component, taking the state", &taken, "ms", Bound::None);
    report.add("  of it in the component, reading it", &read.minus(&taken), "ms", Bound::None);
    report.add("  of it in the component, placing", &through.minus(&read), "ms", Bound::None);
}

/// A request for both sides.
struct Both {
    through: Request,
    natively: compose::Request,
}

impl Both {
    fn of(request: &ComposeRequest) -> Self {
        let through = tests::wit::request(request);
        let natively = serde_json::from_value(serde_json::to_value(&through).expect("JSON")).expect("the same type");
        Self { through, natively }
    }

    fn natively(&self) -> f64 {
        let request = self.natively.clone();
        millis(|| drop(black_box(Module::compose(request)))).0
    }

    fn through(&self, engine: &Engine) -> f64 {
        let kind = tests::wit::kind_of(&self.through);
        millis(|| drop(black_box(engine.compose(&kind, None, &self.through).expect("the module answers")))).0
    }
}
