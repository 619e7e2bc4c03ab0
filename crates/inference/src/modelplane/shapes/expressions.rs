//! The expressions of earlier shapes, which are about a whole pool, as selectors of devices.

use serde_json::{Value, json};

/// Any GPU: drivers of GPUs are named like `gpu.nvidia.com`.
const GPU: &str = "device.driver.startsWith(\"gpu.\")";
/// The domain of what is said of nodes.
const OF_NODES: &str = "modelplane.ai";

/// The most selectors that a request has.
const MOST: usize = 8;

/// What an expression about a pool becomes.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Requests {
    /// Requests for devices.
    pub(super) devices: Value,
    /// What no device can answer: an expression about the class of the pool, as `self`.
    pub(super) term: Option<String>,
}

/// The requests for `count` devices of which an expression holds. An empty one holds of every GPU.
///
/// # Errors
/// Why it cannot be said of devices or classes.
pub(super) fn requests(expression: &str, count: u64) -> Result<Requests, String> {
    let (mut gpu, mut node, mut class) = (vec![GPU.to_owned()], Vec::new(), Vec::new());
    for term in terms(expression) {
        let Rewritten { of_device, of_class, domains, free } = rewritten(&term)?;
        match (domains.iter().any(|it| it == OF_NODES), domains.iter().any(|it| it != OF_NODES)) {
            _ if free => class.push(of_class),
            (true, true) => class.push(of_class),
            (true, false) => node.push(of_device),
            (false, _) => gpu.push(of_device),
        }
    }
    let selectors = |texts: Vec<String>| texts.iter().map(|text| json!({"cel": text})).collect::<Value>();
    let mut requests = vec![json!({"name": "gpu", "count": count, "selectors": selectors(few(gpu))})];
    if !node.is_empty() {
        node.insert(0, format!("device.driver == \"{OF_NODES}\""));
        requests.push(json!({"name": "node", "count": 1, "selectors": selectors(few(node))}));
    }
    Ok(Requests { devices: requests.into(), term: (!class.is_empty()).then(|| joined(&class)) })
}

/// At most as many texts as a request may have.
fn few(mut texts: Vec<String>) -> Vec<String> {
    if texts.len() > MOST {
        let rest = texts.split_off(1);
        texts.push(joined(&rest));
    }
    texts
}

/// Terms that must all hold.
fn joined(terms: &[String]) -> String {
    match terms {
        [one] => one.clone(),
        _ => terms.iter().map(|term| format!("({term})")).collect::<Vec<_>>().join(" && "),
    }
}

/// The terms that `&&` joins, outside of parentheses and texts. With `||` or `?` there is one term: the others may not count.
fn terms(expression: &str) -> Vec<String> {
    let (mut found, mut term, mut depth, mut quote, mut whole) = (Vec::new(), String::new(), 0_i32, None, false);
    let mut letters = expression.chars().peekable();
    while let Some(letter) = letters.next() {
        match (quote, letter) {
            (Some(_), '\\') => {
                term.push(letter);
                term.extend(letters.next());
                continue;
            }
            (Some(end), _) if letter == end => quote = None,
            (Some(_), _) => {}
            (None, '"' | '\'') => quote = Some(letter),
            (None, '(' | '[' | '{') => depth += 1,
            (None, ')' | ']' | '}') => depth -= 1,
            (None, '|' | '?') if depth == 0 => whole = true,
            (None, '&') if depth == 0 && letters.peek() == Some(&'&') => {
                letters.next();
                found.push(std::mem::take(&mut term));
                continue;
            }
            _ => {}
        }
        term.push(letter);
    }
    found.push(term);
    let found = if whole { vec![expression.to_owned()] } else { found };
    found.iter().map(|term| term.trim().to_owned()).filter(|term| !term.is_empty()).collect()
}

/// A term about a pool, in other words.
#[derive(Default)]
struct Rewritten {
    /// About `device`.
    of_device: String,
    /// About the class of the pool, as `self`.
    of_class: String,
    /// The domains of which it speaks.
    domains: Vec<String>,
    /// Whether it speaks of keys that are no device's.
    free: bool,
}

