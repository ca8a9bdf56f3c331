//! How widely an item may be used.

use std::collections::BTreeMap;
use std::fmt;
use std::str::FromStr;

/// How far a sealed item may travel. The widest comes last.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Scope {
    /// In one namespace under one name.
    #[default]
    Strict,
    /// In one namespace under any name.
    NamespaceWide,
    /// Anywhere in the cluster.
    ClusterWide,
}

/// A text that names no scope.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("unknown scope {0:?}: expected strict, namespace-wide or cluster-wide")]
pub struct ScopeError(String);

impl Scope {
    /// All scopes, the narrowest first.
    pub const ALL: [Self; 3] = [Self::Strict, Self::NamespaceWide, Self::ClusterWide];

    /// The scope that annotations of a `Secret` or `SealedSecret` ask for. Only the exact value
    /// `true` counts, and of both annotations the wider wins.
    pub fn from_annotations(annotations: &BTreeMap<String, String>) -> Self {
        let asked = |scope: &Self| {
            let value = scope.annotation().and_then(|key| annotations.get(key));
            value.is_some_and(|value| value == "true")
        };
        [Self::ClusterWide, Self::NamespaceWide]
            .into_iter()
            .find(asked)
            .unwrap_or_default()
    }

    /// The annotation that asks for this scope when its value is `true`; strict needs none.
    pub const fn annotation(self) -> Option<&'static str> {
        match self {
            Self::ClusterWide => Some("sealedsecrets.bitnami.com/cluster-wide"),
            Self::NamespaceWide => Some("sealedsecrets.bitnami.com/namespace-wide"),
            Self::Strict => None,
        }
    }

    /// The name of the scope, as `kubeseal --scope` takes it.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::ClusterWide => "cluster-wide",
            Self::NamespaceWide => "namespace-wide",
            Self::Strict => "strict",
        }
    }
}

impl fmt::Display for Scope {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

impl FromStr for Scope {
    type Err = ScopeError;

    fn from_str(text: &str) -> Result<Self, ScopeError> {
        Self::ALL
            .into_iter()
            .find(|scope| scope.as_str() == text)
            .ok_or_else(|| ScopeError(text.to_owned()))
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    fn of(annotations: &[(&str, &str)]) -> Scope {
        let owned = annotations
            .iter()
            .map(|(k, v)| ((*k).to_owned(), (*v).to_owned()));
        Scope::from_annotations(&owned.collect())
    }

    #[test]
    fn only_the_exact_value_true_widens_the_scope() {
        let key = "sealedsecrets.bitnami.com/namespace-wide";
        assert_eq!(of(&[(key, "true")]), Scope::NamespaceWide);
        for value in ["", "True", "TRUE", "1", "yes", "false", " true"] {
            assert_eq!(of(&[(key, value)]), Scope::Strict, "{value:?}");
        }
        assert_eq!(of(&[]), Scope::Strict);
    }

    #[test]
    fn cluster_wide_wins_over_namespace_wide() {
        let cluster = ("sealedsecrets.bitnami.com/cluster-wide", "true");
        let namespace = ("sealedsecrets.bitnami.com/namespace-wide", "true");
        assert_eq!(of(&[cluster, namespace]), Scope::ClusterWide);
        assert_eq!(of(&[(cluster.0, "no"), namespace]), Scope::NamespaceWide);
    }

    #[test]
    fn a_scope_is_read_as_it_is_written() {
        for scope in Scope::ALL {
            assert_eq!(scope.to_string().parse::<Scope>().unwrap(), scope);
        }
        assert!("cluster".parse::<Scope>().is_err());
        assert!("Strict".parse::<Scope>().is_err());
    }
}
