//! `--raw`: one value, sealed and printed as base64 without a line break.

use std::io;
use std::path::Path;

use signet_keys::rsa::PublicKey;
use signet_keys::sealed::{self, Label, Scope, SealError};
use zeroize::Zeroizing;

use crate::files::ReadError;
use crate::{Context, Failure, Hint};

use super::certificate::reason;
use super::namespace::{self, NamespaceError};
use super::options::Options;
use super::output::{Output, Secrecy};

/// Why a value was not sealed. The texts are the peer's, as far as scripts see them.
#[derive(Debug, thiserror::Error)]
enum RawError {
    #[error("read {0}: is a directory")]
    Directory(String),
    #[error("open {path}: {}", reason(.cause))]
    File { path: String, cause: io::Error },
    #[error(transparent)]
    Namespace(#[from] NamespaceError),
    #[error("must provide the --name flag with --raw and --scope {0}")]
    NoName(Scope),
    #[error("must provide the --namespace flag with --raw and --scope {0}")]
    NoNamespace(Scope),
    #[error("must provide only one --from-file when encrypting a single item with --raw")]
    SeveralFiles,
    #[error(transparent)]
    Seal(#[from] SealError),
    #[error(transparent)]
    Stdin(#[from] ReadError),
}

impl Hint for RawError {}

/// Seals the value of `--from-file` or of standard input.
pub(super) fn run(
    options: &Options,
    key: &PublicKey,
    context: &mut Context,
) -> Result<(), Failure> {
    let text = sealed_value(options, key, context)?;
    Output::of(options).write(text.as_bytes(), Secrecy::Public, context)
}

fn sealed_value(
    options: &Options,
    key: &PublicKey,
    context: &mut Context,
) -> Result<String, RawError> {
    let scope = options.scope.unwrap_or_default();
    let label = label(options, scope, context)?;
    let value = read(options, context)?;
    let item = sealed::seal(key, &label, &value)?;
    Ok(sealed::encode(&item))
}

fn label(options: &Options, scope: Scope, context: &Context) -> Result<Label, RawError> {
    if scope == Scope::ClusterWide {
        return Ok(Label::new(scope, "", ""));
    }
    let namespace = if options.namespace.is_empty() {
        namespace::of_context(&options.connection, &context.env)?
            .ok_or(RawError::NoNamespace(scope))?
    } else {
        options.namespace.clone()
    };
    if scope == Scope::Strict && options.name.is_empty() {
        return Err(RawError::NoName(scope));
    }
    Ok(Label::new(scope, &namespace, &options.name))
}

fn read(options: &Options, context: &mut Context) -> Result<Zeroizing<Vec<u8>>, RawError> {
    match options.from_file.as_slice() {
        [] => {
            if context.ui.terminals().stdin {
                context
                    .ui
                    .message("(tty detected: expecting a secret to encrypt in stdin)");
            }
            Ok(context.ui.read_stdin().map_err(ReadError::Stdin)?)
        }
        [file] => {
            // `key=path`: the name of the item is of no use here.
            let path = file.split_once('=').map_or(file.as_str(), |(_, path)| path);
            if Path::new(path).is_dir() {
                return Err(RawError::Directory(path.to_owned()));
            }
            std::fs::read(path)
                .map(Zeroizing::new)
                .map_err(|cause| RawError::File {
                    path: path.to_owned(),
                    cause,
                })
        }
        _ => Err(RawError::SeveralFiles),
    }
}
