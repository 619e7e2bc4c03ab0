//! The selectors that are compared.

use std::collections::BTreeSet;

use anyhow::{Context as _, Result};
use cel::device::MOST_BYTES;
use serde_json::Value;

use crate::made_up::Random;

const VECTORS: &str = include_str!("../../../crates/cel/tests/devices.json");
const MADE_UP: usize = 8_000;
const MALFORMED: usize = 2_000;
const COSTLY: usize = 1_500;

/// All selectors, each once, grouped by the way they are made.
pub(crate) fn all(random: &mut Random) -> Result<Vec<(&'static str, Vec<String>)>> {
    let vectors: Value = serde_json::from_str(VECTORS)?;
    let cases = vectors["cases"].as_array().context("no cases")?;
    // `includes` is new in Kubernetes 1.36, which the vectors cover too.
    let known = cases.iter().filter_map(|case| case["expr"].as_str()).filter(|text| !text.contains("includes"));
    let known: Vec<&str> = known.collect();
    let short: Vec<(&str, usize)> =
        known.iter().filter(|text| (1..200).contains(&text.trim().len())).map(|text| (*text, 0)).collect();
    let mut seen = BTreeSet::new();
    let mut once = |texts: Vec<String>| texts.into_iter().filter(|text| seen.insert(text.clone())).collect();
    Ok(vec![
        ("known", once(known.iter().map(|text| (*text).to_owned()).collect())),
        ("made up", once((0..MADE_UP).map(|_| random.expression(&short).0).collect())),
        ("malformed", once((0..MALFORMED).map(|_| malformed(random, &short)).collect())),
        ("long", once(long(&short))),
        ("costly", once((0..COSTLY).map(|_| costly(random)).collect())),
    ])
}

/// A known selector from which a part is removed, or into which a part is inserted that does not belong there.
fn malformed(random: &mut Random, known: &[(&str, usize)]) -> String {
    const STRANGE: &[&str] = &[
        "\t",
        "\n",
        "\r",
        "\0",
        "\u{7f}",
        "é",
        "世",
        "🛩",
        "\u{feff}",
        "\"",
        "'",
        "'''",
        "\\",
        "\\q",
        "\\u12",
        "`",
        "$",
        "#",
        "@",
        ";",
        "//",
        "r'",
        "b\"",
        "=",
        "&",
        "|",
        "..",
        "?.",
        "[?",
        "{",
        "}",
        "(",
        ")",
        "[",
        "]",
        ",",
        "0x",
        "1e",
        "1.",
        ".5",
        "08",
        "9223372036854775808",
        "1u",
        "-",
        "!",
        "in",
        "null",
        "if",
        "while",
        "_",
        "__result__",
        "@result",
        "true.",
        "  ",
        "timestamp",
        "kubernetes.DRADevice",
        ".allowed()",
        ".check('x')",
        "dyn(1).path('/')",
    ];
    let mut characters: Vec<char> = random.pick(known).0.chars().collect();
    for _ in 0..=random.next(2) {
        let at = random.next(characters.len() + 1);
        let end = (at + random.next(8)).min(characters.len());
        let strange = if random.next(3) > 0 { random.pick(STRANGE) } else { "" };
        characters.splice(at..if random.next(2) > 0 { at } else { end }, strange.chars());
    }
    characters.into_iter().collect()
}

/// Selectors whose length is near the limit in bytes.
fn long(known: &[(&str, usize)]) -> Vec<String> {
    let sizes = [MOST_BYTES - 1, MOST_BYTES, MOST_BYTES + 1, 2 * MOST_BYTES];
    let mut texts = Vec::new();
    for size in sizes {
        for filling in ["a", "é", "世"] {
            let text = format!("device.driver != '{}'", filling.repeat((size - 19) / filling.len()));
            texts.push(format!("{text}{}", " ".repeat(size - text.len())));
        }
        texts.push(format!("true{}", " ".repeat(size - 4)));
        texts.push(format!("true{}", " || true".repeat((size - 4) / 8)));
        texts.push(format!("{}nope", "nope || ".repeat((size - 4) / 8)));
        texts.push(format!("1 +{} 1", "\n".repeat(size - 5)));
        texts.push("(".repeat(size));
        texts.push("!".repeat(size));
        texts.push(format!("1{}", " + 1".repeat((size - 1) / 4)));
        texts.push("$".repeat(size));
    }
    for (text, _) in known.iter().step_by(40) {
        let mut all = format!("({text})");
        while all.len() + text.len() + 6 <= MOST_BYTES {
            all.push_str(&format!(" && ({text})"));
        }
        texts.push(all);
    }
    texts
}

/// Nested loops. Some of them cost more than is allowed.
fn costly(random: &mut Random) -> String {
    const RANGES: &[&str] = &[
        "device.attributes",
        "device.capacity",
        "device.attributes['d.io']",
        "device.capacity['d.io']",
        "[1, 2, 3]",
        "['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h']",
        "lists.range(10)",
        "device.driver.split('.')",
        "device.attributes['d.io'].map(k, k)",
        "device.capacity.map(k, device.capacity[k].size())",
        "{'a': 1, 'b': 2}",
    ];
    const LOOPS: &[&str] = &[
        "R.all(V, B)",
        "R.exists(V, B)",
        "R.exists_one(V, B)",
        "R.filter(V, B).size() > 0",
        "R.map(V, B).exists(x, x)",
        "R.all(V, v, B)",
        "R.exists(V, v, B)",
        "R.transformList(V, v, B).all(x, x)",
        "cel.bind(V, R, V.all(x, B))",
    ];
    const BODIES: &[&str] = &[
        "true",
        "a != b",
        "a == 'x'",
        "device.driver.matches('^[a-z]+(\\\\.[a-z]+)*$')",
        "device.driver.contains('gpu')",
        "device.driver == 'd.io'",
        "device.attributes['d.io'].model.matches('H100|H200')",
        "device.attributes['d.io'].model == device.driver",
        "device.capacity['d.io'].memory.isGreaterThan(quantity('1Gi'))",
        "device.capacity['d.io'].memory == quantity('40Gi')",
        "(device.driver + device.driver).replace('a', 'bb').size() > 3",
        "device.attributes['d.io'].version.isGreaterThan(semver('1.0.0'))",
        "semver(device.driver).major() > 1",
        "quantity(device.driver).sign() == 1",
        "isIP(device.driver)",
        "url(device.driver).getHost() == 'a'",
        "device.driver.upperAscii().lowerAscii() == device.driver",
        "[device.driver, device.driver].join('-').size() > 10",
        "device.attributes['d.io'].list in ['a', 'b']",
        "sets.intersects([a], [b])",
        "'%s-%d'.format([device.driver, 3]) == 'x'",
        "nope > 1",
    ];
    const NAMES: &[&str] = &["a", "b", "c", "d", "e"];
    let depth = random.next(NAMES.len() + 1);
    let mut text = random.pick(BODIES).to_owned();
    if random.next(3) == 0 {
        text = format!("{text} && {}", random.pick(BODIES));
    }
    for name in NAMES[..depth].iter().rev() {
        let shape = random.pick(LOOPS).replace('R', random.pick(RANGES)).replace('V', name);
        text = shape.replace('B', &text);
    }
    text
}
