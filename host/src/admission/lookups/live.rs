//! Reads from the API server itself, for lookups where a cache may be a moment behind.
//!
//! Everybody who may create an object can cause such reads, with an object that is refused. So each is for objects by
//! their names, or for a list of bounded length.

use futures_util::future::{join_all, try_join_all};
use kube::api::ListParams;
use kube::{Api, Client};
use serde::Deserialize;

use super::object::ReadObject;
use super::objects::Key;
use super::{Answered, Lookups, WatchedKind, key};
use crate::admission::client::one_line;
use crate::wit::catalog::Scope;
use crate::wit::types::{LookupAnswer, MatchBy, ObservedObject, Selector};

/// The most objects that are read for a lookup. What has more is not looked up.
const MOST: usize = 1_000;
/// The most objects in one response of the API server.
const PAGE: usize = 250;

impl Lookups {
    /// The answers of the API server. An API server finds objects by name and by labels. What was looked up by values is
    /// read again by the names that the cache gave. A lookup that fails has no answer.
    pub(in crate::admission) async fn read(&self, answered: &[Answered]) -> Vec<LookupAnswer> {
        let reads = answered.iter().map(|Answered { lookup, answer }| async move {
            let kind = self.kinds.get(&key(&lookup.selector.kind))?;
            match self.read_one(kind, &lookup.selector, &answer.objects).await {
                Ok(objects) => {
                    let objects = kind.cache.select_among(objects?, &lookup.selector)?;
                    Some(LookupAnswer { name: lookup.name.clone(), objects })
                }
                Err(error) => {
                    tracing::warn!(kind = kind.resource.kind, "cannot look up: {}", one_line(&error));
                    None
                }
            }
        });
        join_all(reads).await.into_iter().flatten().collect()
    }

    /// The objects that a lookup may find. `None` when there are more than may be read.
    async fn read_one(
        &self,
        kind: &WatchedKind,
        selector: &Selector,
        known: &[ObservedObject],
    ) -> Result<Option<Vec<ReadObject>>, kube::Error> {
        let namespaced = kind.scope == Scope::Namespaced;
        let namespace = selector.namespace.as_deref().filter(|_| namespaced);
        let api = api(&self.client, kind, namespace);
        match &selector.match_by {
            MatchBy::Name(name) if namespace.is_some() || !namespaced => {
                Ok(Some(api.get_opt(name).await?.into_iter().collect()))
            }
            MatchBy::Name(name) => {
                let named = ListParams::default().fields(&format!("metadata.name={name}"));
                list(&api, named, selector.limit).await
            }
            MatchBy::Labels(labels) => {
                let labels: Vec<_> = labels.iter().map(|(key, value)| format!("{key}={value}")).collect();
                let labels = Some(labels.join(",")).filter(|labels| !labels.is_empty());
                list(&api, ListParams { label_selector: labels, ..ListParams::default() }, selector.limit).await
            }
            MatchBy::Values(_) if known.len() > MOST => Ok(None),
            MatchBy::Values(_) => {
                let reads = known.iter().filter_map(name_of).map(|(namespace, name)| {
                    let api = self::api(&self.client, kind, Some(namespace.as_str()).filter(|_| namespaced));
                    async move { api.get_opt(&name).await }
                });
                Ok(Some(try_join_all(reads).await?.into_iter().flatten().collect()))
            }
        }
    }
}

fn api(client: &Client, kind: &WatchedKind, namespace: Option<&str>) -> Api<ReadObject> {
    match namespace {
        Some(namespace) => Api::namespaced_with(client.clone(), namespace, &kind.resource),
        None => Api::all_with(client.clone(), &kind.resource),
    }
}

/// The first objects of a list, up to `limit`. `None` when there is no limit, and more objects than may be read.
async fn list(
    api: &Api<ReadObject>,
    mut params: ListParams,
    limit: Option<u32>,
) -> Result<Option<Vec<ReadObject>>, kube::Error> {
    let wanted = limit.and_then(|limit| usize::try_from(limit).ok());
    let most = wanted.unwrap_or(MOST).min(MOST);
    let mut objects = Vec::new();
    loop {
        params.limit = u32::try_from(PAGE.min(most - objects.len())).ok();
        let page = api.list(&params).await?;
        objects.extend(page.items);
        params.continue_token = page.metadata.continue_.filter(|token| !token.is_empty());
        let more = params.continue_token.is_some() || objects.len() > most;
        if !more {
            return Ok(Some(objects));
        }
        if objects.len() >= most {
            objects.truncate(most);
            return Ok((wanted == Some(most)).then_some(objects));
        }
    }
}

/// Namespace and name of an object that the cache gave.
fn name_of(known: &ObservedObject) -> Option<Key> {
    #[derive(Deserialize)]
    struct Named {
        metadata: Names,
    }
    #[derive(Deserialize)]
    struct Names {
        name: String,
        #[serde(default)]
        namespace: String,
    }
    let Named { metadata } = serde_json::from_str(&known.object).ok()?;
    Some((metadata.namespace, metadata.name))
}
