//! Device selectors: which of them hold on which device.
//!
//! They mean what Kubernetes makes of them, whose allocator has the last word. Unless the platform is strict
//! ([`SelectorMode`]), what Modelplane v0.3.1 accepts beyond Kubernetes is accepted too
//! ([`cel::Selector::compile_tolerant`]), and only an expression that cannot be parsed is invalid: one with a wrong type
//! matches nothing. One that fails on a device does not match that device.
//!
//! A fleet has thousands of pools and a handful of different devices, so a selector is evaluated once for each content.

use std::collections::BTreeMap;

use cel::{CompileError, Limits, Selector, Stage};

use super::options::SelectorMode;

mod devices;

pub use devices::{DeviceLists, PublishedDevice};

/// The most cost of all evaluations in one call, in the units of the API server. One evaluation may have a tenth of it.
const MOST_COST: u64 = 10 * cel::device::BUDGET;

/// The most work of all evaluations in one call: about half a second of native code.
const MOST_WORK: u64 = 500_000_000;

/// The most cost of each evaluation of a part of a selector, when people are told why it does not hold.
const MOST_EXPLAINED: u64 = 10_000;

/// Compiled selectors. Equal ones are compiled once.
#[derive(Default)]
pub struct Selectors<'s> {
    mode: SelectorMode,
    expressions: Vec<Result<Selector, CompileError>>,
    by_text: BTreeMap<&'s str, usize>,
    /// The expressions of each request.
    groups: Vec<Vec<usize>>,
    by_expressions: BTreeMap<Vec<usize>, usize>,
}

/// A selector that is invalid.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unparsed {
    /// Its place among those of its request.
    pub index: usize,
    /// What is wrong: line, column and message.
    pub why: String,
}

/// The evaluations took more work than one call may.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Spent {
    /// The selectors that were evaluated last: a number of [`Selectors::add`].
    pub group: usize,
}

/// Evaluates selectors for devices, each pair once.
pub struct Evaluation<'e> {
    selectors: &'e Selectors<'e>,
    devices: &'e DeviceLists<'e>,
    /// By expression and content. Empty for an expression that was not evaluated yet.
    known: Vec<Vec<Known>>,
    left: Limits,
}

/// What is known of a selector and a device.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Known {
    Nothing,
    Matches,
    /// It is false, or it fails.
    Differs,
}

impl<'s> Selectors<'s> {
    /// No selectors yet.
    pub fn new(mode: SelectorMode) -> Self {
        Self { mode, ..Self::default() }
    }

    /// Adds the selectors of a request, all of which must hold on a device. Returns their number, which equal selectors share.
    ///
    /// # Errors
    /// The first one that cannot be parsed, or that Kubernetes would refuse where the mode is strict.
    pub fn add(&mut self, texts: impl Iterator<Item = &'s str>) -> Result<usize, Unparsed> {
        let mut group = Vec::new();
        for (index, text) in texts.enumerate() {
            group.push(self.expression(text).map_err(|why| Unparsed { index, why })?);
        }
        let next = self.groups.len();
        let number = *self.by_expressions.entry(group.clone()).or_insert(next);
        if number == next {
            self.groups.push(group);
        }
        Ok(number)
    }

    /// Adds selectors with a number of their own, which no others share.
    ///
    /// # Errors
    /// As for [`add`](Self::add).
    pub fn add_apart(&mut self, texts: impl Iterator<Item = &'s str>) -> Result<usize, Unparsed> {
        let shared = self.add(texts)?;
        self.groups.push(self.groups.get(shared).cloned().unwrap_or_default());
        Ok(self.groups.len() - 1)
    }

    /// How many different numbers there are.
    pub fn count(&self) -> usize {
        self.groups.len()
    }

