//! DNS labels of texts that need not be any, as names of Services.

/// A text as a DNS-1035 label of any length: a Service may be named so.
pub fn label(text: &str) -> String {
    let mut label = String::new();
    for character in text.chars() {
        match character {
            'a'..='z' | '0'..='9' => label.push(character),
            'A'..='Z' => label.push(character.to_ascii_lowercase()),
            '.' | '_' | '-' if !label.is_empty() && !label.ends_with('-') => label.push('-'),
            _ => {}
        }
    }
    let label = label.trim_end_matches('-');
    match label.chars().next() {
        None => "modelservice".to_owned(),
        Some('0'..='9') => format!("m-{label}"),
        Some(_) => label.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels() {
        #[track_caller]
        fn check(text: &str, want: &str) {
            assert_eq!(label(text), want);
        }
        check("qwen3", "qwen3");
        check("qwen3-0.6b-fp8-dynamic", "qwen3-0-6b-fp8-dynamic");
        check("MyModel_1.0", "mymodel-1-0");
        check("0.6b", "m-0-6b");
        check("a..b__c", "a-b-c");
        check("--x--", "x");
        check("org/model", "orgmodel");
        check("a-/-b", "a-b");
        check("", "modelservice");
        check("...", "modelservice");
        check("模型", "modelservice");
    }
}
