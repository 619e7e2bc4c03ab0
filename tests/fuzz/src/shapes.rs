//! Bytes → an object of an earlier version of Modelplane's API, as JSON text. It is refused, or becomes the shape of the release once.
#![no_main]

use inference::modelplane::shapes;
use libfuzzer_sys::{Corpus, fuzz_target};
use serde_json::Value;

const KINDS: &[&str] =
    &["ModelDeployment", "ModelReplica", "InferenceClass", "InferenceCluster", "InferenceGateway", "ServingStack"];

fuzz_target!(|bytes: &[u8]| -> Corpus {
    let Ok(object) = serde_json::from_slice::<Value>(bytes) else { return Corpus::Reject };
    for kind in KINDS {
        match shapes::of(kind, &object) {
            Ok(None) => {}
            Ok(Some(shaped)) => assert_eq!(shapes::of(kind, &shaped.object), Ok(None), "once is enough"),
            Err(wrong) => {
                assert!(wrong.iter().all(|it| !it.path.is_empty() && !it.message.is_empty()), "a refusal says why");
            }
        }
    }
    Corpus::Keep
});
