//! A progress bar for work that takes longer than a person likes to wait.

use indicatif::{ProgressBar, ProgressStyle};

/// A progress bar, or nothing where no person looks. Cleared when dropped.
#[derive(Debug)]
pub struct Progress(ProgressBar);

impl Progress {
    pub(super) fn new(total: usize, what: &'static str, terminal: bool) -> Self {
        if !terminal {
            return Self(ProgressBar::hidden());
        }
        let bar = ProgressBar::new(total as u64).with_message(what);
        // The template is a constant; were it wrong, the default bar would do.
        if let Ok(style) = ProgressStyle::with_template("{msg} {bar:30} {pos}/{len} {eta}") {
            bar.set_style(style);
        }
        Self(bar)
    }

    /// One more step is done. Called from any thread.
    pub fn step(&self) {
        self.0.inc(1);
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.0.finish_and_clear();
    }
}
