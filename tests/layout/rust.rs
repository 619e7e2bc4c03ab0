//! Which file of a crate uses which, read from imports and from paths in the code. Re-exports are not followed: an import
//! through a module is a use of that module's file. `mod x;` is no use, and neither is code for tests (`#[cfg(test)]`).

use std::collections::{BTreeMap, BTreeSet};

use crate::files::{Files, Uses};

/// The path of a module, from the root of its crate.
type Module = Vec<String>;

/// What the files of a `src` folder use of one another.
pub(crate) fn uses(files: &Files) -> Uses {
    // The modules by path. `None` for a module whose file is in another folder.
    let mut modules: BTreeMap<Module, Option<&str>> =
        files.keys().map(|file| (module(file), Some(file.as_str()))).collect();
    // The root of a binary beside a library is another crate.
    if files.contains_key("lib.rs") {
        modules.insert(Module::new(), Some("lib.rs"));
    }
    let mut read: BTreeMap<&str, Source<'_>> =
        files.iter().map(|(file, text)| (file.as_str(), Source::read(text))).collect();
    let tests: Vec<Module> = read
        .iter()
        .flat_map(|(file, source)| source.test_modules.iter().map(|name| [module(file), vec![name.clone()]].concat()))
        .collect();
    read.retain(|file, _| !tests.iter().any(|test| module(file).starts_with(test)));
    for (file, source) in &read {
        for name in source.declared() {
            modules.entry([module(file), vec![name.to_owned()]].concat()).or_default();
        }
    }
    let mut uses = Uses::new();
    for (file, source) in &read {
        if *file == "main.rs" && read.contains_key("lib.rs") {
            continue;
        }
        for (path, written) in source.paths(&module(file), &modules) {
            let known = (0..=path.len()).rev().find_map(|length| modules.get(&path[..length]));
            if let Some(used) = known.copied().flatten().filter(|used| used != file) {
                uses.entry((*file).to_owned()).or_default().entry((*used).to_owned()).or_insert(written);
            }
        }
    }
    uses
}

/// The module of a file.
pub(crate) fn module(file: &str) -> Module {
    let path = file.strip_suffix(".rs").unwrap_or(file);
    let path = path.strip_suffix("/mod").unwrap_or(path);
    match path {
        "lib" | "main" => Module::new(),
        _ => path.split('/').map(str::to_owned).collect(),
    }
}

/// The names of the types that a file declares in its modules, without those for tests alone.
pub(crate) fn types(text: &str) -> Vec<String> {
    let source = Source::read(text);
    let (mut names, mut rest) = (Vec::new(), source.tokens.as_slice());
    while let Some((first, after)) = rest.split_first() {
        rest = match rest {
            [Token::Word("mod"), Token::Word(_), Token::Mark('{'), after @ ..] => after,
            [Token::Word("struct" | "enum" | "trait" | "type" | "union"), Token::Word(name), after @ ..] => {
                names.push((*name).to_owned());
                after
            }
            // What else has braces has no types of the module.
            _ if *first == Token::Mark('{') => &rest[balanced(rest)..],
            _ => after,
        };
    }
    names
}

/// The parts of a file that this test needs.
struct Source<'t> {
    tokens: Vec<Token<'t>>,
    /// The modules that it declares for tests.
    test_modules: BTreeSet<String>,
}

/// An import or a path in code, as it is written.
struct Path<'t> {
    /// The modules inside this file that contain it.
    inside: Vec<&'t str>,
    segments: Vec<&'t str>,
    /// The name that an import introduces.
    import: Option<&'t str>,
}

impl<'t> Source<'t> {
    fn read(text: &'t str) -> Self {
        let mut source = Self { tokens: Vec::new(), test_modules: BTreeSet::new() };
        let all = tokens(text);
        let mut rest = all.as_slice();
        while let Some((first, after)) = rest.split_first() {
            if let Some(item) = after_test(rest) {
                if let [Token::Word("mod"), Token::Word(name), Token::Mark(';'), ..] = item {
                    source.test_modules.insert((*name).to_owned());
                }
                rest = after_item(item);
                continue;
            }
            source.tokens.push(*first);
            rest = after;
        }
        source
    }

    /// The targets of all paths, from the root of the crate, and how the paths are written.
    fn paths(&self, this: &Module, modules: &BTreeMap<Module, Option<&str>>) -> Vec<(Module, String)> {
        let paths = self.written();
        let mut known: BTreeMap<&str, Module> =
            self.declared().map(|name| (name, [this.as_slice(), &[name.to_owned()]].concat())).collect();
        // Paths in the code may start with the names of imported modules.
        for path in &paths {
            if let (Some(name), Some(full)) = (path.import, path.resolve(this, &known))
                && modules.contains_key(&full)
            {
                known.insert(name, full);
            }
        }
        let full = |path: &Path<'_>| Some((path.resolve(this, &known)?, path.segments.join("::")));
        paths.iter().filter_map(full).collect()
    }

