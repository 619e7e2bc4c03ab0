//! InferenceModels among many that share a pool, from gRPC to gRPC.

use tokio::runtime::Runtime;

use crate::clock::in_turns;
use crate::report::{Bound, Report};
use crate::server::{Call, Server};

const ROUNDS: usize = 21;
/// Rounds of what takes long.
const FEW: usize = 5;

pub(crate) fn measure(report: &mut Report) {
    let runtime = Runtime::new().expect("a runtime");
    let server = Server::sailplane();
    let [mut small, mut large] = [100, 1_000].map(|others| Call::of(&server, &runtime, &tests::models::beside(others)));
    let [small, large] = in_turns(ROUNDS, [&mut || small.millis(), &mut || large.millis()]);
    report.add("a model beside 100", &small, "ms", Bound::None);
    report.add("a model beside 1,000", &large, "ms", Bound::Most(40.0));
    report.add("a model, beside 1,000 / beside 100", &large.over(&small), "×", Bound::Most(11.0));
    let mut waiting = Call::of(&server, &runtime, &tests::models::waiting(1_000));
    let [waiting] = in_turns(ROUNDS, [&mut || waiting.millis()]);
    report.add("a model that waits, beside 1,000", &waiting, "ms", Bound::Most(40.0));
    let [mut large, mut largest] =
        [1_000, 10_000].map(|others| Call::of(&server, &runtime, &tests::models::beside(others)));
    let [large, largest] = in_turns(FEW, [&mut || large.millis(), &mut || largest.millis()]);
    report.add("a model beside 10,000", &largest, "ms", Bound::None);
    report.add("a model, beside 10,000 / beside 1,000", &largest.over(&large), "×", Bound::Most(11.0));
    report.add("resident memory, after 10,000 models", server.resident(), "MB", Bound::None);
}
