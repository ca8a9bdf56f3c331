//! A file that has no name in any folder: it is in memory, and gone with the last process that has it.

use std::fs::File;
use std::io::{self, Write as _};
use std::os::fd::AsRawFd as _;

/// Makes a file that commands started from now on have too. Only Linux has such files.
pub fn create(bytes: &[u8]) -> io::Result<File> {
    let mut file = empty()?;
    file.write_all(bytes)?;
    Ok(file)
}

#[cfg(target_os = "linux")]
fn empty() -> io::Result<File> {
    use rustix::fs::{MemfdFlags, memfd_create};

    Ok(File::from(memfd_create("signet", MemfdFlags::empty())?))
}

#[cfg(not(target_os = "linux"))]
fn empty() -> io::Result<File> {
    Err(io::ErrorKind::Unsupported.into())
}

/// The path by which those who have it open it anew, from its beginning.
pub fn path(file: &File) -> String {
    format!("/proc/self/fd/{}", file.as_raw_fd())
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;

    #[test]
    fn a_command_can_read_it_more_than_once() {
        let file = create(b"text").unwrap();
        let script = format!("cat {0} {0}", path(&file));
        let mut command = std::process::Command::new("/bin/sh");
        let output = command.args(["-c", &script]).output();
        assert_eq!(output.unwrap().stdout, b"texttext");
    }
}
