//! Semantic versions and the constraints that they satisfy.

use super::Table;
use crate::error::Failure;
use crate::limits::Context;
use crate::signature::Function;
use crate::value::{Text, Version};

mod constraint;
mod version;

pub(super) fn table() -> Table {
    vec![
        ("semver", Function::new(semver)),
        ("semverCompare", Function::new(semver_compare)),
    ]
}

fn semver(_: &mut Context<'_, '_>, text: Text) -> Result<Version, Failure> {
    version::parse(&text).ok_or_else(|| "the text is no semantic version".into())
}

/// Whether a version satisfies a constraint.
fn semver_compare(_: &mut Context<'_, '_>, constraint: Text, text: Text) -> Result<bool, Failure> {
    let constraint = constraint.as_str().and_then(constraint::parse);
    let constraint = constraint.ok_or("the constraint is improper")?;
    let version = version::parse(&text).ok_or("the text is no semantic version")?;
    Ok(constraint::satisfies(&constraint, &version))
}
