//! Amounts of memory, in whole bytes.

use quantity::Quantity;

/// The suffixes of canonical texts, the largest first, and the powers of two that they are.
const SUFFIXES: [(&str, u32); 6] = [("Ei", 60), ("Pi", 50), ("Ti", 40), ("Gi", 30), ("Mi", 20), ("Ki", 10)];

/// The most memory that Kubernetes counts.
const MOST: i128 = i64::MAX as i128;

/// The bytes of `spec.memory`: a whole number with a binary suffix. `None` when it is 0, or more than Kubernetes counts.
pub fn declared(text: &str) -> Option<i128> {
    let suffix = SUFFIXES.iter().skip(2).find_map(|(suffix, power)| Some((text.strip_suffix(suffix)?, power)));
    let (digits, power) = suffix?;
    if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let digits = digits.trim_start_matches('0');
    let number: i128 = digits.get(..19).map_or(digits, |_| digits).parse().ok()?;
    number.checked_mul(1 << power).filter(|bytes| (1..=MOST).contains(bytes))
}

/// Why [`declared`] has no bytes for a text, for people.
pub const UNDECLARED: &str =
    "no amount of memory that a model can have; give more than 0 and less than 8Ei, like `80Gi`";

/// The bytes of any quantity, rounded up. `None` when it is no quantity, or negative.
pub fn bytes(text: &str) -> Option<i128> {
    text.parse::<Quantity>().ok().map(|quantity| of(&quantity)).filter(|bytes| *bytes >= 0)
}

/// The bytes of a quantity, rounded up.
pub fn of(quantity: &Quantity) -> i128 {
    quantity.ceil().into()
}

/// So many MiB. `None` when they are not whole ones.
pub fn in_mebibytes(bytes: i128) -> Option<i128> {
    (bytes % (1 << 20) == 0).then_some(bytes >> 20)
}

/// An amount with the largest binary suffix that divides it.
pub fn canonical(bytes: i128) -> String {
    let fits = |(_, power): &&(&str, u32)| bytes != 0 && bytes % (1 << power) == 0;
    match SUFFIXES.iter().find(fits) {
        Some((suffix, power)) => format!("{}{suffix}", bytes >> power),
        None => bytes.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn declared_memory() {
        let check = |text, want| assert_eq!(declared(text), want, "{text:?}");
        check("1Ki", Some(1024));
        check("16384Mi", Some(16 << 30));
        check("16Gi", Some(16 << 30));
        check("1Ti", Some(1 << 40));
        check("0000000000000000000000000000000000000000016Gi", Some(16 << 30));
        check("8388607Ti", Some(8_388_607 << 40));
        check("8388608Ti", None);
        check("1000000000000000000000000000000Ti", None);
        for text in ["0Gi", "00Mi", "80", "1.5Gi", "16GB", "-1Gi", "Gi", "", " 1Gi", "1Pi", "+1Gi"] {
            check(text, None);
        }
    }

    #[test]
    fn amounts_of_any_form() {
        let check = |text, want| assert_eq!(bytes(text), want, "{text:?}");
        check("75Gi", Some(75 << 30));
        check("1.5", Some(2));
        check("0", Some(0));
        check("1e3", Some(1000));
        check("-1Gi", None);
        check("much", None);
    }

    #[test]
    fn canonical_texts() {
        let check = |bytes, want| assert_eq!(canonical(bytes), want);
        check(88_583_700_480, "84480Mi");
        check(79 << 30, "79Gi");
        check(1_181_116_007, "1181116007");
        check(1 << 40, "1Ti");
        check(1 << 60, "1Ei");
        check(1536, "1536");
        check(2048, "2Ki");
        check(0, "0");
        check(-(2 << 30), "-2Gi");
    }
}
