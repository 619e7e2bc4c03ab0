//! CEL rules, in rows: the schema of one field with rules, a value, and the errors of the API server.

use schema::{FieldError, Options, Schema};
use serde_json::{Value, json};

/// Checks the errors of a field `f` with this schema.
fn check(field: Value, value: Value, want: &[&str]) {
    assert_eq!(admit(&field, &value, None).err().unwrap_or_default(), want, "{field} with {value}");
}

/// Checks the errors of an update.
fn check_update(field: Value, old: Value, value: Value, want: &[&str]) {
    assert_eq!(admit(&field, &value, Some(&old)).err().unwrap_or_default(), want, "{field} with {value} for {old}");
}

/// Checks the errors of the schema itself.
fn check_schema(field: Value, want: &[&str]) {
    let errors = Schema::read(&schema(&field)).err().unwrap_or_default();
    assert_eq!(texts(&errors), want, "{field}");
}

fn admit(field: &Value, value: &Value, old: Option<&Value>) -> Result<(), Vec<String>> {
    let schema = Schema::read(&schema(field)).map_err(|errors| texts(&errors))?;
    let old = old.map(|old| json!({"f": old}));
    let options = Options { old: old.as_ref(), ..Options::default() };
    schema.admit(&json!({"f": value}), &options).map(drop).map_err(|errors| texts(&errors))
}

fn schema(field: &Value) -> Value {
    json!({"type": "object", "properties": {"f": field}})
}

fn texts(errors: &[FieldError]) -> Vec<String> {
    errors.iter().map(ToString::to_string).collect()
}

fn number(rules: Value) -> Value {
    json!({"type": "integer", "x-kubernetes-validations": rules})
}

fn pair(rules: Value) -> Value {
    json!({
        "type": "object", "x-kubernetes-validations": rules,
        "properties": {"a": {"type": "integer"}, "b-c": {"type": "integer"}},
    })
}

#[test]
fn messages() {
    check(number(json!([{"rule": "self > 1"}])), json!(2), &[]);
    check(number(json!([{"rule": " self > 1 "}])), json!(1), &["f: Invalid value: 1: failed rule: self > 1"]);
    check(number(json!([{"rule": "self > 1", "message": "too small"}])), json!(1), &["f: Invalid value: 1: too small"]);
    let made = json!([{"rule": "self > 1", "messageExpression": "self == 1 ? 'not one' : 'not that'"}]);
    check(number(made), json!(1), &["f: Invalid value: 1: not one"]);
    // When a message expression fails, the message of the rule is used.
    let failing = json!([{"rule": "self > 1", "message": "m", "messageExpression": "1 / (self - 1) > 0 ? 'a' : 'b'"}]);
    check(number(failing), json!(1), &["f: Invalid value: 1: m"]);
    check(
        number(json!([{"rule": "self > 1", "reason": "FieldValueForbidden"}])),
        json!(1),
        &["f: Forbidden: failed rule: self > 1"],
    );
    check(
        pair(json!([{"rule": "self.a < self.b__dash__c"}])),
        json!({"a": 2, "b-c": 1}),
        &["f: Invalid value: failed rule: self.a < self.b__dash__c"],
    );
    check(
        pair(json!([{"rule": "self.a < 0", "fieldPath": ".a"}])),
        json!({"a": 2}),
        &["f.a: Invalid value: failed rule: self.a < 0"],
    );
    check(
        pair(json!([{"rule": "self.a < 0", "fieldPath": "['b-c']"}])),
        json!({"a": 2}),
        &["f.b-c: Invalid value: failed rule: self.a < 0"],
    );
    check(
        pair(json!([{"rule": "self.a > 0"}])),
        json!({}),
        &["f: Invalid value: \"object\": no such key: a evaluating rule: self.a > 0"],
    );
}

/// Rules are not evaluated for objects with certain other errors.
#[test]
fn left_out() {
    let left_out = "<nil>: Invalid value: null: some validation rules were not checked because the object was invalid; correct the existing errors to complete validation";
    let wrong = "f: Invalid value: \"string\": f in body must be of type integer: \"string\"";
    check(number(json!([{"rule": "self > 1"}])), json!("a"), &[wrong, left_out]);
    let bounded = json!({"type": "integer", "minimum": 5, "x-kubernetes-validations": [{"rule": "self > 1"}]});
    check(
        bounded,
        json!(1),
        &[
            "f: Invalid value: 1: f in body should be greater than or equal to 5",
            "f: Invalid value: 1: failed rule: self > 1",
        ],
    );
}

