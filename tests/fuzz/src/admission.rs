//! Bytes → AdmissionReview → answer. The answer to a review has its uid, a refusal has a reason, patches are
//! idempotent, and bytes that are no review are refused.
#![no_main]

use std::sync::LazyLock;
use std::time::{Duration, Instant};

use host::admission::{Adapter, Mode, ReviewAnswer, ReviewCall, Webhook};
use host::engine::{Engine, Settings};
use libfuzzer_sys::{Corpus, fuzz_target};
use serde_json::Value;

static ADAPTER: LazyLock<Adapter> = LazyLock::new(|| {
    #[expect(clippy::expect_used, reason = "without a module there is nothing to fuzz")]
    let engine = Engine::load(&Settings::default(), false, &[] as &[&str]).expect("the default module loads");
    Adapter::new(engine)
});

fuzz_target!(|bytes: &[u8]| -> Corpus {
    let mut corpus = Corpus::Reject;
    for (webhook, mode) in
        [(Webhook::Validate, Mode::Enforce), (Webhook::Validate, Mode::Warn), (Webhook::Mutate, Mode::Enforce)]
    {
        let deadline = Instant::now() + Duration::from_secs(30);
        match ADAPTER.answer(ReviewCall { webhook, mode, deadline }, bytes) {
            ReviewAnswer::Malformed(what) => assert!(!what.is_empty() && !what.contains('\n'), "{what:?}"),
            ReviewAnswer::Failed(what) => assert!(what.is_empty(), "the module failed: {what}"),
            ReviewAnswer::Overloaded => return Corpus::Reject, // no other review runs
            ReviewAnswer::Review(answer) => {
                check(webhook, mode, bytes, &answer);
                corpus = Corpus::Keep;
            }
        }
    }
    corpus
});

#[expect(clippy::expect_used, reason = "an answer that is no JSON is a find")]
fn check(webhook: Webhook, mode: Mode, bytes: &[u8], answer: &[u8]) {
    let asked: Value = serde_json::from_slice(bytes).unwrap_or_default();
    let answer: Value = serde_json::from_slice(answer).expect("an answer is JSON");
    let response = &answer["response"];
    // A review with too many levels cannot be parsed here, nor by the server.
    assert!(asked.is_null() || response["uid"] == asked["request"]["uid"], "the uid is copied");
    let denied = response["allowed"] == false;
    assert!(!denied || (webhook == Webhook::Validate && mode == Mode::Enforce), "only one webhook refuses");
    assert!(!denied || response["status"]["message"].as_str().is_some_and(|message| !message.is_empty()));
    let warnings = response["warnings"].as_array().into_iter().flatten().filter_map(Value::as_str);
    let lengths: Vec<_> = warnings.map(|warning| warning.chars().count()).collect();
    assert!(lengths.iter().all(|length| *length <= 256) && lengths.iter().sum::<usize>() <= 4096, "{lengths:?}");
    assert!(response.get("patch").is_none() || webhook == Webhook::Mutate, "only one webhook writes");
}
