//! The Secrets of all inputs, sealed.

use std::collections::HashMap;

use rayon::prelude::*;
use signet_documents::manifest::Resource;
use signet_documents::manifest::sealed::{
    SealError as DocumentError, SealShape, Sealed, SecretError, Target, seal,
};
use signet_documents::value::ConvertError;
use signet_keys::Plaintext;
use signet_keys::sealed::{Label, Scope, SealError};

use super::Seal;
use super::previous::Previous;
use crate::manifest::Manifest;
use crate::names::{self, NameError};
use crate::sealed::is_sealed;
use crate::sealing::Sealer;
use crate::{Context, Failure, Hint};

/// What is to be done, and with what.
pub(super) struct Work<'a> {
    pub(super) options: &'a Seal,
    pub(super) sealer: &'a Sealer<'a>,
}

/// Bytes that the values of a Secret may have together, as the API server counts them.
const MAX_SIZE: usize = 1 << 20;

/// Why a resource was not sealed.
#[derive(Debug, thiserror::Error)]
pub(super) enum SecretFailure {
    #[error("{place}")]
    Secret {
        place: String,
        source: DocumentError<ItemError>,
    },
    #[error("{place}: {kind} `{name}` is no Secret")]
    OtherKind {
        place: String,
        kind: String,
        name: String,
    },
    #[error(
        "{place}: the Secret has values of {size} bytes, and Kubernetes takes at most {MAX_SIZE}"
    )]
    TooLarge { place: String, size: usize },
    #[error("{place}: not a Kubernetes resource: it has no kind")]
    NoKind { place: String },
    #[error(
        "{place}: the Secret is in namespace `{stated}`, but `--namespace` says `{asked}`: a value sealed \
         for one opens in no other"
    )]
    OtherNamespace {
        place: String,
        stated: String,
        asked: String,
    },
}

