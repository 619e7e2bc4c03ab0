//! Templates of names: in them `{n}` is the name of a composite, and `{e}` that of an element of it.

/// The text of a template.
pub fn filled(template: &str, name: &str, element: &str) -> String {
    let mut text = String::with_capacity(template.len() + name.len() + element.len());
    let mut rest = template;
    while let Some((before, after)) = rest.split_once('{') {
        text.push_str(before);
        let known = [("n}", name), ("e}", element)].into_iter();
        match known.filter_map(|(mark, with)| Some((after.strip_prefix(mark)?, with))).next() {
            Some((after, with)) => {
                text.push_str(with);
                rest = after;
            }
            None => {
                text.push('{');
                rest = after;
            }
        }
    }
    text.push_str(rest);
    text
}

/// Whether a text may be that of a template, for the composite with this name: up to the element, after which anything may follow.
pub fn may_be(template: &str, name: &str, text: &str) -> bool {
    let start = template.split_once("{e}").map(|(start, _)| start);
    let mut rest = Some(text);
    for (at, literal) in start.unwrap_or(template).split("{n}").enumerate() {
        let named = if at == 0 { rest } else { rest.and_then(|rest| rest.strip_prefix(name)) };
        rest = named.and_then(|rest| rest.strip_prefix(literal));
    }
    rest.is_some_and(|rest| start.is_some() || rest.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts() {
        for (template, want) in [
            ("", ""),
            ("network", "network"),
            ("{n}-{e}", "gpu-zone-a"),
            ("a-{n}", "a-gpu"),
            ("{e}{n}{n}", "zone-agpugpu"),
            ("{x}-{n", "{x}-{n"),
            ("{{n}", "{gpu"),
        ] {
            assert_eq!(filled(template, "gpu", "zone-a"), want, "{template}");
            assert!(may_be(template, "gpu", want), "{template}");
        }
    }

    #[test]
    fn others() {
        for (template, text) in [
            ("network", "network-b"),
            ("network", "net"),
            ("{n}-a", "gpu-b"),
            ("{n}-a", "other-a"),
            ("{n}-a", "gpu-a-b"),
            ("{n}-a-{e}", "gpu-a"),
            ("{n}{n}", "gpu"),
        ] {
            assert!(!may_be(template, "gpu", text), "{template} {text}");
        }
        assert!(may_be("{n}-a-{e}", "gpu", "gpu-a-anything"));
    }
}
