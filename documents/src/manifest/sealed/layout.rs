//! The text of a `SealedSecret`, from the text of the Secret that it was.
//!
//! What the object is has been decided before ([`super::shape`]); here its text is put together
//! from the segments of the old one, and what the old one does not have is written new. The caller
//! checks that the text says what it should, so an odd document costs its layout, not its meaning.

use serde_json::{Map, Value};

use super::{
    secret,
    segment::{self, Segment, indented},
};
use crate::{
    edit::{self, Layout as Habits},
    lines,
    splice::{self, Splice},
    value::to_json,
    yaml::{Node, Stream},
};

/// The new text in the place of the Secret; `None` if its layout cannot be kept.
pub(super) fn sealed(secret: Node<'_>, value: &Value) -> Option<Splice> {
    if secret.document().has_anchors() {
        return None;
    }
    let source = secret.document().source();
    let segments = segment::of(secret, None)?;
    let base = lines::column(source, secret.range().start);
    let habits = Habits::of(secret.document());
    let mut page = Page {
        lines: Vec::new(),
        base,
        habits,
    };
    let spec_at = segments
        .iter()
        .position(|segment| matches!(segment.key(), "data" | "stringData"));
    for (index, segment) in segments.iter().enumerate() {
        if spec_at == Some(index) {
            page.spec(&segments, value)?;
        }
        match segment.key() {
            key @ ("apiVersion" | "kind") => page.scalar(*segment, &value[key])?,
            "metadata" => page.outer_metadata(*segment, &value["metadata"])?,
            _ => {}
        }
    }
    if spec_at.is_none() {
        page.spec(&segments, value)?;
    }
    if !segments.iter().any(|segment| segment.key() == "apiVersion") {
        // `kubeseal` takes a Secret without it.
        page.entry_at(0, "apiVersion", &value["apiVersion"], base);
    }
    let text = page.lines.join(habits.line_break);
    let start = secret.full_range().start;
    let end = lines::end(source, secret.range().end);
    Some(Splice::new(start..end, text.get(base..)?))
}

/// Whether the text, put in its place, is read as the value.
pub(super) fn says(secret: Node<'_>, splice: &Splice, value: &Value) -> bool {
    let document = secret.document();
    let Ok(text) = splice::apply(document.source(), vec![splice.clone()]) else {
        return false;
    };
    let Ok(stream) = Stream::parse(&text) else {
        return false;
    };
    let start = secret.full_range().start;
    stream
        .documents()
        .iter()
        .filter(|document| document.range().contains(&start))
        .filter_map(|document| document.node_at(start))
        .any(|node| to_json(node).as_ref() == Ok(value))
}

/// The lines written so far.
struct Page {
    lines: Vec<String>,
    /// Column of the object.
    base: usize,
    habits: Habits,
}

impl Page {
    /// The segment with another scalar.
    fn scalar(&mut self, segment: Segment<'_>, value: &Value) -> Option<()> {
        self.scalar_indented(segment, value, 0)
    }

    fn scalar_indented(&mut self, segment: Segment<'_>, value: &Value, by: usize) -> Option<()> {
        let mut splices = Vec::new();
        edit::replace_value(&mut splices, segment.entry, value, &self.habits);
        let lines = segment.spliced(splices)?;
        self.lines.extend(indented(lines, by));
        Some(())
    }

    /// An entry that the Secret does not have.
    fn entry(&mut self, key: &str, value: &Value, indent: usize) {
        let at = self.lines.len();
        self.entry_at(at, key, value, indent);
    }

    fn entry_at(&mut self, at: usize, key: &str, value: &Value, indent: usize) {
        let mut text = format!("{:indent$}", "");
        edit::block_entry(&mut text, key, value, indent, &self.habits);
        let lines = text.split(self.habits.line_break).map(str::to_owned);
        self.lines.splice(at..at, lines);
    }

    /// Name and namespace where they stand, then the scope.
    fn outer_metadata(&mut self, segment: Segment<'_>, value: &Value) -> Option<()> {
        let Some(children) = segment::of_value(segment.entry) else {
            self.lines.extend(segment.above());
            self.entry("metadata", value, self.base);
            return Some(());
        };
        self.lines.extend(segment.header("metadata")?);
        let indent = column(&children)?;
        let outer = value.as_object()?;
        for child in &children {
            let key = child.key();
            let Some(new) = outer.get(key).filter(|_| is_identity(key)) else {
                continue;
            };
            if child.entry.value.as_str() == new.as_str() {
                self.lines.extend(child.lines());
            } else {
                self.scalar(*child, new)?;
            }
        }
        for (key, value) in outer {
            let kept = is_identity(key) && children.iter().any(|child| child.key() == key);
            if !kept {
                self.entry(key, value, indent);
            }
        }
        Some(())
    }

