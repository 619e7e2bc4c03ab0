//! Clients that take all that servers give: one with the worst request, and many at once. The servers have the memory of the
//! pods that are shipped.

use std::net::TcpStream;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use prost::Message as _;
use prost::bytes::Bytes;
use serde_json::json;
use tests::admission::{Webhooks, composite, create, exchange};
use tests::function::Server;
use tokio::runtime::Runtime;
use tonic::transport::Channel;

use super::process::{Use, memory, work};
use crate::raw::RawClient;
use crate::report::{Bound, Report};

/// The limit of the pods that are shipped, in MB of 2^20 bytes: `package/install/function.yaml`, and
/// `package/admission/base/deployment.yaml`.
pub(super) const POD: u32 = 512;

/// A function in such a pod.
pub(super) fn function(memory: u32) -> Server {
    Server::start(&["--memory", &memory.to_string()])
}

/// Webhooks in such a pod.
pub(super) fn webhooks() -> Webhooks {
    let flags = ["--insecure", "--no-lookups", "--timeout", "4", "--memory", &POD.to_string()];
    Webhooks::start_with(|command| command.args(flags).env("RUST_LOG", "off"))
}

/// Calls a function of its own.
pub(super) fn call(request: &[u8]) -> Use {
    let (server, runtime) = (function(POD), Runtime::new().expect("a runtime"));
    let seconds = runtime.block_on(send(&server, Bytes::copy_from_slice(request)));
    Use { seconds, work: work(server.process()).unwrap_or_default(), memory: server.peak_memory() as f64 / 1e6 }
}

/// Sends a request, which may be refused. Returns the seconds until the answer.
pub(super) async fn send(server: &Server, request: Bytes) -> f64 {
    let channel = Channel::from_shared(format!("http://{}", server.grpc)).expect("an address");
    let mut client = RawClient::new(channel.connect().await.expect("it listens"));
    let begun = Instant::now();
    let _ = client.try_send(&request).await;
    begun.elapsed().as_secs_f64()
}

/// Posts a review to webhooks of its own.
pub(super) fn review(path: &str, review: &[u8]) -> Use {
    let server = webhooks();
    let begun = Instant::now();
    let _ = server.post(path, review);
    let seconds = begun.elapsed().as_secs_f64();
    let process = server.process();
    Use { seconds, work: work(process).unwrap_or_default(), memory: memory(process, "VmHWM:").expect("it runs") }
}

/// Many at once.
pub(super) fn measure(report: &mut Report) {
    let limit = |pod: u32| Bound::Most(f64::from(pod) * 1.048_576);
    let (peak, slowest) = reviews(400, &[b' '; 8 << 20]);
    report.add("400 reviews of 8 MB at once, peak memory", peak, "MB", limit(POD));
    report.add("  the slowest small review meanwhile", slowest, "s", Bound::Most(4.0));
    let mut dense = create(&composite("a"));
    dense["request"]["object"]["spec"]["a"] = vec![json!({"a": 0}); 1_800_000 / 8].into();
    let (peak, slowest) = reviews(40, dense.to_string().as_bytes());
    report.add("40 dense reviews of 1.8 MB at once, peak memory", peak, "MB", limit(POD));
    report.add("  the slowest small review beside them", slowest, "s", Bound::Most(4.0));
    report.add("16 calls with 56 MB at once, 512Mi, peak memory", calls(POD, 56), "MB", limit(POD));
    report.add("16 calls with 64 MB at once, 1Gi, peak memory", calls(2 * POD, 64), "MB", limit(2 * POD));
}

/// Posts so many reviews at once, and small ones meanwhile. Returns the peak of memory in MB, and the seconds that the slowest
/// small review took.
fn reviews(count: usize, body: &[u8]) -> (f64, f64) {
    let server = webhooks();
    let small = create(&composite("small")).to_string();
    let (address, done) = (server.address, AtomicBool::new(false));
    let post = |body: &[u8]| exchange(TcpStream::connect(address)?, "/validate", body);
    let serve = || {
        let mut slowest: f64 = 0.0;
        while !done.load(Ordering::Relaxed) {
            let begun = Instant::now();
            let served = post(small.as_bytes());
            assert!(served.as_ref().is_ok_and(|(code, _)| *code == 200), "a small review is not served: {served:?}");
            slowest = slowest.max(begun.elapsed().as_secs_f64());
            thread::sleep(Duration::from_millis(50));
        }
        slowest
    };
    let slowest = thread::scope(|scope| {
        let small = scope.spawn(serve);
        let large: Vec<_> = (0..count).map(|_| scope.spawn(|| drop(post(body)))).collect();
        large.into_iter().for_each(|client| client.join().expect("no panic"));
        done.store(true, Ordering::Relaxed);
        small.join().expect("small reviews are served")
    });
    (memory(server.process(), "VmHWM:").expect("it runs"), slowest)
}

/// Makes sixteen calls at once with so many MB, in a pod with so much memory. Returns the peak of memory, in MB.
fn calls(pod: u32, megabytes: usize) -> f64 {
    let (server, runtime) = (function(pod), Runtime::new().expect("a runtime"));
    let request = Bytes::from(crate::server::with_state((megabytes << 20) / 1_000_000 - 1).encode_to_vec());
    assert!(request.len() <= megabytes << 20, "{} bytes", request.len());
    runtime.block_on(async {
        let calls = (0..16).map(|_| send(&server, request.clone()));
        let seconds = futures_util::future::join_all(calls).await;
        eprintln!("  16 calls with {megabytes} MB: {:.1} s", seconds.into_iter().fold(0.0, f64::max));
    });
    server.peak_memory() as f64 / 1e6
}
