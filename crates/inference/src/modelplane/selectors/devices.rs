//! The devices of pools, as clusters publish them.

use std::cmp::Ordering;
use std::collections::BTreeMap;

use cel::Device;
use serde::Deserialize;
use serde_json::value::RawValue;
use serde_json::{Value, json};

/// Lists of devices. Equal ones are read once, and equal devices are converted once.
#[derive(Default)]
pub struct DeviceLists<'d> {
    lists: Vec<Vec<PublishedDevice<'d>>>,
    /// By digest and text. `None` for a text that is no list of devices.
    by_text: BTreeMap<(u64, ByWords<'d>), Option<usize>>,
    /// What selectors see of devices. `None` when that cannot be read: the device then matches nothing.
    contents: Vec<Option<Device>>,
    /// By digest and content.
    by_content: BTreeMap<(u64, Content<'d>), usize>,
}

/// An entry in a list of devices.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PublishedDevice<'d> {
    /// How many of these a node has.
    pub count: u64,
    /// Whether pods claim it. Synthetic devices only describe a node.
    pub claimed: bool,
    /// The class that it is claimed from. Empty when it has none.
    pub class: &'d str,
    /// Its driver. Empty when it has none.
    pub driver: &'d str,
    /// The number of its content, which equal devices share.
    pub(super) content: usize,
}

/// What selectors see of a device: its driver, and the texts of attributes and capacity.
type Content<'d> = (&'d str, &'d str, &'d str);

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", default)]
#[derive(Default)]
struct ReadDevice<'d> {
    count: Option<i64>,
    claim: Option<&'d str>,
    driver: Option<&'d str>,
    device_class_name: Option<&'d str>,
    #[serde(borrow)]
    attributes: Option<&'d RawValue>,
    #[serde(borrow)]
    capacity: Option<&'d RawValue>,
}

impl<'d> DeviceLists<'d> {
    /// Adds a list, as JSON text. Returns its number, which equal texts share. `None` when it is no list of devices. An empty
    /// text is an empty list.
    pub fn add(&mut self, text: &'d str) -> Option<usize> {
        let key = (digest(text), ByWords(text));
        if let Some(known) = self.by_text.get(&key) {
            return *known;
        }
        let read: Option<Vec<ReadDevice<'d>>> =
            if text.is_empty() { Some(Vec::new()) } else { serde_json::from_str(text).ok() };
        let number = read.map(|devices| {
            let devices = devices.into_iter().map(|device| self.device(&device)).collect();
            self.lists.push(devices);
            self.lists.len() - 1
        });
        self.by_text.insert(key, number);
        number
    }

    /// The devices of a list.
    pub fn list(&self, number: usize) -> &[PublishedDevice<'d>] {
        self.lists.get(number).map(Vec::as_slice).unwrap_or_default()
    }

    /// Adds a list that is equal to another one, with a number of its own.
    pub fn apart(&mut self, number: usize) -> usize {
        self.lists.push(self.list(number).to_vec());
        self.lists.len() - 1
    }

    /// Every list, by number.
    pub fn lists(&self) -> impl Iterator<Item = &[PublishedDevice<'d>]> {
        self.lists.iter().map(Vec::as_slice)
    }

    /// What selectors see of an entry. `None` when that cannot be read: no selector matches then.
    pub fn seen(&self, entry: &PublishedDevice<'_>) -> Option<&Device> {
        self.content(entry.content)
    }

    /// How many different contents there are.
    pub(super) fn contents(&self) -> usize {
        self.contents.len()
    }

    pub(super) fn content(&self, number: usize) -> Option<&Device> {
        self.contents.get(number)?.as_ref()
    }

    fn device(&mut self, read: &ReadDevice<'d>) -> PublishedDevice<'d> {
        let text = |value: Option<&'d RawValue>| value.map(RawValue::get).unwrap_or_default();
        let content = (read.driver.unwrap_or_default(), text(read.attributes), text(read.capacity));
        let next = self.contents.len();
        let key = (digest(content.1).wrapping_add(digest(content.2)), content);
        let number = *self.by_content.entry(key).or_insert(next);
        if number == next {
            self.contents.push(converted(content));
        }
        PublishedDevice {
            // A negative number reads as 0.
            count: read.count.and_then(|count| u64::try_from(count).ok()).unwrap_or_default(),
            claimed: read.claim.is_none_or(|claim| claim == "DRA"),
            class: read.device_class_name.unwrap_or_default(),
            driver: read.driver.unwrap_or_default(),
            content: number,
        }
    }
}

/// A text, ordered by its length and then by words of eight bytes. The lists of a fleet are two megabytes, and WebAssembly compares
/// bytes one by one.
#[derive(Clone, Copy, PartialEq, Eq)]
struct ByWords<'d>(&'d str);

