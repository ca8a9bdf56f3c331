//! Comments of a Secret: beside the values they stay, and an old value in one stays readable; a few
//! have no place in the sealed form.

use std::collections::BTreeSet;

use signet_documents::manifest::Resource;
use signet_documents::yaml::{CommentKind, Document, Entry, Stream};

use super::secrets::is_secret;
use crate::manifest::{Manifest, Named};

/// Which lines have comments among the values, in words; nothing when there is none.
pub(super) fn beside_values(manifest: &Manifest) -> Option<String> {
    let secrets = manifest.resources().filter(is_secret);
    let lines: Vec<String> = secrets
        .flat_map(|secret| {
            let maps = ["data", "stringData"]
                .into_iter()
                .filter_map(move |field| secret.node.entry(field));
            maps.flat_map(move |map| lines(&secret, map))
        })
        .map(|line| line.to_string())
        .collect();
    let (s, input) = (
        if lines.len() == 1 { "" } else { "s" },
        Named(&manifest.input),
    );
    (!lines.is_empty()).then(|| {
        format!(
            "{input}: comments beside the values are kept, for everybody to read (line{s} {})",
            lines.join(", ")
        )
    })
}

/// Which comments the sealed text no longer has, in words: those inside of flow style, and behind a
/// value with an anchor.
pub(super) fn dropped(manifest: &Manifest, sealed: &str) -> Option<String> {
    let before = all(&manifest.stream);
    if before.is_empty() {
        return None;
    }
    let sealed = Stream::parse(sealed).ok()?;
    let gone = before.difference(&all(&sealed)).count();
    let s = if gone == 1 { "" } else { "s" };
    let input = Named(&manifest.input);
    (gone > 0).then(|| format!("{input}: {gone} comment{s} could not be kept"))
}

/// The comments of all documents.
pub(super) fn all(stream: &Stream) -> BTreeSet<&str> {
    let text = stream.text();
    let comments = stream.documents().iter().flat_map(Document::comments);
    comments
        .map(|comment| &text[comment.range.clone()])
        .collect()
}

/// The lines of the comments in a mapping, and of those that follow below it as deep as its items.
fn lines(secret: &Resource<'_>, map: Entry<'_>) -> Vec<usize> {
    let document = secret.document_node();
    let text = document.source();
    let column = |at: usize| at - text[..at].rfind('\n').map_or(0, |line| line + 1);
    let start = map.range().start;
    let last_line = map.range().end;
    let mut end = text[last_line..]
        .find('\n')
        .map_or(text.len(), |line| last_line + line);
    let mut found = Vec::new();
    for comment in document.comments() {
        let at = comment.range.start;
        let follows = || {
            comment.kind == CommentKind::OwnLine
                && text[end..at].trim().is_empty()
                && column(at) > column(start)
        };
        if at > start && (at < end || follows()) {
            end = end.max(comment.range.end);
            found.push(document.position(at).line);
        }
    }
    found
}
