//! One secret: its values, or what is known of it.

use std::borrow::Cow;
use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::value::RawValue;
use signet_keys::Plaintext;

use super::VaultStore;
use super::place::{Place, Side};
use super::session::{self, Verb};
use super::settings::KvVersion;
use crate::rest::Reply;
use crate::store::{Part, Reference, StoreError, StoreErrorKind, Value};

/// Nothing is sent along.
pub(super) const NOTHING: Option<&()> = None;

/// The values of a secret, each as the server wrote it: numbers keep their text.
type Values<'a> = BTreeMap<Cow<'a, str>, &'a RawValue>;

#[derive(Deserialize)]
struct Version1<'a> {
    #[serde(borrow)]
    data: Option<Values<'a>>,
}

#[derive(Deserialize)]
struct Version2<'a> {
    #[serde(borrow)]
    data: Option<Versioned<'a>>,
}

#[derive(Deserialize)]
struct Versioned<'a> {
    #[serde(borrow)]
    data: Option<Values<'a>>,
}

/// What is known of a secret as a whole.
#[derive(Deserialize, Default)]
pub(super) struct Known {
    #[serde(default)]
    pub(super) custom_metadata: Option<BTreeMap<String, String>>,
    #[serde(default)]
    pub(super) current_version: u64,
    #[serde(default)]
    created_time: String,
    #[serde(default)]
    delete_version_after: String,
}

#[derive(Deserialize)]
struct Answer<T> {
    data: T,
}

impl VaultStore {
    pub(super) async fn read_one(&self, reference: &Reference) -> Result<Value, StoreError> {
        let place = Place::of(&reference.key, &self.settings)?;
        if reference.part == Part::Metadata {
            return self.metadata(&place).await;
        }
        let version = reference
            .version
            .as_deref()
            .map(|version| ("version", version));
        if version.is_some() && self.settings.version == KvVersion::V1 {
            return Err(StoreError::new(
                StoreErrorKind::Invalid,
                format!(
                    "`{}`: an engine of version 1 keeps no versions",
                    place.name()
                ),
            ));
        }
        let reply = self.data(&place, version).await?;
        let values = self.values(&reply)?;
        values
            .map(|values| json(&values))
            .ok_or_else(|| gone(&place, &reply))
    }

    /// The values of a secret as JSON; nothing if there is no such secret.
    pub(super) async fn current(&self, place: &Place) -> Result<Option<Value>, StoreError> {
        match self.data(place, None).await {
            Ok(reply) => Ok(self.values(&reply)?.map(|values| json(&values))),
            Err(error) if error.is_gone() => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// What is known of a secret; nothing if there is no such secret.
    pub(super) async fn known(&self, place: &Place) -> Result<Option<Known>, StoreError> {
        let reply = self
            .session
            .ask(
                &self.settings.auth,
                Verb::Read,
                &place.segments(Side::Metadata),
                &[],
                NOTHING,
            )
            .await?;
        if reply.status == 404 {
            return Ok(None);
        }
        if !reply.is_success() {
            return Err(session::refused(
                &reply,
                &format!("the metadata of `{}`", place.name()),
            ));
        }
        let answer: Answer<Known> = reply.json().map_err(|error| session::answer(&error))?;
        Ok(Some(answer.data))
    }

    async fn data(
        &self,
        place: &Place,
        version: Option<(&str, &str)>,
    ) -> Result<Reply, StoreError> {
        let query: Vec<_> = version.into_iter().collect();
        let reply = self
            .session
            .ask(
                &self.settings.auth,
                Verb::Read,
                &place.segments(Side::Data),
                &query,
                NOTHING,
            )
            .await?;
        if reply.is_success() {
            return Ok(reply);
        }
        if reply.status == 404 {
            return Err(gone(place, &reply));
        }
        Err(session::refused(&reply, &format!("`{}`", place.name())))
    }

    fn values<'a>(&self, reply: &'a Reply) -> Result<Option<Values<'a>>, StoreError> {
        let body = reply.body();
        let read = match self.settings.version {
            KvVersion::V1 => serde_json::from_slice::<Version1>(body).map(|answer| answer.data),
            KvVersion::V2 => serde_json::from_slice::<Version2>(body)
                .map(|answer| answer.data.and_then(|versioned| versioned.data)),
        };
        // What serde says about it could quote the body.
        read.map_err(|_| {
            StoreError::new(
                StoreErrorKind::Answer,
                format!("the answer of {} is not understood", reply.server()),
            )
        })
    }

