//! The size of the component.

use std::io::Write as _;
use std::process::{Command, Stdio};

use crate::report::{Bound, Report};

pub(crate) fn measure(report: &mut Report) {
    // 900 kB gzipped with LLMInference alone; Modelplane's kinds for models may add 1.2 MB, 300 kB gzipped, those for its platform
    // 0.9 MB, 250 kB, and GPU clusters 0.4 MB, 120 kB. Those of OtterScale share this.
    let component = host::engine::DEFAULT_COMPONENT;
    report.add("component size", component.len() as f64 / 1e6, "MB", Bound::Most(4.9));
    report.add("component size, gzipped", gzipped(component) as f64 / 1e3, "kB", Bound::Most(1_570.0));
}

fn gzipped(bytes: &[u8]) -> usize {
    let mut gzip = Command::new("gzip").arg("-9").stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("gzip");
    let mut input = gzip.stdin.take().expect("a pipe");
    let bytes = bytes.to_vec();
    let writer = std::thread::spawn(move || input.write_all(&bytes));
    let output = gzip.wait_with_output().expect("gzip answers");
    writer.join().expect("no panic").expect("gzip reads");
    output.stdout.len()
}
