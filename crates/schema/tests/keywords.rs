//! Every keyword, in rows: the schema of one field, a value, and the errors of the API server. The messages were compared
//! with those of kube-apiserver v1.35.3 by `tests/e2e/schema_differential`.

use schema::{FieldError, Options, Schema};
use serde_json::{Value, json};

/// Checks that a field `f` with this schema has these errors.
fn check(field: Value, value: Value, want: &[&str]) {
    let errors = admit(&field, &value, None).err().unwrap_or_default();
    assert_eq!(errors, want, "{field} with {value}");
}

/// Checks the stored value of a field.
fn stored(field: Value, value: Value, want: Value) {
    assert_eq!(admit(&field, &value, None), Ok(want), "{field} with {value}");
}

/// Checks the errors of an update of a field.
fn check_update(field: Value, old: Value, value: Value, want: &[&str]) {
    let errors = admit(&field, &value, Some(&old)).err().unwrap_or_default();
    assert_eq!(errors, want, "{field} with {value} for {old}");
}

fn admit(field: &Value, value: &Value, old: Option<&Value>) -> Result<Value, Vec<String>> {
    let texts = |errors: Vec<FieldError>| errors.iter().map(ToString::to_string).collect::<Vec<_>>();
    let schema = Schema::read(&json!({"type": "object", "properties": {"f": field}})).map_err(texts)?;
    let old = old.map(|old| json!({"f": old}));
    let options = Options { old: old.as_ref(), ..Options::default() };
    let admitted = schema.admit(&json!({"f": value}), &options).map_err(texts)?;
    Ok(admitted.object.get("f").cloned().unwrap_or(Value::Null))
}

#[test]
fn types() {
    let of = |name: &str| json!({"type": name});
    let wrong =
        |wanted: &str, is: &str| format!("f: Invalid value: \"{is}\": f in body must be of type {wanted}: \"{is}\"");
    check(of("string"), json!("x"), &[]);
    check(of("string"), json!(1), &[&wrong("string", "integer")]);
    check(of("string"), json!(true), &[&wrong("string", "boolean")]);
    check(of("integer"), json!(1.0), &[]);
    check(of("integer"), json!(1.5), &[&wrong("integer", "number")]);
    check(of("integer"), json!("1"), &[&wrong("integer", "string")]);
    check(of("number"), json!(1), &[]);
    check(of("boolean"), json!({}), &[&wrong("boolean", "object")]);
    check(of("object"), json!([]), &[&wrong("object", "array")]);
    check(of("array"), json!({}), &[&wrong("array", "object")]);
    check(json!({"x-kubernetes-int-or-string": true}), json!("50%"), &[]);
    check(json!({"x-kubernetes-int-or-string": true}), json!(true), &[&wrong("integer,string", "boolean")]);
    // A whole float is stored as an integer.
    stored(of("integer"), json!(3.0), json!(3));
    stored(of("number"), json!(2.50), json!(2.5));
}

#[test]
fn nulls_and_defaults() {
    let with = |extra: Value| {
        let mut schema = json!({"type": "string"});
        schema.as_object_mut().expect("an object").extend(extra.as_object().expect("an object").clone());
        schema
    };
    stored(with(json!({})), Value::Null, Value::Null);
    stored(with(json!({"default": "x"})), Value::Null, json!("x"));
    stored(with(json!({"default": "x", "nullable": true})), Value::Null, Value::Null);
    let list = json!({"type": "array", "items": {"type": "string"}});
    check(list, json!([null]), &["f[0]: Invalid value: \"null\": f[0] in body must be of type string: \"null\""]);
    let nested = json!({
        "type": "object", "default": {},
        "properties": {"a": {"type": "object", "default": {"b": 1}, "properties": {
            "b": {"type": "integer"}, "c": {"type": "integer", "default": 2},
        }}},
    });
    stored(nested.clone(), Value::Null, json!({"a": {"b": 1, "c": 2}}));
    stored(nested, json!({"a": {"c": 5}}), json!({"a": {"c": 5}}));
}

#[test]
fn texts() {
    check(
        json!({"type": "string", "minLength": 2}),
        json!("é"),
        &["f: Invalid value: \"é\": f in body should be at least 2 chars long"],
    );
    check(json!({"type": "string", "maxLength": 2}), json!("日本"), &[]);
    check(json!({"type": "string", "maxLength": 2}), json!("abc"), &["f: Too long: may not be more than 2 bytes"]);
    check(
        json!({"type": "string", "pattern": "^a+$"}),
        json!("b"),
        &["f: Invalid value: \"b\": f in body should match '^a+$'"],
    );
    check(
        json!({"type": "string", "enum": ["a", "b"]}),
        json!("c"),
        &["f: Unsupported value: \"c\": supported values: \"a\", \"b\""],
    );
    check(
        json!({"type": "string", "format": "date"}),
        json!("2024-02-30"),
        &["f: Invalid value: \"2024-02-30\": f in body must be of type date: \"2024-02-30\""],
    );
    check(json!({"type": "string", "format": "no-such"}), json!("x"), &[]);
}