    fn spec(&mut self, segments: &[Segment<'_>], value: &Value) -> Option<()> {
        let spec = &value["spec"];
        self.lines.push(format!("{:1$}spec:", "", self.base));
        self.encrypted_data(segments, spec["encryptedData"].as_object()?)?;
        self.template(segments, spec["template"].as_object()?)
    }

    /// The items of `data` and `stringData`, each in the place where its key comes first and with
    /// the comments of the value that counts.
    fn encrypted_data(
        &mut self,
        segments: &[Segment<'_>],
        items: &Map<String, Value>,
    ) -> Option<()> {
        let step = self.habits.step;
        let named = |key: &str| {
            segments
                .iter()
                .find(|segment| segment.key() == key)
                .copied()
        };
        let (data, string_data) = (named("data"), named("stringData"));
        let Some(first) = segments
            .iter()
            .find(|segment| matches!(segment.key(), "data" | "stringData"))
        else {
            self.entry(
                "encryptedData",
                &Value::Object(items.clone()),
                self.base + step,
            );
            return Some(());
        };
        let (Some(data_items), Some(string_items)) = (children_of(data), children_of(string_data))
        else {
            // One of them is in flow style, or empty.
            self.lines.extend(indented(first.above(), step));
            self.entry(
                "encryptedData",
                &Value::Object(items.clone()),
                self.base + step,
            );
            return Some(());
        };
        let header = first.header("encryptedData")?;
        self.lines.extend(indented(header, step));
        let find = |children: &[Segment<'_>], key: &str| -> Option<usize> {
            children.iter().position(|child| child.key() == key)
        };
        let first_is_data = first.key() == "data";
        let (before, after) = if first_is_data {
            (&data_items, &string_items)
        } else {
            (&string_items, &data_items)
        };
        let depth = column(before).or_else(|| column(after))?;
        let second = if first_is_data { string_data } else { data };
        let mut second_header = second.map(Segment::above).unwrap_or_default();
        for child in before.iter().chain(after) {
            let key = child.key();
            let in_before = find(before, key).map(|index| before[index]);
            let in_after = find(after, key).map(|index| after[index]);
            let from_second = in_before.is_none();
            if !from_second && in_after.is_some() && child.entry.range() != in_before?.entry.range()
            {
                // Written where the key came first.
                continue;
            }
            let in_string_data = find(&string_items, key).map(|index| string_items[index]);
            let winner = in_string_data.unwrap_or(*child);
            if from_second {
                let own = column(&[*child])?;
                let lines = std::mem::take(&mut second_header);
                self.lines.extend(indented(lines, step + own - self.base));
            }
            // Items of the two mappings may be indented differently.
            let own = column(&[winner])?;
            let by = (depth + step).checked_sub(own)?;
            self.scalar_indented(winner, items.get(key)?, by)?;
        }
        Some(())
    }

    fn template(&mut self, segments: &[Segment<'_>], template: &Map<String, Value>) -> Option<()> {
        let step = self.habits.step;
        let indent = self.base + step;
        self.lines.push(format!("{:indent$}template:", ""));
        for segment in segments {
            match (segment.key(), template.get(segment.key())) {
                ("metadata", Some(value)) => {
                    self.template_metadata(*segment, value.as_object()?)?;
                }
                ("type" | "immutable", Some(_)) => {
                    self.lines.extend(indented(segment.lines(), 2 * step));
                }
                _ => {}
            }
        }
        Some(())
    }

    fn template_metadata(&mut self, old: Segment<'_>, new: &Map<String, Value>) -> Option<()> {
        let step = self.habits.step;
        let indent = self.base + 2 * step;
        let Some(children) = segment::of_value(old.entry) else {
            self.entry("metadata", &Value::Object(new.clone()), indent);
            return Some(());
        };
        self.lines.push(format!("{:indent$}metadata:", ""));
        let by = 2 * step;
        let depth = column(&children)? + by;
        let mut written = Vec::new();
        for child in &children {
            let (key, Some(value)) = (child.key(), new.get(child.key())) else {
                continue;
            };
            if !secret::keeps_metadata(key) {
                continue;
            }
            written.push(key);
            if to_json(child.entry.value).as_ref() == Ok(value) {
                self.lines.extend(indented(child.lines(), by));
            } else {
                self.filtered(*child, value, by, depth)?;
            }
        }
        for (key, value) in new {
            if !written.contains(&key.as_str()) {
                self.entry(key, value, depth);
            }
        }
        Some(())
    }

    /// Annotations, of which some go and one may come.
    fn filtered(
        &mut self,
        segment: Segment<'_>,
        value: &Value,
        by: usize,
        depth: usize,
    ) -> Option<()> {
        let new = value.as_object()?;
        let Some(children) = segment::of_value(segment.entry) else {
            self.lines.extend(indented(segment.above(), by));
            self.entry(segment.key(), value, depth);
            return Some(());
        };
        let header = segment.header(segment.key())?;
        self.lines.extend(indented(header, by));
        let mut written = Vec::new();
        for child in &children {
            let key = child.key();
            let same = new
                .get(key)
                .is_some_and(|value| child.entry.value.as_str() == value.as_str());
            if same && !secret::is_last_applied(key) {
                self.lines.extend(indented(child.lines(), by));
                written.push(key);
            }
        }
        let indent = column(&children)? + by;
        for (key, value) in new {
            if !written.contains(&key.as_str()) {
                self.entry(key, value, indent);
            }
        }
        Some(())
    }
}

fn is_identity(key: &str) -> bool {
    matches!(key, "name" | "namespace")
}

fn children_of(segment: Option<Segment<'_>>) -> Option<Vec<Segment<'_>>> {
    segment.map_or_else(
        || Some(Vec::new()),
        |segment| segment::of_value(segment.entry),
    )
}

/// The column of the first of the segments.
fn column(segments: &[Segment<'_>]) -> Option<usize> {
    let entry = segments.first()?.entry;
    let source = entry.key.document().source();
    Some(lines::column(source, entry.range().start))
}