    /// The modules that it declares without a body.
    fn declared(&self) -> impl Iterator<Item = &'t str> {
        self.tokens.windows(3).filter_map(|tokens| match tokens {
            [Token::Word("mod"), Token::Word(name), Token::Mark(';')] => Some(*name),
            _ => None,
        })
    }

    fn written(&self) -> Vec<Path<'t>> {
        let mut paths = Vec::new();
        // The modules around the current token, each with the number of open braces around it.
        let (mut inside, mut braces): (Vec<(usize, &str)>, usize) = (Vec::new(), 0);
        let mut at = 0;
        while at < self.tokens.len() {
            let rest = &self.tokens[at..];
            let names = || inside.iter().map(|(_, name)| *name).collect::<Vec<_>>();
            at += match rest {
                [Token::Word("mod"), Token::Word(name), Token::Mark('{'), ..] => {
                    inside.push((braces, name));
                    braces += 1;
                    3
                }
                [Token::Mark('{'), ..] => {
                    braces += 1;
                    1
                }
                [Token::Mark('}'), ..] => {
                    braces = braces.saturating_sub(1);
                    inside.retain(|(open, _)| *open < braces);
                    1
                }
                // `pub(in …)` is no use.
                [Token::Word("pub"), Token::Mark('('), Token::Word("in"), ..] => 1 + balanced(&rest[1..]),
                // `+ use<'a>` is a bound.
                [Token::Word("use"), next, ..] if *next != Token::Mark('<') => {
                    1 + import(&rest[1..], &mut Vec::new(), &names(), &mut paths)
                }
                // A single name is no path.
                [Token::Word(first), Token::Colons, ..] => {
                    let mut segments = vec![*first];
                    let mut length = 1;
                    while let [Token::Colons, Token::Word(next), ..] = &rest[length..] {
                        segments.push(next);
                        length += 2;
                    }
                    paths.push(Path { inside: names(), segments, import: None });
                    length
                }
                // `::x` continues a path that starts outside the crate, or with a type.
                [Token::Colons, Token::Word(_), ..] => 2,
                _ => 1,
            };
        }
        paths
    }
}

impl Path<'_> {
    /// The target from the root of the crate, or `None` when it is in another crate. `known` has the modules by their names in
    /// this file.
    fn resolve(&self, this: &Module, known: &BTreeMap<&str, Module>) -> Option<Module> {
        let mut module: Module =
            this.iter().cloned().chain(self.inside.iter().map(|name| (*name).to_owned())).collect();
        let mut rest = self.segments.as_slice();
        match *rest.first()? {
            "crate" => module.clear(),
            "self" => {}
            "super" => {
                module.pop();
            }
            name => module = known.get(name)?.clone(),
        }
        rest = &rest[1..];
        while let ["super", after @ ..] = rest {
            module.pop();
            rest = after;
        }
        module.extend(rest.iter().filter(|name| **name != "self").map(|name| (*name).to_owned()));
        Some(module)
    }
}

/// Reads the import after `use`, or a part of it after `prefix`. Returns the number of tokens.
fn import<'t>(tokens: &[Token<'t>], prefix: &mut Vec<&'t str>, inside: &[&'t str], paths: &mut Vec<Path<'t>>) -> usize {
    let before = prefix.len();
    let (mut at, mut name) = (0, None);
    let mut grouped = false;
    loop {
        match &tokens[at..] {
            [Token::Word("as"), Token::Word(alias), ..] => {
                name = Some(*alias);
                at += 2;
            }
            [Token::Word(segment), ..] => {
                prefix.push(segment);
                at += 1;
            }
            [Token::Colons, ..] => at += 1,
            [Token::Mark('*'), ..] => {
                prefix.push("*");
                at += 1;
            }
            [Token::Mark('{'), ..] => {
                grouped = true;
                at += 1;
                while !matches!(tokens.get(at), None | Some(Token::Mark('}'))) {
                    at += import(&tokens[at..], prefix, inside, paths);
                    at += usize::from(tokens.get(at) == Some(&Token::Mark(',')));
                }
                at += 1;
            }
            _ => break,
        }
    }
    if !grouped {
        let named = prefix.iter().rev().find(|segment| **segment != "self").copied();
        paths.push(Path { inside: inside.to_vec(), segments: prefix.clone(), import: name.or(named) });
    }
    prefix.truncate(before);
    at
}

