//! The binaries of this workspace.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Mutex, PoisonError};

use crate::tools::repository;

static BUILT: Mutex<BTreeMap<String, PathBuf>> = Mutex::new(BTreeMap::new());

/// The `signet-controller` binary: that of `SIGNET_CONTROLLER`, else built from the workspace now.
pub fn controller() -> PathBuf {
    binary("signet-controller", "SIGNET_CONTROLLER")
}

/// The `signet` binary with all features: that of `SIGNET`, else built from the workspace now.
pub fn signet() -> PathBuf {
    binary("signet", "SIGNET")
}

/// A test of this package cannot ask cargo for the binary of another package, so it builds it: a
/// check of fingerprints when it is fresh.
fn binary(package: &str, variable: &str) -> PathBuf {
    if let Some(path) = std::env::var_os(variable) {
        return path.into();
    }
    let mut built = BUILT.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(path) = built.get(package) {
        return path.clone();
    }
    let profile = profile();
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut command = Command::new(cargo);
    command.args([
        "build",
        "--quiet",
        "--all-features",
        "--package",
        package,
        "--bin",
        package,
    ]);
    if profile.ends_with("release") {
        command.arg("--release");
    }
    let output = command.current_dir(repository()).output();
    match output {
        Ok(output) if output.status.success() => {}
        Ok(output) => panic!(
            "cannot build {package}:\n{}",
            String::from_utf8_lossy(&output.stderr)
        ),
        Err(error) => panic!("cannot run cargo: {error}"),
    }
    let path = profile.join(package);
    built.insert(package.into(), path.clone());
    path
}

/// The profile's folder in the target folder: two above this test binary, which is in its `deps`.
fn profile() -> PathBuf {
    let executable = std::env::current_exe().unwrap_or_default();
    executable
        .ancestors()
        .nth(2)
        .unwrap_or(Path::new("target/debug"))
        .into()
}
