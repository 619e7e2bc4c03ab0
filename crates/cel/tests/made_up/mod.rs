//! Selectors that are made of known ones.

/// A generator of random numbers that is the same on all machines.
pub(crate) struct Random(u64);

impl Random {
    pub(crate) fn new(start: u64) -> Self {
        Self(start)
    }

    /// A number less than `below`, or 0.
    pub(crate) fn next(&mut self, below: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        usize::try_from((mixed ^ (mixed >> 31)) % below.max(1) as u64).unwrap_or(0)
    }

    /// One of the items, of which there must be at least one.
    pub(crate) fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[self.next(from.len())]
    }

    /// A known expression with some tokens replaced by tokens of other ones, or a combination of several.
    pub(crate) fn expression(&mut self, known: &[(&str, usize)]) -> (String, usize) {
        let (first, device) = self.pick(known);
        let mut parts = Vec::new();
        for _ in 0..3 {
            let text = if parts.is_empty() { first } else { self.pick(known).0 };
            parts.push(if self.next(2) == 0 { text.to_owned() } else { self.mutated(text, known) });
        }
        let [a, b, c] = [&parts[0], &parts[1], &parts[2]];
        let expr = match self.next(12) {
            0 => format!("({a}) && ({b})"),
            1 => format!("({a}) || ({b})"),
            2 => format!("!({a})"),
            3 => format!("({a}) ? ({b}) : ({c})"),
            4 => format!("({a}) == ({b})"),
            5 => format!("[{a}, {b}].exists(x, x == ({c}))"),
            6 => format!("cel.bind(v, {a}, v && ({b}))"),
            7 => format!("dyn({a}) != dyn({b})"),
            _ => parts[0].clone(),
        };
        (expr, device)
    }

    fn mutated(&mut self, text: &str, known: &[(&str, usize)]) -> String {
        let mut tokens = tokens(text);
        for _ in 0..=self.next(2) {
            if tokens.is_empty() {
                break;
            }
            let at = self.next(tokens.len());
            let others = self::tokens(self.pick(known).0);
            match self.next(6) {
                0 => {
                    tokens.remove(at);
                }
                1 => tokens.insert(at, self.pick(&others)),
                // A token of the same kind fits more often.
                _ => {
                    let kind = |token: &str| {
                        token.chars().next().map(|it| (it.is_alphabetic(), it.is_ascii_digit(), it == '"'))
                    };
                    let alike: Vec<&str> = others.into_iter().filter(|other| kind(other) == kind(tokens[at])).collect();
                    if !alike.is_empty() {
                        tokens[at] = self.pick(&alike);
                    }
                }
            }
        }
        tokens.concat()
    }
}

/// The tokens of a text: words, numbers, texts in quotes, and single other characters.
fn tokens(text: &str) -> Vec<&str> {
    let mut tokens = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let word = |next: char| next.is_alphanumeric() || next == '_';
        let length = match first {
            '"' | '\'' => rest[1..].find(first).map_or(1, |end| end + 2),
            first if word(first) => rest.find(|next| !word(next)).unwrap_or(rest.len()),
            first => first.len_utf8(),
        };
        tokens.push(&rest[..length]);
        rest = &rest[length..];
    }
    tokens
}
