//! Metadata of the Secrets that SealedSecrets are named like.
//!
//! It comes by two ways: the watch, and answers to requests. An answer may arrive after the watch
//! has told that the Secret of which it tells was deleted; it must not bring that one back, for
//! nothing would ever take it out again. So a request is a [`Question`], and what the watch tells
//! while it is open counts more than its answer.

use std::{
    collections::{HashMap, HashSet},
    sync::{Arc, RwLock},
};

use k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta;

use super::{read, write};
use crate::object::{ObjectKey, is_newer};

/// Metadata of the Secrets that SealedSecrets are named like.
#[derive(Debug, Default)]
pub struct Targets(RwLock<Known>);

#[derive(Debug, Default)]
struct Known {
    secrets: HashMap<ObjectKey, Arc<ObjectMeta>>,
    questions: HashMap<ObjectKey, Meanwhile>,
}

/// What the watch told while a question was open.
#[derive(Debug, Default)]
struct Meanwhile {
    /// UIDs of the Secrets of this name that were deleted.
    deleted: HashSet<String>,
    /// A list without a Secret of this name came to its end. It may be of before the answer or of
    /// after it.
    missed: bool,
}

/// Requests about a Secret that are under way. One at a time for a name: the queue sees to that.
#[derive(Debug)]
pub struct Question<'a> {
    targets: &'a Targets,
    key: ObjectKey,
}

impl Targets {
    /// What is known of the Secret of this name.
    pub fn get(&self, key: &ObjectKey) -> Option<Arc<ObjectMeta>> {
        read(&self.0).secrets.get(key).cloned()
    }

    /// To be asked for before a request about a Secret whose answer is to be kept.
    pub fn question(&self, key: &ObjectKey) -> Question<'_> {
        let open = Meanwhile::default();
        write(&self.0).questions.insert(key.clone(), open);
        Question {
            targets: self,
            key: key.clone(),
        }
    }

    /// Keeps the metadata of a Secret as the watch has it; false if what is known is at least as
    /// new.
    pub fn put(&self, key: ObjectKey, meta: ObjectMeta) -> bool {
        write(&self.0).put(key, meta)
    }

    /// Keeps the metadata of a Secret as a list has it, whatever was known; false if it was the same.
    pub fn set(&self, key: ObjectKey, mut meta: ObjectMeta) -> bool {
        meta.managed_fields = None;
        let version = meta.resource_version.clone();
        let before = write(&self.0).secrets.insert(key, Arc::new(meta));
        before.is_none_or(|before| before.resource_version != version)
    }

    /// Drops what is known of a Secret.
    pub fn remove(&self, key: &ObjectKey) {
        write(&self.0).secrets.remove(key);
    }

    /// The watch tells that a Secret was deleted. False if another one of its name is known: that
    /// one stays.
    pub fn deleted(&self, key: &ObjectKey, meta: &ObjectMeta) -> bool {
        let mut known = write(&self.0);
        if let (Some(open), Some(uid)) = (known.questions.get_mut(key), &meta.uid) {
            open.deleted.insert(uid.clone());
        }
        let is_other = |there: &Arc<ObjectMeta>| there.uid != meta.uid;
        if known.secrets.get(key).is_some_and(is_other) {
            return false;
        }
        known.secrets.remove(key);
        true
    }

    /// A list of the Secrets that are `here` has come to its end. Drops those that it did not have,
    /// and returns their names.
    pub fn retain(
        &self,
        here: impl Fn(&ObjectKey) -> bool,
        listed: &HashSet<ObjectKey>,
    ) -> Vec<ObjectKey> {
        let mut known = write(&self.0);
        let missed = |key: &ObjectKey| here(key) && !listed.contains(key);
        for (key, open) in &mut known.questions {
            open.missed |= missed(key);
        }
        let gone: Vec<_> = known
            .secrets
            .keys()
            .filter(|key| missed(key))
            .cloned()
            .collect();
        for key in &gone {
            known.secrets.remove(key);
        }
        gone
    }

    /// The names of all.
    pub fn keys(&self) -> Vec<ObjectKey> {
        read(&self.0).secrets.keys().cloned().collect()
    }
}