    async fn metadata(&self, place: &Place) -> Result<Value, StoreError> {
        if self.settings.version == KvVersion::V1 {
            return Err(StoreError::new(
                StoreErrorKind::Invalid,
                format!(
                    "`{}`: an engine of version 1 keeps no metadata",
                    place.name()
                ),
            ));
        }
        let known = self.known(place).await?;
        let known = known.ok_or_else(|| missing(place))?;
        let mut all = known.custom_metadata.unwrap_or_default();
        all.insert("created_time".into(), known.created_time);
        all.insert("current_version".into(), known.current_version.to_string());
        all.insert("delete_version_after".into(), known.delete_version_after);
        let text = serde_json::to_vec(&all).map_err(|_| missing(place))?;
        Ok(Value::Bytes(Plaintext::new(text)))
    }
}

/// A version that was deleted or destroyed answers 404 like a secret that never was, but with its
/// metadata.
fn gone(place: &Place, reply: &Reply) -> StoreError {
    #[derive(Deserialize)]
    struct Deleted<'a> {
        #[serde(borrow)]
        data: Option<BTreeMap<Cow<'a, str>, &'a RawValue>>,
    }
    let deleted = serde_json::from_slice::<Deleted>(reply.body());
    let has_metadata = |data: &BTreeMap<_, _>| data.contains_key("metadata");
    if deleted.is_ok_and(|deleted| deleted.data.as_ref().is_some_and(has_metadata)) {
        return StoreError::new(
            StoreErrorKind::VersionMissing,
            format!(
                "the version of `{}` that is asked for is deleted",
                place.name()
            ),
        );
    }
    missing(place)
}

pub(super) fn missing(place: &Place) -> StoreError {
    StoreError::new(
        StoreErrorKind::Missing,
        format!(
            "there is no secret `{}`",
            place.segments(Side::Metadata).join("/")
        ),
    )
}

/// JSON as Go writes a map: keys sorted, nothing between, `<`, `>` and `&` escaped. The values are the
/// server's own text, which is so already.
fn json(values: &Values) -> Value {
    let mut text = Vec::with_capacity(values.values().map(|value| value.get().len() + 32).sum());
    text.push(b'{');
    for (position, (key, value)) in values.iter().enumerate() {
        if position > 0 {
            text.push(b',');
        }
        text.extend_from_slice(quoted(key).as_bytes());
        text.push(b':');
        text.extend_from_slice(value.get().as_bytes());
    }
    text.push(b'}');
    Value::Bytes(Plaintext::new(text))
}

pub(super) fn quoted(text: &str) -> String {
    serde_json::Value::from(text)
        .to_string()
        .replace('<', "\\u003c")
        .replace('>', "\\u003e")
        .replace('&', "\\u0026")
        .replace('\u{2028}', "\\u2028")
        .replace('\u{2029}', "\\u2029")
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn values_keep_their_text_and_keys_are_sorted_and_escaped_as_go_has_them() {
        let answer =
            br#"{"data":{"data":{"b":12345678901234567890,"a<":"x\u0026y","c":{"z":1.50}}}}"#;
        let read: Version2 = serde_json::from_slice(answer).unwrap();
        let Value::Bytes(text) = json(&read.data.unwrap().data.unwrap()) else {
            panic!("not bytes");
        };
        assert_eq!(
            std::str::from_utf8(text.expose()).unwrap(),
            r#"{"a\u003c":"x\u0026y","b":12345678901234567890,"c":{"z":1.50}}"#
        );
    }
}
