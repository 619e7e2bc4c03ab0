//! Random CEL rules for small types. Some have mistakes.

use serde_json::{Map, Value, json};

use tests::random::Random;

/// A schema whose `spec` has many fields, each with rules.
pub(crate) fn many(random: &mut Random, count: usize) -> Value {
    let fields: Map<String, Value> = (0..count).map(|number| (format!("f{number}"), field(random))).collect();
    json!({
        "type": "object",
        "properties": {
            "apiVersion": {"type": "string"},
            "kind": {"type": "string"},
            "metadata": {"type": "object"},
            "spec": {"type": "object", "properties": fields},
        },
    })
}

/// A type, and the parts that rules for its values are made of.
struct Subject {
    schema: fn() -> Value,
    rules: &'static [&'static str],
    /// Expressions of type string.
    messages: &'static [&'static str],
    /// Paths of fields below it.
    paths: &'static [&'static str],
}

const NUMBER: Subject = Subject {
    schema: || json!({"type": "integer", "minimum": -100, "maximum": 100}),
    rules: &[
        "self > 1",
        "self % 2 == 0",
        "10 / self > 1",
        "self in [1, 2, 3]",
        "self >= oldSelf",
        "self == oldSelf",
        "self < 1.5",
        "string(self).size() < 2",
        "self + 9223372036854775807 > 0",
        "type(self) == int",
        "self > '1'",
        "self",
        "self.size() > 1",
        "double(self) / 2.0 > 0.5",
        "[self, 2].max() == self",
        "self > nope",
        "self >",
        "math.greatest(self, 1) > 1",
        "-self < 0",
        "self != 0 && 10 / self > 1",
        "self == 0 || 10 / self > 1",
        "has(self)",
        "dyn(self) == 1.0",
        "uint(self) > 1u",
    ],
    messages: &[
        "'not good'",
        "string(self)",
        "self",
        "'a' + 'b'",
        "'x\\ny'",
        "''",
        "' spaced '",
        "string(1 / self)",
        "self > 1",
    ],
    paths: &[".a"],
};

const TEXT: Subject = Subject {
    schema: || json!({"type": "string", "maxLength": 40}),
    rules: &[
        "self.startsWith('a')",
        "self.matches('^[a-z]+$')",
        "self.matches('(')",
        "self == oldSelf",
        "self.size() > 1",
        "size(self) < 3",
        "isURL(self)",
        "url(self).getHost() == 'a.b'",
        "isIP(self) && ip(self).family() == 4",
        "cidr(self).prefixLength() > 7",
        "isQuantity(self) && quantity(self).isGreaterThan(quantity('1Mi'))",
        "quantity(self).sign() == 1",
        "duration(self) > duration('1s')",
        "self.lowerAscii() == self",
        "self.split('-').size() == 2",
        "self.contains('b') || self.endsWith('c')",
        "self.find('[0-9]+') == '12'",
        "int(self) > 1",
        "self < 'b'",
        "self + 1 == 'a1'",
        "self.foo()",
        "timestamp(self).getFullYear() > 2000",
        "self.replace('a', 'b') != self",
        "self.charAt(0) == 'a'",
        "self.indexOf('b') >= 0",
        "!format.dns1123Label().validate(self).hasValue()",
        "isSemver(self)",
        "self.matches('a') ? self.matches('b') : true",
        "['a', 'b'].exists(x, x == self)",
        "bytes(self).size() > 2",
        "self.trim() == self",
    ],
    messages: &["'no: ' + self", "self", "self.size()", "'%s!'.format([self])", "self.substring(1)"],
    paths: &[],
};

const LIST: Subject = Subject {
    schema: || json!({"type": "array", "maxItems": 5, "items": {"type": "integer"}}),
    rules: &[
        "self.all(x, x > 0)",
        "self.exists(x, x == 1)",
        "self.exists_one(x, x == 1)",
        "self.size() < 3",
        "self.sum() > 3",
        "self.min() < 2",
        "self.isSorted()",
        "self.indexOf(1) == 0",
        "self[0] == 1",
        "self.map(x, x * 2).filter(y, y > 2).size() > 0",
        "1 in self",
        "self.all(x, y, x < y)",
        "self == oldSelf",
        "self.all(x, oldSelf.exists(y, x == y))",
        "self.all(x, x > 'a')",
        "self + [1] != self",
        "sets.contains(self, [1])",
        "self.max() - self.min() < 10",
        "self.first().orValue(0) == 1",
        "self.slice(0, 1).size() == 1",
        "self.all(x, 10 / x > 1)",
        "self.exists(x, 10 / x > 1)",
        "self.distinct().size() == self.size()",
        "self[?1].hasValue()",
    ],
    messages: &["'size ' + string(self.size())", "self[0] > 1 ? 'a' : 'b'", "string(self[0])"],
    paths: &[],
};

