//! An API server in memory, for tests: what it keeps, counts and refuses is what the real one
//! would.
//!
//! It knows resourceVersions and their conflicts, UIDs, generations, the status subresource, label
//! and field selectors, lists and watches of whole objects or of metadata, and nothing of schemas
//! or access. [`Cluster::fail`] makes requests fail; [`Cluster::requests`] tells which there were.
#![allow(clippy::unwrap_used, clippy::expect_used)]

pub(crate) mod fixture;
mod objects;
mod serve;
mod state;

pub(crate) use self::{
    objects::{key_secret, newer_key, ring_of, seal, sealed_secret, test_key},
    serve::{Cluster, Fault},
};