/// The tokens after `#[cfg(test)]` and further attributes. `None` when there is no `#[cfg(test)]`.
fn after_test<'a, 't>(tokens: &'a [Token<'t>]) -> Option<&'a [Token<'t>]> {
    use Token::{Mark, Word};
    let [Mark('#'), Mark('['), Word("cfg"), Mark('('), Word("test"), Mark(')'), Mark(']'), rest @ ..] = tokens else {
        return None;
    };
    let mut rest = rest;
    while let [Mark('#'), Mark('['), ..] = rest {
        rest = &rest[1..];
        let end = balanced(rest);
        rest = &rest[end..];
    }
    Some(rest)
}

/// The tokens after an item, which ends with a block or with a semicolon outside of brackets.
fn after_item<'a, 't>(tokens: &'a [Token<'t>]) -> &'a [Token<'t>] {
    let mut at = 0;
    while let Some(token) = tokens.get(at) {
        match token {
            Token::Mark(';') => return &tokens[at + 1..],
            Token::Mark('{') => return &tokens[at + balanced(&tokens[at..])..],
            Token::Mark('(' | '[') => at += balanced(&tokens[at..]),
            _ => at += 1,
        }
    }
    &[]
}

/// The number of tokens up to the bracket that closes the first one.
fn balanced(tokens: &[Token<'_>]) -> usize {
    let mut open = 0usize;
    for (index, token) in tokens.iter().enumerate() {
        match token {
            Token::Mark('(' | '[' | '{') => open += 1,
            Token::Mark(')' | ']' | '}') => open -= 1,
            _ => {}
        }
        if open == 0 {
            return index + 1;
        }
    }
    tokens.len()
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Token<'t> {
    /// A name, a keyword or a number.
    Word(&'t str),
    /// `::`.
    Colons,
    Mark(char),
}

/// The tokens of a text, without comments, literals in quotes and lifetimes.
fn tokens(text: &str) -> Vec<Token<'_>> {
    let mut tokens = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        if rest.starts_with("//") {
            rest = &rest[rest.find('\n').unwrap_or(rest.len())..];
        } else if rest.starts_with("/*") {
            rest = after_comment(rest);
        } else if first == '"' {
            rest = after_string(rest);
        } else if first == '\'' {
            rest = after_quote(rest);
        } else if first.is_alphanumeric() || first == '_' {
            let (word, after) =
                rest.split_at(rest.find(|it: char| !it.is_alphanumeric() && it != '_').unwrap_or(rest.len()));
            let hashes = after.len() - after.trim_start_matches('#').len();
            let raw = matches!(word, "r" | "br" | "cr") && after[hashes..].starts_with('"');
            if raw {
                let end = format!("\"{}", "#".repeat(hashes));
                let inner = &after[hashes + 1..];
                rest = inner.find(&end).map_or("", |at| &inner[at + end.len()..]);
            } else {
                tokens.push(Token::Word(word));
                rest = after;
            }
        } else if rest.starts_with("::") {
            tokens.push(Token::Colons);
            rest = &rest[2..];
        } else {
            if !first.is_whitespace() {
                tokens.push(Token::Mark(first));
            }
            rest = &rest[first.len_utf8()..];
        }
    }
    tokens
}

/// The text after a block comment, which may contain block comments.
fn after_comment(text: &str) -> &str {
    let (mut rest, mut open) = (&text[2..], 1);
    while open > 0 {
        let Some(at) = rest.find(['/', '*']) else { return "" };
        rest = &rest[at..];
        let step = match rest.get(..2) {
            Some("/*") => 1,
            Some("*/") => -1,
            _ => 0,
        };
        open += step;
        rest = &rest[if step == 0 { 1 } else { 2 }..];
    }
    rest
}

/// The text after a literal in double quotes.
fn after_string(text: &str) -> &str {
    let mut escaped = false;
    for (at, character) in text.char_indices().skip(1) {
        match character {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            '"' => return &text[at + 1..],
            _ => {}
        }
    }
    ""
}

/// The text after a character literal or a lifetime.
fn after_quote(text: &str) -> &str {
    let inner = &text[1..];
    let mut characters = inner.chars();
    match (characters.next(), characters.next()) {
        (Some('\\'), Some(escaped)) => {
            let rest = &inner[1 + escaped.len_utf8()..];
            rest.find('\'').map_or("", |at| &rest[at + 1..])
        }
        (Some(character), Some('\'')) => &inner[character.len_utf8() + 1..],
        _ => inner.trim_start_matches(|it: char| it.is_alphanumeric() || it == '_'),
    }
}