#[test]
fn transitions() {
    let grows = number(json!([{"rule": "self >= oldSelf"}]));
    check(grows.clone(), json!(1), &[]);
    check_update(grows.clone(), json!(1), json!(2), &[]);
    check_update(grows, json!(2), json!(1), &["f: Invalid value: 1: failed rule: self >= oldSelf"]);
    let optional =
        number(json!([{"rule": "oldSelf.hasValue() ? self > oldSelf.value() : self == 0", "optionalOldSelf": true}]));
    check(optional.clone(), json!(0), &[]);
    check(
        optional.clone(),
        json!(1),
        &["f: Invalid value: 1: failed rule: oldSelf.hasValue() ? self > oldSelf.value() : self == 0"],
    );
    check_update(optional, json!(0), json!(1), &[]);
    // For an unchanged value it is only a warning.
    let small = number(json!([{"rule": "self < 5"}]));
    check_update(small.clone(), json!(7), json!(7), &[]);
    check_update(small, json!(7), json!(8), &["f: Invalid value: 8: failed rule: self < 5"]);
    let keyed = json!({
        "type": "array", "maxItems": 5, "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["name"],
        "items": {"type": "object", "properties": {"name": {"type": "string"}, "v": {
            "type": "integer", "x-kubernetes-validations": [{"rule": "self == oldSelf"}],
        }}},
    });
    let old = json!([{"name": "a", "v": 1}, {"name": "b", "v": 2}]);
    check_update(
        keyed,
        old,
        json!([{"name": "b", "v": 3}, {"name": "c", "v": 4}]),
        &["f[0].v: Invalid value: 3: failed rule: self == oldSelf"],
    );
}

/// Errors of rules are reported when the schema is read.
#[test]
fn unsound_rules() {
    let at = "properties[f].x-kubernetes-validations[0]";
    let whole = |rule: &str| {
        format!(
            "{{\"Rule\":{},\"Message\":\"\",\"MessageExpression\":\"\",\"Reason\":null,\"FieldPath\":\"\",\"OptionalOldSelf\":null}}",
            Value::from(rule)
        )
    };
    check_schema(number(json!([{"rule": " "}])), &[&format!("{at}.rule: Required value: rule is not specified")]);
    check_schema(
        number(json!([{"rule": "self.a"}])),
        &[&format!(
            "{at}.rule: Invalid value: {}: compilation failed: ERROR: <input>:1:5: type 'int' does not support field selection\n | self.a\n | ....^",
            whole("self.a")
        )],
    );
    check_schema(
        number(json!([{"rule": "self + 1"}])),
        &[&format!("{at}.rule: Invalid value: {}: cel expression must evaluate to a bool", whole("self + 1"))],
    );
    check_schema(
        number(json!([{"rule": "true", "reason": "Why"}])),
        &[&format!(
            "{at}.reason: Unsupported value: \"Why\": supported values: \"FieldValueDuplicate\", \"FieldValueForbidden\", \"FieldValueInvalid\", \"FieldValueRequired\""
        )],
    );
    check_schema(
        pair(json!([{"rule": "true", "fieldPath": ".z"}])),
        &[&format!("{at}.fieldPath: Invalid value: \".z\": must be a valid path")],
    );
    check_schema(
        number(json!([{"rule": "true", "optionalOldSelf": true}])),
        &[&format!("{at}.optionalOldSelf: Invalid value: true: may not be set if oldSelf is not used in rule")],
    );
    let list = json!({"type": "array", "items": number(json!([{"rule": "self == oldSelf"}]))});
    check_schema(
        list,
        &[
            "properties[f].items.x-kubernetes-validations[0].rule: Invalid value: \"self == oldSelf\": oldSelf cannot be used on the uncorrelatable portion of the schema within properties[f]",
        ],
    );
}

#[test]
fn costs() {
    let texts = |limits: Value| {
        let mut schema = json!({
            "type": "array", "items": {"type": "string"},
            "x-kubernetes-validations": [{"rule": "self.all(a, self.exists_one(b, a == b))"}],
        });
        schema.as_object_mut().expect("an object").extend(limits.as_object().expect("an object").clone());
        schema
    };
    check_schema(texts(json!({"maxItems": 10, "items": {"type": "string", "maxLength": 10}})), &[]);
    let advice = "(try simplifying the rule, or adding maxItems, maxProperties, and maxLength where arrays, maps, and strings are declared)";
    check_schema(
        texts(json!({})),
        &[
            &format!(
                "properties[f].x-kubernetes-validations[0].rule: Forbidden: estimated rule cost exceeds budget by factor of more than 100x {advice}"
            ),
            "properties[f].x-kubernetes-validations[0].rule: Forbidden: contributed to estimated rule cost total exceeding cost limit for entire OpenAPIv3 schema",
            &format!(
                "<nil>: Forbidden: x-kubernetes-validations estimated rule cost total for entire OpenAPIv3 schema exceeds budget by factor of more than 100x {advice}"
            ),
        ],
    );
}
