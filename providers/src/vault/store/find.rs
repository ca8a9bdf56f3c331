//! Searching: the folders below a path, one by one.

use std::collections::BTreeMap;

use regex::Regex;
use serde::Deserialize;

use super::VaultStore;
use super::place::{Place, Side};
use super::read::NOTHING;
use super::session::{self, Verb};
use super::settings::KvVersion;
use crate::store::{Query, StoreError, StoreErrorKind, Value};

/// Secrets and folders that one search looks at.
const MOST: usize = 20_000;

#[derive(Deserialize)]
struct Listing {
    data: Keys,
}

#[derive(Deserialize)]
struct Keys {
    #[serde(default)]
    keys: Vec<String>,
}

impl VaultStore {
    pub(super) async fn find_all(
        &self,
        query: &Query,
    ) -> Result<BTreeMap<String, Value>, StoreError> {
        if !query.tags.is_empty() && self.settings.version == KvVersion::V1 {
            return Err(StoreError::new(
                StoreErrorKind::Invalid,
                "an engine of version 1 has no tags to search by",
            ));
        }
        let name = query.name.as_deref().map(pattern).transpose()?;
        let mut found = BTreeMap::new();
        for place in self.walk(query.path.as_deref().unwrap_or_default()).await? {
            let full = place.name();
            if name.as_ref().is_some_and(|name| !name.is_match(&full)) {
                continue;
            }
            if !query.tags.is_empty() && !self.has_tags(&place, &query.tags).await? {
                continue;
            }
            // What is deleted is listed until it is destroyed.
            if let Some(value) = self.current(&place).await? {
                found.insert(full, value);
            }
        }
        Ok(found)
    }

    /// All secrets below a path.
    async fn walk(&self, path: &str) -> Result<Vec<Place>, StoreError> {
        let mut folders = vec![Place::of(path, &self.settings)?];
        let mut secrets = Vec::new();
        let mut seen = 0;
        while let Some(folder) = folders.pop() {
            for key in self.list(&folder).await? {
                let place = folder.below(&key);
                if key.ends_with('/') {
                    folders.push(place);
                } else {
                    secrets.push(place);
                }
                seen += 1;
                if seen > MOST {
                    return Err(StoreError::new(
                        StoreErrorKind::Invalid,
                        format!("there are more than {MOST} secrets below `{path}`"),
                    )
                    .with_hint("search below a longer path"));
                }
            }
        }
        Ok(secrets)
    }

    async fn list(&self, folder: &Place) -> Result<Vec<String>, StoreError> {
        let path = folder.segments(Side::Metadata);
        let reply = self
            .session
            .ask(&self.settings.auth, Verb::List, &path, &[], NOTHING)
            .await?;
        if reply.status == 404 {
            return Ok(Vec::new());
        }
        if !reply.is_success() {
            return Err(session::refused(
                &reply,
                &format!("the list of `{}/`", folder.name()),
            ));
        }
        let listing: Listing = reply.json().map_err(|error| session::answer(&error))?;
        Ok(listing.data.keys)
    }

    async fn has_tags(
        &self,
        place: &Place,
        tags: &BTreeMap<String, String>,
    ) -> Result<bool, StoreError> {
        let known = self.known(place).await?.unwrap_or_default();
        let has = known.custom_metadata.unwrap_or_default();
        Ok(tags
            .iter()
            .all(|(name, value)| has.get(name) == Some(value)))
    }
}

fn pattern(text: &str) -> Result<Regex, StoreError> {
    Regex::new(text).map_err(|_| {
        StoreError::new(
            StoreErrorKind::Invalid,
            format!("`{text}` is not a regular expression"),
        )
    })
}
