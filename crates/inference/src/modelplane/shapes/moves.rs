//! Applies the rows of the table that keep or drop a value.

use serde_json::Value;
use toolbox::path;

use super::rows::{Becomes, ROWS};
use super::shaped::{Dropped, Misshapen, Shaped, given, remove};

/// Moves and drops what the rows of a kind say. `None` when the object has none of these fields.
pub(super) fn moved(kind: &str, object: &Value, wrong: &mut Vec<Misshapen>) -> Option<Shaped> {
    let mut shaped: Option<Shaped> = None;
    for row in ROWS.iter().filter(|row| row.kind == kind) {
        for (old, index) in places(object, row.old) {
            let new = row.new.replacen("[]", &format!("[{index}]"), 1);
            match row.becomes {
                Becomes::Same => {
                    let shaped = begun(&mut shaped, object);
                    if given(&shaped.object, &new).is_some() {
                        let other = if given(object, &new).is_some() { &new } else { &written(shaped, &new) };
                        wrong.push(Misshapen::mixed(&old, other));
                    } else if let Some(value) = remove(&mut shaped.object, &old) {
                        path::set(&mut shaped.object, &new, value);
                        shaped.written.place(new, old);
                    }
                }
                Becomes::Dropped(why) => {
                    let shaped = begun(&mut shaped, object);
                    remove(&mut shaped.object, &old);
                    shaped.written.dropped.push(Dropped { path: old, message: why.to_owned() });
                }
                Becomes::Made(_) => {}
            }
        }
    }
    shaped
}

/// The object, which is copied at the first change.
pub(super) fn begun<'s>(shaped: &'s mut Option<Shaped>, object: &Value) -> &'s mut Shaped {
    shaped.get_or_insert_with(|| Shaped { object: object.clone(), ..Shaped::default() })
}

fn written(shaped: &Shaped, new: &str) -> String {
    let mut path = new.to_owned();
    shaped.written.rename(&mut path);
    path
}

/// The paths that a row is about in an object, with the index for `[]`.
fn places(object: &Value, old: &str) -> Vec<(String, usize)> {
    match old.split_once("[]") {
        None => given(object, old).map(|_| (old.to_owned(), 0)).into_iter().collect(),
        Some((list, rest)) => {
            let count = path::get(object, list).and_then(Value::as_array).map_or(0, Vec::len);
            let place = |index| (format!("{list}[{index}]{rest}"), index);
            (0..count).map(place).filter(|(path, _)| given(object, path).is_some()).collect()
        }
    }
}
