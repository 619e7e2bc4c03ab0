//! Semantic versions, read as the API server's CEL library and the device allocator do.

use std::cmp::Ordering;
use std::fmt;
use std::str::FromStr;

/// A semantic version. Versions compare by precedence, so build metadata does not count, even for `==`.
#[derive(Clone, Debug)]
pub struct Version {
    /// The major version: `1` of `1.2.3`.
    pub major: u64,
    /// The minor version: `2` of `1.2.3`.
    pub minor: u64,
    /// The patch version: `3` of `1.2.3`.
    pub patch: u64,
    prerelease: Vec<Identifier>,
    build: Vec<String>,
    /// The bytes of the pre-release.
    length: usize,
}

/// An identifier of a pre-release. Numbers come before words.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Identifier {
    Number(u64),
    Word(String),
}

impl Version {
    /// Reads a version as `semver(text, true)` does: it accepts a leading `v`, leading zeros, and a missing minor or patch
    /// version.
    ///
    /// # Errors
    /// [`VersionError`], when the text is not a version even so.
    pub fn tolerant(text: &str) -> Result<Self, VersionError> {
        let text = text.strip_prefix('v').unwrap_or(text);
        let mut parts: Vec<String> = text.splitn(3, '.').map(without_leading_zeros).collect();
        if parts.len() < 3 && parts.last().is_some_and(|last| last.contains(['+', '-'])) {
            return Err(VersionError::ShortWithLabels);
        }
        parts.resize(3, "0".to_owned());
        parts.join(".").parse()
    }

    /// The number of bytes of the pre-release: a measure of the work that a comparison takes.
    pub const fn length(&self) -> usize {
        self.length
    }

    /// The next major version: `2.0.0` after `1.2.3-rc.1`.
    pub fn next_major(&self) -> Self {
        Self::plain(self.major.saturating_add(1), 0, 0)
    }

    /// The next minor version: `1.3.0` after `1.2.3-rc.1`.
    pub fn next_minor(&self) -> Self {
        Self::plain(self.major, self.minor.saturating_add(1), 0)
    }

    /// The next patch version: `1.2.4` after `1.2.3-rc.1`.
    pub fn next_patch(&self) -> Self {
        Self::plain(self.major, self.minor, self.patch.saturating_add(1))
    }

    fn plain(major: u64, minor: u64, patch: u64) -> Self {
        Self { major, minor, patch, prerelease: Vec::new(), build: Vec::new(), length: 0 }
    }
}

impl FromStr for Version {
    type Err = VersionError;

    /// Reads `major.minor.patch`, optionally with `-` and a pre-release, and optionally with `+` and a build.
    fn from_str(text: &str) -> Result<Self, VersionError> {
        let mut parts = text.splitn(3, '.');
        let (Some(major), Some(minor), Some(patch)) = (parts.next(), parts.next(), parts.next()) else {
            return Err(if text.is_empty() { VersionError::Empty } else { VersionError::Parts });
        };
        let (patch, build) = match patch.split_once('+') {
            Some((patch, build)) => (patch, Some(build)),
            None => (patch, None),
        };
        let (patch, prerelease) = match patch.split_once('-') {
            Some((patch, prerelease)) => (patch, Some(prerelease)),
            None => (patch, None),
        };
        let mut version = Self::plain(number(major, "major")?, number(minor, "minor")?, number(patch, "patch")?);
        version.length = prerelease.map_or(0, str::len);
        for identifier in prerelease.into_iter().flat_map(|text| text.split('.')) {
            let digits = checked(identifier, "pre-release")?.bytes().all(|byte| byte.is_ascii_digit());
            let identifier = if digits {
                Identifier::Number(number(identifier, "pre-release")?)
            } else {
                Identifier::Word(identifier.to_owned())
            };
            version.prerelease.push(identifier);
        }
        for identifier in build.into_iter().flat_map(|text| text.split('.')) {
            version.build.push(checked(identifier, "build")?.to_owned());
        }
        Ok(version)
    }
}

impl fmt::Display for Version {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}.{}", self.major, self.minor, self.patch)?;
        for (index, identifier) in self.prerelease.iter().enumerate() {
            f.write_str(if index == 0 { "-" } else { "." })?;
            match identifier {
                Identifier::Number(number) => write!(f, "{number}")?,
                Identifier::Word(word) => f.write_str(word)?,
            }
        }
        for (index, identifier) in self.build.iter().enumerate() {
            write!(f, "{}{identifier}", if index == 0 { "+" } else { "." })?;
        }
        Ok(())
    }
}

impl PartialEq for Version {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Version {}

impl PartialOrd for Version {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Version {
    fn cmp(&self, other: &Self) -> Ordering {
        let numbers = |it: &Self| (it.major, it.minor, it.patch);
        numbers(self)
            .cmp(&numbers(other))
            // `1.0.0-rc` comes before `1.0.0`.
            .then_with(|| self.prerelease.is_empty().cmp(&other.prerelease.is_empty()))
            .then_with(|| self.prerelease.cmp(&other.prerelease))
    }
}

/// The text is not a semantic version. Where a variant names a part, it is `major`, `minor`, `patch`, `pre-release` or
/// `build`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum VersionError {
    /// The text is empty.
    Empty,
    /// There are fewer than three parts.
    Parts,
    /// A tolerant version without minor or patch version has a pre-release or build.
    ShortWithLabels,
    /// An identifier of this part is empty.
    EmptyIdentifier(&'static str),
    /// This part has a character that is not allowed.
    Characters(&'static str, String),
    /// This part is a number with leading zeros.
    LeadingZeros(&'static str, String),
    /// This number does not fit 64 bits.
    Range(String),
}

impl fmt::Display for VersionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Empty | Self::Parts => f.write_str("not a version like `1.2.3`"),
            Self::ShortWithLabels => f.write_str("a version without minor or patch takes no pre-release and no build"),
            Self::EmptyIdentifier(part) => write!(f, "an identifier of the {part} is empty"),
            Self::Characters(part @ ("pre-release" | "build"), text) => {
                write!(f, "{part} `{text}` is not of letters, digits and hyphens")
            }
            Self::Characters(part, text) => write!(f, "{part} version `{text}` is not a number"),
            Self::LeadingZeros(part, text) => write!(f, "{part} number `{text}` must not have leading zeros"),
            Self::Range(text) => write!(f, "number `{text}` does not fit 64 bits"),
        }
    }
}

impl std::error::Error for VersionError {}

fn number(text: &str, part: &'static str) -> Result<u64, VersionError> {
    if text.is_empty() || !text.bytes().all(|byte| byte.is_ascii_digit()) {
        return Err(VersionError::Characters(part, text.to_owned()));
    }
    if text.len() > 1 && text.starts_with('0') {
        return Err(VersionError::LeadingZeros(part, text.to_owned()));
    }
    text.parse().map_err(|_| VersionError::Range(text.to_owned()))
}

fn checked<'t>(identifier: &'t str, part: &'static str) -> Result<&'t str, VersionError> {
    if identifier.is_empty() {
        return Err(VersionError::EmptyIdentifier(part));
    }
    let fits = identifier.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-');
    if fits { Ok(identifier) } else { Err(VersionError::Characters(part, identifier.to_owned())) }
}

/// `007` → `7`, `0` and `000` → `0`, `00-rc` → `0-rc`.
fn without_leading_zeros(part: &str) -> String {
    if part.len() < 2 {
        return part.to_owned();
    }
    let rest = part.trim_start_matches('0');
    if rest.starts_with(|first: char| first.is_ascii_digit()) { rest.to_owned() } else { format!("0{rest}") }
}
