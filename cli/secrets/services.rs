//! Who wraps and unwraps data keys.

use std::sync::Arc;

use signet_documents::sops::metadata::{KeyGroup, Metadata};
use signet_keys::sops::data_key::DataKeyError;
use signet_keys::sops::master_key::DecryptionOrder;
use signet_keys::sops::{DataKey, LastModified, MasterKey, WrappedKey};
use signet_providers::{
    Environment, KeyService, KeyWork, Local, Notes, Noting, Policy, Prompt, RecoverError,
    Remembering, WrapAllError, block_on, recover, wrap_all,
};

use crate::files::Input;
use crate::manifest::Named;
use crate::ui::Asker;
use crate::{Context, Hint};

/// Which services are asked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ServiceOptions {
    /// The keys of this machine, first of all.
    pub local: bool,
    /// Addresses of others: `tcp://host:port` or `unix:///path`.
    pub remote: Vec<String>,
}

impl Default for ServiceOptions {
    fn default() -> Self {
        Self {
            local: true,
            remote: Vec::new(),
        }
    }
}

/// Services, in the order in which they are asked. What one has unwrapped is asked for once.
pub struct Services {
    all: Vec<Box<dyn KeyService>>,
    notes: Notes,
}

/// Why there is no data key, or why it was not wrapped.
#[derive(Debug, thiserror::Error)]
pub enum KeysError {
    /// A new key could not be made.
    #[error("cannot make a data key")]
    Generate(#[from] DataKeyError),
    /// None of the keys of a file helps.
    #[error("{}: cannot get the data key: {cause}", Named(.input))]
    Recover {
        /// The file.
        input: Input,
        /// What was tried.
        cause: RecoverError,
    },
    /// An address that is none, or that this build cannot use.
    #[error("cannot use the key service `{address}`: {cause}")]
    Service {
        /// Its address.
        address: String,
        /// Why.
        cause: String,
    },
    /// A key did not take the data key.
    #[error("could not generate data key: {0}")]
    Wrap(#[from] WrapAllError),
}

impl Hint for KeysError {
    fn hint(&self) -> Option<String> {
        match self {
            Self::Generate(_) => None,
            Self::Recover { cause, .. } => {
                let mut text = tried(cause);
                for hint in cause.hints() {
                    if !text.is_empty() {
                        text.push('\n');
                    }
                    text.push_str(&hint);
                }
                (!text.is_empty()).then_some(text)
            }
            Self::Service { .. } => {
                Some("an address is tcp://HOST:PORT or unix:///PATH".to_owned())
            }
            Self::Wrap(error) => {
                let hints = error.hints();
                (!hints.is_empty()).then(|| hints.join("\n"))
            }
        }
    }
}

/// Each key that was tried, and what each service said of it.
pub fn tried(error: &RecoverError) -> String {
    let RecoverError::Groups { groups, .. } = error else {
        return String::new();
    };
    let failed = groups.iter().flatten();
    failed
        .map(ToString::to_string)
        .collect::<Vec<_>>()
        .join("\n")
}

impl Services {
    /// The services that are asked for. Nothing is connected or read yet.
    pub fn open(options: &ServiceOptions, context: &Context) -> Result<Self, KeysError> {
        let mut all: Vec<Box<dyn KeyService>> = Vec::new();
        let notes = Notes::default();
        if options.local {
            let environment = environment(context);
            let asker: Arc<dyn Prompt> = Arc::new(Asker::new(&context.ui));
            let local = Local::new(&environment, Policy::everything(), &asker);
            let noting = Noting::new(local, notes.clone());
            all.push(Box::new(Remembering::new(noting)));
        }
        for address in &options.remote {
            all.push(remote(address)?);
        }
        Ok(Self { all, notes })
    }

    /// What the keys of this machine were asked since the last time.
    pub fn notes(&self) -> Vec<KeyWork> {
        self.notes.take()
    }

    /// The data key of a file.
    pub fn recover(
        &self,
        input: &Input,
        metadata: &Metadata,
        order: &DecryptionOrder,
    ) -> Result<DataKey, KeysError> {
        let groups: Vec<&[WrappedKey]> = metadata
            .groups
            .iter()
            .map(|group| group.keys.as_slice())
            .collect();
        let threshold = metadata.shamir_threshold;
        let recovered = block_on(recover(&self.all(), &groups, threshold, order));
        recovered
            .map(|recovered| recovered.data_key)
            .map_err(|cause| KeysError::Recover {
                input: input.clone(),
                cause,
            })
    }

    /// Wraps a data key for each key of each group.
    pub fn wrap(
        &self,
        key: &DataKey,
        groups: &[Vec<MasterKey>],
        threshold: Option<usize>,
        now: &LastModified,
    ) -> Result<Vec<KeyGroup>, KeysError> {
        let groups: Vec<&[MasterKey]> = groups.iter().map(Vec::as_slice).collect();
        let wrapped = block_on(wrap_all(&self.all(), key, &groups, threshold, now))?;
        Ok(wrapped.into_iter().map(|keys| KeyGroup { keys }).collect())
    }

    fn all(&self) -> Vec<&dyn KeyService> {
        self.all
            .iter()
            .map(|service| &**service as &dyn KeyService)
            .collect()
    }
}

/// What our environment looks like to the services. In that of the process they may look around by
/// themselves: for roles of the machine, single sign-on, metadata servers.
pub fn environment(context: &Context) -> Environment {
    if context.env.is_of_process() {
        return Environment::of_process();
    }
    let variables = context.env.variables();
    variables.fold(
        Environment::default(),
        |environment, (name, value)| match name.to_str() {
            Some(name) => environment.with(name, value),
            None => environment,
        },
    )
}

#[cfg(feature = "full")]
fn remote(address: &str) -> Result<Box<dyn KeyService>, KeysError> {
    use signet_providers::remote::{Address, Remote};

    match address.parse::<Address>() {
        Ok(address) => Ok(Box::new(Remembering::new(Remote::new(address)))),
        Err(error) => Err(KeysError::Service {
            address: address.to_owned(),
            cause: error.to_string(),
        }),
    }
}

#[cfg(not(feature = "full"))]
fn remote(address: &str) -> Result<Box<dyn KeyService>, KeysError> {
    Err(KeysError::Service {
        address: address.to_owned(),
        cause: "this build has no key services; build with `--features full`".to_owned(),
    })
}
