//! Which operation a command line asks for, in the peer's order.
//!
//! ```text
//! --from-file without --raw: an error
//! -f is opened                              so a missing input is told before anything else
//! --recovery-unseal > --validate > --re-encrypt
//! the certificate is opened                 --cert, else the cluster's
//! --fetch-cert
//! the certificate is read
//! --merge-into > --raw > seal
//! ```

use std::path::Path;

use zeroize::Zeroizing;

use crate::files::{self, Input, ReadError};
use crate::{Context, Failure, Hint};

use super::options::Options;
use super::output::{Output, Secrecy};
use super::{certificate, merge, raw, re_encrypt, recover, seal, validate};

/// Why an operation could not begin.
#[derive(Debug, thiserror::Error)]
enum BeginError {
    #[error("--from-file requires --raw")]
    FromFileWithoutRaw,
    /// The text is the peer's; why is told below it.
    #[error("Could not read file specified with --secret-file")]
    SecretFile { why: String },
}

impl Hint for BeginError {
    fn hint(&self) -> Option<String> {
        match self {
            Self::FromFileWithoutRaw => None,
            Self::SecretFile { why } => Some(why.clone()),
        }
    }
}

/// What the operation reads.
pub(super) struct Given {
    /// For messages.
    pub(super) input: Input,
    /// The bytes of `-f`; standard input is read when it is needed.
    bytes: Option<Zeroizing<Vec<u8>>>,
}

impl Given {
    fn open(options: &Options, context: &mut Context) -> Result<Self, BeginError> {
        if !options.secret_file.is_empty() {
            let path = Path::new(&options.secret_file);
            let bytes = files::read(path).map_err(|error| BeginError::SecretFile {
                why: crate::error::chain(&error),
            })?;
            return Ok(Self {
                input: Input::File(path.to_owned()),
                bytes: Some(bytes),
            });
        }
        if !options.raw && !options.fetch_cert && context.ui.terminals().stdin {
            context
                .ui
                .message("(tty detected: expecting json/yaml k8s resource in stdin)");
        }
        Ok(Self {
            input: Input::Stdin,
            bytes: None,
        })
    }

    /// The bytes.
    pub(super) fn read(self, context: &mut Context) -> Result<Zeroizing<Vec<u8>>, ReadError> {
        match self.bytes {
            Some(bytes) => Ok(bytes),
            None => self.input.read(&mut context.ui),
        }
    }
}

/// Does what the command line asks for.
pub(super) fn dispatch(options: &Options, context: &mut Context) -> Result<(), Failure> {
    if !options.from_file.is_empty() && !options.raw {
        return Err(BeginError::FromFileWithoutRaw.into());
    }
    let given = Given::open(options, context)?;
    if options.recovery_unseal {
        return recover::run(options, given, context);
    }
    if !options.recovery_private_keys.is_empty() && context.ui.terminals().stderr {
        context.ui.message(
            "warning: ignoring --recovery-private-key: it is used with --recovery-unseal only",
        );
    }
    if options.validate {
        return validate::run(options, given, context);
    }
    if options.re_encrypt {
        return re_encrypt::run(options, given, context);
    }
    let certificate = certificate::open(options, context)?;
    if options.fetch_cert {
        return Output::of(options).write(&certificate, Secrecy::Public, context);
    }
    let key = certificate::key(&certificate, context.env.now())?;
    if !options.merge_into.is_empty() {
        merge::run(options, given, &key, context)
    } else if options.raw {
        raw::run(options, &key, context)
    } else {
        seal::run(options, given, &key, context)
    }
}
