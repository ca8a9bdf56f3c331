//! The metadata of a YAML file: a map under `sops` at the end of every document, read from the first.

use std::ops::Range;

use super::{
    layout::metadata_entry,
    spell::{self, Folding, Indicator, Style},
    write::Layout,
};
use crate::{
    lines,
    sops::{METADATA_KEY, json, metadata::MetaTree},
    splice::Splice,
    yaml::{CollectionStyle, Document, Entry, Format, Kind, Stream},
};

/// Puts the metadata at the end of every document, in the place of what is there; or takes it out.
pub(super) fn put(
    stream: &Stream,
    metadata: Option<&MetaTree>,
    layout: Layout,
    splices: &mut Vec<Splice>,
) {
    let is_only = stream.documents().len() == 1;
    for document in stream.documents() {
        put_in(document, is_only, metadata, layout, splices);
    }
}

fn put_in(
    document: &Document,
    is_only: bool,
    metadata: Option<&MetaTree>,
    layout: Layout,
    splices: &mut Vec<Splice>,
) {
    let entry = metadata_entry(document);
    let root = document.root();
    let is_flow =
        root.is_some_and(|root| matches!(root.kind(), Kind::Mapping(CollectionStyle::Flow)));
    match (entry, metadata) {
        (None, None) => {}
        (Some(entry), None) if is_flow => json::remove_entry(document, entry.range(), splices),
        (Some(entry), None) => remove(document, entry, is_only, layout, splices),
        (Some(entry), Some(metadata)) if is_flow => {
            let text = in_flow(document, metadata);
            splices.push(Splice::new(entry.value.full_range(), text));
        }
        (None, Some(metadata)) if is_flow => {
            let text = in_flow(document, metadata);
            json::append_entry(document, METADATA_KEY, &text, splices);
        }
        (entry, Some(metadata)) => {
            let source = document.source();
            let indent = root
                .filter(|root| root.is_mapping())
                .map_or(0, |root| lines::column(source, root.range().start));
            let text = block(metadata, indent, layout);
            if let Some(entry) = entry {
                let start = lines::start(source, entry.range().start);
                splices.push(Splice::new(start..entry.range().end, text));
                return;
            }
            // A null that is written out would stand beside the map.
            if let Some(root) = root.filter(|root| !root.is_mapping()) {
                splices.push(Splice::delete(root.full_range()));
            }
            append(source, content_end(document), &text, layout, splices);
        }
    }
}

/// The end of what is said in a document: before `...` and the `---` of the next.
fn content_end(document: &Document) -> usize {
    document.content_range().end
}

/// Lines at the end of a document. A file without a line break at its end stays one without.
fn append(source: &str, at: usize, text: &str, layout: Layout, splices: &mut Vec<Splice>) {
    let before = &source[..at];
    let complete = before.is_empty() || before.ends_with(['\n', '\r']);
    let line_break = layout.line_break;
    let text = if complete {
        format!("{text}{line_break}")
    } else {
        format!("{line_break}{text}")
    };
    splices.push(Splice::insert(at, text));
}

/// Takes the lines of the metadata out.
fn remove(
    document: &Document,
    entry: Entry<'_>,
    is_only: bool,
    layout: Layout,
    splices: &mut Vec<Splice>,
) {
    let source = document.source();
    let start = lines::start(source, entry.range().start);
    let end = lines::next(source, entry.range().end);
    let ends_the_text = end == source.len() && !source.ends_with(['\n', '\r']);
    if vanishes_without(document, &(start..end), is_only) {
        let line_break = if ends_the_text { "" } else { layout.line_break };
        splices.push(Splice::new(start..end, format!("{{}}{line_break}")));
    } else if ends_the_text {
        // What precedes had no line break at its end before the metadata came.
        splices.push(Splice::delete(lines::end_of_previous(source, start)..end));
    } else {
        splices.push(Splice::delete(start..end));
    }
}

