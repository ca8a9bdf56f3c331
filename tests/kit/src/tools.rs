//! Where the binaries are.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

use crate::error::KitError;

/// The servers, peers and tools that tests start.
#[derive(Clone, Debug)]
pub struct Tools {
    /// The folder of the binaries that are built from pinned Go modules.
    built: PathBuf,
    /// `KUBEBUILDER_ASSETS`, if set: etcd, kube-apiserver, kubectl of another version.
    assets: Option<PathBuf>,
}

impl Tools {
    /// A binary by its name: of `KUBEBUILDER_ASSETS` where it has it, else the pinned one.
    pub fn path(&self, name: &str) -> PathBuf {
        let asset = self.assets.as_deref().map(|assets| assets.join(name));
        asset
            .filter(|path| path.is_file())
            .unwrap_or_else(|| self.built.join(name))
    }

    /// The peer's own CRD, as its chart installs it.
    pub fn peer_crd(&self) -> PathBuf {
        self.built.join("peer-sealedsecrets-crd.yaml")
    }

    /// A file of the peer's own examples and tests, or the key to them.
    pub fn peer_sops_example(&self, name: &str) -> PathBuf {
        self.built.join("peer-sops-examples").join(name)
    }
}

/// The tools, built by the first call if they are not in the cache.
///
/// # Panics
/// When they cannot be built: no test that needs them could say anything else.
pub fn tools() -> &'static Tools {
    static TOOLS: OnceLock<Tools> = OnceLock::new();
    TOOLS.get_or_init(|| find().unwrap_or_else(|error| panic!("{error}")))
}

/// The root of the repository.
pub fn repository() -> &'static Path {
    // tests/kit is two folders below it.
    static ROOT: OnceLock<PathBuf> = OnceLock::new();
    ROOT.get_or_init(|| {
        Path::new(env!("CARGO_MANIFEST_DIR"))
            .ancestors()
            .nth(2)
            .unwrap_or(Path::new("."))
            .into()
    })
}

fn find() -> Result<Tools, KitError> {
    let script = repository().join("tests/tools/build");
    let output = Command::new(&script)
        .output()
        .map_err(KitError::io("run", &script))?;
    if !output.status.success() {
        return Err(KitError::Command {
            command: script.display().to_string(),
            status: output.status,
            output: String::from_utf8_lossy(&output.stderr).into_owned(),
        });
    }
    let built = String::from_utf8_lossy(&output.stdout).trim().into();
    Ok(Tools {
        built,
        assets: std::env::var_os("KUBEBUILDER_ASSETS").map(PathBuf::from),
    })
}
