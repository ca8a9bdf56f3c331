//! What a file had and its new text no longer has.

use std::collections::BTreeSet;

use signet_documents::manifest::Resource;

use super::comments;
use crate::manifest::Manifest;
use crate::sealed::{self, Sealed};

/// Items, objects and comments that are in `old` alone, in words and in order.
pub(super) fn lost(old: &Manifest, new: &Manifest) -> Vec<String> {
    let objects: BTreeSet<_> = new.resources().map(|it| identity(&it)).collect();
    let sealed: Vec<Sealed<'_>> = sealed::all(new).flatten().collect();
    let mut lost = Vec::new();
    for resource in old.resources() {
        let known = identity(&resource);
        if !objects.contains(&known) {
            let (kind, name) = known;
            lost.push(format!("{kind} `{name}`"));
        }
    }
    for old in sealed::all(old).flatten() {
        let known = identity(&old.resource);
        let same = |it: &&Sealed<'_>| identity(&it.resource) == known;
        let Some(new) = sealed.iter().find(same) else {
            continue;
        };
        let new = &new.object.spec.encrypted_data;
        let items = old.object.spec.encrypted_data.keys();
        let gone = items.filter(|item| !new.contains_key(*item));
        lost.extend(gone.map(|item| format!("item `{item}` of `{}`", known.1)));
    }
    let there = comments::all(&new.stream);
    match comments::all(&old.stream).difference(&there).count() {
        0 => {}
        1 => lost.push("a comment".to_owned()),
        more => lost.push(format!("{more} comments")),
    }
    lost
}

/// Kind, and namespace with name. A Secret has become what it is sealed as.
fn identity(resource: &Resource<'_>) -> (String, String) {
    let kind = match resource.kind() {
        Some("Secret") => "SealedSecret",
        Some(kind) => kind,
        None => "a document",
    };
    let name = resource.name().unwrap_or("-");
    let name = match resource.namespace() {
        Some(namespace) => format!("{namespace}/{name}"),
        None => name.to_owned(),
    };
    (kind.to_owned(), name)
}
