//! Reads the changes of a plan from the command line.

use crate::wit::plan::{Addition, Change, Scaling};

/// `NAMESPACE/NAME=NUMBER`.
pub(super) fn scaling(text: &str) -> Result<Change, String> {
    let read = || {
        let (object, number) = text.rsplit_once('=')?;
        let (namespace, name) =
            object.split_once('/').filter(|(namespace, name)| is_name(namespace) && is_name(name))?;
        Some(Change::Scale(Scaling {
            namespace: namespace.to_owned(),
            name: name.to_owned(),
            number: number.parse().ok()?,
        }))
    };
    read().ok_or_else(|| "write NAMESPACE/NAME=NUMBER, e.g. `chat/qwen=6`".to_owned())
}

/// `CLUSTER` or `CLUSTER/POOL`.
pub(super) fn place(text: &str) -> Result<Vec<String>, String> {
    let parts: Vec<_> = text.split('/').map(str::to_owned).collect();
    if parts.len() <= 2 && parts.iter().all(|part| is_name(part)) {
        Ok(parts)
    } else {
        Err("write CLUSTER, or CLUSTER/POOL for one of its pools".to_owned())
    }
}

/// `CLUSTER/POOL=CLASS:NODES`.
pub(super) fn addition(text: &str) -> Result<Change, String> {
    let read = || {
        let (at, what) = text.split_once('=')?;
        let (class, number) = what.rsplit_once(':').filter(|(class, _)| is_name(class))?;
        let place = place(at).ok().filter(|place| place.len() == 2)?;
        Some(Change::Add(Addition { place, class: class.to_owned(), number: number.parse().ok()? }))
    };
    read().ok_or_else(|| "write CLUSTER/POOL=CLASS:NODES, e.g. `gke-europe/l4=l4-1:4`".to_owned())
}

fn is_name(text: &str) -> bool {
    !text.is_empty() && !text.contains(['/', '='])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn changes() {
        let scaled = |namespace: &str, name: &str, number| {
            Ok(Change::Scale(Scaling { namespace: namespace.to_owned(), name: name.to_owned(), number }))
        };
        assert_eq!(scaling("chat/qwen=6"), scaled("chat", "qwen", 6));
        assert_eq!(scaling("chat/qwen=0"), scaled("chat", "qwen", 0));
        for wrong in ["", "qwen=6", "chat/qwen", "chat/qwen=-1", "chat/=1", "a/b/c=1", "chat/qwen=many"] {
            assert!(scaling(wrong).is_err(), "{wrong}");
        }
        let parts = |parts: &[&str]| -> Vec<String> { parts.iter().map(|&part| part.to_owned()).collect() };
        assert_eq!(place("gke"), Ok(parts(&["gke"])));
        assert_eq!(place("gke/l4"), Ok(parts(&["gke", "l4"])));
        for wrong in ["", "/", "gke/", "a/b/c", "a=b"] {
            assert!(place(wrong).is_err(), "{wrong}");
        }
        let added = Addition { place: parts(&["gke", "l4"]), class: "l4-1".to_owned(), number: 4 };
        assert_eq!(addition("gke/l4=l4-1:4"), Ok(Change::Add(added)));
        for wrong in ["", "gke=l4-1:4", "gke/l4=l4-1", "gke/l4=:4", "gke/l4=l4-1:x"] {
            assert!(addition(wrong).is_err(), "{wrong}");
        }
    }
}
