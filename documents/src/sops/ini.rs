//! INI files in place. Their metadata is the section `sops`, at the end.

use std::borrow::Cow;
use std::ops::Range;

use zeroize::Zeroizing;

use super::{
    body::{Body, Written},
    error::{ReadError, WriteError},
    flatten::{flatten, unflatten},
    metadata::MetaTree,
    outline::{Leaf, Outcome, Outline, Step},
};
use crate::{
    emit::{sops_ini, sops_text},
    ini::{self, Comment, Key, Section},
    position::Position,
    source::{self, Text},
    splice::{self, Splice},
};

const METADATA: &str = "sops";

/// An INI file.
pub(super) struct Ini {
    text: Text,
    ini: ini::Ini,
}

/// What is in a section, in the order of the peer: a comment stands behind the key that it is of.
enum Part<'i> {
    Comment(&'i Comment),
    Key(&'i Key),
}

impl Ini {
    pub(super) fn parse(bytes: &[u8]) -> Result<Self, ReadError> {
        let text = source::decode(bytes)?;
        let ini = ini::Ini::parse(text.as_str());
        let ini = ini.map_err(|error| ReadError::Line(error.to_string()))?;
        Ok(Self { text, ini })
    }

    /// The sections that are not metadata, with what is in them.
    fn sections(&self) -> Vec<(&str, Vec<Part<'_>>)> {
        let mut sections: Vec<(&str, Vec<Part<'_>>)> = Vec::new();
        for section in &self.ini.sections {
            let comment = section.comment.as_ref().map(Part::Comment);
            if is_metadata(section) {
                // It stood at the end of the file before there was metadata.
                if let Some((_, parts)) = sections.last_mut() {
                    parts.extend(comment);
                }
                continue;
            }
            let mut parts: Vec<Part<'_>> = comment.into_iter().collect();
            for key in &section.keys {
                parts.push(Part::Key(key));
                parts.extend(key.comment.as_ref().map(Part::Comment));
            }
            sections.push((&section.name, parts));
        }
        if let Some((_, parts)) = sections.last_mut() {
            parts.extend(self.ini.trailing.as_ref().map(Part::Comment));
        }
        sections
    }

    fn parts(&self) -> impl Iterator<Item = Part<'_>> {
        self.sections().into_iter().flat_map(|(_, parts)| parts)
    }

    /// The lines of metadata, with the empty line above.
    fn metadata_lines(&self, section: &Section) -> Option<Range<usize>> {
        let source = self.text.as_str();
        let header = section.header.as_ref()?;
        let before = &source[..header.start];
        let line_above = before.strip_suffix('\n').unwrap_or(before);
        let above = line_above.rfind('\n').map_or(0, |at| at + 1);
        let is_empty = source[above..header.start].trim().is_empty();
        let start = if is_empty { above } else { header.start };
        let end = section.keys.last().map_or(header.end, |key| key.lines.end);
        let end = if source[end..].trim().is_empty() {
            source.len()
        } else {
            end
        };
        Some(start..end)
    }
}

impl Body for Ini {
    fn outline(&self) -> Result<Outline<'_>, ReadError> {
        let mut steps = vec![Step::Document];
        for (name, parts) in self.sections() {
            steps.extend([Step::Key(Cow::Borrowed(name)), Step::Map]);
            for part in parts {
                match part {
                    Part::Comment(comment) => steps.push(Step::Comment {
                        text: Cow::Borrowed(comment.text()),
                        inline: false,
                    }),
                    Part::Key(key) => {
                        let value = Leaf::Text(Cow::Borrowed(key.value.text()));
                        steps.extend([Step::Key(Cow::Borrowed(&key.name)), Step::Value(value)]);
                    }
                }
            }
            steps.push(Step::End);
        }
        steps.push(Step::End);
        Ok(Outline {
            steps,
            ..Outline::default()
        })
    }

    fn metadata(&self) -> Result<Option<MetaTree>, ReadError> {
        let mut found = self.ini.sections.iter().filter(|each| is_metadata(each));
        let Some(section) = found.next() else {
            return Ok(None);
        };
        if let Some(second) = found.next() {
            let at = |section: &Section| {
                let start = section.header.as_ref().map_or(0, |header| header.start);
                Position::of(self.text.as_str(), start)
            };
            return Err(ReadError::MetadataTwice {
                at: at(second),
                first: at(section),
            });
        }
        let entries = section.keys.iter();
        let entries = entries.map(|key| (key.name.as_str(), key.value.text().replace("\\n", "\n")));
        let tree = unflatten(entries);
        tree.map(Some)
            .map_err(|error| ReadError::Metadata(error.to_string()))
    }

    fn position(&self, leaf: usize) -> Option<Position> {
        let start = match self.parts().nth(leaf)? {
            Part::Comment(comment) => comment.range().start,
            Part::Key(key) => key.lines.start,
        };
        Some(Position::of(self.text.as_str(), start))
    }

    fn write(
        &self,
        _: Option<&Outline<'_>>,
        outcomes: &[Outcome],
        metadata: Option<&MetaTree>,
    ) -> Result<Written, WriteError> {
        let source = self.text.as_str();
        let mut splices = Vec::new();
        for (part, outcome) in self.parts().zip(outcomes) {
            let text = match outcome {
                Outcome::Keep => continue,
                Outcome::Encrypted { text, .. } => Zeroizing::new(text.clone()),
                Outcome::Plain(value) => sops_text::scalar(value),
            };
            match part {
                Part::Comment(comment) => splices.extend(comment.replace(source, &text)),
                Part::Key(key) => {
                    let written = ini::value_text(&text, key.value.quote);
                    splices.push(Splice::new(key.value.range.clone(), written));
                }
            }
        }
        let old = self.ini.sections.iter().filter(|each| is_metadata(each));
        splices.extend(
            old.filter_map(|section| self.metadata_lines(section))
                .map(Splice::delete),
        );
        let mut out = Zeroizing::new(splice::apply(source, splices)?);
        if let Some(metadata) = metadata {
            append(metadata, line_break(source), &mut out);
        }
        Ok(Written {
            bytes: Zeroizing::new(self.text.encode(&out)),
            ..Written::default()
        })
    }
}

fn is_metadata(section: &Section) -> bool {
    section.name == METADATA
}

/// Of the first line. A CR alone ends none.
fn line_break(source: &str) -> &'static str {
    match source.split_once('\n') {
        Some((line, _)) if line.ends_with('\r') => "\r\n",
        _ => "\n",
    }
}

fn append(metadata: &MetaTree, line_break: &str, out: &mut String) {
    let entries = flatten(metadata);
    let keys = entries.iter().map(|(name, value)| sops_ini::Key {
        name,
        value: Zeroizing::new(value.replace('\n', "\\n")),
        comment: "",
    });
    let section = sops_ini::Section {
        name: METADATA,
        keys: keys.collect(),
        ..sops_ini::Section::default()
    };
    let mut text = String::from("\n");
    sops_ini::write(&section, false, &mut text);
    if !out.is_empty() && !out.ends_with('\n') {
        out.push_str(line_break);
    }
    let text = if out.is_empty() { &text[1..] } else { &text };
    out.push_str(&text.replace('\n', line_break));
}
