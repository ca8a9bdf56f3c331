//! The resources of a stream, items of lists included.

use crate::{
    position::Position,
    yaml::{Document, Node, Stream},
};

/// A Kubernetes object in a file: a document, or an item of a `List` document.
#[derive(Clone, Copy, Debug)]
pub struct Resource<'a> {
    /// Index of its document in the stream, from 0.
    pub document: usize,
    /// Index in the list that it is an item of, from 0; `None` if it is a document.
    pub item: Option<usize>,
    /// The object.
    pub node: Node<'a>,
}

/// All resources of a stream, in order. The items of a list, `v1` `List` or any kind that ends in
/// `List`, are given instead of it. Documents without content are passed over; those that are no
/// mapping are given, so that the caller can refuse them.
pub fn resources(stream: &Stream) -> impl Iterator<Item = Resource<'_>> {
    stream
        .documents()
        .iter()
        .enumerate()
        .filter_map(|(index, document)| Some((index, document.root()?)))
        .flat_map(|(document, root)| -> Box<dyn Iterator<Item = Resource<'_>>> {
            let whole = Resource {
                document,
                item: None,
                node: root,
            };
            match whole.list_items() {
                Some(items) => Box::new(items.items().enumerate().map(move |(index, item)| {
                    Resource {
                        document,
                        item: Some(index),
                        node: item.node,
                    }
                })),
                None => Box::new(std::iter::once(whole)),
            }
        })
}

impl<'a> Resource<'a> {
    /// `apiVersion`.
    pub fn api_version(self) -> Option<&'a str> {
        self.node.get("apiVersion")?.as_str()
    }

    /// `kind`.
    pub fn kind(self) -> Option<&'a str> {
        self.node.get("kind")?.as_str()
    }

    /// Whether the object is of this API version and kind.
    pub fn is(self, api_version: &str, kind: &str) -> bool {
        self.api_version() == Some(api_version) && self.kind() == Some(kind)
    }

    /// `metadata.name`.
    pub fn name(self) -> Option<&'a str> {
        self.metadata("name")
    }

    /// `metadata.namespace`.
    pub fn namespace(self) -> Option<&'a str> {
        self.metadata("namespace")
    }

    fn metadata(self, key: &str) -> Option<&'a str> {
        let text = self.node.get("metadata")?.get(key)?.as_str()?;
        (!text.is_empty()).then_some(text)
    }

    /// Where the object stands, for messages.
    pub fn position(self) -> Position {
        self.node.position()
    }

    /// The document that the object is in.
    pub fn document_node(self) -> &'a Document {
        self.node.document()
    }

    /// `items`, if the object is a list.
    fn list_items(self) -> Option<Node<'a>> {
        let items = self.node.get("items")?;
        let is_list = self.kind()?.ends_with("List") && items.is_sequence();
        is_list.then_some(items)
    }
}
