//! What servers keep of the worst inputs: their memory a minute later.

use std::thread;
use std::time::Duration;

use prost::bytes::Bytes;
use tests::admission::{composite, create};
use tokio::runtime::Runtime;

use super::clients::{POD, function, send, webhooks};
use super::input::{Door, Input};
use super::process::memory;
use super::requests;
use crate::report::{Bound, Report};

/// Most that a server keeps, in MB.
const KEPT: f64 = 20.0;

pub(super) fn measure(report: &mut Report) {
    let runtime = Runtime::new().expect("a runtime");
    let (calls, reviews) = (function(POD), webhooks());
    let usual = Bytes::from(prost::Message::encode_to_vec(&tests::workload::protobuf()));
    // The first call and the first review are before the worst, because they load code.
    runtime.block_on(send(&calls, usual));
    reviews.review("/validate", &create(&composite("a")));
    let resident = || [calls.resident_memory() as f64 / 1e6, memory(reviews.process(), "VmRSS:").expect("it runs")];
    let before = resident();
    for Input { make, door, .. } in requests::inputs() {
        let bytes = make(4_000_000);
        match door {
            Door::Webhook(path) => drop(reviews.post(path, &bytes)),
            _ => drop(runtime.block_on(send(&calls, Bytes::from(bytes)))),
        }
    }
    let worst = resident();
    thread::sleep(Duration::from_secs(60));
    let after = resident();
    eprintln!(
        "  function and admission: {before:.0?} MB before, {worst:.0?} MB at the end, {after:.0?} MB a minute later"
    );
    let names = ["memory of the function, kept for a minute", "memory of admission, kept for a minute"];
    for (name, (after, before)) in names.into_iter().zip(after.into_iter().zip(before)) {
        report.add(name, after - before, "MB", Bound::Most(KEPT));
    }
}
