//! The expressions that take the most time for their cost. A test checks the work that is counted for them, and the
//! example `worst` prints the time that they take.

use std::sync::LazyLock;

use cel::{Declared, Device, Environment, Limits, Program, Run};
use serde_json::{Value as Json, json};

/// An expression that is evaluated many times over, or over large values.
pub(crate) struct Row {
    pub(crate) name: &'static str,
    pub(crate) expression: String,
    /// Whether it is a rule for [`document`], and not a device selector.
    rule: bool,
}

impl Row {
    /// Compiles the expression, and evaluates it within limits. `then` gets the result.
    ///
    /// # Panics
    /// When it does not compile.
    pub(crate) fn run<T>(&self, limits: Limits, then: impl FnOnce(&Run<'_>) -> T) -> T {
        let compiled = |environment: &Environment| {
            Program::compile(environment, &self.expression).unwrap_or_else(|error| panic!("{}: {error}", self.name))
        };
        if self.rule {
            static DECLARED: LazyLock<Option<Declared>> = LazyLock::new(|| Declared::from_schema(&schema(), false));
            static DOCUMENT: LazyLock<Json> = LazyLock::new(document);
            let declared = DECLARED.as_ref().unwrap_or_else(|| panic!("a type"));
            let value = declared.read(&DOCUMENT).unwrap_or_else(|error| panic!("{error}"));
            then(&compiled(&Environment::rule(declared, false)).run_within(&[("self", value)], limits))
        } else {
            let device = device().value().unwrap_or_else(|error| panic!("{error}"));
            then(&compiled(&Environment::device()).run_within(&[("device", device)], limits))
        }
    }
}

fn device() -> Device {
    let device = json!({
        "driver": "d.io",
        "attributes": {"s": {"string": "x"}, "i": {"int": 1}, "v": {"version": "1.2.3"}},
        "capacity": {"m": {"value": "1Gi"}}
    });
    Device::read(&device).unwrap_or_else(|error| panic!("{error}"))
}

fn schema() -> Json {
    json!({"type": "object", "properties": {
        "ascii": {"type": "string"},
        "noise": {"type": "string"},
        "wide": {"type": "string"},
        "bytes": {"type": "string", "format": "byte"},
        "duration": {"type": "string", "format": "duration"},
        "list": {"type": "array", "items": {"type": "string"}},
        "set": {"type": "array", "x-kubernetes-list-type": "set", "items": {"type": "integer"}},
        "objects": {
            "type": "array", "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["name"],
            "items": {"type": "object", "properties": {"name": {"type": "string"}, "value": {"type": "integer"}}},
        },
        "map": {"type": "object", "additionalProperties": {"type": "integer"}},
    }})
}

/// As large as a request may be, in each of its parts.
fn document() -> Json {
    let map: serde_json::Map<String, Json> = (0..50_000).map(|at| (format!("key-{at:06}"), at.into())).collect();
    json!({
        "ascii": "a".repeat(1_000_000),
        "noise": random(1_000_000),
        "wide": "ä".repeat(500_000),
        "bytes": "aGVs".repeat(250_000),
        "duration": "1s".repeat(500_000),
        "list": vec!["a"; 100_000],
        "set": (0..20_000).collect::<Vec<u32>>(),
        "objects": (0..10_000).map(|at| json!({"name": format!("n{at}"), "value": at})).collect::<Vec<_>>(),
        "map": map,
    })
}

/// All rows.
pub(crate) fn rows() -> Vec<Row> {
    let mut rows = selectors();
    rows.extend(rules());
    rows
}

/// Each has a name and an expression.
fn selectors() -> Vec<Row> {
    let row = |name, expression| Row { name, expression, rule: false };
    let version = format!("1.0.0-{}", "a.".repeat(2_000) + "a");
    vec![
        // Loops of what is cheap.
        row("nothing in a loop", looped("true")),
        row("arithmetic", looped("a + b * 2 - 1 < 1000000")),
        row("comparisons and logic", looped("a < 1 && (b < 1 || a > b) && !(a == b)")),
        row("long logic of constants", looped(&vec!["true"; 800].join(" && "))),
        row("long choices of constants", looped(&format!("{}true", "true ? true : ".repeat(120)))),
        row("membership of constants", looped(&vec!["1 in [0, 1, 2]"; 300].join(" && "))),
        row("a map of constants", looped(&format!("{{{}'z': a}}.size() > 0", keys(400)))),
        row("a list of constants", looped(&format!("[{}a].size() > 0", "0,".repeat(2_000)))),
        row("map", format!("{0}.all(a, {0}.map(b, b).size() > 0)", zeros(600))),
        row("filter", format!("{0}.all(a, {0}.filter(b, true).size() > 0)", zeros(600))),
        row("exists_one", format!("{0}.all(a, !{0}.exists_one(b, true))", zeros(600))),
        row("transformMap", "lists.range(60000).transformMap(i, v, v).size() > 0".to_owned()),
        row(
            "transformMap in another order",
            "lists.range(60000).transformMapEntry(i, v, {-v: v}).size() > 0".to_owned(),
        ),
        row("transformList", "lists.range(60000).transformList(i, v, v).size() > 0".to_owned()),
        row("lists.range", "lists.range(900000).size() > 0".to_owned()),
        row("errors that logic absorbs", looped("1 / a == 1 || true")),
        row("missing keys", looped("{'a': 1}['b'] == 1 || true")),
        row("missing overloads", looped("dyn(a).size() > 1 || true")),
        row("optional values", looped("optional.of(a).or(optional.none()).hasValue() || true")),
        row("attributes of a device", looped("device.attributes['d.io'].s == 'x' || true")),
        row("types", looped("type(a) == type(b)")),
        // Text.
        row("size of text", bound("'ab'", 13, &looped("size(t) > 0"))),
        row("size of wide text", bound("'aä'", 13, &looped("size(t) > 0"))),
        row("charAt", bound("'ab'", 13, &looped("t.charAt(16000) == 'a'"))),
        row("charAt of wide text", bound("'aä'", 13, &looped("t.charAt(16000) == 'a'"))),
        row("charAt of every character", bound("'aä'", 14, "lists.range(30000).all(i, t.charAt(i) != 'b')")),
        row("substring", bound("'ab'", 13, &looped("t.substring(16000).size() > 1 || true"))),
        row("indexOf", bound("'ab'", 14, &looped("t.indexOf('ba', 30000) > 1 || true"))),
        row("indexOf of short text", looped(&vec!["'ab'.indexOf('b') > 0"; 300].join(" && "))),
        row("lastIndexOf", bound("'aä'", 12, &looped("t.lastIndexOf('xx', 3) > 1 || true"))),
        row("contains", bound("'a'", 16, &looped("t.contains('ab') || true"))),
        row("contains, repeated", bound("'a'", 14, &looped("t.contains('aaaaaaaaaaaaaaaaaaaaaaaaaaaaab') || true"))),
        row("startsWith", bound("'a'", 14, &looped("t.startsWith(t)"))),
        row("replace", bound("'a'", 16, &looped("t.replace('a', 'b').size() > 1 || true"))),
        row(
            "replace by longer text",
            format!("'{}'{}.size() > 0", "a".repeat(100), ".replace('', 'aaaaaaaaaaaaaaaa')".repeat(30)),
        ),
        row("split into characters", bound("'aä'", 15, &looped("t.split('').size() > 1"))),
        row(
            "split into characters, kept",
            bound("'aä'", 15, &format!("{}.map(a, t.split('')).size() > 1", zeros(600))),
        ),
        row("split and join", bound("'a,'", 15, &looped("t.split(',').join(';').size() > 1"))),
        row("join of short texts", looped("['a', 'b', 'c'].join().size() > 1")),
        row("upperAscii", bound("'a'", 16, &looped("t.upperAscii().size() > 1"))),
        row("trim", bound("' '", 16, &looped("t.trim().size() == 0"))),
        row("strings.quote", bound("'\"'", 16, &looped("strings.quote(t).size() > 1"))),
        row("equal text", bound("'a'", 17, &looped("t == t + ''"))),
        row("unequal text", bound("'ä'", 17, &looped("t == 'a' || true"))),
        row("order of text", bound("'a'", 17, &looped("t < t"))),
        row(
            "equal text in a list",
            bound(
                "'a'",
                17,
                "[t + 'a', t + 'b', t + 'c'].all(x, lists.range(600).map(i, t + 'd').exists(y, y == x) || true)",
            ),
        ),
        row(
            "text in a list",
            bound(
                "'a'",
                17,
                "cel.bind(l, lists.range(10000).map(i, t), lists.range(90).all(j, !((t.substring(1) + 'b') in l)))",
            ),
        ),
        row("format %s", bound("'a'", 16, &looped("'%s'.format([t]).size() > 1"))),
        row("format of a list", bound("'a'", 16, &looped("'%s'.format([[t, t, t, t, t, t, t, t, t, t]]).size() > 1"))),
        row("format of a large list", bound("'a'", 16, "'%s'.format([lists.range(10000).map(i, t)]).size() > 1")),
        row("format without clauses", bound("'%%'", 13, &looped("t.format([]).size() > 1"))),
        row("format of doubles", looped("'%f %e'.format([1e308, 1e-300]).size() > 1")),
        row("format with a precision", looped("'%.60000f'.format([1.5]).size() > 1")),
        row("format in hexadecimal", bound("'a'", 16, &looped("'%x'.format([t]).size() > 1"))),
        row("string of a double", looped("string(1.5e300 + double(a)) != ''")),
        row("string of bytes", bound("b'a'", 16, &looped("string(t).size() > 1"))),
        row("errors with a long text", bound("'a'", 16, &looped("{'a': 1}[t] == 1 || true"))),
        row("errors that are kept", bound("'a'", 16, &format!("!{}.all(x, {{'a': 1}}[t] == 1) || true", zeros(2_000)))),
        // Conversions, whose cost is 1.
        row("int of a long text", bound("'0'", 16, &looped("int(t) == 0 || true"))),
        row("double of a long text", bound("'7'", 16, &looped("double(t) > 0.0 || true"))),
        row("duration of a long text", bound("'1s'", 15, &looped("duration(t) > duration('1s') || true"))),
        row("timestamp of a long text", bound("'2'", 16, &looped("timestamp(t) > timestamp(0) || true"))),
        row("isURL of a long text", bound("'http://a/'", 12, &looped("isURL(t) || true"))),
        // Regular expressions.
        row("findAll with a far look ahead", bound("'aa'", 13, "t.findAll('a*b|a').size() > 1")),
        row("findAll in a loop", bound("'aa'", 10, &looped("t.findAll('a*b|a').size() > 1"))),
        row("findAll of nothing", bound("'a'", 15, &looped("t.findAll('').size() > 1"))),
        row("findAll of each character", bound("'a'", 16, &looped("t.findAll('a').size() > 1"))),
        row("find", bound("'a'", 16, &looped("t.find('a*b') != 'b'"))),
        row("matches", bound("'a'", 16, &looped("t.matches('(a|b)*c') || true"))),
        row("matches of short text", looped("'abc'.matches('^[a-z]+$')")),
        row("matches with many states", looped(&format!("'{}'.matches('(a|b)*a(a|b){{60}}c') || true", random(2_000)))),
        row(
            "matches with ever new states",
            bound(&format!("'{}'", random(2_000)), 2, &looped("t.matches('(a|b)*a(a|b){12}c(a|b){100}') || true")),
        ),
        row("matches of letters", bound("'äöüß'", 10, &looped("t.matches('^\\\\p{L}+$') || true"))),
        row("patterns that are made", looped("'abc'.matches('^[a-z]+$' + (a > 0 ? 'b' : ''))")),
        row("a large pattern", format!("'{}'.matches('' + '{}')", "x".repeat(1000), "(x{0,900}y{0,900})".repeat(200))),
        // Lists and maps.
        row("concatenation", bound("[1, 2, 3]", 40, "t.size() > 0")),
        row("concatenation in a loop", bound("[1, 2, 3, 4]", 8, &looped("(t + t).size() > 0"))),
        row("nested lists", nested("== ")),
        row("nested lists in a list", nested("in [] || ")),
        row("deep lists, shared", shared(12, "a12 == a12")),
        row("index in deep lists of empty text", shared(12, "a12.indexOf(a11) > 5 || true")),
        row("flatten", shared(12, "a12.flatten(12).size() > 0")),
        row("distinct", "lists.range(600).map(i, i).distinct().size() > 0".to_owned()),
        row("sort of long texts", bound("'a'", 17, &looped("[t + 'b', t + 'a', t].sort().size() > 0 || true"))),
        row(
            "sort of long texts, shared",
            bound("'a'", 16, "cel.bind(l, lists.range(200).map(i, t), lists.range(10).all(j, l.sort().size() > 0))"),
        ),
        row("sortBy", "lists.range(600).sortBy(i, -i).size() > 0".to_owned()),
        row(
            "reverse",
            "lists.range(100000).reverse().reverse().reverse().reverse().reverse().reverse().reverse().size() > 0"
                .to_owned(),
        ),
        row("slice", "cel.bind(l, lists.range(10000), lists.range(80).all(i, l.slice(1, 9000).size() > 0))".to_owned()),
        row("in", "cel.bind(l, lists.range(10000), lists.range(90).all(i, !(10001 in l)))".to_owned()),
        row("sets", "cel.bind(l, lists.range(600), sets.equivalent(l, l))".to_owned()),
        row("min of short texts", bound("['a', 'b', 'c', 'd']", 12, &looped("t.min() == 'a'"))),
        row("isSorted of short texts", bound("['a', 'a', 'a', 'a']", 12, &looped("t.isSorted()"))),
        row("map lookups", format!("cel.bind(m, {{{}'z': 1}}, {})", keys(200), looped("m['k100'] == 100 || true"))),
        row("equal maps", format!("cel.bind(m, {{{}'z': 1}}, {})", keys(200), looped("m == m"))),
        row("first entry of a map", format!("cel.bind(m, {{{}'z': 1}}, {})", keys(400), looped("m.exists(k, true)"))),
        // Opaque types.
        row("quantities that are read", looped("quantity('1.5Gi').isGreaterThan(quantity('100M'))")),
        row("quantities of long texts", bound("'123456789'", 12, &looped("quantity(t + 'Ki').isInteger() || true"))),
        row(
            "long quantities",
            bound("'123456789'", 11, &format!("cel.bind(q, quantity(t), {})", looped("q.compareTo(q) == 0"))),
        ),
        row(
            "long quantities as floats",
            bound("'123456789'", 11, &format!("cel.bind(q, quantity(t), {})", looped("q.asApproximateFloat() > 0.0"))),
        ),
        row("sums of long quantities", format!("quantity('1e90000'){}.isInteger()", ".add(quantity('1'))".repeat(200))),
        row(
            "changed quantities and lists",
            shared(
                11,
                "cel.bind(q, quantity('1e30'), q.add(1).isInteger() || lists.range(1000).all(i, a11 == a11 || true))",
            ),
        ),
        row("versions that are read", looped("semver('1.2.' + '3').major() == 1")),
        row("long versions", format!("cel.bind(v, semver('{version}'), {})", looped("v.compareTo(v) == 0"))),
        row("equal long versions", format!("cel.bind(v, semver('{version}'), {})", looped("v == v"))),
        row("URLs that are read", looped("url('https://example.org:80/path').getHost() != ''")),
        row(
            "parts of a long URL",
            bound("'/a b'", 13, &format!("cel.bind(u, url(t), {})", looped("u.getEscapedPath() != ''"))),
        ),
        row(
            "query of a long URL",
            bound("'a=b&'", 13, &format!("cel.bind(u, url('/?' + t), {})", looped("u.getQuery().size() > 0"))),
        ),
        row("equal URLs", bound("'/a b'", 13, &format!("cel.bind(u, url(t), {})", looped("u == u")))),
        row("IP addresses", looped("ip('2001:db8::1').isGlobalUnicast() && isIP('10.0.0.1')")),
        row("malformed IP addresses", bound("'1:'", 15, &looped("isIP(t) || true"))),
        row(
            "networks",
            looped("cidr('10.0.0.0/8').containsIP('10.1.2.3') && cidr('10.0.0.0/8').containsCIDR('10.0.0.0/16')"),
        ),
        row("named formats", looped("!format.dns1123Subdomain().validate('example.org').hasValue()")),
        row(
            "long texts in a named format",
            bound("'a.'", 15, &looped("format.qualifiedName().validate(t).hasValue()")),
        ),
        row(
            "timestamps",
            looped("timestamp('2026-01-31T12:00:00Z') + duration('1h') > timestamp('2026-01-31T12:00:00.5+02:00')"),
        ),
        row("parts of timestamps", looped("timestamp('2026-01-31T12:00:00Z').getDayOfYear('+02:00') == 30")),
    ]
}

fn rules() -> Vec<Row> {
    let row = |name, expression: &str| Row { name, expression: expression.to_owned(), rule: true };
    vec![
        row("rule: size of a long text", &looped("self.ascii.size() > 0")),
        row("rule: size of a long wide text", &looped("self.wide.size() > 0")),
        row("rule: charAt of a long text", &looped("self.ascii.charAt(900000) == 'a'")),
        row("rule: charAt of a long wide text", &looped("self.wide.charAt(400000) == 'b' || true")),
        row("rule: substring of a long wide text", "lists.range(9).all(i, self.wide.substring(i + 1).size() > 0)"),
        row("rule: unequal long text", &looped("self.wide == 'b' || true")),
        row("rule: long bytes", &looped("self.bytes.size() > 0")),
        row("rule: long duration", &looped("self.duration > duration('1s')")),
        row("rule: all elements", "self.list.all(x, x == 'a')"),
        row("rule: first element", &looped("self.list.exists(x, true)")),
        row("rule: first entry of a map", &looped("self.map.exists(k, true)")),
        row("rule: all entries of a map", "self.map.all(k, self.map[k] >= 0)"),
        row("rule: equal maps", "lists.range(30).all(i, self.map == self.map)"),
        row("rule: equal sets", "lists.range(30).all(i, self.set == self.set)"),
        row("rule: sum of sets", "lists.range(30).all(i, (self.set + self.set).size() > 0)"),
        row("rule: equal lists of objects", "lists.range(30).all(i, self.objects == self.objects)"),
        row("rule: sum of lists of objects", "(self.objects + self.objects).size() > 0"),
        row("rule: all pairs of objects", "self.objects.all(x, self.objects.exists_one(y, x.name == y.name))"),
        row("rule: in", "self.objects.all(x, !(x.name in self.list))"),
        row("rule: findAll", "self.ascii.findAll('a*b|a').size() > 1"),
        row("rule: findAll with ever new states", "self.noise.findAll('a(a|b){16}a').size() > 1"),
        row("rule: matches with ever new states", "self.noise.matches('(a|b)*a(a|b){16}c')"),
        row("rule: matches of any letters", "self.noise.matches('^\\\\p{L}*$')"),
        row("rule: split", "self.wide.split('').size() > 1"),
        row("rule: sort", "self.list.sort().size() > 1 || true"),
        row("rule: sum of integers", "lists.range(40).all(i, self.set.sum() > 0 && self.set.max() > 0)"),
    ]
}

/// 360,000 iterations, which cost at least 3 each.
fn looped(body: &str) -> String {
    format!("{0}.all(a, {0}.all(b, {body}))", zeros(600))
}

fn zeros(count: usize) -> String {
    format!("[{}]", vec!["0"; count].join(","))
}

/// Entries of a map literal, each with a comma.
fn keys(count: usize) -> String {
    (0..count).map(|at| format!("'k{at}': {at}, ")).collect()
}

/// The same letters `a` and `b` each time, in no order.
fn random(length: usize) -> String {
    let next = |state: &mut u64| {
        *state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        Some(if *state >> 63 == 0 { 'a' } else { 'b' })
    };
    std::iter::repeat_n((), length).scan(7, |state, ()| next(state)).collect()
}

/// `body` with `t` for `start` plus itself, doubled so many times.
fn bound(start: &str, times: usize, body: &str) -> String {
    let bindings: String = (0..times).map(|at| format!("cel.bind(a{}, a{at} + a{at}, ", at + 1)).collect();
    format!("cel.bind(a0, {start}, {bindings}cel.bind(t, a{times}, {body}){}", ")".repeat(times + 1))
}

/// `body` with `a0`, `a1` and so on: lists of ten times the one before, all shared.
fn shared(levels: usize, body: &str) -> String {
    let tenfold = |at: usize| vec![format!("a{at}"); 10].join(", ");
    let bindings: String = (0..levels).map(|at| format!("cel.bind(a{}, [{}], ", at + 1, tenfold(at))).collect();
    format!("cel.bind(a0, [''], {bindings}{body}{}", ")".repeat(levels + 1))
}

fn nested(operator: &str) -> String {
    let list = format!("[{}]", vec!["[1, 1, 1, 1, 1, 1, 1, 1]"; 100].join(", "));
    let compared =
        if operator.starts_with("in") { format!("({list} in [{list}])") } else { format!("{list} == {list}") };
    format!("{list}.all(x, {list}.all(y, {compared}))")
}
