//! Regular expressions, in the dialect of Go's `regexp` (RE2).

mod dialect;

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::ptr;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use regex_automata::hybrid::dfa::{self, Cache, DFA};
use regex_automata::nfa::thompson::{self, WhichCaptures};
use regex_automata::util::syntax;
use regex_automata::{Anchored, Input, MatchKind};

use crate::error::RunError;
use crate::fuel::Fuel;

/// The most bytes of a compiled pattern.
const MOST_BYTES: usize = 1 << 20;

/// The most bytes of states that a search keeps.
const MOST_STATES: usize = 4 * MOST_BYTES;

/// After so many bytes of text the work is counted.
const BLOCK: usize = 64;

/// A compiled regular expression in the dialect of Go's `regexp` (RE2). Cheap to clone.
#[derive(Clone, Debug)]
pub struct Pattern(Arc<Compiled>);

/// An automaton, and those of its states that searches have made. Every answer is the same whatever states there are.
#[derive(Debug)]
struct Compiled {
    automaton: DFA,
    states: Mutex<Option<Cache>>,
}

impl Pattern {
    /// Compiles a pattern.
    ///
    /// # Errors
    /// The message for a malformed pattern, in Go's words.
    pub fn new(pattern: &str) -> Result<Self, String> {
        let automaton = automaton(&translate(pattern)?, false).ok_or_else(|| too_large(pattern))?;
        Ok(Self(Arc::new(Compiled { automaton, states: Mutex::default() })))
    }

    /// The bytes that it takes in memory.
    pub fn bytes(&self) -> usize {
        self.0.automaton.get_nfa().memory_usage()
    }

    /// Whether the pattern matches a part of `text`. Takes linear time.
    pub fn is_match(&self, text: &str) -> bool {
        let Compiled { automaton, states } = &*self.0;
        let mut states = states.lock().unwrap_or_else(PoisonError::into_inner);
        let states = states.get_or_insert_with(|| automaton.create_cache());
        // An automaton that may throw states away never gives up. If it did, no text would be taken as a match.
        let end = automaton.try_search_fwd(states, &Input::new(text).earliest(true));
        end.is_ok_and(|end| end.is_some())
    }
}

/// A compiled regular expression for expressions, whose work is counted: the states of its automata are made when a search
/// first needs them.
#[derive(Debug)]
pub(crate) struct Regex {
    /// The pattern, translated.
    pattern: String,
    /// Finds the end of a match.
    forward: DFA,
    /// Finds the start of a match, from its end.
    reverse: OnceLock<Option<DFA>>,
}

impl Regex {
    /// Compiles a pattern.
    ///
    /// # Errors
    /// When the pattern is malformed, or when there is not enough fuel to compile it.
    pub(crate) fn compile(pattern: &str, fuel: &mut Fuel) -> Result<Self, RunError> {
        fuel.spend(3_000 + 200 * pattern.len())?;
        let translated = translate(pattern).map_err(RunError::failed)?;
        let Some(forward) = automaton(&translated, false) else {
            fuel.spend(WORK_OF_BYTE * MOST_BYTES)?;
            return Err(RunError::failed(too_large(pattern)));
        };
        fuel.spend(WORK_OF_BYTE * forward.get_nfa().memory_usage())?;
        Ok(Self { pattern: translated, forward, reverse: OnceLock::new() })
    }

    fn reverse(&self) -> Result<&DFA, RunError> {
        self.reverse.get_or_init(|| automaton(&self.pattern, true)).as_ref().ok_or_else(RunError::cost_exceeded)
    }
}

/// The work of compiling a byte of an automaton.
const WORK_OF_BYTE: usize = 4;

/// The states that searches have made in one evaluation, by the address of the regular expression, which must be that of a
/// constant pattern. They are not kept for other evaluations, so that the work of an evaluation is always the same.
#[derive(Default)]
pub(crate) struct Caches(BTreeMap<usize, Searcher>);

impl Caches {
    /// The states for a constant pattern.
    pub(crate) fn of(&mut self, regex: &Regex, fuel: &mut Fuel) -> Result<&mut Searcher, RunError> {
        Ok(match self.0.entry(ptr::from_ref(regex).addr()) {
            Entry::Occupied(known) => known.into_mut(),
            Entry::Vacant(new) => new.insert(Searcher::new(regex, fuel)?),
        })
    }
}

/// The states that searches for a regular expression have made.
pub(crate) struct Searcher {
    forward: Cache,
    reverse: Option<Cache>,
}