    /// The first selector of a request that matches nothing because it has a wrong type: its place among them, and why.
    pub fn mistake(&self, group: usize) -> Option<(usize, String)> {
        let expressions = self.groups.get(group)?.iter().enumerate();
        let mistake = |(place, expression): (usize, &usize)| {
            let error = self.expressions.get(*expression)?.as_ref().err()?;
            Some((place, first_problem(error)))
        };
        expressions.into_iter().find_map(mistake)
    }

    fn expression(&mut self, text: &'s str) -> Result<usize, String> {
        if let Some(known) = self.by_text.get(text) {
            return Ok(*known);
        }
        let compiled = match self.mode {
            SelectorMode::Tolerant => Selector::compile_tolerant(text),
            SelectorMode::Strict => Selector::compile(text),
        };
        if let Err(error) = &compiled {
            let invalid = unparsed(error);
            if let Some(why) = invalid.or_else(|| (self.mode == SelectorMode::Strict).then(|| first_problem(error))) {
                return Err(why);
            }
        }
        let number = self.expressions.len();
        self.expressions.push(compiled);
        self.by_text.insert(text, number);
        Ok(number)
    }
}

/// Why a text is no expression. `None` when it is one, even if it matches nothing.
pub fn unparsed(error: &CompileError) -> Option<String> {
    error.problems.iter().any(|problem| problem.stage == Stage::Syntax).then(|| first_problem(error))
}

/// The first problem of an expression in one line, with its place.
pub fn first_problem(error: &CompileError) -> String {
    let Some(problem) = error.problems.first() else { return String::new() };
    let message = problem.message.split_whitespace().collect::<Vec<_>>().join(" ");
    match problem.place {
        Some(place) => format!("{}:{}: {message}", place.line, place.column),
        None => message,
    }
}

impl<'e> Evaluation<'e> {
    /// Starts with nothing evaluated.
    pub fn new(selectors: &'e Selectors<'e>, devices: &'e DeviceLists<'e>) -> Self {
        let known = vec![Vec::new(); selectors.expressions.len()];
        Self { selectors, devices, known, left: Limits { cost: MOST_COST, work: MOST_WORK } }
    }

