//! One scalar in its place.

use signet_keys::sops::{Kind, Value};

use super::Writer;
use crate::{
    lines,
    sops::{
        FileFormat,
        error::{self, Warning, WriteError},
        outline::Outcome,
        yaml::spell::{self, Folding, Indicator, Style},
    },
    splice::Splice,
    yaml::{Format, Kind as NodeKind, Node, ScalarStyle},
};

/// Tags that would make a ciphertext be read as something else than text.
const TYPED_TAGS: [&str; 6] = [
    "!!binary",
    "!!bool",
    "!!float",
    "!!int",
    "!!null",
    "!!timestamp",
];

impl<'s> Writer<'s> {
    pub(super) fn node(
        &mut self,
        node: Node<'s>,
        key: Option<usize>,
        outcome: &Outcome,
    ) -> Result<(), WriteError> {
        match outcome {
            Outcome::Keep => {}
            Outcome::Encrypted { text, bare } => self.encrypted(node, text, *bare),
            Outcome::Plain(value) if value.kind() == Kind::Comment => {
                self.list_comment(node, value);
            }
            Outcome::Plain(value) => self.plain(node, key, value)?,
        }
        Ok(())
    }

    fn encrypted(&mut self, node: Node<'s>, text: &str, bare: bool) {
        self.drop_typed_tag(node);
        let range = node.range();
        let style = style_of(node);
        if style == ScalarStyle::Plain && error::is_rounded(&self.source[range.clone()]) {
            self.warn(node, |at| Warning::NumberRounded { at });
        }
        match style {
            ScalarStyle::Literal | ScalarStyle::Folded => {
                let block = (!bare).then(|| self.in_block(node, text)).flatten();
                let splices = block.unwrap_or_else(|| self.instead_of_block(node, text));
                self.splices.extend(splices);
            }
            ScalarStyle::SingleQuoted | ScalarStyle::DoubleQuoted
                if bare && !node.is_in_flow() && node.document().format() == Format::Yaml =>
            {
                self.splices.push(Splice::new(range, text));
            }
            ScalarStyle::SingleQuoted => self.splices.push(Splice::new(range, format!("'{text}'"))),
            ScalarStyle::DoubleQuoted => {
                self.splices.push(Splice::new(range, format!("\"{text}\"")));
            }
            _ if node.document().format() == Format::Json => {
                self.splices.push(Splice::new(range, format!("\"{text}\"")));
            }
            _ if node.is_in_flow() => self.splices.push(Splice::new(range, format!("'{text}'"))),
            ScalarStyle::Plain => self.splices.push(Splice::new(range, text)),
        }
    }

    /// A ciphertext below the header of a block scalar.
    fn in_block(&self, node: Node<'_>, text: &str) -> Option<[Splice; 2]> {
        let range = node.range();
        let header = range.start + 1;
        let indicators = indicators(&self.source[header..]);
        let digit: String = indicators.chars().filter(char::is_ascii_digit).collect();
        let header_end = lines::end(self.source, header).min(range.end);
        let indent = self.content_indent(node)?;
        Some([
            Splice::new(header..header + indicators.len(), format!("{digit}-")),
            Splice::new(
                header_end..range.end,
                format!("{}{:indent$}{text}", self.layout.line_break, ""),
            ),
        ])
    }

    /// Text on one line instead of a block scalar. What else is on the line of the header, a comment, is
    /// not touched.
    fn instead_of_block(&self, node: Node<'_>, text: &str) -> [Splice; 2] {
        let range = node.range();
        let header = range.start + 1;
        let indicators = indicators(&self.source[header..]);
        let header_end = lines::end(self.source, header).min(range.end);
        [
            Splice::new(range.start..header + indicators.len(), text),
            Splice::delete(header_end..range.end),
        ]
    }

    /// The column in which the lines of a block scalar begin; `None` if it has no line with text.
    fn content_indent(&self, node: Node<'_>) -> Option<usize> {
        let range = node.range();
        // A block without text may end with its header.
        let body = lines::next(self.source, range.start).min(range.end)..range.end;
        let body = &self.source[body];
        let has_text = |line: &&str| !line.trim().is_empty();
        let written = body.split(['\n', '\r']).find(has_text)?;
        let said = node.text()?.split('\n').find(has_text)?;
        let spaces = |line: &str| line.bytes().take_while(|byte| *byte == b' ').count();
        spaces(written).checked_sub(spaces(said))
    }

