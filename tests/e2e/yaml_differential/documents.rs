//! The documents that are compared: known ones, and those that a generator writes.

use crate::random::Random;

const RANDOM: usize = 8_000;
const MISTAKEN: usize = 4_000;

/// A document, and whether it may have mistakes, for which two grammars need not agree.
pub(crate) struct Document {
    pub(crate) text: String,
    pub(crate) mistaken: bool,
}

/// All documents.
pub(crate) fn all(random: &mut Random) -> Vec<Document> {
    let of_scalar = |scalar: &&str| [format!("a: {scalar}\n"), format!("{scalar}: a\n"), format!("a: [{scalar} ]")];
    let sound = |text: String| Document { text, mistaken: false };
    let mistaken = |text: String| Document { text, mistaken: true };
    let mut documents: Vec<_> = KNOWN.iter().map(|text| sound((*text).to_owned())).collect();
    documents.extend(GRAMMAR.iter().map(|text| mistaken((*text).to_owned())));
    documents.extend(SCALARS.iter().flat_map(of_scalar).map(sound));
    documents.extend((0..RANDOM).map(|_| sound(Writer::document(random))));
    documents.extend((0..MISTAKEN).map(|_| {
        let text = Writer::document(random);
        mistaken(with_mistakes(random, &text))
    }));
    documents
}

/// Documents about one rule each.
const KNOWN: &[&str] = &[
    "",
    "\n",
    "# nothing\n",
    "---\n",
    "--- a\n",
    "--- {a: 1}\n...\n",
    "{\"a\": {\"b\": [1.5, null]}}",
    "{\"a\":1,\"b\":[true,false]}",
    "a: 1\nb: 2\n",
    "a:\n- 1\n- 2\n",
    "a:\n  - 1\n  - - 2\n    - 3\n",
    "- a: 1\n  b: 2\n-\n  c: 3\n",
    "? a\n: b\n",
    "? a\n",
    "a: # comment\n  b\n",
    "a: b#c\n",
    "a: b # c\n",
    "a: 'it''s'\n",
    "a: \"\\x41\\u00e9\\U0001F600\\n\\t\\e\\_\\N\\L\\P\\/\\\"\"\n",
    "a: \"b\n  c\n\n  d\"\n",
    "a: 'b\n  c\n\n  d'\n",
    "a: b\n  c\n\n  d\n",
    "a: \"b \\\n  c\"\n",
    "a: |\n  b\n   c\n\n",
    "a: |-\n  b\n",
    "a: |+\n  b\n\n",
    "a: |2\n   b\n",
    "a: >\n  b\n  c\n\n  d\n   e\n  f\n",
    "a: >-\n  b\n",
    "a: |\nb: 1\n",
    "a: | # comment\n  b\n",
    // Merge keys.
    "d: &d {gpu: 1}\na: {<<: *d, gpu: 4}\n",
    "d: &d {gpu: 1}\na: {gpu: 4, <<: *d}\n",
    "d: &d\n  gpu: 1\n  cpu: 2\na:\n  gpu: 4\n  <<: *d\n  cpu: 8\n",
    "a: {<<: [{k: 1}, {k: 2, m: 2}], m: 3}\n",
    "a: {k: 0, <<: [{k: 1}, {k: 2, m: 2}]}\n",
    "a: {<<: {<<: {k: 1}, k: 2}, m: 3}\n",
    "a: {k: 0, <<: {k: 2, <<: {k: 1}}}\n",
    "x: &x {k: 1}\ny: &y {k: 2, m: 2}\na: {<<: [*x, *y]}\n",
    "x: &x [{k: 1}]\na: {<<: *x}\n",
    "x: &x 1\na: {<<: *x}\n",
    "a: {<<: 1}\n",
    "a: {<<: }\n",
    "a: {<<: [1]}\n",
    "a: {<<: [[{k: 1}]]}\n",
    "a: {<<: []}\n",
    "a: {<<: {}, <<: {}}\n",
    "a: {<<: {k: 1}, <<: {k: 2}}\n",
    "a: {!!merge <<: {k: 1}}\n",
    "a: {!!merge '<<': {k: 1}}\n",
    "a: {!!merge x: {k: 1}}\n",
    "a: {'<<': {k: 1}}\n",
    "a: {\"<<\": {k: 1}}\n",
    "a: {!!str <<: {k: 1}}\n",
    "a: <<\nb: [<<]\n",
    "<<: {a: 1}\nb: 2\n",
    // Keys.
    "8080: a\ntrue: b\n1.5: c\n'': d\n",
    "1.1: a\n0.1: b\n1e10: c\n123456789.5: d\n",
    "~: a\n",
    ".inf: a\n-.inf: b\n.nan: c\n",
    "--.inf: a\n",
    "18446744073709551615: a\n",
    "9223372036854775808: a\n",
    "-9223372036854775808: a\n",
    "[a]: b\n",
    "{a: 1}: b\n",
    "? [a]\n: b\n",
    "a: 1\na: 2\n",
    "1: a\n'1': b\n",
    "a: {b: 1, b: 2}\n",
    "&k a: 1\n*k : 2\n",
    "a: &x {}\n*x : b\n",
    "a: &x b\n*x : c\n",
    "2001-01-01: a\n",
    // Anchors.
    "a: &x {k: 1}\nb: *x\n",
    "a: &x 1\nb: &x 2\nc: *x\n",
    "a: &x\n  b: *x\n",
    "a: *nothing\n",
    "a: [*x, &x 1]\n",
    "a: &x\nb: *x\n",
    "&a a: 1\nb: *a\n",
    "&x\na: 1\n",
    // Tags.
    "a: !!str 1\nb: !!int '4'\nc: !Ref x\n",
    "a: !!float 1\nb: !!null ''\nc: !!bool y\n",
    "a: !!foo 1\nb: !!str .inf\nc: ! 4\n",
    "a: !!map [b]\n",
    "a: !!seq {b: 1}\n",
    "a: !!int x\n",
    "a: !!int 1.5\n",
    "a: !!int 1.0\n",
    "a: !!int 0b-10\n",
    "a: !!float x\n",
    "a: !!bool 1\n",
    "a: !!null x\n",
    "a: !!binary aGk=\n",
    "a: !!binary '***'\n",
    "a: !!timestamp 2001-01-01\n",
    "a: !!timestamp x\n",
    "a: !!set {b, c}\n",
    "a: !!omap [b: 1]\n",
    "a: !<tag:yaml.org,2002:str> 1\n",
    "a: !!str\nb: 1\n",
    "a: !!int\n",
    "%YAML 1.1\n---\na: 1\n",
    "%YAML 1.2\n---\na: 1\n",
    "%YAML 2.0\n---\na: 1\n",
    "%TAG !e! tag:example.org,2000:\n---\na: !e!x 1\n",
    "%FOO bar\n---\na: 1\n",
];

