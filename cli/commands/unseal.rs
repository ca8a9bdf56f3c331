//! `signet unseal FILE… --private-key KEYS`

use std::path::PathBuf;

use clap::Args;
use signet_crds::sealed_secret::SealedSecret;
use signet_documents::manifest::Resource;
use signet_documents::value::{ConvertError, to_json};
use signet_engine::policy::Policy;
use signet_engine::unseal::{Hints, UnsealError, Unsealed, unseal};
use signet_keys::keyring::KeyRing;
use signet_keys::sealed::decode;
use zeroize::Zeroizing;

use crate::files::{self, Input};
use crate::manifest::{Manifest, Place};
use crate::output::{ManifestFormat, Stream};
use crate::private_keys::KeyOptions;
use crate::sealed::Sealed;
use crate::{Context, ExitStatus, Failure, Hint};

const EXAMPLES: &str = "\
Examples:
  signet unseal db.yaml --private-key backup.yaml
  signet unseal db.yaml --private-key backup.age --identity key.txt --item password
  kustomize build overlays/dev | signet unseal - --private-key main.key | kubectl diff -f -";

/// Open SealedSecrets with private keys, without a cluster
///
/// Prints what the cluster would make of them. Other resources are passed through.
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub struct Unseal {
    /// Files, `-` for standard input
    #[arg(value_name = "FILE", default_value = "-")]
    files: Vec<PathBuf>,
    #[command(flatten)]
    keys: KeyOptions,
    /// Print the value of this item alone, byte for byte
    #[arg(long, value_name = "KEY", conflicts_with_all = ["format", "only_sealed"])]
    item: Option<String>,
    /// Refuse resources of other kinds instead of passing them through
    #[arg(long)]
    only_sealed: bool,
    /// Namespace of resources that name none
    #[arg(short, long, value_name = "NAMESPACE")]
    namespace: Option<String>,
    /// Form of the output
    #[arg(short = 'o', long, value_name = "yaml|json")]
    format: Option<ManifestFormat>,
    /// Write to this file, which only you may read, instead of standard output
    #[arg(long, value_name = "FILE")]
    output: Option<PathBuf>,
}

/// Why there is no Secret.
#[derive(Debug, thiserror::Error)]
enum UnsealFailure {
    #[error("{place}: `{name}` cannot be read")]
    Convert {
        place: Place,
        name: String,
        source: Box<ConvertError>,
    },
    #[error("{place}: `{name}`: {}", indented(.source))]
    Unseal {
        place: Place,
        name: String,
        source: UnsealError,
    },
    #[error("{place}: `{name}` is no SealedSecret: {cause}")]
    NotSealed {
        place: Place,
        name: String,
        cause: String,
    },
    #[error("{place}: {kind} `{name}` is no SealedSecret")]
    OtherKind {
        place: Place,
        kind: String,
        name: String,
    },
    #[error("no item `{item}`; there are: {}", .known.join(", "))]
    NoItem { item: String, known: Vec<String> },
    #[error("`--item` needs exactly one SealedSecret, and there are {0}")]
    NotOne(usize),
}

impl Hint for UnsealFailure {
    fn hint(&self) -> Option<String> {
        match self {
            Self::OtherKind { .. } => {
                Some("without `--only-sealed` other kinds are passed through".to_owned())
            }
            _ => None,
        }
    }
}

impl Unseal {
    /// Opens everything, or prints nothing and says all that is wrong.
    pub(crate) fn run(self, context: &mut Context) -> Result<ExitStatus, Failure> {
        if !self.keys.given() {
            return Err(Failure::usage("no private keys are named").with_hint(
                "name a backup with `--private-key FILE`; \
                 in the cluster the controller does this by itself",
            ));
        }
        let keys = self.keys.load(&mut context.ui)?.into_ring();
        let mut found = Found::default();
        for path in &self.files {
            let manifest = Manifest::read(&Input::from_argument(path.clone()), &mut context.ui)?;
            self.open(&manifest, &keys, &mut found);
        }
        if let Some((last, rest)) = found.failures.split_last() {
            for failure in rest {
                context.ui.failure(&context.env, failure);
            }
            return Err(last.clone());
        }
        for warning in &found.warnings {
            context.ui.warn(&context.env, warning);
        }
        if found.unsealed.is_empty() && self.item.is_none() {
            context
                .ui
                .warn(&context.env, "there is no SealedSecret in the input");
        }
        let out = match &self.item {
            Some(item) => found.item(item)?,
            None => found.stream.finish(self.format),
        };
        match &self.output {
            Some(path) => files::write_private(path, &out)?,
            None => context.ui.data(&out)?,
        }
        Ok(ExitStatus::Success)
    }

