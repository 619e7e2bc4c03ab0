//! Reads from the API server itself, for lookups where a cache may be a moment behind.

use std::collections::BTreeMap;

use kube::api::ListParams;
use kube::core::DynamicObject;
use kube::{Api, Client};

use super::cache::{entry, select};
use super::{Lookups, WatchedKind, key};
use crate::admission::client::one_line;
use crate::wit::catalog::Scope;
use crate::wit::types::{Lookup, LookupAnswer, MatchBy, Selector};

impl Lookups {
    /// The answers of the API server. A lookup that fails has no answer.
    pub(in crate::admission) async fn read(&self, lookups: &[Lookup]) -> Vec<LookupAnswer> {
        let reads = lookups.iter().map(|lookup| async move {
            let kind = self.kinds.get(&key(&lookup.selector.kind))?;
            match read(&self.client, kind, &lookup.selector).await {
                Ok(listed) => {
                    let entries: BTreeMap<_, _> =
                        listed.into_iter().filter_map(|object| entry(&kind.resource, object)).collect();
                    let objects =
                        entries.iter().map(|((namespace, name), entry)| (namespace.as_str(), name.as_str(), entry));
                    Some(LookupAnswer { name: lookup.name.clone(), objects: select(objects, &lookup.selector) })
                }
                Err(error) => {
                    tracing::warn!(kind = kind.resource.kind, "cannot look up: {}", one_line(&error));
                    None
                }
            }
        });
        futures_util::future::join_all(reads).await.into_iter().flatten().collect()
    }
}

async fn read(client: &Client, kind: &WatchedKind, selector: &Selector) -> Result<Vec<DynamicObject>, kube::Error> {
    let api: Api<DynamicObject> = match (&selector.namespace, kind.scope) {
        (Some(namespace), Scope::Namespaced) => Api::namespaced_with(client.clone(), namespace, &kind.resource),
        _ => Api::all_with(client.clone(), &kind.resource),
    };
    let params = match &selector.match_by {
        MatchBy::Name(name) => ListParams::default().fields(&format!("metadata.name={name}")),
        MatchBy::Labels(labels) => {
            let labels: Vec<_> = labels.iter().map(|(key, value)| format!("{key}={value}")).collect();
            ListParams::default().labels(&labels.join(","))
        }
    };
    Ok(api.list(&params).await?.items)
}
