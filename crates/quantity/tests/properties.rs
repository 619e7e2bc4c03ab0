//! What holds for every quantity.

use proptest::prelude::*;
use quantity::{Quantity, Version};

const QUANTITY: &str = "[+-]?[0-9]{0,25}[.]?[0-9]{0,12}([numkMGTPE]|[KMGTPE]i|[eE][+-]?[0-9]{1,3})?";

proptest! {
    /// The canonical form is the same amount, and its own canonical form.
    #[test]
    fn canonical_form_is_stable(text in QUANTITY) {
        if let Ok(quantity) = text.parse::<Quantity>() {
            let printed = quantity.to_string();
            let again = printed.parse::<Quantity>().map_err(|_| TestCaseError::fail(printed.clone()))?;
            prop_assert_eq!(again.to_string(), printed);
            prop_assert_eq!(again, quantity);
        }
    }

    /// Comparing is a total order that agrees with subtraction.
    #[test]
    fn comparison_is_a_total_order(texts in prop::collection::vec(QUANTITY, 3)) {
        let quantities: Vec<Quantity> = texts.iter().filter_map(|text| text.parse().ok()).collect();
        if let [a, b, c] = quantities.as_slice() {
            prop_assert_eq!(a.cmp(b), b.cmp(a).reverse());
            prop_assert!(!(a <= b && b <= c) || a <= c);
            if let Ok(difference) = a.subtract(b) {
                prop_assert_eq!(a.cmp(b), difference.sign().cmp(&0));
                prop_assert_eq!(&difference.add(b).map_err(|_| TestCaseError::fail("too long"))?, a);
            }
        }
    }

    /// Versions print as they were read, and compare as a total order.
    #[test]
    fn versions(texts in prop::collection::vec("v?[0-9]{1,2}([.][0-9]{1,2}){0,3}(-[a-z0-9.-]{1,4})?([+][a-z0-9.]{1,4})?", 3)) {
        let versions: Vec<Version> = texts.iter().filter_map(|text| Version::tolerant(text).ok()).collect();
        for version in &versions {
            let again = version.to_string().parse::<Version>();
            prop_assert_eq!(again.as_ref(), Ok(version));
        }
        if let [a, b, c] = versions.as_slice() {
            prop_assert_eq!(a.cmp(b), b.cmp(a).reverse());
            prop_assert!(!(a <= b && b <= c) || a <= c);
        }
    }

    /// Quantities are ASCII, digits included; anything else is an error, and no harm.
    #[test]
    fn quantities_are_ascii(text in "\\PC{0,40}") {
        prop_assert!(text.parse::<Quantity>().is_err() || text.is_ascii());
        prop_assert!(text.parse::<Version>().is_err() || text.is_ascii());
    }
}