    fn open(&self, manifest: &Manifest, keys: &KeyRing, found: &mut Found) {
        for resource in manifest.resources() {
            found.stream.like(resource.document_node().format());
            if resource.is("bitnami.com/v1alpha1", "SealedSecret") {
                if let Some(value) = self.sealed_item(manifest, resource, keys) {
                    found.items.push(value);
                    continue;
                }
                match self.unseal(manifest, &resource, keys) {
                    Ok(unsealed) => found.add(unsealed, &manifest.place(&resource)),
                    Err(error) => found.failures.push(error.into()),
                }
            } else if self.only_sealed {
                let error = UnsealFailure::OtherKind {
                    place: manifest.place(&resource),
                    kind: resource.kind().unwrap_or("a document").to_owned(),
                    name: resource.name().unwrap_or("-").to_owned(),
                };
                found.failures.push(error.into());
            } else if let Err(source) = found.stream.pass(&resource) {
                let error = UnsealFailure::Convert {
                    place: manifest.place(&resource),
                    name: resource.name().unwrap_or("-").to_owned(),
                    source: Box::new(source),
                };
                found.failures.push(error.into());
            }
        }
    }

    /// The value of the one item that is asked for, if it is a sealed one: nothing else of the object
    /// has to open for it, and no template to be rendered. Why it does not open is for the whole to say.
    fn sealed_item(
        &self,
        manifest: &Manifest,
        resource: Resource<'_>,
        keys: &KeyRing,
    ) -> Option<Zeroizing<Vec<u8>>> {
        let item = self.item.as_deref()?;
        let sealed = Sealed::read(manifest, resource).ok()?;
        let label = sealed.label(self.namespace.as_deref()).ok()?;
        let ciphertext = decode(sealed.object.spec.encrypted_data.get(item)?).ok()?;
        let (value, _) = keys.open(&label, &ciphertext, None).ok()?;
        Some(Zeroizing::new(value.expose().to_vec()))
    }

    fn unseal(
        &self,
        manifest: &Manifest,
        resource: &Resource<'_>,
        keys: &KeyRing,
    ) -> Result<Unsealed, UnsealFailure> {
        let place = || manifest.place(resource);
        let name = || resource.name().unwrap_or("-").to_owned();
        let value = to_json(resource.node).map_err(|source| UnsealFailure::Convert {
            place: place(),
            name: name(),
            source: Box::new(source),
        })?;
        let mut sealed: SealedSecret =
            serde_json::from_value(value).map_err(|error| UnsealFailure::NotSealed {
                place: place(),
                name: name(),
                cause: error.to_string(),
            })?;
        if sealed.metadata.namespace.is_none() {
            sealed.metadata.namespace.clone_from(&self.namespace);
        }
        // Outside of the cluster there is no UID that an owner reference could name.
        sealed.metadata.uid = None;
        unseal(&sealed, keys, &Hints::default(), &Policy::default()).map_err(|source| {
            UnsealFailure::Unseal {
                place: place(),
                name: name(),
                source,
            }
        })
    }
}

/// What came of all inputs.
#[derive(Default)]
struct Found {
    stream: Stream,
    unsealed: Vec<Unsealed>,
    /// Values of the one item that is asked for.
    items: Vec<Zeroizing<Vec<u8>>>,
    warnings: Vec<String>,
    failures: Vec<Failure>,
}

impl Found {
    fn add(&mut self, unsealed: Unsealed, place: &Place) {
        let name = &unsealed.secret.name;
        let warnings = unsealed.warnings.iter();
        self.warnings
            .extend(warnings.map(|warning| format!("{place}: `{name}`: {warning}")));
        match serde_json::to_value(unsealed.secret.manifest().expose()) {
            Ok(secret) => self.stream.push(secret),
            Err(error) => self.failures.push(Failure::new(format!(
                "{place}: cannot print `{name}`: {error}"
            ))),
        }
        self.unsealed.push(unsealed);
    }

    /// The value of one item of the one Secret.
    fn item(&self, item: &str) -> Result<Zeroizing<Vec<u8>>, UnsealFailure> {
        let unsealed = match (self.items.as_slice(), self.unsealed.as_slice()) {
            ([value], []) => return Ok(value.clone()),
            ([], [unsealed]) => unsealed,
            (items, unsealed) => return Err(UnsealFailure::NotOne(items.len() + unsealed.len())),
        };
        let data = &unsealed.secret.data;
        data.get(item)
            .map(|value| Zeroizing::new(value.expose().to_vec()))
            .ok_or_else(|| UnsealFailure::NoItem {
                item: item.to_owned(),
                known: data.keys().cloned().collect(),
            })
    }
}

fn indented(error: &UnsealError) -> String {
    error.to_string().replace('\n', "\n  ")
}
