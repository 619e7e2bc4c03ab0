//! The script that downloads weights: a repository and a revision become words of a shell.

/// The file that says that everything is downloaded.
const MARKER: &str = "/mnt/artifact/.modelplane-hydrated";

/// What neither the name of a repository nor a revision can have, because git allows it in no reference.
const IMPOSSIBLE: [char; 7] = ['~', '^', ':', '?', '*', '[', '\\'];

/// What a shell takes as it is, besides letters and digits.
const PLAIN: &[u8] = b"@%+=:,./-_";

/// What is wrong with a text, `what` it is meant to be: a repository or a revision. `None` when it may be one.
pub fn impossible(what: &str, text: &str) -> Option<String> {
    let is_odd = |it: char| it.is_control() || it.is_whitespace() || IMPOSSIBLE.contains(&it);
    if text.starts_with('-') {
        Some(format!("the {what} starts with `-`, so the downloader would take it for an option"))
    } else if text.contains(is_odd) {
        Some(format!("the {what} has a blank, a control character or one of `~^:?*[\\`, which none can have"))
    } else {
        None
    }
}

/// The script, as v0.3.1 of Modelplane has it. What a shell would not take as it is, is quoted.
pub fn script(repo: &str, revision: Option<&str>) -> String {
    let repo = word(repo);
    let revision =
        revision.filter(|it| !it.is_empty()).map(|it| format!(" --revision {}", word(it))).unwrap_or_default();
    let steps = [
        "set -e".to_owned(),
        format!("if [ -f {MARKER} ]; then echo 'already hydrated, skipping'; exit 0; fi"),
        "pip install --quiet huggingface_hub".to_owned(),
        format!("hf download {repo}{revision} --local-dir /mnt/artifact"),
        format!("touch {MARKER}"),
    ];
    steps.join("; ")
}

/// A text as one word of a POSIX shell.
fn word(text: &str) -> String {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || PLAIN.contains(&byte);
    if !text.is_empty() && text.bytes().all(plain) {
        return text.to_owned();
    }
    format!("'{}'", text.replace('\'', r#"'"'"'"#))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scripts() {
        #[track_caller]
        fn check(repo: &str, revision: Option<&str>, download: &str) {
            let want = format!(
                "set -e; if [ -f /mnt/artifact/.modelplane-hydrated ]; then echo 'already hydrated, skipping'; exit 0; fi; \
                 pip install --quiet huggingface_hub; hf download {download} --local-dir /mnt/artifact; \
                 touch /mnt/artifact/.modelplane-hydrated"
            );
            assert_eq!(script(repo, revision), want);
        }
        check("Qwen/Qwen3-32B", None, "Qwen/Qwen3-32B");
        check("Qwen/Qwen3-32B", Some(""), "Qwen/Qwen3-32B");
        check("Qwen/Qwen2.5-0.5B", Some("main"), "Qwen/Qwen2.5-0.5B --revision main");
        check("a/b_c", Some("refs/pr/1"), "a/b_c --revision refs/pr/1");
        check("a/b", Some("v1.0+cu128@x=1,2%"), "a/b --revision v1.0+cu128@x=1,2%");
        check("a/b", Some("feature#1"), "a/b --revision 'feature#1'");
        check("a/b", Some("$(id)"), "a/b --revision '$(id)'");
        check("a/b;id", None, "'a/b;id'");
        check("a/b&&id", Some("`id`"), "'a/b&&id' --revision '`id`'");
        check("a/b", Some("it's"), r#"a/b --revision 'it'"'"'s'"#);
        check("a/b", Some("\"x\""), "a/b --revision '\"x\"'");
        check("a/ü", None, "'a/ü'");
    }

    #[test]
    fn what_no_repository_and_no_revision_can_be() {
        #[track_caller]
        fn check(text: &str, want: &str) {
            assert_eq!(impossible("revision", text).unwrap_or_default(), want, "{text:?}");
        }
        for sound in [
            "Qwen/Qwen3-32B",
            "gpt2",
            "main",
            "refs/pr/1",
            "0123abc",
            "v1.0+cu128",
            "it's",
            "$(id)",
            "a;b",
            "ü",
            "a-b",
            "",
        ] {
            check(sound, "");
        }
        for option in ["-", "-x", "--help", "- x"] {
            check(option, "the revision starts with `-`, so the downloader would take it for an option");
        }
        let odd = "the revision has a blank, a control character or one of `~^:?*[\\`, which none can have";
        for text in ["a b", " a", "a ", "a\nb", "a\tb", "\0", "a\u{7f}", "a\u{85}", "a\u{a0}", "a\u{2028}", "a\u{3000}"]
        {
            check(text, odd);
        }
        for character in IMPOSSIBLE {
            check(&format!("a{character}"), odd);
            assert!(odd.contains(character));
        }
    }
}
