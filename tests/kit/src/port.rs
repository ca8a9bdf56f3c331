//! Ports for servers that cannot be told to choose one themselves.

use std::io;
use std::net::{Ipv4Addr, TcpListener};
use std::process;
use std::sync::atomic::{AtomicU32, Ordering};

/// Below the range from which the kernel takes ports for outgoing connections (32768 and up), so
/// that a server which is stopped and started again finds its port free.
const FIRST: u16 = 20_000;
const COUNT: u16 = 12_000;

static NEXT: AtomicU32 = AtomicU32::new(0);

/// A port of loopback that nobody listens on just now.
///
/// Another process may take it before the caller's server does: who starts a server retries on an
/// early exit.
pub fn free() -> io::Result<u16> {
    // Test processes that run at once start at different places.
    let start = process::id().wrapping_mul(37);
    for _ in 0..COUNT {
        let step = start.wrapping_add(NEXT.fetch_add(1, Ordering::Relaxed)) % u32::from(COUNT);
        let port = u16::try_from(step).map_or(FIRST, |step| FIRST + step);
        if TcpListener::bind((Ipv4Addr::LOCALHOST, port)).is_ok() {
            return Ok(port);
        }
    }
    Err(io::Error::new(
        io::ErrorKind::AddrInUse,
        "no free port on loopback",
    ))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn two_calls_give_two_ports_outside_the_ephemeral_range() {
        let (one, two) = (free().unwrap(), free().unwrap());
        assert_ne!(one, two);
        assert!((FIRST..FIRST + COUNT).contains(&one));
    }

    #[test]
    fn a_port_in_use_is_not_given_out() {
        let held = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
        let taken = held.local_addr().unwrap().port();
        assert!((0..50).all(|_| free().unwrap() != taken));
    }
}
