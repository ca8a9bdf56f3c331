//! What binds an item to its place.

use super::Scope;

/// The OAEP label of an item: it opens under no other.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Label(Vec<u8>);

impl Label {
    /// The label of the items of a Secret with this namespace and name. The wider scopes leave out
    /// what they do not bind to; Kubernetes allows `/` neither in a namespace nor in a name, so no
    /// two places share a label.
    pub fn new(scope: Scope, namespace: &str, name: &str) -> Self {
        Self(match scope {
            Scope::Strict => format!("{namespace}/{name}").into_bytes(),
            Scope::NamespaceWide => namespace.as_bytes().to_vec(),
            Scope::ClusterWide => Vec::new(),
        })
    }

    /// The bytes given to OAEP.
    pub fn as_bytes(&self) -> &[u8] {
        &self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_label_holds_what_its_scope_binds_to() {
        let label = |scope| Label::new(scope, "team-a", "db").as_bytes().to_vec();
        assert_eq!(label(Scope::Strict), b"team-a/db");
        assert_eq!(label(Scope::NamespaceWide), b"team-a");
        assert_eq!(label(Scope::ClusterWide), b"");
    }
}