    fn plain(
        &mut self,
        node: Node<'s>,
        key: Option<usize>,
        value: &Value,
    ) -> Result<(), WriteError> {
        let range = node.range();
        if let Some(text) = spell::typed(value) {
            self.splices.push(Splice::new(range, text));
            return Ok(());
        }
        let bytes = value.plaintext().expose();
        let Ok(text) = std::str::from_utf8(bytes) else {
            if node.document().format() == Format::Json {
                return Err(WriteError::Value {
                    at: node.position(),
                    format: FileFormat::Json,
                    what: "bytes that are not text",
                });
            }
            let text = format!("!!binary \"{}\"", signet_keys::sealed::encode(bytes));
            self.splices.push(Splice::new(node.full_range(), text));
            return Ok(());
        };
        let tagged = node.tag().is_some_and(|tag| tag != "!");
        let in_flow = node.is_in_flow();
        let written = match style_of(node) {
            _ if node.document().format() == Format::Json => crate::sops::json::string(text),
            ScalarStyle::Literal | ScalarStyle::Folded => {
                self.as_block(node, text);
                return Ok(());
            }
            ScalarStyle::SingleQuoted if in_flow && spell::is_plain_in_flow(text) => {
                text.to_owned()
            }
            ScalarStyle::SingleQuoted if spell::fits_single_quotes(text) => {
                spell::single_quoted(text)
            }
            ScalarStyle::Plain if !in_flow => match spell::style(text, tagged) {
                Style::Plain => text.to_owned(),
                Style::SingleQuoted => spell::single_quoted(text),
                Style::DoubleQuoted => spell::double_quoted(text),
                Style::Literal => {
                    self.as_new_block(node, key, text);
                    return Ok(());
                }
            },
            _ => spell::double_quoted(text),
        };
        self.splices.push(Splice::new(range, written));
        Ok(())
    }

    /// The text in the block scalar that its ciphertext stood in.
    fn as_block(&mut self, node: Node<'_>, text: &str) {
        let range = node.range();
        let header = range.start + 1;
        let (Some(indent), true) = (self.content_indent(node), spell::fits_block(text)) else {
            let text = spell::double_quoted(text);
            let splices = self.instead_of_block(node, &text);
            return self.splices.extend(splices);
        };
        let folding = match style_of(node) {
            ScalarStyle::Folded => Folding::Folded,
            _ => Folding::Literal,
        };
        let indicators = indicators(&self.source[header..]);
        let digit = indicators.bytes().find(u8::is_ascii_digit);
        let digit = digit.map(|digit| usize::from(digit - b'0'));
        let parent = digit.map_or_else(|| self.parent_indent(node, indent), |digit| indent - digit);
        let line_break = self.layout.line_break;
        let indicator = if digit.is_some() {
            Indicator::Always
        } else {
            Indicator::IfNeeded
        };
        let block = spell::block(text, folding, indent, parent, indicator, line_break);
        if self.takes_in_what_follows(&block, range.end, indent) {
            let text = spell::double_quoted(text);
            let splices = self.instead_of_block(node, &text);
            return self.splices.extend(splices);
        }
        // What else is on the line of the header, a comment, is not touched.
        let (new_header, lines) = block.split_at(block.find(['\n', '\r']).unwrap_or(block.len()));
        let header_end = lines::end(self.source, header).min(range.end);
        self.splices.push(Splice::new(
            header..header + indicators.len(),
            &new_header[1..],
        ));
        self.splices.push(Splice::new(header_end..range.end, lines));
    }

    /// A block scalar in the clear that ends with the text has no line break at its end. It would get
    /// one from what is put behind it.
    pub(super) fn keep_without_line_break(&mut self, node: Node<'_>) {
        let range = node.range();
        let ends_the_text = self.source[range.end..].trim_ascii_start().is_empty();
        if ends_the_text
            && node.kind().is_block_scalar()
            && node.text().is_some_and(|text| !text.ends_with('\n'))
        {
            let header = range.start + 1;
            let indicators = indicators(&self.source[header..]);
            let is_empty = node.text().is_some_and(str::is_empty);
            if is_empty && !indicators.contains('+') {
                return;
            }
            let digit: String = indicators.chars().filter(char::is_ascii_digit).collect();
            let range = header..header + indicators.len();
            self.splices.push(Splice::new(range, format!("{digit}-")));
        }
    }