#[test]
fn numbers() {
    check(
        json!({"type": "integer", "minimum": 1}),
        json!(0),
        &["f: Invalid value: 0: f in body should be greater than or equal to 1"],
    );
    check(
        json!({"type": "integer", "minimum": 1, "exclusiveMinimum": true}),
        json!(1),
        &["f: Invalid value: 1: f in body should be greater than 1"],
    );
    check(
        json!({"type": "number", "maximum": 2.5}),
        json!(2.6),
        &["f: Invalid value: 2.6: f in body should be less than or equal to 2.5"],
    );
    check(
        json!({"type": "number", "maximum": 1e6}),
        json!(1.5e6),
        &["f: Invalid value: 1.5e+06: f in body should be less than or equal to 1e+06"],
    );
    // For an integer the fraction of the bound is cut off.
    check(
        json!({"type": "number", "maximum": 2.5}),
        json!(3),
        &["f: Invalid value: 3: f in body should be less than or equal to 2"],
    );
    check(
        json!({"type": "integer", "maximum": 2, "exclusiveMaximum": true}),
        json!(2),
        &["f: Invalid value: 2: f in body should be less than 2"],
    );
    check(
        json!({"type": "integer", "multipleOf": 3}),
        json!(4),
        &["f: Invalid value: 4: f in body should be a multiple of 3"],
    );
    check(json!({"type": "number", "multipleOf": 0.1}), json!(0.3), &[]);
    check(
        json!({"type": "number", "multipleOf": 0.5}),
        json!(1),
        &["f: Invalid value: 0: factor MultipleOf declared for f must be positive: 0"],
    );
    check(json!({"type": "number", "enum": [1]}), json!(1.5), &[]);
}

#[test]
fn lists() {
    let of = |extra: Value| {
        let mut schema = json!({"type": "array", "items": {"type": "integer"}});
        schema.as_object_mut().expect("an object").extend(extra.as_object().expect("an object").clone());
        schema
    };
    check(of(json!({"minItems": 1})), json!([]), &["f: Invalid value: 0: f in body should have at least 1 items"]);
    check(of(json!({"maxItems": 1})), json!([1, 2]), &["f: Too many: 2: must have at most 1 item"]);
    check(
        of(json!({"uniqueItems": true})),
        json!([1, 1]),
        &["f: Invalid value: \"\": f in body shouldn't contain duplicates"],
    );
    check(of(json!({"x-kubernetes-list-type": "set"})), json!([1, 2, 1, 1]), &["f[2]: Duplicate value: 1"]);
    let keyed = |keys: Value| {
        json!({
            "type": "array", "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": keys,
            "items": {"type": "object", "properties": {
                "name": {"type": "string"}, "port": {"type": "integer", "default": 80}, "v": {"type": "integer"},
            }},
        })
    };
    let duplicate = r#"f[1]: Duplicate value: {"name":"a"}"#;
    check(keyed(json!(["name"])), json!([{"name": "a", "v": 1}, {"name": "a", "v": 2}]), &[duplicate]);
    check(keyed(json!(["name"])), json!([{}, {}]), &["f[1]: Duplicate value: {}"]);
    check(keyed(json!(["name", "port"])), json!([{"name": "a"}, {"name": "a", "port": 81}]), &[]);
    let duplicate = r#"f[1]: Duplicate value: {"name":"a","port":80}"#;
    check(keyed(json!(["name", "port"])), json!([{"name": "a"}, {"name": "a", "port": 80}]), &[duplicate]);
}