impl Ord for ByWords<'_> {
    fn cmp(&self, other: &Self) -> Ordering {
        let (ours, theirs) = (self.0.as_bytes(), other.0.as_bytes());
        let (of_ours, of_theirs) = (ours.chunks_exact(8), theirs.chunks_exact(8));
        let rest = of_ours.remainder().cmp(of_theirs.remainder());
        ours.len().cmp(&theirs.len()).then_with(|| of_ours.map(word).cmp(of_theirs.map(word))).then(rest)
    }
}

impl PartialOrd for ByWords<'_> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

fn word(bytes: &[u8]) -> u64 {
    bytes.try_into().map_or(0, u64::from_le_bytes)
}

/// A number that differs for most different texts. Lists of a fleet begin alike, so to compare each with many others takes long,
/// most of all in WebAssembly, which compares bytes one by one.
fn digest(text: &str) -> u64 {
    const FACTOR: u64 = 0x9e37_79b9_7f4a_7c15;
    let step = |digest: u64, word: u64| (digest.rotate_left(5) ^ word).wrapping_mul(FACTOR);
    let words = text.as_bytes().chunks_exact(8);
    let rest = words.remainder().iter().fold(0, |word, byte| word << 8 | u64::from(*byte));
    step(words.map(word).fold(text.len() as u64, step), rest)
}

fn converted((driver, attributes, capacity): Content<'_>) -> Option<Device> {
    let value = |text: &str| if text.is_empty() { Ok(Value::Null) } else { serde_json::from_str(text) };
    let device = json!({"attributes": value(attributes).ok()?, "capacity": value(capacity).ok()?});
    Device::of(driver, &device).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digests() {
        let texts = ["", "a", "b", "ab", "ba", "12345678", "12345679", "123456781", "123456782", "\0", "\0\0"];
        let different: std::collections::BTreeSet<_> = texts.iter().map(|text| digest(text)).collect();
        assert_eq!(different.len(), texts.len());
    }

    #[test]
    fn the_order_of_texts() {
        let texts =
            ["", "a", "b", "ab", "12345678", "12345679", "123456780", "123456781", "123456789abcdefg", "\u{e9}"];
        for (one, other) in texts.iter().flat_map(|one| texts.iter().map(move |other| (one, other))) {
            let found = ByWords(one).cmp(&ByWords(other));
            assert_eq!(found == Ordering::Equal, one == other, "{one} {other}");
            assert_eq!(ByWords(other).cmp(&ByWords(one)), found.reverse(), "{one} {other}");
        }
    }

    #[test]
    fn published_devices() {
        #[track_caller]
        fn check(text: &str, want: Option<&[(u64, bool, &str)]>) {
            let mut lists = DeviceLists::default();
            let number = lists.add(text);
            let found =
                number.map(|it| lists.list(it).iter().map(|it| (it.count, it.claimed, it.class)).collect::<Vec<_>>());
            assert_eq!(found.as_deref(), want, "{text}");
        }
        check("", Some(&[]));
        check("[]", Some(&[]));
        check(
            r#"[{"name": "gpu", "count": 8, "deviceClassName": "gpu.nvidia.com"}]"#,
            Some(&[(8, true, "gpu.nvidia.com")]),
        );
        check(
            r#"[{"count": 8, "claim": "Synthetic"}, {"claim": "DRA", "count": 1}]"#,
            Some(&[(8, false, ""), (1, true, "")]),
        );
        check(r#"[{}, {"count": -1}, {"count": 0}]"#, Some(&[(0, true, ""), (0, true, ""), (0, true, "")]));
        for odd in ["{}", "1", "[1]", r#"[{"count": "8"}]"#, r#"[{"driver": 1}]"#] {
            check(odd, None);
        }
    }
}
