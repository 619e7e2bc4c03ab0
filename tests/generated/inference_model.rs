//! Sections of the reference page of InferenceModel: the states of a reservation.

use budget::model::Reservation;
use budget::reserve::STEPS;

use crate::table::{code, table};

/// The section about reservations.
pub(crate) fn reservations() -> String {
    let name = |held: Option<Reservation>| held.map_or("nothing".to_owned(), |held| code(held.as_str()));
    let rows = STEPS.iter().map(|row| {
        let runs = if row.step.runs { "run" } else { "0" };
        [name(row.held), row.when.to_owned(), name(row.step.next), runs.to_owned()]
    });
    format!(
        "## Reservations\n\nWhat a pass makes of what a model holds: of the rows with that, the first whose condition holds.\n\n{}\n",
        table(&["Holds", "When", "Holds then", "Pods"], rows)
    )
}
