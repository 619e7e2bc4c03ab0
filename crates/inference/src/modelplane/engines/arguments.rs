//! The arguments of engines.

/// The value of the first argument with one of these names: the argument after it, or what follows `=`.
pub fn first_of<'a>(arguments: &[&'a str], names: &[&str]) -> Option<&'a str> {
    arguments.iter().enumerate().find_map(|(at, argument)| {
        let after = |name: &&str| argument.strip_prefix(*name)?.strip_prefix('=');
        if names.contains(argument) { arguments.get(at + 1).copied() } else { names.iter().find_map(after) }
    })
}

/// The subcommand of vLLM that serves a model.
const SERVE: &str = "serve";

/// The place of the model among arguments that name it by its position, as in `vllm serve MODEL`: right after the subcommand, or
/// first of all where the command of the image has the subcommand. vLLM itself looks nowhere else before it has read all options.
/// `command` is that of the container, empty for that of the image.
pub fn position_of_model(command: &[&str], arguments: &[&str]) -> Option<usize> {
    let of_subcommand = arguments.iter().position(|argument| *argument == SERVE);
    let follows = command.is_empty() || command.last() == Some(&SERVE);
    let at = if follows && !starts_program(arguments) { 0 } else { of_subcommand? + 1 };
    arguments.get(at).filter(|argument| !argument.starts_with('-')).map(|_| at)
}

/// Whether arguments begin with vLLM's command or its subcommand, though the command of the image has both perhaps.
fn starts_program(arguments: &[&str]) -> bool {
    let program = |argument: &&str| argument.rsplit('/').next() == Some("vllm");
    arguments.first().is_some_and(|first| *first == SERVE || program(first) && arguments.get(1) == Some(&SERVE))
}

/// The decimal integer that a text has, as v0.3.1 reads it: blanks around it, a sign, leading zeros, and `_` between digits
/// are allowed.
pub fn integer(text: &str) -> Option<i64> {
    let text = text.trim();
    let digits = text.strip_prefix(['+', '-']).unwrap_or(text);
    let is_number = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
    if digits.split('_').all(is_number) { text.replace('_', "").parse().ok() } else { None }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_of_arguments() {
        #[track_caller]
        fn check(arguments: &[&str], want: Option<&str>) {
            assert_eq!(first_of(arguments, &["--block-size", "--page-size"]), want);
        }
        check(&[], None);
        check(&["--model=a", "--block-size", "32"], Some("32"));
        check(&["--page-size=64", "--block-size=32"], Some("64"));
        check(&["--block-size", "--page-size=64"], Some("--page-size=64"));
        check(&["--block-sizes=8", "--block-size="], Some(""));
        check(&["--model", "a", "--block-size"], None);
    }

    #[test]
    fn models_by_position() {
        #[track_caller]
        fn check(command: &[&str], arguments: &[&str], want: Option<&str>) {
            let found = position_of_model(command, arguments).and_then(|at| arguments.get(at).copied());
            assert_eq!(found, want, "{command:?} {arguments:?}");
        }
        check(&[], &["org/a"], Some("org/a"));
        check(&[], &["org/a", "--port", "8000"], Some("org/a"));
        check(&[], &["vllm", "serve", "org/a", "--port=8000"], Some("org/a"));
        check(&[], &["/usr/bin/vllm", "serve", "org/a"], Some("org/a"));
        check(&[], &["serve", "org/a"], Some("org/a"));
        check(&["vllm", "serve"], &["org/a", "-q"], Some("org/a"));
        check(&["vllm"], &["serve", "org/a"], Some("org/a"));
        // A model may have this name.
        check(&["vllm", "serve"], &["vllm"], Some("vllm"));
        // The value of an option is no position, and neither is what another program is given.
        check(&[], &["--port", "8000"], None);
        check(&["vllm", "serve"], &["--config", "/etc/vllm.yaml"], None);
        check(&["vllm"], &["bench", "org/a"], None);
        check(&["/bin/sh", "-c"], &["vllm serve org/a"], None);
        check(&["python3", "-m", "sglang.launch_server"], &["org/a"], None);
        check(&["vllm", "serve"], &[], None);
        check(&["vllm"], &["serve"], None);
    }

    #[test]
    fn integers() {
        #[track_caller]
        fn check(text: &str, want: Option<i64>) {
            assert_eq!(integer(text), want, "{text:?}");
        }
        check("8001", Some(8001));
        check(" 3 ", Some(3));
        check("1_0", Some(10));
        check("-1", Some(-1));
        check("+07", Some(7));
        for text in ["", " ", "_1", "1_", "1__0", "1.0", "- 1", "+-1", "0x10", "a", "99999999999999999999"] {
            check(text, None);
        }
    }
}
