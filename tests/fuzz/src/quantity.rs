//! Bytes → quantities, versions, durations and times. A parsed value is printed as a text that parses to the same
//! value, and sums are consistent with the order.
#![no_main]

use libfuzzer_sys::{Corpus, fuzz_target};
use quantity::{Date, Duration, Quantity, Time, Version, is_date_time};

fuzz_target!(|bytes: &[u8]| -> Corpus {
    let Ok(text) = std::str::from_utf8(bytes) else { return Corpus::Reject };
    let (first, second) = text.split_once(' ').unwrap_or((text, "1"));
    if let Ok(version) = Version::tolerant(first) {
        assert_eq!(version.to_string().parse().as_ref(), Ok(&version), "a version prints as the same");
    }
    if let Ok(duration) = text.parse::<Duration>() {
        assert_eq!(duration.to_string().parse(), Ok(duration), "a duration prints as the same");
    }
    if let Ok(date) = text.parse::<Date>() {
        assert_eq!(date.to_string(), text, "a day prints as it was read");
        assert_eq!(Date::from_days(date.days()), date, "days are counted both ways");
    }
    if let Ok(time) = text.parse::<Time>() {
        let printed = time.to_string();
        // The largest offset that is parsed is 24:60, which is printed as 25:00.
        let again = if printed.ends_with("25:00") { Ok(time) } else { printed.parse() };
        assert_eq!(again, Ok(time), "a time prints as the same");
    }
    let _ = is_date_time(text);
    let Ok(quantity) = first.parse::<Quantity>() else { return Corpus::Keep };
    let printed = quantity.to_string();
    assert_eq!(printed.parse().as_ref(), Ok(&quantity), "a quantity prints as the same amount");
    if let Ok(other) = second.parse::<Quantity>()
        && let Ok(difference) = quantity.subtract(&other)
    {
        assert_eq!(quantity.cmp(&other) as i32, difference.sign(), "the order is the sign of the difference");
        assert_eq!(difference.add(&other).as_ref(), Ok(&quantity), "what is taken away can be put back");
    }
    let (rounded, exact) = quantity.rounded_up(0);
    assert_eq!(exact, rounded == quantity, "rounding says whether it lost anything");
    Corpus::Keep
});
