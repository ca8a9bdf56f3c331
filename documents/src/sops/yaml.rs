//! YAML files.

mod layout;
mod metadata;
mod resolve;
mod spell;
mod write;

pub(crate) use layout::Placement;

use self::layout::Placed;
use super::{
    METADATA_KEY,
    body::{Body, Written},
    error::{ReadError, WriteError},
    metadata::MetaTree,
    outline::{Outcome, Outline, Step},
};
use crate::{
    position::Position,
    source::{self, DecodeError, Text},
    yaml::Stream,
};

/// A YAML file.
pub(super) struct Yaml {
    text: Text,
    stream: Stream,
}

impl Yaml {
    pub(super) fn parse(bytes: &[u8]) -> Result<Self, ReadError> {
        let text = source::decode(bytes)?;
        let stream = Stream::of(text.share())?;
        if stream.documents().is_empty() {
            return Err(DecodeError::Empty.into());
        }
        Ok(Self { text, stream })
    }
}

impl Body for Yaml {
    fn outline<'s>(&'s self) -> Result<Outline<'s>, ReadError> {
        let placed = layout::of(&self.stream)?;
        let of_placed = |placed: Placed<'s>| {
            let Placed { step, site, at } = placed;
            (step, Placement { site, at })
        };
        let (steps, sites): (Vec<_>, Vec<_>) = placed.into_iter().map(of_placed).unzip();
        let dressed = sites.iter().enumerate();
        let dressed = dressed.filter(|(_, placed)| placed.is_dressed());
        Ok(Outline {
            intricate: sites.iter().any(Placement::is_intricate),
            dressed: dressed.map(|(index, _)| index).collect(),
            steps,
            sites,
        })
    }

    fn metadata(&self) -> Result<Option<MetaTree>, ReadError> {
        let documents = self.stream.documents().iter();
        let mut entries = documents.map(layout::metadata_entry);
        let Some(entry) = entries.next().flatten() else {
            // It would take the place of what stands there, which may be anything.
            return match entries.flatten().next() {
                Some(entry) => Err(ReadError::MetadataBelow {
                    at: entry.key.position(),
                }),
                None => Ok(None),
            };
        };
        if !entry.value.is_mapping() {
            return Err(ReadError::MetadataNotMap {
                at: entry.value.position(),
            });
        }
        let tree = MetaTree::of_node(entry.value);
        tree.map(Some)
            .map_err(|error| ReadError::Metadata(error.to_string()))
    }

    fn position(&self, leaf: usize) -> Option<Position> {
        let steps = layout::of(&self.stream).ok()?;
        let is_leaf = |placed: &&layout::Placed<'_>| {
            matches!(placed.step, Step::Value(_) | Step::Comment { .. })
        };
        let placed = steps.iter().filter(is_leaf).nth(leaf)?;
        Some(Position::of(self.stream.text(), placed.at))
    }

    fn write(
        &self,
        outline: Option<&Outline<'_>>,
        outcomes: &[Outcome],
        metadata: Option<&MetaTree>,
    ) -> Result<Written, WriteError> {
        write::write(self, outline, outcomes, metadata)
    }

    fn foreign_document(&self) -> Option<usize> {
        let documents = self.stream.documents().iter();
        let macs = documents.map(|document| {
            let entry = layout::metadata_entry(document)?;
            entry.value.get("mac")?.text()
        });
        let macs: Vec<_> = macs.collect();
        let first = macs.first().copied().flatten();
        let foreign = macs.iter().position(|mac| mac.is_some() && *mac != first)?;
        Some(foreign + 1)
    }
}
