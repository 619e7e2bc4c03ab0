//! The expressions of earlier shapes, which are about a whole pool, as selectors of devices.

use serde_json::{Value, json};

/// Any GPU: drivers of GPUs are named like `gpu.nvidia.com`.
const GPU: &str = "device.driver.startsWith(\"gpu.\")";
/// The domain of what is said of nodes.
const OF_NODES: &str = "modelplane.ai";

/// The requests for `count` devices of which an expression holds. An empty one holds of every GPU.
///
/// # Errors
/// Why it cannot be said of devices.
pub(super) fn requests(expression: &str, count: u64) -> Result<Value, String> {
    let (mut gpu, mut node) = (vec![GPU.to_owned()], Vec::new());
    for term in terms(expression) {
        let (term, domains) = rewritten(&term)?;
        match (domains.iter().any(|it| it == OF_NODES), domains.iter().any(|it| it != OF_NODES)) {
            (true, true) => {
                return Err(
                    "one term is about both nodes and devices; say it in two terms, joined with `&&`".to_owned()
                );
            }
            (true, false) => node.push(term),
            (false, _) => gpu.push(term),
        }
    }
    let selectors = |texts: &[String]| texts.iter().map(|text| json!({"cel": text})).collect::<Value>();
    let mut requests = vec![json!({"name": "gpu", "count": count, "selectors": selectors(&gpu)})];
    if !node.is_empty() {
        node.insert(0, format!("device.driver == \"{OF_NODES}\""));
        requests.push(json!({"name": "node", "count": 1, "selectors": selectors(&node)}));
    }
    Ok(requests.into())
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

/// A term about `device`, and the domains of which it speaks.
fn rewritten(term: &str) -> Result<(String, Vec<String>), String> {
    let (mut text, mut domains, mut rest) = (String::new(), Vec::new(), term);
    while !rest.is_empty() {
        let starts = !text.ends_with(|letter: char| letter.is_alphanumeric() || letter == '_' || letter == '.');
        if starts && rest.starts_with("capabilities") {
            return Err("`capabilities` cannot be said of devices; select them with nodeSelector.devices".to_owned());
        }
        let map = ["attributes", "capacity"].into_iter().find(|map| starts && rest.starts_with(&format!("{map}[\"")));
        if let Some(map) = map {
            let inside = rest.get(map.len() + 2..).unwrap_or_default();
            let parts = inside.split_once("\"]").and_then(|(key, after)| Some((key.split_once('/')?, after)));
            let Some(((domain, name), after)) = parts else {
                return Err(format!("a key of {map} must be like `gpu.nvidia.com/memory`, with the domain"));
            };
            text.push_str(&format!("device.{map}[\"{domain}\"][\"{name}\"]"));
            domains.push(domain.to_owned());
            // A value said its type.
            let typed = [".string", ".version", ".bool", ".int"].into_iter().find_map(|it| after.strip_prefix(it));
            let ends = |after: &&str| !after.starts_with(|letter: char| letter.is_alphanumeric() || letter == '_');
            rest = typed.filter(ends).filter(|_| map == "attributes").unwrap_or(after);
        } else if let Some(after) = rest.strip_prefix("version(").filter(|_| starts) {
            text.push_str("semver(");
            rest = after;
        } else {
            let quote = rest.chars().next().filter(|letter| matches!(letter, '"' | '\''));
            let length = quote.map_or_else(|| rest.chars().next().map_or(1, char::len_utf8), |end| closed(rest, end));
            let (before, after) = rest.split_at(length);
            text.push_str(before);
            rest = after;
        }
    }
    Ok((text, domains))
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
            let requests = requests(expression, 8).expect("requests");
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
        for refused in [
            r#"capabilities["gpu.vramGiB"] >= 141"#,
            r#"attributes["plain"].string == "x""#,
            r#"attributes["a.b/c"].bool || attributes["modelplane.ai/d"].bool"#,
        ] {
            assert!(requests(refused, 1).is_err(), "{refused}");
        }
        for odd in ["\"", "((", "a\\", "attributes[\"", "'ü", "&&||", "capacity[\"ä/ö\"]"] {
            let _ = requests(odd, 1);
        }
    }
}