#[test]
fn objects() {
    let of = |extra: Value| {
        let mut schema = json!({"type": "object", "properties": {"a": {"type": "integer"}, "b": {"type": "integer"}}});
        schema.as_object_mut().expect("an object").extend(extra.as_object().expect("an object").clone());
        schema
    };
    check(of(json!({"required": ["a", "b"]})), json!({}), &["f.a: Required value", "f.b: Required value"]);
    check(
        of(json!({"minProperties": 1})),
        json!({}),
        &["f: Invalid value: 0: f in body should have at least 1 properties"],
    );
    check(of(json!({"maxProperties": 1})), json!({"a": 1, "b": 2}), &["f: Too many: 2: must have at most 1 item"]);
    check(of(json!({})), json!({"A": 1}), &["unknown field \"f.A\""]);
    check(of(json!({"x-kubernetes-preserve-unknown-fields": true})), json!({"c": 1}), &[]);
    let map =
        json!({"type": "object", "additionalProperties": {"type": "object", "properties": {"a": {"type": "integer"}}}});
    check(
        map.clone(),
        json!({"x/y": {"a": "1"}}),
        &["f.x/y.a: Invalid value: \"string\": f.x/y.a in body must be of type integer: \"string\""],
    );
    check(map, json!({"x": {"b": 1}}), &["unknown field \"f.x.b\""]);
    let embedded =
        json!({"type": "object", "x-kubernetes-embedded-resource": true, "x-kubernetes-preserve-unknown-fields": true});
    check(embedded.clone(), json!({"apiVersion": "v1", "kind": "A", "metadata": {"name": "a"}, "data": {}}), &[]);
    check(embedded.clone(), json!({"metadata": {}}), &["f.apiVersion: Required value", "f.kind: Required value"]);
    check(
        embedded.clone(),
        json!({"apiVersion": "v1", "kind": "A", "metadata": {"labels": {"a": "b"}, "x": 1}}),
        &["unknown field \"f.metadata.x\""],
    );
    // A default is such an object too.
    let mut with_default = embedded;
    with_default["default"] = json!({"metadata": {}});
    check(
        with_default,
        json!({}),
        &["properties[f].default.apiVersion: Required value", "properties[f].default.kind: Required value"],
    );
}

#[test]
fn combinations() {
    let number = |extra: Value| {
        let mut schema = json!({"type": "integer"});
        schema.as_object_mut().expect("an object").extend(extra.as_object().expect("an object").clone());
        schema
    };
    let bounds = json!([{"minimum": 10}, {"maximum": 2}]);
    let low = "f: Invalid value: 5: f in body should be greater than or equal to 10";
    let high = "f: Invalid value: 5: f in body should be less than or equal to 2";
    check(
        number(json!({"anyOf": bounds})),
        json!(5),
        &["<nil>: Invalid value: \"\": \"f\" must validate at least one schema (anyOf)", low],
    );
    check(number(json!({"anyOf": bounds})), json!(1), &[]);
    check(
        number(json!({"oneOf": bounds})),
        json!(5),
        &["<nil>: Invalid value: \"\": \"f\" must validate one and only one schema (oneOf). Found none valid", low],
    );
    check(
        number(json!({"oneOf": [{"minimum": 1}, {"minimum": 2}]})),
        json!(5),
        &[
            "<nil>: Invalid value: \"\": \"f\" must validate one and only one schema (oneOf). Found 2 valid alternatives",
        ],
    );
    check(
        number(json!({"allOf": bounds})),
        json!(5),
        &[low, high, "<nil>: Invalid value: \"\": \"f\" must validate all the schemas (allOf). None validated"],
    );
    check(
        number(json!({"not": {"minimum": 3}})),
        json!(5),
        &["<nil>: Invalid value: \"\": \"f\" must not validate the schema (not)"],
    );
}

/// Errors of unchanged values are not reported.
#[test]
fn updates() {
    let number = json!({"type": "integer", "maximum": 5});
    let wrong = "f: Invalid value: 7: f in body should be less than or equal to 5";
    check_update(number.clone(), json!(7), json!(7), &[]);
    check_update(number.clone(), json!(6), json!(7), &[wrong]);
    check_update(json!({"type": "integer", "allOf": [{"maximum": 5}]}), json!(7), json!(7), &[]);
    let keyed = json!({
        "type": "array", "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["name"],
        "items": {"type": "object", "properties": {"name": {"type": "string"}, "v": number}},
    });
    let old = json!([{"name": "a", "v": 7}, {"name": "b", "v": 8}]);
    check_update(keyed.clone(), old.clone(), json!([{"name": "b", "v": 8}]), &[]);
    let wrong = "f[0].v: Invalid value: 9: f[0].v in body should be less than or equal to 5";
    check_update(keyed, old, json!([{"name": "b", "v": 9}]), &[wrong]);
    // Items of lists of other types have no old value.
    let list = json!({"type": "array", "items": {"type": "integer", "maximum": 5}});
    let wrong = "f[0]: Invalid value: 7: f[0] in body should be less than or equal to 5";
    check_update(list.clone(), json!([7]), json!([7]), &[]);
    check_update(list, json!([7]), json!([7, 1]), &[wrong]);
    let set = json!({"type": "array", "x-kubernetes-list-type": "set", "items": {"type": "integer"}});
    check_update(set.clone(), json!([1, 1]), json!([1, 1, 2, 2]), &[]);
    check_update(set, json!([1]), json!([1, 1]), &["f[1]: Duplicate value: 1"]);
}