/// Documents about the grammar.
const GRAMMAR: &[&str] = &[
    "a: b: c\n",
    "a: [1,\n",
    "a: [1, 2\nb: 3\n",
    "a: {b: 1,}\n",
    "a: [1,]\n",
    "a: [1,,2]\n",
    "a: {b}\n",
    "a: {b: }\n",
    "a: {b:1}\n",
    "a: {\"b\":1}\n",
    "a: {'b':1}\n",
    "a: [b: 1, c: 2]\n",
    "a: [? b : 1]\n",
    "a: [\n1\n]\n",
    "a: {\nb: 1\n}\n",
    "a:\tb\n",
    "\ta: b\n",
    "a:\n\t- b\n",
    "a:\n  b: 1\n\tc: 2\n",
    "a: b\n c: d\n",
    "a:\n   b: 1\n  c: 2\n",
    "a: - b\n",
    "- a\nb: 1\n",
    "a: 1\n- b\n",
    "a:b\n",
    "a : b\n",
    "a: @b\n",
    "a: `b\n",
    "a: %b\n",
    "a: \"\\q\"\n",
    "a: 'b\n",
    "a: \"b\n",
    "a: b\r\nc: d\r\n",
    "a: b\rc: d\r",
    "a: b\u{85}c: d\n",
    "a: b\u{2028}c: d\n",
    "a: b\u{feff}c\n",
    "\u{feff}a: b\n",
    "a: \u{0}\n",
    "a: \u{1b}\n",
    "a: \u{7f}\n",
    "a: ä漢😀\n",
    "a: http://example.org:80/#x\n",
    "a: [http://example.org]\n",
    "a: [a b, c:d]\n",
    "a: ::b\n",
    "a: -\n",
    "a: -b\n",
    "a: ?b\n",
    "a: :b\n",
    "a: !\n",
    "a: [!, b]\n",
    "a: [-, b]\n",
    "a: [:b, c:]\n",
    "- - - a\n",
    "-a: b\n",
    "a:\n",
    "a:\nb:\n",
    "''\n",
    "a: |1\n b\n",
    "a: |0\n b\n",
    "a: |10\n b\n",
    "a: >+2\n   b\n\n\n",
    "a: |\n\tb\n",
    "a: |\n b\n  c\n d\n",
    "a: |\n  b\n c\n",
    "a: 1\n---\nb: 2\n",
    "a: 1\n...\nb: 2\n",
    "a: 1\n... x\n",
    "a: 1 --- b\n",
    "---a: 1\n",
    "a: '---'\n",
    "a: 'b\n---\nc'\n",
];

