//! `signet seal --into FILE`: sets items in a sealed file.

use std::collections::BTreeMap;
use std::path::Path;

use signet_documents::edit::Editor;
use signet_documents::manifest::Resource;
use signet_documents::manifest::sealed::{SealShape, seal};
use signet_documents::splice;

use super::place::Output;
use super::secrets::{SecretFailure, Work, is_secret};
use crate::files::Input;
use crate::manifest::Manifest;
use crate::sealed::{self, Sealed};
use crate::{Context, Failure};

/// The sealed file with the items of the Secrets set. Items that the Secrets do not have stay.
pub(super) fn seal_into(
    file: &Path,
    manifests: &[Manifest],
    work: &Work<'_>,
    context: &mut Context,
) -> Result<Output, Failure> {
    let target = Manifest::read(&Input::File(file.to_owned()), &mut context.ui)?;
    let existing = sealed::all(&target).collect::<Result<Vec<_>, _>>()?;
    let secrets: Vec<_> = manifests
        .iter()
        .flat_map(|manifest| {
            let secrets = manifest.resources().filter(is_secret);
            secrets.map(move |secret| (manifest, secret))
        })
        .collect();
    let mut splices = Vec::new();
    for (manifest, secret) in &secrets {
        let sealed = match (existing.as_slice(), secrets.as_slice()) {
            // No choice, so the names need not agree.
            ([only], [_]) => only,
            _ => find(file, &existing, manifest, secret)?,
        };
        if let Some(note) = renamed(secret, sealed) {
            context.ui.note(&context.env, note);
        }
        let items = items(manifest, secret, sealed, work)?;
        let mut editor = Editor::new(sealed.resource.document_node());
        sealed.set_items(&mut editor, &items)?;
        splices.extend(
            editor
                .into_splices()
                .map_err(|error| sealed.edit_error(error))?,
        );
    }
    let text = splice::apply(target.stream.text(), splices)
        .map_err(|error| Failure::new(format!("`{}`: {error}", file.display())))?;
    Ok(Output::Replace {
        path: file.to_owned(),
        read: target.bytes.to_vec(),
        bytes: target.text.encode(&text),
    })
}

/// That the items go to an object of another name or namespace than the Secret says.
fn renamed(secret: &Resource<'_>, sealed: &Sealed<'_>) -> Option<String> {
    let full = |namespace: Option<&str>, name: &str| match namespace {
        Some(namespace) => format!("{namespace}/{name}"),
        None => name.to_owned(),
    };
    let name = secret.name()?;
    let target = sealed.namespace(None);
    let namespace = secret.namespace().or(target);
    let (from, to) = (
        full(namespace, name),
        full(target.or(namespace), sealed.name()),
    );
    (from != to).then(|| format!("the items of Secret `{from}` are sealed into `{to}`"))
}

/// The `SealedSecret` of the same name, and the same namespace where both name one.
fn find<'s, 'a>(
    file: &Path,
    existing: &'s [Sealed<'a>],
    manifest: &Manifest,
    secret: &Resource<'_>,
) -> Result<&'s Sealed<'a>, Failure> {
    let place = manifest.place(secret);
    let name = secret
        .name()
        .ok_or_else(|| Failure::new(format!("{place}: the Secret has no name")))?;
    existing
        .iter()
        .find(|sealed| {
            let namespaces = (sealed.namespace(None), secret.namespace());
            sealed.name() == name
                && !matches!(namespaces, (Some(ours), Some(theirs)) if ours != theirs)
        })
        .ok_or_else(|| {
            Failure::new(format!(
                "{place}: `{}` holds no SealedSecret `{name}` of that namespace",
                file.display()
            ))
            .with_hint("seal it to a file of its own: `signet seal … --output FILE`")
        })
}

/// The items of a Secret, sealed where the `SealedSecret` stands: under its scope, not under what
/// the Secret's annotations say.
fn items(
    manifest: &Manifest,
    secret: &Resource<'_>,
    sealed: &Sealed<'_>,
    work: &Work<'_>,
) -> Result<BTreeMap<String, String>, Failure> {
    let namespace = work.options.namespace.as_deref().or(secret.namespace());
    let label = sealed.label(namespace)?;
    let mut items = BTreeMap::new();
    let shape = SealShape {
        scope: Some(sealed.scope()),
        allow_empty: work.options.allow_empty_data,
        ..SealShape::default()
    };
    seal(secret.node, &shape, |_, item, value| {
        let previous = sealed.object.spec.encrypted_data.get(item);
        let text = work.item(&label, item, value, previous.map(String::as_str))?;
        items.insert(item.to_owned(), text.clone());
        Ok(text)
    })
    .map_err(|source| SecretFailure::Secret {
        place: manifest.place(secret).outer(),
        source,
    })?;
    Ok(items)
}
