//! Scalars: the style that go-yaml chooses, and how each is written.

use std::borrow::Cow;

use signet_keys::sops::{Kind, Value};
use zeroize::Zeroizing;

use super::node::Scalar;
use super::writer::{Leaves, Writer};
use super::{Layout, Parent};
use crate::emit::escape::escape;
use crate::emit::style::{Findings, is_break, is_printable, look, stays_string_when_plain};
use crate::value::go_float;

/// Longest key, in bytes, that is written without `?`.
const MAX_SIMPLE_KEY: usize = 128;

/// A scalar ready to be written.
pub(super) struct Text<'t> {
    content: Cow<'t, str>,
    style: Style,
    tag: Option<&'static str>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Style {
    Plain,
    SingleQuoted,
    DoubleQuoted,
    Literal,
}

impl<'t> Text<'t> {
    pub(super) fn of(scalar: &Scalar<'t>) -> Self {
        if let Scalar::Value(value) = scalar
            && std::str::from_utf8(value.plaintext().expose()).is_err()
        {
            return Self::binary(value.plaintext().expose());
        }
        let (text, is_string) = match scalar {
            Scalar::Null => (Cow::Borrowed("null"), false),
            Scalar::Key(key) => (Cow::Borrowed(*key), true),
            Scalar::Value(value) => of_value(value),
        };
        // A plain `<<` is read as a merge, so the peer writes the tag that it was read with.
        let tag = (is_string && text == "<<").then_some("!!merge");
        let style = if is_string && tag.is_none() {
            style_of(&text)
        } else {
            Style::Plain
        };
        Self {
            content: text,
            style,
            tag,
        }
    }

    /// Bytes that are not text. The lines of a long one have 70 digits.
    fn binary(bytes: &[u8]) -> Self {
        const LINE: usize = 70;
        let mut digits = signet_keys::sealed::encode(bytes);
        let style = if digits.len() < LINE {
            Style::Plain
        } else {
            for line in (1..=digits.len() / LINE).rev() {
                digits.insert(line * LINE, '\n');
            }
            if !digits.ends_with('\n') {
                digits.push('\n');
            }
            Style::Literal
        };
        Self {
            content: Cow::Owned(digits),
            style,
            tag: Some("!!binary"),
        }
    }

    /// Whether it goes before a `:` on its line, without `?`.
    pub(super) fn is_simple_key(&self) -> bool {
        let length = self.content.len() + self.tag.map_or(0, str::len);
        !self.content.chars().any(is_break) && length <= MAX_SIMPLE_KEY
    }

    pub(super) fn write(&self, writer: &mut Writer<'_>, parent: Parent, layout: Layout) {
        if let Some(tag) = self.tag {
            writer.text(tag);
        }
        match self.style {
            Style::Plain => writer.text(&self.content),
            Style::SingleQuoted => {
                writer.text("'");
                let doubled = Zeroizing::new(self.content.replace('\'', "''"));
                doubled.chars().for_each(|char| writer.push(char));
                writer.push('\'');
            }
            Style::DoubleQuoted => double_quoted(&self.content, writer),
            Style::Literal => literal(&self.content, writer, parent, layout),
        }
    }
}

/// The text of a value, and whether it is a string, which may need quotes.
fn of_value(value: &Value) -> (Cow<'_, str>, bool) {
    let text = String::from_utf8_lossy(value.plaintext().expose());
    match value.kind() {
        Kind::Str | Kind::Comment | Kind::Bytes => (text, true),
        Kind::Bool => (Cow::Owned(text.to_ascii_lowercase()), false),
        Kind::Float => match text.parse() {
            Ok(number) => (Cow::Owned(go_float(number)), false),
            Err(_) => (text, false),
        },
        Kind::Int | Kind::Time => (text, false),
    }
}

fn style_of(text: &str) -> Style {
    let found = look(text);
    if text.contains('\n') {
        let literal = !(found.trailing_space || found.break_after_space || found.special);
        return if literal {
            Style::Literal
        } else {
            Style::DoubleQuoted
        };
    }
    if !stays_string_when_plain(text) {
        return Style::DoubleQuoted;
    }
    let Findings {
        indicator,
        line_break,
        special,
        tab,
        edge_space,
        edge_break,
        space_after_break,
        break_after_space,
        ..
    } = found;
    if space_after_break || break_after_space || tab || special || line_break {
        Style::DoubleQuoted
    } else if edge_space || edge_break || indicator {
        Style::SingleQuoted
    } else {
        Style::Plain
    }
}

fn double_quoted(text: &str, writer: &mut Writer<'_>) {
    writer.text("\"");
    // The peer looks for the mark at the start of the text at every character.
    let escape_all = text.starts_with('\u{feff}');
    let mut escaped = Zeroizing::new(String::new());
    for char in text.chars() {
        if escape_all || !is_printable(char) || is_break(char) || matches!(char, '"' | '\\') {
            escaped.clear();
            escape(char, &mut escaped);
            escaped.chars().for_each(|char| writer.push(char));
        } else {
            writer.push(char);
        }
    }
    writer.push('"');
}

fn literal(text: &str, writer: &mut Writer<'_>, parent: Parent, layout: Layout) {
    let outer = writer.indent;
    writer.indent = Some(layout.inside(outer, parent));
    writer.indicator("|", true, Leaves::Text);
    if text.starts_with(|char| char == ' ' || is_break(char)) {
        let indent = writer.indent.unwrap_or_default() - outer.unwrap_or_default();
        // In a list the peer writes the indentation of a mapping here, and then cannot read it.
        writer.indicator(&indent.to_string(), false, Leaves::Text);
    }
    let mut from_end = text.chars().rev();
    let chomping = match (from_end.next().is_some_and(is_break), from_end.next()) {
        (false, _) => "-",
        (true, None) => "+",
        (true, Some(before)) if is_break(before) => "+",
        (true, Some(_)) => "",
    };
    writer.indicator(chomping, false, Leaves::Text);
    if !writer.line_comment() {
        writer.break_line();
    }
    writer.spaced = true;
    let mut after_break = true;
    for char in text.chars() {
        if is_break(char) {
            writer.push_break(char);
            after_break = true;
        } else {
            if after_break {
                writer.begin_line();
            }
            writer.push(char);
            writer.pushed_text();
            after_break = false;
        }
    }
    writer.indent = outer;
}
