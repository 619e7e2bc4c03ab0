//! Figures in documents are those of the last recorded measurement, `tests/bench/baseline.json`.
//!
//! A document has them in two ways, and `make generate` writes both:
//!
//! - In a sentence a figure is a link to the baseline whose title names the measurement. `[4.7 ms][read]` reads as
//!   it is meant, and the end of the document says what it is: `[read]: tests/bench/baseline.json "1 MB of state"`.
//! - A table stands between two comments, and [`TABLES`] has its rows.

use std::fs;
use std::path::Path;

use tests::baseline::{self, Baseline, Figure};
use tests::documents::{self, Document, Link};
use tests::files::{bless, workspace};

use crate::none_wrong;

const BASELINE: &str = "tests/bench/baseline.json";
const BEGIN: &str = "<!-- figures of tests/bench/baseline.json: `make generate` writes them -->\n";
const END: &str = "<!-- end -->";
/// What every comment says before something that is generated.
const GENERATED: &str = "`make generate` writes";

/// What was measured, and the words for people.
type Row = (&'static str, &'static str);

/// What is shown where.
const TABLES: &[(&str, &[Row])] = &[
    (
        "docs/function.md",
        &[
            ("process start to first answer", "from start to first answer"),
            ("RunFunction calls a second, LLMInference", "calls a second, each composing an `LLMInference`"),
            ("4 MB of state, from the wire and back to it", "time of a call, for each MB of what exists"),
            ("resident memory, idle", "memory, idle"),
            ("resident memory, after 2 MB of state", "memory, after calls with 2 MB of what exists"),
            ("resident memory, after 10 MB of state", "memory, after calls with 10 MB of what exists"),
        ],
    ),
    (
        "docs/admission.md",
        &[
            ("reviews a second over TLS, without lookups", "reviews a second, of one replica with `--no-lookups`"),
            (
                "reviews a second over TLS, beside 100 composites",
                "reviews a second, of one that looks up whether 100 other composites are in the way",
            ),
            (
                "reviews a second over TLS, allowed at once",
                "reviews a second, of a server that allows everything without a look",
            ),
            ("reviews without lookups, 99 of 100 within", "99 of 100 reviews without lookups are answered within"),
            ("reviews beside 100 composites, 99 of 100 within", "99 of 100 reviews with lookups are answered within"),
            ("resident memory of admission, loaded", "memory under that load"),
            ("50 reviews at once, beside 20,000 composites", "reviews a second among 20,000 composites, 50 at once"),
            ("reviews beside 20,000 composites / beside one", "the same, over those beside one other composite"),
            ("50 reviews at once, 99 of 100 within", "99 of 100 of them are answered within"),
            ("resident memory of admission, 20,000 composites", "memory among 20,000 composites"),
            ("a create without webhooks", "a create, without webhooks"),
            ("  what allowing at once adds to it", "what a webhook that allows everything adds to it"),
            ("  what judging adds to that, without lookups", "what judging adds to that, without lookups"),
        ],
    ),
    (
        "docs/security.md",
        &[
            ("the worst text, 1 MB", "YAML that is hard to read: time"),
            ("  memory of the worst text, 1 MB", "memory of the process"),
            ("the worst documents, 1 MB", "documents that are hard to check or to render: time"),
            ("  memory of the worst documents, 1 MB", "memory of the process"),
            ("the worst request, 1 MB", "request of Crossplane, or review: time"),
            ("  memory of the worst request, 1 MB", "memory of the server"),
            ("the worst selector", "CEL expression, of the length that Kubernetes allows: time"),
            ("  memory of the worst selector", "memory of the process"),
            ("the worst definition, 1 MB", "schema given to `check`: time"),
            ("  memory of the worst definition, 1 MB", "memory of the process"),
            ("the worst component, 1 MB", "component given as a module: time"),
            ("  memory of the worst component, 1 MB", "memory of the process"),
            (
                "memory of the function, kept for a minute",
                "memory that the Function keeps of 4 MB of each request for a minute",
            ),
            (
                "memory of admission, kept for a minute",
                "memory that the webhooks keep of 4 MB of each review for a minute",
            ),
        ],
    ),
];

#[test]
fn are_those_that_were_measured() {
    let baseline = baseline::read();
    let mut wrong = Vec::new();
    for document in documents::all() {
        let text = match in_sentences(&document, &baseline) {
            Ok(text) => text,
            Err(what) => {
                wrong.push(what);
                continue;
            }
        };
        let table = TABLES.iter().find(|table| table.0 == document.path);
        let text = table.map_or(text.clone(), |(path, rows)| in_a_table(path, rows, &text, &baseline));
        if text != document.text {
            wrong.extend(bless(&workspace().join(&document.path), &text).err());
        }
    }
    none_wrong(&wrong);
}

