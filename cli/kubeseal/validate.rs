//! `--validate`: asks the controller whether it can open every document.

use crate::cluster::{Cluster, ClusterError};
use crate::files::ReadError;
use crate::manifest::Manifest;
use crate::{Context, Failure, Hint};

use super::dispatch::Given;
use super::options::Options;
use super::remote::{read_all, told};

/// Why a document is not valid. The texts are the peer's, as far as scripts see them.
#[derive(Debug, thiserror::Error)]
enum ValidateError {
    /// The controller cannot be reached.
    #[error("{}", told(.0))]
    Cluster(ClusterError),
    /// The controller cannot open it.
    #[error("unable to decrypt sealed secret: {0}")]
    Invalid(String),
    #[error(transparent)]
    Read(#[from] ReadError),
    /// The controller could not say.
    #[error("cannot validate sealed secret: {0}")]
    Refused(ClusterError),
    /// It is no `SealedSecret` at all.
    #[error("unable to decrypt sealed secret")]
    Unreadable { why: String },
}

impl Hint for ValidateError {
    fn hint(&self) -> Option<String> {
        match self {
            Self::Cluster(error) | Self::Refused(error) => error.hint(),
            Self::Unreadable { why } => Some(why.clone()),
            Self::Invalid(_) | Self::Read(_) => None,
        }
    }
}

/// Succeeds if the controller can open all of the input.
pub(super) fn run(options: &Options, given: Given, context: &mut Context) -> Result<(), Failure> {
    Ok(validate(options, given, context)?)
}

fn validate(options: &Options, given: Given, context: &mut Context) -> Result<(), ValidateError> {
    let unreadable = |error: &dyn std::error::Error| ValidateError::Unreadable {
        why: crate::error::chain(error),
    };
    let cluster =
        Cluster::connect(&options.connection, &context.env).map_err(ValidateError::Cluster)?;
    let input = given.input.clone();
    let bytes = given.read(context)?;
    let manifest = Manifest::parse(&input, bytes).map_err(|error| unreadable(&error))?;
    for (_, sealed) in read_all(&manifest).map_err(|error| unreadable(&error))? {
        let body = sealed.to_value().to_string();
        cluster
            .verify(&options.controller, body.as_bytes())
            .map_err(|error| match error.code() {
                _ if error.is_about_service() => ValidateError::Cluster(error),
                Some(409) => ValidateError::Invalid(sealed.name().to_owned()),
                _ => ValidateError::Refused(error),
            })?;
    }
    Ok(())
}
