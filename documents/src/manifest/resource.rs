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

/// All resources of a stream, in order. The items of a list, `v1` `List`, any kind that ends in
/// `List` or a list that has lost its type, are given instead of it. Documents without content are passed over; those that are no
/// mapping are given, so that the caller can refuse them.
pub fn resources(stream: &Stream) -> impl Iterator<Item = Resource<'_>> {
    stream
        .documents()
        .iter()
        .enumerate()
        .filter_map(|(index, document)| Some((index, document.root()?)))
        .flat_map(
            |(document, root)| -> Box<dyn Iterator<Item = Resource<'_>>> {
                let whole = Resource {
                    document,
                    item: None,
                    node: root,
                };
                match whole.list_items() {
                    Some(items) => {
                        Box::new(
                            items
                                .items()
                                .enumerate()
                                .map(move |(index, item)| Resource {
                                    document,
                                    item: Some(index),
                                    node: item.node,
                                }),
                        )
                    }
                    None => Box::new(std::iter::once(whole)),
                }
            },
        )
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
        let is_list = match self.kind() {
            Some(kind) => kind.ends_with("List"),
            // As Go programs marshal a list that they hold: without a type.
            None => self.api_version().is_none() && self.node.get("metadata").is_some(),
        };
        (is_list && items.is_sequence()).then_some(items)
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn resources_are_found_in_documents_and_lists_with_their_places() {
        let text = "# nothing\n---\napiVersion: v1\nkind: Secret\nmetadata: {name: a, namespace: b}\n---\napiVersion: v1\nkind: List\nitems:\n- kind: ConfigMap\n  metadata: {name: c}\n- kind: Secret\n---\n---\napiVersion: bitnami.com/v1alpha1\nkind: SealedSecretList\nitems: []\n---\n- not an object\n";
        let stream = Stream::parse(text).unwrap();
        let found: Vec<_> = resources(&stream)
            .map(|resource| {
                (
                    resource.document,
                    resource.item,
                    resource.kind(),
                    resource.name(),
                    resource.position().line,
                )
            })
            .collect();
        assert_eq!(
            found,
            [
                (0, None, Some("Secret"), Some("a"), 3),
                (1, Some(0), Some("ConfigMap"), Some("c"), 10),
                (1, Some(1), Some("Secret"), None, 12),
                (4, None, None, None, 19),
            ]
        );
        let secret = resources(&stream).next().unwrap();
        assert!(secret.is("v1", "Secret"));
        assert_eq!(secret.namespace(), Some("b"));
    }

    #[test]
    fn a_name_that_is_no_string_is_none() {
        let stream = Stream::parse("kind: Secret\nmetadata: {name: 5, namespace: ''}\n").unwrap();
        let secret = resources(&stream).next().unwrap();
        assert_eq!((secret.name(), secret.namespace()), (None, None));
    }

    #[test]
    fn a_list_that_a_go_program_wrote_without_its_type_is_a_list() {
        let names = |text: &str| {
            let stream = Stream::parse(text).unwrap();
            let names = resources(&stream).map(|resource| resource.name().map(str::to_owned));
            names.collect::<Vec<_>>()
        };
        let list = r#"{"metadata":{"resourceVersion":"7"},"items":[{"metadata":{"name":"a"}}]}"#;
        assert_eq!(names(list), [Some("a".to_owned())]);
        // Items of something else are not looked into.
        assert_eq!(names(r#"{"items":[{"metadata":{"name":"a"}}]}"#), [None]);
    }
}
