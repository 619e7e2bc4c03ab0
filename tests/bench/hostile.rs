//! Selectors that are written to take as much time as possible. Each is as long as the API server accepts.

use std::hint::black_box;
use std::time::Duration;

use cel::device::{BUDGET, MOST_BYTES};
use cel::{Device, Selector};
use host::engine::{Engine, Settings};
use host::wit::expressions::{Request, Subject, Trial};

use crate::clock::{in_turns, micros};
use crate::expressions::device;
use crate::report::{Bound, Report};

const ROUNDS: usize = 3;

pub(crate) fn measure(report: &mut Report) {
    let settings = Settings { deadline: Duration::from_secs(60), ..Settings::default() };
    let engine = Engine::load(&settings, false, &[] as &[&str]).expect("an engine");
    let (json, read) = (device(0).to_string(), Device::read(&device(0)).expect("a device"));
    let mut slowest = [("", 0.0), ("", 0.0)];
    for (what, text) in selectors() {
        assert!(text.len() <= MOST_BYTES, "{what}: {} bytes", text.len());
        let trial = Trial { expression: text.clone(), subject: 0 };
        let request = Request { subjects: vec![Subject::Device(json.clone())], trials: vec![trial] };
        let natively = || match Selector::compile(&text) {
            Ok(selector) => drop(black_box(selector.matches(&read, BUDGET))),
            Err(error) => drop(black_box(error.to_string())),
        };
        let inside = || drop(black_box(engine.evaluate(&request)));
        let rounds = in_turns(ROUNDS, [&mut || micros(1, natively) / 1e3, &mut || micros(1, inside) / 1e3]);
        let times = rounds.map(|rounds| rounds.median());
        eprintln!("  {what}: {:.1} ms natively, {:.1} ms in the component", times[0], times[1]);
        for (slowest, time) in slowest.iter_mut().zip(times) {
            if time > slowest.1 {
                *slowest = (what, time);
            }
        }
    }
    let [(natively, native_time), (inside, inside_time)] = slowest;
    eprintln!("slowest of the hostile: {natively} natively, {inside} in the component");
    report.add("the slowest hostile selector, natively", native_time, "ms", Bound::Most(150.0));
    report.add("the slowest hostile selector, in the component", inside_time, "ms", Bound::Most(150.0));
}

/// The selectors, each with what it does.
pub(crate) fn selectors() -> Vec<(&'static str, String)> {
    let doubled = |start: &str, end: &str| {
        let bindings: String = (0..40).map(|at| format!("cel.bind(a{}, a{at} + a{at}, ", at + 1)).collect();
        format!("cel.bind(a0, {start}, {bindings}{end}{}", ")".repeat(41))
    };
    let lists = format!("[{}]", vec!["[1, 1, 1, 1, 1, 1, 1, 1]"; 90].join(", "));
    let ten = "[0, 1, 2, 3, 4, 5, 6, 7, 8, 9]";
    let maps =
        ["a", "b", "c", "d", "e"].iter().fold(String::from("0"), |body, name| format!("{ten}.map({name}, {body})"));
    let text = "x".repeat(1000);
    vec![
        ("lists that double", doubled("[1, 2, 3]", "a40.size() > 0")),
        ("texts that double", doubled("'abcdefgh'", "a40.contains('x')")),
        ("lists of lists compared", format!("{lists}.all(x, {lists}.all(y, {lists} == {lists}))")),
        ("a range of 10¹²", "lists.range(1000000000000).size() > 0".to_owned()),
        ("loops in loops", format!("{maps}.size() == 10")),
        ("optionals in optionals", chain("optional.of(1)", ".optMap(x, x)", ".hasValue()")),
        ("sums of 90,000 digits", chain("quantity('1e90000')", ".add(quantity('1'))", ".isInteger()")),
        ("replacing nothing", chain("'aaaaaaaa'", ".replace('', 'aaaaaaaaaaaaaaaa')", ".size() > 0")),
        ("one huge pattern", chain(&format!("'{text}'.matches('"), "(x{0,900}y{0,900})", "')")),
        ("many large patterns", chain("false", " || 'xxxxxxxx'.matches('(x{0,900}y{0,900}){0,1}z')", "")),
        ("parentheses", nest("(", "true", ")")),
        ("negations", chain("", "!", "true")),
        ("loops of one, nested", nest("[1].all(a, ", "true", ")")),
        ("choices", chain("", "device.driver == 'a' ? true : ", "false")),
        ("alternatives", chain("false", " || device.driver == 'a'", "")),
        ("a long list", chain("device.driver in ['a'", ", 'a'", "]")),
        ("lists in lists", nest("[", "1", "]") + ".size() == 1"),
        ("unknown names", chain("a", "+a", "")),
        ("type errors", chain("true", "&&1", "")),
        ("an unfinished text", chain("", "(1+", "")),
    ]
}

/// A selector with as many pieces between head and tail as fit.
fn chain(head: &str, piece: &str, tail: &str) -> String {
    let count = (MOST_BYTES - head.len() - tail.len()) / piece.len();
    format!("{head}{}{tail}", piece.repeat(count))
}

/// A selector with as many nested levels as fit, and with some room after them.
fn nest(open: &str, middle: &str, close: &str) -> String {
    let count = (MOST_BYTES - middle.len() - 32) / (open.len() + close.len());
    format!("{}{middle}{}", open.repeat(count), close.repeat(count))
}
