//! Writes the inputs that fuzzing starts with, to six folders: the golden corpus as protobuf requests for
//! `fuzz-function`, device selectors for `fuzz-cel`, schemas with objects for `fuzz-schema`, and the composites of the
//! corpus as reviews for `fuzz-admission`, as protobuf objects for `fuzz-wire`, and as JSON for `fuzz-shapes`.

use std::path::PathBuf;
use std::{env, fs, io};

use prost::Message as _;

fn main() -> io::Result<()> {
    let folder = folder(1)?;
    for case in tests::golden::cases()? {
        let request = tests::function::from_domain(&case.request);
        fs::write(folder.join(case.name.replace('/', "-")), request.encode_to_vec())?;
    }
    let folder = self::folder(2)?;
    let vectors: serde_json::Value = serde_json::from_str(include_str!("../../../crates/cel/tests/devices.json"))?;
    for (index, case) in vectors["cases"].as_array().into_iter().flatten().enumerate() {
        fs::write(folder.join(index.to_string()), case["expr"].as_str().unwrap_or_default())?;
    }
    let folder = self::folder(3)?;
    for (index, [schema, object]) in SCHEMAS.iter().enumerate() {
        fs::write(folder.join(index.to_string()), format!("{schema}\n{object}"))?;
    }
    let folder = self::folder(4)?;
    for case in tests::golden::cases()? {
        let Some(composite) = case.request.composite.as_ref().and_then(|it| it.object().ok()) else { continue };
        for (verb, review) in [
            ("create", tests::admission::create(composite)),
            ("update", tests::admission::update(composite, composite)),
            ("delete", tests::admission::delete(composite)),
        ] {
            fs::write(folder.join(format!("{verb}-{}", case.name.replace('/', "-"))), review.to_string())?;
        }
    }
    let folder = self::folder(5)?;
    for case in tests::golden::cases()? {
        let Some(composite) = case.request.composite.as_ref().and_then(|it| it.object().ok()) else { continue };
        fs::write(folder.join(case.name.replace('/', "-")), tests::tree::wire(composite))?;
    }
    let folder = self::folder(6)?;
    for case in tests::golden::cases()? {
        let Some(composite) = case.request.composite.as_ref().and_then(|it| it.object().ok()) else { continue };
        fs::write(folder.join(case.name.replace('/', "-")), composite.to_string())?;
    }
    Ok(())
}

/// Schemas, each with an object. Together they have most of the keywords.
const SCHEMAS: [[&str; 2]; 5] = [
    [
        r#"{"type":"object","required":["a"],"properties":{"a":{"type":"integer","minimum":1,"maximum":5,"default":2},"b":{"type":"string","maxLength":3,"pattern":"^[a-z]+$","enum":["a","b"]}}}"#,
        r#"{"a":1.0,"b":"abcd","c":null}"#,
    ],
    [
        r#"{"type":"object","properties":{"l":{"type":"array","maxItems":2,"x-kubernetes-list-type":"map","x-kubernetes-list-map-keys":["k"],"items":{"type":"object","properties":{"k":{"type":"string","nullable":true},"v":{"x-kubernetes-int-or-string":true}}}}}}"#,
        r#"{"l":[{"k":"a","v":"50%"},{"k":"a","v":1},{"k":null}]}"#,
    ],
    [
        r#"{"type":"object","additionalProperties":{"type":"number","multipleOf":0.5,"anyOf":[{"minimum":1},{"not":{"maximum":0}}],"oneOf":[{"exclusiveMinimum":true}],"allOf":[{}]}}"#,
        r#"{"x/y":0.75,"":1e300,"metadata":{"labels":{"a b":"c"},"finalizers":["x"]}}"#,
    ],
    [
        r#"{"type":"object","properties":{"e":{"type":"object","x-kubernetes-embedded-resource":true,"x-kubernetes-preserve-unknown-fields":true},"s":{"type":"array","x-kubernetes-list-type":"set","items":{"type":"string","format":"date-time"}}}}"#,
        r#"{"e":{"apiVersion":"v1","kind":"A","metadata":{"name":"a/b","x":1}},"s":["2024-02-29T00:00:00Z","1h30m"]}"#,
    ],
    [
        r#"{"type":"object","properties":{"a":{"type":"integer","x-kubernetes-validations":[{"rule":"self > 1","message":"no","reason":"FieldValueForbidden"},{"rule":"self >= oldSelf"}]}}}"#,
        r#"{"a":1}"#,
    ],
];

/// The folder that an argument names. It is created when it does not exist.
fn folder(argument: usize) -> io::Result<PathBuf> {
    let folder = env::args_os().nth(argument);
    let folder: PathBuf = folder.ok_or_else(|| io::Error::other("which folders should be written to?"))?.into();
    fs::create_dir_all(&folder)?;
    Ok(folder)
}
