//! Text to sections and keys.

use std::collections::HashMap;
use std::ops::Range;

use super::comment::Pieces;
use super::value::{self, Value};
use super::{DEFAULT_SECTION, Ini, IniError, Key, Section};
use crate::position::Position;

const DELIMITERS: [char; 2] = ['=', ':'];

pub(super) fn read(source: &str) -> Result<Ini, IniError> {
    let mut reader = Reader {
        source,
        pending: Pieces::default(),
        sections: vec![Section {
            name: DEFAULT_SECTION.to_owned(),
            header: None,
            comment: None,
            keys: Vec::new(),
        }],
        names: HashMap::new(),
        dashes: 0,
    };
    let mut at = 0;
    while at < source.len() {
        at = reader.line(at)?;
    }
    let trailing = reader.pending.take(source, source.len(), false);
    Ok(Ini {
        sections: reader.sections,
        trailing,
    })
}

struct Reader<'s> {
    source: &'s str,
    /// Comments that belong to what follows.
    pending: Pieces,
    sections: Vec<Section>,
    /// Where the keys of the section stand.
    names: HashMap<String, usize>,
    /// Keys of the section that are named by a dash.
    dashes: usize,
}

impl Reader<'_> {
    /// Reads what begins with the line at `start`; returns where the next one begins.
    fn line(&mut self, start: usize) -> Result<usize, IniError> {
        let line = line_at(self.source, start);
        let text = &self.source[line.clone()];
        let first = line.end - text.trim_start().len();
        match self.source.as_bytes()[first..line.end].first() {
            None => Ok(line.end),
            Some(b'#' | b';') => {
                self.pending.own_line(first..line.end);
                Ok(line.end)
            }
            Some(b'[') => {
                self.header(line.clone(), first)?;
                Ok(line.end)
            }
            Some(_) => self.key(line, first),
        }
    }

    fn header(&mut self, line: Range<usize>, first: usize) -> Result<(), IniError> {
        let text = &self.source[first..line.end];
        let close = text.rfind(']').ok_or_else(|| IniError::UnclosedSection {
            line: self.number(first),
        })?;
        let name = &text[1..close];
        if name.is_empty() {
            let line = self.number(first);
            return Err(IniError::EmptySection { line });
        }
        self.comment_behind(first + close + 1..line.end);
        let comment = self.pending.take(self.source, line.start, true);
        self.sections.push(Section {
            name: name.to_owned(),
            header: Some(line),
            comment,
            keys: Vec::new(),
        });
        self.names.clear();
        self.dashes = 0;
        Ok(())
    }

    fn key(&mut self, line: Range<usize>, first: usize) -> Result<usize, IniError> {
        let (name, behind_delimiter) = self.key_name(first..line.end)?;
        let read = value::read(self.source, behind_delimiter..line.end);
        let (value, end) = read.ok_or_else(|| IniError::UnclosedValue {
            line: self.number(first),
            key: name.clone(),
        })?;
        if !matches!(value.quote, value::Quote::Continued) {
            self.comment_behind(value.range.end..end);
        }
        self.push(name, line.start..end, behind_delimiter, value)?;
        Ok(end)
    }

    fn push(
        &mut self,
        name: String,
        lines: Range<usize>,
        behind_delimiter: usize,
        value: Value,
    ) -> Result<(), IniError> {
        if let Some(first) = self.names.insert(name.clone(), lines.start) {
            return Err(IniError::DuplicateKey {
                line: self.number(lines.start),
                first: self.number(first),
                key: name,
            });
        }
        let comment = self.pending.take(self.source, lines.start, false);
        // There is the default section, if no other.
        if let Some(section) = self.sections.last_mut() {
            section.keys.push(Key {
                name,
                lines,
                behind_delimiter,
                value,
                comment,
            });
        }
        Ok(())
    }

    /// The name, and the byte behind the delimiter.
    fn key_name(&mut self, range: Range<usize>) -> Result<(String, usize), IniError> {
        let text = &self.source[range.clone()];
        let quote = if text.len() > 6 && text.starts_with("\"\"\"") {
            "\"\"\""
        } else if text.starts_with('"') {
            "\""
        } else if text.starts_with('`') {
            "`"
        } else {
            ""
        };
        let number = |reader: &Self| reader.number(range.start);
        let no_delimiter = |reader: &Self| IniError::NoDelimiter {
            line: number(reader),
        };
        let (name, behind_name) = if quote.is_empty() {
            let end = text.find(DELIMITERS).ok_or_else(|| no_delimiter(self))?;
            (&text[..end], end)
        } else {
            let inner = &text[quote.len()..];
            let end = inner
                .find(quote)
                .ok_or_else(|| IniError::UnclosedKey { line: number(self) })?;
            (&inner[..end], quote.len() + end + quote.len())
        };
        let delimiter = text[behind_name..]
            .find(DELIMITERS)
            .ok_or_else(|| no_delimiter(self))?;
        let behind_delimiter = range.start + behind_name + delimiter + 1;
        match name.trim() {
            "" => Err(IniError::EmptyKey { line: number(self) }),
            "-" => {
                self.dashes += 1;
                Ok((format!("#{}", self.dashes), behind_delimiter))
            }
            name => Ok((name.to_owned(), behind_delimiter)),
        }
    }

    /// A comment somewhere in the rest of a line.
    fn comment_behind(&mut self, rest: Range<usize>) {
        if let Some(at) = self.source[rest.clone()].find(['#', ';']) {
            self.pending.inline(rest.start + at..rest.end);
        }
    }

    /// The number of the line of a byte.
    fn number(&self, at: usize) -> usize {
        Position::of(self.source, at).line
    }
}

/// The line that begins at `start`, with its line break.
pub(super) fn line_at(source: &str, start: usize) -> Range<usize> {
    let end = source[start..].find('\n');
    start..end.map_or(source.len(), |length| start + length + 1)
}