impl Searcher {
    pub(crate) fn new(regex: &Regex, fuel: &mut Fuel) -> Result<Self, RunError> {
        fuel.spend(2_000 + 16 * regex.forward.get_nfa().states().len())?;
        Ok(Self { forward: regex.forward.create_cache(), reverse: None })
    }

    /// Whether the regular expression matches a part of a text.
    ///
    /// # Errors
    /// When there is not enough fuel.
    pub(crate) fn is_match(&mut self, regex: &Regex, text: &str, fuel: &mut Fuel) -> Result<bool, RunError> {
        Search { automaton: &regex.forward, cache: &mut self.forward, fuel }.end(text, 0, true).map(|end| end.is_some())
    }

    /// The first `count` matches.
    ///
    /// # Errors
    /// When there is not enough fuel. A search may look at all the rest of the text before it knows that a match is short, so
    /// that the work for all matches can be quadratic.
    pub(crate) fn find<'t>(
        &mut self,
        regex: &Regex,
        text: &'t str,
        count: usize,
        fuel: &mut Fuel,
    ) -> Result<Vec<(usize, &'t str)>, RunError> {
        let mut found = Vec::new();
        let (mut from, mut last) = (0, None);
        while found.len() < count && from <= text.len() {
            fuel.spend(60)?;
            let search = &mut Search { automaton: &regex.forward, cache: &mut self.forward, fuel };
            let Some(end) = search.end(text, from, false)? else { break };
            let start = if end == from { end } else { self.start(regex, text, from, end, fuel)? };
            if start == end && !text.is_char_boundary(end) {
                from = end + 1;
                continue;
            }
            // As in Go, an empty match directly after another match does not count.
            if start < end || last != Some(start) {
                found.push((start, &text[start..end]));
            }
            last = Some(end);
            from = if end > start { end } else { end + text[end..].chars().next().map_or(1, char::len_utf8) };
        }
        Ok(found)
    }

    /// The start of the match in `from..end`.
    fn start(
        &mut self,
        regex: &Regex,
        text: &str,
        from: usize,
        end: usize,
        fuel: &mut Fuel,
    ) -> Result<usize, RunError> {
        let automaton = regex.reverse()?;
        let cache = self.reverse.get_or_insert_with(|| automaton.create_cache());
        Search { automaton, cache, fuel }.start(text, from, end)
    }
}

/// A search in a text, which spends fuel.
struct Search<'s> {
    automaton: &'s DFA,
    cache: &'s mut Cache,
    fuel: &'s mut Fuel,
}

impl Search<'_> {
    /// The end of the leftmost match after `from`, or with `earliest` any end of a match.
    fn end(&mut self, text: &str, from: usize, earliest: bool) -> Result<Option<usize>, RunError> {
        let input = Input::new(text).range(from..);
        let mut state =
            self.automaton.start_state_forward(self.cache, &input).map_err(|_| RunError::cost_exceeded())?;
        let (mut found, mut at) = (None, from);
        let bytes = text.as_bytes();
        for block in bytes[from..].chunks(BLOCK) {
            let (before, start) = (self.size(), at);
            for byte in block {
                state = self.automaton.next_state(self.cache, state, *byte).map_err(|_| RunError::cost_exceeded())?;
                if state.is_tagged() {
                    // A match is only known one byte later.
                    if state.is_match() {
                        found = Some(at);
                    }
                    if state.is_dead() || (earliest && found.is_some()) {
                        self.count(before, at - start)?;
                        return Ok(found);
                    }
                }
                at += 1;
            }
            self.count(before, block.len())?;
        }
        state = self.automaton.next_eoi_state(self.cache, state).map_err(|_| RunError::cost_exceeded())?;
        Ok(if state.is_match() { Some(text.len()) } else { found })
    }

    /// The start of the longest match that ends at `end`, for the automaton of the reversed pattern.
    fn start(&mut self, text: &str, from: usize, end: usize) -> Result<usize, RunError> {
        let input = Input::new(text).range(from..end).anchored(Anchored::Yes);
        let mut state =
            self.automaton.start_state_reverse(self.cache, &input).map_err(|_| RunError::cost_exceeded())?;
        let (mut found, mut at) = (end, end);
        let bytes = text.as_bytes();
        for block in bytes[from..end].rchunks(BLOCK) {
            let (before, start) = (self.size(), at);
            for byte in block.iter().rev() {
                state = self.automaton.next_state(self.cache, state, *byte).map_err(|_| RunError::cost_exceeded())?;
                if state.is_match() {
                    found = at;
                } else if state.is_dead() {
                    self.count(before, start - at)?;
                    return Ok(found);
                }
                at -= 1;
            }
            self.count(before, block.len())?;
        }
        state = match from.checked_sub(1).and_then(|before| bytes.get(before)) {
            Some(byte) => self.automaton.next_state(self.cache, state, *byte),
            None => self.automaton.next_eoi_state(self.cache, state),
        }
        .map_err(|_| RunError::cost_exceeded())?;
        Ok(if state.is_match() { from } else { found })
    }

    /// The size of the states, and how often they were thrown away.
    fn size(&self) -> (usize, usize) {
        (self.cache.memory_usage(), self.cache.clear_count())
    }

    /// Spends the work for a block of text: a little for each byte, and for each new state the work of its transitions.
    fn count(&mut self, before: (usize, usize), bytes: usize) -> Result<(), RunError> {
        let (size, cleared) = self.size();
        let new = if cleared == before.1 { size - before.0 } else { size };
        self.fuel.spend(2 * bytes + new * self.automaton.byte_classes().alphabet_len())
    }
}

