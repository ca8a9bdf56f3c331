//! One entry at the end of the top object, in JSON and in the flow style of YAML.

use std::ops::Range;

use super::spell::{Indent, string};
use crate::{
    lines,
    splice::Splice,
    yaml::{Document, Format},
};

/// Puts an entry behind the last one, laid out as that is. `value` is the text of its value.
pub(in crate::sops) fn append(
    document: &Document,
    key: &str,
    value: &str,
    splices: &mut Vec<Splice>,
) {
    let Some(root) = document.root() else { return };
    let source = document.source();
    let key = match document.format() {
        Format::Json => string(key),
        Format::Yaml => key.to_owned(),
    };
    let Some(last) = root.entries().last() else {
        let inside = root.range().start + 1..root.range().end - 1;
        let text = match Indent::of(document).filter(|_| document.format() == Format::Json) {
            Some(indent) => {
                let mut text = String::new();
                indent.line(&mut text, 1);
                text.extend([&key, ": ", value]);
                indent.line(&mut text, 0);
                text
            }
            None => format!("{key}: {value}"),
        };
        splices.push(Splice::new(inside, text));
        return;
    };
    let start = last.range().start;
    let separator = if lines::is_first(source, start) {
        let indentation = &source[lines::start(source, start)..start];
        format!("{}{indentation}", lines::line_break(source))
    } else {
        " ".to_owned()
    };
    let text = format!(",{separator}{key}: {value}");
    splices.push(Splice::insert(last.range().end, text));
}

/// Takes an entry out, with the comma that parts it from its neighbour.
pub(in crate::sops) fn remove(document: &Document, entry: Range<usize>, splices: &mut Vec<Splice>) {
    let Some(root) = document.root() else { return };
    let before = root
        .entries()
        .filter(|each| each.range().end <= entry.start);
    let after = root.entries().find(|each| each.range().start >= entry.end);
    let range = match (before.last(), after) {
        (Some(before), _) => before.range().end..entry.end,
        (None, Some(after)) => entry.start..after.range().start,
        (None, None) => root.range().start + 1..root.range().end - 1,
    };
    splices.push(Splice::delete(range));
}
