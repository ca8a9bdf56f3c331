//! From a resource and what it refers to, to the Secret it describes and its status.
//!
//! Everything here is a function from values to values: no client, no clock, no configuration file.
//! The controller and the command line fetch, call these and apply, so that what `signet render`
//! prints is what the cluster gets.
//!
//! ```text
//! attention::of(sealed)                  is there anything to do at all
//! recognise::unchanged(sealed, meta)     yes: done, without a private-key operation, write or event
//! unseal::unseal(sealed, ring)           private-key operations; the Secret as described
//! plan::plan(sealed, unsealed, secret)   create, replace, recreate, keep, or refuse and why
//!   (the caller does it)
//! outcome::Outcome                       what came of it
//! status::after(sealed, outcome, now)    the status to write, if it says anything new
//! events::of(sealed, outcome)            the events to emit, if there is news
//! retry::delay(failure, attempt)         when to try again
//! ```

pub mod attention;
pub mod desired;
pub mod events;
pub mod external;
pub mod manifest;
pub mod outcome;
pub mod ownership;
pub mod pace;
pub mod plan;
pub mod policy;
pub mod prune;
pub mod recognise;
pub mod reseal;
pub mod retry;
pub mod ring;
pub mod status;
pub mod text;
pub mod unseal;
pub mod verify;

mod items;
mod template;

#[cfg(test)]
mod testing;