/// Whether a document would not be one any more without some of its lines: it has nothing else, and no
/// mark that begins it. Comments make a document of a whole file only.
fn vanishes_without(document: &Document, gone: &Range<usize>, is_only: bool) -> bool {
    let source = document.source();
    let content = document.content_range();
    let before = &source[document.range().start..content.start];
    let rest = [
        &source[content.start..gone.start],
        &source[gone.end..content.end],
    ];
    let mut lines = rest.into_iter().flat_map(str::lines).map(str::trim_start);
    let is_marked = before.lines().any(|line| line.starts_with("---"));
    !is_marked
        && lines.all(|line| {
            line.is_empty() || line.starts_with("...") || (line.starts_with('#') && !is_only)
        })
}

fn in_flow(document: &Document, metadata: &MetaTree) -> String {
    match document.format() {
        Format::Json => json::metadata(document, metadata),
        Format::Yaml => json::on_one_line(metadata),
    }
}

/// `sops:` and what is below it, as the peer's library lays it out, without the last line break.
fn block(metadata: &MetaTree, indent: usize, layout: Layout) -> String {
    let mut out = format!("{:indent$}{METADATA_KEY}:", "");
    value(&mut out, metadata, indent, layout);
    out
}

/// The value of a key in a column.
fn value(out: &mut String, tree: &MetaTree, column: usize, layout: Layout) {
    let inner = (column + layout.step) / layout.step * layout.step;
    match tree {
        MetaTree::Map(entries) if !entries.is_empty() => {
            for (key, tree) in entries {
                line(out, inner, layout);
                entry(out, key, tree, inner, layout);
            }
        }
        MetaTree::List(items) if !items.is_empty() => {
            for item in items {
                line(out, inner, layout);
                out.push('-');
                list_item(out, item, inner, layout);
            }
        }
        scalar => {
            out.push(' ');
            out.push_str(&scalar_text(scalar, inner, column, layout));
        }
    }
}

fn entry(out: &mut String, key: &str, tree: &MetaTree, column: usize, layout: Layout) {
    out.push_str(&text(key, column + 1, column, layout));
    out.push(':');
    value(out, tree, column, layout);
}

/// What stands behind a dash in a column.
fn list_item(out: &mut String, tree: &MetaTree, dash: usize, layout: Layout) {
    match tree {
        MetaTree::Map(entries) if !entries.is_empty() => {
            for (index, (key, tree)) in entries.iter().enumerate() {
                if index == 0 {
                    out.push(' ');
                } else {
                    line(out, dash + 2, layout);
                }
                entry(out, key, tree, dash + 2, layout);
            }
        }
        scalar => {
            out.push(' ');
            out.push_str(&scalar_text(scalar, dash + 2, dash, layout));
        }
    }
}

fn line(out: &mut String, indent: usize, layout: Layout) {
    out.push_str(layout.line_break);
    out.extend(std::iter::repeat_n(' ', indent));
}

fn scalar_text(tree: &MetaTree, indent: usize, parent: usize, layout: Layout) -> String {
    match tree {
        MetaTree::Bool(value) => value.to_string(),
        MetaTree::Int(value) => value.to_string(),
        MetaTree::List(_) => "[]".to_owned(),
        MetaTree::Map(_) => "{}".to_owned(),
        MetaTree::Null => "null".to_owned(),
        MetaTree::Text(said) => text(said, indent, parent, layout),
    }
}

fn text(said: &str, indent: usize, parent: usize, layout: Layout) -> String {
    match spell::style(said, false) {
        Style::Plain => said.to_owned(),
        Style::SingleQuoted => spell::single_quoted(said),
        Style::DoubleQuoted => spell::double_quoted(said),
        Style::Literal => spell::block(
            // One line break is the header's to say, whatever the text has.
            said,
            Folding::Literal,
            indent,
            parent,
            Indicator::AsSops,
            layout.line_break,
        ),
    }
}
