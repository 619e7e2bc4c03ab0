//! The arguments of engines.

/// The value of the first argument with one of these names: the argument after it, or what follows `=`.
pub fn first_of<'a>(arguments: &[&'a str], names: &[&str]) -> Option<&'a str> {
    arguments.iter().enumerate().find_map(|(at, argument)| {
        let after = |name: &&str| argument.strip_prefix(*name)?.strip_prefix('=');
        if names.contains(argument) { arguments.get(at + 1).copied() } else { names.iter().find_map(after) }
    })
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