/// A term about `device`, and about the class.
fn rewritten(term: &str) -> Result<Rewritten, String> {
    let (mut found, mut rest) = (Rewritten::default(), term);
    while !rest.is_empty() {
        let last = found.of_class.chars().next_back();
        let starts = !last.is_some_and(|letter| letter.is_alphanumeric() || letter == '_' || letter == '.');
        let named = |name: &str| {
            let after = rest.strip_prefix(name).filter(|_| starts)?;
            (!after.starts_with(|letter: char| letter.is_alphanumeric() || letter == '_')).then_some(after)
        };
        let both = |found: &mut Rewritten, text: &str| {
            found.of_device.push_str(text);
            found.of_class.push_str(text);
        };
        if let Some(after) = named("capabilities") {
            found.free = true;
            both(&mut found, "self.capabilities");
            rest = after;
            continue;
        }
        let map = ["attributes", "capacity"].into_iter().find(|map| named(map).is_some_and(|it| it.starts_with("[\"")));
        if let Some(map) = map {
            let inside = rest.get(map.len() + 2..).unwrap_or_default();
            let parts = inside.split_once("\"]").and_then(|(key, after)| Some((key, key.split_once('/')?, after)));
            let Some((key, (domain, name), after)) = parts else {
                return Err(format!("a key of {map} must be like `gpu.nvidia.com/memory`, with the domain"));
            };
            found.of_device.push_str(&format!("device.{map}[\"{domain}\"][\"{name}\"]"));
            found.of_class.push_str(&format!("self.{map}[\"{key}\"]"));
            found.domains.push(domain.to_owned());
            // A value said its type.
            let typed = [".string", ".version", ".bool", ".int"].into_iter().find_map(|it| after.strip_prefix(it));
            let ends = |after: &&str| !after.starts_with(|letter: char| letter.is_alphanumeric() || letter == '_');
            rest = typed.filter(ends).filter(|_| map == "attributes").unwrap_or(after);
        } else if let Some(after) = named("version").filter(|after| after.starts_with('(')) {
            both(&mut found, "semver");
            rest = after;
        } else {
            let quote = rest.chars().next().filter(|letter| matches!(letter, '"' | '\''));
            let length = quote.map_or_else(|| rest.chars().next().map_or(1, char::len_utf8), |end| closed(rest, end));
            let (before, after) = rest.split_at(length);
            both(&mut found, before);
            rest = after;
        }
    }
    Ok(found)
}

/// The length of a text with its quotes.
fn closed(rest: &str, end: char) -> usize {
    let mut escaped = false;
    for (at, letter) in rest.char_indices().skip(1) {
        if letter == end && !escaped {
            return at + letter.len_utf8();
        }
        escaped = letter == '\\' && !escaped;
    }
    rest.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn expressions() {
        #[track_caller]
        fn check(expression: &str, gpu: &[&str], node: &[&str]) {
            let requests = requests(expression, 8).expect("requests").devices;
            let texts = |index: usize| -> Vec<String> {
                let selectors = requests[index]["selectors"].as_array().into_iter().flatten().skip(1);
                selectors.map(|it| it["cel"].as_str().unwrap_or_default().to_owned()).collect()
            };
            assert_eq!(
                (texts(0), texts(1)),
                (gpu.iter().map(|it| (*it).to_owned()).collect(), node.iter().map(|it| (*it).to_owned()).collect())
            );
            for selector in requests
                .as_array()
                .into_iter()
                .flatten()
                .flat_map(|it| it["selectors"].as_array().into_iter().flatten())
            {
                let text = selector["cel"].as_str().unwrap_or_default();
                assert!(cel::Selector::compile_tolerant(text).is_ok(), "{text}");
            }
        }
        check("", &[], &[]);
        check(
            r#"capacity["gpu.nvidia.com/memory"].compareTo(quantity("80Gi")) >= 0 && attributes["modelplane.ai/networkInterNode"].string == "infini && band""#,
            &[r#"device.capacity["gpu.nvidia.com"]["memory"].compareTo(quantity("80Gi")) >= 0"#],
            &[r#"device.attributes["modelplane.ai"]["networkInterNode"] == "infini && band""#],
        );
        check(
            r#"attributes["gpu.nvidia.com/cuda"].version.isGreaterThan(version("9.0.0")) || "version(" == 'a\'b'"#,
            &[r#"device.attributes["gpu.nvidia.com"]["cuda"].isGreaterThan(semver("9.0.0")) || "version(" == 'a\'b'"#],
            &[],
        );
        assert!(requests(r#"attributes["plain"].string == "x""#, 1).is_err());
        let many = [r#"attributes["d.e/f"].bool"#; 9].join(" && ");
        check(&many, &[&[r#"(device.attributes["d.e"]["f"])"#; 9].join(" && ")], &[]);
        for odd in ["\"", "((", "a\\", "attributes[\"", "'ü", "&&||", "capacity[\"ä/ö\"]"] {
            let _ = requests(odd, 1);
        }
    }

    /// What no device can answer is asked of the class.
    #[test]
    fn classes() {
        #[track_caller]
        fn check(expression: &str, gpu: usize, term: Option<&str>) {
            let found = requests(expression, 1).expect("requests");
            assert_eq!(found.devices[0]["selectors"].as_array().map(Vec::len), Some(gpu), "{expression}");
            assert_eq!(found.term.as_deref(), term, "{expression}");
        }
        check(r#"attributes["a.b/c"].bool"#, 2, None);
        check(r#"capabilities["gpu.vramGiB"] >= 141"#, 1, Some(r#"self.capabilities["gpu.vramGiB"] >= 141"#));
        check(
            r#"capabilities["a"] == 1 && "fp8" in capabilities["b"] && attributes["a.b/c"].bool"#,
            2,
            Some(r#"(self.capabilities["a"] == 1) && ("fp8" in self.capabilities["b"])"#),
        );
        check(
            r#"attributes["a.b/c"].bool || attributes["modelplane.ai/d"].version == version("1.0.0")"#,
            1,
            Some(r#"self.attributes["a.b/c"] || self.attributes["modelplane.ai/d"] == semver("1.0.0")"#),
        );
        check(r#"device.capabilities == 1"#, 2, None);
    }
}