const OBJECT: Subject = Subject {
    schema: || {
        json!({
            "type": "object",
            "properties": {
                "a": {"type": "integer"},
                "b-c": {"type": "string", "maxLength": 10},
                "if": {"type": "boolean"},
                "any": {"x-kubernetes-int-or-string": true},
                "when": {"type": "string", "format": "date-time"},
                "inner": {"type": "object", "properties": {"x": {"type": "number"}}},
                "open": {"type": "object", "x-kubernetes-preserve-unknown-fields": true},
            },
        })
    },
    rules: &[
        "has(self.a)",
        "self.a > 1",
        "has(self.a) == has(self.b__dash__c)",
        "!has(self.a) || self.a > 1",
        "self.b__dash__c == 'a'",
        "self.__if__",
        "!has(self.__if__) || self.__if__",
        "self.any == 1",
        "type(self.any) == string",
        "self.any + 1 > 2",
        "!has(self.when) || self.when > timestamp('2020-01-01T00:00:00Z')",
        "has(self.inner) && has(self.inner.x)",
        "self.inner.x < 2.5",
        "self.?inner.x.orValue(1.0) == 1.0",
        "self.nope == 1",
        "has(self.nope)",
        "self == oldSelf",
        "self.a == oldSelf.a",
        "self.open.x == 1",
        "has(self.open)",
        "self.inner == {'x': 1.0}",
        "!has(oldSelf.a) || has(self.a)",
        "self.b-c == 'a'",
        "self.all(k, k != 'a')",
        "has(self.a) ? self.a % 2 == 0 : true",
        "self.a in [1, 2]",
        "[self.a, 1] == [1, 1]",
        "cel.bind(x, self.a, x > 1)",
    ],
    messages: &["'a is ' + string(self.a)", "self.b__dash__c", "has(self.a) ? 'with' : 'without'"],
    paths: &[".a", "['b-c']", ".inner.x", ".nope", "a", ".inner['x']", ".", ".inner."],
};

const MAP: Subject = Subject {
    schema: || json!({"type": "object", "maxProperties": 4, "additionalProperties": {"type": "string", "maxLength": 50}}),
    rules: &[
        "self.all(k, k.size() > 1)",
        "self.exists(k, self[k] == 'a')",
        "'k1' in self",
        "self.k1 == 'a'",
        "has(self.k1)",
        "self.size() < 3",
        "self.all(k, v, v != '')",
        "self['k1'] == self['K3']",
        "self == oldSelf",
        "self.map(k, self[k]).size() > 1",
        "self.k1 == 1",
        "self.all(k, oldSelf[k] == self[k])",
        "self[?'k1'].orValue('') == 'a'",
        "self.transformMap(k, v, v + 'x').size() == 2",
    ],
    messages: &["string(self.size())", "self.k1"],
    paths: &["['k1']", ".k1", "['k1'].x"],
};

/// A type without limits: costs are estimated from the largest size of a request.
const UNLIMITED: Subject = Subject {
    schema: || json!({"type": "array", "items": {"type": "string"}}),
    rules: &[
        "self.size() < 3",
        "self.all(x, x != '')",
        "self.all(x, self.exists(y, x == y))",
        "self.exists(x, x.matches('^a+$'))",
        "self.all(x, x.startsWith('a'))",
        "self.all(x, x.contains('abcdef'))",
        "self == oldSelf",
        "self.map(x, x + 'a').size() > 0",
    ],
    messages: &["self[0]", "self.join(',')"],
    paths: &[],
};

const SUBJECTS: &[Subject] = &[NUMBER, TEXT, LIST, OBJECT, MAP, UNLIMITED];

fn field(random: &mut Random) -> Value {
    let subject = random.pick(SUBJECTS);
    let mut schema = (subject.schema)();
    let rules: Vec<_> = (0..1 + random.below(2)).map(|_| rule(random, subject)).collect();
    schema["x-kubernetes-validations"] = rules.into();
    // Sometimes the same schema is inside a list or map.
    match random.below(8) {
        0 => json!({"type": "array", "maxItems": 3, "items": schema}),
        1 => json!({"type": "array", "items": schema}),
        2 => json!({"type": "object", "additionalProperties": schema}),
        3 => json!({
            "type": "array", "maxItems": 4, "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["name"],
            "items": {"type": "object", "required": ["name"], "properties": {"name": {"type": "string"}, "value": schema}},
        }),
        _ => schema,
    }
}

fn rule(random: &mut Random, subject: &Subject) -> Value {
    let one = *random.pick(subject.rules);
    let other = *random.pick(subject.rules);
    let text = match random.below(9) {
        0 => format!("{one} && ({other})"),
        1 => format!("({one}) || ({other})"),
        2 => format!("!({one})"),
        3 => format!(" {one} "),
        _ => one.to_owned(),
    };
    let mut rule = json!({"rule": text});
    if random.percent(20) {
        rule["message"] = (*random.pick(&["no", " no ", "", " ", "a\nb"])).into();
    }
    if random.percent(30) {
        rule["messageExpression"] = (*random.pick(subject.messages)).into();
    }
    if random.percent(15) {
        let reasons =
            ["FieldValueInvalid", "FieldValueForbidden", "FieldValueRequired", "FieldValueDuplicate", "Other"];
        rule["reason"] = (*random.pick(&reasons)).into();
    }
    if random.percent(20) && !subject.paths.is_empty() {
        rule["fieldPath"] = (*random.pick(subject.paths)).into();
    }
    if random.percent(10) {
        rule["optionalOldSelf"] = random.percent(70).into();
    }
    rule
}

/// The schema without those fields of `spec` that contain one of these places.
pub(crate) fn without(schema: &Value, places: &[String]) -> Value {
    let mut schema = schema.clone();
    if let Some(fields) = schema["properties"]["spec"]["properties"].as_object_mut() {
        fields.retain(|name, _| {
            let at = format!("properties[spec].properties[{name}]");
            !places.iter().any(|place| {
                place.strip_prefix(&at).is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', '[']))
            })
        });
    }
    schema
}