/// Scalars with or near a meaning.
const SCALARS: &[&str] = &[
    "~",
    "null",
    "Null",
    "NULL",
    "nULL",
    "y",
    "Y",
    "yes",
    "Yes",
    "yES",
    "n",
    "N",
    "no",
    "on",
    "On",
    "off",
    "OFF",
    "true",
    "TRUE",
    "tRUE",
    "false",
    "0",
    "-0",
    "+0",
    "00",
    "07",
    "08",
    "-07",
    "0o17",
    "0O17",
    "-0o17",
    "0x10",
    "0X1F",
    "-0x10",
    "+0x10",
    "0x",
    "0xg",
    "0x_1",
    "0b101",
    "-0b101",
    "+0b101",
    "0b",
    "0b2",
    "0b-10",
    "-0b-10",
    "0b+10",
    "1_000",
    "_1",
    "1_",
    "1__0",
    "-1_0",
    "0_7",
    "2147483648",
    "9223372036854775807",
    "9223372036854775808",
    "18446744073709551615",
    "18446744073709551616",
    "-9223372036854775808",
    "-9223372036854775809",
    "1.5",
    "-1.5",
    "+1.5",
    ".5",
    "-.5",
    "+.5",
    "5.",
    "-5.",
    "1.0",
    "1e3",
    "1E3",
    "1e+3",
    "1e-3",
    "1e",
    "e3",
    ".e3",
    "1.e3",
    "1.5e3",
    "1_0.5",
    ".5_0",
    "._5",
    "1e400",
    "-1e400",
    "1e-400",
    "100000000000000000000",
    "1.7976931348623157e308",
    "4.9e-324",
    "0.1",
    "-0.0",
    ".",
    "-",
    "+",
    "--",
    "---1",
    "-.",
    "+.",
    "..",
    ".1.",
    "1.2.3",
    "--1",
    "+-1",
    ".inf",
    ".Inf",
    ".INF",
    ".iNF",
    "-.inf",
    "-.INF",
    "+.inf",
    "--.inf",
    "+-.inf",
    "-+.inf",
    "-.-inf",
    "inf",
    "-inf",
    "Infinity",
    ".nan",
    ".NaN",
    ".NAN",
    "-.nan",
    "+.nan",
    "nan",
    "NaN",
    "0x1p-2",
    "0x1.8p1",
    ".0x1p-2",
    ".infinity",
    ".1e400",
    ".5e1",
    "1:30",
    "1:30:00",
    "190:20:30.15",
    "2026-02-18",
    "2026-2-8",
    "2026-02-30",
    "2026-02-18T10:00:00Z",
    "2026-02-18t10:00:00+01:00",
    "2026-02-18 10:00:00",
    "2026-02-18 10:00:00.5",
    "2026-13-01",
    "<<",
    "=",
    "a b",
    "a-b",
    "a.b",
    "v1.5",
    "1.5Gi",
    "100m",
    "0644",
    "0o644",
    "1e3Gi",
    "12e03",
    "08.5",
    "1.5.",
    "٣",
    "１",
];

/// Words that are keys and scalars of random documents.
const WORDS: &[&str] =
    &["a", "b", "name", "spec", "k8s.io/name", "gpu", "x y", "äß", "8080", "true", "<<", "1.5", "on"];

/// Writes a random document. Most are sound.
struct Writer<'r> {
    random: &'r mut Random,
    text: String,
    /// The number of anchors so far.
    anchors: usize,
}