/// The document with the figures that its links name.
fn in_sentences(document: &Document, baseline: &Baseline) -> Result<String, String> {
    let mut text = document.text.clone();
    // From the end, so that what stands before stays where it is.
    for link in document.links.iter().rev().filter(|link| is_figure(link)) {
        let place = format!("{}:{}", document.path, link.line);
        let figure = baseline.get(&link.title).ok_or(format!("{place}: nothing measured `{}`", link.title))?;
        if figure.noise {
            return Err(format!("{place}: `{}` could not be measured: say so in words", link.title));
        }
        let words = link.text.trim_start_matches(|c: char| c.is_ascii_digit() || ".,".contains(c));
        let shown = &text[link.range.clone()];
        let written = shown.replacen(&link.text, &format!("{}{words}", rounded(figure.median)), 1);
        text.replace_range(link.range.clone(), &written);
    }
    Ok(text)
}

/// Whether it is a link to a measurement, and not to all of them.
fn is_figure(link: &Link) -> bool {
    Path::new(&link.target).ends_with(BASELINE) && !link.title.is_empty()
}

/// The document with the rows of its table.
fn in_a_table(document: &str, rows: &[Row], text: &str, baseline: &Baseline) -> String {
    let (before, rest) = text.split_once(BEGIN).unwrap_or_else(|| panic!("{document} has no place for figures"));
    let (_, after) = rest.split_once(END).unwrap_or_else(|| panic!("{document}: the figures have no end"));
    // What is new is measured when the baseline is next recorded.
    let measured = rows.iter().filter_map(|(name, words)| Some((baseline.get(*name)?, words)));
    let lines: String = measured.map(|(figure, words)| format!("| {words} | {} |\n", cell(figure))).collect();
    let table = if lines.is_empty() { lines } else { format!("\n| What | Measured |\n|---|---|\n{lines}\n") };
    format!("{before}{BEGIN}{table}{END}{after}")
}

fn cell(Figure { median, unit, noise, .. }: &Figure) -> String {
    if *noise {
        return "too little to be measured there".to_owned();
    }
    // What is left out of the unit stands in the words.
    let unit = match unit.as_str() {
        "/s" => "",
        "ms/MB" => "ms",
        "×" => "times",
        unit => unit,
    };
    format!("{} {unit}", rounded(*median)).trim_end().to_owned()
}

/// What is shown is measured, and recorded under that name.
#[test]
fn all_are_measured() {
    let folders = ["tests/bench", "tests/bench/worst"].map(|folder| workspace().join(folder));
    let entries = folders.iter().flat_map(|folder| fs::read_dir(folder).expect("the measurements"));
    let sources =
        entries.map(|entry| entry.expect("an entry").path()).filter(|path| path.extension() == Some("rs".as_ref()));
    let texts: String = sources.map(|path| fs::read_to_string(path).expect("text")).collect();
    let documents = documents::all();
    let in_sentences = documents.iter().flat_map(|it| &it.links).filter(|it| is_figure(it)).map(|it| &*it.title);
    let in_tables = TABLES.iter().flat_map(|(_, rows)| rows.iter().map(|(name, _)| *name));
    let unknown = in_sentences.chain(in_tables).filter(|name| !texts.contains(&format!("\"{name}\"")));
    none_wrong(&unknown.map(|name| format!("nothing measures `{name}`")).collect::<Vec<_>>());
}

/// Units of what is measured.
const UNITS: &[&str] = &["ms", "µs", "kB", "MB", "times"];

/// Lines with such units that say nothing measured: what is set (`defaults.rs` has those), what the build weighs, and
/// names.
const SET: &[(&str, &str)] = &[
    ("docs/admission.md", "`--max-body`"),
    ("docs/function.md", "`--max-recv-message-size`"),
    ("docs/function.md", "`--call-memory`"),
    ("docs/function.md", "The process itself needs"), // host/src/limits.rs
    ("docs/function.md", "| 128Mi |"),
    ("docs/function.md", "| 256Mi |"),
    ("docs/function.md", "| 512Mi |"),
    ("docs/function.md", "| 1Gi |"),
    ("docs/function.md", "| 4Gi |"),
    ("docs/preview.md", "a transpiler, about"),   // host/web/build/weigh.js
    ("docs/security.md", "A component may have"), // host/src/engine/inspect.rs
    ("docs/security.md", "| memory of the compilation |"), // host/src/engine/compile.rs
    ("docs/security.md", "A megabyte of anything"), // tests/bench/worst.rs
    ("docs/security.md", "and aliases of aliases"), // crates/yaml/src/limits.rs
    ("docs/security.md", "| what comes in |"),
    ("docs/security.md", "| what goes out |"),
    ("docs/security.md", "| memory of a call |"),
    ("docs/security.md", "Files have the same limits"),
    ("docs/security.md", "| text about denials "),
    ("docs/security.md", "| message of a fatal result |"),
    ("docs/security.md", "| record in the log |"),
    ("docs/try-cel.md", "`input`"),
];

