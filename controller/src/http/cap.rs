//! A cap on open connections: each costs memory and a file, and whoever reaches the port may open
//! them. One address gets half of them at most, so that it cannot shut out the others.

use std::{
    collections::HashMap,
    future::{Ready, ready},
    io,
    net::{IpAddr, Ipv4Addr},
    pin::Pin,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    task::{Context, Poll},
};

use axum_server::accept::Accept;
use tokio::{
    io::{AsyncRead, AsyncWrite, ReadBuf},
    net::TcpStream,
};

/// Connections of a port that are open at once; probes, scrapes and people are far below.
pub(super) const CONNECTIONS: usize = 512;

/// Lets connections in while there is room. Clones share the room.
#[derive(Debug, Clone)]
pub(super) struct Cap(Arc<Mutex<Room>>);

#[derive(Debug)]
struct Room {
    most: usize,
    open: usize,
    by_address: HashMap<IpAddr, usize>,
}

impl Cap {
    /// Room for so many.
    pub(super) fn new(most: usize) -> Self {
        Self(Arc::new(Mutex::new(Room {
            most,
            open: 0,
            by_address: HashMap::new(),
        })))
    }

    fn room(&self) -> MutexGuard<'_, Room> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Room {
    fn enter(&mut self, address: IpAddr) -> bool {
        let own = self.by_address.get(&address).copied().unwrap_or(0);
        let full = self.open >= self.most || own >= self.most.div_ceil(2);
        if !full {
            self.open += 1;
            self.by_address.insert(address, own + 1);
        }
        !full
    }

    fn leave(&mut self, address: IpAddr) {
        self.open -= 1;
        if let Some(own) = self.by_address.get_mut(&address) {
            *own -= 1;
            if *own == 0 {
                self.by_address.remove(&address);
            }
        }
    }
}

impl<S> Accept<TcpStream, S> for Cap {
    type Stream = Admitted;
    type Service = S;
    type Future = Ready<io::Result<(Admitted, S)>>;

    fn accept(&self, stream: TcpStream, service: S) -> Self::Future {
        let unknown = IpAddr::from(Ipv4Addr::UNSPECIFIED);
        let address = stream.peer_addr();
        let address = address.map_or(unknown, |address| address.ip().to_canonical());
        if !self.room().enter(address) {
            return ready(Err(io::Error::other("too many connections")));
        }
        let admitted = Admitted {
            stream,
            address,
            cap: self.clone(),
        };
        ready(Ok((admitted, service)))
    }
}

/// A connection that has its place until it is closed.
#[derive(Debug)]
pub(super) struct Admitted {
    stream: TcpStream,
    address: IpAddr,
    cap: Cap,
}

impl Drop for Admitted {
    fn drop(&mut self) {
        self.cap.room().leave(self.address);
    }
}

impl AsyncRead for Admitted {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_read(context, buffer)
    }
}

impl AsyncWrite for Admitted {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.stream).poll_write(context, bytes)
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(context)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn address(number: u32) -> IpAddr {
        IpAddr::from(number.to_be_bytes())
    }

    #[test]
    fn one_address_gets_half_of_the_places_and_all_together_no_more_than_there_are() {
        let cap = Cap::new(4);
        let enter = |number| cap.room().enter(address(number));
        assert_eq!([1, 1, 1].map(enter), [true, true, false]);
        assert_eq!([2, 3, 4].map(enter), [true, true, false]);
        cap.room().leave(address(1));
        assert!(enter(4));
    }

    #[test]
    fn nothing_is_kept_of_addresses_that_have_left() {
        let cap = Cap::new(4);
        for number in 0..100 {
            assert!(cap.room().enter(address(number)));
            cap.room().leave(address(number));
        }
        assert!(cap.room().by_address.is_empty());
    }
}