impl Writer<'_> {
    fn document(random: &mut Random) -> String {
        let mut writer = Writer { random, text: String::new(), anchors: 0 };
        if writer.random.percent(10) {
            writer.text.push_str("---\n");
        }
        match writer.random.below(10) {
            0 => {
                writer.flow(0);
                writer.text.push('\n');
            }
            1 => writer.sequence(0, 0),
            _ => writer.mapping(0, 0),
        }
        writer.text
    }

    fn indent(&mut self, indent: usize) {
        self.text.extend(std::iter::repeat_n(' ', indent));
    }

    fn mapping(&mut self, indent: usize, depth: usize) {
        let mut seen = Vec::new();
        for index in 0..=self.random.below(4) {
            let key = self.key(index, &mut seen);
            self.indent(indent);
            if self.random.percent(3) {
                self.text.push_str("? ");
                self.text.push_str(&key);
                self.text.push('\n');
                self.indent(indent);
                self.text.push(':');
            } else {
                self.text.push_str(&key);
                self.text.push_str(if self.random.percent(3) { " :" } else { ":" });
            }
            if key == "<<" {
                self.text.push(' ');
                self.merged();
                self.text.push('\n');
            } else {
                self.value(indent, depth);
            }
        }
    }

    /// A key that is new in its mapping, most of the time.
    fn key(&mut self, index: usize, seen: &mut Vec<String>) -> String {
        let mut key = self.random.pick(WORDS).to_owned();
        if self.random.percent(15) {
            key = self.random.pick(SCALARS).to_owned();
        }
        if self.random.percent(10) {
            key = format!("\"{key}\"");
        }
        if seen.contains(&key) && !self.random.percent(2) {
            key = format!("{key}{index}");
        }
        seen.push(key.clone());
        key
    }

    fn sequence(&mut self, indent: usize, depth: usize) {
        for _ in 0..=self.random.below(3) {
            self.indent(indent);
            self.text.push('-');
            if depth < 4 && self.random.percent(20) {
                // A mapping that starts on the line of its item.
                let mut inner = Writer { random: self.random, text: String::new(), anchors: self.anchors };
                inner.mapping(indent + 2, depth + 1);
                self.anchors = inner.anchors;
                let inner = inner.text;
                self.text.push_str(&inner[indent + 1..]);
            } else {
                self.value(indent, depth);
            }
        }
    }

    /// A value after `:` or `-`, up to the end of its last line.
    fn value(&mut self, indent: usize, depth: usize) {
        if self.random.percent(6) {
            self.text.push_str(&format!(" &x{}", self.anchors));
            self.anchors += 1;
        } else if self.random.percent(4) {
            let tag = self.random.pick(&[
                "!!str",
                "!!int",
                "!!float",
                "!!bool",
                "!!null",
                "!foo",
                "!!map",
                "!!seq",
                "!",
                "!!timestamp",
            ]);
            self.text.push(' ');
            self.text.push_str(tag);
        }
        let deeper = indent + self.random.pick(&[1, 2, 2, 2, 4]);
        match self.random.below(20) {
            0..=3 if depth < 4 => {
                self.comment();
                self.text.push('\n');
                self.mapping(deeper, depth + 1);
            }
            4..=5 if depth < 4 => {
                self.comment();
                self.text.push('\n');
                let same = self.random.percent(30) && !self.text.ends_with("-\n");
                self.sequence(if same { indent.max(1) } else { deeper }, depth + 1);
            }
            6..=7 => {
                self.text.push(' ');
                self.flow(0);
                self.end();
            }
            8 => self.block(deeper),
            9 if self.anchors > 0 => {
                let anchor = self.random.below(self.anchors);
                self.text.push_str(&format!(" *x{anchor}"));
                self.end();
            }
            10 => {
                let quote = self.random.pick(&["\"", "'", ""]);
                self.text.push_str(&format!(" {quote}one"));
                for _ in 0..=self.random.below(2) {
                    let blank = self.random.percent(20);
                    self.text.push_str(if blank { "\n\n" } else { "\n" });
                    self.indent(deeper);
                    self.text.push_str("more text");
                }
                self.text.push_str(quote);
                self.end();
            }
            _ => {
                if self.random.percent(95) {
                    self.text.push(' ');
                    self.scalar();
                }
                self.end();
            }
        }
    }

    /// A comment, sometimes, and the end of the line.
    fn end(&mut self) {
        self.comment();
        let end = if self.random.percent(2) { "\r\n" } else { "\n" };
        self.text.push_str(end);
        if self.random.percent(4) {
            self.text.push('\n');
        }
    }

    fn comment(&mut self) {
        if self.random.percent(5) {
            self.text.push_str(" # why: 'not'");
        }
    }

    fn scalar(&mut self) {
        let text = self.any_scalar();
        self.text.push_str(&text);
    }

    /// A scalar in brackets, where indicators mean more, and not the same in both grammars.
    fn scalar_in_brackets(&mut self) {
        let mut text = self.any_scalar();
        while text.starts_with([':', '?']) || text.ends_with(':') || text == "-" {
            text = self.any_scalar();
        }
        self.text.push_str(&text);
    }

    fn any_scalar(&mut self) -> String {
        match self.random.below(10) {
            0..=3 => self.random.pick(SCALARS).to_owned(),
            4 => self.characters("-+.0123456789_exobEinfa:", 8),
            5 => format!("'{}'", self.characters("ab 1:#,[]{}&*!|>%@`\\\"-?~", 10)),
            6 => format!("\"{}\"", self.characters("ab 1:#,[]{}&*!|>%@`'-?~", 10)),
            7 => format!(
                "\"{}\"",
                self.random.pick(&["\\n", "\\t", "\\u00e9", "\\x41", "\\\\", "\\/", "\\0", "\\ ", "\\e"])
            ),
            _ => self.random.pick(WORDS).to_owned(),
        }
    }

    fn characters(&mut self, from: &str, most: usize) -> String {
        let from: Vec<char> = from.chars().collect();
        (0..=self.random.below(most)).map(|_| self.random.pick(&from)).collect()
    }

    fn block(&mut self, indent: usize) {
        self.text.push(' ');
        let style = self.random.pick(&["|", ">", "|-", ">-", "|+", ">+"]);
        self.text.push_str(style);
        self.end();
        for _ in 0..=self.random.below(3) {
            let more = self.random.pick(&[0, 0, 0, 1, 2]);
            if self.random.percent(15) {
                self.text.push('\n');
            } else {
                self.indent(indent + more);
                let line = self.characters("ab 1:#-", 8);
                self.text.push_str(line.trim_start());
                self.text.push_str("x\n");
            }
        }
    }

    fn flow(&mut self, depth: usize) {
        let (open, close) = self.random.pick(&[("{", "}"), ("[", "]")]);
        self.text.push_str(open);
        let count = self.random.below(4);
        let mut seen = Vec::new();
        for index in 0..count {
            if index > 0 {
                let comma = self.random.pick(&[", ", ", ", ", ", ","]);
                self.text.push_str(comma);
            }
            if open == "{" {
                let key = self.key(index, &mut seen);
                self.text.push_str(&key);
                self.text.push_str(": ");
                if key == "<<" {
                    self.merged();
                    continue;
                }
            }
            match self.random.below(8) {
                0..=1 if depth < 3 => self.flow(depth + 1),
                2 if self.anchors > 0 => {
                    let anchor = self.random.below(self.anchors);
                    self.text.push_str(&format!("*x{anchor}"));
                }
                3 => {
                    self.text.push_str(&format!("&x{} ", self.anchors));
                    self.anchors += 1;
                    self.scalar_in_brackets();
                }
                _ => self.scalar_in_brackets(),
            }
        }
        self.text.push_str(close);
    }

    /// What `<<` merges.
    fn merged(&mut self) {
        match self.random.below(6) {
            0 if self.anchors > 0 => {
                let anchor = self.random.below(self.anchors);
                self.text.push_str(&format!("*x{anchor}"));
            }
            1 => self.text.push_str("[{a: 1, gpu: 1}, {a: 2, b: 2}]"),
            2 => self.scalar_in_brackets(),
            3 => self.text.push_str("{<<: {gpu: 1}, b: 3}"),
            _ => self.text.push_str("{gpu: 2, name: merged, a: 3}"),
        }
    }
}

/// The document with one to three mistakes.
fn with_mistakes(random: &mut Random, text: &str) -> String {
    const STRANGE: &[&str] = &[
        " ", "  ", "\n", "\t", ":", ": ", "-", "- ", "?", ",", "[", "]", "{", "}", "#", " #", "&", "*", "!", "!!", "|",
        ">", "'", "\"", "%", "@", "`", "\\", "~", "<<", "...", "---", "\r", "\u{0}", "\u{7f}", "\u{85}", "\u{a0}",
        "\u{2028}", "\u{feff}", "é", "😀",
    ];
    let mut characters: Vec<char> = text.chars().collect();
    for _ in 0..=random.below(3) {
        let at = random.below(characters.len() + 1);
        let end = (at + random.below(3)).min(characters.len());
        let strange = if random.percent(70) { random.pick(STRANGE) } else { "" };
        characters.splice(at..if random.percent(40) { at } else { end }, strange.chars());
    }
    characters.into_iter().collect()
}