/// A figure that is written by hand is no longer true some day.
#[test]
fn none_is_written_by_hand() {
    let mut wrong = Vec::new();
    let mut used = vec![false; SET.len()];
    for document in documents::all() {
        let text = without_what_is_checked(&document);
        for (number, line) in text.lines().enumerate() {
            let words: Vec<_> = line.split([' ', '|']).filter(|word| !word.is_empty()).collect();
            let Some(pair) = words.windows(2).find(|pair| is_number(pair[0]) && UNITS.contains(&bare(pair[1]))) else {
                continue;
            };
            match SET.iter().position(|(path, part)| *path == document.path && line.contains(part)) {
                Some(row) => used[row] = true,
                None => wrong.push(format!("{}:{}: {}", document.path, number + 1, pair.join(" "))),
            }
        }
    }
    let left = SET.iter().zip(used).filter(|(_, used)| !used);
    wrong.extend(left.map(|((path, part), _)| format!("{path}: no line with `{part}` is left that needs its row")));
    none_wrong(&wrong);
}

/// The text without blocks, figures that are links, and what is generated; the lines stay where they are.
fn without_what_is_checked(document: &Document) -> String {
    let blank = |text: &str| text.chars().filter(|c| *c == '\n').collect::<String>();
    let mut text = document.text.clone();
    for link in document.links.iter().rev().filter(|link| is_figure(link)) {
        let lines = blank(&text[link.range.clone()]);
        text.replace_range(link.range.clone(), &lines);
    }
    let (mut in_block, mut generated) = (false, false);
    let prose = text.lines().map(|line| {
        let fence = line.trim_start().starts_with("```");
        in_block ^= fence;
        generated = (generated || line.contains(GENERATED)) && line != END;
        if in_block || fence || generated { "" } else { line }
    });
    prose.collect::<Vec<_>>().join("\n")
}

fn is_number(word: &str) -> bool {
    let word = word.trim_start_matches(['(', '~', '≤']);
    word.starts_with(|c: char| c.is_ascii_digit()) && word.chars().all(|c| c.is_ascii_digit() || ".,".contains(c))
}

/// A word without the punctuation after it.
fn bare(word: &str) -> &str {
    word.trim_end_matches(|c: char| c.is_ascii_punctuation())
}

/// The figure with two digits that count, since the next machine has others.
pub(crate) fn rounded(value: f64) -> String {
    let sign = if value < 0.0 { "−" } else { "" };
    let text = format!("{:.1e}", value.abs());
    let (_, exponent) = text.split_once('e').expect("a figure with an exponent");
    let exponent: i32 = exponent.parse().expect("a whole number");
    let value: f64 = text.parse().expect("a figure");
    let digits = usize::try_from(1 - exponent).unwrap_or_default();
    let text = format!("{value:.digits$}");
    let (whole, part) = text.split_once('.').map_or((text.as_str(), String::new()), |(a, b)| (a, format!(".{b}")));
    let mut grouped = String::new();
    for (index, digit) in whole.chars().enumerate() {
        if index > 0 && (whole.len() - index) % 3 == 0 {
            grouped.push(',');
        }
        grouped.push(digit);
    }
    format!("{sign}{grouped}{part}")
}

#[test]
fn rounding() {
    for (value, expected) in [
        (4831.81, "4,800"),
        (14.31, "14"),
        (139.5, "140"),
        (2.449, "2.4"),
        (0.571, "0.57"),
        (12_345.0, "12,000"),
        (9.96, "10"),
        (0.0123, "0.012"),
        (-312.0, "−310"),
    ] {
        assert_eq!(rounded(value), expected, "{value}");
    }
}

/// Only the figure is replaced, wherever the link says what it is.
#[test]
fn figures_in_sentences() {
    let figure = Figure { median: 19.65, quartiles: None, unit: "×".to_owned(), noise: false };
    let baseline = Baseline::from([("a call".to_owned(), figure)]);
    let check = |text: &str, expected: Result<&str, &str>| {
        let document = Document::parse("a.md", text.to_owned());
        let expected = expected.map(str::to_owned).map_err(str::to_owned);
        assert_eq!(in_sentences(&document, &baseline), expected, "{text}");
    };
    const NAMED: &str = "\n\n[b]: tests/bench/baseline.json \"a call\"\n";
    check(&format!("It takes [3.7 times][b] as long.{NAMED}"), Ok(&format!("It takes [20 times][b] as long.{NAMED}")));
    check(
        "[1,000.5 times](../tests/bench/baseline.json \"a call\")",
        Ok("[20 times](../tests/bench/baseline.json \"a call\")"),
    );
    check("All: [5 figures](tests/bench/baseline.json)", Ok("All: [5 figures](tests/bench/baseline.json)"));
    check("[1](tests/bench/baseline.json \"else\")", Err("a.md:1: nothing measured `else`"));
}