/// # Errors
/// The message for a malformed pattern, in Go's words.
fn translate(pattern: &str) -> Result<String, String> {
    dialect::translate(pattern).map_err(|error| format!("error parsing regexp: {error}"))
}

fn too_large(pattern: &str) -> String {
    format!("error parsing regexp: unsupported or too large: `{pattern}`")
}

fn syntax_limits() -> syntax::Config {
    syntax::Config::new().nest_limit(2 * dialect::MOST_DEPTH)
}

/// The automaton for a translated pattern. `None` if it is too large.
fn automaton(translated: &str, reverse: bool) -> Option<DFA> {
    let preference = if reverse { MatchKind::All } else { MatchKind::LeftmostFirst };
    let states = dfa::Config::new().match_kind(preference).cache_capacity(MOST_STATES).skip_cache_capacity_check(true);
    let limits =
        thompson::Config::new().reverse(reverse).nfa_size_limit(Some(MOST_BYTES)).which_captures(WhichCaptures::None);
    dfa::Builder::new().configure(states).thompson(limits).syntax(syntax_limits()).build(translated).ok()
}

/// The constant patterns of one expression. Each is compiled once.
#[derive(Default)]
pub(crate) struct Patterns {
    compiled: Vec<(String, Arc<Regex>)>,
    fuel: Fuel,
}

impl Patterns {
    /// # Errors
    /// When the pattern is malformed, or when all patterns together take too much work.
    pub(crate) fn compile(&mut self, pattern: &str) -> Result<Arc<Regex>, RunError> {
        if let Some((_, regex)) = self.compiled.iter().find(|known| known.0 == pattern) {
            return Ok(regex.clone());
        }
        let regex = Arc::new(Regex::compile(pattern, &mut self.fuel)?);
        self.compiled.push((pattern.to_owned(), regex.clone()));
        Ok(regex)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use regex_automata::meta;

    use super::*;

    /// All matches by another engine, with Go's rule for empty matches.
    fn expected(pattern: &str, text: &str) -> Vec<(usize, usize)> {
        let engine = meta::Builder::new().syntax(syntax_limits()).build(&translate(pattern).unwrap()).unwrap();
        let (mut found, mut from, mut last) = (Vec::new(), 0, None);
        while from <= text.len() {
            let Some(next) = engine.search(&Input::new(text).range(from..)) else { break };
            let (start, end) = (next.start(), next.end());
            if start < end || last != Some(start) {
                found.push((start, end));
            }
            last = Some(end);
            from = if end > start { end } else { end + text[end..].chars().next().map_or(1, char::len_utf8) };
        }
        found
    }

    proptest! {
        /// Searches find what another engine finds, also when the states are there already.
        #[test]
        fn searches_agree(
            pattern in "([abä.]|a[*+?]|[(]a[|]ab[)][*?]?|[\\\\][bBw]|[$^]|[|]|[\\[]ab[\\]]|b{1,3}){0,5}",
            text in "[abä_ ]{0,90}",
        ) {
            let mut fuel = Fuel::default();
            if let Ok(regex) = Regex::compile(&pattern, &mut fuel) {
                let want = expected(&pattern, &text);
                let mut searcher = Searcher::new(&regex, &mut fuel).unwrap();
                for _ in 0..2 {
                    let found = searcher.find(&regex, &text, usize::MAX, &mut fuel).unwrap();
                    let found: Vec<_> = found.into_iter().map(|(start, part)| (start, start + part.len())).collect();
                    prop_assert_eq!(&found, &want, "{}", pattern);
                    prop_assert_eq!(searcher.is_match(&regex, &text, &mut fuel).unwrap(), !want.is_empty());
                    prop_assert_eq!(Pattern::new(&pattern).unwrap().is_match(&text), !want.is_empty());
                }
            }
        }
    }
}