    /// Text of several lines that stood as a plain ciphertext, as the peer writes it. What else is on
    /// its line, a comment, comes to stand behind the header.
    fn as_new_block(&mut self, node: Node<'_>, key: Option<usize>, text: &str) {
        let (parent, indent) = self.block_indents(node, key);
        let line_break = self.layout.line_break;
        let block = spell::block(
            text,
            Folding::Literal,
            indent,
            parent,
            Indicator::AsSops,
            line_break,
        );
        let range = node.range();
        if self.takes_in_what_follows(&block, range.end, indent) {
            let text = spell::double_quoted(text);
            return self.splices.push(Splice::new(range, text));
        }
        let (header, lines) = block.split_at(block.find(['\n', '\r']).unwrap_or(block.len()));
        let line_end = lines::end(self.source, range.end);
        self.splices.push(Splice::new(range, header));
        self.splices.push(Splice::insert(line_end, lines));
    }

    /// Whether what stands below `end` would become text of a block scalar put there: a comment as far
    /// to the right as its lines, or a blank line where those at its end count.
    fn takes_in_what_follows(&self, block: &str, end: usize, indent: usize) -> bool {
        let header = block.lines().next().unwrap_or_default();
        let below = &self.source[lines::next(self.source, end)..];
        let next = below.trim_start_matches([' ', '\n', '\r']);
        let gap = &below[..below.len() - next.len()];
        let (blank, column) = match gap.rfind(['\n', '\r']) {
            Some(line_break) => (true, gap.len() - line_break - 1),
            None => (false, gap.len()),
        };
        let joins = !next.is_empty() && column >= indent;
        joins || (blank && header.contains('+'))
    }

    /// The indentation of what a value is in, and that of the lines of its block: below a key the next
    /// multiple of the step, below a dash two more.
    pub(super) fn block_indents(&self, node: Node<'_>, key: Option<usize>) -> (usize, usize) {
        let step = self.layout.step;
        if let Some(key) = key {
            let parent = lines::column(self.source, key);
            return (parent, (parent + step) / step * step);
        }
        let dash = self.source[..node.full_range().start].rfind('-');
        let parent = dash.map_or(0, |dash| lines::column(self.source, dash));
        (parent, parent + 2)
    }

    /// The indentation that an indicator of a block scalar counts from.
    fn parent_indent(&self, node: Node<'_>, indent: usize) -> usize {
        let line = lines::start(self.source, node.range().start);
        let before = &self.source[line..node.full_range().start];
        // `- - key: |`: the column of the innermost key, or of the innermost dash.
        let dashes = before.len() - before.trim_start_matches([' ', '-', '\u{feff}']).len();
        let is_item = before[dashes..].trim().is_empty();
        let parent = if is_item {
            before[..dashes].rfind('-').unwrap_or(0)
        } else {
            dashes
        };
        parent.min(indent.saturating_sub(1))
    }

    /// A comment that the peer wrote as an item of a list.
    fn list_comment(&mut self, node: Node<'s>, comment: &Value) {
        let text = String::from_utf8_lossy(comment.plaintext().expose());
        let start = node.full_range().start;
        let dash = self.source[..start].trim_end_matches([' ', '\t']);
        if node.is_in_flow() || !dash.ends_with('-') {
            return;
        }
        let range = dash.len() - 1..node.full_range().end;
        let column = lines::column(self.source, range.start);
        let text = spell::comment(&text, column, self.layout.line_break);
        self.splices.push(Splice::new(range, text));
    }

    fn drop_typed_tag(&mut self, node: Node<'_>) {
        if !node.tag().is_some_and(|tag| TYPED_TAGS.contains(&tag)) {
            return;
        }
        let properties = node.full_range().start..node.range().start;
        let text = &self.source[properties.clone()];
        let Some(at) = text.find('!') else { return };
        let length = text[at..]
            .find([' ', '\t', '\n', '\r'])
            .unwrap_or(text.len() - at);
        let spaces = text[at + length..].len() - text[at + length..].trim_start_matches(' ').len();
        let start = properties.start + at;
        self.splices
            .push(Splice::delete(start..start + length + spaces));
    }
}

fn style_of(node: Node<'_>) -> ScalarStyle {
    match node.kind() {
        NodeKind::Scalar(style) => style,
        _ => ScalarStyle::Plain,
    }
}

/// What stands behind the `|` or `>` of a header.
fn indicators(header: &str) -> &str {
    let length = header
        .bytes()
        .take_while(|byte| matches!(byte, b'+' | b'-' | b'0'..=b'9'))
        .count();
    &header[..length]
}
