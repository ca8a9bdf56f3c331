//! Sealing: Secrets in, `SealedSecret`s out.

use std::collections::BTreeMap;

use rayon::prelude::*;
use serde_json::{Map, Value};
use signet_crds::constants::annotation;
use signet_keys::rsa::PublicKey;
use signet_keys::sealed as envelope;
use signet_keys::sealed::{Label, Scope};

use crate::{Context, Failure, Hint};

use super::arrange::ShapeError;
use super::dispatch::Given;
use super::namespace::{self, NamespaceError};
use super::options::Options;
use super::output::{Format, Output, Secrecy};
use super::sealed::{Sealed, replace_annotations, scope_of, set_scope};
use super::secret::{self, InputSecret};

/// What the command line says about the Secrets.
pub(super) struct Request<'a> {
    /// The name to use instead of the input's.
    pub(super) name: Option<&'a str>,
    /// The namespace to use instead of the input's.
    pub(super) namespace: Option<&'a str>,
    /// The namespace that the user named: the input must not name another one.
    pub(super) expected_namespace: Option<&'a str>,
    /// The scope to use instead of the one that annotations ask for.
    pub(super) scope: Option<Scope>,
    /// Whether a Secret without items is meant to be so.
    pub(super) allow_empty: bool,
}

/// Why Secrets were not sealed. The texts are the peer's, as far as scripts see them.
#[derive(Debug, thiserror::Error)]
pub(super) enum SealError {
    #[error(
        "secret.data is empty in input Secret, assuming this is an error and aborting. \
         To work with empty data, --allow-empty-data can be used"
    )]
    Empty,
    #[error(transparent)]
    Envelope(#[from] envelope::SealError),
    #[error("missing metadata.name in input Secret")]
    NoName,
    #[error("secret must declare a namespace")]
    NoNamespace,
    #[error(transparent)]
    Namespace(#[from] NamespaceError),
    #[error(
        "namespace mismatch: input secret is in namespace {input:?} but {given:?} was specified"
    )]
    NamespaceMismatch { input: String, given: String },
    #[error(transparent)]
    Shape(#[from] ShapeError),
}

impl Hint for SealError {
    fn hint(&self) -> Option<String> {
        match self {
            Self::NoNamespace => Some("name the namespace with -n".to_owned()),
            Self::Namespace(error) => error.hint(),
            _ => None,
        }
    }
}

/// Seals the input and writes the result.
pub(super) fn run(
    options: &Options,
    given: Given,
    key: &PublicKey,
    context: &mut Context,
) -> Result<(), Failure> {
    let secrets = secret::read(given, context)?;
    let request = Request {
        name: Some(options.name.as_str()).filter(|name| !name.is_empty()),
        namespace: None,
        expected_namespace: Some(options.namespace.as_str()).filter(|name| !name.is_empty()),
        // Strict is the same as nothing: the annotations count then.
        scope: options.scope.filter(|scope| *scope != Scope::Strict),
        allow_empty: options.allow_empty_data,
    };
    let sealed = seal(secrets, key, &request, || {
        namespace::of_context(&options.connection, &context.env)
    })?;
    let format = Format::of(options)?;
    let texts: Vec<_> = sealed
        .par_iter()
        .map(|sealed| format.print(&sealed.to_value()))
        .collect();
    let text = texts.iter().map(|text| text.as_str()).collect::<String>();
    Output::of(options).write(text.as_bytes(), Secrecy::Public, context)
}

/// Seals all Secrets, or none. `usual_namespace` is asked for only if it is needed.
pub(super) fn seal(
    secrets: Vec<InputSecret>,
    key: &PublicKey,
    request: &Request<'_>,
    mut usual_namespace: impl FnMut() -> Result<Option<String>, NamespaceError>,
) -> Result<Vec<Sealed>, SealError> {
    let mut placed = Vec::with_capacity(secrets.len());
    for mut secret in secrets {
        place(&mut secret, request, &mut usual_namespace)?;
        clean(&mut secret.metadata);
        placed.push(secret);
    }
    placed
        .into_par_iter()
        .map(|secret| encrypt(secret, key))
        .collect()
}

/// Gives the Secret the name, namespace and scope that it will have.
fn place(
    secret: &mut InputSecret,
    request: &Request<'_>,
    usual_namespace: &mut impl FnMut() -> Result<Option<String>, NamespaceError>,
) -> Result<(), SealError> {
    if secret.items.is_empty() && !request.allow_empty {
        return Err(SealError::Empty);
    }
    let metadata = &mut secret.metadata;
    if let Some(name) = request.name {
        metadata.insert("name".to_owned(), name.into());
    }
    if text(metadata, "name").is_empty() {
        return Err(SealError::NoName);
    }
    if let Some(namespace) = request.namespace {
        metadata.insert("namespace".to_owned(), namespace.into());
    }
    if let Some(scope) = request.scope {
        set_scope(metadata, scope);
    }
    if scope_of(metadata) == Scope::ClusterWide {
        return Ok(());
    }
    let own = text(metadata, "namespace");
    match request.expected_namespace {
        Some(given) if !own.is_empty() && own != given => Err(SealError::NamespaceMismatch {
            input: own.to_owned(),
            given: given.to_owned(),
        }),
        _ if !own.is_empty() => Ok(()),
        given => {
            let namespace = match given {
                Some(given) => given.to_owned(),
                None => usual_namespace()?.ok_or(SealError::NoNamespace)?,
            };
            metadata.insert("namespace".to_owned(), namespace.into());
            Ok(())
        }
    }
}

/// Takes out what belongs to an object in a cluster, and copies of it that hold plaintext.
fn clean(metadata: &mut Map<String, Value>) {
    for field in [
        "selfLink",
        "uid",
        "resourceVersion",
        "generation",
        "creationTimestamp",
        "deletionTimestamp",
        "deletionGracePeriodSeconds",
        "ownerReferences",
    ] {
        metadata.shift_remove(field);
    }
    if let Some(Value::Object(annotations)) = metadata.get("annotations") {
        let kept: BTreeMap<_, _> = annotations
            .iter()
            .filter(|(name, _)| !annotation::LAST_APPLIED.contains(&name.as_str()))
            .map(|(name, value)| (name.clone(), value.clone()))
            .collect();
        replace_annotations(metadata, kept);
    }
}

fn encrypt(secret: InputSecret, key: &PublicKey) -> Result<Sealed, SealError> {
    let metadata = secret.metadata;
    let label = Label::new(
        scope_of(&metadata),
        text(&metadata, "namespace"),
        text(&metadata, "name"),
    );
    let items = secret
        .items
        .iter()
        .map(|(name, value)| {
            let item = envelope::seal(key, &label, value.expose())?;
            Ok((name.clone(), envelope::encode(&item)))
        })
        .collect::<Result<_, envelope::SealError>>()?;
    let sealed = Sealed::new(&metadata, &secret.type_, secret.immutable, &items);
    Ok(sealed.arranged()?)
}

fn text<'a>(metadata: &'a Map<String, Value>, field: &str) -> &'a str {
    metadata
        .get(field)
        .and_then(Value::as_str)
        .unwrap_or_default()
}
