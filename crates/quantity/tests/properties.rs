//! What holds for every quantity.

use proptest::prelude::*;
use quantity::Quantity;

proptest! {
    /// The canonical form is the same amount, and its own canonical form.
    #[test]
    fn canonical_form_is_stable(text in "[+-]?[0-9]{0,25}[.]?[0-9]{0,12}([numkMGTPE]|[KMGTPE]i|[eE][+-]?[0-9]{1,3})?") {
        if let Ok(quantity) = text.parse::<Quantity>() {
            let printed = quantity.to_string();
            let again = printed.parse::<Quantity>().map_err(|_| TestCaseError::fail(printed.clone()))?;
            prop_assert_eq!(again, quantity);
            prop_assert_eq!(again.to_string(), printed);
        }
    }

    /// Quantities are ASCII, digits included; anything else is an error, and no harm.
    #[test]
    fn quantities_are_ascii(text in "\\PC{0,40}") {
        prop_assert!(text.parse::<Quantity>().is_err() || text.is_ascii());
    }
}
