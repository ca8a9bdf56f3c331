//! Comments: several lines above a key and one behind it are one comment of the peer.

use std::fmt;
use std::ops::Range;

use zeroize::Zeroizing;

use crate::splice::Splice;

/// A comment of a section or key.
pub struct Comment {
    text: Zeroizing<String>,
    /// Its parts, in order, each from `#` or `;` to the end of its line without white space.
    parts: Vec<Part>,
    /// How much of the first part is no text: the marks and spaces.
    marks: usize,
    /// Where the line of what it belongs to begins.
    owner: usize,
    /// Whether that is the header of a section.
    of_header: bool,
}

#[derive(Clone, Debug)]
struct Part {
    range: Range<usize>,
    inline: bool,
}

impl Comment {
    /// The text as the peer has it: without the marks at the start of the first line, with those of
    /// the other lines.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The bytes of its first part.
    pub fn range(&self) -> Range<usize> {
        self.parts[0].range.clone()
    }

    /// The edits that give it another text. Where it has several parts, they become one, at the place
    /// of the first; one that has no room behind what it belongs to goes above it.
    pub fn replace(&self, source: &str, text: &str) -> Vec<Splice> {
        let first = &self.parts[0];
        let start = first.range.start + self.marks;
        let mut splices: Vec<Splice> = self.parts[1..]
            .iter()
            .map(|part| Splice::delete(part.whole(source)))
            .collect();
        // There is room for one line only behind a value, and a bracket would end the name of a section.
        let has_room = !(text.contains('\n') || self.of_header && text.contains(']'));
        if first.inline && !has_room {
            let marks = &source[first.range.start..start];
            let lines = format!("{marks}{text}\n");
            splices.push(Splice::insert(self.owner, lines));
            splices.push(Splice::delete(first.whole(source)));
        } else {
            let line = source[..start].rfind('\n').map_or(0, |at| at + 1);
            let indent = &source[line..first.range.start];
            let text = text.replace('\n', &format!("\n{indent}"));
            splices.push(Splice::new(start..first.range.end, text));
        }
        splices
    }
}

impl fmt::Debug for Comment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Comment")
            .field("parts", &self.parts)
            .finish_non_exhaustive()
    }
}

impl Part {
    /// Its line, or from the white space before it to the end of the line.
    fn whole(&self, source: &str) -> Range<usize> {
        let Range { start, end } = self.range;
        if self.inline {
            let before = source[..start].trim_end_matches([' ', '\t']).len();
            return before..end;
        }
        let line = source[..start].rfind('\n').map_or(0, |at| at + 1);
        let next = source[end..].find('\n');
        line..next.map_or(source.len(), |at| end + at + 1)
    }
}

/// The comments read so far, for what follows.
#[derive(Default)]
pub(super) struct Pieces(Vec<Part>);

impl Pieces {
    pub(super) fn own_line(&mut self, range: Range<usize>) {
        self.0.push(Part {
            range,
            inline: false,
        });
    }

    pub(super) fn inline(&mut self, range: Range<usize>) {
        self.0.push(Part {
            range,
            inline: true,
        });
    }

    /// The comment of what begins at `owner`.
    pub(super) fn take(&mut self, source: &str, owner: usize, of_header: bool) -> Option<Comment> {
        let mut parts = std::mem::take(&mut self.0);
        // The peer joins the lines with what ends them.
        let joined: Zeroizing<String> = Zeroizing::new(
            parts
                .iter()
                .map(|part| &source[part.range.clone()])
                .collect(),
        );
        for part in &mut parts {
            part.range.end = part.range.start + source[part.range.clone()].trim_end().len();
        }
        let text = joined.trim();
        let marks = match text.chars().next()? {
            mark @ ('#' | ';') => text.len() - text.trim_start_matches([mark, ' ']).len(),
            _ => 0,
        };
        Some(Comment {
            text: Zeroizing::new(text[marks..].to_owned()),
            parts,
            marks,
            owner,
            of_header,
        })
    }
}
