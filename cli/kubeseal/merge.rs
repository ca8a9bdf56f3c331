//! `--merge-into`: the items of a Secret, put into an existing sealed file.
//!
//! The name, the namespace and the scope are those of the file, for under these the cluster opens
//! its items. A file that is as `kubeseal` writes it stays so; any other keeps its layout, comments
//! and further documents, and only what is merged changes.

use std::path::Path;

use serde_json::Value;
use signet_crds::constants::annotation;
use signet_documents::edit::{EditError, Editor};
use signet_keys::rsa::PublicKey;
use signet_keys::sealed::Scope;
use zeroize::Zeroizing;

use crate::files::{self, Input};
use crate::manifest::{Manifest, ManifestError};
use crate::{Context, Failure, Hint};

use super::arrange::ShapeError;
use super::certificate::reason;
use super::dispatch::Given;
use super::namespace;
use super::options::Options;
use super::output::{Format, FormatError};
use super::seal::{Request, SealError, seal};
use super::sealed::{ITEMS, Sealed, SealedError, TEMPLATE_ANNOTATIONS, TEMPLATE_LABELS};
use super::secret;

/// Why nothing was merged. The file is as it was.
#[derive(Debug, thiserror::Error)]
enum MergeError {
    #[error("{place}: {source}")]
    Edit { place: String, source: EditError },
    #[error(transparent)]
    Format(#[from] FormatError),
    #[error(transparent)]
    Manifest(#[from] ManifestError),
    #[error("{0} holds no SealedSecret")]
    NoTarget(String),
    #[error("open {path}: {}", reason(.cause))]
    Open { path: String, cause: std::io::Error },
    #[error(
        "the SealedSecret in {path} is {target}, and an item that is sealed as {given} would not \
         open in it"
    )]
    Scope {
        path: String,
        target: Scope,
        given: Scope,
    },
    #[error(transparent)]
    Seal(#[from] SealError),
    #[error(transparent)]
    Sealed(#[from] SealedError),
    #[error("{0} holds several SealedSecrets")]
    SeveralTargets(String),
    #[error(transparent)]
    Shape(#[from] ShapeError),
}

impl Hint for MergeError {
    fn hint(&self) -> Option<String> {
        match self {
            Self::Edit { source, .. } => source.hint().map(str::to_owned),
            Self::Manifest(error) => error.hint(),
            Self::Seal(error) => error.hint(),
            Self::Scope { .. } => Some("leave out --scope: that of the file is used".to_owned()),
            _ => None,
        }
    }
}

/// Seals the input and merges it.
pub(super) fn run(
    options: &Options,
    given: Given,
    key: &PublicKey,
    context: &mut Context,
) -> Result<(), Failure> {
    let path = Path::new(&options.merge_into);
    let bytes = open(path)?;
    let manifest = Manifest::parse(&Input::File(path.to_owned()), bytes)?;
    let secrets = secret::read(given, context)?;
    let text = merged(options, &manifest, secrets, key, context)?;
    let bytes = manifest.text.encode(&text);
    Ok(files::rewrite(path, &manifest.bytes, &bytes)?)
}

fn open(path: &Path) -> Result<Zeroizing<Vec<u8>>, MergeError> {
    let failed = |cause| MergeError::Open {
        path: path.display().to_string(),
        cause,
    };
    if path.is_dir() {
        return Err(failed(std::io::ErrorKind::IsADirectory.into()));
    }
    std::fs::read(path).map(Zeroizing::new).map_err(failed)
}

fn merged(
    options: &Options,
    manifest: &Manifest,
    secrets: Vec<secret::InputSecret>,
    key: &PublicKey,
    context: &Context,
) -> Result<String, MergeError> {
    let path = || manifest.input.to_string();
    let mut candidates = manifest
        .resources()
        .filter(|resource| resource.kind() == Some("SealedSecret"));
    let resource = candidates
        .next()
        .or_else(|| manifest.resources().next())
        .ok_or_else(|| MergeError::NoTarget(path()))?;
    if candidates.next().is_some() {
        return Err(MergeError::SeveralTargets(path()));
    }
    let target = Sealed::read(manifest, &resource)?;
    let scope = target.scope();
    if let Some(given) = options.scope
        && given != scope
    {
        return Err(MergeError::Scope {
            path: path(),
            target: scope,
            given,
        });
    }
    let request = Request {
        name: Some(target.name()),
        namespace: Some(target.namespace()),
        expected_namespace: Some(options.namespace.as_str()).filter(|name| !name.is_empty()),
        scope: Some(scope),
        allow_empty: options.allow_empty_data,
    };
    let additions = seal(secrets, key, &request, || {
        namespace::of_context(&options.connection, &context.env)
    })?;
    let changes = changes(&additions);

    let own = Format::of_document(resource.document_node());
    let wanted = match &options.format {
        Some(format) => Format::parse(format)?,
        None => own,
    };
    let alone = manifest.stream.documents().len() == 1 && resource.item.is_none();
    let is_canonical = alone && *own.print(&target.to_value()) == manifest.text.as_str();
    if is_canonical || (alone && wanted != own) {
        let mut target = target;
        for (path, value) in &changes {
            target.set(path, (*value).clone());
        }
        Ok(wanted.print(&target.arranged()?.to_value()).to_string())
    } else {
        let failed = |source| MergeError::Edit {
            place: manifest.place(&resource).to_string(),
            source,
        };
        let document = resource.document_node();
        let mut editor = Editor::new(document);
        for (path, value) in &changes {
            editor.set(resource.node, path, value).map_err(failed)?;
        }
        editor.apply().map_err(failed)
    }
}

/// What to set in the target: the sealed items, and the labels and annotations of their templates.
/// The scope is the target's and does not come with them.
fn changes(additions: &[Sealed]) -> Vec<(Vec<&str>, &Value)> {
    let mut changes = Vec::new();
    for sealed in additions {
        for path in [ITEMS, TEMPLATE_ANNOTATIONS, TEMPLATE_LABELS] {
            for (name, value) in sealed.entries(path) {
                if [annotation::CLUSTER_WIDE, annotation::NAMESPACE_WIDE].contains(&name.as_str()) {
                    continue;
                }
                let path = path.iter().copied().chain([name.as_str()]).collect();
                changes.push((path, value));
            }
        }
    }
    changes
}
