//! A named pipe with plaintext in it: it goes from memory to memory, and no disk sees it.

use std::fs::{File, OpenOptions};
use std::io::{self, Write as _};
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::sleep;
use std::time::Duration;

use rustix::fs::{CWD, FileType, Mode, OFlags};

/// Makes a named pipe for its owner alone.
pub fn create(path: &Path) -> io::Result<()> {
    let mode = Mode::RUSR | Mode::WUSR;
    Ok(rustix::fs::mknodat(CWD, path, FileType::Fifo, mode, 0)?)
}

/// Writes the bytes to whoever opens the pipe first. Gives up once `stop` is set.
pub fn serve(path: &Path, bytes: &[u8], stop: &AtomicBool) -> io::Result<()> {
    let Some(mut pipe) = wait_for_a_reader(path, stop)? else {
        return Ok(());
    };
    rustix::fs::fcntl_setfl(&pipe, OFlags::empty())?;
    match pipe.write_all(bytes) {
        // Who has read enough goes.
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        done => done,
    }
}

/// Opening for writing would wait for a reader that may never come, so it is tried now and then.
fn wait_for_a_reader(path: &Path, stop: &AtomicBool) -> io::Result<Option<File>> {
    const PAUSE: Duration = Duration::from_millis(2);
    let not_waiting = OFlags::NONBLOCK.bits().cast_signed();
    while !stop.load(Ordering::Relaxed) {
        let opened = OpenOptions::new()
            .write(true)
            .custom_flags(not_waiting)
            .open(path);
        match opened {
            Ok(pipe) => return Ok(Some(pipe)),
            Err(error) if error.raw_os_error() == Some(rustix::io::Errno::NXIO.raw_os_error()) => {
                sleep(PAUSE);
            }
            Err(error) => return Err(error),
        }
    }
    Ok(None)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;

    #[test]
    fn a_reader_gets_all_of_it_and_without_one_it_ends_when_told() {
        let folder = tempfile::tempdir().unwrap();
        let pipe = folder.path().join("pipe");
        create(&pipe).unwrap();
        let stop = AtomicBool::new(false);
        // More than a pipe holds.
        let bytes = vec![7; 300_000];
        std::thread::scope(|scope| {
            let writer = scope.spawn(|| serve(&pipe, &bytes, &stop));
            assert_eq!(std::fs::read(&pipe).unwrap(), bytes);
            writer.join().unwrap().unwrap();
            let writer = scope.spawn(|| serve(&pipe, &bytes, &stop));
            stop.store(true, Ordering::Relaxed);
            writer.join().unwrap().unwrap();
        });
    }
}
