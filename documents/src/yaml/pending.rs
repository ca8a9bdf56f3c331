//! Documents whose end is known when the next one starts.

use std::sync::Arc;

use zeroize::Zeroizing;

use crate::tree::{Document, Format, TreeBuilder};

pub(super) struct Pending {
    pub(super) start: usize,
    pub(super) content_start: usize,
    pub(super) content_end: Option<usize>,
    pub(super) tree: TreeBuilder,
}

impl Pending {
    pub(super) fn new(start: usize, content_start: usize) -> Self {
        Self {
            start,
            content_start,
            content_end: None,
            tree: TreeBuilder::default(),
        }
    }
}

/// The documents of a text, which cover it without a gap.
pub(super) fn documents(source: &Arc<Zeroizing<String>>, pending: Vec<Pending>) -> Vec<Document> {
    let starts: Vec<usize> = pending.iter().map(|pending| pending.start).collect();
    let mut documents = Vec::with_capacity(pending.len());
    for (index, pending) in pending.into_iter().enumerate() {
        let end = starts.get(index + 1).copied().unwrap_or(source.len());
        let content_end = pending.content_end.unwrap_or(end).min(end);
        documents.push(Document::new(
            Arc::clone(source),
            Format::Yaml,
            pending.start..end,
            pending.content_start.min(content_end)..content_end,
            pending.tree,
        ));
    }
    documents
}
