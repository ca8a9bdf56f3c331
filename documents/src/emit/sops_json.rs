//! JSON in the layout of `sops`: what Go's `encoding/json` makes of a tree.
//!
//! One tab a level unless told otherwise, a line break at the end, `<`, `>`, `&` and the line
//! separators escaped. Comments are dropped: JSON has none.

use std::fmt::Write as _;

use signet_keys::sops::{Kind, Value};
use zeroize::Zeroizing;

use super::sops_text::text_of;
use crate::sops::tree::{Branch, ListItem, TreeValue};

mod scalar;

/// How a level is indented.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Layout {
    /// None: all on one line.
    level: Option<String>,
}

impl Default for Layout {
    fn default() -> Self {
        Self {
            level: Some("\t".to_owned()),
        }
    }
}

impl Layout {
    /// This many spaces a level; with 0 lines are still broken.
    pub fn with_spaces(spaces: usize) -> Self {
        Self {
            level: Some(" ".repeat(spaces)),
        }
    }

    /// All on one line.
    pub(super) fn compact() -> Self {
        Self { level: None }
    }
}

/// A file: one object.
pub fn file(branch: &Branch, layout: &Layout) -> Result<Zeroizing<String>, NotFinite> {
    let mut writer = Writer::new(layout);
    writer.object(branch)?;
    writer.out.push('\n');
    Ok(writer.out)
}

/// One value, without a line break at the end.
pub fn part(value: &TreeValue, layout: &Layout) -> Result<Zeroizing<String>, NotFinite> {
    let mut writer = Writer::new(layout);
    writer.value(value)?;
    Ok(writer.out)
}

/// JSON has no infinity and no "not a number".
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a number that is infinite or no number at all cannot be written as JSON")]
pub struct NotFinite;

struct Writer<'l> {
    out: Zeroizing<String>,
    layout: &'l Layout,
    depth: usize,
}

impl<'l> Writer<'l> {
    fn new(layout: &'l Layout) -> Self {
        Self {
            out: Zeroizing::default(),
            layout,
            depth: 0,
        }
    }

    fn value(&mut self, value: &TreeValue) -> Result<(), NotFinite> {
        match value {
            TreeValue::Null => self.out.push_str("null"),
            TreeValue::Scalar(value) => self.scalar(value)?,
            TreeValue::Map(branch) => self.object(branch)?,
            TreeValue::List(items) => {
                let items = items.iter().filter_map(|item| match item {
                    ListItem::Comment(_) => None,
                    ListItem::Value(value) => Some(value),
                });
                self.items('[', ']', items, Self::value)?;
            }
        }
        Ok(())
    }

    fn object(&mut self, branch: &Branch) -> Result<(), NotFinite> {
        self.items('{', '}', branch.entries(), |writer, (key, value)| {
            scalar::string(key, &mut writer.out);
            writer.out.push(':');
            if writer.layout.level.is_some() {
                writer.out.push(' ');
            }
            writer.value(value)
        })
    }

    fn items<T>(
        &mut self,
        open: char,
        close: char,
        items: impl Iterator<Item = T>,
        mut write: impl FnMut(&mut Self, T) -> Result<(), NotFinite>,
    ) -> Result<(), NotFinite> {
        self.out.push(open);
        self.depth += 1;
        let mut empty = true;
        for item in items {
            if !empty {
                self.out.push(',');
            }
            empty = false;
            self.break_line();
            write(self, item)?;
        }
        self.depth -= 1;
        if !empty {
            self.break_line();
        }
        self.out.push(close);
        Ok(())
    }

    fn break_line(&mut self) {
        if let Some(level) = &self.layout.level {
            self.out.push('\n');
            self.out
                .extend(std::iter::repeat_n(level.as_str(), self.depth));
        }
    }

    fn scalar(&mut self, value: &Value) -> Result<(), NotFinite> {
        match value.kind() {
            Kind::Bool => self.out.push_str(&text_of(value).to_ascii_lowercase()),
            Kind::Int => self.out.push_str(text_of(value)),
            Kind::Float => {
                let number: f64 = text_of(value).parse().map_err(|_| NotFinite)?;
                if !number.is_finite() {
                    return Err(NotFinite);
                }
                // Writing to a string cannot fail.
                let _ = write!(self.out, "{}", scalar::Float(number));
            }
            Kind::Bytes | Kind::Comment | Kind::Str | Kind::Time => {
                let text = String::from_utf8_lossy(value.plaintext().expose());
                scalar::string(&text, &mut self.out);
            }
        }
        Ok(())
    }
}
