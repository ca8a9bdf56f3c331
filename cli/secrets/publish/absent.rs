//! Destinations of a build that has none.

use std::convert::Infallible;

use super::{Content, Outcome, PublishError, Secret};
use crate::Context;

/// Destinations that cannot be reached in this build, and so no value of it exists.
#[derive(Debug)]
pub struct Uploader(Infallible);

impl Uploader {
    /// Always an error.
    pub fn open(_: &Context) -> Result<Self, PublishError> {
        Err(PublishError::Upload {
            message: "this build cannot publish".to_owned(),
            hint: Some("build with `--features full`".to_owned()),
        })
    }

    /// Whether the destination has it already.
    pub fn has(&self, _: &Secret<'_>) -> Result<bool, PublishError> {
        match self.0 {}
    }

    /// Writes it there.
    pub fn upload(&self, _: &Content<'_>) -> Result<Outcome, PublishError> {
        match self.0 {}
    }
}
