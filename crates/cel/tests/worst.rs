//! The work of expressions is limited, and what is cheap for Kubernetes' cost is cheap here.

#![expect(clippy::expect_used, clippy::panic, reason = "a test that cannot go on fails")]

mod expensive;

use cel::{Environment, Limits, Program, Reason};

/// Each of the worst expressions ends at a limit of its cost or its work, or before, and without a panic. The limits are
/// lower than usual, since tests are not optimised.
#[test]
fn the_worst_expressions_end() {
    const LIMITS: Limits = Limits { cost: 5_000, work: 300_000 };
    for row in expensive::rows() {
        row.run(LIMITS, |run| {
            let most = LIMITS.work + 50 * run.cost;
            assert!(run.work <= most, "{}: {} units of work for a cost of {}", row.name, run.work, run.cost);
            let ended = run.outcome.as_ref().is_err_and(|error| error.reason == Reason::CostExceeded);
            assert!(ended || run.cost <= LIMITS.cost, "{}: {}", row.name, run.cost);
        });
    }
}

/// Twice the size, or twice the iterations, is at most little more than twice the work.
#[test]
fn work_grows_with_the_size() {
    // `N` is a number, and `TEXT` and `WIDE` are texts of so many characters.
    for expression in [
        "lists.range(N).all(i, size(TEXT) > 0)",
        "lists.range(N).all(i, size(WIDE) > 0)",
        "lists.range(N).all(i, TEXT.charAt(i) == 'a')",
        "TEXT.split('').size() == N",
        "TEXT.replace('a', 'b').size() == N",
        "TEXT.matches('^(a|b)*$')",
        "TEXT.findAll('a').size() == N",
        "TEXT.findAll('a*').size() == 1",
        "lists.range(N).transformMap(i, v, v).size() == N",
        "lists.range(N).transformList(i, v, v).size() == N",
        "lists.range(N).map(i, i) == lists.range(N)",
        "cel.bind(m, lists.range(N).transformMap(i, v, v), m == m)",
        "lists.range(N).reverse().slice(1, N).size() > 0",
        "'%s'.format([lists.range(N)]).size() > N",
    ] {
        let (once, twice) = (work(expression, 2_000), work(expression, 4_000));
        assert!(twice * 10 <= once * 23, "{expression}: {once} units of work, then {twice}");
    }
    // Each search goes to the end of the text, so the work is quadratic, and counted.
    let far = "TEXT.findAll('a*b|a').size() == N";
    assert!(work(far, 4_000) > 3 * work(far, 2_000));
}

fn work(expression: &str, size: usize) -> u64 {
    let text = |letter: &str| format!("'{}'", letter.repeat(size));
    let expression = expression.replace("TEXT", &text("a")).replace("WIDE", &text("ä")).replace('N', &size.to_string());
    let program = Program::compile(&Environment::device(), &expression).expect("an expression");
    let run = program.run(&[], 1_000_000);
    let value = run.outcome.map(|value| value.as_bool());
    assert_eq!(value, Ok(Some(true)), "{}", &expression[expression.len().saturating_sub(60)..]);
    run.work
}
