//! How long the implementations of RSA take to seal and to open a short item (medians of wall time;
//! run it on an idle machine):
//!
//! ```text
//! cargo run --release -p signet-keys --all-features --example rsa_speed
//! ```
#![allow(clippy::print_stdout, clippy::expect_used)]

use std::time::{Duration, Instant};

use signet_keys::rsa::{Backend, PrivateKey};
use signet_keys::sealed::{self, Label, Scope};

const ROUNDS: usize = 101;

fn main() {
    let label = Label::new(Scope::Strict, "team-a", "db");
    println!(
        "{:<6} {:<12} {:>10} {:>10}",
        "bits", "backend", "seal", "open"
    );
    for bits in [2048, 4096] {
        let key = PrivateKey::generate(bits).expect("a key");
        for &backend in Backend::ALL {
            let key = key
                .with_backend(backend)
                .expect("every backend takes the key");
            let seal = || sealed::seal(key.public_key(), &label, &[0; 32]).expect("an item");
            let item = seal();
            let open = || sealed::open(&key, &label, &item).expect("the value");
            let (seal, open) = (median(seal), median(open));
            println!(
                "{bits:<6} {:<12} {seal:>10.1?} {open:>10.1?}",
                format!("{backend:?}")
            );
        }
    }
}

fn median<T>(mut work: impl FnMut() -> T) -> Duration {
    let mut times: Vec<_> = (0..ROUNDS)
        .map(|_| {
            let start = Instant::now();
            std::hint::black_box(work());
            start.elapsed()
        })
        .collect();
    times.sort_unstable();
    times[ROUNDS / 2]
}
