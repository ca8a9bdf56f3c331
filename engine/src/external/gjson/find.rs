//! Following a path.

use super::GetError;
use super::budget::Budget;
use super::json::{self, Elements, Kind, Members};
use super::modifier;
use super::multipath;
use super::path::{self, Key, Rest, Step};
use super::query::Query;
use super::raw::Raw;
use super::wildcard;

/// What a path leads to.
pub(super) fn get<'j>(json: &'j str, path: &str, budget: &Budget) -> Result<Raw<'j>, GetError> {
    budget.deeper(|| {
        let Stop { mut value, pipe } = part(json, path, budget)?;
        let mut next = pipe;
        while let Some(path) = next {
            let stop = part(&value, path, budget)?;
            next = stop.pipe;
            value = stop.value.detach();
        }
        Ok(value)
    })
}

/// Where a part of a path leads, and the part behind it.
struct Stop<'j, 'p> {
    value: Raw<'j>,
    pipe: Option<&'p str>,
}

impl<'j, 'p> Stop<'j, 'p> {
    /// A change to the whole leads to `value`; what comes behind its own text is another part.
    fn own(value: Raw<'j>, after: &'p str) -> Self {
        Self {
            value,
            pipe: after.strip_prefix(['.', '|']),
        }
    }
}

fn part<'j, 'p>(json: &'j str, path: &'p str, budget: &Budget) -> Result<Stop<'j, 'p>, GetError> {
    budget.spend(path.len())?;
    match path.as_bytes() {
        [b'@', _, ..] => {
            if let Some((value, after)) = modifier::apply(json, path, budget)? {
                return Ok(Stop::own(value, after));
            }
        }
        [b'!', _, ..] => {
            if let Some((value, after)) = modifier::literal(path) {
                return Ok(Stop::own(value, after));
            }
        }
        [b'[' | b'{', _, ..] => {
            if let Some((value, after)) = multipath::collect(json, path, budget)? {
                return Ok(Stop::own(value, after));
            }
        }
        _ => {}
    }
    let mut walk = Walk {
        value: Raw::ABSENT,
        pipe: None,
        budget,
    };
    if let Some(lines) = path.strip_prefix("..") {
        walk.elements(json, Elements::of_lines(json), lines)?;
    } else {
        walk.enter(json, path)?;
    }
    Ok(Stop {
        value: walk.value,
        pipe: walk.pipe,
    })
}

/// A walk through a value, until something is hit.
struct Walk<'j, 'p, 'b> {
    value: Raw<'j>,
    pipe: Option<&'p str>,
    budget: &'b Budget,
}

impl<'j, 'p> Walk<'j, 'p, '_> {
    /// Whether the walk ends here.
    fn enter(&mut self, raw: &'j str, path: &'p str) -> Result<bool, GetError> {
        match json::kind(raw) {
            Kind::Object => self.members(raw, path),
            Kind::Array => self.elements(raw, Elements::of(raw), path),
            _ => Ok(false),
        }
    }

    fn found(&mut self, raw: &'j str) -> bool {
        self.value = Raw::Cut(raw);
        true
    }

    fn members(&mut self, object: &'j str, path: &'p str) -> Result<bool, GetError> {
        self.budget.spend(object.len())?;
        let Key {
            name,
            is_pattern,
            rest,
        } = path::key(path);
        self.note(rest);
        for (key, value) in Members::of(object) {
            let key = json::text(key);
            let fits = if is_pattern {
                wildcard::matches(&key, &name, self.budget)?
            } else {
                *key == *name
            };
            let ends = fits
                && match rest {
                    Rest::More(path) => self.enter(value, path)?,
                    Rest::End | Rest::Pipe(_) => self.found(value),
                };
            if ends {
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn note(&mut self, rest: Rest<'p>) {
        if let Rest::Pipe(path) = rest {
            self.pipe = Some(path);
        }
    }

    fn elements(
        &mut self,
        array: &'j str,
        mut elements: Elements<'j>,
        path: &'p str,
    ) -> Result<bool, GetError> {
        self.budget.spend(array.len())?;
        match path::step(path) {
            Step::Index(index, rest) => {
                self.note(rest);
                match (index.and_then(|index| elements.nth(index)), rest) {
                    (None, _) => Ok(false),
                    (Some(element), Rest::More(path)) => self.enter(element, path),
                    (Some(element), Rest::End | Rest::Pipe(_)) => Ok(self.found(element)),
                }
            }
            Step::Count(rest) => {
                self.note(rest);
                self.value = Raw::Made(elements.count().to_string().into());
                Ok(true)
            }
            Step::Each(path) => {
                let path = self.cut_at_bar(path);
                let mut list = List::default();
                for element in elements {
                    list.push(&get(element, path, self.budget)?, self.budget)?;
                }
                self.value = list.end();
                Ok(true)
            }
            Step::First(query, rest) => self.first(elements, &query, rest),
            Step::All(query, rest) => self.all(elements, &query, rest),
        }
    }

    fn first(
        &mut self,
        elements: Elements<'j>,
        query: &Query,
        rest: Rest<'p>,
    ) -> Result<bool, GetError> {
        self.note(rest);
        for element in elements {
            if query.fits(element, self.budget)? {
                self.value = match rest {
                    Rest::More(path) => get(element, self.cut_at_bar(path), self.budget)?,
                    Rest::End | Rest::Pipe(_) => Raw::Cut(element),
                };
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn all(
        &mut self,
        elements: Elements<'j>,
        query: &Query,
        rest: Rest<'p>,
    ) -> Result<bool, GetError> {
        self.note(rest);
        let mut list = List::default();
        for element in elements {
            if !query.fits(element, self.budget)? {
                continue;
            }
            match rest {
                Rest::More(path) => {
                    let path = self.cut_at_bar(path);
                    list.push(&get(element, path, self.budget)?, self.budget)?;
                }
                Rest::End | Rest::Pipe(_) => list.push(element, self.budget)?,
            }
        }
        if !self.value.exists() {
            self.value = list.end();
        }
        // A pattern of keys goes on to the next key.
        Ok(false)
    }

    /// The path up to its bar; what is behind it is for the list as a whole.
    fn cut_at_bar(&mut self, path: &'p str) -> &'p str {
        let Some((left, right)) = path::split_at_bar(path) else {
            return path;
        };
        self.pipe = Some(right);
        left
    }
}

/// An array in the making.
#[derive(Default)]
struct List(zeroize::Zeroizing<String>);

impl List {
    fn push(&mut self, raw: &str, budget: &Budget) -> Result<(), GetError> {
        if !raw.is_empty() {
            budget.spend(raw.len())?;
            let sign = if self.0.is_empty() { '[' } else { ',' };
            self.0.push(sign);
            self.0.push_str(raw);
        }
        Ok(())
    }

    fn end(mut self) -> Raw<'static> {
        if self.0.is_empty() {
            self.0.push('[');
        }
        self.0.push(']');
        Raw::Made(self.0)
    }
}
