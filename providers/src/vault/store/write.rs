//! Writing and deleting, and what is left alone: secrets that the External Secrets Operator, or we in its
//! place, did not make.

use serde_json::{Map, Value as Json, json};

use super::VaultStore;
use super::place::{Place, Side};
use super::read::NOTHING;
use super::session::{self, Verb};
use super::settings::KvVersion;
use crate::store::{Deleted, Push, Pushed, StoreError, StoreErrorKind, Value};

/// By this the operator knows what it may overwrite.
const MANAGED_BY: (&str, &str) = ("managed-by", "external-secrets");
/// Where version 1, which has no metadata, keeps it: among the values.
const EMBEDDED: &str = "custom_metadata";

/// What stands under a key now.
struct Standing {
    values: Option<Map<String, Json>>,
    managed: bool,
    version: u64,
}

impl VaultStore {
    pub(super) async fn write(&self, push: &Push) -> Result<Pushed, StoreError> {
        let place = Place::of(&push.key, &self.settings)?;
        let standing = self.standing(&place).await?;
        if standing.values.is_some() && !standing.managed {
            return Err(foreign(&place));
        }
        let mut values = standing.values.clone().unwrap_or_default();
        if let Some(property) = &push.property {
            values.insert(property.clone(), Json::String(text(&push.value, &place)?));
        } else {
            values = object(&push.value, &place)?;
        }
        if self.settings.version == KvVersion::V1 {
            values.insert(EMBEDDED.to_owned(), json!({ MANAGED_BY.0: MANAGED_BY.1 }));
        }
        if standing.values.as_ref() == Some(&values) {
            return Ok(Pushed::Unchanged);
        }
        self.put(&place, &standing, values).await?;
        Ok(Pushed::Written)
    }

    pub(super) async fn has(&self, key: &str, property: Option<&str>) -> Result<bool, StoreError> {
        let place = Place::of(key, &self.settings)?;
        let values = self.standing(&place).await?.values;
        Ok(values
            .is_some_and(|values| property.is_none_or(|property| values.contains_key(property))))
    }

    pub(super) async fn remove(
        &self,
        key: &str,
        property: Option<&str>,
    ) -> Result<Deleted, StoreError> {
        let place = Place::of(key, &self.settings)?;
        let standing = self.standing(&place).await?;
        let Some(mut values) = standing.values.clone() else {
            return Ok(Deleted::Missing);
        };
        if !standing.managed {
            return Ok(Deleted::Foreign);
        }
        if let Some(property) = property {
            if values.remove(property).is_none() {
                return Ok(Deleted::Missing);
            }
            if values.keys().any(|key| key != EMBEDDED) {
                self.put(&place, &standing, values).await?;
                return Ok(Deleted::Deleted);
            }
        }
        // With the metadata go all versions.
        self.send(Verb::Delete, &place, Side::Metadata, None)
            .await?;
        Ok(Deleted::Deleted)
    }

    async fn standing(&self, place: &Place) -> Result<Standing, StoreError> {
        let values = match self.current(place).await? {
            Some(value) => Some(object(&value, place)?),
            None => None,
        };
        let (name, by) = MANAGED_BY;
        if self.settings.version == KvVersion::V1 {
            let mark = values.as_ref().and_then(|values| values.get(EMBEDDED));
            let managed = mark.is_some_and(|mark| mark[name] == by);
            return Ok(Standing {
                values,
                managed,
                version: 0,
            });
        }
        let known = self.known(place).await?;
        let version = known.as_ref().map_or(0, |known| known.current_version);
        let tags = known.and_then(|known| known.custom_metadata);
        Ok(Standing {
            values,
            managed: tags.is_some_and(|tags| tags.get(name).is_some_and(|value| value == by)),
            version,
        })
    }

    async fn put(
        &self,
        place: &Place,
        standing: &Standing,
        values: Map<String, Json>,
    ) -> Result<(), StoreError> {
        if self.settings.version == KvVersion::V1 {
            return self
                .send(Verb::Write, place, Side::Data, Some(&Json::Object(values)))
                .await;
        }
        // First whose it is: a secret without an owner would be left alone for ever.
        if !standing.managed {
            let mark = json!({ "custom_metadata": { MANAGED_BY.0: MANAGED_BY.1 } });
            self.send(Verb::Write, place, Side::Metadata, Some(&mark))
                .await?;
        }
        let mut body = json!({ "data": values });
        if self.settings.check_and_set {
            body["options"] = json!({ "cas": standing.version });
        }
        self.send(Verb::Write, place, Side::Data, Some(&body)).await
    }

    async fn send(
        &self,
        verb: Verb,
        place: &Place,
        side: Side,
        body: Option<&Json>,
    ) -> Result<(), StoreError> {
        let path = place.segments(side);
        let auth = &self.settings.auth;
        let reply = match body {
            Some(body) => self.session.ask(auth, verb, &path, &[], Some(body)).await?,
            None => self.session.ask(auth, verb, &path, &[], NOTHING).await?,
        };
        if reply.is_success() {
            return Ok(());
        }
        // The one thing that a well-formed write with a version is refused for.
        if reply.status == 400 && self.settings.check_and_set && side == Side::Data {
            return Err(StoreError::new(
                StoreErrorKind::Conflict,
                format!("`{}` was changed meanwhile", place.name()),
            ));
        }
        Err(session::refused(
            &reply,
            &format!("a write of `{}`", place.name()),
        ))
    }
}

fn foreign(place: &Place) -> StoreError {
    let (name, by) = MANAGED_BY;
    StoreError::new(
        StoreErrorKind::Conflict,
        format!("`{}` is there and was not pushed from here", place.name()),
    )
    .with_hint(format!(
        "give it the custom metadata `{name}: {by}` to let it be overwritten, or choose another key"
    ))
}

/// Vault keeps text. Bytes that are none would come back as others (external-secrets#5074).
fn text(value: &Value, place: &Place) -> Result<String, StoreError> {
    let bytes = match value {
        Value::Bytes(bytes) => bytes.expose().to_vec(),
        Value::Fields(_) => return object(value, place).map(|map| Json::Object(map).to_string()),
    };
    String::from_utf8(bytes).map_err(|_| not_text(place))
}

fn object(value: &Value, place: &Place) -> Result<Map<String, Json>, StoreError> {
    match value {
        Value::Bytes(bytes) => serde_json::from_slice(bytes.expose()).map_err(|_| {
            StoreError::new(
                StoreErrorKind::Invalid,
                format!(
                    "what is written to `{}` as a whole must be a JSON object",
                    place.name()
                ),
            )
            .with_hint("name a property to write one value")
        }),
        Value::Fields(fields) => fields
            .iter()
            .map(|(name, value)| {
                let text = std::str::from_utf8(value.expose()).map_err(|_| not_text(place))?;
                Ok((name.clone(), Json::String(text.to_owned())))
            })
            .collect(),
    }
}

fn not_text(place: &Place) -> StoreError {
    StoreError::new(
        StoreErrorKind::Invalid,
        format!(
            "what is written to `{}` is not UTF-8 text, and Vault keeps nothing else",
            place.name()
        ),
    )
    .with_hint("encode it: `{{ .value | b64enc }}` in the template")
}
