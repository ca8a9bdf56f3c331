//! The same for many files, at the same time; one that fails does not stop the others.

use std::fmt::Write as _;
use std::path::Path;

use rayon::prelude::*;

use crate::walk::Found;
use crate::{Context, ExitStatus, Failure};

/// What became of a file.
#[derive(Debug)]
pub struct Done {
    /// Whether it was, or would be, changed.
    pub changed: bool,
    /// What the user should know.
    pub warnings: Vec<String>,
}

/// How the work is called.
#[derive(Clone, Copy, Debug)]
pub struct Words {
    /// Beside the progress bar: `rotating`.
    pub doing: &'static str,
    /// In the summary: `rotated`.
    pub done: &'static str,
    /// Instead of it when nothing is written: `would rotate`.
    pub would: &'static str,
}

/// Does the work for each file, tells what happened in their order, and sums up.
pub fn each(
    found: Found,
    words: Words,
    dry_run: bool,
    context: &mut Context,
    work: impl Fn(&Path) -> Result<Done, Failure> + Sync,
) -> ExitStatus {
    let Found { files, unreadable } = found;
    let progress = context.ui.progress(files.len(), words.doing);
    let outcomes: Vec<_> = files
        .par_iter()
        .map(|path| {
            let outcome = work(path);
            progress.step();
            outcome
        })
        .collect();
    drop(progress);
    let (mut changed, mut same, mut failed) = (0, 0, unreadable.len());
    for (path, mut failure) in unreadable {
        failure.message = format!("`{}`: {}", path.display(), failure.message);
        context.ui.failure(&context.env, &failure);
    }
    for (path, outcome) in files.iter().zip(outcomes) {
        match outcome {
            Ok(done) => {
                for warning in done.warnings {
                    let told = format!("`{}`: {warning}", path.display());
                    context.ui.warn(&context.env, told);
                }
                let count = if done.changed {
                    &mut changed
                } else {
                    &mut same
                };
                *count += 1;
            }
            Err(failure) => {
                context.ui.failure(&context.env, &failure);
                failed += 1;
            }
        }
    }
    let verb = if dry_run { words.would } else { words.done };
    context
        .ui
        .note(&context.env, summary(verb, changed, same, failed));
    if failed == 0 {
        ExitStatus::Success
    } else {
        ExitStatus::Failure
    }
}

fn summary(verb: &str, changed: usize, same: usize, failed: usize) -> String {
    let files = |count: usize| {
        if count == 1 {
            "1 file".to_owned()
        } else {
            format!("{count} files")
        }
    };
    let mut text = format!("{verb} {}", files(changed));
    if same > 0 {
        // Writing to a String cannot fail.
        let _ = write!(text, "; {} as they should be already", files(same));
    }
    if failed > 0 {
        let _ = write!(text, "; {} not done", files(failed));
    }
    text
}