    /// Whether all selectors of a request hold on a device of a list. The first one that does not ends it.
    ///
    /// # Errors
    /// [`Spent`] when all evaluations together took too much work.
    pub fn suits(&mut self, group: usize, list: usize, device: usize) -> Result<bool, Spent> {
        let Some(content) = self.devices.list(list).get(device).map(|device| device.content) else { return Ok(false) };
        let selectors = self.selectors;
        for expression in selectors.groups.get(group).map(Vec::as_slice).unwrap_or_default() {
            if !self.holds(*expression, content).ok_or(Spent { group })? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// How many selectors of a request are left from the first one that does not hold on a device, as far as is known. 0 when
    /// all hold.
    pub fn missing(&self, group: usize, list: usize, device: usize) -> usize {
        let content = self.devices.list(list).get(device).map(|device| device.content);
        let known = |expression: &&usize| self.known.get(**expression)?.get(content?).copied();
        let group = self.selectors.groups.get(group).map(Vec::as_slice).unwrap_or_default();
        group.len() - group.iter().take_while(|expression| known(expression) == Some(Known::Matches)).count()
    }

    /// The device of a list on which the fewest selectors of a request are [missing](Self::missing): how many, and its place.
    pub fn nearest(&self, group: usize, list: usize) -> Option<(usize, usize)> {
        let devices = 0..self.devices.list(list).len();
        devices.map(|device| (self.missing(group, list, device), device)).min()
    }

    /// The first selector of a request that does not hold on a device: its place among them, and the term that decides, with its
    /// operands. `None` when that is too much work. It evaluates parts of the selector anew, so it is for people who ask.
    pub fn why_not(&self, group: usize, list: usize, device: usize) -> Option<(usize, String)> {
        let missing = self.missing(group, list, device);
        let group = self.selectors.groups.get(group)?;
        let place = group.len().checked_sub(missing)?;
        let selector = self.selectors.expressions.get(*group.get(place)?)?.as_ref().ok()?;
        let seen = self.devices.seen(self.devices.list(list).get(device)?)?;
        Some((place, selector.why_not(seen, MOST_EXPLAINED)?.text))
    }

    /// Whether an expression holds. `None` when that took too much work.
    fn holds(&mut self, expression: usize, content: usize) -> Option<bool> {
        let known = self.known.get_mut(expression)?;
        if known.is_empty() {
            known.resize(self.devices.contents(), Known::Nothing);
        }
        let known = known.get_mut(content)?;
        if *known == Known::Nothing {
            *known = match (self.selectors.expressions.get(expression)?, self.devices.content(content)) {
                (Ok(selector), Some(device)) => {
                    let found = selector.matches_within(device, self.left);
                    self.left.cost = self.left.cost.saturating_sub(found.cost);
                    self.left.work = self.left.work.saturating_sub(found.work);
                    if self.left.cost == 0 || self.left.work == 0 {
                        return None;
                    }
                    if found.outcome.is_ok_and(|matches| matches) { Known::Matches } else { Known::Differs }
                }
                _ => Known::Differs,
            };
        }
        Some(*known == Known::Matches)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const DEVICES: &str = r#"[{
        "name": "gpu", "driver": "gpu.nvidia.com", "count": 8,
        "attributes": {
            "architecture": {"string": "Hopper"}, "ver": {"version": "9.0.0"}, "n": {"int": 8}, "b": {"bool": true},
            "other.io/x": {"string": "y"}
        },
        "capacity": {"memory": {"value": "141Gi"}}
    }]"#;

    /// What a selector makes of the only device of a list.
    fn outcome(text: &str, devices: &str) -> Result<bool, String> {
        outcome_in(SelectorMode::Tolerant, text, devices)
    }

    fn outcome_in(mode: SelectorMode, text: &str, devices: &str) -> Result<bool, String> {
        let (mut selectors, mut lists) = (Selectors::new(mode), DeviceLists::default());
        let group = selectors.add([text].into_iter()).map_err(|unparsed| unparsed.why)?;
        let list = lists.add(devices).expect("a list of devices");
        Ok(Evaluation::new(&selectors, &lists).suits(group, list, 0).expect("little work"))
    }

    /// The table of Modelplane v0.3.1, with the answers of Kubernetes.
    #[test]
    fn selectors_on_a_device() {
        #[track_caller]
        fn check(text: &str, want: bool) {
            let text = text.replace("A.", r#"device.attributes["gpu.nvidia.com"]."#);
            let text = text.replace("A[", r#"device.attributes["gpu.nvidia.com"]["#);
            let text = text.replace("C.", r#"device.capacity["gpu.nvidia.com"]."#);
            assert_eq!(outcome(&text, DEVICES), Ok(want), "{text}");
        }
        check(r#"C.memory.compareTo(quantity("141Gi")) >= 0"#, true);
        check(r#"C.memory == quantity("141Gi")"#, true);
        check(r#"A.ver != semver("1.0.0")"#, true);
        check(r#"C.memory >= quantity("1Gi")"#, false);
        check(r#"A.ver > semver("1.0.0")"#, false);
        check(r#"A.architecture == "Hopper""#, true);
        check(r#"A["architecture"] == "Hopper""#, true);
        check(r#"A.architecture.string == "Hopper""#, false);
        check(r#"A.ver == "9.0.0""#, false);
        check("A.n == 8.0", true);
        check(r#"A.nope == "x" || true"#, true);
        check(r#"true || A.nope == "x""#, true);
        check(r#"!(A.nope == "x")"#, false);
        check("has(A.architecture)", true);
        check("has(A.nope)", false);
        check(r#"has(device.attributes["x"])"#, false);
        check(r#""zzz" in device.attributes"#, false);
        check(r#"device.attributes["zzz"].x == "y""#, false);
        check(r#"device.attributes["other.io"].x == "y""#, true);
        check("device.count == 8", false);
        check(r#"device.name == "gpu""#, false);
        check("nosuchfn(1)", false);
        check("nosuchvar == 1", false);
        check(r#"device.driver.lowerAscii() == "gpu.nvidia.com""#, true);
        check(r#"cel.bind(d, device.driver, d == "gpu.nvidia.com")"#, true);
        for text in [r#""x""#, "1", "null"] {
            check(text, false);
        }
        check("A.b", true);
        check("A.?n.orValue(1) == 8", true);
        // Of what only v0.3.1 accepts.
        check("C.memory.sign() == 1", true);
        check(r#"isQuantity("Mi")"#, false);
        for text in [r#"isQuantity("200K")"#, r#"isQuantity(" 5Gi")"#, r#"isQuantity("1e3Gi")"#] {
            check(text, false);
        }
        check(r#"quantity("8Ei").compareTo(quantity("10Ei")) == 0"#, true);
        check(r#"quantity("0.0000000004") == quantity("0.000000001")"#, true);
        for text in ["1.0", "v1.0.0", "1.0.0-01", "1.0.0-", "1.0.0+"] {
            check(&format!(r#"isSemver("{text}")"#), false);
        }
        check(r#"isSemver("1.0", true) && semver("v01.01", true) == semver("1.1.0")"#, true);
    }

    #[test]
    fn only_text_that_is_no_expression_is_invalid() {
        for text in ["", "  ", "// nothing", "a ) b", "1 +", "device.driver = 'x'"] {
            let why = outcome(text, DEVICES).expect_err(text);
            assert!(!why.is_empty() && !why.contains('\n'), "{text}: {why}");
        }
        let why = outcome("a ) b", DEVICES).expect_err("no expression");
        assert!(why.starts_with("1:3: Syntax error: "), "{why}");
    }

    /// What the modes differ in.
    #[test]
    fn strict_selectors() {
        #[track_caller]
        fn check(text: &str, tolerant: bool, strict: Result<bool, &str>) {
            assert_eq!(outcome(text, DEVICES), Ok(tolerant), "{text}");
            let found = outcome_in(SelectorMode::Strict, text, DEVICES);
            match strict {
                Ok(matches) => assert_eq!(found, Ok(matches), "{text}"),
                Err(part) => assert!(found.as_ref().is_err_and(|why| why.contains(part)), "{text}: {found:?}"),
            }
        }
        check(r#"device.driver == "gpu.nvidia.com""#, true, Ok(true));
        check(r#"device.capacity["gpu.nvidia.com"].memory.sign() == 1"#, true, Err("no matching overload for 'sign'"));
        check(r#"isQuantity("Mi")"#, false, Ok(true));
        check("device.drivers == 'a'", false, Err("undefined field 'drivers'"));
        check("1", false, Err("must evaluate to bool"));
        // It fails on the device, which is no mistake in its types.
        check(r#"device.attributes["gpu.nvidia.com"].nope == "x""#, false, Ok(false));
    }

    #[test]
    fn mistakes_are_found() {
        let mut selectors = Selectors::default();
        let mut add = |texts: &'static [&str]| selectors.add(texts.iter().copied()).expect("expressions");
        let (sound, wrong) = (add(&["true"]), add(&["true", "1"]));
        assert_eq!(selectors.mistake(sound), None);
        assert_eq!(selectors.mistake(wrong).map(|(place, _)| place), Some(1));
    }

    #[test]
    fn a_device_that_cannot_be_read_matches_nothing() {
        let check = |devices: &str, want: bool| assert_eq!(outcome("true", devices), Ok(want), "{devices}");
        check(r#"[{"driver": "d"}]"#, true);
        check(r#"[{"attributes": null, "capacity": {}}]"#, true);
        check(r#"[{"driver": "d", "attributes": {"x": {}}}]"#, false);
        check(r#"[{"driver": "d", "attributes": {"x": {"version": "1"}}}]"#, false);
        check(r#"[{"driver": "d", "attributes": 1}]"#, false);
        check(r#"[{"driver": "d", "capacity": {"memory": {"value": "80GiB"}}}]"#, false);
        check(r#"[{"driver": "d", "capacity": {"memory": {}}}]"#, true);
    }

    #[test]
    fn equal_selectors_and_contents_are_evaluated_once() {
        let (mut selectors, mut lists) = (Selectors::default(), DeviceLists::default());
        let mut add = |texts: &'static [&str]| selectors.add(texts.iter().copied());
        assert_eq!(add(&["true", "device.driver == 'a'"]), Ok(0));
        assert_eq!(add(&["device.driver == 'a'"]), Ok(1));
        assert_eq!(add(&["true", "device.driver == 'a'"]), Ok(0));
        assert_eq!(add(&[]), Ok(2));
        assert_eq!(add(&["true", "("]).expect_err("no expression").index, 1);
        let texts = [r#"[{"driver": "a", "count": 1}]"#, r#"[{"driver": "a", "count": 2}, {"driver": "b"}]"#];
        assert_eq!(texts.map(|text| lists.add(text)), [Some(0), Some(1)]);
        assert_eq!((selectors.count(), selectors.expressions.len(), lists.contents()), (3, 2, 2));
        let mut evaluation = Evaluation::new(&selectors, &lists);
        let mut check = |group, list, device, want| assert_eq!(evaluation.suits(group, list, device), Ok(want));
        check(0, 0, 0, true);
        check(0, 1, 0, true);
        check(0, 1, 1, false);
        check(1, 1, 1, false);
        check(2, 1, 1, true);
        check(2, 1, 2, false);
        assert_eq!(evaluation.known, [vec![Known::Matches; 2], vec![Known::Matches, Known::Differs]]);
    }

    #[test]
    fn terms_that_decide() {
        let devices = r#"[{"driver": "a"}, {"driver": "b", "capacity": {"memory": {"value": "80Gi"}}}]"#;
        let (mut selectors, mut lists) = (Selectors::default(), DeviceLists::default());
        let memory = r#"device.capacity["b"].memory.compareTo(quantity("141Gi")) >= 0"#;
        let group = selectors.add([r#"device.driver == "b""#, memory].into_iter()).expect("expressions");
        let list = lists.add(devices).expect("a list of devices");
        let mut evaluation = Evaluation::new(&selectors, &lists);
        assert_eq!((0..2).map(|it| evaluation.suits(group, list, it)).collect::<Vec<_>>(), [Ok(false), Ok(false)]);
        assert_eq!([0, 1].map(|device| evaluation.missing(group, list, device)), [2, 1]);
        let why = |device| evaluation.why_not(group, list, device);
        assert_eq!(why(0), Some((0, r#"device.driver: "a" != "b""#.to_owned())));
        assert_eq!(why(1), Some((1, r#"device.capacity["b"].memory: 80Gi < 141Gi"#.to_owned())));
    }

    #[test]
    fn the_work_of_a_call_has_a_limit() {
        let devices = r#"[{"driver": "a"}, {"driver": "b"}, {"driver": "c"}]"#;
        let (mut selectors, mut lists) = (Selectors::default(), DeviceLists::default());
        let group = selectors.add(["[1, 2, 3].all(x, x > 0)"].into_iter()).expect("an expression");
        let list = lists.add(devices).expect("a list of devices");
        let check = |left: Limits, want: &[Result<bool, Spent>]| {
            let mut evaluation = Evaluation { left, ..Evaluation::new(&selectors, &lists) };
            let found: Vec<_> = (0..3).map(|device| evaluation.suits(group, list, device)).collect();
            assert_eq!(found, want, "{left:?}");
        };
        let spent = Err(Spent { group });
        check(Limits { cost: 49, work: MOST_WORK }, &[Ok(true), Ok(true), Ok(true)]);
        check(Limits { cost: 40, work: MOST_WORK }, &[Ok(true), Ok(true), spent]);
        check(Limits { cost: MOST_COST, work: 1 }, &[spent, spent, spent]);
    }
}
