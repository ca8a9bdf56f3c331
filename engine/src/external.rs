//! ExternalSecrets: from a resource and what stores answered, to the Secret it describes and its status.
//!
//! ```text
//! refresh::decide(external, target, now)     are the stores to be asked at all
//! needs::of(external)                        what is asked for, each thing once
//!   (the caller asks)
//! plan::plan(external, answers, observed)    create, update, delete, keep, and what came of it
//!   (the caller does it)
//! status::after(external, outcome, now)      the status to write, if it says anything new
//! retry::delay(external, failure, attempt)   when to try again
//! ```

pub mod answers;
pub mod assemble;
pub mod cluster;
pub mod convert;
pub mod decode;
pub mod events;
pub mod hash;
pub mod needs;
pub mod outcome;
pub mod ownership;
pub mod plan;
pub mod policy;
pub mod press;
pub mod property;
pub mod push;
pub mod refresh;
pub mod retry;
pub mod rewrite;
pub mod rules;
pub mod status;
pub mod store;
pub mod sync_window;
pub mod template;

mod conditions;
mod gjson;
mod managed;
mod normal;

#[cfg(test)]
mod testing;
