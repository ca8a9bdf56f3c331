//! The folder of a control plane: state, kubeconfigs and logs.
//!
//! It is removed when the test process ends, unless a test in it panicked: then its path is printed
//! and it stays. Shared control planes live in a `static`, which is never dropped, so a small shell
//! that waits for the end of a pipe does the removing, whichever way the process ends.

use std::fs;
use std::panic;
use std::path::{Path, PathBuf};
use std::process::{ChildStdin, Command, Stdio};
use std::sync::{Mutex, Once, PoisonError};

use crate::error::KitError;

/// The servers of the folder are killed at the same moment as the janitor wakes: it lets them go
/// first, and tries again when one of them was still writing. What ends a whole terminal, such as Ctrl-C,
/// does not end it.
const JANITOR: &str = r#"
trap '' HUP INT TERM
read -r _
for _ in 1 2 3 4 5 6 7 8 9 10; do
  sleep 0.3
  [ -e "$1/failed" ] && exit
  rm -rf "$1" && exit
done
"#;

static LIVE: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

/// A folder that lives as long as what is kept in it.
#[derive(Debug)]
pub struct Workdir {
    path: PathBuf,
    _janitor: Option<ChildStdin>,
}

impl Workdir {
    /// Makes a folder under the system's temporary folder.
    pub fn create() -> Result<Self, KitError> {
        keep_on_panic();
        let dir = tempfile::Builder::new().prefix("signet-kit-").tempdir();
        let path = dir
            .map_err(KitError::io("create", std::env::temp_dir()))?
            .keep();
        let mut janitor = Command::new("/bin/sh")
            .args(["-c", JANITOR, "janitor"])
            .arg(&path)
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .map_err(KitError::io("start", "/bin/sh"))?;
        LIVE.lock()
            .unwrap_or_else(PoisonError::into_inner)
            .push(path.clone());
        Ok(Self {
            _janitor: janitor.stdin.take(),
            path,
        })
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// A file in it, with this content.
    pub fn write(&self, name: &str, content: impl AsRef<[u8]>) -> Result<PathBuf, KitError> {
        let path = self.path.join(name);
        fs::write(&path, content).map_err(KitError::io("write", &path))?;
        Ok(path)
    }
}

impl Drop for Workdir {
    fn drop(&mut self) {
        LIVE.lock()
            .unwrap_or_else(PoisonError::into_inner)
            .retain(|path| *path != self.path);
    }
}

/// Marks every live folder when a test panics, once for the process.
fn keep_on_panic() {
    static HOOK: Once = Once::new();
    HOOK.call_once(|| {
        let previous = panic::take_hook();
        panic::set_hook(Box::new(move |info| {
            previous(info);
            for path in LIVE.lock().unwrap_or_else(PoisonError::into_inner).iter() {
                if fs::write(path.join("failed"), "").is_ok() {
                    #[expect(clippy::print_stderr, reason = "for the reader of a failed test")]
                    {
                        eprintln!("the servers' logs are kept in {}", path.display());
                    }
                }
            }
        }));
    });
}
