//! Bytes → protobuf → RunFunction. Every request gets a response, which keeps the desired state of earlier steps.
#![no_main]

use std::sync::LazyLock;

use function_sdk_rust::proto::v1::{RunFunctionRequest, RunFunctionResponse, Severity};
use host::engine::{Engine, Settings};
use host::function::Function;
use libfuzzer_sys::{Corpus, fuzz_target};
use prost::Message as _;
use prost::bytes::Bytes;

/// The time of the golden requests, from which fuzzing starts: with another one no model would fall asleep, or keep its memory.
const NOW: u64 = 1_769_860_800;

static FUNCTION: LazyLock<Function> = LazyLock::new(|| {
    #[expect(clippy::expect_used, reason = "without a module there is nothing to fuzz")]
    let engine = Engine::load(&Settings::default(), false, &[] as &[&str]).expect("the default module loads");
    Function::new(engine)
});

fuzz_target!(|bytes: &[u8]| -> Corpus {
    let Ok(request) = RunFunctionRequest::decode(bytes) else { return Corpus::Reject };
    let earlier: Vec<String> = request.desired.iter().flat_map(|state| state.resources.keys().cloned()).collect();
    let tag = request.meta.as_ref().map_or(String::new(), |meta| meta.tag.clone());
    let answer = || FUNCTION.answer(Bytes::copy_from_slice(bytes), Some(NOW));
    let response = answer();
    if response.is_err() {
        return Corpus::Reject; // prost takes an object's field for an entry whatever its wire type is, and we do not
    }
    assert_eq!(answer(), response, "equal requests have equal responses");
    let response = RunFunctionResponse::decode(&*response.unwrap_or_default());
    assert!(response.is_ok(), "the SDK decodes the response");
    let response = response.unwrap_or_default();
    assert_eq!(response.meta.as_ref().map(|meta| meta.tag.as_str()), Some(tag.as_str()), "the tag is copied");
    let desired = response.desired.unwrap_or_default().resources;
    assert!(earlier.iter().all(|name| desired.contains_key(name)), "what earlier steps desire stays");
    for result in &response.results {
        assert!(result.severity() != Severity::Fatal || !result.message.is_empty(), "a refusal says why");
    }
    Corpus::Keep
});