/// Why an item was not sealed.
#[derive(Debug, thiserror::Error)]
pub(super) enum ItemError {
    #[error("the Secret has no namespace, and {0} scope binds it to one")]
    NoNamespace(Scope),
    #[error(transparent)]
    Name(#[from] NameError),
    #[error(transparent)]
    Seal(#[from] SealError),
}

impl Hint for SecretFailure {
    fn hint(&self) -> Option<String> {
        let hint = match self {
            Self::Secret { source, .. } => match source {
                DocumentError::Encrypt {
                    source: ItemError::NoNamespace(_),
                    ..
                } => "add `--namespace NAMESPACE`, the one that it is deployed to",
                DocumentError::Secret(SecretError::Empty { .. }) => {
                    "if that is meant, add `--allow-empty-data`"
                }
                DocumentError::Secret(SecretError::MissingName { .. }) => {
                    "add `--name NAME`: the items are bound to it"
                }
                DocumentError::Secret(SecretError::Convert(ConvertError::DuplicateKey {
                    key,
                    ..
                })) if ["apiVersion", "kind"].contains(&key.as_str()) => {
                    "if another document begins there, put a line `---` above it"
                }
                DocumentError::Secret(error) => return error.hint().map(str::to_owned),
                DocumentError::Encrypt { .. } => return None,
            },
            Self::OtherKind { .. } => "without `--only-secrets` other kinds are passed through",
            Self::TooLarge { .. } => "split it into several",
            Self::NoKind { .. } => return None,
            Self::OtherNamespace { .. } => {
                "leave `--namespace` out, or change `metadata.namespace` in the file"
            }
        };
        Some(hint.to_owned())
    }
}

/// Where a resource stands: manifest, document, item of a list.
type At = (usize, usize, Option<usize>);

/// The sealed form of every Secret, or why there is none.
pub(super) struct Secrets {
    /// Whether something is sealed already.
    has_sealed: bool,
    done: Vec<(At, Result<Sealed, SecretFailure>)>,
}

impl Secrets {
    /// Seals all Secrets of all inputs, in parallel.
    pub(super) fn seal(manifests: &[Manifest], previous: &Previous, work: &Work<'_>) -> Self {
        let (sealed, resources): (Vec<_>, Vec<_>) = manifests
            .iter()
            .enumerate()
            .flat_map(|(index, manifest)| {
                manifest
                    .resources()
                    .map(move |resource| (index, manifest, resource))
            })
            .partition(|(_, _, resource)| is_sealed(resource));
        let done = resources
            .into_par_iter()
            .filter_map(|(index, manifest, resource)| {
                let at = (index, resource.document, resource.item);
                let done = work.resource(manifest, &resource, previous)?;
                Some((at, done))
            })
            .collect();
        let has_sealed = !sealed.is_empty();
        Self { has_sealed, done }
    }

    /// Whether all that could be sealed is.
    pub(super) fn are_sealed_already(&self) -> bool {
        self.has_sealed && self.done.is_empty()
    }

    /// All of them by place; or, when there is one failure or more, the last one, after the others
    /// were told.
    pub(super) fn finish(self, context: &mut Context) -> Result<HashMap<At, Sealed>, Failure> {
        let mut sealed = HashMap::new();
        let mut failures: Vec<Failure> = Vec::new();
        for (at, done) in self.done {
            match done {
                Ok(it) => drop(sealed.insert(at, it)),
                Err(error) => failures.push(error.into()),
            }
        }
        match failures.pop() {
            Some(last) => {
                for failure in &failures {
                    context.ui.failure(&context.env, failure);
                }
                Err(last)
            }
            None if sealed.is_empty() && self.has_sealed => Err(Failure::new(
                "what is in the input is sealed already",
            )
            .with_hint("`signet set` changes one value, `signet reseal` moves to the newest key")),
            None if sealed.is_empty() => Err(Failure::new("there is no Secret in the input")
                .with_hint("a Secret is a document with `kind: Secret`")),
            None => Ok(sealed),
        }
    }
}

impl Work<'_> {
    /// Seals a resource; nothing when it is of another kind and may pass.
    fn resource(
        &self,
        manifest: &Manifest,
        resource: &Resource<'_>,
        previous: &Previous,
    ) -> Option<Result<Sealed, SecretFailure>> {
        if !is_secret(resource) {
            let place = manifest.place(resource).to_string();
            return match resource.kind() {
                // Whatever it is, it could be a Secret whose kind was forgotten.
                None => Some(Err(SecretFailure::NoKind { place })),
                Some(kind) if self.options.only_secrets => Some(Err(SecretFailure::OtherKind {
                    place,
                    kind: kind.to_owned(),
                    name: resource.name().unwrap_or("-").to_owned(),
                })),
                Some(_) => None,
            };
        }
        if let Some(error) = self.other_namespace(manifest, resource) {
            return Some(Err(error));
        }
        let shape = self.shape(resource);
        let mut size = 0;
        let sealed = seal(resource.node, &shape, |target, item, value| {
            check(target, item)?;
            size += value.len();
            let label = label(target)?;
            let previous = previous.item(&label, &target.name, item);
            self.item(&label, item, value, previous)
        });
        let place = || manifest.place(resource).outer();
        if size > MAX_SIZE {
            let place = place();
            return Some(Err(SecretFailure::TooLarge { place, size }));
        }
        Some(sealed.map_err(|source| SecretFailure::Secret {
            place: place(),
            source,
        }))
    }

    /// Seals one item.
    pub(super) fn item(
        &self,
        label: &Label,
        item: &str,
        value: &Plaintext,
        previous: Option<&str>,
    ) -> Result<String, ItemError> {
        Ok(self.sealer.item(label, item, value.expose(), previous)?)
    }

    /// The namespace that was asked for is not the one that the file names. Cluster-wide items open in
    /// both.
    fn other_namespace(
        &self,
        manifest: &Manifest,
        resource: &Resource<'_>,
    ) -> Option<SecretFailure> {
        let stated = resource.namespace()?;
        let asked = self.options.namespace.as_deref()?;
        let bound = self.options.scope != Some(Scope::ClusterWide);
        (bound && stated != asked).then(|| SecretFailure::OtherNamespace {
            place: manifest.place(resource).outer(),
            stated: stated.to_owned(),
            asked: asked.to_owned(),
        })
    }

    /// The options that say what becomes of a Secret.
    fn shape<'s>(&'s self, resource: &Resource<'_>) -> SealShape<'s> {
        let options = self.options;
        SealShape {
            name: options.name.as_deref(),
            // It fills in what the file leaves open; it does not move a Secret elsewhere.
            namespace: options
                .namespace
                .as_deref()
                .filter(|_| resource.namespace().is_none()),
            scope: options.scope,
            allow_empty: options.allow_empty_data,
        }
    }
}

/// Whether a resource is a Secret, or meant to be one: what is wrong with it is told when it is read,
/// where passing it through would leave its values plain. (Other API groups may have kinds of the same
/// name.)
pub(super) fn is_secret(resource: &Resource<'_>) -> bool {
    let core = |version: &str| !version.contains('/');
    resource
        .kind()
        .is_some_and(|kind| kind.eq_ignore_ascii_case("Secret"))
        && resource.api_version().is_none_or(core)
}

/// Names that no Secret can have are told now and not by the cluster.
fn check(target: &Target, item: &str) -> Result<(), NameError> {
    names::object(&target.name)?;
    if let Some(namespace) = &target.namespace {
        names::namespace(namespace)?;
    }
    names::item(item)
}

fn label(target: &Target) -> Result<Label, ItemError> {
    match (&target.namespace, target.scope) {
        (None, Scope::ClusterWide) => Ok(Label::new(target.scope, "", &target.name)),
        (None, scope) => Err(ItemError::NoNamespace(scope)),
        (Some(namespace), scope) => Ok(Label::new(scope, namespace, &target.name)),
    }
}
