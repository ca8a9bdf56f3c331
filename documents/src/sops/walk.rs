//! The walk: which place every leaf stands at, and whether it is one of those that are encrypted.

use std::ops::Range;

use signet_keys::sops::value::looks_encrypted;

use super::{
    outline::{Leaf, Outline, Step},
    selector::{Level, Scope, Selector},
};

/// The places of the leaves of a file, in their order.
pub(crate) struct Places {
    places: Vec<Place>,
    /// The paths of all places, one after the other, each as associated data.
    paths: String,
}

/// What kind of file is walked through.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Reading {
    /// One whose values are encrypted.
    Encrypted,
    /// One in the clear, where nothing is a ciphertext whatever it looks like.
    Plain,
}

/// Where a leaf stands.
pub(crate) struct Place {
    path: Range<usize>,
    /// Which step it is.
    pub(crate) step: usize,
    /// Which document it is in, from 0.
    pub(crate) document: usize,
    /// Whether the selector of the file has it encrypted.
    pub(crate) encrypted: bool,
    /// Whether it is a comment, also one that the peer wrote as an item of a list.
    pub(crate) comment: bool,
}

impl Places {
    /// Walks through a file.
    pub(crate) fn of(outline: &Outline<'_>, selector: &Selector, reading: Reading) -> Self {
        let mut walk = Walk {
            selector,
            reading,
            found: Self {
                places: Vec::new(),
                paths: String::new(),
            },
            frames: Vec::new(),
            path: String::new(),
            entry: None,
            document: 0,
        };
        for (index, step) in outline.steps.iter().enumerate() {
            walk.step(index, step);
        }
        walk.found
    }

    /// The place of a leaf.
    pub(crate) fn get(&self, leaf: usize) -> Option<&Place> {
        self.places.get(leaf)
    }

    pub(crate) fn iter(&self) -> impl ExactSizeIterator<Item = &Place> {
        self.places.iter()
    }

    /// What an encrypted leaf is bound to: the keys from the root, each followed by a colon; neither
    /// document nor index of a list. At the top of a document it is the colon alone.
    pub(crate) fn aad(&self, place: &Place) -> &str {
        &self.paths[place.path.clone()]
    }

    /// What a comment may have been encrypted for: its own place first, then those around it, for
    /// programs differ about where a comment belongs.
    pub(crate) fn nearby(&self, leaf: usize) -> Vec<&str> {
        let around = [Some(leaf), leaf.checked_sub(1), leaf.checked_add(1)];
        let places = around.into_iter().flatten().filter_map(|at| self.get(at));
        let mut found = Vec::new();
        for place in places {
            let mut aad = self.aad(place);
            loop {
                if !found.contains(&aad) {
                    found.push(aad);
                }
                let keys = aad.strip_suffix(':').unwrap_or(aad);
                match keys.rfind(':') {
                    Some(at) => aad = &aad[..=at],
                    None => break,
                }
            }
        }
        if !found.contains(&":") {
            found.push(":");
        }
        found
    }
}

/// Whether a value is an encrypted comment.
pub(crate) fn is_encrypted_comment(text: &str) -> bool {
    looks_encrypted(text) && text.trim_end().ends_with(",type:comment]")
}

/// A document, map or list that is open.
struct Frame<'x> {
    is_list: bool,
    /// How much of the path leads to it.
    path: usize,
    level: Level<'x>,
}

struct Walk<'x> {
    selector: &'x Selector,
    reading: Reading,
    found: Places,
    frames: Vec<Frame<'x>>,
    path: String,
    /// That of the key whose value comes next.
    entry: Option<Scope<'x>>,
    document: usize,
}

impl<'x> Walk<'x> {
    fn step(&mut self, index: usize, step: &Step<'_>) {
        match step {
            Step::Document | Step::Map => self.open(false),
            Step::List => self.open(true),
            Step::Key(key) => self.key(key),
            Step::End => self.close(),
            Step::Null => {
                self.scope();
                self.truncate();
            }
            Step::Value(Leaf::Text(text)) if self.is_encrypted_comment(text) => {
                self.comment(index, text);
            }
            Step::Value(_) => {
                let encrypted = self.scope().is_some_and(Scope::is_encrypted);
                self.leaf(index, false, encrypted);
                self.truncate();
            }
            Step::Comment { text, .. } => self.comment(index, text),
        }
    }

    /// The peer writes an encrypted comment of a list as an item of it.
    fn is_encrypted_comment(&self, text: &str) -> bool {
        self.reading == Reading::Encrypted
            && self.frames.last().is_some_and(|frame| frame.is_list)
            && is_encrypted_comment(text)
    }

    fn open(&mut self, is_list: bool) {
        let level = match self.scope() {
            Some(scope) => scope.level(),
            None => self.selector.document(),
        };
        self.frames.push(Frame {
            is_list,
            path: self.path.len(),
            level,
        });
    }

    fn close(&mut self) {
        self.frames.pop();
        self.document += usize::from(self.frames.is_empty());
        self.truncate();
    }

    fn key(&mut self, key: &str) {
        self.truncate();
        self.path.push_str(key);
        self.path.push(':');
        let frame = self.frames.last_mut();
        self.entry = frame.map(|frame| frame.level.entry(key));
    }

    /// That of the value that comes next; `None` for a document.
    fn scope(&mut self) -> Option<Scope<'x>> {
        let item = || Some(self.frames.last_mut()?.level.item());
        self.entry.take().or_else(item)
    }

    /// Back to the path of what is open.
    fn truncate(&mut self) {
        let length = self.frames.last().map_or(0, |frame| frame.path);
        self.path.truncate(length);
    }

    fn comment(&mut self, index: usize, text: &str) {
        self.truncate();
        let frame = self.frames.last_mut();
        let encrypted = frame.is_some_and(|frame| frame.level.comment(text));
        self.leaf(index, true, encrypted);
    }

    fn leaf(&mut self, step: usize, comment: bool, encrypted: bool) {
        let start = self.found.paths.len();
        if self.path.is_empty() {
            self.found.paths.push(':');
        } else {
            self.found.paths.push_str(&self.path);
        }
        self.found.places.push(Place {
            path: start..self.found.paths.len(),
            step,
            document: self.document,
            encrypted,
            comment,
        });
    }
}
