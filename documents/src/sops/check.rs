//! A file that was just written, read again: whether it says what was meant. What is broken is found
//! here, and not when the plaintext is gone.

use std::collections::HashMap;

use signet_keys::sops::{Kind, Value};

use super::{
    File, FileFormat, Metadata, ReadError,
    error::CheckError,
    outline::{Leaf, Outcome, Outline, Step},
    selector::Selector,
    walk::{self, Places, Reading},
};

/// What a file is to say.
pub(super) struct Meant<'a> {
    /// What the file says that it was made from.
    pub(super) outline: &'a Outline<'a>,
    /// What became of its leaves; nothing if all stayed.
    pub(super) outcomes: &'a [Outcome],
    /// Whether comments may have gone, with an alias in brackets that was written out.
    pub(super) may_lose_comments: bool,
}

impl Meant<'_> {
    /// Whether the file has forms in which something can go wrong. A check costs as much as reading the
    /// file does, so a file of single lines is spared it.
    pub(super) fn is_intricate(&self) -> bool {
        let line_break = |outcome: &Outcome| match outcome {
            Outcome::Plain(value) => {
                let is_break = |byte: &u8| matches!(byte, b'\n' | b'\r');
                value.plaintext().expose().iter().any(is_break)
            }
            Outcome::Encrypted { .. } | Outcome::Keep => false,
        };
        self.outline.intricate
            || self.outline.has_comments()
            || self.outcomes.iter().any(line_break)
    }

    /// Checks an encrypted file: its values, its comments and the places that those are read at.
    pub(super) fn check_encrypted(
        &self,
        format: FileFormat,
        bytes: &[u8],
        selector: &Selector,
        metadata: &Metadata,
    ) -> Result<(), CheckError> {
        let file = File::parse(format, bytes).map_err(CheckError::Read)?;
        let outline = file.body.outline().map_err(CheckError::Read)?;
        self.same_values(&outline, |meant, found| meant == found)?;
        self.same_places(&outline, selector)?;
        check_metadata(&file, metadata)
    }

    /// Checks a file in the clear. Numbers need only be numbers: encrypted files have such as the format
    /// has no spelling for.
    pub(super) fn check_plain(&self, format: FileFormat, bytes: &[u8]) -> Result<(), CheckError> {
        let file = File::parse(format, bytes).map_err(CheckError::Read)?;
        match file.body.outline() {
            Ok(outline) => self.same_values(&outline, |meant, found| {
                let is_text = |(kind, _)| matches!(kind, Kind::Bytes | Kind::Str);
                let both_text = is_text(meant) && is_text(found);
                is_text(meant) == is_text(found) && (meant.1 == found.1 || !both_text)
            }),
            Err(ReadError::Value { .. }) => Ok(()),
            Err(error) => Err(CheckError::Read(error)),
        }
    }

    /// The values and what they are in, comments aside.
    fn same_values(
        &self,
        found: &Outline<'_>,
        same: impl Fn((Kind, &[u8]), (Kind, &[u8])) -> bool,
    ) -> Result<(), CheckError> {
        let mut meant = items(self.outline, self.outcomes);
        let mut found = items(found, &[]);
        loop {
            let equal = match (meant.next(), found.next()) {
                (None, None) => return Ok(()),
                (Some(Item::Open(meant)), Some(Item::Open(found))) => meant == found,
                (Some(Item::Key(meant)), Some(Item::Key(found)))
                | (Some(Item::Text(meant)), Some(Item::Text(found))) => meant == found,
                (Some(meant), Some(found)) => match (meant.value(), found.value()) {
                    (Some(meant), Some(found)) => same(meant, found),
                    _ => false,
                },
                _ => false,
            };
            if !equal {
                return Err(CheckError::Values);
            }
        }
    }

    /// Encrypted comments must be where they open, and by the rules that look at comments the same values
    /// must be encrypted.
    fn same_places(&self, found: &Outline<'_>, selector: &Selector) -> Result<(), CheckError> {
        if !self.outline.has_comments() && !found.has_comments() {
            return Ok(());
        }
        let meant_places = Places::of(self.outline, selector, Reading::Plain);
        let places = Places::of(found, selector, Reading::Encrypted);
        let encrypted = |places: &Places| -> Vec<bool> {
            let values = places.iter().filter(|place| !place.comment);
            values.map(|place| place.encrypted).collect()
        };
        if encrypted(&meant_places) != encrypted(&places) {
            return Err(CheckError::Comments);
        }
        let mut waiting: HashMap<&str, &str> = HashMap::new();
        for (place, outcome) in meant_places.iter().zip(self.outcomes) {
            if let (true, Outcome::Encrypted { text, .. }) = (place.comment, outcome) {
                waiting.insert(text, meant_places.aad(place));
            }
        }
        for (index, place) in places.iter().enumerate() {
            let text = match &found.steps[place.step] {
                Step::Comment { text, .. } | Step::Value(Leaf::Text(text)) => text.as_ref(),
                _ => continue,
            };
            if let Some(aad) = waiting.remove(text)
                && !places.nearby(index).contains(&aad)
            {
                return Err(CheckError::Comments);
            }
        }
        if waiting.is_empty() || self.may_lose_comments {
            Ok(())
        } else {
            Err(CheckError::Comments)
        }
    }
}

/// The metadata must be read as what was written.
pub(super) fn check_metadata(file: &File, metadata: &Metadata) -> Result<(), CheckError> {
    let found = file.body.metadata().map_err(CheckError::Read)?;
    let found = found.as_ref().map(Metadata::read);
    let meant = Metadata::read(&metadata.write());
    if found.is_some_and(|found| found.is_ok() && found == meant) {
        Ok(())
    } else {
        Err(CheckError::Metadata)
    }
}

/// What a file says, comments aside.
enum Item<'a> {
    Key(&'a str),
    Open(char),
    Text(&'a str),
    Value(&'a Value),
}

impl<'a> Item<'a> {
    fn value(&self) -> Option<(Kind, &'a [u8])> {
        match self {
            Self::Text(text) => Some((Kind::Str, text.as_bytes())),
            Self::Value(value) => Some((value.kind(), value.plaintext().expose())),
            Self::Key(_) | Self::Open(_) => None,
        }
    }
}

fn items<'a>(outline: &'a Outline<'_>, outcomes: &'a [Outcome]) -> impl Iterator<Item = Item<'a>> {
    let mut outcomes = outcomes.iter();
    outline.steps.iter().filter_map(move |step| {
        Some(match step {
            Step::Document => Item::Open('d'),
            Step::Map => Item::Open('{'),
            Step::List => Item::Open('['),
            Step::End => Item::Open('e'),
            Step::Null => Item::Open('0'),
            Step::Key(key) => Item::Key(key),
            Step::Comment { .. } => {
                outcomes.next();
                return None;
            }
            Step::Value(leaf) => match (outcomes.next(), leaf) {
                (Some(Outcome::Encrypted { text, .. }), _) => Item::Text(text),
                (Some(Outcome::Plain(value)), _) if value.kind() == Kind::Comment => return None,
                (Some(Outcome::Plain(value)), _) | (_, Leaf::Typed(value)) => Item::Value(value),
                (_, Leaf::Text(text)) if walk::is_encrypted_comment(text) => return None,
                (_, Leaf::Text(text)) => Item::Text(text),
            },
        })
    })
}
