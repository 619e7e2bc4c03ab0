//! The picture of a refusal, drawn from what the API server says: the suite of webhooks holds the text in the document
//! against the real one.

use std::fmt::Write as _;

use tests::documents;
use tests::files::{bless, workspace};

/// Where what is drawn stands: the transcripts above its second heading.
const DOCUMENT: &str = "docs/admission.md";
const PICTURE: &str = "docs/images/admission.svg";

/// Most characters in a line.
const COLUMNS: usize = 88;
/// Units of a character's width, of a line, and around all of them.
const CHARACTER: f64 = 8.4;
const LINE: f64 = 21.0;
const MARGIN: f64 = 22.0;
/// Above the first line, for what makes it look like a window.
const TOP: f64 = 52.0;

/// The colour of a line, by how what it belongs to begins.
const COLOURS: &[(&str, &str)] = &[("$ ", "#e6edf3"), ("The ", "#ff7b72"), ("Warning: ", "#e3b341"), ("", "#7ee787")];

#[test]
fn it_shows_what_the_document_says() {
    let page = documents::read(DOCUMENT);
    let transcripts = page.blocks.iter().filter(|block| block.language == "console" && block.anchor == page.anchors[0]);
    let lines: Vec<String> = transcripts.flat_map(|block| block.text.lines().map(str::to_owned)).collect();
    assert!(lines.iter().any(|line| line.starts_with("The ")), "{DOCUMENT} shows no refusal: {lines:?}");
    let difference = bless(&workspace().join(PICTURE), &draw(&lines)).err().unwrap_or_default();
    assert!(difference.is_empty(), "{difference}");
}

/// A terminal with these lines.
fn draw(lines: &[String]) -> String {
    let mut text = String::new();
    let mut y = TOP;
    for line in lines {
        let colour = COLOURS.iter().find(|(begin, _)| line.starts_with(begin)).map_or("", |(_, colour)| colour);
        if line.starts_with("$ ") && y > TOP {
            y += LINE / 2.0;
        }
        for part in wrapped(line) {
            y += LINE;
            // Whatever the font, every character has the same room.
            let length = part.chars().count() as f64 * CHARACTER;
            let part = part.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
            let _ = writeln!(
                text,
                "  <text x=\"{MARGIN}\" y=\"{y:.1}\" textLength=\"{length:.1}\" fill=\"{colour}\">{part}</text>"
            );
        }
    }
    let (width, height) = (COLUMNS as f64 * CHARACTER + 2.0 * MARGIN, y + MARGIN);
    let buttons = ["#ff5f57", "#febc2e", "#28c840"].iter().enumerate();
    let buttons: String = buttons
        .map(|(index, colour)| {
            let x = MARGIN + 6.0 + 20.0 * index as f64;
            format!("  <circle cx=\"{x}\" cy=\"26\" r=\"6\" fill=\"{colour}\"/>\n")
        })
        .collect();
    format!(
        "<!-- Drawn from {DOCUMENT}: run `make generate`. -->\n\
         <svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width:.1} {height:.1}\" width=\"{width:.0}\" \
         font-family=\"ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace\" font-size=\"14\" \
         xml:space=\"preserve\">\n  \
         <rect x=\"0.5\" y=\"0.5\" width=\"{:.1}\" height=\"{:.1}\" rx=\"10\" fill=\"#0d1117\" stroke=\"#30363d\"/>\n\
         {buttons}{text}</svg>\n",
        width - 1.0,
        height - 1.0,
    )
}

/// The line in parts that fit, broken between words.
fn wrapped(line: &str) -> Vec<String> {
    let mut parts = vec![String::new()];
    for word in line.split_inclusive(' ') {
        let part = parts.last_mut().expect("there is one");
        let length = part.chars().count() + word.trim_end().chars().count();
        if length > COLUMNS && !part.is_empty() {
            parts.push(word.to_owned());
        } else {
            part.push_str(word);
        }
    }
    parts.into_iter().map(|part| part.trim_end().to_owned()).collect()
}
