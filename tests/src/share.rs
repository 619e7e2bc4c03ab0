//! The share of its cases that a large suite runs, where there is no time for all.

use std::env;

/// The variable that says the share: `1/3` is every third case, from the second on.
const VARIABLE: &str = "SAILPLANE_SHARE";

/// Every case whose place leaves this rest.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Share {
    /// What is left of the place.
    pub rest: usize,
    /// What the place is divided by.
    pub of: usize,
}

impl Share {
    /// All cases.
    pub const ALL: Self = Self { rest: 0, of: 1 };

    /// The share that the variable says. Without it, all cases.
    ///
    /// # Panics
    /// When the variable says no share.
    #[must_use]
    pub fn of_this_run() -> Self {
        let said = env::var(VARIABLE).ok().filter(|said| !said.is_empty());
        said.map_or(Self::ALL, |said| {
            Self::read(&said).unwrap_or_else(|| panic!("{VARIABLE}={said}: no share like 1/3"))
        })
    }

    /// Whether the case at this place is one of it.
    #[must_use]
    pub fn has(self, place: usize) -> bool {
        place % self.of == self.rest
    }

    fn read(said: &str) -> Option<Self> {
        let (rest, of) = said.split_once('/')?;
        let share = Self { rest: rest.parse().ok()?, of: of.parse().ok()? };
        (share.rest < share.of).then_some(share)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_are_read() {
        #[track_caller]
        fn check(said: &str, places: Option<&[usize]>) {
            let found = Share::read(said).map(|share| (0..6).filter(|place| share.has(*place)).collect::<Vec<_>>());
            assert_eq!(found.as_deref(), places, "{said}");
        }
        check("0/1", Some(&[0, 1, 2, 3, 4, 5]));
        check("0/3", Some(&[0, 3]));
        check("2/3", Some(&[2, 5]));
        check("3/3", None);
        check("0/0", None);
        check("1", None);
        check("-1/3", None);
        check("", None);
    }
}
