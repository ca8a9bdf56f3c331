//! One line of the table.

use std::fmt::Write;

/// A measured quantity.
#[derive(Clone, Copy)]
pub enum Unit {
    Seconds,
    MiB,
    Count,
}

impl Unit {
    fn show(self, value: f64) -> String {
        match self {
            Self::Seconds if value < 1.0 => format!("{:.0} ms", value * 1000.0),
            Self::Seconds => format!("{value:.1} s"),
            Self::MiB => format!("{value:.0} MiB"),
            Self::Count => format!("{value:.0}"),
        }
    }
}

/// What was measured, for the peer and for us.
pub struct Row {
    pub work: String,
    pub unit: Unit,
    /// `None` where the peer was left out.
    pub peer: Option<f64>,
    pub ours: f64,
}

impl Row {
    pub fn new(work: impl Into<String>, unit: Unit, peer: Option<f64>, ours: f64) -> Self {
        let work = work.into();
        Self {
            work,
            unit,
            peer,
            ours,
        }
    }

    /// How many times the peer's figure ours goes into it.
    fn ratio(&self) -> String {
        match self.peer {
            Some(peer) if self.ours > 0.0 => format!("{:.1}", peer / self.ours),
            _ => "-".into(),
        }
    }
}

/// A table in Markdown.
pub fn table(rows: &[Row]) -> String {
    let mut text = String::from("| work | peer | signet | ratio |\n|---|---|---|---|\n");
    for row in rows {
        let peer = row
            .peer
            .map_or("not run".into(), |peer| row.unit.show(peer));
        let ours = row.unit.show(row.ours);
        // Writing to a String cannot fail.
        let _ = writeln!(text, "| {} | {peer} | {ours} | {} |", row.work, row.ratio());
    }
    text
}