impl Question<'_> {
    /// Keeps what an answer says of the Secret. False if that Secret is gone by now, or may be: then
    /// nothing is kept, and who wants to know has to ask again.
    pub fn answered(&self, meta: ObjectMeta) -> bool {
        let mut known = write(&self.targets.0);
        let open = known.questions.get(&self.key);
        let is_gone = open.is_some_and(|open| {
            let deleted = meta
                .uid
                .as_ref()
                .is_some_and(|uid| open.deleted.contains(uid));
            deleted || open.missed
        });
        if !is_gone {
            known.put(self.key.clone(), meta);
        }
        !is_gone
    }
}

impl Drop for Question<'_> {
    fn drop(&mut self) {
        write(&self.targets.0).questions.remove(&self.key);
    }
}

impl Known {
    fn put(&mut self, key: ObjectKey, mut meta: ObjectMeta) -> bool {
        let is_stale = |known: &Arc<ObjectMeta>| {
            let (version, known_version) = (
                meta.resource_version.as_deref(),
                known.resource_version.as_deref(),
            );
            known.uid == meta.uid && !is_newer(version, known_version)
        };
        if self.secrets.get(&key).is_some_and(is_stale) {
            return false;
        }
        meta.managed_fields = None;
        self.secrets.insert(key, Arc::new(meta));
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn meta(uid: &str, version: &str) -> ObjectMeta {
        ObjectMeta {
            name: Some("a".into()),
            namespace: Some("n".into()),
            uid: Some(uid.into()),
            resource_version: Some(version.into()),
            ..Default::default()
        }
    }

    fn key() -> ObjectKey {
        ObjectKey::new("n", "a")
    }

    #[test]
    fn a_list_counts_whatever_its_versions_are() {
        let targets = Targets::default();
        assert!(targets.set(key(), meta("1", "10")));
        assert!(targets.set(key(), meta("1", "3")));
        assert!(!targets.set(key(), meta("1", "3")));
    }

    #[test]
    fn an_object_made_anew_under_the_same_name_replaces_the_old_one() {
        let targets = Targets::default();
        assert!(targets.put(key(), meta("1", "10")));
        assert!(targets.put(key(), meta("2", "11")));
        assert!(
            !targets.deleted(&key(), &meta("1", "12")),
            "it was the old one"
        );
        assert!(targets.get(&key()).is_some());
        assert!(targets.deleted(&key(), &meta("2", "13")));
        assert_eq!(targets.get(&key()), None);
    }

    #[test]
    fn an_answer_about_a_secret_that_was_deleted_meanwhile_is_not_kept() {
        let targets = Targets::default();
        let question = targets.question(&key());
        targets.put(key(), meta("1", "10"));
        assert!(targets.deleted(&key(), &meta("1", "11")));
        assert!(!question.answered(meta("1", "10")));
        assert_eq!(targets.get(&key()), None);
        assert!(question.answered(meta("2", "12")), "another one is there");
        assert!(targets.get(&key()).is_some());
    }

    #[test]
    fn an_answer_is_not_kept_when_a_list_meanwhile_did_not_have_the_secret() {
        for (namespace, kept) in [("n", false), ("elsewhere", true)] {
            let targets = Targets::default();
            let question = targets.question(&key());
            let here = |key: &ObjectKey| key.namespace == namespace;
            assert_eq!(targets.retain(here, &HashSet::new()), []);
            assert_eq!(question.answered(meta("1", "10")), kept, "{namespace}");
        }
    }

    #[test]
    fn issue_1289_nothing_is_remembered_of_a_deletion_that_nobody_asks_about() {
        let targets = Targets::default();
        drop(targets.question(&key()));
        targets.deleted(&key(), &meta("1", "11"));
        assert!(read(&targets.0).questions.is_empty());
        assert!(targets.question(&key()).answered(meta("1", "10")));
    }
}
